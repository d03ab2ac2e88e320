/**
 * Entry of `dist/server.js`. `--stdio` for any editor; VS Code starts it with `--node-ipc`. Whatever the protocol's library
 * understands on the command line (`--socket=…`, `--pipe=…`) works as well.
 */
import { setFlagsFromString } from 'node:v8';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startLanguageServer } from './server.ts';

// Reading a catalog makes garbage once. With its defaults V8 lets the space for young objects grow to many times what checking a
// query needs, and keeps it: about 10 MB of resident memory for nothing.
setFlagsFromString('--semi-space-growth-factor=1');

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
