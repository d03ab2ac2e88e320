import { maxDiagnostics } from '../../server/core/language/diagnostics/diagnostic.ts';
import { formatParsed } from '../../server/core/language/format/format.ts';
import { wireTextOf } from '../../server/core/language/format/wire.ts';
import {
  type AnalyzedText,
  createLanguageService,
  type LanguageService,
} from '../../server/core/language/language-service.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import { walk } from '../../server/core/language/syntax/walk.ts';
import { applyEdits, type TextEdit } from '../../server/core/text/edits.ts';
import type { TextRange } from '../../server/core/text/range.ts';
import { largeCatalog } from '../bench/language-texts.ts';
import { createRandom, mix } from './random.ts';

/** Thrown when an answer does not keep what every answer keeps. */
export class BrokenPromise extends Error {}

function promise(kept: boolean, what: string): void {
  if (!kept) throw new BrokenPromise(what);
}

export interface Checks {
  /** Runs one document through the language. Throws when something throws, or when an answer breaks a promise. */
  run(text: string, seed: number): void;
}

export function createChecks(): Checks {
  const service = createLanguageService({ catalog: largeCatalog(), vendorPrefix: 'SVC' });
  return {
    run(text, seed) {
      const random = createRandom(mix(seed, text.length));
      const query = service.analyze('fuzz', text);
      checkParsed(query);
      checkTexts(query);
      const offset = random.below(text.length + 1);
      const other = random.below(text.length + 1);
      ask(
        service,
        query,
        offset,
        { start: Math.min(offset, other), end: Math.max(offset, other) },
        random.below(requests.length),
      );
    },
  };
}

function inside(text: string, { start, end }: TextRange, what: string): void {
  promise(
    0 <= start && start <= end && end <= text.length,
    `${what}: range ${start}..${end} leaves the text of ${text.length}`,
  );
}

function applicable(text: string, edits: readonly TextEdit[], what: string): void {
  for (const { range } of edits) inside(text, range, what);
  applyEdits(text, edits);
}

function checkParsed({ text, parsed, diagnostics, model }: AnalyzedText): void {
  promise(diagnostics.length <= maxDiagnostics, `${diagnostics.length} diagnostics`);
  for (const diagnostic of diagnostics) {
    inside(text, diagnostic.range, diagnostic.code);
    for (const fix of diagnostic.fixes) applicable(text, fix.edits, `fix of ${diagnostic.code}`);
    for (const { range } of diagnostic.related ?? []) inside(text, range, `related of ${diagnostic.code}`);
  }
  let end = 0;
  const pieces = [...parsed.tokens, ...parsed.comments.map((comment) => comment.range)].sort(
    (a, b) => a.start - b.start,
  );
  for (const piece of pieces) {
    inside(text, piece, 'token');
    promise(piece.start >= end && piece.end > piece.start, 'tokens overlap');
    end = piece.end;
  }
  walk(parsed.file, (node) => {
    inside(text, node.range, node.kind);
    return true;
  });
  promise(parsed.steps <= 12 * text.length + 100, `${parsed.steps} steps for ${text.length} characters`);
  promise(model.file === parsed.file, 'the model is of another tree');
}

/** Formatting and the wire: idempotent, tokens kept, refused exactly for texts with errors. */
function checkTexts({ text, parsed }: AnalyzedText): void {
  const broken = parsed.diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  const formatted = formatParsed(parsed);
  if (broken) promise(formatted.text === text && formatted.edits.length === 0, 'a text with errors was formatted');
  else if (formatted.text !== text) {
    const again = parse(formatted.text);
    promise(formatParsed(again).text === formatted.text, 'formatting twice differs from formatting once');
    promise(again.tokens.length === parsed.tokens.length, 'formatting changed the tokens');
    promise(again.comments.length === parsed.comments.length, 'formatting changed the comments');
  }
  const wire = wireTextOf(parsed);
  promise(
    (wire.kind === 'ok') === (!broken && parsed.file.query !== undefined),
    'the wire refuses what it should take, or takes what it should refuse',
  );
  if (wire.kind === 'ok') {
    promise(!/[\n\r]/.test(wire.text), 'the wire text has more than one line');
    const again = parse(wire.text);
    promise(!again.diagnostics.some((diagnostic) => diagnostic.severity === 'error'), 'the wire text does not parse');
    promise(again.comments.length === 0, 'the wire text has comments');
  }
}

type Request = (service: LanguageService, query: AnalyzedText, offset: number, range: TextRange) => void;

/** What an editor asks, in turns: each document is asked one of them. */
const requests: readonly Request[] = [
  (service, query, offset) => {
    const { range, items } = service.complete(query, offset, { snippets: true });
    inside(query.text, range, 'completion');
    promise(range.start <= offset && offset <= range.end, 'completion replaces text away from the cursor');
    for (const item of items) applicable(query.text, item.additionalEdits ?? [], 'completion');
  },
  (service, query, offset) => {
    const hover = service.hover(query, offset, { catalogAge: undefined });
    if (hover !== undefined) inside(query.text, hover.range, 'hover');
  },
  (service, query, offset) => void service.signatureHelp(query, offset),
  (service, query) => {
    for (const { range } of service.documentSymbols(query)) inside(query.text, range, 'symbol');
    for (const { range } of service.foldingRanges(query)) inside(query.text, range, 'folding');
  },
  (service, query, offset) => {
    for (const range of service.selectionRanges(query, offset)) inside(query.text, range, 'selection');
  },
  (service, query) => {
    let end = 0;
    for (const { range } of service.semanticTokens(query)) {
      inside(query.text, range, 'semantic token');
      promise(range.start >= end, 'semantic tokens overlap');
      end = range.end;
    }
  },
  (service, query, offset) => {
    for (const { range } of service.namedThingAt(query, offset)?.occurrences ?? [])
      inside(query.text, range, 'occurrence');
    const renamed = service.rename(query, offset, 'renamed');
    if (renamed.kind === 'edits') applicable(query.text, renamed.edits, 'rename');
  },
  (service, query, _offset, range) => {
    for (const action of service.codeActions(query, range)) applicable(query.text, action.edits, action.title);
  },
  (service, query) => applicable(query.text, service.fixAll(query), 'fix all'),
  (service, query, _offset, range) =>
    applicable(query.text, service.format(query, { indent: 'tab' }, range), 'range formatting'),
  (service, query, _offset, range) => {
    for (const hint of service.inlayHints(query, range))
      inside(query.text, { start: hint.offset, end: hint.offset }, 'inlay hint');
  },
];

function ask(service: LanguageService, query: AnalyzedText, offset: number, range: TextRange, which: number): void {
  requests[which]?.(service, query, offset, range);
}
