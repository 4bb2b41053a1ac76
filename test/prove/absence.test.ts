import { describe, expect, test } from 'vitest';
import { readAbsence, type Surroundings } from '../../src/prove/absence.js';
import { classifyFile, PYTHON_FILES } from '../../src/prove/classify.js';
import type { FileStates } from '../../src/mutation/file-change.js';
import type { Change } from '../../src/prove/fix.js';

const BEFORE = `def old(a):
    return a


def user(a):
    return old(a)


def other(a):
    return a
`;

const AFTER = `LIMIT = 3


def fresh(a, wait=False):
    return a


def user(a):
    return fresh(a, wait=True)


def other(a):
    return a < LIMIT
`;

const file: FileStates = {
  path: 'pkg/src/mod.py',
  oldPath: 'pkg/src/mod.py',
  before: Buffer.from(BEFORE),
  after: Buffer.from(AFTER),
  now: Buffer.from(AFTER),
};

/** A change of these lines, counted from 1 and inclusive. */
function change(
  id: string,
  old: readonly [number, number],
  fresh: readonly [number, number],
): Change {
  const span = ([from, to]: readonly [number, number]) => ({ from: from - 1, to });
  return {
    id,
    parts: [{ kind: 'lines', file, old: span(old), fresh: span(fresh), now: span(fresh) }],
    class: 'source',
    why: 'code',
    scope: null,
    obstacle: null,
  };
}

/** The constant, the signature, its caller, and the user of the constant. */
const [constant, head, caller, compare] = [
  change('1', [1, 0], [1, 3]),
  change('2', [1, 1], [4, 4]),
  change('3', [6, 6], [9, 9]),
  change('4', [10, 10], [13, 13]),
] as const;

const around: Surroundings = {
  changes: [constant, head, caller, compare],
  root: 'pkg',
  isTestLine: () => false,
  classOf: (path) =>
    classifyFile(path, { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES }).class,
};

const reads = (taken: readonly Change[], message: string, at: string | null): unknown =>
  readAbsence([{ message, at }], taken, around);

describe('a failure by a name that is gone', () => {
  test('joins the change that uses the name: found by its line, wherever that has moved to', () => {
    // Without the constant and the blank lines below it, line 13 is line 10.
    expect(reads([constant], "NameError: name 'LIMIT' is not defined", 'src/mod.py:10')).toEqual({
      names: ['LIMIT'],
      with: ['4'],
      usedByTests: false,
    });
  });

  test('joins the others that use it at once: a test shows the first one alone', () => {
    const more = change('5', [10, 10], [13, 13]);
    const surrounded = { ...around, changes: [...around.changes, more] };
    const failure = { message: "NameError: name 'LIMIT' is not defined", at: 'src/mod.py:10' };
    expect(readAbsence([failure], [constant], surrounded)?.with).toEqual(['4', '5']);
  });

  test('joins every change that mentions the name, where no place is known', () => {
    expect(reads([constant], "NameError: name 'LIMIT' is not defined", null)).toMatchObject({
      with: ['4'],
    });
    expect(
      reads([head], "TypeError: fresh() got an unexpected keyword argument 'wait'", null),
    ).toMatchObject({
      with: ['3'],
    });
  });

  test('joins the change that took the name away which the old lines use', () => {
    expect(reads([caller], "NameError: name 'old' is not defined", 'src/mod.py:9')).toEqual({
      names: ['old'],
      with: ['2'],
      usedByTests: false,
    });
  });

  test('is no evidence where the tests use it by name', () => {
    for (const message of [
      "ImportError: cannot import name 'fresh' from 'mod'",
      "AttributeError: module 'mod' has no attribute 'fresh'",
      "TypeError: old() got an unexpected keyword argument 'wait'",
    ])
      expect(reads([head, caller], message, 'tests/test_mod.py:3')).toMatchObject({
        with: [],
        usedByTests: true,
      });
  });

  test('is no evidence where a class is called by a constructor that is gone', () => {
    const written = 'class Jail:\n    def __init__(self, word):\n        self.word = word\n';
    const before = Buffer.from('class Jail:\n    pass\n');
    const after = Buffer.from(written);
    const jail: FileStates = { ...file, before, after, now: after };
    const lines = { old: { from: 1, to: 2 }, fresh: { from: 1, to: 3 }, now: { from: 1, to: 3 } };
    const maker: Change = { ...head, id: '9', parts: [{ kind: 'lines', file: jail, ...lines }] };
    const says = { message: 'TypeError: Jail() takes no arguments', at: 'tests/test_mod.py:3' };
    expect(readAbsence([says], [maker], around)).toMatchObject({ usedByTests: true });
  });

  test('is evidence where unchanged code says it: so it did before the fix', () => {
    expect(
      reads([constant, compare], "NameError: name 'LIMIT' is not defined", 'src/else.py:3'),
    ).toBeNull();
    expect(reads([constant], "NameError: name 'LIMIT' is not defined", 'src/mod.py:2')).toBeNull();
  });

  test('is evidence where the name is none of the fix', () => {
    for (const message of [
      "AttributeError: 'NoneType' object has no attribute 'split'",
      "NameError: name 'other' is not defined",
      'AssertionError: LIMIT',
      null,
    ])
      expect(readAbsence([{ message, at: 'src/mod.py:10' }], [constant], around)).toBeNull();
  });

  test('a test that leaves out what was required uses what the fix allows', () => {
    expect(
      reads(
        [head, caller],
        "TypeError: fresh() missing 1 required positional argument: 'a'",
        'tests/test_mod.py:3',
      ),
    ).toBeNull();
  });

  test('counts for nothing beside a failure of another kind', () => {
    const gone = { message: "NameError: name 'LIMIT' is not defined", at: 'src/mod.py:10' };
    const real = { message: 'AssertionError: assert 1 == 2', at: 'tests/test_mod.py:3' };
    expect(readAbsence([gone, real], [constant], around)).toBeNull();
    expect(readAbsence([], [constant], around)).toBeNull();
  });
});
