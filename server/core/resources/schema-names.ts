/** Where a schema lies: `schemas/{type}` or `schemas/{type}/{subtype}`. */
export interface SchemaName {
  readonly type: string;
  readonly subtype: string | undefined;
}

/**
 * The schema that lists the fields of a datasource, by the service's named views: a view by its own name, a host datasource or a cloud
 * configuration by the view over the same data. Undefined when there is none. The vendor prefix does not count, so both
 * `SVC_HE_MACHINES` and `LW_HE_MACHINES` lead to the same place.
 */
export function schemaNameFor(datasource: string, vendorPrefix: string): SchemaName | undefined {
  const bare = datasource.startsWith(`${vendorPrefix}_`) ? datasource.slice(vendorPrefix.length + 1) : datasource;
  const view = viewSchemas.has(bare)
    ? bare
    : (viewOfDatasource.get(bare) ?? (bare.startsWith('CFG_') ? 'CLOUD_CONFIGURATION_V' : undefined));
  return view === undefined ? undefined : viewSchemas.get(view);
}

/** The named views of the service, each with its schema. */
export const viewSchemas: ReadonlyMap<string, SchemaName> = new Map([
  ['CHANGE_FILES_V', { type: 'Activities', subtype: 'ChangedFiles' }],
  ['CONNECTIONS_V', { type: 'Activities', subtype: 'Connections' }],
  ['DNS_QUERY_V', { type: 'Activities', subtype: 'DNSs' }],
  ['USER_LOGIN_V', { type: 'Activities', subtype: 'UserLogins' }],
  ['AGENT_MANAGEMENT_V', { type: 'AgentInfo', subtype: undefined }],
  ['CLOUD_COMPLIANCE_V', { type: 'Configs', subtype: 'ComplianceEvaluations' }],
  ['IMAGE_V', { type: 'Entities', subtype: 'Images' }],
  ['INTERNAL_IPA_V', { type: 'Entities', subtype: 'InternalIPAddresses' }],
  ['POD_SUMMARY_V', { type: 'Entities', subtype: 'K8sPods' }],
  ['MACHINE_SUMMARY_V', { type: 'Entities', subtype: 'Machines' }],
  ['MACHINE_DETAILS_V', { type: 'Entities', subtype: 'MachineDetails' }],
  ['INTERFACES_V', { type: 'Entities', subtype: 'NetworkInterfaces' }],
  ['NEW_HASHES_V', { type: 'Entities', subtype: 'NewFileHashes' }],
  ['PACKAGE_V', { type: 'Entities', subtype: 'Packages' }],
  ['PROCESS_SUMMARY_V', { type: 'Entities', subtype: 'Processes' }],
  ['USER_DETAILS_V', { type: 'Entities', subtype: 'Users' }],
  ['CLOUD_CONFIGURATION_V', { type: 'Inventory', subtype: undefined }],
]);

const viewOfDatasource: ReadonlyMap<string, string> = new Map([
  ['HA_FILE_CHANGES', 'CHANGE_FILES_V'],
  ['HA_CONNECTIONS', 'CONNECTIONS_V'],
  ['HA_CONNECTION_SUMMARY', 'CONNECTIONS_V'],
  ['HA_DNS_REQUESTS', 'DNS_QUERY_V'],
  ['HA_USER_LOGINS', 'USER_LOGIN_V'],
  ['HE_IMAGES', 'IMAGE_V'],
  ['HE_MACHINES', 'MACHINE_DETAILS_V'],
  ['HE_PACKAGES', 'PACKAGE_V'],
  ['HE_PROCESSES', 'PROCESS_SUMMARY_V'],
  ['HE_ALL_PROCESSES', 'PROCESS_SUMMARY_V'],
  ['HE_USERS', 'USER_DETAILS_V'],
]);
