import * as vscode from 'vscode';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import { accountKey } from '../../infrastructure/session/catalog-cache.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import { parseOneOf, type Setting } from '../../infrastructure/setting.ts';
import { readSetting } from '../../infrastructure/settings.ts';

/** Read from the user's settings alone: a repository must not be able to silence the question. */
const confirmProductionSetting: Setting<'once' | 'always' | 'never'> = {
  key: 'lql.run.confirmProduction',
  fallback: 'once',
  parse: parseOneOf('once', 'always', 'never'),
  userOnly: true,
};

/** Asks before a query runs on a production account: once in a window for each account, unless the person wants it otherwise. */
export interface ProductionGuard {
  /**
   * Throws CancellationError when the person does not want the run. `agreed` is the account they have just chosen by its name, if any: it
   * is not asked for a second time.
   */
  confirm(profile: Profile, agreed?: Profile): Promise<void>;
}

export function createProductionGuard(): ProductionGuard {
  const confirmed = new Set<string>();
  return {
    async confirm(profile, agreed) {
      if (!isProduction(profile)) return;
      const setting = readSetting(confirmProductionSetting);
      const key = `${profile.origin} ${profileLabel(profile)}`;
      if (agreed && accountKey(agreed) === accountKey(profile)) {
        confirmed.add(key);
        return;
      }
      if (setting === 'never' || (setting === 'once' && confirmed.has(key))) return;
      const run = {
        label: `$(flame) Run on ${plainLabel(profileLabel(profile))}`,
        description: new URL(profile.origin).host,
        detail: setting === 'once' ? 'Not asked again for this account in this window' : '',
      };
      const elsewhere = { label: '$(arrow-swap) Switch to another account…' };
      const picked = await vscode.window.showQuickPick<vscode.QuickPickItem>([run, elsewhere], {
        title: 'PRODUCTION',
        placeHolder: `${profileLabel(profile)} is a production account. Run the query there?`,
      });
      if (picked === run) {
        confirmed.add(key);
        return;
      }
      if (picked === elsewhere) await vscode.commands.executeCommand('lql.switchAccount');
      throw new vscode.CancellationError();
    },
  };
}

export function isProduction(profile: Profile): profile is Extract<Profile, { kind: 'remote' }> {
  return profile.kind === 'remote' && profile.environment === 'production';
}

/** The account as it stands beside a run's rows: production says so. */
export function runLabel(profile: Profile): string {
  return isProduction(profile) ? `${profileLabel(profile)} (PRODUCTION)` : profileLabel(profile);
}
