import { blockContains, parseIpBlock } from '../../values/ip-address.ts';
import { defineFunction } from '../function-definition.ts';

export const ipContains = defineFunction({
  name: 'ip_contains',
  category: 'address',
  summary: 'Whether every address of the second block belongs to the first.',
  parameters: [
    {
      name: 'container',
      type: 'string',
      acceptsJson: true,
      description: 'The address or CIDR block that may contain the other, e.g. `10.0.0.0/8`.',
    },
    {
      name: 'contained',
      type: 'string',
      acceptsJson: true,
      description: 'The address or CIDR block that may lie in it.',
    },
  ],
  returns: 'boolean',
  nulls: 'Null when an argument is null or not an address. An IPv4 and an IPv6 block never contain each other.',
  examples: [
    { expression: "ip_contains('10.0.0.0/8', '10.1.2.3')", value: true },
    { expression: "ip_contains('10.1.2.3', '10.0.0.0/8')", value: false },
    { expression: "ip_contains('0.0.0.0/0', '2001:db8::1')", value: false },
    { expression: "ip_contains('10.0.0.0/8', 'n/a')", null: 'sql' },
  ],
  evaluate: ([container, contained]) => {
    const outer = parseIpBlock(container as string);
    const inner = parseIpBlock(contained as string);
    return outer === undefined || inner === undefined ? undefined : blockContains(outer, inner);
  },
});
