import { describe, expect, it } from 'vitest';
import { counterproof, createProject, prove, verdicts } from '../support/project.js';
import { BOTH, COUNT_LINE, TWO_LANGUAGES } from '../support/two-languages.js';

describe('a folder that is a crate and a Python project', () => {
  it('has a lane for each without a configuration; the edited file says which is meant', async () => {
    const project = createProject(TWO_LANGUAGES);
    const before = project.snapshot();
    const place = `src/lib.rs:${COUNT_LINE}`;
    const rust = await prove(project, ['try', place]);
    expect(rust.exitCode).toBe(0);
    expect(rust.record.lanes).toMatchObject([{ name: 'cargo', runner: 'cargo' }]);
    expect(rust.proof(place)).toMatchObject({
      verdict: 'pinned',
      edits: [{ path: 'src/lib.rs', line: COUNT_LINE, scope: 'Decoder::step' }],
      flips: { expected: [{ test: 'jail tests::counts' }] },
      around: [
        { group: 'jail tests', held: 1, moved: 1 },
        { group: 'jail', held: 1, moved: 1 },
      ],
      loaded: { proof: 'rebuilt' },
    });

    const survivor = `src/lib.rs:${COUNT_LINE + 1}`;
    const survived = await prove(project, ['try', survivor]);
    expect(survived.proof(survivor)).toMatchObject({
      verdict: 'survived',
      reach: { state: 'reached', by: ['jail tests::counts'] },
    });
    const value = `src/lib.rs:${COUNT_LINE + 2}`;
    expect((await prove(project, ['try', value])).proof(value)).toMatchObject({
      verdict: 'not-applied',
      reason: expect.stringContaining('gives its block a value') as string,
    });

    const python = await prove(project, ['try', 'calc.py:2', '--raise']);
    expect(python.record.lanes).toMatchObject([{ name: 'pytest', runner: 'pytest' }]);
    expect(verdicts(python)).toEqual({ 'calc.py:2': 'pinned' });

    const wrong = await counterproof(project, ['try', 'calc.py:2', '--lane', 'unit']);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('Leave it out, or name pytest or cargo');
    expect(project.snapshot()).toEqual(before);
  });

  it('gets both lanes from init, and check reads the names of both', async () => {
    const project = createProject(TWO_LANGUAGES);
    const { stdout } = await counterproof(project, ['init']);
    expect(stdout).toContain(
      'wrote mutations/example.yaml\nwrote mutations/example-rust.yaml.txt\n',
    );

    project.write({
      'mutations/example.yaml': BOTH,
      'mutations/example-rust.yaml': BOTH.replace(/^ {2}- id: alive-rust.*/ms, '')
        .replace('never-counts', 'rotten')
        .replace('tests::counts', 'jail tests::count')
        .replace('tests::starts_at_zero', 'tests::starts_at_one'),
    });
    const check = await counterproof(project, ['check']);
    expect(check.exitCode).toBe(3);
    expect(check.stdout).toContain('1 of 5 mutations would not run as written.');
    expect(check.stdout).toMatch(
      /rotten: package jail has no function or module count\n +nearest: counts\n/,
    );
    expect(check.stdout).toContain('rotten: package jail has no function or module starts_at_one');
    expect(check.stdout).toMatch(/^not checked: .*in which module and executable .*--collect/m);
  });

  it('proves both lanes in one run and one table, with a control across', async () => {
    const project = createProject({
      ...TWO_LANGUAGES,
      'counterproof.yaml':
        'version: 1\nlanes:\n  unit: { runner: pytest }\n  crate: { runner: cargo }\n',
      'mutations/both.yaml': BOTH,
    });
    const before = project.snapshot();
    const run = await prove(project, ['run', '--report', 'terminal=../state/table.txt']);
    expect(run.exitCode).toBe(0);
    expect(verdicts(run)).toEqual({
      'never-counts': 'pinned',
      'alive-rust': 'pinned',
      minus: 'pinned',
      'alive-python': 'pinned',
    });
    expect(run.record.lanes.map(({ name, alive }) => [name, alive?.by])).toEqual([
      ['unit', 'alive-python'],
      ['crate', 'alive-rust'],
    ]);
    expect(run.proof('never-counts').controls).toMatchObject([
      { selector: 'jail tests::starts_at_zero', lane: 'crate', held: true },
      { selector: 'test_calc.py', lane: 'unit', held: true },
    ]);
    expect(run.record.environment.runners).toMatchObject({
      cargo: expect.any(String) as string,
      pytest: expect.any(String) as string,
    });

    const table = project.read('../state/table.txt').toString();
    expect(table.match(/^[^\n]*(?:never-counts|minus)[^\n]*pinned/gm)).toHaveLength(2);
    expect(table).toContain('4 of 4 pinned');
    expect(project.snapshot()).toEqual(before);
  });
});
