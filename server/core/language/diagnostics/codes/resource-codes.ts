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
