import type { Page } from 'playwright-core';
import { runCommand } from '../../bed/actions.ts';
import { answerChoice, answerText } from './questions.ts';
import type { SlowService } from './slow-service.ts';

/** Signs in to the service as `acme`, as a person does, and waits until the window is on it. A file with a query must be open. */
export async function signInTo(
  page: Page,
  service: Pick<SlowService, 'url' | 'keyId' | 'secret'>,
  environment: 'Production' | 'Staging' | 'Development' | 'None of these' = 'None of these',
): Promise<void> {
  await runCommand(page, 'LQL: Sign In');
  await answerText(page, service.url);
  await answerText(page, 'acme');
  await answerChoice(page, 'SVC');
  await answerChoice(page, 'The account itself');
  await answerChoice(page, environment);
  await answerChoice(page, 'Read and run only');
  await answerText(page, service.keyId);
  await answerText(page, service.secret);
  await page.locator('.statusbar-item[id*="lql.account"]', { hasText: 'acme' }).waitFor({ timeout: 60_000 });
  await runCommand(page, 'Notifications: Clear All Notifications');
}
