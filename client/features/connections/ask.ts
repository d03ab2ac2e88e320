import * as vscode from 'vscode';

/** Questions that follow one another under one title. Each answers undefined when the person leaves. */
export interface Questions {
  text(question: TextQuestion): Promise<string | undefined>;
  choice<Value>(placeholder: string, choices: readonly Choice<Value>[]): Promise<Value | undefined>;
}

export interface TextQuestion {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: true;
  /** What is wrong with the answer; undefined when nothing is. */
  readonly check?: (value: string) => string | undefined;
}

export interface Choice<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: Value;
}

export function createQuestions(title: string): Questions {
  return {
    async text({ prompt, placeholder, value, password, check }) {
      const answer = await vscode.window.showInputBox({
        title,
        prompt,
        ignoreFocusOut: true,
        ...(placeholder === undefined ? {} : { placeHolder: placeholder }),
        ...(value === undefined ? {} : { value }),
        ...(password ? { password } : {}),
        ...(check ? { validateInput: (text: string) => check(text.trim()) } : {}),
      });
      return answer?.trim();
    },
    async choice(placeHolder, choices) {
      const picked = await vscode.window.showQuickPick([...choices], { title, placeHolder, ignoreFocusOut: true });
      return picked?.value;
    },
  };
}
