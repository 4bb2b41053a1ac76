import { describe, expect, test } from 'vitest';
import { brief, completeWith, faultsIn, mutationsIn, specWith, TWO_LANES } from './support.js';

const hint = (text: string): string | null => faultsIn(text)[0]?.hint ?? null;

describe('a spec is refused, at the place and with the reason', () => {
  const table: readonly [about: string, text: string, faults: readonly string[]][] = [
    ['an empty file', '', ['1:1 the file declares no mutation']],
    ['comments alone', '# nothing\n', ['1:1 the file declares no mutation']],
    ['an empty document', '---\n', ['1:1 the file declares no mutation']],
    ['an empty list', 'version: 1\nmutations: []\n', ['2:1 the file declares no mutation']],
    ['a list without entries', 'version: 1\nmutations:\n', ['2:1 the file declares no mutation']],
    ['no list', 'version: 1\n', ['1:1 the file declares no mutation']],
    ['a misspelt list', 'mutatons: []\n', ['1:1 unknown key `mutatons`']],
    ['a list as a whole', '- id: a\n', ['1:1 expected a mapping, found a list']],
    ['a word as a whole', 'hello\n', ['1:1 expected a mapping, found `hello`']],
    ['a mapping of mutations', 'mutations: { a: 1 }\n', ['1:12 expected a list, found a mapping']],
    ['an entry that is a text', 'mutations: [a]\n', ['1:13 expected a mapping, found `a`']],
    ['an empty entry', 'mutations:\n-\n', ['2:2 expected a mapping, found nothing']],
    [
      'a second document',
      'mutations: []\n---\nmutations: []\n',
      ['2:1 a second YAML document starts here'],
    ],
    ['a tab that indents', 'mutations:\n\t- id: a\n', ['2:1 a tab cannot indent YAML']],
    [
      'another version',
      completeWith('').replace('version: 1', 'version: 2'),
      ['1:10 this version of Counterproof reads version 1 of the format'],
    ],
    [
      'a version that is a text',
      completeWith('').replace('version: 1', 'version: "1"'),
      ['1:10 this version of Counterproof reads version 1 of the format'],
    ],
    ['no id', 'mutations:\n- file: a.py\n  delete: true\n  flips: any\n', ['2:3 `id` is missing']],
    [
      'an empty id',
      completeWith('').replace('id: one', 'id: ""'),
      ['3:7 must be one line of text, without blanks around it'],
    ],
    [
      'an id of two lines',
      completeWith('').replace('id: one', 'id: "a\\nb"'),
      ['3:7 must be one line of text, without blanks around it'],
    ],
    [
      'an id twice in one mutation',
      completeWith('id: two'),
      ['4:3 `id` stands here a second time'],
    ],
    ['an unknown key', completeWith('pach: x'), ['4:3 unknown key `pach`']],
    [
      'a key of a later version',
      completeWith('moves: [a]'),
      ['4:3 this version of Counterproof has no `moves`'],
    ],
    [
      'two faults in two mutations',
      `${completeWith('why: [a]')}- id: two\n  flips: any\n  delete: yes\n`,
      ['4:8 YAML reads this as a list, because of its brackets', '10:11 expected `true`'],
    ],
    ['no flips', specWith('file: a.py\ndelete: true'), ['3:7 `one` does not say which tests flip']],
    ['an empty list of flips', completeWith('flips: []'), ['4:10 the list of flips is empty']],
    ['any in a list', completeWith('flips: [any]'), ['4:11 `any` is no id of a test']],
    ['None', completeWith('flips: None'), ['4:10 `None` is no id of a test']],
    [
      'count and min',
      completeWith('flips: [{ test: a, count: 1, min: 1 }]'),
      ['4:32 `count` and `min` exclude each other'],
    ],
    [
      'count of nothing',
      completeWith('flips: [{ test: a, count: 0 }]'),
      ['4:29 expected at least 1'],
    ],
    [
      'a broken count',
      completeWith('flips: [{ test: a, count: 1.5 }]'),
      ['4:29 expected a whole number, found `1.5`'],
    ],
    [
      'an unknown outcome',
      completeWith('flips: { test: a, to: skiped }'),
      [
        '4:25 `skiped` is none of passed, failed, error, skipped, xfailed, xpassed, crashed, timeout, missing',
      ],
    ],
    [
      'no outcome',
      completeWith('flips: { test: a, to: [] }'),
      ['4:25 the list of outcomes is empty'],
    ],
    [
      'an outcome to itself',
      completeWith('flips: { test: a, to: passed }'),
      ['4:25 from `passed` to `passed` is no move'],
    ],
    [
      'from the outcome that is expected',
      completeWith('flips: { test: a, from: failed }'),
      ['4:27 from `failed` to `failed` is no move'],
    ],
    [
      'a bad expression',
      completeWith('flips: { test: a, message: "(" }'),
      ['4:30 not a regular expression: unterminated group'],
    ],
    [
      'a bad expression in slashes',
      completeWith('flips: { test: a, message: "/[/" }'),
      ['4:30 not a regular expression: unterminated character class'],
    ],
    [
      'an expression with options',
      completeWith('flips: { test: a, message: /a/i }'),
      ['4:30 options behind a regular expression (`i`) are not supported'],
    ],
    ['a test twice', completeWith('flips: [a, b, a]'), ['4:17 `a` is named twice']],
    [
      'a misspelt key of an expectation',
      completeWith('flips: [{ tst: a }]'),
      ['4:13 unknown key `tst`'],
    ],
    ['no edit', specWith('file: a.py\nflips: any'), ['3:7 no edit is declared']],
    [
      'two edits',
      specWith('file: a.py\nflips: any\ndelete: true\ncreate: ""'),
      ['6:3 `create` and `delete` are two edits'],
    ],
    [
      'an edit beside edits',
      specWith('flips: any\ndelete: true\nedits: [{ file: a.py, delete: true }]'),
      ['5:3 `delete` stands beside `edits`'],
    ],
    ['no edit among edits', specWith('flips: any\nedits: []'), ['5:10 the list of edits is empty']],
    [
      'an edit of edits without a kind',
      specWith('flips: any\nedits:\n- file: a.py'),
      ['6:5 no edit is declared'],
    ],
    ['no file', specWith('flips: any\ndelete: true'), ['5:3 the edit names no file']],
    [
      'an absolute path',
      specWith('flips: any\ndelete: true\nfile: /a.py'),
      ['6:9 the path is absolute'],
    ],
    [
      'a path with a drive',
      specWith('flips: any\ndelete: true\nfile: C:\\a.py'),
      ['6:9 the path is absolute'],
    ],
    [
      'a path out of the tree',
      specWith('flips: any\ndelete: true\nfile: ../../a.py'),
      ['6:9 the path leads out of the tree'],
    ],
    [
      'a path to a folder',
      specWith('flips: any\ndelete: true\nfile: src/'),
      ['6:9 the path names a folder, where a file is meant'],
    ],
    [
      'a path with backslashes',
      specWith('flips: any\ndelete: true\nfile: src\\a.py'),
      ['6:9 the path has a backslash in it'],
    ],
    ['a blank path', specWith('flips: any\ndelete: true\nfile: " "'), ['6:9 is empty']],
    [
      'a path into .git',
      specWith('flips: any\ndelete: true\nfile: ../.git/config'),
      ['6:9 files in .git are never touched'],
    ],
    [
      'raise without a function',
      completeWith('raise: true').replace('delete: true', ''),
      ['4:3 `raise` needs a function'],
    ],
    ['raise: yes', completeWith('raise: yes'), ['4:10 expected `true`']],
    [
      'within a file that goes away',
      completeWith('within: def f'),
      ['4:3 `delete` takes a whole file, so `within` has no meaning'],
    ],
    [
      'nothing to find',
      specWith('file: a.py\nflips: any\nreplace: { find: "", with: a }'),
      ['6:20 is empty'],
    ],
    [
      'no replacement',
      specWith('file: a.py\nflips: any\nreplace: { find: a }'),
      ['6:12 `with` is missing'],
    ],
    [
      'a replacement by itself',
      specWith('file: a.py\nflips: any\nreplace: { find: a, with: a }'),
      ['6:29 `find` and `with` are the same text'],
    ],
    [
      'a misspelt find',
      specWith('file: a.py\nflips: any\nreplace: { fnd: a, with: b }'),
      ['6:14 unknown key `fnd`'],
    ],
    [
      'a patch of prose',
      specWith('file: a.py\nflips: any\npatch: take it away'),
      ['6:10 the patch changes nothing: no line starts with `@@`, or none with `+` or `-`'],
    ],
    [
      'a patch of context',
      specWith('file: a.py\nflips: any\npatch: |\n  @@\n   a\n'),
      ['6:10 the patch changes nothing: no line starts with `@@`, or none with `+` or `-`'],
    ],
    [
      'a patch for nobody',
      specWith('flips: any\npatch: |\n  @@\n  -a\n'),
      ['5:3 the edit names no file'],
    ],
    [
      'a patch for two files',
      specWith(
        'flips: any\npatch: |\n  --- a/x\n  +++ b/x\n  @@\n  -a\n  --- a/y\n  +++ b/y\n  @@\n  -a\n',
      ),
      ['5:10 the patch is for several files: x, y'],
    ],
    [
      'a boolean for a test',
      specWith('file: a.py\nflips: true\ndelete: true'),
      ['5:10 expected the id of a test, found `true`'],
    ],
    [
      'a number for a test',
      specWith('file: a.py\nflips: [3]\ndelete: true'),
      ['5:11 expected the id of a test, found `3`'],
    ],
    [
      'a patch for another file than the entry',
      specWith(
        'file: src/a.py\nflips: any\npatch: |\n  --- a/src/b.py\n  +++ b/src/b.py\n  @@\n  -a\n',
      ),
      ['4:9 the patch is for another file: src/b.py'],
    ],
    [
      'a branch',
      specWith('file: a.py\nflips: any\nfrom: main'),
      ['6:9 `main` could be a branch, which moves'],
    ],
    [
      'HEAD',
      specWith('file: a.py\nflips: any\nfrom: HEAD'),
      ['6:9 `HEAD` means another commit tomorrow'],
    ],
    ['an unknown lane', completeWith('lane: unti'), ['4:9 there is no lane `unti`']],
    [
      'an unknown lane of a control',
      completeWith('controls: { lane: other, tests: a }'),
      ['4:21 there is no lane `other`'],
    ],
    [
      'a control without tests',
      completeWith('controls: [{ tests: [] }]'),
      ['4:23 the list of tests is empty'],
    ],
    [
      'an acceptance of no refuted verdict',
      completeWith('accept: { verdict: pinned, because: x }'),
      [
        '4:22 `pinned` is none of survived, partial, moved-otherwise, caught-elsewhere, control-moved',
      ],
    ],
    [
      'an acceptance without a reason',
      completeWith('accept: { verdict: survived }'),
      ['4:11 `because` is missing'],
    ],
    [
      'an acceptance until no date',
      completeWith('accept: { verdict: survived, because: x, until: 2026-02-30 }'),
      ['4:51 not a date'],
    ],
    [
      'a tag that --tag could not name',
      completeWith('tags: [a b, not]'),
      [
        '4:10 a tag has letters, digits, and `_`, `.`, `/` or `-` in it, and is none of and, or, not',
        '4:15 a tag has letters, digits, and `_`, `.`, `/` or `-` in it, and is none of and, or, not',
      ],
    ],
    ['exact: yes', completeWith('exact: yes'), ['4:10 expected `true` or `false`, found `yes`']],
    [
      'a probe without content',
      completeWith('probes: [{ path: t.py }]'),
      ['4:12 the probe has no content'],
    ],
    [
      'a probe with both',
      completeWith('probes: [{ path: t.py, content: a, source: b }]'),
      ['4:26 `source` and `content` exclude each other'],
    ],
    [
      'a probe whose source is missing',
      completeWith('probes: [{ path: t.py, source: nowhere.py }]'),
      ['4:34 the file cannot be read'],
    ],
    [
      'a probe out of the tree',
      completeWith('probes: [{ path: ../../t.py, content: a }]'),
      ['4:20 the path leads out of the tree'],
    ],
    [
      'a probe twice with other content',
      completeWith('probes: [{ path: t.py, content: a }, { path: ./t.py, content: b }]'),
      ['4:48 the probe t.py is declared twice, with different content'],
    ],
    [
      'a probe that differs from that of the head',
      `probes: [{ path: t.py, content: a }]\n${completeWith('probes: [{ path: t.py, content: b }]')}`,
      ['5:20 the probe t.py stands at the head of the file with other content'],
    ],
    [
      'liveness that flips nothing',
      completeWith('role: liveness\nflips: none'),
      ['5:10 a liveness mutation must flip something'],
    ],
    [
      'an unknown role',
      completeWith('role: livenes'),
      ['4:9 `livenes` is none of mutation, liveness'],
    ],
  ];
  test.each(table)('%s', (_, text, faults) => {
    expect(brief(faultsIn(text))).toEqual(faults);
  });

  test('every fault has a hint where a word was misspelt', () => {
    expect(hint(completeWith('pach: x'))).toBe('Did you mean `patch`?');
    expect(hint('mutatons: []\n')).toBe('Did you mean `mutations`?');
    expect(hint(completeWith('flips: { test: a, to: skiped }'))).toBe('Did you mean `skipped`?');
    expect(hint(completeWith('role: livenes'))).toBe('Did you mean `liveness`?');
    expect(hint(completeWith('exact: yes'))).toBe('Write `true`, without quotes.');
    expect(hint(completeWith('flips: []'))).toBe('Write `flips: none` where no test may move.');
    expect(hint(completeWith('zzz: x'))).toMatch(/^Known here: id, why, /);
  });

  test('brackets nested thousands deep are a fault, not a crash', () => {
    const text = `mutations: ${'['.repeat(100_000)}`;
    expect(brief(faultsIn(text))).toEqual(['1:12 the file is nested too deeply']);
    expect(brief(faultsIn('- '.repeat(10_000)))).not.toEqual([]);
  });
});

describe('lanes', () => {
  test('a mutation that names none of several is refused, and told which there are', () => {
    const [fault] = faultsIn(completeWith(''), TWO_LANES);
    expect(brief(fault === undefined ? [] : [fault])).toEqual([
      '3:7 `one` names no lane, and there are several',
    ]);
    expect(fault?.hint).toContain('The lanes are unit, slow.');
  });

  test('the nearest name holds: mutation, head of the file, defaults', () => {
    expect(mutationsIn(completeWith('lane: unit'), TWO_LANES)[0]?.lane).toBe('unit');
    expect(mutationsIn(`lane: slow\n${completeWith('')}`, TWO_LANES)[0]?.lane).toBe('slow');
    const text = `lane: slow\n${completeWith('lane: unit')}`;
    expect(mutationsIn(text, TWO_LANES)[0]?.lane).toBe('unit');
    const config = { ...TWO_LANES, defaults: { ...TWO_LANES.defaults, lane: 'slow' } };
    expect(mutationsIn(completeWith(''), config)[0]?.lane).toBe('slow');
  });

  test('an unknown lane at the head is told once', () => {
    expect(brief(faultsIn(`lane: unti\n${completeWith('')}`, TWO_LANES))).toEqual([
      '1:7 there is no lane `unti`',
    ]);
  });

  test('without a configured lane it is the one that detection makes', () => {
    expect(mutationsIn(completeWith(''))[0]?.lane).toBe('pytest');
    expect(mutationsIn(completeWith('lane: pytest'))[0]?.lane).toBe('pytest');
  });
});

describe('a mutation is normalised', () => {
  test('every field has its default', () => {
    expect(mutationsIn(completeWith('why: Because.'))[0]).toEqual({
      id: 'one',
      spec: 'mutations/a.yaml',
      why: 'Because.',
      role: 'mutation',
      lane: 'pytest',
      edits: [
        {
          kind: 'delete',
          file: 'src/a.py',
          within: [],
          where: { file: 'mutations/a.yaml', line: 6, col: 3 },
        },
      ],
      flips: { kind: 'any' },
      controls: [],
      exact: false,
      probes: [],
      accept: null,
      tags: [],
      refs: [],
      owner: null,
      where: { file: 'mutations/a.yaml', line: 3, col: 7 },
    });
  });

  test('the head of the file holds for each mutation, its controls not for liveness', () => {
    const text = [
      'controls: [c1, { lane: slow, tests: [s1, s2] }]',
      'probes: [{ path: t.py, content: "x" }]',
      'exact: true',
      'tags: head',
      'lane: unit',
      'mutations:',
      '- { id: a, file: a.py, delete: true, flips: any, controls: [c2, c1], tags: [own, head] }',
      '- { id: b, file: a.py, delete: true, role: liveness, exact: false, controls: c3 }',
    ].join('\n');
    const [a, b] = mutationsIn(text, TWO_LANES);
    expect(a?.controls.map(({ lane, tests }) => [lane, tests])).toEqual([
      [null, 'c1'],
      ['slow', 's1'],
      ['slow', 's2'],
      [null, 'c2'],
    ]);
    expect(a).toMatchObject({ exact: true, tags: ['head', 'own'], lane: 'unit' });
    expect(a?.probes.map(({ path, content }) => [path, content.toString()])).toEqual([
      ['t.py', 'x'],
    ]);
    expect(b?.controls.map(({ tests }) => tests)).toEqual(['c3']);
    expect(b).toMatchObject({ exact: false, tags: ['head'], role: 'liveness' });
    expect(b?.flips).toEqual({ kind: 'any' });
  });

  test('the lane of a control that is the own one is null, however it was written', () => {
    const [a] = mutationsIn(
      completeWith('lane: unit\ncontrols: [{ lane: unit, tests: c }, c]'),
      TWO_LANES,
    );
    expect(a?.controls.map(({ lane, tests }) => [lane, tests])).toEqual([[null, 'c']]);
  });

  test('each kind of edit', () => {
    const edits = [
      '{ file: a.py, patch: "@@\\n-a\\n" }',
      '{ file: ./b//c.py, within: [class A, def b], replace: { find: a, with: "", count: 2 } }',
      '{ file: ../d.py, within: def d, raise: true }',
      '{ file: e.py, create: "" }',
      '{ file: f.py, delete: true }',
      '{ file: g.py, from: refs/tags/v1.0 }',
      '{ patch: "--- a/h.py\\n+++ b/h.py\\n@@\\n-a\\n" }',
    ];
    const text = specWith(`flips: any\nedits:\n${edits.map((edit) => `- ${edit}`).join('\n')}`);
    expect(mutationsIn(text)[0]?.edits).toMatchObject([
      { kind: 'patch', file: 'a.py', within: [], patch: '@@\n-a\n' },
      {
        kind: 'replace',
        file: 'b/c.py',
        within: ['class A', 'def b'],
        find: 'a',
        with: '',
        count: 2,
      },
      { kind: 'raise', file: '../d.py', within: ['def d'] },
      { kind: 'create', file: 'e.py', within: [], content: '' },
      { kind: 'delete', file: 'f.py', within: [] },
      { kind: 'from', file: 'g.py', within: [], rev: 'refs/tags/v1.0' },
      { kind: 'patch', file: 'h.py', within: [], patch: '--- a/h.py\n+++ b/h.py\n@@\n-a\n' },
    ]);
  });

  test('an expectation', () => {
    const [a] = mutationsIn(
      completeWith('flips: [a, { test: b, min: 2, to: [failed, error], message: "/got .*#3/" }]'),
    );
    expect(a?.flips).toEqual({
      kind: 'tests',
      tests: [
        {
          test: 'a',
          count: null,
          min: null,
          from: 'passed',
          to: ['failed'],
          message: null,
          where: { file: 'mutations/a.yaml', line: 4, col: 11 },
        },
        {
          test: 'b',
          count: null,
          min: 2,
          from: 'passed',
          to: ['failed', 'error'],
          message: 'got .*#3',
          where: { file: 'mutations/a.yaml', line: 4, col: 22 },
        },
      ],
    });
  });

  test('keys of the user, anywhere', () => {
    const text = `x-team: { a: [1] }\n${completeWith('x-note: &anchor hello')}`;
    expect(mutationsIn(text)).toHaveLength(1);
  });

  test('CRLF line endings and quoted keys', () => {
    const text = completeWith('"why": a').replaceAll('\n', '\r\n');
    expect(mutationsIn(text)[0]?.why).toBe('a');
    expect(brief(faultsIn(text.replace('delete: true', 'delete: yes')))).toEqual([
      '6:11 expected `true`',
    ]);
  });
});

describe('names and tags', () => {
  test.each(['größe', 'a.b/c-d_e', '日本', '1', 'android', 'x'])('the tag %s', (tag) => {
    expect(mutationsIn(completeWith(`tags: ["${tag}"]`))[0]?.tags).toEqual([tag]);
  });
  test.each([
    'a b',
    'a,b',
    'a&b',
    'a:b',
    '!a',
    '(a)',
    'a|b',
    'Not',
    '',
    'a\\u2028',
    'a\\xa0',
    'a*',
  ])('no tag: %s', (tag) => {
    expect(faultsIn(completeWith(`tags: ["${tag}"]`))).toHaveLength(1);
  });
  test.each(['a', 'a b', 'ü', '日本', 'a[b: c] #d', '👍'])('the id %s', (id) => {
    const text = completeWith('').replace('id: one', `id: "${id}"`);
    expect(mutationsIn(text)[0]?.id).toBe(id);
  });
  test.each([' a', 'a ', 'a\\tb', 'a\\u2028b', '\\x01', 'a\\x9fb', '\\xa0a'])('no id: %j', (id) => {
    expect(faultsIn(completeWith('').replace('id: one', `id: "${id}"`))).toHaveLength(1);
  });
});
