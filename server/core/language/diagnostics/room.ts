import type { TextEdit } from '../../text/edits.ts';
import type { Diagnostic } from './diagnostic.ts';

/**
 * The same diagnostic with room around what its fixes write: in a text without blanks (`X in(1)and Y`) words that come to touch would become
 * one, and signs a comment.
 */
export function withRoom(text: string, diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.fixes.length === 0) return diagnostic;
  let changed = false;
  const fixes = diagnostic.fixes.map((fix) => {
    const edits = fix.edits.map((edit) => {
      const padded = pad(text, edit);
      changed ||= padded !== edit;
      return padded;
    });
    return { ...fix, edits };
  });
  return changed ? { ...diagnostic, fixes } : diagnostic;
}

function pad(text: string, edit: TextEdit): TextEdit {
  const { range, newText } = edit;
  const before = text.charAt(range.start - 1);
  const after = text.charAt(range.end);
  const first = text.charAt(range.start);
  const last = text.charAt(range.end - 1);
  // What begins or ends inside of a word changes the word on purpose.
  const beginsInWord = isWord(before) && isWord(first);
  const endsInWord = isWord(last) && isWord(after);
  if (newText === '') return !beginsInWord && !endsInWord && grow(before, after) ? { range, newText: ' ' } : edit;
  const left = !beginsInWord && grow(before, newText.charAt(0)) ? ' ' : '';
  const right = !endsInWord && grow(newText.charAt(newText.length - 1), after) ? ' ' : '';
  return left === '' && right === '' ? edit : { range, newText: `${left}${newText}${right}` };
}

/** Whether two characters that come to touch would be read as one. */
function grow(a: string, b: string): boolean {
  if (isWord(a)) return isWord(b) || b === "'" || b === '"';
  return (a === '-' && b === '-') || (a === '/' && (b === '/' || b === '*'));
}

function isWord(char: string): boolean {
  return /^\w$/.test(char);
}
