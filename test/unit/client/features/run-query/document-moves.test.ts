import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.mock('vscode', () => import('../../../../support/fake-vscode.ts'));

const { EventEmitter } = await import('../../../../support/fake-vscode.ts');
const { createArgumentMemory } = await import('../../../../../client/features/run-query/arguments.ts');
const { createDocumentMoves } = await import('../../../../../client/features/run-query/document-moves.ts');
const { createRangeMemory } = await import('../../../../../client/features/run-query/ranges.ts');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An editor as the real one was seen to behave when texts are saved, closed and renamed. */
function createEditor() {
  type Uri = { readonly scheme: string; toString(): string };
  type Document = { readonly uri: Uri; text: string; isClosed: boolean; getText(): string };
  const uriOf = (text: string): Uri => ({ scheme: text.split(':')[0] ?? '', toString: () => text });
  const renamed = new EventEmitter<{ files: readonly { oldUri: Uri; newUri: Uri }[] }>();
  const willSave = new EventEmitter<{ document: Document }>();
  const saved = new EventEmitter<Document>();
  const closed = new EventEmitter<Document>();
  const textDocuments: Document[] = [];
  const open = (uri: string, text: string): Document => {
    const found = textDocuments.find((document) => document.uri.toString() === uri);
    if (found) return Object.assign(found, { text });
    const document = { uri: uriOf(uri), text, isClosed: false, getText: () => document.text };
    textDocuments.push(document);
    return document;
  };
  const close = (document: Document): void => {
    // The text of one that was never written is thrown away before it goes.
    if (document.uri.scheme === 'untitled') document.text = '';
    document.isClosed = true;
    textDocuments.splice(textDocuments.indexOf(document), 1);
    closed.fire(document);
  };
  const save = (document: Document, formatted = document.text): void => {
    willSave.fire({ document });
    document.text = formatted;
    saved.fire(document);
  };
  const values = new Map<string, unknown>();
  const state = {
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
  const workspace = {
    textDocuments,
    onDidRenameFiles: renamed.event,
    onWillSaveTextDocument: willSave.event,
    onDidSaveTextDocument: saved.event,
    onDidCloseTextDocument: closed.event,
  };
  const moves = createDocumentMoves(workspace as unknown as Parameters<typeof createDocumentMoves>[0]);
  const ranges = createRangeMemory(state as unknown as Parameters<typeof createRangeMemory>[0], moves);
  const given = createArgumentMemory(state as unknown as Parameters<typeof createArgumentMemory>[0], moves);
  return {
    open,
    close,
    save,
    changeLanguage: (document: Document) => closed.fire(document),
    saveAs(document: Document, uri: string, formatted?: string): void {
      save(open(uri, document.text), formatted);
      close(document);
    },
    rename: (oldUri: string, newUri: string) =>
      renamed.fire({ files: [{ oldUri: uriOf(oldUri), newUri: uriOf(newUri) }] }),
    choose: (uri: string, range: string) => ranges.set(uriOf(uri) as never, range),
    give: (uri: string, name: string, value: string) => given.set(uriOf(uri) as never, [{ name, value }]),
    rangeOf: (uri: string) => ranges.get(uriOf(uri) as never),
    valueOf: (uri: string, name: string) => given.get(uriOf(uri) as never, name),
  };
}

const untitled = 'untitled:Untitled-1';
const file = 'file:///queries/buckets.lql';
const query = '{ source { A }   \n return { B } }';

test('what was chosen for an unsaved text goes with it into its file', async () => {
  const editor = createEditor();
  const document = editor.open(untitled, query);
  await editor.choose(untitled, 'last 7 days');
  await editor.give(untitled, 'Region', 'eu-west-1');
  editor.saveAs(document, file, '{ source { A } return { B } }\n');
  expect([editor.rangeOf(file), editor.valueOf(file, 'Region')]).toEqual(['last 7 days', 'eu-west-1']);
});

test('it takes the place of what an overwritten file had, and leaves it what it does not name itself', async () => {
  const editor = createEditor();
  await editor.choose(file, 'today');
  await editor.give(file, 'Region', 'us-east-1');
  await editor.give(file, 'Port', '22');
  const document = editor.open(untitled, query);
  await editor.choose(untitled, 'last 7 days');
  await editor.give(untitled, 'Region', 'eu-west-1');
  // Chosen for the file later: the text that overwrites it counts all the same.
  await editor.choose(file, 'yesterday');
  editor.saveAs(document, file);
  expect(editor.rangeOf(file)).toBe('last 7 days');
  expect([editor.valueOf(file, 'Region'), editor.valueOf(file, 'Port')]).toEqual(['eu-west-1', '22']);
});

test('a file that had something keeps it when a text comes for which nothing was chosen', async () => {
  const editor = createEditor();
  await editor.choose(file, 'today');
  editor.saveAs(editor.open(untitled, query), file);
  expect(editor.rangeOf(file)).toBe('today');
});

test('the next unsaved text, which has the same name, begins with nothing', async () => {
  const editor = createEditor();
  for (const end of [
    (document: ReturnType<typeof editor.open>) => editor.saveAs(document, file),
    (document: ReturnType<typeof editor.open>) => editor.close(document),
  ]) {
    const document = editor.open(untitled, query);
    await editor.choose(untitled, 'last 7 days');
    await editor.give(untitled, 'Region', 'eu-west-1');
    end(document);
    expect([editor.rangeOf(untitled), editor.valueOf(untitled, 'Region')]).toEqual([undefined, undefined]);
  }
});

test('of two unsaved texts that are the same, each file gets what was chosen for its own', async () => {
  const editor = createEditor();
  const [first, second] = [editor.open(untitled, query), editor.open('untitled:Untitled-2', query)];
  await editor.choose(untitled, 'last 7 days');
  await editor.choose('untitled:Untitled-2', 'yesterday');
  editor.saveAs(second, 'file:///second.lql');
  expect(editor.rangeOf(untitled)).toBe('last 7 days');
  editor.saveAs(first, file);
  expect([editor.rangeOf(file), editor.rangeOf('file:///second.lql')]).toEqual(['last 7 days', 'yesterday']);
});

test('a file that another extension laid out before it was written is known all the same', async () => {
  const editor = createEditor();
  const document = editor.open(untitled, query);
  await editor.choose(untitled, 'last 7 days');
  editor.save(editor.open(file, '{\n  source { A }\n  return { B }\n}\n'));
  editor.close(document);
  expect(editor.rangeOf(file)).toBe('last 7 days');
});

test('a file with another text, written at the same moment, gets nothing', async () => {
  const editor = createEditor();
  const document = editor.open(untitled, query);
  await editor.choose(untitled, 'last 7 days');
  editor.save(editor.open(file, '{ source { C } return { D } }'));
  editor.close(document);
  expect(editor.rangeOf(file)).toBeUndefined();
});

test('a file with the same text gets nothing from a text that is thrown away', async () => {
  const editor = createEditor();
  const document = editor.open(untitled, query);
  await editor.choose(untitled, 'last 7 days');
  editor.save(editor.open(file, query));
  vi.advanceTimersByTime(60_000);
  editor.close(document);
  expect(editor.rangeOf(file)).toBeUndefined();
});

test('a change of the language, in which a document is closed and opened again, takes nothing away', async () => {
  const editor = createEditor();
  const document = editor.open(untitled, query);
  await editor.choose(untitled, 'last 7 days');
  editor.changeLanguage(document);
  expect(editor.rangeOf(untitled)).toBe('last 7 days');
});

test('what was chosen for a file goes with it when the file or its folder is renamed', async () => {
  const editor = createEditor();
  await editor.choose(file, 'last 7 days');
  await editor.give(file, 'Region', 'eu-west-1');
  editor.rename('file:///queries', 'file:///lql');
  editor.rename('file:///lql/buckets.lql', 'file:///lql/s3.lql');
  const renamed = 'file:///lql/s3.lql';
  expect([editor.rangeOf(file), editor.valueOf(file, 'Region')]).toEqual([undefined, undefined]);
  expect([editor.rangeOf(renamed), editor.valueOf(renamed, 'Region')]).toEqual(['last 7 days', 'eu-west-1']);
});

test('a file that is closed keeps what was chosen for it', async () => {
  const editor = createEditor();
  const document = editor.open(file, query);
  await editor.choose(file, 'last 7 days');
  editor.close(document);
  expect(editor.rangeOf(file)).toBe('last 7 days');
});
