import { describe, expect, it } from 'vitest';
import { exitCode, proveExitCode, type ProveOutcome } from '../../src/proof/exit-code.js';
import type { ProofOutcome, RunOutcome } from '../../src/proof/exit-code.js';
import { GROUP_OF, VERDICTS } from '../../src/proof/verdict.js';
import type { VerdictCode } from '../../src/proof/verdict.js';

const proof = (verdict: VerdictCode, more: Partial<ProofOutcome> = {}): ProofOutcome => ({
  verdict,
  group: GROUP_OF[verdict],
  accepted: null,
  pulledIn: false,
  ...more,
});

const run = (proofs: readonly ProofOutcome[], more: Partial<RunOutcome> = {}): RunOutcome => ({
  signal: null,
  declared: proofs.filter(({ pulledIn }) => !pulledIn).length,
  proofs,
  allow: [],
  ...more,
});

const pinned = proof('pinned');
const survived = proof('survived');
const unloaded = proof('not-loaded');
const lost = proof('not-restored');
const accepted = proof('survived', { accepted: { because: 'known' } });

const ROWS: readonly (readonly [string, RunOutcome, number])[] = [
  ['all pinned', run([pinned, pinned]), 0],
  ['pinned and accepted', run([pinned, accepted]), 0],
  ['accepted alone', run([accepted]), 0],
  ['one refuted', run([pinned, survived]), 1],
  ['one without evidence', run([pinned, unloaded]), 3],
  ['less measured than declared', run([pinned], { declared: 2 }), 3],
  ['nothing measured of what was declared', run([], { declared: 2 }), 3],
  ['nothing declared', run([]), 5],
  ['a file that did not come back', run([pinned, lost]), 4],
  ['Ctrl-C', run([pinned], { signal: 'SIGINT' }), 130],
  ['Ctrl-\\', run([pinned], { signal: 'SIGQUIT' }), 131],
  ['a polite kill', run([pinned], { signal: 'SIGTERM' }), 143],
  ['4 before 130', run([lost], { signal: 'SIGINT' }), 4],
  ['4 before 1', run([lost, survived]), 4],
  ['143 before 1', run([survived], { signal: 'SIGTERM' }), 143],
  ['1 before 3', run([survived, unloaded]), 1],
  ['3 before 5', run([], { declared: 1 }), 3],
  ['an allowed verdict without evidence', run([pinned, unloaded], { allow: ['not-loaded'] }), 0],
  ['an allowed refuted verdict', run([pinned, survived], { allow: ['survived'] }), 0],
  ['an allowed verdict, and nothing graded', run([unloaded], { allow: ['not-loaded'] }), 3],
  ['another verdict than the allowed one', run([pinned, survived], { allow: ['partial'] }), 1],
  ['not-restored, even if allowed', run([lost, pinned], { allow: ['not-restored'] }), 4],
  [
    'a pulled-in liveness mutation beside a pinned one',
    run([pinned, proof('dead-lane', { pulledIn: true })]),
    0,
  ],
  ['a pulled-in liveness mutation alone', run([proof('pinned', { pulledIn: true })]), 5],
  [
    'a pulled-in one cannot stand for a declared one',
    run([proof('pinned', { pulledIn: true })], { declared: 1 }),
    3,
  ],
  [
    'a pulled-in one that did not come back',
    run([pinned, proof('not-restored', { pulledIn: true })]),
    4,
  ],
];

describe('exit code', () => {
  for (const [title, outcome, code] of ROWS) {
    it(`${title}: ${code}`, () => {
      expect(exitCode(outcome)).toBe(code);
    });
  }

  it.each(VERDICTS)('%s alone is 0 only if it is proven', (verdict) => {
    expect(exitCode(run([proof(verdict)])) === 0).toBe(GROUP_OF[verdict] === 'proven');
  });
});

describe('the exit code of prove', () => {
  const outcome = (more: Partial<ProveOutcome>): ProveOutcome => ({
    signal: null,
    proofs: [pinned, survived, unloaded],
    overall: 'held',
    vacuous: 0,
    allowUnheld: false,
    ...more,
  });
  const table: readonly (readonly [Partial<ProveOutcome>, number])[] = [
    [{}, 0],
    [{ vacuous: 1 }, 1],
    [{ overall: 'partly-held' }, 1],
    [{ overall: 'unheld' }, 1],
    [{ overall: 'not-measurable' }, 3],
    [{ overall: 'nothing-to-prove', proofs: [] }, 5],
    [{ vacuous: 1, allowUnheld: true }, 0],
    [{ overall: 'partly-held', allowUnheld: true }, 0],
    [{ overall: 'not-measurable', allowUnheld: true }, 3],
    [{ overall: 'nothing-to-prove', allowUnheld: true, proofs: [] }, 5],
    [{ proofs: [lost] }, 4],
    [{ signal: 'SIGINT' }, 130],
    [{ signal: 'SIGQUIT', overall: 'unheld' }, 131],
    [{ signal: 'SIGTERM', overall: 'unheld' }, 143],
  ];
  it.each(table)('%j: %i', (more, code) => {
    expect(proveExitCode(outcome(more))).toBe(code);
  });
});
