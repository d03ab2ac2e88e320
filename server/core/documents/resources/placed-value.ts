import { CST, Parser } from 'yaml';
import { type TextRange, textRange } from '../../text/range.ts';
import { isReadableYaml } from '../yaml-regions.ts';
import { type YamlScalarToken, yamlScalarText } from '../yaml-scalar.ts';

/** A value of a YAML or JSON document with its place. */
export type PlacedValue = PlacedMap | PlacedList | PlacedScalar | PlacedUnknown;

export interface PlacedMap {
  readonly kind: 'map';
  readonly range: TextRange;
  readonly entries: readonly PlacedEntry[];
  /** False where something was merged in that is not looked at. */
  readonly isComplete: boolean;
  /** Blanks in front of its keys in block style; undefined in flow style. */
  readonly indent: number | undefined;
}

export interface PlacedEntry {
  readonly key: string;
  readonly keyRange: TextRange;
  readonly value: PlacedValue;
}

export interface PlacedList {
  readonly kind: 'list';
  readonly range: TextRange;
  readonly items: readonly PlacedValue[];
}

export interface PlacedScalar {
  readonly kind: 'scalar';
  readonly range: TextRange;
  readonly value: string | number | boolean | null;
  /** The text of the value as it stands in the document may be replaced by a plain word. */
  readonly isPlain: boolean;
}

/** An alias, or something nested so deeply that it is not read. */
export interface PlacedUnknown {
  readonly kind: 'unknown';
  readonly range: TextRange;
}

/** Nobody nests authored content this deep. */
const deepest = 40;

/**
 * The documents of a YAML or JSON text, one value each; undefined when the text has a syntax error: whoever is typing there knows.
 * Aliases are not followed.
 */
export function readPlacedValues(document: string): readonly PlacedValue[] | undefined {
  if (!isReadableYaml(document)) return undefined;
  const values: PlacedValue[] = [];
  for (const token of new Parser().parse(document)) {
    if (token.type === 'error') return undefined;
    if (token.type !== 'document' || token.value === undefined) continue;
    const value = placedValue(token.value, 0);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Undefined where a part is broken. */
function placedValue(token: CST.Token, depth: number): PlacedValue | undefined {
  const range = rangeOf(token);
  if (depth > deepest) return { kind: 'unknown', range };
  switch (token.type) {
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar':
      if (isBroken(token)) return undefined;
      return { kind: 'scalar', range, value: scalarValue(token), isPlain: token.type === 'scalar' };
    case 'block-map':
      return placedMap(token.items, range, depth, token.indent);
    case 'flow-collection':
      if (token.end.length === 0) return undefined;
      return token.start.type === 'flow-map-start'
        ? placedMap(token.items, range, depth, undefined)
        : placedList(token.items, range, depth);
    case 'block-seq':
      return placedList(token.items, range, depth);
    case 'error':
      return undefined;
    default:
      return { kind: 'unknown', range };
  }
}

function placedMap(
  items: readonly CST.CollectionItem[],
  range: TextRange,
  depth: number,
  indent: number | undefined,
): PlacedMap | undefined {
  const entries: PlacedEntry[] = [];
  let isComplete = true;
  for (const { key, sep, value } of items) {
    if (!key) continue;
    if (!CST.isScalar(key)) {
      isComplete = false;
      continue;
    }
    const keyRange = rangeOf(key);
    const name = yamlScalarText(key as YamlScalarToken);
    if (name === '<<') {
      isComplete = false;
      continue;
    }
    const colon = sep?.find(({ type }) => type === 'map-value-ind');
    const end = colon === undefined ? keyRange.end : colon.offset + 1;
    const placed = value ? placedValue(value, depth + 1) : emptyAt(end);
    if (placed === undefined) return undefined;
    entries.push({ key: name, keyRange, value: placed });
  }
  return { kind: 'map', range, entries, isComplete, indent };
}

function placedList(items: readonly CST.CollectionItem[], range: TextRange, depth: number): PlacedList | undefined {
  const values: PlacedValue[] = [];
  for (const { value } of items) {
    if (!value) continue;
    const placed = placedValue(value, depth + 1);
    if (placed === undefined) return undefined;
    values.push(placed);
  }
  return { kind: 'list', range, items: values };
}

/** Whether a scalar has a problem of its own, as a quote that is never closed. */
function isBroken(token: YamlScalarToken): boolean {
  let broken = false;
  CST.resolveAsScalar(token, false, () => {
    broken = true;
  });
  return broken;
}

function emptyAt(offset: number): PlacedScalar {
  return { kind: 'scalar', range: textRange(offset, offset), value: null, isPlain: true };
}

/** What a scalar means by the core schema of YAML, which JSON shares. */
function scalarValue(token: YamlScalarToken): PlacedScalar['value'] {
  const text = yamlScalarText(token);
  if (token.type !== 'scalar') return text;
  if (/^(?:null|Null|NULL|~|)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  return text;
}

function rangeOf(token: CST.Token): TextRange {
  switch (token.type) {
    case 'block-scalar': {
      const start = token.props.reduce((at, prop) => at + ('source' in prop ? prop.source.length : 0), token.offset);
      return textRange(token.offset, start + token.source.trimEnd().length);
    }
    case 'block-map':
    case 'block-seq': {
      const last = token.items.at(-1);
      const tail = last?.value ?? last?.key;
      return textRange(token.offset, tail ? Math.max(token.offset, rangeOf(tail).end) : token.offset);
    }
    case 'flow-collection': {
      const end = token.end.at(-1);
      const close = token.end.find(({ type }) => type === 'flow-map-end' || type === 'flow-seq-end') ?? end;
      return textRange(token.offset, close === undefined ? token.offset + 1 : close.offset + close.source.length);
    }
    default:
      return textRange(token.offset, token.offset + ('source' in token ? token.source.length : 0));
  }
}
