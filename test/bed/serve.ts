// `npm start` where no VS Code is installed: the bed's server, for the person's own browser, until Ctrl-C.
import path from 'node:path';
import { addressOf, makeProfile, runCodeServer, startServer } from './index.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const own = path.join(root, 'out', 'profile');

const profile = makeProfile({
  userDataDir: path.join(own, 'user-data'),
  extensionsDir: path.join(own, 'extensions'),
  settings: { 'files.simpleDialog.enable': false, 'git.enabled': true },
});
runCodeServer(profile, ['--force', '--install-extension', path.join(root, 'out', 'lql-studio.vsix')]);
const server = await startServer({ profile, idleTimeoutSeconds: 24 * 3600 });
console.log(`Open ${addressOf(server, { folder: path.join(root, 'examples') })}`);
console.log('Press Ctrl-C to end.');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await server.stop();
    profile.remove();
    process.exit(0);
  });
}
