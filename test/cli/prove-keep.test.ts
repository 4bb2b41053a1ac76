import { describe, expect, it } from 'vitest';
import { answerOf, changesTold, createFix, testsTold } from '../support/fixes.js';
import { counterproof, prove, verdicts } from '../support/project.js';

const BEFORE = {
  'src/calc.py': 'def half(a):\n    return a // 2\n\n\ndef third(a):\n    return a // 3\n',
  'tests/test_calc.py': 'import calc\n',
};
const FIX = {
  'src/calc.py': 'def half(a):\n    return a / 2\n\n\ndef third(a):\n    return a / 3\n',
  'tests/test_calc.py':
    'import calc\n\n\ndef test_half():\n    assert calc.half(3) == 1.5\n\n\ndef test_third():\n    assert calc.third(3) == 1\n',
};

describe('prove in a tree that somebody is working on', () => {
  it('tests the commit apart, keeps what is held, and run proves it again', async () => {
    const project = createFix(BEFORE, FIX, 'fix: halves');
    project.write({ 'src/calc.py': 'def half(a:\n', 'note.txt': 'mine\n' });
    const before = project.snapshot();
    const env = { XDG_CACHE_HOME: project.state };
    const spec = 'mutations/calc.yaml';

    const run = await prove(project, ['prove', '--committed', '--write', spec], { env });
    expect(answerOf(run)).toMatchObject({
      overall: 'partly-held',
      range: { tested: expect.stringMatching(/^[0-9a-f]{10}, laid out clean$/) as string },
    });
    expect(changesTold(run)).toEqual([
      '1 src/calc.py:2 held by test_half',
      '2 src/calc.py:6 unheld',
    ]);
    expect(run.stderr).toContain(`Kept in ${spec}: calc-half`);
    // The record is the project's, and what was laid out is gone.
    expect(run.record.project.dirty).toEqual([]);
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    const written = project.read(spec).toString();
    project.git('clean', '-qfd', 'mutations');
    expect(project.snapshot()).toEqual(before);

    project.git('checkout', '-q', 'src');
    project.write({ [spec]: `# ours\n${written}` });
    const again = await prove(project, ['run']);
    expect(verdicts(again)).toEqual({ 'calc-half': 'pinned' });
    expect(again.proof('calc-half').flips.expected.map(({ test }) => test)).toEqual([
      'tests/test_calc.py::test_half',
    ]);
    const twice = await counterproof(project, ['prove', '--write', spec, '-q', '--no-progress']);
    expect(twice.stderr).toContain('All that is held is kept in a spec already');
    expect(project.read(spec).toString()).toBe(`# ours\n${written}`);
  });
});

describe('prove --arms', () => {
  it('runs the tests of one tree on both, each whole, whatever else lies there', async () => {
    const project = createFix(
      { ...BEFORE, 'limit.cfg': 'limit = 1\n' },
      { ...FIX, 'limit.cfg': 'limit = 2\n' },
    );
    project.write({ 'src/calc.py': 'broken(\n' });
    const before = project.snapshot();
    const env = { XDG_CACHE_HOME: project.state };
    const run = await prove(project, ['prove', '--arms', 'main', 'fix'], { env });
    expect(answerOf(run)).toMatchObject({
      arms: { old: 'main', fresh: 'fix' },
      overall: 'held',
      reason: 'Tests that pass on fix fail on main. But 1 new test passes without it.',
    });
    expect(testsTold(run)).toEqual(['new test_half failed', 'new test_third passed']);
    expect(run.proof('whole').files.map(({ path }) => path)).toEqual(['limit.cfg', 'src/calc.py']);
    expect(run.exitCode).toBe(1);
    expect(project.snapshot()).toEqual(before);

    const odd = await counterproof(project, ['prove', 'main..fix', '--arms', 'main', 'fix']);
    expect(odd.exitCode).toBe(2);
    expect(odd.stderr).toContain('--arms names both trees; leave the range out.');
  });
});
