import * as vscode from 'vscode';

export interface Question<Answer> {
  readonly title: string;
  /** What happens when nothing is chosen. */
  readonly wayOut: string;
  readonly choices: readonly { readonly label: string; readonly detail: string; readonly answer: Answer }[];
  /** Why it is asked, and of what: what is worst comes first, as a narrow window cuts the rest. */
  readonly reasons: readonly { readonly label: string; readonly detail?: string }[];
  /** What it is about, line by line: the question covers what is written behind it. */
  readonly about?: readonly string[];
}

/** More reasons than these nobody reads in a question; the plan has them all. */
const maxReasons = 8;

/** Asks before something is taken away: the way out is what Enter chooses, and what it is about stays readable behind the question. */
export async function askWithWayOut<Answer>(question: Question<Answer>): Promise<Answer | undefined> {
  type Item = vscode.QuickPickItem & { readonly answer?: Answer };
  const { title, wayOut, choices, reasons, about = [] } = question;
  const items: Item[] = [{ label: '$(close) Cancel', detail: wayOut }, ...choices];
  if (reasons.length > 0) items.push({ label: 'why this is asked', kind: vscode.QuickPickItemKind.Separator });
  for (const { label, detail } of reasons.slice(0, maxReasons))
    items.push({ label: `$(warning) ${label}`, ...(detail === undefined ? {} : { detail }) });
  if (reasons.length > maxReasons)
    items.push({ label: `$(warning) … and ${reasons.length - maxReasons} more, in the plan` });
  if (about.length > 0) items.push({ label: 'what changes', kind: vscode.QuickPickItemKind.Separator });
  for (const line of about.slice(0, maxReasons)) items.push({ label: line });
  if (about.length > maxReasons) items.push({ label: `… and ${about.length - maxReasons} more, in the plan` });
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  return picked?.answer;
}
