// Whose code is in the bundles, and under which licence.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** Licences that allow shipping inside a closed or open program with nothing but their text. */
export const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/**
 * The npm packages of which code went into the outputs, by name.
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function packagesOf(metafiles) {
  const packages = new Map();
  for (const metafile of metafiles) {
    const inputs = Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    );
    for (const input of inputs) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
      if (!folder || packages.has(folder)) continue;
      const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
      packages.set(folder, {
        name: manifest.name,
        version: manifest.version,
        licence: manifest.license ?? 'none',
        folder,
      });
    }
  }
  return [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text that travels with the bundles: every package with its licence. */
export function noticesOf(packages) {
  const parts = packages.map(({ name, version, licence, folder }) => {
    const text = licenceText(path.join(root, folder));
    return `${name} ${version} (${licence})\n\n${text.trim()}\n`;
  });
  const head = 'LQL Studio contains code of the following packages.\n';
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file ? readFileSync(path.join(folder, file), 'utf8') : 'The package names its licence without a text.';
}
