import { toWireText } from '../../core/language/format/wire.ts';
import { createLineIndex } from '../../core/text/line-index.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { parseOptions } from '../parse-options.ts';

export const flattenUsage = `lql flatten < QUERY
  Writes the query of standard input as the one line that is sent to the service: comments dropped, id removed.`;

export async function flatten(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { positionals } = parseOptions(args, {});
  if (positionals.length > 0) throw new UsageError('flatten reads standard input and takes no files.');
  const text = (await io.readStdin()).replace(/^\uFEFF/, '');
  const wire = toWireText(text);
  if (wire.kind === 'ok') {
    await io.writeOut(`${wire.text}\n`);
    return 0;
  }
  await io.writeError(refusal('-', text, wire.diagnostics));
  return 1;
}

/** Why a text cannot be sent, one line a finding. */
export function refusal(
  name: string,
  text: string,
  diagnostics: readonly {
    readonly range: { readonly start: number };
    readonly message: string;
    readonly code: string;
  }[],
): string {
  const lines = createLineIndex(text);
  return diagnostics
    .map(({ range, message, code }) => {
      const { line, character } = lines.positionAt(range.start);
      return `${name}:${line + 1}:${character + 1} error ${message} [${code}]\n`;
    })
    .join('');
}
