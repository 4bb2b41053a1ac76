import { describe, expect, it } from 'vitest';
import { ownNameNote } from '../../src/proof/own-name.js';
import type { EditSpec } from '../../src/spec/model.js';
import { A, B, judged, step } from './build.js';

const PATCH = `--- a/pkg/calc.py
+++ b/pkg/calc.py
@@ -1,3 +1,3 @@
 def add(a, b):
-    return a + b.real
+    return fo.real
 
@@ -10,2 +10,3 @@
 def minus(a, b):
+    b = ba
     return a - b
`;
const where = { file: 'm.yaml', line: 1, col: 1 };
const REPLACE: EditSpec = { kind: 'patch', file: 'calc.py', patch: PATCH, within: [], where };
const fails = (at: string | null, message: string) => ({ at, message });
const note = (...red: readonly ReturnType<typeof fails>[]) => ownNameNote(red, PATCH, [REPLACE]);
const FO = "NameError: name 'fo' is not defined";

describe('failures by a name that the edit alone brings in', () => {
  it('are named', () => {
    expect(note(fails('pkg/calc.py:2', FO))).toBe(
      "By a name alone: the test fails because the edit's own text names `fo`, which does not exist; it would fail whatever the line did.",
    );
    const all = note(
      fails('pkg/calc.py:2', FO),
      fails(
        'pkg/calc.py:11',
        "UnboundLocalError: local variable 'ba' referenced before assignment",
      ),
    );
    expect(all).toContain("the tests fail because the edit's own text names `fo`, `ba`");
  });

  it('on any line that the edit adds', () => {
    const patch = PATCH.replace('+10,3', '+10,4').replace(
      '+    b = ba\n',
      '+    b = 1\n+    b = ba\n',
    );
    const ba = fails('pkg/calc.py:12', "NameError: name 'ba' is not defined");
    expect(patch).not.toBe(PATCH);
    expect(ownNameNote([ba], patch, [REPLACE])).toContain('`ba`');
  });

  it('also where the ids of tests begin below the top of the tree', () => {
    expect(note(fails('calc.py:2', FO))).toContain('`fo`');
  });

  it('also where a value of a built-in type was asked for it', () => {
    const patch = PATCH.replace('fo.real', 'a.foo');
    const red = [fails('pkg/calc.py:2', "AttributeError: 'int' object has no attribute 'foo'")];
    expect(ownNameNote(red, patch, [REPLACE])).toContain('`foo`, which does not exist');
  });

  it.each([
    ["'NoneType' object has no attribute 'foo'", 'a.foo'],
    ["'int' object has no attribute 'upper'", 'a.upper()'],
    ["'int' object has no attribute '__len__'", 'a.__len__()'],
  ])('nothing is said of %s: another value may have it', (message, code) => {
    const red = [fails('pkg/calc.py:2', `AttributeError: ${message}`)];
    expect(ownNameNote(red, PATCH.replace('fo.real', code), [REPLACE])).toBeNull();
  });

  it.each([
    ['a failure of another kind', 'pkg/calc.py:2', "AssertionError: assert 'fo' == 3"],
    ['a failure in another line', 'pkg/calc.py:3', FO],
    ['a failure in another file', 'pkg/other.py:2', FO],
    [
      'a name that the old line had too',
      'pkg/calc.py:2',
      "AttributeError: 'A' object has no attribute 'real'",
    ],
    ['a name that is not in the line', 'pkg/calc.py:2', "NameError: name 'helper' is not defined"],
    [
      'an argument that does not fit, whatever it is called',
      'pkg/calc.py:2',
      "TypeError: add() got an unexpected keyword argument 'fo'",
    ],
    ['no place', null, FO],
  ])('nothing is said of %s', (_what, at, message) => {
    expect(note(fails(at, message))).toBeNull();
  });

  it('nothing is said where one test fails by more', () => {
    expect(note(fails('pkg/calc.py:2', FO), fails('pkg/calc.py:2', 'assert 1 == 2'))).toBeNull();
    expect(note()).toBeNull();
  });

  it('nothing is said of a commit, whose text was code once', () => {
    const from: EditSpec = { kind: 'from', file: 'calc.py', rev: 'abc', within: [], where };
    expect(ownNameNote([fails('pkg/calc.py:2', FO)], PATCH, [from])).toBeNull();
  });
});

it('is a note of the judgement, whose verdict stays', () => {
  const red = { outcome: 'failed', at: 'pkg/calc.py:2', message: FO } as const;
  const one = judged({ patch: PATCH, mutated: step('mutated', { [A]: red }) });
  expect(one.verdict.code).toBe('pinned');
  expect(one.notes.join()).toContain('`fo`');
  const two = judged({
    patch: PATCH,
    mutated: step('mutated', { [A]: red, [B]: { outcome: 'failed', message: 'assert 1 == 2' } }),
  });
  expect(two.notes).toEqual([]);
});
