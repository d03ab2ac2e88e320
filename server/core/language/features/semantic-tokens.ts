import { type TextRange, textRange } from '../../text/range.ts';
import type { FunctionDefinition } from '../catalog/function-definition.ts';
import { walk } from '../syntax/walk.ts';
import type { AnalyzedText } from './analyzed-text.ts';

export const semanticTokenKinds = [
  'datasource',
  'alias',
  'column',
  'expansion',
  'key',
  'function',
  'type',
  'query',
] as const;
export type SemanticTokenKind = (typeof semanticTokenKinds)[number];

export interface SemanticToken {
  readonly range: TextRange;
  readonly kind: SemanticTokenKind;
  readonly declaration: boolean;
  readonly deprecated: boolean;
}

/** What a grammar of regular expressions cannot know: what each name is. In the order of the text, without overlaps. */
export function semanticTokens(
  query: AnalyzedText,
  functions: ReadonlyMap<string, FunctionDefinition>,
): readonly SemanticToken[] {
  const tokens: SemanticToken[] = [];
  const add = (
    range: TextRange | undefined,
    kind: SemanticTokenKind,
    declaration = false,
    deprecated = false,
  ): void => {
    if (range !== undefined && range.end > range.start)
      tokens.push({ range: textRange(range.start, range.end), kind, declaration, deprecated });
  };
  walk(query.model.file, (node) => {
    switch (node.kind) {
      case 'query':
        add(node.name?.range, 'query', true);
        break;
      case 'datasource':
        add(node.name.range, 'datasource');
        add(node.alias?.range, 'alias', true);
        break;
      case 'expansion':
        add(node.functionName.range, 'function');
        add(node.tableAlias?.range, 'alias', true);
        add(node.columnAlias?.range, 'expansion', true);
        break;
      case 'column': {
        const symbol = query.model.references.get(node);
        add(node.qualifier?.range, 'alias');
        add(node.name.range, symbol?.kind === 'expansionColumn' ? 'expansion' : 'column');
        break;
      }
      case 'returnStar':
        add(node.qualifier?.range, 'alias');
        break;
      case 'returnColumn':
        add(node.alias?.range, 'column', true);
        break;
      case 'pathKey':
        add(node.range, 'key');
        break;
      case 'call':
        add(node.name.range, 'function', false, functions.get(node.name.name.toLowerCase())?.deprecated !== undefined);
        break;
      case 'cast':
        add(node.typeName.range, 'type');
        break;
      default:
        break;
    }
  });
  tokens.sort((a, b) => a.range.start - b.range.start);
  let end = 0;
  return tokens.filter(({ range }) => {
    if (range.start < end) return false;
    end = range.end;
    return true;
  });
}
