// Loaded before a test run whose leavings are to be searched: what tests delete from the folder for temporary files is copied aside first.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const kept = process.env.LQL_KEPT_ARTEFACTS;
const { rm } = fs.promises;
const { rmSync } = fs;
let count = 0;

function keep(target) {
  const from = path.resolve(String(target));
  if (!from.startsWith(tmpdir() + path.sep) || from.startsWith(kept) || !fs.existsSync(from)) return;
  fs.cpSync(from, path.join(kept, `${process.pid}-${count++}`, path.basename(from)), { recursive: true });
}

if (kept !== undefined) {
  fs.promises.rm = (target, options) => {
    keep(target);
    return rm(target, options);
  };
  fs.rmSync = (target, options) => {
    keep(target);
    rmSync(target, options);
  };
  syncBuiltinESMExports();
}
