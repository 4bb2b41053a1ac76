import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/prove/fix.js';
import { functionsTouchedBy, namesDefinedBy, unresolvedName } from '../../src/prove/names.js';

/** A change of these lines, which are counted from 1 and inclusive. */
function change(
  before: string | null,
  after: string | null,
  old: readonly [number, number] | null,
  fresh: readonly [number, number] | null,
): Change {
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
  const file = {
    path: 'src/mod.py',
    oldPath: before === null ? null : 'src/mod.py',
    before: bytes(before),
    after: bytes(after),
    now: bytes(after),
  };
  const span = (lines: readonly [number, number] | null): { from: number; to: number } =>
    lines === null ? { from: 0, to: 0 } : { from: lines[0] - 1, to: lines[1] };
  return {
    id: '1',
    parts: [
      before === null
        ? { kind: 'created', file, isThere: true }
        : { kind: 'lines', file, old: span(old), fresh: span(fresh), now: span(fresh) },
    ],
    class: 'source',
    why: '',
    scope: null,
    obstacle: null,
  };
}

const CODE = `import os, sys as system
from a.b import one, two as zwei

LIMIT: int = 3


class Engine(Base):
    field: int

    def start(self, mode, *rest, wait=True, **more):
        self.count, other = 1, 2
        with open(mode) as handle:
            return [each for each in handle]
        for turn in rest:
            self.turns[turn] += 1
        if (found := mode):
            return found
`;

describe('the names that lines define', () => {
  test.each([
    [1, ['os', 'system']],
    [2, ['one', 'zwei']],
    [4, ['LIMIT']],
    [7, ['Engine']],
    [8, ['field']],
    [10, ['start', 'self', 'mode', 'rest', 'wait', 'more']],
    [11, ['count', 'other']],
    [12, ['handle']],
    [14, ['turn']],
    [15, []],
    [16, ['found']],
    [17, []],
  ])('line %i: %j', (line, names) => {
    expect([...namesDefinedBy([change('', CODE, null, [line, line])])]).toEqual(names);
  });

  test.each([
    [1, ['os', 'system']],
    [4, ['LIMIT']],
    [7, ['Engine']],
    [8, ['field']],
    [10, ['start']],
    [11, ['count']],
    [12, []],
    [14, []],
    [16, []],
  ])('line %i as attributes: %j', (line, names) => {
    expect([...namesDefinedBy([change('', CODE, null, [line, line])], 'attribute')]).toEqual(names);
  });

  test('a function in a function, and what a lambda takes, are no attributes', () => {
    const code = 'def f():\n    def g(a):\n        pass\n    import os\nh = lambda b: b\n';
    expect([...namesDefinedBy([change(null, code, null, null)], 'attribute')]).toEqual([
      'mod',
      'f',
      'h',
    ]);
  });

  test('a new file defines all of its own, and itself', () => {
    expect([...namesDefinedBy([change(null, 'def f(a):\n    pass\n', null, null)])]).toEqual([
      'mod',
      'f',
      'a',
    ]);
  });

  test('what both sides define is not new, but its head is touched', () => {
    const [before, after] = ['def f(a):\n    pass\n', 'def f(a, b):\n    pass\n'];
    const changes = [change(before, after, [1, 1], [1, 1])];
    expect([...namesDefinedBy(changes)]).toEqual(['b']);
    expect([...functionsTouchedBy(changes)]).toEqual(['f']);
  });

  test('a change inside a function does not touch its head', () => {
    const [before, after] = ['def f(a):\n    pass\n', 'def f(a):\n    return a\n'];
    expect([...functionsTouchedBy([change(before, after, [2, 2], [2, 2])])]).toEqual([]);
  });
});

test.each([
  ['E0425: cannot find function `helper` in this scope', 'helper'],
  ['E0425: cannot find value `LIMIT` in module `crate::a`', 'LIMIT'],
  ['E0432: unresolved import `crate::stop::Stop`', 'Stop'],
  ['E0433: failed to resolve: use of undeclared type `Stop`', 'Stop'],
  ['E0433: failed to resolve: could not find `stop` in the crate root', 'stop'],
  ['E0412: cannot find type `Stop` in this scope', 'Stop'],
  ['E0599: no method named `trim` found for struct `Decoder` in the current scope', 'trim'],
  [
    'E0599: no function or associated item named `with` found for struct `D` in the current scope',
    'with',
  ],
  ['E0609: no field `limit` on type `Decoder`', 'limit'],
  ['E0560: struct `Decoder` has no field named `limit`', 'limit'],
  ['E0061: this function takes 1 argument but 2 arguments were supplied', null],
  ['E0308: mismatched types', null],
])('%s', (message, name) => {
  expect(unresolvedName(message)).toBe(name);
});
