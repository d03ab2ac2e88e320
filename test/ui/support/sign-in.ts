import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readNotifications, runCommand } from '../../bed/actions.ts';
import { answerChoice, answerText } from './questions.ts';
import type { SlowService } from './slow-service.ts';

interface SignIn {
  readonly name: string;
  readonly environment: 'Production' | 'Staging' | 'Development' | 'None of these';
  readonly access: 'Read and run only' | 'Read, run and write';
}

type Service = Pick<SlowService, 'url' | 'keyId' | 'secret'>;

/** Answers all that is asked of a person who signs in to the service. */
async function answerSignIn(page: Page, service: Service, { name, environment, access }: SignIn): Promise<void> {
  await runCommand(page, 'LQL: Sign In');
  await answerText(page, service.url);
  await answerText(page, name);
  await answerChoice(page, 'SVC');
  await answerChoice(page, 'The account itself');
  await answerChoice(page, environment);
  await answerChoice(page, access);
  await answerText(page, service.keyId);
  await answerText(page, service.secret);
}

/** Signs in to the service as `acme`, as a person does, and waits until the window is on it. A file with a query must be open. */
export async function signInTo(
  page: Page,
  service: Service,
  environment: SignIn['environment'] = 'None of these',
): Promise<void> {
  await answerSignIn(page, service, { name: 'acme', environment, access: 'Read and run only' });
  await page.locator('.statusbar-item[id*="lql.account"]', { hasText: 'acme' }).waitFor({ timeout: 60_000 });
  await runCommand(page, 'Notifications: Clear All Notifications');
}

/** Signs in to the service, to write there unless something else is said, and waits until the window says that it did. */
export async function signInAs(page: Page, service: Service, as: Partial<SignIn> = {}): Promise<void> {
  await answerSignIn(page, service, {
    name: 'acme',
    environment: 'None of these',
    access: 'Read, run and write',
    ...as,
  });
  await expect
    .poll(() => readNotifications(page), { timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/^Signed in to/));
  await runCommand(page, 'Notifications: Clear All Notifications');
}
