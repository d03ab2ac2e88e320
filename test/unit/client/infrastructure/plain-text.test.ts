import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLabel, plainMessage } from '../../../../client/infrastructure/plain-text.ts';
import { repoRoot } from '../../../harness/paths.ts';

// As VS Code reads them: src/vs/base/browser/ui/iconLabel/iconLabels.ts and src/vs/base/common/linkedText.ts.
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/;
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const piece = fc.constantFrom('$', '(', ')', '[', ']', 'flame', 'command:x', 'https://x.example', ' ', '\\', 'a');
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

test('no label holds a picture, whatever its text', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(plainLabel(given)).not.toMatch(icon);
      expect(plainLabel(given).replaceAll('\u200b', '')).toBe(given);
    }),
  );
});

test('no message holds a link, whatever its text', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(plainMessage(given)).not.toMatch(link);
      expect(plainMessage(given).replaceAll('\u200b', '')).toBe(given);
    }),
  );
});

test('what would turn or hide a label is spelled out', () => {
  expect(plainLabel('acme \u202eNOITCUDORP\u0000\nx')).toBe('acme \\u202eNOITCUDORP\\u0000 x');
});

test('no notification of the extension is put together without it', () => {
  const client = path.join(repoRoot, 'client');
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const beginnings = files.flatMap((file) =>
    readFileSync(path.join(client, file), 'utf8')
      .split(/show(?:Information|Warning|Error)Message\(/)
      .slice(1)
      .map((after) => after.replace(/\s+/g, ' ').trim())
      // Questions that stand before the window show their text as it is: VS Code reads no links in them.
      .filter((after) => !/^(?:`[^`]*`|\w+), \{ modal: true/.test(after))
      .map((after) => `${file}: ${after.slice(0, 60)}`),
  );
  expect(beginnings.length).toBeGreaterThan(15);
  expect(beginnings.filter((text) => !/: (?:plainMessage\(|')/.test(text))).toEqual([]);
});
