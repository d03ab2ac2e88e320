import { type Static, Type } from 'typebox';
import { closedObject, jsonObject, openObject, timestamp } from './shapes.ts';

export const AuditLogRecord = openObject({
  createdTime: Type.Optional(timestamp()),
  accountName: Type.Optional(Type.String()),
  userName: Type.Optional(Type.String()),
  eventName: Type.Optional(Type.String()),
  userAction: Type.Optional(Type.String()),
  eventDescription: Type.Optional(Type.String()),
});
export type AuditLogRecord = Static<typeof AuditLogRecord>;

export const ContractRecord = openObject({
  objName: Type.Optional(Type.String()),
  props: Type.Optional(jsonObject()),
});
export type ContractRecord = Static<typeof ContractRecord>;

const organization = openObject({
  orgAccount: Type.Optional(Type.Boolean()),
  orgAccountUrl: Type.Optional(Type.String()),
});
/** Whether the account is an organization's; the real service answers a list of one, or the list alone. */
export const OrganizationAnswer = Type.Union([
  openObject({ data: Type.Union([Type.Array(organization), organization]) }),
  Type.Array(organization),
]);
export type OrganizationAnswer = Static<typeof OrganizationAnswer>;

/** A subscription or project: its id, or (on the real service) a group of them. */
export const CloudUnit = Type.Union([Type.String(), jsonObject()]);
export type CloudUnit = Static<typeof CloudUnit>;

export const DataExportRuleCreate = closedObject({
  type: Type.String({ minLength: 1, description: 'Dataexport.' }),
  filters: Type.Object(
    {},
    { additionalProperties: true, description: 'Name, description, enabled flag and profile versions.' },
  ),
  intgGuidList: Type.Array(Type.String({ minLength: 1 }), { description: 'Alert channels the rule writes to.' }),
});
export type DataExportRuleCreate = Static<typeof DataExportRuleCreate>;

/** Only the sent fields change. */
export const DataExportRulePatch = Type.Partial(DataExportRuleCreate, { additionalProperties: false });
export type DataExportRulePatch = Static<typeof DataExportRulePatch>;

export const DataExportRuleRecord = openObject({
  mcGuid: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  filters: Type.Optional(jsonObject()),
  intgGuidList: Type.Optional(Type.Array(Type.String())),
});
export type DataExportRuleRecord = Static<typeof DataExportRuleRecord>;

export const InventoryScan = openObject({
  status: Type.Optional(Type.String()),
  details: Type.Optional(Type.String()),
});
export type InventoryScan = Static<typeof InventoryScan>;
