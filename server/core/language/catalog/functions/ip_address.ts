import { parseIpBlock } from '../../values/ip-address.ts';
import { defineFunction } from '../function-definition.ts';

export const ipAddress = defineFunction({
  name: 'ip_address',
  category: 'address',
  summary: 'The address of an IP address or CIDR block, without the prefix length.',
  parameters: [
    {
      name: 'address',
      type: 'string',
      acceptsJson: true,
      description: 'An IPv4 or IPv6 address or CIDR block.',
    },
  ],
  returns: 'string',
  nulls: 'Null when the argument is null or not an address.',
  examples: [
    { expression: "ip_address('10.1.2.3/24')", value: '10.1.2.3' },
    { expression: "ip_address('2001:db8::1')", value: '2001:db8::1' },
    { expression: "ip_address('example.com')", null: 'sql' },
  ],
  evaluate: ([address]) => parseIpBlock(address as string)?.address,
});
