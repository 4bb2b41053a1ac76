import { describe, expect, test } from 'vitest';
import type { ProofEvidence } from '../../src/proof/evidence.js';
import { judge } from '../../src/proof/judge.js';
import { classifyFile, PYTHON_FILES } from '../../src/prove/classify.js';
import { readFinding, type Finding, type Measurement } from '../../src/prove/finding.js';
import type { Change } from '../../src/prove/fix.js';
import { testAnswers, type Shown } from '../../src/prove/test-answers.js';
import {
  A,
  ANY,
  B,
  C,
  D,
  crash,
  evidence,
  expectFlip,
  flips,
  step,
  SOURCE,
  TODAY,
  UNSEEN,
} from '../proof/build.js';

const BEFORE = 'def kept():\n    return 1\n';
const AFTER = 'def fresh():\n    return 2\n\n\ndef kept():\n    return 2\n';
const file = {
  path: SOURCE,
  oldPath: SOURCE,
  before: Buffer.from(BEFORE),
  after: Buffer.from(AFTER),
  now: Buffer.from(AFTER),
};
const change = (id: string, from: number, to: number, old: number): Change => ({
  id,
  parts: [
    {
      kind: 'lines',
      file,
      old: { from: old, to: old + (id === '2' ? 1 : 0) },
      fresh: { from, to },
      now: { from, to },
    },
  ],
  class: 'source',
  why: 'code',
  scope: null,
  obstacle: null,
});
/** A new function, and another body of the one that was there. */
const [fresh, kept] = [change('1', 0, 4, 0), change('2', 5, 6, 1)] as const;

const around = {
  changes: [fresh, kept],
  root: '.',
  isTestLine: () => false,
  classOf: (path: string) =>
    classifyFile(path, { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES }).class,
};

const byName = {
  outcome: 'failed',
  at: 'tests/test_routes.py:3',
  message: "AttributeError: module 'routes' has no attribute 'fresh'",
} as const;
const byValue = {
  outcome: 'failed',
  at: 'tests/test_routes.py:9',
  message: 'assert 1 == 2',
} as const;
const uncollected = {
  stage: 'collect',
  file: 'tests/test_other.py',
  line: 1,
  message: "ImportError: cannot import name 'fresh' from 'routes'",
} as const;

function shown(proof: string, taken: readonly Change[], more: Partial<ProofEvidence>): Shown {
  const own = evidence(more, { ...ANY, id: proof, ...more.mutation });
  const measurement: Measurement = { evidence: own, judgement: judge(own, { today: TODAY }) };
  return { proof, measurement, finding: readFinding(measurement, taken, around) };
}

/** `failed assert 1 == 2`, by test. */
function answers(whole: Shown | null, parts: readonly Shown[]): Readonly<Record<string, string>> {
  const tests = [A, B, C, D].map((id) => {
    const [path = '', ...name] = id.split('::');
    return { path, name: name.join('::'), kind: 'new' as const };
  });
  const input = { tests, root: '.', whole, parts, read: () => null, isPartial: false };
  return Object.fromEntries(
    testAnswers(input).map(({ test: id, withoutFix, message }) => [
      id,
      [withoutFix, message].filter((word) => word !== null).join(' '),
    ]),
  );
}

/** What speaks for the changes: the same failures must speak for the tests. */
const evidenceIn = ({ finding }: { readonly finding: Finding }): readonly string[] =>
  finding.kind === 'held' ? finding.flips.map(({ test: id }) => id) : [];

const nothing = shown('hunk-2', [kept], { mutated: step('mutated') });

describe('what a test does without the fix', () => {
  test('has no answer where its lane was not run, or not to its end', () => {
    expect(answers(null, [])[A]).toBe('not-run its lane was not run');
    const baseline = step('baseline', {}, { ending: crash(null), lacks: [A, B, C, D] });
    const broken = shown('whole', [fresh, kept], { baseline, mutated: null, restored: null });
    expect(answers(broken, [])[A]).toBe('not-run its lane did not run to its end');
    const ended = step('baseline', {}, { lacks: [A, B, C, D] });
    const whole = shown('whole', [fresh, kept], { baseline: ended, mutated: null, restored: null });
    expect(answers(whole, [])[A]).toBe('not-run the lane does not select it');
  });

  test('is a failure where that is evidence, and broken where it fails by a missing name', () => {
    const whole = shown('whole', [fresh, kept], {
      mutated: step('mutated', { [A]: byName, [B]: byValue }),
    });
    expect(evidenceIn(whole)).toEqual([B]);
    expect(answers(whole, [])).toEqual({
      [A]: `broken ${byName.message}`,
      [B]: 'failed assert 1 == 2',
      [C]: 'passed',
      [D]: 'passed',
    });
  });

  test('is an error where its setup goes red, which any runner would show', () => {
    const inSetup = {
      outcome: 'error',
      phase: 'setup',
      message: 'RuntimeError: no engine',
    } as const;
    const whole = shown('whole', [fresh, kept], { mutated: step('mutated', { [A]: inSetup }) });
    expect(evidenceIn(whole)).toEqual([A]);
    expect(answers(whole, [])).toMatchObject({ [A]: 'error RuntimeError: no engine' });
    const missing = { ...inSetup, message: byName.message, at: byName.at };
    const absent = shown('whole', [fresh, kept], { mutated: step('mutated', { [A]: missing }) });
    expect(evidenceIn(absent)).toEqual([]);
    expect(answers(absent, [])).toMatchObject({ [A]: `broken ${byName.message}` });
  });

  test('is broken also beside a file that cannot be collected', () => {
    const whole = shown('whole', [fresh, kept], {
      mutated: step(
        'mutated',
        { [A]: byName, [B]: byValue },
        { collectionErrors: [uncollected], lacks: [D] },
      ),
    });
    expect(evidenceIn(whole)).toEqual([B]);
    expect(answers(whole, [])).toEqual({
      [A]: `broken ${byName.message}`,
      [B]: 'failed assert 1 == 2',
      [C]: 'passed',
      [D]: `broken ${uncollected.message}`,
    });
  });

  test('is broken in a part as in the whole', () => {
    const whole = shown('whole', [fresh, kept], {
      mutated: step('mutated', { [A]: byName, [C]: byName }),
    });
    const part = shown('hunk-1', [fresh], {
      mutated: step(
        'mutated',
        { [A]: byName, [B]: byValue },
        { collectionErrors: [uncollected], lacks: [D] },
      ),
    });
    expect(whole.finding.kind).toBe('inseparable');
    expect(evidenceIn(part)).toEqual([B]);
    expect(answers(whole, [part, nothing])).toMatchObject({
      [A]: `broken ${byName.message}`,
      // It passes without the whole fix, whatever it says of a tree that never was.
      [B]: 'passed',
    });
    expect(answers(null, [part, nothing])).toMatchObject({
      [A]: `broken ${byName.message}`,
      [B]: 'failed assert 1 == 2',
      [D]: `broken ${uncollected.message}`,
    });
  });

  test('is a failure where one take shows more than the missing name', () => {
    const whole = shown('whole', [fresh, kept], { mutated: step('mutated', { [A]: byName }) });
    const part = shown('hunk-2', [kept], { mutated: step('mutated', { [A]: byValue }) });
    expect(answers(whole, [part])).toMatchObject({ [A]: 'failed assert 1 == 2' });
  });

  test('is a crash that repeats; what else went red before it is told by the same rule', () => {
    const ending = crash(A);
    const lost = { ending, lacks: [A, D] };
    const own = evidence(
      {
        mutated: step('mutated', { [B]: byName, [C]: byValue }, lost),
        restored: step('restored'),
      },
      { id: 'whole:again', ...flips(expectFlip(A, { to: ['failed', 'crashed'] })) },
    );
    const measurement: Measurement = { evidence: own, judgement: judge(own, { today: TODAY }) };
    const again: Shown = {
      proof: 'whole:again',
      measurement,
      finding: readFinding(measurement, [fresh, kept], around),
    };
    expect(evidenceIn(again)).toEqual([A]);
    expect(answers(again, [])).toMatchObject({
      [A]: 'crashed ends the test process',
      [B]: `broken ${byName.message}`,
      [C]: 'not-run no run shows what it does',
    });
  });

  test('is not known where the test is gone with what was taken back', () => {
    const whole = shown('whole', [fresh, kept], {
      mutated: step('mutated', { [A]: 'missing' }),
    });
    const unseen = shown('whole', [fresh, kept], {
      mutated: step('mutated', { [A]: 'missing' }, { loads: UNSEEN }),
    });
    expect(unseen.finding).toMatchObject({ kind: 'no-evidence', verdict: 'not-loaded' });
    expect(answers(unseen, [nothing])).toMatchObject({ [A]: 'not-run it is gone without the fix' });
    expect(whole.finding).toEqual({ kind: 'gone', tests: [A] });
    expect(answers(whole, [nothing])).toMatchObject({
      [A]: 'not-run it is gone without the fix',
      [B]: 'passed',
    });
  });
});
