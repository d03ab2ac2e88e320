import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCorpusFile, repoRoot } from '../harness/paths.ts';

export interface CorpusQuery {
  readonly id: string;
  readonly text: string;
  /** It has parts to be filled in. */
  readonly template: boolean;
  readonly parses: boolean;
}

export interface BadText {
  readonly id: string;
  readonly text: string;
  /** How sure it is that the service refuses it. */
  readonly confidence: string;
}

export const queriesFile = findCorpusFile('queries.jsonl');
export const badFile = findCorpusFile('bad.jsonl');

function readLines<T>(file: string | undefined): readonly T[] {
  if (file === undefined) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as T);
}

/** The queries that can be judged: whole texts that parse. None where the corpus is absent. */
export function readCorpusQueries(): readonly CorpusQuery[] {
  return readLines<CorpusQuery>(queriesFile).filter(({ template, parses }) => !template && parses);
}

/** The texts of which the guide or the service itself says that they are wrong. */
export function readBadTexts(): readonly BadText[] {
  return readLines<BadText>(badFile).filter(({ confidence }) =>
    confidence.split('+').every((part) => part === 'documented' || part === 'live-reported'),
  );
}

/** Where each bad text must be reported, and as what. */
export const expectedOfBad: Readonly<Record<string, readonly (readonly [code: string, place: string])[]>> = {
  bad01: [['join-group-left', '(']],
  bad04: [['duplicate-result-column', 'INSERT_ID']],
  bad05: [['in-list-mixed-types', '1']],
  bad07: [['invalid-escape', '\\q']],
  bad09: [
    ['reserved-column-name', 'TYPE'],
    ['unknown-column', 'NAME'],
    ['unknown-column', 'DESCRIPTION'],
  ],
  bad10: [
    ['unknown-column', 'ROTATION_ENABLED'],
    ['unknown-column', 'NAME'],
    ['unknown-column', 'LAST_ROTATED_DATE'],
  ],
  bad11: [
    ['unknown-column', 'MFA_ACTIVE'],
    ['unknown-column', 'PASSWORD_ENABLED'],
  ],
  bad14: [['array-index', '[*]']],
  bad17: [['unknown-relationship', 'LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION']],
  bad19: [['unknown-function', 'is_null']],
  bad26: [['operator-as-function', 'RLIKE']],
};

/**
 * Queries of the corpus that are wrong themselves, with the errors they rightly get. The one there is calls VALUE_EXISTS with an expansion
 * and a condition; the guide gives the function one argument (docs/language.md, "Functions").
 */
export const wrongQueries: Readonly<Record<string, readonly string[]>> = {
  '657749f1706b': ['expansion-in-expression', 'argument-count'],
};

/** The sample workspace's documents, as paths. */
export function exampleFiles(): readonly string[] {
  const folder = path.join(repoRoot, 'examples');
  return existsSync(folder) ? listFiles(folder) : [];
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.lql'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
