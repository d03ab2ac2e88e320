import { defineCodes } from '../diagnostics/code-definition.ts';

/** Codes about suppression comments. They cannot be silenced themselves. */
export const suppressionCodes = defineCodes('lint', {
  'unused-suppression': {
    severity: 'warning',
    title: 'Suppression silences nothing',
    why: 'The finding it was written for is gone. Left in place, it would hide the next one unseen.',
    whatToDo: 'Remove the comment.',
    bad: '-- lql-disable-next-line like-without-wildcard: the name is complete\n{ source { CloudTrailRawEvents } return { EVENT } }',
    good: '{ source { CloudTrailRawEvents } return { EVENT } }',
  },
  'suppression-without-reason': {
    severity: 'warning',
    title: 'Suppression gives no reason',
    why: 'Who reads the query later cannot tell whether the finding may still be ignored.',
    whatToDo: 'Write the reason behind a colon.',
    bad: "{ source { CloudTrailRawEvents } filter {\n-- lql-disable-next-line like-without-wildcard\nEVENT_NAME like 'Delete' } return { EVENT } }",
    good: "{ source { CloudTrailRawEvents } filter {\n-- lql-disable-next-line like-without-wildcard: the name is complete\nEVENT_NAME like 'Delete' } return { EVENT } }",
  },
  'invalid-suppression': {
    severity: 'warning',
    title: 'Suppression names no known rule',
    why: 'A misspelled rule silences nothing.',
    whatToDo: 'Write `-- lql-disable-next-line rule-id: reason`; several ids are separated by commas.',
    bad: "{ source { CloudTrailRawEvents } filter {\n-- lql-disable-next-line like-wildcard: the name is complete\nEVENT_NAME = 'Delete' } return { EVENT } }",
    good: "{ source { CloudTrailRawEvents } filter {\n-- lql-disable-next-line like-without-wildcard: the name is complete\nEVENT_NAME like 'Delete' } return { EVENT } }",
  },
});
