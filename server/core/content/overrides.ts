import { type Document, isMap, isScalar, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { isReadableYaml } from '../documents/yaml-regions.ts';
import type { JsonObject, Value } from '../language/values/value.ts';
import type { ContentFields, ContentKind, ContentObject } from './content-object.ts';
import { type AccountNames, canonicalPolicyId } from './identity.ts';
import { authoredFields, normalise } from './normalise.ts';

/**
 * What is different in single accounts, as a file says it:
 *
 *     accounts:
 *       staging.example.net:        # the account's id, its name, or the name of its profile
 *         policies:
 *           '*': { alertEnabled: false }
 *           $account-buckets-1: { severity: low }
 *
 * What is said of `*` holds for every object of the kind; what is said of one object goes before it.
 */
export interface Overrides {
  /** By account, in lower case. */
  readonly accounts: ReadonlyMap<string, readonly Override[]>;
  /** What in the file cannot be used, with its line, counted from 1. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

export interface Override {
  readonly kind: ContentKind;
  /** As written; `*` for all. */
  readonly id: string;
  readonly fields: JsonObject;
}

export const overridesFile = 'lql.overrides.yaml';

const kindKeys: { readonly [key: string]: ContentKind } = {
  queries: 'query',
  alertProfiles: 'alertProfile',
  policies: 'policy',
  exceptions: 'exception',
};
/** What ties objects to one another is the same everywhere. */
const fixedFields: readonly string[] = ['policyId', 'extends', 'policyType'];

export function parseOverrides(text: string): Overrides {
  const problems: { line: number; message: string }[] = [];
  const accounts = new Map<string, readonly Override[]>();
  if (!isReadableYaml(text))
    return { accounts, problems: [{ line: 1, message: 'It is too large or nested too deep to be read.' }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const problem = (node: unknown, message: string): void => {
    const offset =
      typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
        ? Number(node.range[0])
        : 0;
    problems.push({ line: lines.linePos(offset).line, message });
  };
  const entries = (node: unknown, what: string): readonly (readonly [string, unknown, unknown])[] => {
    if (!isMap(node)) {
      problem(node, `${what} is a mapping of names.`);
      return [];
    }
    return node.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : '', value, key] as const);
  };
  for (const error of document.errors)
    problems.push({ line: lines.linePos(error.pos[0]).line, message: error.message.split('\n')[0] ?? '' });
  if (problems.length > 0 || document.contents === null) return { accounts, problems };
  for (const [top, value, key] of entries(document.contents, 'The file')) {
    if (top !== 'accounts') {
      problem(key, `'${top}' is not known here. Write accounts:, and below it the account.`);
      continue;
    }
    for (const [account, kinds, accountNode] of entries(value, 'accounts')) {
      if (accounts.has(account.toLowerCase())) {
        problem(accountNode, `'${account}' stands here twice: accounts are told apart without case. Put both in one.`);
        continue;
      }
      const found: Override[] = [];
      for (const [kindKey, objects, kindNode] of entries(kinds, `'${account}'`)) {
        const kind = Object.hasOwn(kindKeys, kindKey) ? kindKeys[kindKey] : undefined;
        if (!kind) {
          problem(kindNode, `'${kindKey}' is no kind of content. There are ${Object.keys(kindKeys).join(', ')}.`);
          continue;
        }
        for (const [id, fields, idNode] of entries(objects, `'${kindKey}'`)) {
          if (!isMap(fields)) {
            problem(idNode, `'${id}' needs fields, e.g. { enabled: false }.`);
            continue;
          }
          for (const { key: field } of fields.items) {
            const name = isScalar(field) ? String(field.value) : '';
            if (!authoredFields[kind].includes(name))
              problem(field, `'${name}' is no field of ${kindKey}. There are ${authoredFields[kind].join(', ')}.`);
            else if (fixedFields.includes(name))
              problem(field, `'${name}' is the same in every account and cannot be overridden.`);
          }
          const plain = plainFields(fields, document);
          if (plain) found.push({ kind, id, fields: plain });
          else problem(idNode, `'${id}' uses aliases in a way that is not followed. Write its fields out.`);
        }
      }
      accounts.set(account.toLowerCase(), found);
    }
  }
  return { accounts, problems };
}

/** Undefined where aliases name nothing, or would make much of little. */
function plainFields(fields: YAMLMap, document: Document): JsonObject | undefined {
  try {
    return fields.toJS(document, { maxAliasCount: 20 }) as JsonObject;
  } catch {
    return undefined;
  }
}

/** The fields of an object that are different in an account known by any of `labels`; undefined when none is. */
export function overriddenFields(
  { kind, id }: Pick<ContentObject, 'kind' | 'id'>,
  { accounts }: Overrides,
  labels: readonly string[],
  names: AccountNames,
): ContentFields | undefined {
  const own = labels
    .flatMap((label) => accounts.get(label.toLowerCase()) ?? [])
    .filter((override) => override.kind === kind);
  const matching = [
    ...own.filter((override) => override.id === '*'),
    ...own.filter((override) => override.id === id || canonicalId(override, names) === id),
  ];
  if (matching.length === 0) return undefined;
  const fields: { [field: string]: Value } = {};
  for (const { fields: said } of matching) Object.assign(fields, normalise(kind, said, names));
  for (const fixed of fixedFields) delete fields[fixed];
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function canonicalId({ kind, id }: Override, names: AccountNames): string {
  if (kind === 'policy') return canonicalPolicyId(id, names);
  const slash = kind === 'exception' ? id.indexOf('/') : -1;
  return slash < 0 ? id : canonicalPolicyId(id.slice(0, slash), names) + id.slice(slash);
}
