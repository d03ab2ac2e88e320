import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFunction, functions } from '../../../../../server/core/language/catalog/functions/index.ts';
import { wireValue } from '../../../../../server/core/language/values/convert.ts';
import { parseJson } from '../../../../../server/core/language/values/json.ts';
import { catalogOf, tableProvider } from '../../../../support/engine-tables.ts';
import { evaluateExpression } from '../../../../support/evaluate-expression.ts';
import { runQuery } from '../../../../support/run-query.ts';

const folder = path.join(import.meta.dirname, '../../../../../server/core/language/catalog/functions');
const now = Date.UTC(2024, 10, 3, 14, 25, 36, 789);

describe('functions', () => {
  it('has one file for each, named as the language spells it', () => {
    const files = readdirSync(folder)
      .filter((file) => file !== 'index.ts')
      .map((file) => path.basename(file, '.ts'));
    expect([...functions.keys()].sort()).toEqual(files.sort());
    for (const [name, definition] of functions) expect(definition.name).toBe(name);
  });

  it('runs the examples of every function', () => {
    const all = [...functions.values()];
    const count = all.reduce((sum, each) => sum + each.examples.length + (each.rowExamples?.length ?? 0), 0);
    console.log(`functions: ${all.length}, with ${count} examples that run on the engine`);
    expect(all.length).toBeGreaterThanOrEqual(60);
  });

  it('finds a function whatever the case of its name', () => {
    expect(findFunction('Array_Size')?.name).toBe('array_size');
    expect(findFunction('constructor')).toBeUndefined();
  });

  for (const definition of functions.values()) {
    describe(definition.name, () => {
      it('is documented', () => {
        const { summary, nulls, parameters, examples, rowExamples } = definition;
        const wanted: Readonly<Record<string, boolean>> = {
          'a summary, as a sentence': /^[A-Z].*[.]$/.test(summary),
          'what null does, as a sentence': /^[A-Z].*[.]$/.test(nulls),
          'a description of each parameter, as a sentence': parameters.every(({ description }) =>
            /[.]$/.test(description),
          ),
          'an example': ((definition.sourceOnly ? rowExamples : examples)?.length ?? 0) > 0,
        };
        expect(Object.keys(wanted).filter((what) => !wanted[what])).toEqual([]);
      });

      for (const example of definition.examples) {
        it(example.expression, () => {
          const result = evaluateExpression(example.expression, now);
          const expected = example.null === 'sql' ? undefined : example.value;
          expect(result).toMatchObject({ kind: 'value' });
          expect(result.kind === 'value' ? result.value : result).toEqual(expected);
        });
      }

      for (const { array, rows } of definition.rowExamples ?? []) {
        it(`makes rows of ${array ?? 'null'}`, () => {
          const columns = [{ name: 'LIST', type: 'json' as const }];
          const list = array === undefined ? undefined : parseJson(array);
          const tables = { T: { columns, rows: [{ LIST: list }] } };
          const text = `{ source { T, ${definition.name}(T.LIST) as (item) } return { item } }`;
          const made = runQuery(text, tableProvider(tables, {}), catalogOf(tables, {}));
          expect(made.error).toBeUndefined();
          expect(made.rows.map(([value]) => value)).toEqual(rows.map((value) => wireValue(value, 'json')));
        });
      }

      const required = definition.parameters.filter((parameter) => !parameter.optional);
      if (!definition.handlesNull && !definition.sourceOnly && required.length > 0) {
        it('is null for null arguments', () => {
          for (const nullAt of required.keys()) {
            const sample = definition.examples[0]?.expression ?? '';
            const args = splitArguments(sample);
            args[nullAt] = 'null';
            const result = evaluateExpression(`${definition.name}(${args.join(',')})`, now);
            expect(result).toMatchObject({ kind: 'value', value: undefined });
          }
        });
      }
    });
  }
});

/** The arguments of a call, split at commas outside quotes and parentheses. */
function splitArguments(expression: string): string[] {
  const open = expression.indexOf('(');
  const args: string[] = [''];
  let depth = 0;
  let quoted = false;
  for (const character of expression.slice(open + 1, expression.lastIndexOf(')'))) {
    if (character === "'") quoted = !quoted;
    if (!quoted && character === '(') depth++;
    if (!quoted && character === ')') depth--;
    if (character === ',' && depth === 0 && !quoted) args.push('');
    else args[args.length - 1] += character;
  }
  return args;
}
