import { type Static, Type } from 'typebox';
import { closedObject, jsonObject, openObject, timestamp } from './shapes.ts';

export const alertSeverities = ['Critical', 'High', 'Medium', 'Low', 'Info'] as const;
export const alertScopes = ['Details', 'Investigation', 'Events', 'RelatedAlerts', 'Integrations', 'Timeline'] as const;
/** The only fields an alert search may filter on. */
export const alertFilterFields = [
  'alertId',
  'alertType',
  'severity',
  'status',
  'subCategory',
  'category',
  'source',
] as const;
export const commentFormats = ['Plaintext', 'Markdown'] as const;

/** Why an alert is closed, by the number that is sent. */
export const closeReasons: ReadonlyMap<number, string> = new Map([
  [0, 'Other'],
  [1, 'False positive'],
  [2, 'Not enough information'],
  [3, 'Malicious and have resolution in place'],
  [4, 'Expected because of routine testing'],
  [5, 'Expected behavior'],
]);

export const AlertRecord = openObject({
  alertId: Type.Union([Type.Integer(), Type.String()]),
  alertType: Type.Optional(Type.String()),
  alertName: Type.Optional(Type.String()),
  alertInfo: Type.Optional(
    openObject({ subject: Type.Optional(Type.String()), description: Type.Optional(Type.String()) }),
  ),
  severity: Type.Optional(Type.String({ description: `One of ${alertSeverities.join(', ')}.` })),
  status: Type.Optional(Type.String({ description: 'Open or Closed; the real service also knows In progress.' })),
  category: Type.Optional(Type.String()),
  subCategory: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  derivedFields: Type.Optional(jsonObject()),
  startTime: Type.Optional(timestamp()),
  endTime: Type.Optional(timestamp()),
  lastUserUpdatedTime: Type.Optional(Type.String({ description: 'A timestamp, or an empty text.' })),
  policyId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type AlertRecord = Static<typeof AlertRecord>;

/** What a scope of an alert holds: one alert with its entities, or a list of loosely described entries. */
export const AlertScopeData = Type.Union([
  Type.Array(jsonObject()),
  jsonObject('The alert with its entityMap, for the scope Details.'),
]);
export type AlertScopeData = Static<typeof AlertScopeData>;

export const AlertComment = closedObject({
  comment: Type.String({ minLength: 1 }),
  format: Type.Optional(Type.Enum(commentFormats, { default: 'Plaintext' })),
});
export type AlertComment = Static<typeof AlertComment>;

export const AlertTimelineEntry = openObject({
  id: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  alertId: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  createdTime: Type.Optional(timestamp()),
  entryType: Type.Optional(Type.String()),
  message: Type.Optional(openObject({ format: Type.Optional(Type.String()), value: Type.Optional(Type.String()) })),
  user: Type.Optional(jsonObject()),
});
export type AlertTimelineEntry = Static<typeof AlertTimelineEntry>;

/** A comment is required when the reason is 0, Other. */
export const AlertClose = closedObject({
  reason: Type.Integer({ minimum: 0, maximum: 5 }),
  comment: Type.Optional(Type.String()),
});
export type AlertClose = Static<typeof AlertClose>;
