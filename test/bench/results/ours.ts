import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Frame } from 'playwright-core';
import type { FromResultsView } from '../../../client/protocol/results.ts';
import { finish } from '../../support/finish.ts';
import { createHost, type ResultsHost, viewFiles } from '../../ui/support/results-page.ts';
import type { Grid, GridPage } from './grid-page.ts';
import type { Probe } from './page/probe.ts';
import { benchRows, columnNames } from './rows.ts';
import { frameBridge, openShell, type Shell } from './shell.ts';

/** Our view with the host's real code in this process; every message crosses from process to process as JSON text. */
export const ourGrid: Grid = { name: 'LQL Studio', searches: true, open: openOurs };

/** Milliseconds between the filter dialog being opened and the first input in it. */
const beforeTyping = 300;

interface WithProbe {
  readonly probe: Probe;
}

/** The view in its frame and the host behind it, with a run that is under way. */
export async function openView(browser: Browser): Promise<{ readonly shell: Shell; readonly host: ResultsHost }> {
  let ready: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const early: string[] = [];
  let shell: Shell | undefined;
  const host = createHost(async (message) => {
    const text = JSON.stringify(message);
    if (shell) shell.post(text);
    else early.push(text);
  });
  shell = await openShell(
    browser,
    viewFiles('dark', frameBridge),
    (message) => {
      const said = message as FromResultsView;
      if (said.kind === 'ready') ready?.();
      void host.handle(said);
    },
    (message) => console.error(`LQL Studio: ${message}`),
  );
  for (const message of early) shell.post(message);
  await begun;
  return { shell, host };
}

async function openOurs(browser: Browser, count: number): Promise<GridPage> {
  const { shell, host } = await openView(browser);
  const { frame } = shell;
  const { run } = host;
  await frame.evaluate(await probeText());
  let rows = benchRows(count);
  return {
    async load(first) {
      const seen = frame.evaluate((text) => (globalThis as unknown as WithProbe).probe.locate(text), first);
      // The page has begun to look before the rows arrive.
      await frame.evaluate(() => undefined);
      const start = performance.timeOrigin + performance.now();
      run.succeed(rows, 0, undefined);
      const painted = await seen;
      rows = [];
      // Columns are made behind the first rows, in turns; sorts are measured once they are there.
      finish(run.store.settle());
      return painted - start;
    },
    sort: (column, _numeric, first) => press(frame, { kind: 'sort', column }, first),
    filter: (column, needle, first) => press(frame, { kind: 'filter', column, needle }, first),
    search: (needle, first) => press(frame, { kind: 'search', needle }, first),
    clear: async (first) => void (await press(frame, { kind: 'clear' }, first)),
    scroll: (by, steps) =>
      frame.evaluate(([n, times]) => (globalThis as unknown as WithProbe).probe.scroll(n, times), [by, steps] as const),
    heldMb: () => shell.heldMb(),
    close: () => shell.close(),
  };
}

async function probeText(): Promise<string> {
  const entry = path.join(import.meta.dirname, 'page', 'our-page.ts');
  const result = await build({ entryPoints: [entry], bundle: true, write: false, format: 'iife', logLevel: 'error' });
  return result.outputFiles[0]?.text ?? '';
}

type Action =
  | { readonly kind: 'sort'; readonly column: string }
  | { readonly kind: 'filter'; readonly column: string; readonly needle: string }
  | { readonly kind: 'search'; readonly needle: string }
  | { readonly kind: 'clear' };

/** Does what a person does with mouse and keys; milliseconds from the last click or key until `first` is painted on top. */
function press(frame: Frame, action: Action, first: string): Promise<number> {
  const column = 'column' in action ? columnNames.indexOf(action.column) : 0;
  return frame.evaluate(
    async ({ what, position, expected, beforeTyping }) => {
      const { probe } = globalThis as unknown as WithProbe;
      const one = <Kind extends Element>(selector: string, like = ''): Kind => {
        const found = [...document.querySelectorAll<Kind>(selector)].find((element) =>
          (element.textContent + (element.getAttribute('aria-label') ?? '')).includes(like),
        );
        if (!found) throw new Error(`No ${selector} ${like}`);
        return found;
      };
      const header = document.querySelectorAll<HTMLElement>('.header-cell')[position + 1];
      let last: () => void;
      if (what.kind === 'sort') last = () => header?.click();
      else if (what.kind === 'clear') last = () => one<HTMLElement>('button', 'Clear sorting and filters').click();
      else if (what.kind === 'search') {
        const box = one<HTMLInputElement>('input.search');
        last = () => {
          box.value = what.needle;
          box.dispatchEvent(new Event('input'));
          box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
        };
      } else {
        header?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }));
        one<HTMLElement>('[role=menuitem]', 'Filter…').click();
        const box = one<HTMLInputElement>('.filter-dialog input');
        // Nobody types before the dialog is there: its own frame is no part of the filter.
        await new Promise((resolve) => setTimeout(resolve, beforeTyping));
        last = () => {
          box.value = what.needle;
          box.dispatchEvent(new Event('input'));
        };
      }
      const start = probe.now();
      const taken = (await probe.shows(expected, last)) - start;
      // The rows have been there since the last key; this only closes the dialog.
      if (what.kind === 'filter') one<HTMLElement>('.filter-dialog button', 'Apply').click();
      return taken;
    },
    { what: action, position: column, expected: first, beforeTyping },
  );
}
