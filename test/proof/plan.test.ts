import { describe, expect, it } from 'vitest';
import type { ProofEvidence } from '../../src/proof/evidence.js';
import { judge, stopsAtBaseline } from '../../src/proof/judge.js';
import {
  closingVoids,
  laneLiveness,
  mayShareRestored,
  movedTests,
  needsReach,
  needsRestoredAgain,
  needsRunWithout,
  needsMutatedOnceMore,
  needsSecondMutatedRuns,
  openProof,
  reachOf,
  restoredScope,
} from '../../src/proof/plan.js';
import type { SecondRun } from '../../src/proof/needs.js';
import type { MutationSpec } from '../../src/spec/model.js';
import {
  A,
  ANY,
  B,
  C,
  D,
  E,
  GREEN,
  NONE,
  type Outcomes,
  SOURCE,
  type StepOptions,
  TODAY,
  UNSEEN,
  before,
  codeOf,
  control,
  crash,
  evidence,
  expectFlip,
  flips,
  flipsA,
  hang,
  laneSteps,
  load,
  quarantine,
  step,
  still,
  syntax,
  uncollected,
} from './build.js';

const running = { restored: null, restore: null } as const;

describe('the restored run', () => {
  it.each([
    ['what moved', {}, {}, [A]],
    ['nothing, where nothing moved and no control is declared', { mutated: still }, {}, []],
    [
      'declared controls, also where nothing moved',
      { mutated: still },
      { controls: [control('tests/test_other.py')] },
      [D, E],
    ],
    ['a test that vanished', { mutated: step('mutated', { [B]: 'missing' }) }, {}, [B]],
    [
      'no test that only the mutant has',
      { mutated: step('mutated', { 'tests/n.py::x': 'passed' }) },
      {},
      [],
    ],
    [
      'the test that ended the run',
      { mutated: step('mutated', {}, { ending: crash(B), lacks: [B, C] }) },
      {},
      [B],
    ],
    [
      'what only the second run moved',
      { mutatedAgain: step('mutated', { [C]: 'failed' }) },
      {},
      [A, C],
    ],
  ])('covers %s', (_title, more, spec, ids) => {
    const proof = evidence({ ...running, ...more }, spec);
    expect(restoredScope(proof).get('unit')).toEqual(ids);
  });

  it('covers controls of other lanes in those', () => {
    const more = { ...running, outsideControls: [laneSteps('slow', { restored: null })] };
    const scope = restoredScope(evidence(more, { controls: [control(D, 'slow')] }));
    expect([...scope]).toEqual([
      ['unit', [A]],
      ['slow', [D]],
    ]);
  });

  it.each([
    ['other tests moved', [[A], [B]], [C], 'in-place', true],
    ['nothing moved', [[A]], [], 'in-place', true],
    ['the same test moved', [[A], [B]], [C, B], 'in-place', false],
    ['the same test moved, each in a fresh layer', [[A]], [A], 'overlay', true],
  ] as const)('may be shared after %s: %#', (_title, pending, next, isolation, may) => {
    const proofs = pending.map((moved) => ({ moved }));
    expect(mayShareRestored(proofs, { moved: next }, isolation)).toBe(may);
  });

  it.each([
    ['as the baseline', { restored: step('restored', {}, { scope: [A] }) }, []],
    [
      'unlike the baseline',
      { restored: step('restored', { [A]: 'failed' }, { scope: [A] }) },
      ['unit'],
    ],
    [
      'that did not end',
      { restored: step('restored', {}, { scope: [A], ending: hang(A), lacks: [A] }) },
      ['unit'],
    ],
    [
      'that was repeated',
      { restored: step('restored', { [A]: 'failed' }), restoredAgain: step('restored') },
      [],
    ],
    ['that was not run', { restored: null }, []],
  ])('is repeated with the whole lane: one %s', (_title, more, lanes) => {
    expect(needsRestoredAgain(evidence(more))).toEqual(lanes);
  });
});

describe('more runs of the mutant', () => {
  const unseen = { mutated: step('mutated', { [A]: 'failed' }, { loads: UNSEEN }) };
  const beside = { company: 'beside-others' as const };
  const after = { company: 'after-others' as const };
  const many = step('mutated', { [A]: 'failed', [B]: 'failed', [C]: 'failed', [D]: 'skipped' });
  const rows: readonly (readonly [
    string,
    Partial<ProofEvidence>,
    Partial<MutationSpec>,
    readonly Partial<SecondRun>[],
  ])[] = [
    [
      'a flip with proof, and nobody near it',
      { mutatedAgain: null },
      {},
      [{ lane: 'unit', why: 'by-itself', scope: [A] }],
    ],
    ['a flip with proof, run twice', {}, {}, []],
    ['a flip without proof', unseen, {}, [{ why: 'by-effect', scope: 'lane' }]],
    [
      'a flip without proof, after others',
      { ...unseen, ...after },
      {},
      [{ why: 'by-effect', scope: 'lane' }],
    ],
    ['a flip without proof, run twice', { ...unseen, mutatedAgain: flipsA }, {}, []],
    ['nothing moved, without proof', { mutated: step('mutated', {}, { loads: UNSEEN }) }, {}, []],
    [
      'a module from elsewhere',
      { mutated: step('mutated', { [A]: 'failed' }, { loads: [load(null, { elsewhere: '/x' })] }) },
      {},
      [],
    ],
    ['a flip beside others', beside, {}, [{ lane: 'unit', why: 'beside-others', scope: [A] }]],
    ['a flip after others', after, {}, [{ lane: 'unit', why: 'after-others', scope: [A] }]],
    ['a flip after others, run twice', { ...after, mutatedAgain: flipsA }, {}, []],
    ['nothing moved, after others', { ...after, mutated: still }, {}, []],
    [
      'flips, and a move that decides nothing',
      { ...after, mutated: many },
      flips(A, B),
      [{ scope: [A, B] }],
    ],
    ['any flips', { ...after, mutated: many }, ANY, [{ scope: [A, B, C] }]],
    [
      'a moved control',
      { ...after, mutated: many },
      { ...flips(A, B), controls: [control(D)] },
      [{ scope: [A, B, D] }],
    ],
    [
      'a moved control alone',
      { mutated: step('mutated', { [A]: 'failed', [D]: 'skipped' }), mutatedAgain: null },
      { controls: [control(D)] },
      [{ why: 'by-itself', scope: [A, D] }],
    ],
    [
      'a move of an expected test in another way',
      { ...after, mutated: step('mutated', { [A]: 'error' }) },
      {},
      [{ scope: [A] }],
    ],
    [
      'moves, where every test is a control',
      { ...after, mutated: many },
      { ...flips(A), exact: true },
      [{ scope: [A, B, C, D] }],
    ],
    [
      'a skip, where no test may move',
      { ...after, mutated: step('mutated', { [D]: 'skipped' }) },
      NONE,
      [{ scope: [D] }],
    ],
    ['a quarantined test that moved', { ...after, ...quarantine(A) }, ANY, []],
    [
      'a crash that `to` names',
      {
        ...after,
        mutated: step('mutated', {}, { ending: crash(A), lacks: [A, B] }),
        withoutEnder: step('mutated', { [B]: 'failed' }, { without: [A] }),
      },
      flips(expectFlip(A, { to: ['crashed'] }), B),
      [{ scope: [A] }],
    ],
    [
      'a moved control of another lane',
      {
        outsideControls: [
          laneSteps('slow', {
            ...after,
            mutated: step('mutated', { [D]: 'failed' }, { scope: [D] }),
          }),
        ],
      },
      { controls: [control(D, 'slow')] },
      [{ lane: 'slow', why: 'after-others', scope: [D] }],
    ],
    [
      'a run that did not end',
      {
        mutated: step('mutated', { [A]: 'failed' }, { ending: hang(B), lacks: [B], loads: UNSEEN }),
      },
      {},
      [],
    ],
  ];
  for (const [title, more, spec, second] of rows) {
    it(`a second one after ${title}: ${second.map(({ scope }) => String(scope)).join()}`, () => {
      const found = needsSecondMutatedRuns(evidence({ ...running, ...more }, spec));
      expect(found).toHaveLength(second.length);
      expect(found).toMatchObject(second);
    });
  }

  const narrow = (said: Outcomes, options: StepOptions = {}) =>
    step('mutated', said, { scope: [A], ...options });
  it.each([
    ['a narrow run that tells the same', { mutatedAgain: narrow({ [A]: 'failed' }) }, null],
    ['a narrow run that tells otherwise', { mutatedAgain: narrow({}) }, 'mutatedOnceMore'],
    [
      'a narrow run with another kind of move',
      { mutatedAgain: narrow({ [A]: 'error' }) },
      'mutatedOnceMore',
    ],
    [
      'a narrow run that did not end',
      { mutatedAgain: narrow({}, { ending: hang(A), lacks: [A] }) },
      'mutatedOnceMore',
    ],
    ['a whole run that tells otherwise', { mutatedAgain: still }, null],
    [
      'a narrow run, and a whole one that tells otherwise too',
      { mutatedAgain: narrow({}), mutatedOnceMore: still },
      null,
    ],
    [
      'a narrow run, and a whole one that tells what the first did',
      { mutatedAgain: narrow({}), mutatedOnceMore: flipsA },
      'mutatedLast',
    ],
    [
      'a narrow run that two whole ones followed',
      { mutatedAgain: narrow({}), mutatedOnceMore: flipsA, mutatedLast: flipsA },
      null,
    ],
  ] as const)('one more with all tests after %s: %#', (_title, more, needs) => {
    const proof = evidence({ ...running, ...after, ...more });
    expect(needsMutatedOnceMore(proof, 'unit')).toBe(needs);
  });

  it.each([
    ['a crash that `to` names', crash(A), flips(expectFlip(A, { to: ['crashed'] })), A],
    ['a hang that `to` names', hang(A), flips(expectFlip(A, { to: ['timeout'] })), A],
    [
      'a crash of a member of a group',
      crash(A),
      flips(expectFlip('tests/test_routes.py', { min: 1, to: ['crashed'] })),
      A,
    ],
    ['a crash of another test', crash(B), flips(expectFlip(A, { to: ['crashed'] })), null],
    ['a crash that `to` does not name', crash(A), {}, null],
    ['a crash outside any test', crash(null), flips(expectFlip(A, { to: ['crashed'] })), null],
    ['a crash under `any`', crash(A), ANY, null],
  ])('one without the test after %s', (_title, ending, spec, test) => {
    const mutated = step('mutated', {}, { ending, lacks: [A, B] });
    expect(needsRunWithout(evidence({ ...running, mutated }, spec))).toBe(test);
    const withoutEnder = step('mutated', {}, { without: [A] });
    expect(needsRunWithout(evidence({ ...running, mutated, withoutEnder }, spec))).toBeNull();
  });

  it.each([
    ['a survivor', { mutated: still }, {}, true],
    [
      'a survivor that was asked',
      { mutated: still, reach: { state: 'unreached' } as const },
      {},
      false,
    ],
    ['a liveness mutation', { mutated: still }, { role: 'liveness' as const }, false],
    ['a lane that did not move, as declared', { mutated: still }, NONE, false],
    ['a pinned one', {}, {}, false],
    ['one that was not loaded', { mutated: step('mutated', {}, { loads: UNSEEN }) }, {}, false],
  ])('one that shows who reaches the edit, for %s', (_title, more, spec, needs) => {
    expect(needsReach(evidence(more, spec))).toBe(needs);
  });
});

describe('reach', () => {
  const baseline = step('baseline');
  it.each([
    [
      'a test that notices',
      step('reach', { [A]: 'failed' }, { reached: [A, B] }),
      { state: 'reached', by: [A, B], noticed: [A] },
    ],
    [
      'a test that swallows it',
      step('reach', {}, { reached: [B] }),
      { state: 'reached', by: [B], noticed: [] },
    ],
    [
      'a test that notices through a child process',
      step('reach', { [C]: 'error' }),
      { state: 'reached', by: [C], noticed: [C] },
    ],
    ['no test', step('reach'), { state: 'unreached' }],
    [
      'what runs beside the tests',
      step('reach', {}, { reached: ['jail <outside a test>'] }),
      { state: 'unknown', why: 'the edited function runs, but outside of any test' },
    ],
    [
      'a test, and what runs beside it',
      step('reach', {}, { reached: ['jail <outside a test>', B] }),
      { state: 'reached', by: [B], noticed: [] },
    ],
    [
      'a test that only this run knows',
      step('reach', { 'tests/n.py::x': 'passed' }, { reached: ['tests/n.py::x'] }),
      { state: 'reached', by: ['tests/n.py::x'] },
    ],
    ['a run that did not end', step('reach', {}, { ending: hang(A) }), { state: 'unknown' }],
    [
      'a raise that cannot be built, as in a function that the compiler runs',
      step('reach', {}, { ending: { kind: 'broken', causes: [syntax] } }),
      { state: 'unknown', why: `with the raise in it nothing could be run: ${syntax.message}` },
    ],
    [
      'a raise during collection',
      step('reach', {}, { collectionErrors: [uncollected('t.py')] }),
      { state: 'unknown' },
    ],
  ])('%s', (_title, run, reach) => {
    expect(reachOf(run, baseline)).toMatchObject(reach);
  });
});

describe('before anything is written', () => {
  const early = { ...before, mutatedAgain: null };
  it.each([
    ['a green baseline', {}, {}, null],
    ['an unknown test', {}, flips('tests/nowhere.py'), 'not-selected'],
    ['a red test', { baseline: step('baseline', { [A]: 'failed' }) }, {}, 'baseline-red'],
    ['a hang', { baseline: step('baseline', {}, { ending: hang(A) }) }, {}, 'timeout'],
    ['a mutant that does not compile', { compile: [syntax] }, {}, 'broken'],
    [
      'a module from elsewhere',
      { baseline: step('baseline', {}, { loads: [load(null, { elsewhere: '/x' })] }) },
      {},
      'not-loaded',
    ],
    [
      'a lane that writes',
      { touched: [{ path: SOURCE, by: 'lane' as const }] },
      {},
      'tree-touched',
    ],
    ['a flaky test', { otherBaselines: [step('restored', { [A]: 'failed' })] }, {}, 'flaky'],
    [
      'an edit that does not apply',
      { notApplied: { kind: 'no-file' as const, path: SOURCE } },
      {},
      'not-applied',
    ],
  ])('%s', (_title, more, spec, code) => {
    const proof = evidence({ ...early, ...more }, spec);
    expect(stopsAtBaseline(proof)?.code ?? null).toBe(code);
    if (code !== null) expect(codeOf({ ...early, ...more }, spec)).toBe(code);
  });
});

const laneProof = (
  id: string,
  more: Partial<ProofEvidence> = {},
  spec: Partial<MutationSpec> = {},
) => {
  const each = evidence(more, { id, ...spec });
  return { evidence: each, judgement: judge(each, { today: TODAY }) };
};

describe('liveness of a lane', () => {
  const liveness = { role: 'liveness', flips: { kind: 'any' } } as const;
  const noticed = { state: 'reached', by: [B], noticed: [B] } as const;
  const swallowed = { state: 'reached', by: [B], noticed: [] } as const;
  it.each([
    ['nothing', [], { kind: 'not-shown' }],
    ['a survivor', [laneProof('s', { mutated: still })], { kind: 'not-shown' }],
    ['a flip', [laneProof('f')], { kind: 'alive', by: 'f', flipped: A }],
    [
      'a liveness mutation before any other flip',
      [laneProof('f'), laneProof('l', {}, liveness)],
      { kind: 'alive', by: 'l', flipped: A },
    ],
    [
      'a dead liveness mutation beside flips',
      [laneProof('f'), laneProof('l', { mutated: still }, liveness)],
      { kind: 'dead', by: 'l' },
    ],
    [
      'a liveness mutation that did not load',
      [laneProof('l', { mutated: step('mutated', {}, { loads: UNSEEN }) }, liveness)],
      { kind: 'not-shown' },
    ],
    [
      'a raise that a test noticed',
      [laneProof('s', { mutated: still, reach: noticed })],
      { kind: 'alive', flipped: B },
    ],
    [
      'a raise that was swallowed',
      [laneProof('s', { mutated: still, reach: swallowed })],
      { kind: 'not-shown' },
    ],
    [
      'a test that was only skipped',
      [laneProof('k', { mutated: step('mutated', { [C]: 'skipped' }) })],
      { kind: 'not-shown' },
    ],
    [
      'a flip without evidence',
      [laneProof('n', { mutated: step('mutated', { [A]: 'failed' }, { loads: UNSEEN }) })],
      { kind: 'not-shown' },
    ],
  ])('after %s', (_title, proofs, answer) => {
    expect(laneLiveness(proofs)).toMatchObject(answer);
  });
});

describe('the closing run', () => {
  const open = [
    { id: 'one', concerns: [A] },
    { id: 'two', concerns: [B] },
  ];
  const closing = (
    changes: Parameters<typeof step>[1] = {},
    options: Parameters<typeof step>[2] = {},
  ) => step('closing', changes, options);
  const red = (id: string) => closing({ [id]: 'failed' });
  const shrunk = closing(
    {},
    { lacks: [D, E], collectionErrors: [uncollected('tests/test_other.py')] },
  );
  it.each([
    ['is as before', closing(), null, [], 'none'],
    ['differs, twice', red(A), red(A), ['one', 'two'], 'steady'],
    ['differs, not repeated', red(A), null, ['one', 'two'], 'chance'],
    ['differs once', red(A), closing(), ['one'], 'chance'],
    ['differs otherwise the second time', red(A), red(B), ['one', 'two'], 'chance'],
    ['differs once in a test of no concern', red(C), closing(), [], 'chance'],
    [
      'does not end, twice',
      closing({}, { ending: hang(null) }),
      closing({}, { ending: hang(null) }),
      ['one', 'two'],
      'chance',
    ],
    [
      'does not end, and is as before then',
      closing({}, { ending: hang(null) }),
      closing(),
      [],
      'chance',
    ],
    [
      'differs, and does not end then',
      red(C),
      closing({}, { ending: hang(null) }),
      ['one', 'two'],
      'chance',
    ],
    ['cannot collect a file any more', shrunk, shrunk, ['one', 'two'], 'chance'],
  ] as const)('%s', (_title, first, again, voided, why) => {
    expect(closingVoids(open, laneSteps('unit'), { first, again })).toEqual({ voided, why });
  });

  it('is as before where a test that was red has another message, or one in quarantine moves', () => {
    const alreadyRed = { [B]: { outcome: 'failed', message: '<object at 0x1>' } } as const;
    const baseline = step('baseline', alreadyRed);
    const first = step(
      'closing',
      { [B]: { outcome: 'failed', message: '<object at 0x2>' }, [C]: 'failed' },
      { baseline: { ...GREEN, ...alreadyRed } },
    );
    const lane = laneSteps('unit', { baseline, ...quarantine(C) });
    expect(first.results).toHaveLength(2);
    expect(closingVoids(open, lane, { first, again: null })).toEqual({ voided: [], why: 'none' });
  });

  it('is as before where a quarantined group has a test of another name', () => {
    const first = closing({ 'tests/n.py::x[2]': 'passed' });
    const lane = laneSteps('unit', quarantine('tests/n.py::x'));
    expect(closingVoids(open, lane, { first, again: null })).toEqual({ voided: [], why: 'none' });
    expect(closingVoids(open, laneSteps('unit'), { first, again: null }).voided).toHaveLength(2);
  });

  it('asks of a proof what its verdict rests on', () => {
    const proof = evidence(
      { mutated: step('mutated', { [A]: 'failed', [C]: 'skipped' }) },
      { controls: [control(D)] },
    );
    expect(openProof(proof)).toEqual({ id: 'rename-route', concerns: [A, C, D] });
    expect(openProof(evidence({ mutated: still }, NONE)).concerns).toHaveLength(5);
  });

  it('shares what moved with the next mutation', () => {
    expect(movedTests(evidence())).toEqual([A]);
  });
});
