import { assert, constantFrom, pre, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoteYaml } from '../../src/spec/yaml-quote.js';
import { brief, faultsIn, mutationsIn, specWith } from './support.js';

const replaceWith = (fields: string): string =>
  specWith(`file: src/a.py\nflips: any\nreplace:\n${fields.replace(/^/gm, '  ')}`);

const flipping = (flips: string): string => specWith(`file: src/a.py\ndelete: true\n${flips}`);

describe('a text arrives as it stands in the file', () => {
  const same = [
    '1e3',
    '0x10',
    '0o17',
    '1.0',
    '007',
    '1_000',
    'null',
    '~',
    'yes',
    'No',
    'true',
    'on',
  ];
  const more = [
    '2026-01-31',
    '12:30:00',
    '.inf',
    'NaN',
    '=',
    '<<',
    'a::b',
    'a#b',
    'C:x',
    '-1',
    '?x',
  ];

  test.each([...same, ...more])('id: %s', (id) => {
    const text = specWith('file: a.py\ndelete: true\nflips: any').replace('id: one', `id: ${id}`);
    expect(mutationsIn(text)[0]?.id).toBe(id);
  });

  test.each([...same, ...more])('find and with: %s', (find) => {
    const [mutation] = mutationsIn(replaceWith(`find: ${find}\nwith: ${find}x`));
    expect(mutation?.edits).toMatchObject([{ find, with: `${find}x` }]);
  });

  const isNoTest = (id: string): boolean => /^(?:true|-?[1-9])$/.test(id);
  test.each([...same, ...more].filter((id) => !isNoTest(id)))('a test: %s', (id) => {
    for (const flips of [`flips: [${id}, other]`, `flips:\n- ${id}`, `flips:\n- test: ${id}`]) {
      const [mutation] = mutationsIn(flipping(flips));
      expect(mutation?.flips).toMatchObject({ kind: 'tests' });
      expect(JSON.stringify(mutation?.flips)).toContain(JSON.stringify(id));
    }
  });

  test('a commit of digits alone, or that looks like a number with an exponent', () => {
    for (const rev of ['1234567', '12345e67', '0123456', '00000000'])
      expect(mutationsIn(specWith(`file: a.py\nflips: any\nfrom: ${rev}`))[0]?.edits).toMatchObject(
        [{ rev }],
      );
  });

  test('whatever quoteYaml wrote', { timeout: 300_000 }, () => {
    assert(
      property(string({ unit: 'binary', minLength: 1 }), (find) => {
        const text = replaceWith(`find: ${quoteYaml(find)}\nwith: ${quoteYaml(`${find}x`)}`);
        expect(mutationsIn(text)[0]?.edits).toMatchObject([{ find, with: `${find}x` }]);
      }),
      { numRuns: 300 },
    );
  });

  test('lone surrogates, line separators, a byte order mark and control characters in quotes', () => {
    const find = '\ud800 \udc00 \u2028\u2029\ufeff\u0085\u0000\u001b\u007f\uffff"\\\t';
    expect(quoteYaml(find)).toMatch(/^[\x20-\x7e]+$/);
    const text = replaceWith(`find: ${quoteYaml(find)}\nwith: x`);
    expect(mutationsIn(text)[0]?.edits).toMatchObject([{ find }]);
  });

  test(
    'ids in, ids out: no unquoted text is cut or changed without a fault',
    { timeout: 300_000 },
    () => {
      const id = string({
        unit: constantFrom(...Array.from('ab1:#,[]{}&*!|>\'"%@`-? ~=.\\')),
        minLength: 1,
      });
      assert(
        property(id, (raw) => {
          const written = raw.trim();
          pre(written !== '' && !/^["']/.test(written));
          const text = flipping(`flips:\n- ${written}`);
          const faults = faultsIn(text);
          if (faults.length > 0) return;
          const { flips } = mutationsIn(text)[0] ?? { flips: { kind: 'any' as const } };
          expect(flips.kind === 'tests' && flips.tests.map((expected) => expected.test)).toEqual([
            written,
          ]);
        }),
        { numRuns: 500 },
      );
    },
  );
});

describe('what YAML would cut or misread is refused, with what to write instead', () => {
  const table: readonly [fields: string, fault: string, hint: string][] = [
    [
      'find: a #b\nwith: c',
      '7:13 YAML takes this for a comment, and cuts it off the text before it',
      '"a #b"',
    ],
    [
      'find: x = 1  # noqa\nwith: c',
      '7:18 YAML takes this for a comment, and cuts it off the text before it',
      '"x = 1  # noqa"',
    ],
    [
      'find: a: b\nwith: c',
      '7:11 YAML reads a second key in this value, because of a `:` in it',
      'find: "a: b"',
    ],
    [
      'find: def f(x):\nwith: c',
      '7:11 YAML reads a second key in this value, because of a `:` in it',
      'find: "def f(x):"',
    ],
    ['find: *foo\nwith: c', '7:11 YAML reads `*foo` as an alias, which is not supported', '"*foo"'],
    [
      'find: *args, **kw\nwith: c',
      '7:16 YAML reads the value as ended before this',
      '"*args, **kw"',
    ],
    ['find: &x y\nwith: c', '7:11 YAML reads `&x` as an anchor, which is not supported', '"&x y"'],
    [
      'find: !important x\nwith: c',
      '7:11 YAML reads `!important` as a tag, which is not supported',
      '"!important x"',
    ],
    [
      'find: !!str x\nwith: c',
      '7:11 YAML reads `!!str` as a tag, which is not supported',
      '"!!str x"',
    ],
    ['find: [x]\nwith: c', '7:11 YAML reads this as a list, because of its brackets', '"[x]"'],
    ['find: {x}\nwith: c', '7:11 YAML reads this as a mapping, because of its braces', '"{x}"'],
    [
      'find: @x\nwith: c',
      '7:11 YAML does not let an unquoted text start with this character',
      'find: "@x"',
    ],
    [
      'find: `x`\nwith: c',
      '7:11 YAML does not let an unquoted text start with this character',
      'find: "`x`"',
    ],
    [
      'find: "a" == b\nwith: c',
      '7:15 YAML reads the value as ended before this',
      'one pair of quotes',
    ],
    ['find: "a\nwith: "c"', '7:13 a quote is opened and not closed', 'Close the quote: find: "a"'],
    ['find: "a #b\nwith: "c"', '7:16 a quote is opened and not closed', 'at the end of the text'],
    [
      "find: 'it's'\nwith: c",
      '7:15 YAML reads the value as ended before this',
      'one pair of quotes',
    ],
    ['find: a\n  b\nwith: c', '7:11 YAML joins the lines of this text with blanks', '`|`'],
    ['find: "a\n  b"\nwith: c', '7:11 YAML joins the lines of this text with blanks', '`|`'],
    ['find: >\n  a\n  b\nwith: c', '7:11 YAML joins the lines of this text with blanks', '`|`'],
    ['find: > 3\nwith: c', '7:13 YAML: not a YAML token: 3', 'double quotes'],
    ['find: a\nwith:', '8:9 no text stands here', 'Write ""'],
  ];
  test.each(table)('%j', (fields, fault, hint) => {
    const faults = faultsIn(replaceWith(fields));
    expect(brief(faults)).toEqual([fault]);
    expect(faults[0]?.hint).toContain(hint);
  });

  const tests: readonly [flips: string, fault: string, hint: string][] = [
    [
      'flips: [tests/a.py::test: x]',
      '6:11 YAML reads this as a mapping, because of the `:`',
      '"tests/a.py::test: x"',
    ],
    [
      'flips:\n- t.py::t[x: y]',
      '7:5 YAML reads this as a mapping, because of the `:`',
      '"t.py::t[x: y]"',
    ],
    [
      'flips: t.py::t[x: y]',
      '6:10 YAML reads a second key in this value, because of a `:` in it',
      '"t.py::t[x: y]"',
    ],
    [
      'flips: [t.py::t[1]]',
      '6:18 YAML reads a bracket inside a list as a list of its own',
      'double quotes',
    ],
    [
      'flips: [f(a, b)]',
      '6:11 YAML ends the text at the comma, with a bracket still open',
      'double quotes',
    ],
    ['flips: [*foo]', '6:11 YAML reads `*foo` as an alias, which is not supported', '"*foo'],
    [
      'flips:\n- t.py::t[a #b]',
      '7:15 YAML takes this for a comment, and cuts it off the text before it',
      '"t.py::t[a #b]"',
    ],
    ['flips: [{x}]', '6:11 YAML reads this as a mapping, because of its braces', '"{x}"'],
    ['flips:\n- a\n-', '8:3 no text stands here', 'remove the line'],
  ];
  test.each(tests)('%j', (flips, fault, hint) => {
    const faults = faultsIn(flipping(flips));
    const [first, ...others] = brief(faults);
    expect(first).toBe(fault);
    expect(others.filter((other) => other.slice(2) !== fault.slice(2)).length).toBeLessThanOrEqual(
      1,
    );
    expect(faults[0]?.hint).toContain(hint);
  });

  test('a comment behind an id is refused, however far away', () => {
    const text = specWith('file: a.py\ndelete: true\nflips: any');
    expect(brief(faultsIn(text.replace('id: one', 'id: one   # the first')))).toEqual([
      '3:13 YAML takes this for a comment, and cuts it off the text before it',
    ]);
  });

  test('a comment that nobody can mistake passes behind other texts, quotes and words', () => {
    const text = specWith(
      'why: The route is a contract.  # see below\nfile: "src/a.py" # quoted\ndelete: true # a flag\nflips: any # a word\nrole: mutation # a word',
    );
    expect(mutationsIn(text)[0]?.why).toBe('The route is a contract.');
  });

  test('an issue number in prose is not cut off', () => {
    const text = specWith('why: fixes #12\nfile: a.py\ndelete: true\nflips: any');
    expect(brief(faultsIn(text))).toEqual([
      '4:14 YAML takes this for a comment, and cuts it off the text before it',
    ]);
  });

  test('merge keys, aliases and anchors in any place', () => {
    expect(brief(faultsIn('x-base: &b { lane: unit }\nmutations:\n- <<: *b\n'))).toContain(
      '3:3 merge keys are not supported',
    );
    expect(brief(faultsIn('mutations: &all\n- id: a\n'))).toContain(
      '1:12 YAML reads `&all` as an anchor, which is not supported',
    );
  });
});
