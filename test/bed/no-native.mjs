// code-server is installed without install scripts: nothing is compiled, which saves two minutes and a C++ tool-chain.
// Two of VS Code's native modules are then missed, and plain JavaScript stands in for them:
//   @vscode/spdlog           the log files of the server and of the extension host
//   @vscode/native-watchdog  ends an extension host whose server is gone
// (node-pty, ripgrep, @parcel/watcher and argon2 ship binaries in their npm packages; kerberos, sqlite3 and deviceid are
// not needed to edit files.)
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const spdlog = `'use strict';
const fs = require('fs');
const path = require('path');
const names = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
class Logger {
  constructor(type, name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
  }
  write(level, text) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      fs.appendFileSync(this.file, this.raw ? String(text) : time + ' [' + names[level] + '] ' + text + '\\n');
    } catch {}
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.raw = true; }
  flush() {}
  drop() {}
}
names.forEach((name, level) => { Logger.prototype[name] = function (text) { this.write(level, text); }; });
exports.version = 0;
exports.setLevel = exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (...args) => new Logger('rotating', ...args);
exports.createAsyncRotatingLogger = async (...args) => new Logger('rotating_async', ...args);
`;

const watchdog = `'use strict';
exports.start = (pid) => {
  setInterval(() => { try { process.kill(pid, 0); } catch { process.exit(87); } }, 2000).unref();
};
exports.exit = (code) => process.exit(code || 0);
`;

/** Puts the stand-ins into VS Code's node_modules, for each module whose binary is not there. */
export function replaceNativeModules(modules) {
  for (const [name, binary, source] of [
    ['spdlog', 'spdlog.node', spdlog],
    ['native-watchdog', 'watchdog.node', watchdog],
  ]) {
    const folder = path.join(modules, '@vscode', name);
    if (!existsSync(path.join(folder, 'build', 'Release', binary)))
      writeFileSync(path.join(folder, 'index.js'), source);
  }
}
