/** One or two sentences for each keyword and operator word, shown on hover. Plain text, by lower-case word. */
export const keywordHelp: ReadonlyMap<string, string> = new Map([
  [
    'source',
    'Names what the query reads: datasources, what they are joined with, and arrays expanded to rows. Required, and the first block.',
  ],
  [
    'filter',
    'Keeps the rows for which the condition is true. Rows for which it is false or null are dropped. The block may be left out.',
  ],
  [
    'return',
    'Lists the columns of the result. Computed columns need a name given with "as". Required, and the last block.',
  ],
  [
    'distinct',
    'Drops repeated rows of the result. Policies need it when a query expands arrays or joins along a MANY relationship.',
  ],
  [
    'with',
    'Joins another datasource along a relationship that the service defines. Rows without a partner stay, with null in the columns of the other side. A chain reads from right to left.',
  ],
  ['on', 'Names the relationship to join along, as a string. Without it the relationship "(default)" is taken.'],
  ['as', 'Gives a datasource, an expanded array or a result column its name.'],
  ['union', 'Puts the rows of several bodies together and drops repeated ones; "union all" keeps them.'],
  ['all', 'With union: keep repeated rows.'],
  ['and', 'True when both sides are true.'],
  ['or', 'True when either side is true.'],
  ['not', 'Turns true into false and false into true; null stays null.'],
  [
    'in',
    'True when the value is in the list, or among the rows of a subquery in braces. Several columns at once are written as a tuple: (a, b) in { … }.',
  ],
  ['like', 'Compares the whole text with a pattern: % stands for any text, _ for one character. Case counts.'],
  ['ilike', 'As like, but without regard to case.'],
  [
    'rlike',
    'Compares the whole text with a regular expression: without ".*" at its ends the pattern must match everything.',
  ],
  ['any', 'With like, ilike or rlike: true when one of several patterns matches.'],
  ['between', 'True when the value lies between low and high, both included.'],
  ['is', '"is null" asks for SQL null, "is json null" for the JSON value null. They differ.'],
  ['null', 'No value. Comparing with = gives null, never true: write "is null" or "is not null".'],
  ['json', 'With is: the JSON value null, which is a value, unlike SQL null.'],
  ['case', 'Gives the value behind the first "when" that is true, else the one behind "else", else null.'],
  ['when', 'A condition of a case expression, or a value to compare its subject with.'],
  ['then', 'The value of a case expression when its condition holds.'],
  ['else', 'The value of a case expression when no condition holds.'],
  ['end', 'Ends a case expression.'],
  ['true', 'The boolean value true.'],
  ['false', 'The boolean value false.'],
]);
