import { describe, expect, it } from 'vitest';
import { counterproof, createProject, lanes, prove, spec, verdicts } from '../support/project.js';

const FILES = {
  'counterproof.yaml': lanes({ paths: ['test_calc.py'] }, { smoke: { paths: ['smoke'] } }),
  'calc.py': `def add(a, b):
    return a + b


def rounded(a):
    return round(a, 2)
`,
  'test_calc.py': `import calc


def test_add():
    assert calc.add(2, 3) == 5


def test_rounded():
    assert calc.rounded(1.0) == 1
`,
  'smoke/test_smoke.py': 'import calc\n\n\ndef test_smoke():\n    assert calc.add(1, 1) == 2\n',
};

const minus = { file: 'calc.py', replace: { find: 'a + b', with: 'a - b' } };
const rounding = { file: 'calc.py', replace: { find: 'round(a, 2)', with: 'round(a, 3)' } };
const nowhere = { file: 'calc.py', replace: { find: 'nowhere', with: 'x' } };
const ADD = 'test_calc.py::test_add';

/** One of each group, in an order that lets `--fail-fast` stop in the middle. */
const MIXED = spec([
  { id: 'proven', ...minus, flips: [ADD], tags: ['good'] },
  { id: 'refuted', ...rounding, flips: ['test_calc.py::test_rounded'], tags: ['bad'] },
  { id: 'no-evidence', ...nowhere, flips: [ADD], tags: ['bad', 'lost'] },
  { id: 'in-smoke', lane: 'smoke', ...minus, flips: ['smoke'], tags: ['good'] },
  { id: 'alive', role: 'liveness', file: 'calc.py', within: 'def add', raise: true },
]);

describe('the exit code of a run', () => {
  it('is 1 over 3 over 0, and --allow takes verdicts out of it by name', async () => {
    const project = createProject({ ...FILES, 'mutations/mixed.yaml': MIXED });
    const before = project.snapshot();

    const mixed = await prove(project);
    expect(verdicts(mixed)).toEqual({
      proven: 'pinned',
      refuted: 'survived',
      'no-evidence': 'not-applied',
      'in-smoke': 'pinned',
      alive: 'pinned',
    });
    expect(mixed.exitCode).toBe(1);
    expect(mixed.record.exitCode).toBe(1);
    expect(mixed.record.summary).toMatchObject({
      declared: 5,
      graded: 4,
      pinned: 3,
      refuted: 1,
      noEvidence: 1,
    });

    const allowed = await prove(project, ['run', '--allow', 'survived']);
    expect(allowed.exitCode).toBe(3);

    const both = await prove(project, ['run', '--allow', 'survived,not-applied']);
    expect(both.exitCode).toBe(0);

    expect(project.snapshot()).toEqual(before);
  });

  it('never counts a liveness mutation that a selection pulled in', async () => {
    const project = createProject({
      ...FILES,
      'mutations/mixed.yaml': MIXED,
    });

    const only = await prove(project, ['run', '--only', 'prov*']);
    expect(verdicts(only)).toEqual({ proven: 'pinned', alive: 'pinned' });
    expect(only.exitCode).toBe(0);
    expect(only.record.selection.declared).toEqual(['proven']);
    expect(only.record.summary).toMatchObject({ declared: 1, graded: 1, pinned: 1 });
    expect(only.proof('alive').pulledIn).toBe(true);

    // Nothing graded but what was pulled in: no evidence, also where the verdict is allowed.
    const lost = await prove(project, ['run', '--tag', 'lost', '--allow', 'not-applied']);
    expect(verdicts(lost)).toEqual({ 'no-evidence': 'not-applied', alive: 'pinned' });
    expect(lost.record.summary).toMatchObject({ declared: 1, graded: 0, pinned: 0 });
    expect(lost.exitCode).toBe(3);

    const tagged = await prove(project, ['run', '--tag', 'bad and not lost']);
    expect(verdicts(tagged)).toEqual({ refuted: 'survived', alive: 'pinned' });
    expect(tagged.exitCode).toBe(1);

    const lane = await prove(project, ['run', '--lane', 'smoke']);
    expect(verdicts(lane)).toEqual({ 'in-smoke': 'pinned' });
    expect(lane.exitCode).toBe(0);

    const one = await prove(project, ['run', 'mutations/mixed.yaml::proven']);
    expect(verdicts(one)).toEqual({ proven: 'pinned', alive: 'pinned' });
    expect(one.record.summary).toMatchObject({ declared: 1, graded: 1 });
  });

  it('is that of what was found where --fail-fast stopped, and the rest is said to be missing', async () => {
    const project = createProject({
      ...FILES,
      'mutations/mixed.yaml': spec([
        { id: 'first', ...minus, flips: [ADD] },
        { id: 'lost', ...nowhere, flips: [ADD] },
        { id: 'never-run', ...minus, flips: [ADD] },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project, ['run', '--fail-fast']);

    expect(run.exitCode).toBe(3);
    expect(run.proof('first').verdict).toBe('pinned');
    expect(run.proof('lost').verdict).toBe('not-applied');
    expect(run.record.proofs.find(({ id }) => id === 'never-run')?.group ?? 'no-evidence').toBe(
      'no-evidence',
    );
    expect(run.record).toMatchObject({
      complete: false,
      stopped: expect.stringContaining('lost') as string,
      summary: { declared: 3, pinned: 1 },
    });
    expect(run.record.notVerified.join('\n')).toContain('never-run');
    expect(project.snapshot()).toEqual(before);

    // What was not run is no finding that --allow could take out.
    const allowed = await prove(project, ['run', '--fail-fast', '--allow', 'not-applied']);
    expect(allowed.exitCode).toBe(3);
  });

  it('is 5 where there is nothing to prove, and 2 where the request makes no sense', async () => {
    const project = createProject({ ...FILES, 'mutations/mixed.yaml': MIXED });
    const before = project.snapshot();
    const exit = async (...args: string[]): Promise<number | null> => {
      const { exitCode, stdout } = await counterproof(project, ['run', '--json', ...args]);
      expect(stdout).toBe('');
      return exitCode;
    };

    expect(await exit('--only', 'nothing-like-it')).toBe(5);
    expect(await exit('--tag', 'good and bad')).toBe(5);
    expect(await exit('--tag', 'no-such-tag')).toBe(2);
    expect(await exit('--lane', 'smoke', '--tag', 'lost')).toBe(5);
    expect(await exit('--allow', 'survivde')).toBe(2);
    expect(await exit('--allow', 'not-restored')).toBe(2);
    expect(await exit('mutations/mixed.yaml::no-such-id')).toBe(2);

    project.write({ 'mutations/mixed.yaml': '{"mutations": []}' });
    expect(await exit()).toBe(2);
    expect(project.snapshot().get('calc.py')).toBe(before.get('calc.py'));
  });

  it('is 5 in a project without a spec', async () => {
    const { exitCode, stderr } = await counterproof(createProject(FILES), ['run']);

    expect(exitCode).toBe(5);
    expect(stderr).toContain('init');
  });
});
