import { parseIpBlock } from '../../values/ip-address.ts';
import { defineFunction } from '../function-definition.ts';

export const ipFamily = defineFunction({
  name: 'ip_family',
  category: 'address',
  summary: 'The version of an IP address or CIDR block: 4 or 6.',
  parameters: [
    {
      name: 'address',
      type: 'string',
      acceptsJson: true,
      description: 'An IPv4 or IPv6 address or CIDR block.',
    },
  ],
  returns: 'number',
  nulls: 'Null when the argument is null or not an address.',
  examples: [
    { expression: "ip_family('10.0.0.0/8')", value: 4 },
    { expression: "ip_family('::1')", value: 6 },
    { expression: "ip_family('localhost')", null: 'sql' },
  ],
  evaluate: ([address]) => parseIpBlock(address as string)?.family,
});
