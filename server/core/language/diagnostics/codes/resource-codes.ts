import { defineCodes } from '../code-definition.ts';

const fine = `policyId: $account-buckets-1
queryId: Acme_Buckets
title: Buckets without an owner
enabled: true
severity: high
description: A bucket nobody owns is a bucket nobody looks after.
remediation: Tag it with its owner.
alertEnabled: true
`;

/** Codes of what is checked in the files around the queries: policies, alert profiles, exceptions, and the fields beside a query's text. */
export const resourceCodes = defineCodes('resource', {
  'unknown-field': {
    severity: 'warning',
    title: 'A field that does not exist',
    why: 'The service does not know the field, and tools that send files drop what they do not know without a word: what it was to say is lost.',
    whatToDo: 'Take the spelling the fix offers, or remove the field.',
    bad: fine.replace('severity:', 'severty:'),
    good: fine,
  },
  'missing-field': {
    severity: 'error',
    title: 'A required field is missing',
    why: 'The service refuses the object without it.',
    whatToDo: 'Add the field; the fix adds it with an empty value to fill in.',
    bad: fine.replace('title: Buckets without an owner\n', ''),
    good: fine,
  },
  'missing-id': {
    severity: 'warning',
    title: 'An object without an id',
    why: 'Nothing says which object of the account it is. The service would make an id up, and another one in every account, so it cannot be deployed from a file.',
    whatToDo:
      'Choose an id; the fix proposes one. A policy’s begins with $account-, which stands for the name of every account.',
    bad: fine.replace('policyId: $account-buckets-1\n', ''),
    good: fine,
  },
  'invalid-id': {
    severity: 'error',
    title: 'An id that the service refuses',
    why: 'Ids have a form: a query’s is letters, digits and underscores and begins with a letter; a policy’s, behind $account-, is lower-case letters, then perhaps a hyphen and digits. Some beginnings belong to the service or the vendor.',
    whatToDo: 'Write an id of that form.',
    bad: fine.replace('$account-buckets-1', '$account-Open_Buckets'),
    good: fine,
  },
  'duplicate-id': {
    severity: 'warning',
    title: 'An id that is given twice',
    why: 'Two files or two objects of one file say what the same object of the account shall be. Nothing tells which holds, so none of them is deployed or updated.',
    whatToDo: 'Give one of them another id, or remove it.',
    bad: `${fine}---\n${fine}`,
    good: fine,
  },
  'unreadable-file': {
    severity: 'error',
    title: 'A content file that cannot be read',
    why: 'The file is no valid YAML or JSON, perhaps because it is half written. What it holds is not known, so nothing of it is deployed, and nothing that seems to be missing is deleted.',
    whatToDo: 'Mend the place that the message names.',
    bad: `${fine}tags: [storage\n`,
    good: `${fine}tags: [storage]\n`,
  },
  'wrong-field-type': {
    severity: 'error',
    title: 'A value of the wrong type',
    why: 'The service checks the type of every field and refuses the object, e.g. a text where it wants true or false.',
    whatToDo: 'Write the value in the type that the message names; quotes make a text of it.',
    bad: fine.replace('enabled: true', 'enabled: "true"'),
    good: fine,
  },
  'wrong-field-value': {
    severity: 'error',
    title: 'A value out of bounds',
    why: 'The value has the right type, but the service refuses it: an empty text, a number that is too small, a name in another form.',
    whatToDo: 'Write a value within the bounds that the message names.',
    bad: `${fine}limit: 0\n`,
    good: `${fine}limit: 100\n`,
  },
  'unknown-field-value': {
    severity: 'error',
    title: 'A value that is none of the allowed ones',
    why: 'The field takes one of a few values, in just their spelling.',
    whatToDo: 'Take one of the values the fixes offer.',
    bad: fine.replace('severity: high', 'severity: High'),
    good: fine,
  },
  'service-field': {
    severity: 'hint',
    title: 'A field that the service sets',
    why: 'The service fills it in; in a file it has no effect and only ages.',
    whatToDo: 'Remove it.',
    bad: `${fine}lastUpdateUser: ann@acme.example\n`,
    good: fine,
  },
  'deprecated-field': {
    severity: 'hint',
    title: 'A deprecated field',
    why: 'The service still takes the field, but advises against it and may stop reading it.',
    whatToDo: 'Remove it, or write what its description names instead.',
    bad: `${fine}evalFrequency: Hourly\n`,
    good: fine,
  },
});

export type ResourceCode = keyof typeof resourceCodes;
