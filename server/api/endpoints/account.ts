import { Type } from 'typebox';
import {
  CloudUnit,
  ContractRecord,
  cloudProviders,
  DataExportRuleCreate,
  DataExportRulePatch,
  DataExportRuleRecord,
  envelope,
  InventoryScan,
  listEnvelope,
  OrganizationAnswer,
  PlainSearch,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const configs = {
  azureSubscriptions: defineEndpoint({
    id: 'configs.azureSubscriptions',
    summary: 'List the ids of Azure subscriptions.',
    method: 'GET',
    path: '/Configs/AzureSubscriptions',
    query: { tenantId: Type.Optional(Type.String({ minLength: 1 })) },
    response: listEnvelope(CloudUnit),
    emptyAs204: true,
  }),
  gcpProjects: defineEndpoint({
    id: 'configs.gcpProjects',
    summary: 'List the ids of GCP projects.',
    method: 'GET',
    path: '/Configs/GcpProjects',
    query: { orgId: Type.Optional(Type.String({ minLength: 1 })) },
    response: listEnvelope(CloudUnit),
    emptyAs204: true,
  }),
};

export const account = {
  contractInfo: defineEndpoint({
    id: 'account.contractInfo',
    summary: 'Get the contract details.',
    method: 'GET',
    path: '/ContractInfo',
    headers: 'Org',
    response: listEnvelope(ContractRecord),
    emptyAs204: true,
  }),
  organizationInfo: defineEndpoint({
    id: 'account.organizationInfo',
    summary: 'Tell whether the account is the account of an organization.',
    method: 'GET',
    path: '/OrganizationInfo',
    headers: 'Org',
    response: OrganizationAnswer,
  }),
};

export const dataExportRules = {
  create: defineEndpoint({
    id: 'dataExportRules.create',
    summary: 'Create a data export rule.',
    method: 'POST',
    path: '/DataExportRules',
    headers: 'Org',
    body: DataExportRuleCreate,
    response: envelope(DataExportRuleRecord),
    success: 201,
  }),
  list: defineEndpoint({
    id: 'dataExportRules.list',
    summary: 'List the data export rules.',
    method: 'GET',
    path: '/DataExportRules',
    headers: 'Org',
    response: listEnvelope(DataExportRuleRecord),
    source: 'public',
  }),
  search: defineEndpoint({
    id: 'dataExportRules.search',
    summary: 'Search data export rules.',
    method: 'POST',
    path: '/DataExportRules/search',
    headers: 'Org',
    body: PlainSearch,
    response: listEnvelope(DataExportRuleRecord),
    emptyAs204: true,
    effect: 'read',
    source: 'public',
  }),
  get: defineEndpoint({
    id: 'dataExportRules.get',
    summary: 'Get one data export rule.',
    method: 'GET',
    path: '/DataExportRules/{mcGuid}',
    headers: 'Org',
    response: envelope(DataExportRuleRecord),
    source: 'public',
  }),
  update: defineEndpoint({
    id: 'dataExportRules.update',
    summary: 'Change the sent fields of a data export rule.',
    method: 'PATCH',
    path: '/DataExportRules/{mcGuid}',
    headers: 'Org',
    body: DataExportRulePatch,
    response: envelope(DataExportRuleRecord),
    source: 'public',
  }),
  replace: defineEndpoint({
    id: 'dataExportRules.replace',
    summary: 'Replace a data export rule.',
    method: 'PUT',
    path: '/DataExportRules/{mcGuid}',
    headers: 'Org',
    body: DataExportRuleCreate,
    response: envelope(DataExportRuleRecord),
    source: 'public',
  }),
  delete: defineEndpoint({
    id: 'dataExportRules.delete',
    summary: 'Delete a data export rule.',
    method: 'DELETE',
    path: '/DataExportRules/{mcGuid}',
    headers: 'Org',
    source: 'public',
  }),
};

const csp = Type.Enum(cloudProviders);

export const inventoryScans = {
  start: defineEndpoint({
    id: 'inventoryScans.start',
    summary: 'Start an inventory scan, at the earliest one hour after the last one ended.',
    method: 'POST',
    path: '/Inventory/scan',
    query: { csp },
    response: envelope(InventoryScan),
    emptyAs204: true,
  }),
  get: defineEndpoint({
    id: 'inventoryScans.get',
    summary: 'Get the progress of an inventory scan.',
    method: 'GET',
    path: '/Inventory/scan',
    query: { csp },
    response: envelope(InventoryScan),
    emptyAs204: true,
  }),
};
