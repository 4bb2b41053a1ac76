import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALC, CONFIG } from '../support/calc.js';
import {
  type CliResult,
  counterproof,
  createProject,
  eachOf,
  prove,
  startCli,
  verdicts,
} from '../support/project.js';

describe('try without a file', () => {
  it('tries the source that is not committed, with the changed tests in every step', async () => {
    const project = createProject({ ...CALC, ...CONFIG, 'old.py': 'x = 1\n', 'README.md': '' });
    const broken = String(project.read('calc.py')).replace('a + b', 'a - b');
    project.write({
      'calc.py': broken,
      'fresh.py': 'y = 1\n',
      // Green with the commit's source, red with the one on disk: a change of tests is none of source.
      'test_more.py': 'from calc import add\n\n\ndef test_more():\n    assert add(2, 1) == 3\n',
      'test_calc.py': `${String(project.read('test_calc.py'))}\n\ndef test_again():\n    assert add(1, 1) == 2\n`,
      'README.md': 'words\n',
    });
    project.git('rm', '-q', 'old.py');
    symlinkSync('README.md', join(project.folder, 'LINK'));
    const before = project.snapshot();

    const run = await prove(project, ['try', '--id', 'minus', '--save', 'mutations/minus.yaml']);

    expect(verdicts(run)).toEqual({ minus: 'pinned' });
    expect(run.exitCode).toBe(0);
    const proof = run.proof('minus');
    expect(
      proof.flips.expected.map(({ test, from, to }) => `${test} ${String(from)} ${to}`),
    ).toEqual(
      expect.arrayContaining([
        'test_calc.py::test_add passed failed',
        'test_calc.py::test_again passed failed',
        'test_more.py::test_more passed failed',
      ]) as string[],
    );
    expect(proof.patch).toContain('-    return a + b\n+    return a - b');
    expect(proof.files.map(({ path }) => path).toSorted()).toEqual([
      'calc.py',
      'fresh.py',
      'old.py',
    ]);
    expect(run.record.lanes[0]?.notes[0]).toMatch(
      /^commit [0-9a-f]{10} laid out apart; the edit is/,
    );
    expect(run.record.notVerified[0]).toMatch(/^not committed, but the same in every step: /);
    expect(run.record.notVerified[0]).toContain('README.md (documentation)');
    expect(run.stderr).toContain('it applies to the last commit, once these changes are gone');
    const saved = String(project.read('mutations/minus.yaml'));
    expect(saved).toMatch(/-    return a \+ b\n\s+\+    return a - b/);
    expect(saved).toContain('delete: true');
    project.git('clean', '-fdq', 'mutations');
    expect(project.snapshot()).toEqual(before);
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('says which test files do not notice, as of any other edit', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const lines = String(project.read('calc.py')).split('\n');
    project.write({ 'calc.py': [...lines.slice(0, 9), '    return 5', ''].join('\n') });
    const { stdout, exitCode } = await counterproof(project, ['try', '--uncommitted']);
    expect(stdout).toMatch(/✗ SURVIVED {2}\d tests ran, none moved\./);
    expect(stdout).toMatch(/^edit {6}calc\.py:10 in /m);
    expect(exitCode).toBe(1);
  });

  it('ends with 5 where there is none, and says what to type', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const [clean, asked] = await eachOf(project, [['try'], ['try', '--json']]);
    expect(clean).toMatchObject({ exitCode: 5, stdout: '' });
    expect(clean?.stderr).toBe(
      'Nothing to try: everything is committed.\nName a line: counterproof try FILE:LINE. What commits changed: counterproof prove.\n',
    );
    // Whoever asks for a record gets one.
    expect(asked?.exitCode).toBe(5);
    expect(JSON.parse(asked?.stdout ?? '')).toMatchObject({ proofs: [], exitCode: 5 });
    project.write({
      'test_new.py': '',
      'uv.lock': '',
      'calc.py': `# Said.\n${String(project.read('calc.py'))}`,
    });
    const [tests] = await eachOf(project, [['try']]);
    expect(tests).toMatchObject({ exitCode: 5, stdout: '' });
    expect(tests?.stderr).toContain(
      'is no source: calc.py (comments and blank lines alone), test_new.py (an empty file)',
    );
  });

  it('takes the commit away that was laid out, after a signal and after a killed run', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      '.gitattributes': 'calc.py filter=slow\n',
    });
    project.write({
      'calc.py': String(project.read('calc.py')).replace('a + b', 'a - b'),
    });
    mkdirSync(project.state, { recursive: true });
    const pid = join(project.state, 'pid');
    // git has each file made by the filter, in the folder in which it lays the commit out.
    const filter = (signal: string): string =>
      `case "$PWD" in */commit) until [ -s '${pid}' ]; do sleep 0.02; done; kill -${signal} "$(cat '${pid}')";; esac; cat`;
    const signalled = async (signal: string): Promise<CliResult> => {
      project.git('config', 'filter.slow.smudge', filter(signal));
      writeFileSync(pid, '');
      const { child, ended } = await startCli(project, ['try']);
      writeFileSync(pid, String(child.pid));
      return ended;
    };
    const trees = (): number => project.git('worktree', 'list').trim().split('\n').length;
    const before = project.snapshot();

    const stopped = await signalled('TERM');
    expect(stopped).toMatchObject({ exitCode: 143, stdout: '' });
    expect(stopped.stderr).toContain('Ended by SIGTERM before anything was measured.');
    expect(trees()).toBe(1);

    expect(await signalled('KILL')).toMatchObject({ signal: 'SIGKILL' });
    expect(trees()).toBe(2);
    const recovered = await counterproof(project, ['recover']);
    expect(recovered.stderr).toContain('Took away the commit that an earlier run had laid out');
    expect(trees()).toBe(1);
    expect(project.snapshot()).toEqual(before);

    // Told before anything is laid out, which would wait here for ever.
    project.write({ 'fresh.py': 'x = 1\0\n' });
    const unsaved = await counterproof(project, ['try', '--save', 'mutations/bytes.yaml']);
    expect(unsaved).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unsaved.stderr).toBe('--save: fresh.py is binary, and a spec holds text\n');
  });
});
