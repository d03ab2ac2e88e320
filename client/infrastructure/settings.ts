import * as vscode from 'vscode';
import type { Setting } from './setting.ts';

export function readSetting<T>(setting: Setting<T>, scope?: vscode.ConfigurationScope): T {
  const { section, name } = split(setting.key);
  const configuration = vscode.workspace.getConfiguration(section, scope);
  const value: unknown = setting.userOnly ? configuration.inspect(name)?.globalValue : configuration.get(name);
  return (value === undefined ? undefined : setting.parse(value)) ?? setting.fallback;
}

/** Writes a setting into the user's settings. */
export async function writeUserSetting<T>(setting: Setting<T>, value: T): Promise<void> {
  const { section, name } = split(setting.key);
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}

export function onSettingChange<T>(setting: Setting<T>, changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting.key)) changed();
  });
}

function split(key: string): { section: string; name: string } {
  const dot = key.lastIndexOf('.');
  return { section: key.slice(0, dot), name: key.slice(dot + 1) };
}
