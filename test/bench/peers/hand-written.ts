/**
 * The floor: the least that reading a query can cost. A descent over correct text that makes a tree with offsets and does nothing else:
 * no recovery, no messages, no contextual keywords, no warnings, no guard, no comments kept. It throws at the first thing it does not know.
 */
export interface FloorNode {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string | undefined;
  readonly children: readonly FloorNode[];
}

const token =
  /\s+|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[sS]?'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d+(?:\.\d+)?|::|<>|<=|>=|\|\||[{}(),.:=<>+\-*/%]/y;
const comparisons = new Set(['=', '<>', '<', '<=', '>', '>=', 'like', 'ilike', 'rlike', 'in', 'between', 'is', 'not']);

/** Reads one query. Throws on anything that is not one. */
export function parseByHand(text: string): FloorNode {
  const texts: string[] = [];
  const starts: number[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text)?.[0];
    if (match === undefined) throw new SyntaxError(`unknown character at ${start}`);
    const first = match.charCodeAt(0);
    if (first <= 32 || match.startsWith('--') || match.startsWith('//') || match.startsWith('/*')) continue;
    texts.push(match);
    starts.push(start);
  }
  let at = 0;
  const word = (): string => (texts[at] ?? '').toLowerCase();
  const end = (): number => (starts[at - 1] ?? 0) + (texts[at - 1]?.length ?? 0);
  const node = (kind: string, from: number, children: readonly FloorNode[], value?: string): FloorNode => ({
    kind,
    start: starts[from] ?? 0,
    end: end(),
    text: value,
    children,
  });
  const take = (expected: string): void => {
    if (word() !== expected) throw new SyntaxError(`expected ${expected} at ${starts[at]}`);
    at++;
  };
  const name = (): FloorNode => {
    const from = at++;
    return node('name', from, [], texts[from]);
  };
  const list = (close: string, item: () => FloorNode): FloorNode[] => {
    const items: FloorNode[] = [];
    while (word() !== close) {
      items.push(item());
      if (word() === ',') at++;
    }
    at++;
    return items;
  };
  const alias = (): readonly FloorNode[] => {
    if (word() === 'as') at++;
    else if (!/^[a-z_]/i.test(texts[at] ?? '') || word() === 'with' || word() === 'on') return [];
    if (word() !== '(') return [name()];
    at++;
    return list(')', name);
  };
  const source = (): FloorNode => {
    const from = at;
    const children: FloorNode[] = [name()];
    if (word() === '(') {
      at++;
      children.push(...list(')', expression));
    }
    children.push(...alias());
    while (word() === 'with') {
      at++;
      if (word() === '(') {
        at++;
        children.push(...list(')', source));
      } else children.push(source());
    }
    if (word() === 'on') {
      at++;
      children.push(name());
    }
    return node('source', from, children);
  };
  const body = (): FloorNode => {
    const from = at;
    take('{');
    take('source');
    take('{');
    const children = list('}', source);
    if (word() === 'filter') {
      at += 2;
      children.push(expression());
      take('}');
    }
    take('return');
    if (word() === 'distinct') at++;
    take('{');
    children.push(...list('}', item));
    take('}');
    return node('body', from, children);
  };
  const item = (): FloorNode => {
    const from = at;
    return node('item', from, [expression(), ...alias()]);
  };
  const chain = (level: number): FloorNode => {
    const from = at;
    const operators = levels[level];
    if (operators === undefined) return comparison();
    let left = chain(level + 1);
    while (operators.has(word())) {
      const operator = texts[at++];
      left = node('binary', from, [left, chain(level + 1)], operator);
    }
    return left;
  };
  const expression = (): FloorNode => chain(0);
  const comparison = (): FloorNode => {
    const from = at;
    if (word() === 'not') {
      at++;
      return node('not', from, [comparison()]);
    }
    let left = sum(0);
    while (comparisons.has(word())) {
      if (word() === 'not') at++;
      const operator = texts[at++] ?? '';
      const children = [left];
      const lower = operator.toLowerCase();
      if (lower === 'is') while (word() === 'not' || word() === 'json' || word() === 'null') at++;
      else if (lower === 'between') {
        children.push(sum(0));
        take('and');
        children.push(sum(0));
      } else if (lower === 'in' && word() === '{') children.push(body());
      else {
        if (word() === 'any') at++;
        children.push(sum(0));
      }
      left = node('compare', from, children, operator);
    }
    return left;
  };
  const sum = (level: number): FloorNode => {
    const from = at;
    const operators = sums[level];
    if (operators === undefined) return operand();
    let left = sum(level + 1);
    while (operators.has(word())) {
      const operator = texts[at++];
      left = node('binary', from, [left, sum(level + 1)], operator);
    }
    return left;
  };
  const operand = (): FloorNode => {
    const from = at;
    let result: FloorNode;
    const first = texts[at] ?? '';
    if (first === '-') {
      at++;
      result = node('minus', from, [operand()]);
    } else if (first === '(') {
      at++;
      result = node('group', from, list(')', expression));
    } else if (word() === 'case') result = cases();
    else {
      result = name();
      if (word() === '(') {
        at++;
        result = node('call', from, list(')', expression), first);
      } else if (word() === '.') {
        at++;
        result = node('column', from, [result, name()]);
      }
    }
    while (word() === '::' || word() === ':') {
      at++;
      const keys = [result, name()];
      while (word() === '.') {
        at++;
        keys.push(name());
      }
      result = node('path', from, keys);
    }
    return result;
  };
  const cases = (): FloorNode => {
    const from = at++;
    const children: FloorNode[] = [];
    while (word() !== 'end') {
      if (word() === 'when' || word() === 'then' || word() === 'else') at++;
      else children.push(expression());
    }
    at++;
    return node('case', from, children);
  };
  const result = body();
  if (at !== texts.length) throw new SyntaxError(`text behind the query at ${starts[at]}`);
  return result;
}

const levels: readonly ReadonlySet<string>[] = [new Set(['or']), new Set(['and'])];
const sums: readonly ReadonlySet<string>[] = [new Set(['||']), new Set(['+', '-']), new Set(['*', '/', '%'])];
