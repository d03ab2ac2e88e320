import * as vscode from 'vscode';
import { assertNever } from '../../../server/core/assert-never.ts';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import { querySelector } from '../../infrastructure/query-editors.ts';

/** The language server's health, one hover away in the status bar's language item. */
export function createLanguageStatus(language: LanguageServer): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('lql.languageServer', [...querySelector]);
  item.name = 'LQL language server';
  item.text = 'LQL language server';
  item.command = { command: 'lql.restartLanguageServer', title: 'Restart' };
  const update = (): void => {
    item.busy = false;
    item.severity = vscode.LanguageStatusSeverity.Information;
    const { state } = language;
    switch (state) {
      case 'running':
        item.detail = 'is running';
        break;
      case 'starting':
        item.detail = 'is starting';
        item.busy = true;
        break;
      case 'stopped':
        item.detail = 'is stopped';
        break;
      case 'failed':
        item.detail = 'does not run: no diagnostics, no completion';
        item.severity = vscode.LanguageStatusSeverity.Error;
        break;
      default:
        assertNever(state);
    }
  };
  update();
  return vscode.Disposable.from(item, language.onDidChangeState(update));
}
