/** What a function of another query language is called or written like in LQL. */
export interface ForeignFunction {
  /** A sentence that says what to write; follows "LQL has no function 'x'.". */
  readonly advice: string;
  /** The LQL text for these arguments (as written), or undefined when their number does not fit. */
  readonly rewrite?: (args: readonly string[]) => string | undefined;
  /** True when the rewriting puts the arguments beside operators, so that looser ones need parentheses. */
  readonly infix?: boolean;
  /** True when the rewriting means exactly what was written: "fix all" applies it. */
  readonly isExact?: boolean;
}

const noAggregation = 'The language has no aggregation: return the rows and group or count them in the result table.';
const wholeTextPattern = "RLIKE is an operator and must match the whole text: x rlike '.*pattern.*'.";

function renamed(name: string, least = 1, most = least): ForeignFunction {
  return {
    advice: `Use ${name}(…).`,
    rewrite: (args) => (args.length >= least && args.length <= most ? `${name}(${args.join(', ')})` : undefined),
  };
}

function suffix(text: string, words: string): ForeignFunction {
  return {
    advice: words,
    infix: true,
    isExact: text.startsWith(' is '),
    rewrite: ([operand]) => (operand === undefined ? undefined : `${operand}${text}`),
  };
}

/** `x operator y` for a function of two arguments. */
function operator(name: string, advice: string): ForeignFunction {
  return {
    advice,
    infix: true,
    rewrite: ([left, right, third]) =>
      left === undefined || right === undefined || third !== undefined ? undefined : `${left} ${name} ${right}`,
  };
}

function perUnit(prefix: 'add' | 'diff'): ForeignFunction {
  const units: Readonly<Record<string, string>> = {
    year: 'years',
    month: 'months',
    day: 'days',
    hour: 'hours',
    minute: 'minutes',
    second: 'seconds',
    millisecond: 'millis',
  };
  return {
    advice:
      prefix === 'add'
        ? 'Use add_days(n, time) and its like, with the number first.'
        : 'Use diff_days(from, to) and its like.',
    rewrite: ([unit, first, second, more]) => {
      if (unit === undefined || first === undefined || second === undefined || more !== undefined) return undefined;
      const word = unit
        .replaceAll(/^['"]|['"]$/g, '')
        .toLowerCase()
        .replace(/s$/, '');
      return Object.hasOwn(units, word) ? `${prefix}_${units[word]}(${first}, ${second})` : undefined;
    },
  };
}

const now: ForeignFunction = {
  advice: 'Use current_timestamp_sec()::timestamp.',
  isExact: true,
  rewrite: (args) => (args.length === 0 ? 'current_timestamp_sec()::timestamp' : undefined),
};
const isNull = suffix(' is null', "Write 'x is null'.");
const concat: ForeignFunction = {
  advice: "Texts are joined with '||'.",
  infix: true,
  rewrite: (args) => (args.length >= 2 ? args.join(' || ') : undefined),
};
const aggregate: ForeignFunction = { advice: noAggregation };
const coalesce: ForeignFunction = { ...renamed('coalesce', 1, 20), isExact: true };
const dateAdd = perUnit('add');
const dateDiff = perUnit('diff');
const caseWhen: ForeignFunction = {
  advice: 'Write case when condition then a else b end.',
  rewrite: ([condition, yes, no]) =>
    condition === undefined || yes === undefined
      ? undefined
      : `case when ${condition} then ${yes}${no === undefined ? '' : ` else ${no}`} end`,
};

/** By lower-case name. Anything not in here is answered by the nearest name of the language's own functions. */
export const foreignFunctions: ReadonlyMap<string, ForeignFunction> = new Map<string, ForeignFunction>([
  ['is_null', isNull],
  ['isnull', isNull],
  [
    'is_null_value',
    { advice: "Write 'x is json null'.", rewrite: ([x]) => (x === undefined ? undefined : `${x} is json null`) },
  ],
  ['is_not_null', suffix(' is not null', "Write 'x is not null'.")],
  ['isnotnull', suffix(' is not null', "Write 'x is not null'.")],
  ['exists', { advice: "Use value_exists(json:path), or 'x in { subquery }'." }],
  ['ifnull', coalesce],
  ['nvl', coalesce],
  [
    'zeroifnull',
    { advice: 'Use coalesce(x, 0).', rewrite: ([x]) => (x === undefined ? undefined : `coalesce(${x}, 0)`) },
  ],
  [
    'nullif',
    {
      advice: 'Write case when a = b then null else a end.',
      infix: true,
      rewrite: ([a, b]) =>
        a === undefined || b === undefined ? undefined : `case when ${a} = ${b} then null else ${a} end`,
    },
  ],
  ['if', caseWhen],
  ['iff', caseWhen],
  ['iif', caseWhen],
  ['concat', concat],
  ['concat_ws', { advice: "Texts are joined with '||', the separator between each pair." }],
  ['strcat', concat],
  ['now', now],
  ['getdate', now],
  ['sysdate', now],
  ['current_date', { ...now, isExact: false }],
  ['utcnow', now],
  ['ago', { advice: 'Use add_days(-n, current_timestamp_sec()::timestamp) and its like.' }],
  ['interval', { advice: 'Use add_days(n, time) and its like.' }],
  ['timespan', { advice: 'Use diff_days(from, to) and its like.' }],
  ['dateadd', dateAdd],
  ['date_add', dateAdd],
  ['timestampadd', dateAdd],
  ['datediff', dateDiff],
  ['date_diff', dateDiff],
  ['timestampdiff', dateDiff],
  [
    'date_trunc',
    { advice: 'There is no truncation; year_part(t), month_part(t), day_part(t) and their like give the parts.' },
  ],
  ['date_part', { advice: 'Use year_part(t), month_part(t), day_part(t), hour_part(t) and their like.' }],
  ['extract', { advice: 'Use year_part(t), month_part(t), day_part(t), hour_part(t) and their like.' }],
  ['year', renamed('year_part')],
  ['quarter', renamed('quarter_part')],
  ['month', renamed('month_part')],
  ['day', renamed('day_part')],
  ['hour', renamed('hour_part')],
  ['minute', renamed('minute_part')],
  ['second', renamed('second_part')],
  ['dayofweek', renamed('day_of_week')],
  ['dayofmonth', renamed('day_of_month')],
  ['dayofyear', renamed('day_of_year')],
  ['unix_timestamp', renamed('epoch_sec')],
  ['from_unixtime', renamed('sec_to_timestamp')],
  ['to_date', renamed('to_timestamp')],
  ['todatetime', renamed('to_timestamp')],
  ['len', renamed('length')],
  ['char_length', renamed('length')],
  ['strlen', renamed('length')],
  ['lcase', renamed('lower')],
  ['tolower', renamed('lower')],
  ['ucase', renamed('upper')],
  ['toupper', renamed('upper')],
  ['substr', renamed('substring', 2, 3)],
  ['mid', renamed('substring', 2, 3)],
  ['charindex', renamed('char_index', 2, 3)],
  ['indexof', { advice: 'Use char_index(searchFor, searchIn).', rewrite: swapped('char_index') }],
  ['instr', { advice: 'Use char_index(searchFor, searchIn).', rewrite: swapped('char_index') }],
  ['position', renamed('char_index', 2, 3)],
  ['strpos', { advice: 'Use char_index(searchFor, searchIn).', rewrite: swapped('char_index') }],
  ['startswith', renamed('starts_with', 2)],
  ['endswith', renamed('ends_with', 2)],
  ['has', renamed('contains', 2)],
  ['includes', renamed('contains', 2)],
  ['like', operator('like', "LIKE is an operator: x like '%text%'.")],
  ['ilike', operator('ilike', "ILIKE is an operator: x ilike '%text%'.")],
  ['rlike', operator('rlike', wholeTextPattern)],
  ['regex_match', { advice: wholeTextPattern }],
  ['regexp', { advice: wholeTextPattern }],
  ['regexp_like', { advice: wholeTextPattern }],
  ['regexp_match', { advice: wholeTextPattern }],
  ['matches', { advice: wholeTextPattern }],
  ['replace', { advice: 'Texts cannot be replaced; compare them with like or rlike instead.' }],
  ['regexp_replace', { advice: 'Texts cannot be replaced; compare them with like or rlike instead.' }],
  ['split', { advice: 'Texts cannot be split; find parts with char_index(…) and substring(…).' }],
  ['split_part', { advice: 'Texts cannot be split; find parts with char_index(…) and substring(…).' }],
  ['round', { advice: 'There is no rounding; ABS is the one numeric function.' }],
  ['floor', { advice: 'There is no rounding; ABS is the one numeric function.' }],
  ['ceil', { advice: 'There is no rounding; ABS is the one numeric function.' }],
  ['count', aggregate],
  ['sum', aggregate],
  ['avg', aggregate],
  ['min', aggregate],
  ['max', aggregate],
  ['array_agg', aggregate],
  ['listagg', aggregate],
  ['group_concat', aggregate],
  ['row_number', aggregate],
  ['to_string', suffix('::String', "Cast with '::String'.")],
  ['tostring', suffix('::String', "Cast with '::String'.")],
  ['to_char', suffix('::String', "Cast with '::String'.")],
  ['to_varchar', suffix('::String', "Cast with '::String'.")],
  ['str', suffix('::String', "Cast with '::String'.")],
  ['to_number', renamed('try_to_number')],
  ['toint', renamed('try_to_number')],
  ['try_to_double', renamed('to_double')],
  ['to_bool', renamed('to_boolean')],
  ['parse_json', renamed('to_json')],
  ['json_parse', renamed('to_json')],
  ['get_path', { advice: 'Read inside JSON with a path: column:key.key.' }],
  ['json_extract', { advice: 'Read inside JSON with a path: column:key.key.' }],
  ['get_json_object', { advice: 'Read inside JSON with a path: column:key.key.' }],
  ['array_length', renamed('array_size')],
  ['json_array_length', renamed('array_size')],
  ['size', renamed('array_size')],
  ['cardinality', renamed('array_size')],
  ['array_contains', { advice: 'Use any_in_array(array, value).', rewrite: swapped('any_in_array') }],
  ['array_has', renamed('any_in_array', 2)],
  ['flatten', { advice: 'Expand the array in the source block: array_to_rows(column:path) as (item).' }],
  ['unnest', { advice: 'Expand the array in the source block: array_to_rows(column:path) as (item).' }],
  ['explode', { advice: 'Expand the array in the source block: array_to_rows(column:path) as (item).' }],
  ['exists_key', renamed('key_exists')],
  ['has_key', renamed('key_exists')],
]);

function swapped(name: string): (args: readonly string[]) => string | undefined {
  return ([first, second, third]) =>
    first === undefined || second === undefined || third !== undefined ? undefined : `${name}(${second}, ${first})`;
}
