import { describe, expect, test } from 'vitest';
import { latin1Of, splitLines } from '../../src/mutation/lines.js';
import { narrow } from '../../src/mutation/within.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

function range(file: string | Buffer, within: readonly string[], path = 'a.py') {
  const lines = splitLines(toBytes(file));
  const result = narrow(lines, path, within);
  if (!result.ok) return result.error;
  const { from, to } = result.value;
  return Array.from({ length: to - from }, (_, offset) => latin1Of(lines, from + offset));
}

const CLIENT = `class Client:
    def pause(self):
        # why
        x = 1

        return x

    def pause_all(self):
        return 2


class Server:
    def pause(self):
        return 3
`;

describe('which line is meant', () => {
  test.each<[string, readonly string[], number]>([
    ['a name is not a part of a longer one', ['class Client', 'def pause'], 5],
    ['the longer one', ['def pause_all'], 2],
    ['any part of the line', ['pause_all(self)'], 2],
    ['white space around it is left out', ['  class Server:  '], 3],
    ['the outer line narrows the inner one', ['class Server', 'def pause'], 2],
    ['three deep', ['class Client', 'def pause', 'x = 1'], 1],
  ])('%s', (_, within, length) => {
    expect(range(CLIENT, within)).toHaveLength(length);
  });

  test('found twice is refused with both lines', () => {
    expect(range(CLIENT, ['def pause'])).toEqual({
      kind: 'ambiguous',
      path: 'a.py',
      what: '`within` line "def pause"',
      expected: 1,
      lines: [2, 13],
    });
  });

  test('not found shows the line most alike', () => {
    expect(range(CLIENT, ['def pause_al(self):'])).toMatchObject({
      kind: 'no-match',
      nearest: { line: 8, expected: 'def pause_al(self):' },
    });
  });

  test('the outer line is not searched for the inner one', () => {
    expect(range('def f():\n    def f():\n        a\n', ['def f', 'def f'])).toMatchObject({
      kind: 'ambiguous',
    });
    expect(range('class f:\n    def f():\n        a\n', ['class f', 'f'])).toHaveLength(2);
  });

  test.each([
    ['an empty line', ''],
    ['white space', '  '],
    ['several lines', 'a\nb'],
  ])('%s is refused', (_, text) => {
    expect(range(CLIENT, [text])).toMatchObject({ kind: 'refused' });
  });

  test('letters outside ASCII', () => {
    expect(range('def é():\n    a\ndef éa():\n    b\n', ['def é'])).toHaveLength(2);
    expect(range(Buffer.from('def \xe9():\n    a\n', 'latin1'), ['def é'])).toHaveLength(2);
    expect(range('def 𝒳a():\n  a\ndef 𝒳():\n  b\n', ['def 𝒳'])).toEqual([
      expect.stringMatching(/^def/),
      '  b',
    ]);
  });
});

const body = (file: string, within: string, path = 'a.py') => {
  const lines = range(file, [within], path);
  return Array.isArray(lines) ? lines.map((line: string) => line.trim()) : lines;
};

describe('up to where it goes', () => {
  test.each<[string, string, string, readonly string[]]>([
    [
      'to the next line of equal indentation',
      'def f():\n  a\ndef g():\n  b\n',
      'def f',
      ['def f():', 'a'],
    ],
    [
      'to the next line of smaller indentation',
      'class A:\n  def f():\n    a\nb\n',
      'def f',
      ['def f():', 'a'],
    ],
    [
      'blank lines do not end it',
      'def f():\n  a\n\n\n  b\nc\n',
      'def f',
      ['def f():', 'a', '', '', 'b'],
    ],
    [
      'comments do not end it',
      'def f():\n  a\n# note\n  b\nc\n',
      'def f',
      ['def f():', 'a', '# note', 'b'],
    ],
    [
      'comments and blank lines after it do not belong to it',
      'def f():\n  a\n\n# g\ndef g():\n  b\n',
      'def f',
      ['def f():', 'a'],
    ],
    [
      'a deeper comment at its end does',
      'def f():\n  a\n  # end\n\ndef g():\n  b\n',
      'def f',
      ['def f():', 'a', '# end'],
    ],
    [
      'a closing bracket does not end it',
      'def f(\n  a,\n):\n  b\nc\n',
      'def f',
      ['def f(', 'a,', '):', 'b'],
    ],
    [
      'nor does an arrow behind one',
      'def f(\n  a,\n) -> int:\n  b\nc\n',
      'def f',
      ['def f(', 'a,', ') -> int:', 'b'],
    ],
    [
      'nor text in a string',
      'def f():\n  a = """\ntext\n"""\n  b\nc\n',
      'def f',
      ['def f():', 'a = """', 'text', '"""', 'b'],
    ],
    [
      'nor arguments at the margin',
      'def f():\n  g(\n1,\n2)\n  b\nc\n',
      'def f',
      ['def f():', 'g(', '1,', '2)', 'b'],
    ],
    [
      'nor a signature at the margin',
      'def f(\na,\nb):\n  c\nd\n',
      'def f',
      ['def f(', 'a,', 'b):', 'c'],
    ],
    [
      'nor a line after a backslash',
      'def f():\n  a = 1 + \\\n2\n  b\nc\n',
      'def f',
      ['def f():', 'a = 1 + \\', '2', 'b'],
    ],
    [
      'tabs and spaces compare as in Python',
      'class A:\n\tdef f():\n\t    a\n        b\n',
      'def f',
      ['def f():', 'a'],
    ],
    ['to the end of the file', 'def f():\n  a', 'def f', ['def f():', 'a']],
    ['one line alone', 'a = 1\nb = 2\n', 'a = 1', ['a = 1']],
    ['an else ends an if', 'if a:\n  b\nelse:\n  c\n', 'if a', ['if a:', 'b']],
    [
      'a decorator ends what is above',
      'def f():\n  a\n@d\ndef g():\n  b\n',
      'def f',
      ['def f():', 'a'],
    ],
    [
      'an f-string with brackets',
      'def f():\n  a = f"{x}"\nb\n',
      'def f',
      ['def f():', 'a = f"{x}"'],
    ],
  ])('%s', (_, file, within, expected) => {
    expect(body(file, within)).toEqual(expected);
  });

  test('in other languages brackets and comments count as well', () => {
    const rust = 'fn f() {\n    a();\n// note\n    b();\n}\n\n#[test]\nfn g() {\n}\n';
    expect(body(rust, 'fn f', 'a.rs')).toEqual(['fn f() {', 'a();', '// note', 'b();', '}']);
  });

  test('CRLF files too', () => {
    expect(body('def f():\r\n  a\r\n\r\n  b\r\nc\r\n', 'def f')).toEqual([
      'def f():',
      'a',
      '',
      'b',
    ]);
  });
});

describe('up to where, in Rust', () => {
  const FILE = `impl Decoder {
    #[inline]
    fn step<T>(
        &mut self,
    ) -> u8
    where
        T: Copy,
    {
        let text = "
no end
";
        if text.is_empty() {
            return 1;
        }
        else {
            hold();
        }
        match 1 {
            1 => 2,
            _ => 3,
        }
    }

    fn other() {}
}
`;
  test.each<[string, readonly string[], number, string]>([
    ['a signature with its where, and its body', ['fn step'], 20, '    }'],
    ['an attribute alone is no function', ['#[inline]'], 1, '    #[inline]'],
    ['an if with an else below it', ['fn step', 'if text'], 6, '        }'],
    ['a string', ['let text'], 3, '";'],
    ['a match, and the brackets that close what is around it', ['match 1'], 5, '    }'],
    ['an arm', ['1 => 2'], 1, '            1 => 2,'],
    ['a statement', ['return 1'], 2, '        }'],
    ['the last function', ['fn other'], 2, '}'],
    ['an impl', ['impl Decoder'], 25, '}'],
  ])('%s', (_, within, length, last) => {
    const found = range(FILE, within, 'src/a.rs');
    expect(found).toHaveLength(length);
    expect(Array.isArray(found) ? found.at(-1) : found).toBe(last);
  });

  test('what a macro holds begins anew below a line of it', () => {
    const file = 'm! {\n    a;\n    b;\n}\n';
    expect(range(file, ['a;'], 'src/a.rs')).toEqual(['    a;']);
  });
});
