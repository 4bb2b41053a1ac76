import { describe, expect, it } from 'vitest';
import { createProject, eachOf, lanes, prove, spec, verdicts } from '../support/project.js';

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

    const both = await prove(project, ['run', '--allow', 'survived,not-applied']);
    expect(both.exitCode).toBe(0);

    expect(project.snapshot()).toEqual(before);
  });

  it('never counts a liveness mutation that a selection pulled in', async () => {
    const project = createProject({
      ...FILES,
      'mutations/mixed.yaml': MIXED,
    });

    // Nothing graded but what was pulled in: no evidence, also where the verdict is allowed.
    const lost = await prove(project, ['run', '--tag', 'lost', '--allow', 'not-applied']);
    expect(verdicts(lost)).toEqual({ 'no-evidence': 'not-applied', alive: 'pinned' });
    expect(lost.record.summary).toMatchObject({ declared: 1, graded: 0, pinned: 0 });
    expect(lost.exitCode).toBe(3);

    const one = await prove(project, ['run', 'mutations/mixed.yaml::proven']);
    expect(verdicts(one)).toEqual({ proven: 'pinned', alive: 'pinned' });
    expect(one.exitCode).toBe(0);
    expect(one.record.selection.declared).toEqual(['proven']);
    expect(one.record.summary).toMatchObject({ declared: 1, graded: 1, pinned: 1 });
    expect(one.proof('alive').pulledIn).toBe(true);
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

    // What was not run is no finding that --allow could take out.
    const run = await prove(project, ['run', '--fail-fast', '--allow', 'not-applied']);

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
  });

  it('is 5 where there is nothing to prove, and 2 where the request makes no sense', async () => {
    const project = createProject({
      ...FILES,
      'mutations/mixed.yaml': MIXED,
      'empty/counterproof.yaml': lanes(),
      'invalid/counterproof.yaml': lanes(),
      'invalid/mutations/a.yaml': '{"mutations": []}',
    });
    const before = project.snapshot();
    const table: readonly (readonly [string, number])[] = [
      ['run --only nothing-like-it', 5],
      ['run --lane smoke --tag lost', 5],
      ['run -C empty', 5],
      ['run --tag no-such-tag', 2],
      ['run --allow survivde', 2],
      ['run mutations/mixed.yaml::no-such-id', 2],
      ['run -C invalid', 2],
    ];
    const results = await eachOf(
      project,
      table.map(([line]) => [...line.split(' '), '--json']),
    );
    const codes = table.map(([line], index) => [line, results[index]?.exitCode]);
    expect(codes).toEqual(table);
    for (const { exitCode, stdout } of results) {
      if (exitCode === 2) expect(stdout).toBe('');
      else
        expect(JSON.parse(stdout)).toMatchObject({
          exitCode: 5,
          complete: true,
          proofs: [],
          summary: { declared: 0, graded: 0 },
          notVerified: expect.arrayContaining([
            expect.stringMatching(/^Nothing to prove: /),
          ]) as string[],
        });
    }
    expect(results[2]?.stderr).toContain('init');
    expect(project.snapshot()).toEqual(before);
  });
});
