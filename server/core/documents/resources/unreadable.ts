import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parseAllDocuments } from 'yaml';
import { type TextRange, textRange } from '../../text/range.ts';
import { isReadableYaml } from '../yaml-regions.ts';

export interface UnreadablePlace {
  readonly range: TextRange;
  /** What is wrong there, as a sentence. */
  readonly message: string;
}

/** A line that begins with one of these holds content, or is meant to. */
const contentKey = /^[\s{[-]*["']?(?:queryText|queryId|policyId|policyType|alertProfileId)["']?[ \t]*:/m;
/** Files that another program makes YAML of. */
const template = /\{\{|\{%|<%/;
/** Composing a text takes twice as long as reading it; above this, only deploying looks. */
const longest = 200_000;

/** Why the content of a YAML or JSON file cannot be read, e.g. because it is half written; undefined when it can, or holds none. */
export function whyUnreadable(document: string, form: 'yaml' | 'json'): UnreadablePlace | undefined {
  if (document.length > longest || !contentKey.test(document) || template.test(document)) return undefined;
  if (!isReadableYaml(document)) return undefined;
  if (form === 'json') return unreadableJson(document);
  const documents = parseAllDocuments(document, { logLevel: 'silent', prettyErrors: false });
  for (const { errors } of Array.isArray(documents) ? documents : []) {
    const [error] = errors;
    if (!error) continue;
    const [from, to] = error.pos;
    return { range: placeIn(document, from, to), message: sentence(error.message) };
  }
  return undefined;
}

function unreadableJson(document: string): UnreadablePlace | undefined {
  const errors: ParseError[] = [];
  parseTree(document, errors, { allowTrailingComma: true, disallowComments: false });
  const [error] = errors;
  if (!error) return undefined;
  const words = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const message = `It is no valid JSON: ${words.charAt(0)}${words.slice(1).toLowerCase()}.`;
  return { range: placeIn(document, error.offset, error.offset + error.length), message };
}

/** Within the text, of one line at most and never empty: errors of unclosed things reach to the end of the file, or are behind it. */
function placeIn(document: string, from: number, to: number): TextRange {
  const start = Math.min(from, document.length);
  const lineEnd = document.slice(start).search(/[\r\n]/);
  const end = Math.min(to, lineEnd < 0 ? document.length : start + lineEnd);
  if (end > start) return textRange(start, end);
  const before = document.slice(0, start).trimEnd().length;
  return textRange(Math.max(0, before - 1), before);
}

function sentence(message: string): string {
  const first = (message.split('\n')[0] ?? '').trim().replace(/[:.]$/, '');
  return `It is no valid YAML: ${first}.`;
}
