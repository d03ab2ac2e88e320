/** Values that fit a JSON Schema of ours, and values that almost do. */
import fc from 'fast-check';

type Schema = { readonly [keyword: string]: unknown };

/** Values for the texts of a schema that name things: without them every request would end in "not found". */
export type Pool = (name: string) => readonly string[] | undefined;

export function fitting(schema: unknown, pool: Pool, name = ''): fc.Arbitrary<unknown> {
  const rule = (schema ?? {}) as Schema;
  const options = (rule['anyOf'] ?? rule['oneOf']) as readonly unknown[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map((option) => fitting(option, pool, name)));
  if (Array.isArray(rule['enum'])) return fc.constantFrom(...rule['enum']);
  if ('const' in rule) return fc.constant(rule['const']);
  switch (rule['type']) {
    case 'object':
      return fittingObject(rule, pool);
    case 'array':
      return fc.array(fitting(rule['items'], pool, name), {
        minLength: Number(rule['minItems'] ?? 0),
        maxLength: Number(rule['minItems'] ?? 0) + 2,
      });
    case 'string':
      return fittingText(rule, pool, name);
    case 'integer':
    case 'number':
      return fc.integer({
        min: Number(rule['minimum'] ?? 0),
        max: Math.min(Number(rule['maximum'] ?? 9_999), 100_000),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constantFrom<unknown>(...(pool(name) ?? ['text', 1, true]));
  }
}

function fittingText(rule: Schema, pool: Pool, name: string): fc.Arbitrary<unknown> {
  const known = pool(name);
  const least = Number(rule['minLength'] ?? 0);
  const free = fc.string({
    unit: 'grapheme',
    minLength: Math.max(least, rule['pattern'] === undefined ? least : 1),
    maxLength: least + 12,
  });
  const text = rule['pattern'] === undefined ? free : free.map((value) => `a${value.replaceAll(/[\n\r]/g, '')}`);
  return known === undefined
    ? text
    : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: text });
}

function fittingObject(rule: Schema, pool: Pool): fc.Arbitrary<unknown> {
  const properties = Object.entries((rule['properties'] ?? {}) as { readonly [name: string]: unknown });
  const required = new Set((rule['required'] ?? []) as readonly string[]);
  const model = Object.fromEntries(properties.map(([name, schema]) => [name, fitting(schema, pool, name)]));
  return fc.record(model, { requiredKeys: [...required] });
}

const oddities: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1.5,
  [],
  {},
  true,
  '\u0000',
  'x'.repeat(300),
  '{{X}}',
  '__proto__',
  [null],
  { a: 1 },
];

/** The value with one thing wrong: a key too many, a key missing, or a part replaced by something odd. */
export function spoiled(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(1_000), fc.constantFrom(...oddities))
    .map(([sample, place, odd]) => spoil(sample, place, odd));
}

function spoil(value: unknown, place: number, odd: unknown): unknown {
  if (typeof value !== 'object' || value === null) return odd;
  if (Array.isArray(value))
    return value.length === 0
      ? odd
      : value.map((item, index) => (index === place % value.length ? spoil(item, place + 1, odd) : item));
  const keys = Object.keys(value);
  const kind = place % 3;
  if (kind === 0 || keys.length === 0) return { ...value, [`extra${place % 7}`]: odd };
  const key = keys[place % keys.length] ?? '';
  const copy: { [key: string]: unknown } = { ...value };
  if (kind === 1) delete copy[key];
  else copy[key] = spoil(copy[key], place + 1, odd);
  return copy;
}
