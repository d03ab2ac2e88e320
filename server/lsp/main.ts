/**
 * Entry of `dist/server.js`. `--stdio` for any editor; VS Code starts it with `--node-ipc`. Whatever the protocol's library
 * understands on the command line (`--socket=…`, `--pipe=…`) works as well.
 */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startLanguageServer } from './server.ts';

const channels = ['--stdio', '--node-ipc', '--socket', '--pipe', '--port'];

if (
  channels.some((channel) =>
    process.argv.some((argument) => argument === channel || argument.startsWith(`${channel}=`)),
  )
) {
  startLanguageServer(createConnection(ProposedFeatures.all));
} else {
  process.stderr.write(
    'The LQL language server speaks the Language Server Protocol. Start it with --stdio, and let an editor talk to it.\n',
  );
  process.exitCode = 2;
}
