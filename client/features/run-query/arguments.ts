import * as vscode from 'vscode';
import {
  type ArgumentType,
  type AskedArgument,
  checkArgument,
  type NamedValue,
} from '../../../server/core/documents/run-directives.ts';
import { createDocumentMemory } from './document-memory.ts';
import type { DocumentMoves } from './document-moves.ts';

/** The values given to a file's queries, remembered with the workspace. */
export interface ArgumentMemory {
  get(uri: vscode.Uri, name: string): string | undefined;
  set(uri: vscode.Uri, values: readonly NamedValue[]): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

type Remembered = readonly [uri: string, name: string, value: string];

export function createArgumentMemory(state: vscode.Memento, moves: DocumentMoves): ArgumentMemory & vscode.Disposable {
  const memory = createDocumentMemory<Remembered>(state, moves, {
    key: 'lql.arguments',
    mostRemembered: 1000,
    nameOf: ([, name]) => name,
    withUri: ([, name, value], uri) => [uri, name, value],
  });
  return {
    onDidChange: memory.onDidChange,
    get: (uri, name) => memory.entries.find(([file, known]) => file === uri.toString() && known === name)?.[2],
    async set(uri, values) {
      const file = uri.toString();
      const others = memory.entries.filter(
        ([known, name]) => known !== file || !values.some((value) => value.name === name),
      );
      await memory.write([...values.map(({ name, value }) => [file, name, value] as const), ...others]);
    },
    dispose: () => memory.dispose(),
  };
}

/** The values that are known already, for those that are not undefined. A remembered text that its type refuses counts as unknown. */
export function knownValues(
  asked: readonly AskedArgument[],
  remembered: (name: string) => string | undefined,
): readonly { readonly argument: AskedArgument; readonly value: string | undefined }[] {
  return asked.map((argument) => {
    const text = remembered(argument.name);
    const checked = text === undefined ? undefined : checkArgument(argument.type, text);
    return { argument, value: checked?.kind === 'value' ? checked.value : undefined };
  });
}

const placeholders: { readonly [type in ArgumentType]: string } = {
  String: 'Text, as it is',
  Number: '42',
  Boolean: 'true or false',
  Timestamp: '2026-01-05T08:30:00Z',
};

/**
 * Asks for values one after the other, each checked against its type while it is typed. `offered` stands in the box to begin with.
 * Undefined when the person leaves.
 */
export async function askForArguments(
  title: string,
  asked: readonly AskedArgument[],
  offered: (name: string) => string | undefined,
): Promise<readonly NamedValue[] | undefined> {
  const values: NamedValue[] = [];
  for (const [index, { name, type }] of asked.entries()) {
    const step = asked.length > 1 ? ` (${index + 1}/${asked.length})` : '';
    const text = await vscode.window.showInputBox({
      title: `Arguments of ${title}${step}`,
      prompt: `${name}: ${type}`,
      placeHolder: placeholders[type],
      value: offered(name) ?? '',
      ignoreFocusOut: true,
      validateInput: (typed) => {
        const checked = checkArgument(type, typed);
        return checked.kind === 'refused' ? checked.message : undefined;
      },
    });
    if (text === undefined) return undefined;
    const checked = checkArgument(type, text);
    if (checked.kind === 'value') values.push({ name, value: checked.value });
  }
  return values;
}

/** `Region=eu-west-1, Port=22`: a long value is cut. */
export function describeArguments(values: readonly NamedValue[]): string {
  return values.map(({ name, value }) => `${name}=${value.length > 30 ? `${value.slice(0, 29)}…` : value}`).join(', ');
}
