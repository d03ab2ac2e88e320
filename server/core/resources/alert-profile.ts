import { type Static, Type } from 'typebox';
import { closedObject, openObject } from './shapes.ts';

const placeholders = 'Text with `{{KEY}}` placeholders from the descriptionKeys of the profile.';
const templateTexts = {
  eventName: Type.String({ minLength: 1, description: 'Name of the event in summaries and the dossier.' }),
  description: Type.String({ minLength: 1, description: `Shown in the summary and the dossier. ${placeholders}` }),
  subject: Type.String({ minLength: 1, description: `Shown under the timeline. ${placeholders}` }),
};

/** How one kind of alert is worded. */
export const AlertTemplateCreate = closedObject({
  name: Type.String({
    minLength: 1,
    description: "Unique in the profile; a parent's name overrides the parent's template.",
  }),
  ...templateTexts,
});
export type AlertTemplateCreate = Static<typeof AlertTemplateCreate>;

export const AlertTemplateUpdate = closedObject({
  eventName: Type.Optional(templateTexts.eventName),
  description: Type.Optional(templateTexts.description),
  subject: Type.Optional(templateTexts.subject),
});
export type AlertTemplateUpdate = Static<typeof AlertTemplateUpdate>;

export const AlertTemplate = openObject({
  name: Type.String(),
  eventName: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
});
export type AlertTemplate = Static<typeof AlertTemplate>;

export const AlertProfileCreate = closedObject({
  alertProfileId: Type.String({ minLength: 1, description: 'Unique id; the reserved vendor prefix is refused.' }),
  extends: Type.String({ minLength: 1, description: 'Id of the parent, from which everything else is inherited.' }),
  alerts: Type.Array(AlertTemplateCreate),
});
export type AlertProfileCreate = Static<typeof AlertProfileCreate>;

export const AlertProfileUpdate = closedObject({ alerts: Type.Array(AlertTemplateCreate) });
export type AlertProfileUpdate = Static<typeof AlertProfileUpdate>;

/** A profile with what it inherits. Names in `fields` are not always unique. */
export const AlertProfileRecord = openObject({
  alertProfileId: Type.String(),
  extends: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  fields: Type.Optional(Type.Union([Type.Array(openObject({ name: Type.String() })), Type.Null()])),
  descriptionKeys: Type.Optional(
    Type.Union([Type.Array(openObject({ name: Type.String(), spec: Type.Optional(Type.String()) })), Type.Null()]),
  ),
  alerts: Type.Optional(Type.Union([Type.Array(AlertTemplate), Type.Null()])),
});
export type AlertProfileRecord = Static<typeof AlertProfileRecord>;
