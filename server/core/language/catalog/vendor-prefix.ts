/** Prefixes under which the service's names are published: the neutral one of its specification and the vendor's own. */
export const knownVendorPrefixes: readonly string[] = ['SVC', 'LW'];

/** Ids with this start belong to content that the service itself delivers; nobody else can create them. */
export function reservedIdPrefix(vendorPrefix: string): string {
  return `${vendorPrefix}_Global_`;
}

/** The vendor prefix a name carries (`LW` of `LW_CFG_AWS_S3`), when it is one of the known ones or `own`. */
export function vendorPrefixOf(name: string, own: string): string | undefined {
  const end = name.indexOf('_');
  if (end <= 0) return undefined;
  const prefix = name.slice(0, end);
  return prefix === own || knownVendorPrefixes.includes(prefix) ? prefix : undefined;
}

/** The same name under another vendor prefix: `LW_CFG_AWS_S3` as `SVC_CFG_AWS_S3`. */
export function withVendorPrefix(name: string, from: string, to: string): string {
  return name.startsWith(`${from}_`) ? to + name.slice(from.length) : name;
}
