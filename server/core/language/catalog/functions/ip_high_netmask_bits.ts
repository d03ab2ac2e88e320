import { parseIpBlock } from '../../values/ip-address.ts';
import { defineFunction } from '../function-definition.ts';

export const ipHighNetmaskBits = defineFunction({
  name: 'ip_high_netmask_bits',
  category: 'address',
  summary: 'The prefix length of a CIDR block; 32 or 128 for a plain address.',
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
    { expression: "ip_high_netmask_bits('10.0.0.0/8')", value: 8 },
    { expression: "ip_high_netmask_bits('10.0.0.1')", value: 32 },
    { expression: "ip_high_netmask_bits('::1')", value: 128 },
    { expression: "ip_high_netmask_bits('10.0.0.0/33')", null: 'sql' },
  ],
  evaluate: ([address]) => parseIpBlock(address as string)?.prefixLength,
});
