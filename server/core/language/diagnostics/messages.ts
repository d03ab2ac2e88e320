import type { Catalog } from '../catalog/catalog.ts';
import type { FunctionDefinition } from '../catalog/function-definition.ts';
import type { Suggestions } from '../catalog/lookup.ts';
import { dataTypeOf, type LqlType } from '../types/types.ts';

/** `'a', 'b' or 'c'`. */
export function list(names: readonly string[], conjunction: 'or' | 'and' = 'or', atMost = 6): string {
  const quoted = names.slice(0, atMost).map((name) => `'${name}'`);
  if (names.length > atMost) return `${quoted.join(', ')}, …`;
  if (quoted.length <= 1) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
}

/** `a Number`, `an unknown value`, as a person would say it. */
function aType(type: LqlType): string {
  if (type === 'null') return 'null';
  if (type === 'json') return 'a JSON value';
  return `a ${dataTypeOf(type)}`;
}

/** `contains(searchIn, searchFor)`, with `[…]` around what may be left out. */
function signatureOf(definition: FunctionDefinition): string {
  const parameters = definition.parameters.map((parameter, i) => {
    const name = (i > 0 ? ', ' : '') + parameter.name + (parameter.variadic === true ? ', …' : '');
    return parameter.optional === true ? `[${name}]` : name;
  });
  return `${definition.name}(${parameters.join('')})`;
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Did you mean ${list(names)}?`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Texts of the semantic diagnostics: what is wrong, why, what to do. */
export const messages = {
  unknownDatasource: (name: string, suggestions: Suggestions): string =>
    suggestions.caseOnly
      ? `Unknown datasource '${name}': names are case-sensitive, it is spelled '${suggestions.names[0]}'.`
      : `Unknown datasource '${name}': the account's catalog has none of this name.${didYouMean(suggestions.names)}`,

  datasourceNotInSample: (name: string, suggestions: readonly string[]): string =>
    `'${name}' is not in the sample account, so it and its columns are not checked. It may exist in your own account: sign in to check it there.${didYouMean(suggestions)}`,

  otherVendorPrefix: (names: readonly string[], prefix: string, catalog: Catalog): string => {
    const subject = names.length === 1 ? `'${names[0]}' carries` : `${names.length} datasources here carry`;
    const where = catalog.origin === 'sample' ? 'the sample account' : 'the catalog in use';
    return `${subject} the vendor prefix '${prefix}', while ${where} uses '${catalog.vendorPrefix}': columns are not checked. Connect to an account with the prefix '${prefix}', or set the vendor prefix of this workspace.`;
  },

  unknownColumn: (
    name: string,
    owners: readonly string[],
    suggestions: Suggestions,
    jsonColumn: string | undefined,
  ): string => {
    const where = owners.length === 1 ? `'${owners[0]}'` : `any source of this query (${list(owners, 'and')})`;
    const advice = didYouMean(suggestions.names);
    if (advice !== '' || jsonColumn === undefined) return `Unknown column '${name}' in ${where}.${advice}`;
    return `Unknown column '${name}' in ${where}. If it is a property of the resource, read it from the JSON column: ${jsonColumn}:Key.`;
  },

  columnCase: (name: string, spelled: string): string =>
    `The column is spelled '${spelled}': identifiers are documented to be case-sensitive, so '${name}' may be refused.`,

  reservedColumnName: (name: string, hasConfig: boolean): string =>
    `'${name}' is a reserved word and no column is known by it. If it is a key inside a JSON column, write it in double quotes behind the column and ':', e.g. ${hasConfig ? 'RESOURCE_CONFIG' : 'COLUMN'}:"${name}".`,

  unknownQualifier: (name: string, suggestions: Suggestions, known: readonly string[]): string => {
    if (suggestions.caseOnly) {
      return `Unknown source '${name}': names are case-sensitive, it is spelled '${suggestions.names[0]}'.`;
    }
    const sources = known.length === 0 ? '' : ` The sources of this query are ${list(known, 'and')}.`;
    return `Unknown source '${name}': no source of this query has this name or alias.${didYouMean(suggestions.names) || sources}`;
  },

  aliasedSourceName: (name: string, alias: string): string =>
    `'${name}' has the alias '${alias}': qualify its columns with the alias. That the full name still works is not documented.`,

  ambiguousColumn: (name: string, owners: readonly string[]): string =>
    `'${name}' is a column of ${list(owners, 'and')}: say which one, e.g. ${owners[0]}.${name}.`,

  outerName: (name: string): string =>
    `'${name}' belongs to the outer query: a subquery sees only its own sources. Return the column from the subquery and compare it on the left of 'in' instead.`,

  declaredLater: (name: string): string =>
    `'${name}' is declared further right: an array expansion can use only what stands before it. Move the expansion behind it.`,

  duplicateSourceName: (name: string): string =>
    `Two sources are called '${name}', so their columns cannot be told apart. Give one of them another alias.`,

  duplicateExpansionName: (name: string): string =>
    `Two array expansions are called '${name}'. Choose another alias for one of them.`,

  expansionHidesColumn: (name: string, owners: string): string =>
    `'${name}' is also a column of ${owners}: the name clashes. Choose another alias for the expansion.`,

  pathOnSource: (source: string, key: string, certain: boolean): string =>
    certain
      ? `'${source}' is a source, not a JSON column: a dot leads to its columns, the colon comes after the column. Write ${source}.${key}.`
      : `'${source}' is a source of this query. If its column '${key}' is meant, write ${source}.${key}: the colon comes after the column.`,

  dotIntoJson: (column: string, key: string): string =>
    `'${column}' is not a source: ':' leads into a JSON column, '.' comes only between keys. Write ${column}:${key}.`,

  unknownRelationshipName: (left: string, right: string, name: string | undefined, names: readonly string[]): string =>
    name === undefined
      ? `'${left}' and '${right}' have no relationship called '(default)', so 'on' must name one: ${list(names)}.`
      : `'${left}' has no relationship '${name}' to '${right}'. There is ${list(names, 'and')}.`,

  unknownRelationship: (left: string, right: string, targets: readonly string[], reverse: boolean): string => {
    const start = `'${left}' cannot be joined with '${right}': the service defines no relationship from the one to the other.`;
    if (reverse) return `${start} There is one the other way round: start from '${right}'.`;
    return targets.length === 0
      ? `${start} '${left}' has no relationships; a subquery after 'in' can compare them by value.`
      : `${start} '${left}' can be joined with ${list(targets, 'and')}.`;
  },

  duplicateResultColumn: (name: string, first: string): string =>
    name === first
      ? `The result has two columns '${name}'. Names must be unique: give one of them another alias.`
      : `The result column '${name}' clashes with '${first}': the service returns names in capitals, so both become '${name.toUpperCase()}'. Give one of them another alias.`,

  unaliasedExpression: (): string => `A returned expression needs a name: add 'as NAME'.`,

  unaliasedPath: (column: string, alias: string): string =>
    `Without an alias this value is returned as '${column.toUpperCase()}', the name of its column. Add 'as ${alias}' to say what it is.`,

  pathOnNonJson: (type: LqlType): string =>
    type === 'string'
      ? "':' reads inside JSON, but this is a String. If the text holds JSON, write to_json(…) around it."
      : `':' reads inside JSON, but this is ${aType(type)}.`,

  unknownType: (name: string, suggestion: string | undefined): string =>
    `Unknown type '${name}': a cast can name String, Number, Timestamp, Json or Boolean.${suggestion === undefined ? '' : ` Did you mean '${suggestion}'?`}`,

  unsupportedCast: (from: LqlType, to: LqlType): string => {
    const start = `${dataTypeOf(from)} cannot be cast to ${dataTypeOf(to)}.`;
    if (from === 'timestamp' && to === 'number') return `${start} Use epoch_sec(…) or epoch_ms(…).`;
    if (from === 'boolean') return `${start} Use case when … then … else … end.`;
    return start;
  },

  unknownFunction: (name: string, suggestions: readonly string[]): string =>
    `Unknown function '${name}'.${didYouMean(suggestions)}`,

  foreignFunction: (name: string, advice: string): string => `LQL has no function '${name}'. ${advice}`,

  argumentCount: (definition: FunctionDefinition, given: number, least: number, most: number): string => {
    const expected =
      least === most
        ? plural(least, 'argument')
        : most === Number.POSITIVE_INFINITY
          ? `at least ${plural(least, 'argument')}`
          : `${least} to ${plural(most, 'argument')}`;
    return `${definition.name.toUpperCase()} takes ${expected}, not ${given}: ${signatureOf(definition)}.`;
  },

  argumentType: (definition: FunctionDefinition, parameter: string, expected: LqlType, given: LqlType): string => {
    const start = `${definition.name.toUpperCase()} takes ${aType(expected)} as '${parameter}', not ${aType(given)}.`;
    if (given === 'json') return `${start} It does not convert JSON by itself: cast it with ::${dataTypeOf(expected)}.`;
    if (expected === 'timestamp' && given === 'number') {
      return `${start} Turn seconds since 1970 into a time with sec_to_timestamp(…), milliseconds with ms_to_timestamp(…).`;
    }
    if (expected === 'timestamp' && given === 'string') return `${start} Turn it into one with ::Timestamp.`;
    if (expected === 'number' && given === 'timestamp') return `${start} Use epoch_sec(…) or epoch_ms(…).`;
    if (expected === 'string' && (given === 'number' || given === 'timestamp'))
      return `${start} Turn it into one with ::String.`;
    if (expected === 'json' && given === 'string')
      return `${start} If the text holds JSON, write to_json(…) around it.`;
    return start;
  },

  argumentsDiffer: (definition: FunctionDefinition, first: LqlType, other: LqlType): string =>
    `The arguments of ${definition.name.toUpperCase()} must be of one type; before it is ${aType(first)}, here ${aType(other)}.`,

  expansionInExpression: (name: string): string =>
    `${name.toUpperCase()} makes rows, so it stands in the source block only: add it there with an alias and use the alias here. To look for a value in an array, use any_in_array(…).`,

  expansionArgument: (name: string, type: LqlType): string =>
    type === 'string'
      ? `${name.toUpperCase()} expands a JSON array, not a String. If the text holds JSON, write to_json(…) around it.`
      : `${name.toUpperCase()} expands a JSON array, not ${aType(type)}.`,

  misplacedTuple: (): string =>
    "Several values in parentheses can stand only on the left of 'in { subquery }'. Compare the values one by one.",

  arithmetic: (operator: string, type: LqlType): string => {
    const start = `'${operator}' calculates with numbers, not with ${aType(type)}.`;
    if (type === 'timestamp') return `${start} For times use add_days(n, time), diff_days(from, to) and their like.`;
    if (type === 'string' && operator === '+') return `${start} Texts are joined with '||'.`;
    if (type === 'string') return `${start} Turn it into a number with ::Number.`;
    return start;
  },

  patternOperand: (operator: string, type: LqlType): string => {
    const start = `'${operator}' matches texts, not ${aType(type)}.`;
    return type === 'number' || type === 'timestamp' ? `${start} Cast it with ::String.` : start;
  },

  betweenOperand: (type: LqlType): string => `'between' compares numbers, times or texts, not ${aType(type)}.`,

  typeMismatch: (left: LqlType, right: LqlType): string => {
    const start = `${capital(aType(left))} is compared with ${aType(right)}; only JSON and null are converted by themselves.`;
    const both = [left, right];
    if (both.includes('timestamp') && both.includes('number')) {
      return `${start} Turn the number into a time with sec_to_timestamp(…), or the time into a number with epoch_sec(…).`;
    }
    if (both.includes('boolean')) return start;
    return `${start} Cast one side with ::.`;
  },

  literalType: (literal: LqlType, other: LqlType, rewritten: string): string =>
    `A ${dataTypeOf(literal)} literal is compared with ${aType(other)}, and no conversion is documented. Write ${rewritten}.`,

  condition: (type: LqlType): string =>
    `A condition must be true or false, but this is ${aType(type)}. Compare it with something, or ask 'is not null'.`,

  inListNotLiteral: (): string =>
    "The list of 'in' takes literals only. Compare with '=' and 'or', or with a subquery: in { source {…} return {…} }.",

  inListNull: (): string =>
    "Null cannot be in the list of 'in': nothing equals null. Remove it and add 'or … is null'.",

  inListMixedTypes: (first: LqlType, other: LqlType): string =>
    `The list of 'in' mixes ${dataTypeOf(first)} and ${dataTypeOf(other)}: all its values must be of one type.`,

  subqueryColumns: (values: number, columns: number): string =>
    `The subquery returns ${plural(columns, 'column')}, but ${plural(values, 'value')} ${values === 1 ? 'is' : 'are'} compared: return one column for each value.`,

  jsonNullOnNonJson: (type: LqlType): string =>
    `${capital(aType(type))} is never a JSON null: write 'is null' to ask whether there is a value.`,

  caseBranchTypes: (first: LqlType, other: LqlType): string =>
    `The results of 'case' must be of one type: before it is ${aType(first)}, here ${aType(other)}.`,

  unionColumnCount: (first: number, here: number): string =>
    `This query of the union returns ${plural(here, 'column')}, the first one ${first}: they must return the same.`,

  unionColumnType: (name: string, first: LqlType, here: LqlType): string =>
    `'${name}' is ${aType(here)} here and ${aType(first)} in the first query of the union.`,

  unionColumnName: (first: string, here: string): string =>
    `This column is called '${here}', in the first query of the union '${first}'. Use the same name: nothing documents which one the result would carry.`,
} as const;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
