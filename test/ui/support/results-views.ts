import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../bed/index.ts';
import { openResults, type ResultsPage, type ResultsPageOptions } from './results-page.ts';

/** Where pictures of the view go. */
export const shots = 'out/screenshots';

/** Waits longer than a unit test would: the browser shares the machine with a VS Code. */
export const until = <Value>(get: () => Value): ReturnType<typeof expect.poll<Value>> =>
  expect.poll(get, { timeout: 10_000 });

/** Opens the results view of a test, in one browser for its file; it is closed after the test, and must have kept the rules of its page. */
export function useResultsViews(): (options?: ResultsPageOptions) => Promise<ResultsPage> {
  let browser: Browser;
  let view: ResultsPage;
  beforeAll(async () => {
    mkdirSync(shots, { recursive: true });
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const { violations } = view;
    await view.close();
    expect(violations).toEqual([]);
  });
  return async (options) => {
    view = await openResults(browser, options);
    return view;
  };
}
