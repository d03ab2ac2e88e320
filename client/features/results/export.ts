import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type ExportFormat, exportRows } from '../../../server/core/results/export.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import { describeExport } from './export-record.ts';
import type { Run } from './run.ts';

const formats: readonly { readonly label: string; readonly format: ExportFormat; readonly extension: string }[] = [
  { label: 'CSV', format: 'csv', extension: 'csv' },
  { label: 'TSV', format: 'tsv', extension: 'tsv' },
  { label: 'JSON', format: 'json', extension: 'json' },
  { label: 'JSON lines', format: 'ndjson', extension: 'ndjson' },
  { label: 'Markdown', format: 'markdown', extension: 'md' },
];

/**
 * Asks for a format and a file and writes the rows there, with progress and cancel. Where they come from is recorded: above the rows in
 * Markdown, else in a file beside it. Resolves to the file, undefined when given up.
 */
export async function exportRun(run: Run, scope: 'shown' | 'all'): Promise<vscode.Uri | undefined> {
  const rows = scope === 'shown' ? run.shown : Uint32Array.from({ length: run.store.rowCount }, (_, row) => row);
  const picked = await vscode.window.showQuickPick(
    formats.map((entry) => ({ ...entry, description: `.${entry.extension}` })),
    { title: `Export ${rows.length.toLocaleString()} rows`, placeHolder: 'Format' },
  );
  if (!picked) return undefined;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${run.title.replace(/\.[a-z]+$/i, '').replace(/[^\w.-]+/g, '-')}.${picked.extension}`;
  const target = await vscode.window.showSaveDialog({
    title: `Export ${rows.length.toLocaleString()} rows`,
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
    filters: { [picked.label]: [picked.extension] },
  });
  if (!target) return undefined;
  const { order } = run.layout;
  const columns = scope === 'shown' ? order : run.store.columns.map((_, column) => column);
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Exporting ${plainLabel(name)}`, cancellable: true },
    async (_, token) => {
      const record = describeExport({
        title: run.title,
        description: run.description,
        startedAt: run.startedAt,
        exportedAt: Date.now(),
        rowCount: rows.length,
        wholeCount: run.store.rowCount,
        note: run.view().note,
      });
      const inside = picked.format === 'markdown';
      const parts: Buffer[] = inside ? [Buffer.from(`${record}\n`, 'utf8')] : [];
      for (const part of exportRows(run.store, { rows, columns, header: true }, picked.format)) {
        parts.push(Buffer.from(part, 'utf8'));
        await setImmediate();
        if (token.isCancellationRequested) return undefined;
      }
      await vscode.workspace.fs.writeFile(target, Buffer.concat(parts));
      if (!inside) await vscode.workspace.fs.writeFile(recordBeside(target), Buffer.from(record, 'utf8'));
      return target;
    },
  );
}

/** `rows.csv.about.md` beside `rows.csv`. */
function recordBeside(file: vscode.Uri): vscode.Uri {
  return file.with({ path: `${file.path}.about.md` });
}
