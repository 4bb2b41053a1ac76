import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const CALC = {
  'counterproof.yaml': lanes(),
  'calc.py': `LIMIT = 10


def add(a, b):
    return a + b


def rounded(a):
    return round(a, 2)


def uncalled():
    return 1


class Store:
    def save(self, value):
        return "saved"
`,
  'test_calc.py': `import calc


def test_add():
    assert calc.add(2, 3) == 5


def test_rounded():
    assert calc.rounded(1.0) == 1


def test_swallowed():
    try:
        calc.rounded(2.0)
    except Exception:
        pass
`,
};

const rounding = { file: 'calc.py', replace: { find: 'round(a, 2)', with: 'round(a, 3)' } };
const ROUNDED = 'test_calc.py::test_rounded';

describe('a mutation that no test notices', () => {
  it('survived, with load proof and the tests that reach the edit', async () => {
    const project = createProject({
      ...CALC,
      'mutations/still.yaml': spec([
        { id: 'reached', ...rounding, flips: [ROUNDED] },
        {
          id: 'unreached',
          file: 'calc.py',
          within: 'def uncalled',
          replace: { find: 'return 1', with: 'return 2' },
          flips: [ROUNDED],
        },
        {
          id: 'module-level',
          file: 'calc.py',
          replace: { find: 'LIMIT = 10', with: 'LIMIT = 11' },
          flips: [ROUNDED],
        },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      reached: 'survived',
      unreached: 'survived',
      'module-level': 'survived',
    });
    expect(run.exitCode).toBe(1);
    const reached = run.proof('reached');
    expect(reached.loaded).toEqual({ proof: 'compiled', from: 'test process' });
    expect(reached.flips).toMatchObject({ expected: [], missing: [ROUNDED], also: [] });
    // The raise is no Exception, so that the one who swallows those is named too.
    expect(reached.reach).toMatchObject({
      state: 'reached',
      by: [ROUNDED, 'test_calc.py::test_swallowed'],
    });
    expect(run.proof('unreached').reach?.state).toBe('unreached');
    expect(run.proof('module-level').reach?.state).toBe('unknown');
    // The raise that a test noticed shows that the lane can fail; it is no proof of its own.
    expect(run.record.lanes[0]?.alive?.flipped).toBe(ROUNDED);
    expect(run.record.summary).toMatchObject({ declared: 3, graded: 3, refuted: 3 });
    expect(project.snapshot()).toEqual(before);
  });

  it('says that liveness was not shown where nothing in the run turned a test red', async () => {
    const project = createProject({
      ...CALC,
      'mutations/still.yaml': spec([
        {
          id: 'module-level',
          file: 'calc.py',
          replace: { find: 'LIMIT = 10', with: 'LIMIT = 11' },
          flips: [ROUNDED],
          accept: { verdict: 'survived', because: 'nobody reads it' },
        },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ 'module-level': 'survived' });
    expect(run.record.lanes[0]?.alive).toBeNull();
    expect(run.record.notVerified.join('\n')).toMatch(/can fail/);
    // Nothing accepts a gap that was measured in a lane which may be blind.
    expect(run.proof('module-level').accepted).toBeNull();
    expect(run.exitCode).toBe(1);
  });
});

describe('an acceptance', () => {
  it('counts on the verdict that it names, is stale on another, and runs out', async () => {
    const accept = { verdict: 'survived', because: 'rounding is next' } as const;
    const project = createProject({
      ...CALC,
      'mutations/accept.yaml': spec([
        { id: 'gap-known', ...rounding, flips: [ROUNDED], accept },
        {
          id: 'gap-until',
          ...rounding,
          flips: [ROUNDED],
          accept: { ...accept, until: '2999-12-31' },
        },
        {
          id: 'other-gap',
          ...rounding,
          flips: [ROUNDED],
          accept: { ...accept, verdict: 'partial' },
        },
        {
          id: 'ran-out',
          ...rounding,
          flips: [ROUNDED],
          accept: { ...accept, until: '2001-01-01' },
        },
        {
          id: 'closed-gap',
          file: 'calc.py',
          replace: { find: 'a + b', with: 'a - b' },
          flips: ['test_calc.py::test_add'],
          accept,
        },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'gap-known': 'survived',
      'gap-until': 'survived',
      'other-gap': 'stale-acceptance',
      'ran-out': 'survived',
      'closed-gap': 'stale-acceptance',
    });
    expect(run.proof('gap-known').accepted).toMatchObject({ because: 'rounding is next' });
    expect(run.proof('gap-until').accepted).toMatchObject({ until: '2999-12-31' });
    expect(run.proof('ran-out').accepted).toBeNull();
    expect(JSON.stringify(run.proof('ran-out'))).toContain('2001-01-01');
    expect(run.exitCode).toBe(1);

    const accepted = await prove(project, ['run', '--only', 'gap-*']);

    expect(accepted.exitCode).toBe(0);
    expect(accepted.record.summary).toMatchObject({ declared: 2, graded: 2, accepted: 2 });
  });
});

describe('a liveness mutation that flips nothing', () => {
  it('makes its lane dead, and every survivor of the lane with it', async () => {
    const project = createProject({
      ...CALC,
      'counterproof.yaml': lanes(
        { paths: ['test_store.py'] },
        { calc: { paths: ['test_calc.py'] } },
      ),
      'test_store.py': `from unittest import mock

import calc


@mock.patch("calc.Store.save", return_value="saved")
def test_save(save):
    assert calc.Store().save(1) == "saved"


def test_add():
    assert calc.add(1, 1) == 2
`,
      'mutations/store.yaml': spec([
        { id: 'alive', role: 'liveness', file: 'calc.py', within: 'def save', raise: true },
        {
          id: 'survivor',
          file: 'calc.py',
          replace: { find: '"saved"', with: '"lost"' },
          flips: ['test_store.py::test_save'],
          accept: { verdict: 'survived', because: 'a dead lane accepts nothing' },
        },
        {
          id: 'flips-all-the-same',
          file: 'calc.py',
          replace: { find: 'a + b', with: 'a - b' },
          flips: ['test_store.py::test_add'],
        },
        { id: 'in-another-lane', lane: 'calc', ...rounding, flips: [ROUNDED] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      alive: 'dead-lane',
      survivor: 'dead-lane',
      'flips-all-the-same': 'pinned',
      'in-another-lane': 'survived',
    });
    expect(run.proof('survivor')).toMatchObject({ accepted: null, group: 'no-evidence' });
    expect(run.exitCode).toBe(1);
    expect(project.snapshot()).toEqual(before);

    const alone = await prove(project, ['run', '--only', 'survivor']);

    expect(verdicts(alone)).toEqual({ alive: 'dead-lane', survivor: 'dead-lane' });
    expect(alone.proof('alive').pulledIn).toBe(true);
    expect(alone.record.summary).toMatchObject({ declared: 1, graded: 0, noEvidence: 1 });
    expect(alone.exitCode).toBe(3);
  });
});
