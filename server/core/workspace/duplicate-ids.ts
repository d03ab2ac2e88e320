import { neutralSpelling } from '../documents/resources/check-ids.ts';
import { resourceCodes } from '../language/diagnostics/codes/resource-codes.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import { policyAccountMark } from '../resources/ids.ts';
import type { ContentIndex, Mention } from './content-index.ts';

/** Files that content is deployed from. Other hosts show queries, and other schemes show other times of a file. */
const contentFile = /^(?:(?:file|vscode-remote|vscode-vfs):|(?![A-Za-z][A-Za-z+.-]+:)).*\.(?:lql|ya?ml|json)$/i;

const words = { query: 'query', policy: 'policy', alertProfile: 'alert profile', exception: 'exception' } as const;

/** The ids of a document that other content files of the workspace give, too. Ids given twice within it are found without an index. */
export function duplicateIds(index: ContentIndex, uri: string): readonly Diagnostic[] {
  if (!contentFile.test(uri)) return [];
  const diagnostics: Diagnostic[] = [];
  for (const mention of index.of(uri)) {
    if (!defines(mention)) continue;
    const others = spellings(mention)
      .flatMap((id) => index.definitions(mention.kind, id))
      .filter((other) => defines(other) && other.uri !== uri && contentFile.test(other.uri));
    if (others.length === 0) continue;
    const places = [...new Set(others.map(({ uri: other, from }) => `${nameOf(other)}, line ${from.line + 1}`))];
    const message = `The ${words[mention.kind]} ${mention.id} is also in ${listed(places)}. None of them is deployed until one is left.`;
    diagnostics.push({
      code: 'duplicate-id',
      severity: resourceCodes['duplicate-id'].severity,
      range: mention.range,
      message,
      fixes: [],
    });
  }
  return diagnostics;
}

/** What a policy says of its own query is no second query. */
function defines({ role, by, kind }: Mention): boolean {
  return role === 'definition' && by === kind;
}

function spellings({ kind, id }: Mention): readonly string[] {
  if (kind !== 'policy') return [id];
  const neutral = neutralSpelling(id);
  return neutral.startsWith(policyAccountMark) ? [neutral, neutral.slice(policyAccountMark.length)] : [id];
}

function nameOf(uri: string): string {
  const path = uri.replace(/^[A-Za-z][A-Za-z+.-]+:\/\/[^/]*/, '');
  try {
    return decodeURIComponent(path).split('/').slice(-2).join('/');
  } catch {
    return path;
  }
}

const most = 3;

function listed(places: readonly string[]): string {
  const more = places.length - most;
  return more > 0 ? `${places.slice(0, most).join('; ')} and ${more} more` : places.join('; ');
}
