import { applyEdits, modify } from 'jsonc-parser';
import { Document, isCollection, isMap, isScalar, type Node, type Pair, Scalar, type YAMLMap } from 'yaml';
import { format } from '../../language/format/format.ts';
import { jsonProperty } from '../../language/values/json.ts';
import type { JsonObject, Value } from '../../language/values/value.ts';
import type { ContentFields, ContentKind, ContentObject } from '../content-object.ts';
import { authoredFields, canonicalText, fieldMeaning, meaningOf } from '../normalise.ts';
import { canonicalKey, type FileObject, type PathSegment, yamlDocuments } from './content-file.ts';
import { graftQuery } from './graft-query.ts';

/** The text of a new file for one object: what the vendor's CLI takes too. The same object always gives the same bytes. */
export function newFileText(object: ContentObject): string {
  const document = new Document({});
  for (const [key, value] of entriesOf(object)) document.set(document.createNode(key), nodeFor(document, key, value));
  return `---\n${document.toString(style)}`;
}

const style = { lineWidth: 0, blockQuote: 'literal', indentSeq: true } as const;

function entriesOf({ kind, id, fields }: ContentObject): [string, Value][] {
  const idField = { query: 'queryId', policy: 'policyId', alertProfile: 'alertProfileId', exception: undefined }[kind];
  const order = kind === 'query' ? ['queryName', 'description', 'queryText'] : authoredFields[kind];
  const entries: [string, Value][] = idField === undefined ? [] : [[idField, id]];
  for (const field of order) {
    const value = fields[field];
    if (value !== undefined)
      entries.push([field, kind === 'query' && field === 'queryText' ? readableQuery(value) : value]);
  }
  return entries;
}

/** The service keeps queries on one line. People read them on many. */
function readableQuery(value: Value): Value {
  if (typeof value !== 'string') return value;
  const text = value.replace(/\r\n?/g, '\n').trim();
  const tidied = text.includes('\n') ? text.replace(/[ \t]+$/gm, '') : format(text).text.trim();
  // What is no LQL means itself, blanks and all.
  return queryMeaning(tidied) === queryMeaning(text) ? tidied : text;
}

const queryMeaning = (queryText: string): string => canonicalText(fieldMeaning('query', 'queryText', { queryText }));

function nodeFor(document: Document, key: string, value: Value): Node {
  const node = document.createNode(value) as Node;
  if (isScalar(node) && key === 'queryText' && typeof value === 'string' && value.trim() !== '')
    node.type = Scalar.BLOCK_LITERAL;
  return node;
}

/**
 * `text` with one of its objects made to mean `desired`. What does not change stays to the byte: order, comments, quoting, layout.
 * Undefined where the change cannot be written into this file: then a person has to.
 */
export function updatedFileText(text: string, object: FileObject, desired: ContentObject): string | undefined {
  const changed = authoredFields[object.kind].filter(
    (field) => !sameField(object.kind, field, object.fields, desired.fields),
  );
  if (changed.length === 0) return text;
  switch (object.place.kind) {
    case 'bare':
      return changed.length === 1 && changed[0] === 'queryText'
        ? grafted(text, desired.fields['queryText'])
        : undefined;
    case 'json':
      return updatedJson(text, object.place.path, changed, object, desired);
    case 'yaml':
      return updatedYaml(text, object.place.document, object.place.path, changed, object, desired);
  }
}

function sameField(kind: ContentKind, field: string, a: ContentFields, b: ContentFields): boolean {
  return canonicalText(fieldMeaning(kind, field, a)) === canonicalText(fieldMeaning(kind, field, b));
}

function grafted(text: string, wanted: Value): string | undefined {
  if (typeof wanted !== 'string') return undefined;
  const result = graftQuery(text, wanted);
  if (queryMeaning(result) === queryMeaning(wanted)) return result;
  const plain = readableQuery(wanted);
  return typeof plain === 'string' ? `${plain}\n` : undefined;
}

/** What to write for a field: the wanted value in the order and with the comments of what is there. */
function valueToWrite(kind: ContentKind, field: string, here: Value, wanted: Value): Value {
  if (kind === 'query' && field === 'queryText' && typeof here === 'string') return grafted(here, wanted)?.trimEnd();
  if (!Array.isArray(here) || !Array.isArray(wanted)) return wanted;
  const rest = [...(wanted as readonly Value[])];
  const kept = (here as readonly Value[]).flatMap((item) => {
    const at = rest.findIndex((other) => identityOf(other) === identityOf(item));
    return at < 0 ? [] : rest.splice(at, 1);
  });
  return [...kept, ...rest];
}

function identityOf(value: Value): string {
  const name = jsonProperty(value, 'name');
  return typeof name === 'string' ? `name ${name}` : canonicalText(value);
}

function updatedJson(
  text: string,
  path: readonly PathSegment[],
  changed: readonly string[],
  object: FileObject,
  desired: ContentObject,
): string | undefined {
  const tab = /^(\t+|[ ]+)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !tab.startsWith('\t'),
    tabSize: Math.min(tab.length, 8),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  let result = text;
  for (const field of changed) {
    const key = writtenKey(result, object, field);
    const value = valueToWrite(object.kind, field, object.fields[field], desired.fields[field]);
    result = applyEdits(result, modify(result, [...path, key], value, { formattingOptions }));
  }
  return result;
}

/** JSON keys count in any case: the one that is there is the one to change. */
function writtenKey(text: string, { range }: FileObject, field: string): string {
  const inside = text.slice(range.start, range.end);
  for (const [, key] of inside.matchAll(/"([A-Za-z]+)"\s*:/g)) if (key && canonicalKey(key) === field) return key;
  return field;
}

function updatedYaml(
  text: string,
  number: number,
  path: readonly PathSegment[],
  changed: readonly string[],
  object: FileObject,
  desired: ContentObject,
): string | undefined {
  let result = text;
  for (const field of changed) {
    const map = mapAt(result, number, path);
    if (!map) return undefined;
    const pair = map.items.find(({ key }) => isScalar(key) && key.value === field) as
      | Pair<Node, Node | null>
      | undefined;
    const here = pair?.value ? (pair.value.toJS(new Document()) as Value) : undefined;
    const value = valueToWrite(object.kind, field, here ?? object.fields[field], desired.fields[field]);
    const edited =
      (value === undefined
        ? removed(result, pair)
        : pair
          ? replaced(result, map, pair, field, value)
          : added(result, map, field, value)) ?? rewritten(result, number, path, field, value);
    if (edited === undefined) return undefined;
    result = edited;
  }
  const check = mapAt(result, number, path)?.toJS(new Document()) as JsonObject | undefined;
  const fields = Object.fromEntries(authoredFields[object.kind].map((field) => [field, check?.[field] ?? undefined]));
  return changed.every((field) => sameWritten(object.kind, field, fields, desired.fields)) ? result : undefined;
}

/** As `sameField`, but lists may be in the order of the file. */
function sameWritten(kind: ContentKind, field: string, written: ContentFields, desired: ContentFields): boolean {
  const sorted = (fields: ContentFields): ContentFields => {
    const value = fields[field];
    return Array.isArray(value)
      ? { [field]: [...(value as readonly Value[])].sort((a, b) => (canonicalText(a) < canonicalText(b) ? -1 : 1)) }
      : fields;
  };
  return sameField(kind, field, sorted(written), sorted(desired));
}

function mapAt(text: string, number: number, path: readonly PathSegment[]): YAMLMap | undefined {
  const document = yamlDocuments(text)[number];
  if (!document || document.errors.length > 0) return undefined;
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  return isMap(node) ? node : undefined;
}

/** A value as it stands behind its key, the lines below it indented by `indent`. */
function rendered(field: string, value: Value, indent: number): string {
  const document = new Document({});
  document.set(field, nodeFor(document, field, value));
  const written = document.toString(style).slice(`${field}:`.length).replace(/^ /, '').replace(/\n$/, '');
  return written.replace(/\n(?=[^\n])/g, `\n${' '.repeat(indent)}`);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function replaced(
  text: string,
  map: YAMLMap,
  { key, value: node }: Pair<Node, Node | null>,
  field: string,
  value: Value,
): string | undefined {
  const start = node?.range?.[0];
  const keyStart = key.range?.[0];
  if (!node || start === undefined || keyStart === undefined) return undefined;
  const old = text.slice(start, node.range?.[1]);
  if (isCollection(node)) {
    // Comments inside a list that is exchanged would be lost.
    if (/(?:^|\s)#/.test(old) || map.flow || !node.flow) return undefined;
    return splice(text, start, start + old.trimEnd().length, JSON.stringify(value));
  }
  const flat = (): string => JSON.stringify(value);
  if (map.flow) return splice(text, start, start + old.trimEnd().length, flat());
  const indent = columnOf(text, keyStart);
  const block = /^[|>]/.test(old);
  const body = block ? old.replace(/\s+$/, '') : old;
  const behind = /^[^\r\n]*/.exec(text.slice(start + body.length))?.[0] ?? '';
  let written = rendered(field, value, indent);
  if (isList(value)) written = `\n${' '.repeat(indent)}${written.trimStart()}`;
  if (written.includes('\n') && !block && behind.trim() !== '') written = typeof value === 'string' ? flat() : written;
  // A comment behind the mark of a block says something about the value; it stays.
  const headComment = block ? /^[|>][^\s#]*([ \t]+#[^\r\n]*)/.exec(body)?.[1] : undefined;
  if (headComment !== undefined) {
    written = /^[|>][^\n]*/.test(written)
      ? written.replace(/^[|>][^\n]*/, `$&${headComment.replaceAll('$', '$$$$')}`)
      : written + headComment;
  }
  return splice(text, start, start + body.length, withLineEnds(written, text));
}

const isList = (value: Value): boolean => typeof value === 'object' && value !== null;

function added(text: string, map: YAMLMap, field: string, value: Value): string | undefined {
  const first = map.items[0]?.key as Node | undefined;
  const last = map.items.at(-1) as Pair<Node, Node | null> | undefined;
  const end = (last?.value ?? last?.key)?.range?.[1];
  const start = first?.range?.[0];
  if (map.flow || start === undefined || end === undefined) return undefined;
  const indent = columnOf(text, start);
  let at = end;
  if (text[at - 1] !== '\n') {
    const line = text.indexOf('\n', at);
    at = line < 0 ? text.length : line + 1;
  } else {
    // Blank lines behind a block belong to what follows it.
    while (/\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 200), at))) at = text.lastIndexOf('\n', at - 2) + 1;
  }
  const written = rendered(field, value, indent);
  const head = text.slice(0, at);
  const lead = head === '' || head.endsWith('\n') ? '' : '\n';
  const gap = written.startsWith('\n') ? '' : ' ';
  return splice(text, at, at, withLineEnds(`${lead}${' '.repeat(indent)}${field}:${gap}${written}\n`, text));
}

function removed(text: string, pair: Pair<Node, Node | null> | undefined): string | undefined {
  if (!pair) return text;
  const start = pair.key.range?.[0];
  const end = (pair.value ?? pair.key).range?.[1];
  if (start === undefined || end === undefined) return undefined;
  const line = start - columnOf(text, start);
  if (text.slice(line, start).trim() !== '') return undefined;
  if (text[end - 1] === '\n') return splice(text, line, end, '');
  const next = text.indexOf('\n', end);
  if (text.slice(end, next < 0 ? undefined : next).trim() !== '') return undefined;
  return splice(text, line, next < 0 ? text.length : next + 1, '');
}

/** The last way: the library writes the document anew, with its comments. Used where a change goes deeper than one value. */
function rewritten(
  text: string,
  number: number,
  path: readonly PathSegment[],
  field: string,
  value: Value,
): string | undefined {
  const documents = yamlDocuments(text);
  const document = documents[number];
  if (!document) return undefined;
  if (value === undefined) document.deleteIn([...path, field]);
  else setDeep(document, [...path, field], value);
  const sequence = /\n([ \t]*)(?:[^\n:]+):[ \t]*\n([ \t]*)- /.exec(text);
  const indentSeq = sequence ? (sequence[2] ?? '').length > (sequence[1] ?? '').length : true;
  return withLineEnds(documents.map((each) => each.toString({ ...style, indentSeq })).join(''), text);
}

/** Changes what differs and leaves the nodes around it, which hold the comments. */
function setDeep(document: Document.Parsed, path: readonly PathSegment[], value: Value): void {
  const node = document.getIn(path, true);
  if (isMap(node) && isList(value) && !Array.isArray(value)) {
    const wanted = value as JsonObject;
    for (const { key } of [...node.items]) if (isScalar(key) && !(String(key.value) in wanted)) node.delete(key.value);
    for (const [key, item] of Object.entries(wanted)) setDeep(document, [...path, key], item);
    return;
  }
  if (isCollection(node) && !isMap(node) && Array.isArray(value)) {
    const wanted = value as readonly Value[];
    const old = node.toJS(document) as readonly Value[];
    const gone = old.flatMap((item, index) =>
      wanted.some((other) => identityOf(other) === identityOf(item)) ? [] : [index],
    );
    for (const index of gone.reverse()) node.delete(index);
    for (const [index, item] of wanted.entries()) {
      if (index < node.items.length) setDeep(document, [...path, index], item);
      else node.add(document.createNode(item));
    }
    return;
  }
  if (isScalar(node) && !isList(value)) {
    if (node.value !== value) node.value = value;
    return;
  }
  document.setIn(path, document.createNode(value));
}

function withLineEnds(written: string, text: string): string {
  return text.includes('\r\n') ? written.replace(/\r?\n/g, '\r\n') : written;
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/**
 * The file as it would be if the account's object stood in it: what a person compares with. Layout and comments are the file's, so that only
 * what really differs shows. Undefined where it cannot be written so; then compare with `newFileText`.
 */
export function textAsDeployed(text: string, object: FileObject, deployed: ContentObject): string | undefined {
  return meaningOf(object) === meaningOf(deployed) ? text : updatedFileText(text, object, deployed);
}
