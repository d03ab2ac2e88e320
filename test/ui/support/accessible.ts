import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Nothing that axe knows to be in a person's way, in the page as it is now. */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  // Handed over as text through the debugger, which the page's own security policy does not bind.
  await page.evaluate(readFileSync(axe, 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
  expect(violations).toEqual([]);
}
