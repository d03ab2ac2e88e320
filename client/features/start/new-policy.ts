import * as vscode from 'vscode';

/** A query and the policy that runs it, with a stop at each place that has to be filled. Checked as every content file is. */
function newPolicy(vendorPrefix: string): vscode.SnippetString {
  return new vscode.SnippetString('# The query finds what is wrong: every row is a finding, named by RESOURCE_KEY.\n')
    .appendText('queryId: ')
    .appendPlaceholder('My_Public_Buckets', 1)
    .appendText(`\nqueryText: |-\n  {\n    source {\n      ${vendorPrefix}_CFG_AWS_S3\n    }\n    filter {\n      `)
    .appendPlaceholder("RESOURCE_REGION = 'us-east-1'", 2)
    .appendText('\n    }\n    return distinct {\n      ACCOUNT_ID,\n      ARN as RESOURCE_KEY,\n')
    .appendText('      RESOURCE_REGION,\n      RESOURCE_TYPE,\n      SERVICE\n    }\n  }\n---\n')
    .appendText(
      '# The policy runs the query on a schedule. $account is replaced by the name of the account it is deployed to.\n',
    )
    .appendText('policyId: $account-')
    .appendPlaceholder('buckets-1', 3)
    .appendText('\ntitle: ')
    .appendPlaceholder('Bucket is where it should not be', 4)
    .appendText('\ndescription: ')
    .appendPlaceholder('What a row means, and why somebody should care.', 5)
    .appendText('\nremediation: ')
    .appendPlaceholder('What to do about it.', 6)
    .appendText('\nseverity: ')
    .appendPlaceholder('medium', 7)
    .appendText('\nenabled: true\n# Findings only, until you have seen what it finds.\nalertEnabled: false\n')
    .appendText(`alertProfile: ${vendorPrefix}_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_NewViolation\nqueryId: `)
    .appendPlaceholder('My_Public_Buckets', 1)
    .appendText('\n');
}

/** An unsaved document; in a workspace with a place of its own, so that saving it puts it where deployments look for it. */
export async function openNewPolicy(vendorPrefix: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const place = folder && (await freePlace(vscode.Uri.joinPath(folder, 'policies')));
  const document = place
    ? await vscode.workspace.openTextDocument(place.with({ scheme: 'untitled' }))
    : await vscode.workspace.openTextDocument({ language: 'yaml', content: '' });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(newPolicy(vendorPrefix));
}

async function freePlace(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let count = 1; ; count++) {
    const uri = vscode.Uri.joinPath(folder, count === 1 ? 'my-policy.yaml' : `my-policy-${count}.yaml`);
    const taken =
      vscode.workspace.textDocuments.some((document) => document.uri.path === uri.path) ||
      (await vscode.workspace.fs.stat(uri).then(
        () => true,
        () => false,
      ));
    if (!taken) return uri;
  }
}
