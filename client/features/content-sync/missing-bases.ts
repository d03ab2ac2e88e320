import * as vscode from 'vscode';
import { countMissingBases, rebuildBases } from '../../../server/api/content/bases-from-git.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import type { ContentState, Known } from './content-state.ts';

export interface MissingBases extends vscode.Disposable {
  /** Looks in the history of the repository for what files and account had in common. */
  rebuildBases(): Promise<void>;
}

const missingKey = 'lql.basesMissing';

/** A clone has the lock and none of the base contents: without them nobody can say which side changed. The repository's history has them. */
export function createMissingBases({ log }: Services, state: ContentState): MissingBases {
  // Once a folder and account: who said no is not asked at every save.
  const asked = new Set<string>();

  async function rebuild(): Promise<void> {
    const rebuilt = await state.alone('Looking for bases in the history of git', async (options) => {
      const found = await rebuildBases(options);
      if (found) await state.compareIn(options);
      return found;
    });
    if (!rebuilt)
      throw new UserError(
        'The folder of the content is in no git repository, or git is not installed. Compare the objects one by one and decide which side holds.',
      );
    const { found, missing } = rebuilt;
    const objects = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;
    const rest = missing === 0 ? '' : ` The history has nothing of ${objects(missing)}: compare and decide those.`;
    const text = found + missing === 0 ? 'No base is missing.' : `Found the bases of ${objects(found)}.${rest}`;
    void vscode.window.showInformationMessage(plainMessage(text));
  }

  async function look(known: Known | undefined): Promise<void> {
    const isSuspect = known?.comparison.comparisons.some(({ base, local, remote }) => !base && local && remote);
    const count = known && isSuspect ? await countMissingBases(known.options) : 0;
    await vscode.commands.executeCommand('setContext', missingKey, count > 0);
    const place = known && `${known.options.account.id}\n${known.options.root}`;
    if (count === 0 || place === undefined || asked.has(place)) return;
    asked.add(place);
    const choice = 'Rebuild Bases from Git';
    const objects = count === 1 ? 'one object' : `${count} objects`;
    const picked = await vscode.window.showInformationMessage(
      plainMessage(
        `Of ${objects}, nothing on this computer says what files and account had in common. The history of git may know.`,
      ),
      choice,
    );
    if (picked === choice) await vscode.commands.executeCommand('lql.rebuildBases');
  }

  const watching = state.onDidChange((known) => {
    look(known).catch((error: unknown) => log.debug(`Missing bases could not be counted: ${String(error)}`));
  });
  return {
    rebuildBases: rebuild,
    dispose: () => watching.dispose(),
  };
}
