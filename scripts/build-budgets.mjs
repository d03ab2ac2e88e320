// How big things may be, in bytes after minification. One place; a change here is a decision and belongs into a commit of
// its own with its reason.

/** `start`: what is read before any dynamic import. `all`: every file of the bundle, without source maps. */
const budgets = {
  extension: { start: 150_000, all: 2_300_000 },
  server: { start: 300_000, all: 1_000_000 },
  platform: { start: 900_000, all: 1_200_000 },
  cli: { start: 150_000, all: 2_400_000 },
  webview: { start: 300_000, all: 300_000 },
};

/** The packaged extension, compressed. */
export const packageBudget = 3_000_000;

/** Prints a line a bundle and answers with what is over budget, as sentences. */
export function checkBudgets(bundles) {
  const problems = [];
  for (const { name, files, atStart } of bundles) {
    const code = [...files.keys()].filter((place) => !place.endsWith('.map'));
    const sizes = { start: total(files, atStart), all: total(files, code) };
    const budget = budgets[name] ?? budgets[name.split('/')[0]];
    if (!budget) problems.push(`The bundle ${name} has no size budget. Give it one in scripts/build-budgets.mjs.`);
    for (const kind of ['start', 'all']) {
      if (budget && sizes[kind] > budget[kind]) {
        problems.push(
          `The bundle ${name} is too big: ${kind === 'start' ? 'code read at start' : 'all code'} is ${kb(sizes[kind])}, ` +
            `the budget ${kb(budget[kind])}. Load what is not needed at once by \`await import()\`, or use less.`,
        );
      }
    }
    console.log(`  ${name.padEnd(20)} at start ${kb(sizes.start).padStart(9)}   all ${kb(sizes.all).padStart(9)}`);
  }
  return problems;
}

/** Prints, for each bundle, the folders and packages that make up the code read at start. */
export function printSizes(bundles) {
  for (const { name, atStart, metafile } of bundles) {
    const sums = new Map();
    for (const place of atStart) {
      for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[`dist/${place}`]?.inputs ?? {})) {
        const group = /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? input;
        sums.set(group, (sums.get(group) ?? 0) + bytesInOutput);
      }
    }
    console.log(`\n${name}`);
    const sorted = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 20);
    for (const [group, bytes] of sorted) console.log(`  ${kb(bytes).padStart(9)}  ${group}`);
  }
}

export const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

function total(files, places) {
  return places.reduce((sum, place) => sum + Buffer.byteLength(files.get(place) ?? ''), 0);
}
