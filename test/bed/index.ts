// A real VS Code that tests can start: its server, its profile, its window.
export { makeProfile, type Profile, type ProfileOptions, runCodeServer } from './profile.ts';
export { type CodeServer, type ServerOptions, startServer } from './server.ts';
export {
  addressOf,
  launchBrowser,
  openWorkbench,
  type Workbench,
  type WorkbenchOptions,
} from './workbench.ts';
