import { Type } from 'typebox';
import {
  AlertProfileCreate,
  AlertProfileRecord,
  AlertProfileUpdate,
  AlertTemplate,
  AlertTemplateCreate,
  AlertTemplateUpdate,
  envelope,
  listEnvelope,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

// The specification answers the template, the real service the whole profile: readers take neither for granted and read the profile again.
const templateAnswer = envelope(Type.Union([AlertTemplate, AlertProfileRecord]));

export const alertProfiles = {
  list: defineEndpoint({
    id: 'alertProfiles.list',
    summary: 'List the alert profiles.',
    method: 'GET',
    path: '/AlertProfiles',
    response: listEnvelope(AlertProfileRecord),
    source: 'public',
  }),
  create: defineEndpoint({
    id: 'alertProfiles.create',
    summary: 'Create an alert profile that extends another.',
    method: 'POST',
    path: '/AlertProfiles',
    body: AlertProfileCreate,
    response: envelope(AlertProfileRecord),
    success: 201,
  }),
  get: defineEndpoint({
    id: 'alertProfiles.get',
    summary: 'Get one alert profile with what it inherits.',
    method: 'GET',
    path: '/AlertProfiles/{alertProfileId}',
    response: envelope(AlertProfileRecord),
  }),
  update: defineEndpoint({
    id: 'alertProfiles.update',
    summary: 'Replace the templates of an alert profile.',
    method: 'PATCH',
    path: '/AlertProfiles/{alertProfileId}',
    body: AlertProfileUpdate,
    response: envelope(AlertProfileRecord),
    source: 'public',
  }),
  delete: defineEndpoint({
    id: 'alertProfiles.delete',
    summary: 'Delete an alert profile.',
    method: 'DELETE',
    path: '/AlertProfiles/{alertProfileId}',
    source: 'public',
  }),
  createTemplate: defineEndpoint({
    id: 'alertProfiles.createTemplate',
    summary: 'Add an alert template to a profile.',
    method: 'POST',
    path: '/AlertProfiles/{alertProfileId}/AlertTemplates',
    body: AlertTemplateCreate,
    response: templateAnswer,
  }),
  updateTemplate: defineEndpoint({
    id: 'alertProfiles.updateTemplate',
    summary: 'Change an alert template.',
    method: 'PATCH',
    path: '/AlertProfiles/{alertProfileId}/AlertTemplates/{alertTemplateName}',
    body: AlertTemplateUpdate,
    response: templateAnswer,
  }),
  deleteTemplate: defineEndpoint({
    id: 'alertProfiles.deleteTemplate',
    summary: 'Delete an alert template.',
    method: 'DELETE',
    path: '/AlertProfiles/{alertProfileId}/AlertTemplates/{alertTemplateName}',
  }),
};
