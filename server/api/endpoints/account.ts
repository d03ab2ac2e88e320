import { Type } from 'typebox';
import {
  CloudUnit,
  ContractRecord,
  cloudProviders,
  DataExportRuleCreate,
  DataExportRuleRecord,
  envelope,
  InventoryScan,
  listEnvelope,
  OrganizationAnswer,
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
