import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type ApiClient, createApiClient } from '../../../server/api/client.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../server/api/transport/undici.ts';
import { editorOf, enterText, openFile, runCommand } from '../../bed/actions.ts';
import { answerChoice } from './questions.ts';
import type { Studio } from './studio.ts';

/** The console of the account: another client of the window's local platform, once that has started. */
export async function consoleOf({ userDataDir }: Studio): Promise<ApiClient> {
  const storage = path.join(userDataDir, 'User', 'globalStorage');
  const lockFile = (): string | undefined =>
    (existsSync(storage) ? readdirSync(storage) : [])
      .map((name) => path.join(storage, name, 'local-platform', 'platform.lock'))
      .find((file) => existsSync(file));
  const read = (): { url?: string; keyId?: string; secret?: string } => {
    const file = lockFile();
    try {
      return file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // Written just now.
      return {};
    }
  };
  await vi.waitUntil(() => read().url !== undefined, { timeout: 60_000, interval: 100 });
  const { url = '', keyId = '', secret = '' } = read();
  return createApiClient({
    origin: url,
    vendorPrefix: 'SVC',
    keyId,
    secret: createSecret(secret),
    transport: createUndiciTransport(),
  });
}

/** Waits until the active editor shows a text, whatever its blanks and line breaks. */
export async function editorShows(page: Page, text: string): Promise<void> {
  const wanted = text.replace(/\s+/g, ' ');
  const shown = async (): Promise<string> => ((await editorOf(page).textContent()) ?? '').replace(/\s+/g, ' ');
  await expect.poll(shown, { timeout: 20_000 }).toContain(wanted);
}

export async function answerNotification(page: Page, question: string, button: string): Promise<void> {
  const notification = page.locator('.notification-toast', { hasText: question }).first();
  await notification.waitFor({ timeout: 15_000 });
  await notification.locator('.monaco-button', { hasText: button }).first().click();
}

export async function setTheme(page: Page, theme: string): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await answerChoice(page, theme);
}

/** Opens a file that was written a moment ago: a list of files that is older than it is asked for again. */
export async function openNewFile(page: Page, name: string): Promise<void> {
  const row = page.locator(`.quick-input-list .monaco-list-row[aria-label^="${name}"]`).first();
  for (let tries = 0; tries < 5; tries++) {
    await page.keyboard.press('ControlOrMeta+P');
    await enterText(page.locator('.quick-input-widget input.input'), name);
    const listed = await row.waitFor({ timeout: 4000 }).then(
      () => true,
      () => false,
    );
    await page.keyboard.press('Escape');
    if (listed) return openFile(page, name);
  }
  throw new Error(`${name} is not among the files of the folder.`);
}
