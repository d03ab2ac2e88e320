import { expect, test } from 'vitest';
import { bundleAll } from '../../scripts/build.mjs';
import { allowedLicences, packagesOf } from '../../scripts/build-licences.mjs';

test('every package in a bundle has a licence that allows shipping it', { timeout: 60_000 }, async () => {
  const { bundles } = await bundleAll();
  const packages = packagesOf(bundles.map((bundle) => bundle.metafile));
  expect(packages.length).toBeGreaterThan(0);
  const refused = packages.filter(({ licence }) => !allowedLicences.has(licence));
  expect(refused.map(({ name, version, licence }) => `${name}@${version}: ${licence}`)).toEqual([]);
});
