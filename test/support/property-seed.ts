import fc from 'fast-check';

/*
 * Properties are tried with the same random values in every ordinary run, so that a run says something about a change and not about luck.
 * `SEED=n` takes other values; the deep run (`DEEP=1`) and the fuzzer look for new ones each time and print theirs.
 */
const seed = process.env['SEED'] ?? (process.env['DEEP'] ? undefined : '20261120');
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
