import type { LintRule } from '../rule.ts';
import { alwaysTrue } from './always-true.ts';
import { booleanResult } from './boolean-result.ts';
import { caseNeverMatches } from './case-never-matches.ts';
import { charIndexBase } from './char-index-base.ts';
import { comparisonWithNull } from './comparison-with-null.ts';
import { crossJoin } from './cross-join.ts';
import { deprecatedFunction } from './deprecated-function.ts';
import { doubleNegation } from './double-negation.ts';
import { duplicateCondition } from './duplicate-condition.ts';
import { duplicateInList } from './duplicate-in-list.ts';
import { jsonBooleanCast } from './json-boolean-cast.ts';
import { jsonKeyCase } from './json-key-case.ts';
import { legacyStringEscape } from './legacy-string-escape.ts';
import { likeWithoutWildcard } from './like-without-wildcard.ts';
import { missingDistinct } from './missing-distinct.ts';
import { negatedComparison } from './negated-comparison.ts';
import { neverTrue } from './never-true.ts';
import { orChain } from './or-chain.ts';
import { patternMatchesEverything } from './pattern-matches-everything.ts';
import { preferSString } from './prefer-s-string.ts';
import { queryIdInText } from './query-id-in-text.ts';
import { redundantCast } from './redundant-cast.ts';
import { requiredColumns } from './required-columns.ts';
import { reservedIdPrefixRule } from './reserved-id-prefix.ts';
import { resultColumnNaming } from './result-column-naming.ts';
import { reversedDiff } from './reversed-diff.ts';
import { rlikeUnsupportedSyntax } from './rlike-unsupported-syntax.ts';
import { rlikeWithoutWildcard } from './rlike-without-wildcard.ts';
import { singleValueList } from './single-value-list.ts';
import { starReturn } from './star-return.ts';
import { textNearLimit } from './text-near-limit.ts';
import { unqualifiedColumn } from './unqualified-column.ts';
import { unreachableCaseBranch } from './unreachable-case-branch.ts';
import { unusedExpansion } from './unused-expansion.ts';
import { unusedJoin } from './unused-join.ts';
import { unusedSourceAlias } from './unused-source-alias.ts';
import { wideLike } from './wide-like.ts';
import { wildcardInFunction } from './wildcard-in-function.ts';
import { wrongWildcard } from './wrong-wildcard.ts';

/** Every lint rule, in alphabetical order. */
export const rules: readonly LintRule[] = [
  alwaysTrue,
  booleanResult,
  caseNeverMatches,
  charIndexBase,
  comparisonWithNull,
  crossJoin,
  deprecatedFunction,
  doubleNegation,
  duplicateCondition,
  duplicateInList,
  jsonBooleanCast,
  jsonKeyCase,
  legacyStringEscape,
  likeWithoutWildcard,
  missingDistinct,
  negatedComparison,
  neverTrue,
  orChain,
  patternMatchesEverything,
  preferSString,
  queryIdInText,
  redundantCast,
  requiredColumns,
  reservedIdPrefixRule,
  resultColumnNaming,
  reversedDiff,
  rlikeUnsupportedSyntax,
  rlikeWithoutWildcard,
  singleValueList,
  starReturn,
  textNearLimit,
  unqualifiedColumn,
  unreachableCaseBranch,
  unusedExpansion,
  unusedJoin,
  unusedSourceAlias,
  wideLike,
  wildcardInFunction,
  wrongWildcard,
];
