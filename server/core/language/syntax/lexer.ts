import { type SyntaxCode, syntaxCodes } from '../diagnostics/codes/syntax-codes.ts';
import { type Diagnostic, type Fix, insertFix, maxDiagnostics, replaceFix } from '../diagnostics/diagnostic.ts';
import {
  asciiClasses,
  blankClass,
  digitClass,
  isDigit,
  isForeignBlank,
  isForeignLetter,
  isWordCharacter,
  letterClass,
} from './characters.ts';
import { readForeignSign, type TokenSink } from './foreign-signs.ts';
import { invalidEscapes, type StringForm, scanString } from './strings.ts';
import {
  type Comment,
  kindNumber,
  kindOfNumber,
  languageWords,
  reservedWords,
  type Token,
  tokenTable,
} from './tokens.ts';

/**
 * The tokens of a text in packed form: the numbers of their kinds (see `kindOfNumber`) and their offsets. A megabyte of source holds
 * some two hundred thousand tokens; as objects they would outweigh the tree.
 */
export interface Lexed {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
  /** Indexes of tokens in front of which something unreadable was dropped and reported. */
  readonly tainted: ReadonlySet<number>;
  /** Index of the token where brackets, cases and joins nest too deeply; -1 when they do not. The parser stops there. */
  readonly tooDeepAt: number;
}

/** Levels of brackets, cases and joins inside each other that are read. */
export const maxNesting = 256;

const kind = {
  identifier: kindNumber('identifier'),
  number: kindNumber('number'),
  sString: kindNumber('s-string'),
  doubleQuoted: kindNumber('double-quoted'),
  legacyString: kindNumber('legacy-string'),
  source: kindNumber('source'),
  filter: kindNumber('filter'),
  return: kindNumber('return'),
  union: kindNumber('union'),
  all: kindNumber('all'),
  distinct: kindNumber('distinct'),
  any: kindNumber('any'),
  json: kindNumber('json'),
  with: kindNumber('with'),
  on: kindNumber('on'),
  as: kindNumber('as'),
  case: kindNumber('case'),
  end: kindNumber('end'),
  not: kindNumber('not'),
  is: kindNumber('is'),
  like: kindNumber('like'),
  ilike: kindNumber('ilike'),
  rlike: kindNumber('rlike'),
  reserved: kindNumber('reserved'),
  braceOpen: kindNumber('{'),
  braceClose: kindNumber('}'),
  parenOpen: kindNumber('('),
  parenClose: kindNumber(')'),
  dot: kindNumber('.'),
  colon: kindNumber(':'),
  castMark: kindNumber('::'),
  notEqual: kindNumber('<>'),
  lessEqual: kindNumber('<='),
  greaterEqual: kindNumber('>='),
  concat: kindNumber('||'),
  bracketClose: kindNumber(']'),
} as const;

/** Candidates by length and first letter, so that most names are told from words without being cut out of the text. */
const words: { readonly word: string; readonly number: number }[][] = [];
for (const word of [...languageWords, ...reservedWords]) {
  const key = wordKey(word.length, word.toLowerCase().charCodeAt(0));
  const number = reservedWords.includes(word) ? kind.reserved : kindNumber(word as (typeof languageWords)[number]);
  words[key] = [...(words[key] ?? []), { word: word.toLowerCase(), number }];
}
const longestWord = Math.max(...[...languageWords, ...reservedWords].map((word) => word.length));

function wordKey(length: number, lowerFirst: number): number {
  return length * 32 + (lowerFirst & 31);
}

/** The kinds of signs of one character, looked up by it; the token's number plus one, 0 for none. */
const signs = new Uint8Array(128);
for (const { kind: sign } of tokenTable) if (sign.length === 1) signs[sign.charCodeAt(0)] = kindNumber(sign) + 1;

/** What a brace holds: the three blocks of a query, queries, or the content of a block. Inside parentheses the flag is added. */
const inBody = 0;
const inUnion = 1;
const inBlock = 2;
const parenFlag = 4;

let scratchKinds = new Uint8Array(1024);
let scratchStarts = new Int32Array(1024);
let scratchEnds = new Int32Array(1024);

/**
 * Splits a text into tokens. Never fails: what cannot be read is reported and left out. Costs one pass; words that are keywords in some
 * places only (`source`, `any`, `json` …) are told from names here, so that the grammar sees unambiguous tokens.
 */
export function lex(text: string, nestingLimit: number = maxNesting): Lexed {
  const comments: Comment[] = [];
  const diagnostics: Diagnostic[] = [];
  const tainted = new Set<number>();
  const length = text.length;
  let kinds = scratchKinds;
  let starts = scratchStarts;
  let ends = scratchEnds;
  let count = 0;

  // The brackets open at this place. `nestingAtOpen` remembers the nesting in front of each, so that an unclosed `case` or a chain of
  // joins ends with the bracket around it.
  const contexts: number[] = [];
  const nestingAtOpen: number[] = [];
  let nesting = 0;
  let tooDeepAt = -1;
  // Kind of the previous token if it is source, filter or return, whether or not it was taken for a name; likewise `return distinct`.
  let blockWord = -1;
  let distinctBehindReturn = false;

  const report = (code: SyntaxCode, start: number, end: number, message: string, fixes: readonly Fix[] = []): void => {
    if (diagnostics.length < maxDiagnostics)
      diagnostics.push({ code, severity: syntaxCodes[code].severity, range: { start, end }, message, fixes });
  };
  const push = (number: number, start: number, end: number): void => {
    if (count === kinds.length) {
      kinds = scratchKinds = grow(kinds, new Uint8Array(count * 2));
      starts = scratchStarts = grow(starts, new Int32Array(count * 2));
      ends = scratchEnds = grow(ends, new Int32Array(count * 2));
    }
    kinds[count] = number;
    starts[count] = start;
    ends[count] = end;
    count++;
  };
  const sink: TokenSink = { push, report, taint: () => tainted.add(count) };
  const deeper = (): void => {
    nesting++;
    if (nesting > nestingLimit && tooDeepAt < 0) tooDeepAt = count;
  };
  const open = (context: number): void => {
    contexts.push(context);
    nestingAtOpen.push(nesting);
    deeper();
  };
  const close = (): void => {
    contexts.pop();
    nesting = nestingAtOpen.pop() ?? 0;
  };
  /** The nearest brace around this place; parentheses do not count. */
  const nearestBrace = (): number => (contexts[contexts.length - 1] ?? inBody) & ~parenFlag;
  const inParentheses = (): boolean => ((contexts[contexts.length - 1] ?? inBody) & parenFlag) !== 0;
  /** A block begins although brackets of the block before are still open: those will never be closed. */
  const closeUpToBody = (): void => {
    if (nearestBrace() !== inBlock) return;
    while (contexts.length > 0) {
      const context = contexts[contexts.length - 1] ?? inBody;
      if (context === inBody || context === inUnion) return;
      close();
    }
  };

  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < length) {
    const start = at;
    const code = text.charCodeAt(at);
    const charClass = code < 128 ? (asciiClasses[code] ?? 0) : 0;

    if (charClass === blankClass) {
      at++;
      continue;
    }

    if (charClass === letterClass || (code > 127 && isForeignLetter(code))) {
      if ((code === 115 || code === 83) && text.charCodeAt(at + 1) === 39) {
        at = string(start, at + 1, 's-string', kind.sString);
      } else {
        at++;
        while (at < length) {
          const next = text.charCodeAt(at);
          if (next < 128 ? ((asciiClasses[next] ?? 0) & (letterClass | digitClass)) !== 0 : isForeignLetter(next)) at++;
          else break;
        }
        word(start, at);
        continue;
      }
      blockWord = -1;
      distinctBehindReturn = false;
      continue;
    }

    if (charClass === digitClass || (code === 46 && isDigit(text.charCodeAt(at + 1)) && !continuesPath())) {
      at = number(start);
      blockWord = -1;
      distinctBehindReturn = false;
      continue;
    }

    if (isForeignBlank(code)) {
      at++;
      continue;
    }

    // Comments are looked at before operators: `--` is never "minus minus".
    const next = text.charCodeAt(at + 1);
    if ((code === 45 && next === 45) || (code === 47 && (next === 47 || next === 42))) {
      at = comment(start, code, next);
      continue;
    }

    at = isBracket(code) ? bracket(code, start) : sign(code, next, start);
    blockWord = -1;
    distinctBehindReturn = false;
  }

  if (tooDeepAt >= 0) {
    const start = starts[tooDeepAt] ?? 0;
    report(
      'nested-too-deeply',
      start,
      ends[tooDeepAt] ?? start,
      `More than ${nestingLimit} levels of brackets, cases or joins stand inside each other here. The text is read up to this place only; take levels away.`,
    );
  }
  return {
    count,
    kinds: kinds.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    comments,
    diagnostics,
    tainted,
    tooDeepAt,
  };

  /** Reads the comment that begins at `start`; gives the offset behind it. */
  function comment(start: number, code: number, next: number): number {
    if (next !== 42) {
      let end = start + 2;
      while (end < length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++;
      comments.push({ range: { start, end }, style: code === 45 ? '--' : '//' });
      return end;
    }
    const close = text.indexOf('*/', start + 2);
    const end = close < 0 ? length : close + 2;
    comments.push({ range: { start, end }, style: '/*' });
    if (close < 0)
      report(
        'unterminated-comment',
        start,
        start + 2,
        "This comment has no end, so everything behind it is a comment. Add '*/' where it ends.",
        [insertFix("Add '*/' at the end", length, ' */', false)],
      );
    return end;
  }

  /** Pushes a brace or parenthesis, and keeps account of what is open; gives the offset behind it. */
  function bracket(code: number, start: number): number {
    if (code === 123) {
      if (blockWord >= 0 || distinctBehindReturn) {
        if (distinctBehindReturn) {
          kinds[count - 2] = kind.return;
          kinds[count - 1] = kind.distinct;
        } else kinds[count - 1] = blockWord;
        closeUpToBody();
        open(inBlock);
      } else if (opensUnion()) open(inUnion);
      else open(opensMisspeltBlock() ? inBlock : inBody);
      push(kind.braceOpen, start, start + 1);
    } else if (code === 125) {
      // A closing brace ends the parentheses that are still open inside it.
      while (inParentheses()) close();
      close();
      push(kind.braceClose, start, start + 1);
    } else if (code === 40) {
      open(nearestBrace() | parenFlag);
      push(kind.parenOpen, start, start + 1);
    } else {
      if (inParentheses()) close();
      push(kind.parenClose, start, start + 1);
    }
    return start + 1;
  }

  /** Pushes a word: a keyword where it has a meaning, else a name. */
  function word(start: number, end: number): void {
    let number = end - start <= longestWord ? wordNumber(text, start, end) : kind.identifier;
    const previous = count > 0 ? (kinds[count - 1] ?? -1) : -1;
    const wasBlockWord = blockWord;
    blockWord = -1;
    distinctBehindReturn = false;
    if (number === kind.identifier) {
      if (hasForeignLetter(text, start, end))
        report(
          'invalid-name',
          start,
          end,
          `'${text.slice(start, end)}' is not a name: names have letters A to Z, digits and underscores only. In a JSON path put the key in double quotes.`,
        );
    } else if (number === kind.reserved) {
      // Reserved words stay what they are everywhere; the parser reports them where they stand for a name.
    } else if (previous === kind.dot || previous === kind.colon || previous === kind.castMark) number = kind.identifier;
    else if (number === kind.source || number === kind.filter || number === kind.return) {
      blockWord = number;
      if (nearestBrace() === inBlock) number = kind.identifier;
    } else if (number === kind.distinct) {
      if (wasBlockWord === kind.return) distinctBehindReturn = true;
      if (previous !== kind.return) number = kind.identifier;
    } else if (number === kind.union) {
      if (nearestBrace() === inBlock) number = kind.identifier;
    } else if (number === kind.all) {
      if (previous !== kind.union) number = kind.identifier;
    } else if (number === kind.any) {
      if (previous !== kind.like && previous !== kind.ilike && previous !== kind.rlike) number = kind.identifier;
    } else if (number === kind.json) {
      if (previous !== kind.is && !(previous === kind.not && kinds[count - 2] === kind.is)) number = kind.identifier;
    } else if (previous === kind.as && number !== kind.with && number !== kind.on) number = kind.identifier;
    else if (number === kind.case || number === kind.with) deeper();
    else if (number === kind.end && nesting > (nestingAtOpen[nestingAtOpen.length - 1] ?? 0) + 1) nesting--;
    push(number, start, end);
  }

  /** Whether `{` behind the previous token holds several queries. */
  function opensUnion(): boolean {
    const previous = count > 0 ? kinds[count - 1] : -1;
    return previous === kind.union || (previous === kind.all && kinds[count - 2] === kind.union);
  }

  /** Whether a dot here goes on with a path or a qualified name, so that the digits behind it are a key and not a fraction. */
  function continuesPath(): boolean {
    if (count === 0 || ends[count - 1] !== at) return false;
    const previous = kinds[count - 1];
    return (
      previous === kind.identifier ||
      previous === kind.reserved ||
      previous === kind.doubleQuoted ||
      previous === kind.bracketClose ||
      previous === kind.dot
    );
  }

  /** Whether `{` stands behind a word inside a body: where a block is expected, it is one, whatever its word. */
  function opensMisspeltBlock(): boolean {
    const previous = count > 0 ? kinds[count - 1] : -1;
    return contexts[contexts.length - 1] === inBody && (previous === kind.identifier || previous === kind.reserved);
  }

  function string(start: number, openQuote: number, form: StringForm, number: number): number {
    const { end, terminated } = scanString(text, openQuote, form);
    push(number, start, end);
    if (!terminated) {
      const quote = form === 'double-quoted' ? '"' : "'";
      report('unterminated-string', start, end, `This text has no closing quote. Add ${quote} where it ends.`, [
        insertFix(`Add the closing ${quote}`, end, quote, false),
      ]);
    } else if (form === 'double-quoted') {
      const source = text.slice(start, end);
      for (const { offset, length: size } of source.includes('\\') ? invalidEscapes(source) : []) {
        const from = start + offset;
        const written = text.slice(from, Math.min(from + size, end));
        report(
          'invalid-escape',
          from,
          Math.min(from + size, end),
          `Double-quoted strings do not know the escape ${written}. For a backslash write \\\\, or use an s-string, s'…', which has no escapes.`,
          [replaceFix('Write the backslash twice', { start: from, end: from + 1 }, '\\\\', true)],
        );
      }
    }
    return end;
  }

  function number(start: number): number {
    let end = start;
    while (isDigit(text.charCodeAt(end))) end++;
    const afterDot = count > 0 && kinds[count - 1] === kind.dot && ends[count - 1] === start;
    if (!afterDot && text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1))) {
      end++;
      while (isDigit(text.charCodeAt(end))) end++;
    }
    const exponent = text.charCodeAt(end) | 32;
    if (exponent === 101) {
      const sign = text.charCodeAt(end + 1);
      const digits = sign === 43 || sign === 45 ? end + 2 : end + 1;
      if (isDigit(text.charCodeAt(digits))) {
        end = digits;
        while (isDigit(text.charCodeAt(end))) end++;
      }
    }
    let tail = end;
    while (tail < length && isWordCharacter(text.charCodeAt(tail))) tail++;
    if (tail > end) {
      const name = text.slice(start, tail);
      const isKey = count > 0 && (kinds[count - 1] === kind.colon || kinds[count - 1] === kind.dot);
      report(
        'invalid-name',
        start,
        tail,
        isKey
          ? `A key that begins with a digit is put in double quotes: "${name}".`
          : `'${name}' is neither a number nor a name: names begin with a letter.`,
        isKey ? [replaceFix('Put the key in double quotes', { start, end: tail }, `"${name}"`, true)] : [],
      );
      push(kind.identifier, start, tail);
      return tail;
    }
    push(kind.number, start, end);
    return end;
  }

  /** Reads operators, punctuation, quotes and whatever else begins at `start`; gives the offset behind it. */
  function sign(code: number, next: number, start: number): number {
    if (code === 39) return string(start, start, 'legacy', kind.legacyString);
    if (code === 34) return string(start, start, 'double-quoted', kind.doubleQuoted);
    const double = doubleSign(code, next);
    if (double >= 0) {
      push(double, start, start + 2);
      return start + 2;
    }
    const single = code < 128 ? (signs[code] ?? 0) - 1 : -1;
    // `==`, `=<` and `=>` are what other languages write.
    if (single < 0 || (code === 61 && next >= 60 && next <= 62)) return readForeignSign(text, start, sink);
    // Joins do not chain over a comma, and no case stays open over one.
    if (code === 44) nesting = Math.min(nesting, (nestingAtOpen[nestingAtOpen.length - 1] ?? -1) + 1);
    push(single, start, start + 1);
    return start + 1;
  }
}

/** The kind of the word between two offsets, compared without regard to case. */
function wordNumber(text: string, start: number, end: number): number {
  const candidates = words[wordKey(end - start, text.charCodeAt(start) | 32)];
  if (candidates === undefined) return kind.identifier;
  next: for (const { word, number } of candidates) {
    for (let i = 0; i < word.length; i++) {
      if ((text.charCodeAt(start + i) | 32) !== word.charCodeAt(i)) continue next;
    }
    return number;
  }
  return kind.identifier;
}

/** The kind of the sign of two characters; -1 where they are none. */
function doubleSign(code: number, next: number): number {
  if (code === 58) return next === 58 ? kind.castMark : -1;
  if (code === 60) return next === 62 ? kind.notEqual : next === 61 ? kind.lessEqual : -1;
  if (code === 62) return next === 61 ? kind.greaterEqual : -1;
  return code === 124 && next === 124 ? kind.concat : -1;
}

function grow<Packed extends Uint8Array | Int32Array>(from: Packed, to: Packed): Packed {
  to.set(from);
  return to;
}

function isBracket(code: number): boolean {
  return code === 123 || code === 125 || code === 40 || code === 41;
}

function hasForeignLetter(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 127) return true;
  return false;
}

/** The tokens of a packed list as objects. */
export function unpackTokens(lexed: Lexed): readonly Token[] {
  const tokens: Token[] = new Array(lexed.count);
  for (let i = 0; i < lexed.count; i++) {
    tokens[i] = { kind: kindOfNumber(lexed.kinds[i] ?? 0), start: lexed.starts[i] ?? 0, end: lexed.ends[i] ?? 0 };
  }
  return tokens;
}
