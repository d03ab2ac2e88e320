import { describe, expect, test } from 'vitest';
import { format, formatRange } from '../../../../../server/core/language/format/format.ts';

const formatted = (text: string, options = {}): string => format(text, options).text;

describe('layout', () => {
  test('blocks, entries and conditions stand on lines of their own', () => {
    expect(
      formatted("{source{A a,array_to_rows(a.X:y) as(z)}filter{a.X='1' and(z=1 or z=2)}return distinct{a.X,z as Z}}"),
    ).toBe(
      `{
  source {
    A a,
    array_to_rows(a.X:y) as (z)
  }
  filter {
    a.X = '1'
    and (z = 1 or z = 2)
  }
  return distinct {
    a.X,
    z as Z
  }
}`,
    );
  });

  test('what is too long for its line is broken at its outermost brackets first', () => {
    expect(
      formatted(
        "{ source { A } filter { X in ('aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc') or f(X, g(Y)) = 1 } return { X } }",
        { lineWidth: 40 },
      ),
    ).toBe(`{
  source {
    A
  }
  filter {
    X in (
      'aaaaaaaaaaaa',
      'bbbbbbbbbbbb',
      'cccccccccccc'
    )
    or f(X, g(Y)) = 1
  }
  return {
    X
  }
}`);
  });

  test('joins, cases, subqueries and unions', () => {
    expect(
      formatted(
        "union{{source{A a with(B b on 'x',C c)}filter{(X,Y) in{source{D}return{X,Y}}}return{case when X then 1 else - 2 end as N}},{source{A with B with C on '1' on '2'}return{X}}}",
        { lineWidth: 60 },
      ),
    ).toBe(`union {
  {
    source {
      A a with (B b on 'x', C c)
    }
    filter {
      (X, Y) in { source { D } return { X, Y } }
    }
    return {
      case when X then 1 else -2 end as N
    }
  },
  {
    source {
      A with B with C on '1' on '2'
    }
    return {
      X
    }
  }
}`);
  });

  test('a broken case has a line for each branch, a broken join one for each with', () => {
    expect(
      formatted(
        "{ source { AAAAAAAAAAAAAAA with BBBBBBBBBBBBBBBBB with CCCCCCCCCCCC } return { case when X = 1 then 'one' when X = 2 then 'two' else 'many' end as N } }",
        {
          lineWidth: 40,
        },
      ),
    ).toBe(`{
  source {
    AAAAAAAAAAAAAAA
      with BBBBBBBBBBBBBBBBB
      with CCCCCCCCCCCC
  }
  return {
    case
      when X = 1 then 'one'
      when X = 2 then 'two'
      else 'many'
    end as N
  }
}`);
  });
});

describe('comments', () => {
  test('stay where they are: behind code, or on lines of their own', () => {
    expect(
      formatted(`-- head
{ -- opens
source { A // trailing
/* own */
, B }

-- before filter
filter { X = 1 -- first
and /* inline */ Y = 2
-- last
}
return { X,

Y }
} -- end
// after
`),
    ).toBe(`-- head
{ -- opens
  source {
    A // trailing
    /* own */
    ,
    B
  }

  -- before filter
  filter {
    X = 1 -- first
    and /* inline */ Y = 2
    -- last
  }
  return {
    X,

    Y
  }
} -- end
// after
`);
  });
});

describe('options', () => {
  const text = '{ source { A } return { X } }';

  test('indent by tabs or blanks', () => {
    expect(formatted(text, { indent: 'tab' })).toBe('{\n\tsource {\n\t\tA\n\t}\n\treturn {\n\t\tX\n\t}\n}');
    expect(formatted(text, { indent: 4 })).toContain('\n    source {\n        A');
  });

  test('case of keywords, not of names', () => {
    const mixed = '{ Source { Return_ as End } Filter { NOT Contains(X, True) } RETURN { X } }';
    expect(formatted(mixed)).toContain('not Contains(X, true)');
    expect(formatted(mixed, { keywordCase: 'upper' })).toContain('NOT Contains(X, TRUE)');
    expect(formatted(mixed, { keywordCase: 'keep' })).toContain('NOT Contains(X, True)');
    expect(formatted(mixed)).toContain('Return_ as End');
  });

  test('line ends and the last one stay', () => {
    expect(formatted('{\r\nsource { A } return { X } }\r\n')).toBe(
      '{\r\n  source {\r\n    A\r\n  }\r\n  return {\r\n    X\r\n  }\r\n}\r\n',
    );
    expect(formatted(text).endsWith('}')).toBe(true);
    expect(formatted(`${text}\n\n\n`).endsWith('}\n')).toBe(true);
  });
});

describe('what is left alone', () => {
  test.each(['{ source { A } filter { X = } return { X } }', '', '  \n', '-- only a comment'])('%j', (text) => {
    expect(format(text)).toEqual({ text, edits: [] });
  });

  test('minus signs never become a comment', () => {
    expect(formatted('{ source { A } return { 1 - -X as a, - -X as b, -(-X) as c } }')).toContain(
      '1 - -X as a,\n    - -X as b,\n    -(-X) as c',
    );
  });
});

test('a string that ends in a backslash stays the last of its line, where it ends', () => {
  const text = "{ source { A } filter { f(X, 'C:\\'\n) and Y = 'b' } return { X } }";
  const once = formatted(text);
  expect(once).toContain("'C:\\'\n");
  expect(formatted(once)).toBe(once);
});

test('a range changes its own lines only', () => {
  const text = '{ source {  A  }\nreturn {  X ,Y }\n}';
  const at = text.indexOf('X ,Y');
  const { text: result } = formatRange(text, { start: at, end: at + 4 });
  expect(result.startsWith('{ source {  A  }\n')).toBe(true);
  expect(result).toContain('X,\n    Y');
});
