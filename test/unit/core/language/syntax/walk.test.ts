import { expect, test } from 'vitest';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { nodePathAt, walk } from '../../../../../server/core/language/syntax/walk.ts';
import { parseMarkers } from '../../../../harness/markers.ts';

test.each([
  ['{ source { CloudT$0rail } return { X } }', 'file query body sourceBlock datasource identifier'],
  ['{ source { A } filter { a.COL$0 = 1 } return { X } }', 'file query body filterBlock binary column identifier'],
  ['{ source { A } filter { $0a.COL = 1 } return { X } }', 'file query body filterBlock binary column identifier'],
  ['{ source { A } filter { X:a.b$0 = 1 } return { X } }', 'file query body filterBlock binary path pathKey'],
  ["{ source { A } filter { f(X, 'te$0xt') } return { X } }", 'file query body filterBlock call string'],
  [
    '{ source { A } filter { X in { source { B$0 } return { Y } } } return { X } }',
    'file query body filterBlock inQuery body sourceBlock datasource identifier',
  ],
  ['{ source { A } fil$0ter { X = 1 } return { X } }', 'file query body filterBlock'],
  ['{ source { A } $0 return { X } }', 'file query body'],
  ["{ source { A with B on 'x$0' } return { X } }", 'file query body sourceBlock datasource join joinTarget string'],
  ['$0', 'file'],
])('the nodes around the cursor of %s', (marked, expected) => {
  const { text, cursor } = parseMarkers(marked);
  const path = nodePathAt(parse(text).file, cursor).map((node) => node.kind);
  // Where nodes of the same range hold each other the outer ones come first; a shared range shows both.
  expect(path.join(' ')).toBe(expected);
});

test('walking visits parents first, in the order of the text, and leaves out what it is told to', () => {
  const { file } = parse('{ source { A a } filter { f(X) = 1 } return { Y as y } }');
  const names: string[] = [];
  walk(file, (node) => {
    if (node.kind === 'identifier') names.push(node.name);
    return node.kind !== 'call';
  });
  expect(names).toEqual(['A', 'a', 'Y', 'y']);
});
