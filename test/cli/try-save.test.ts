import { describe, expect, it } from 'vitest';
import { CALC, CONFIG } from '../support/calc.js';
import { counterproof, createProject, prove, verdicts } from '../support/project.js';

describe('try --save', () => {
  it('keeps the edit in a new spec, and in one that is there, comments and all; run proves them', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const spec = 'mutations/deep/calc.yaml';
    const add = ['try', 'calc.py:2', '--flips', 'test_calc.py::test_add', '--save', spec];
    const first = await counterproof(project, [...add, '--id', 'no-add']);
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain(`Saved as no-add in ${spec}`);
    const written = project.read(spec).toString();
    expect(written).toContain('id: "no-add"');

    const commented = `# ours\n${written}  # to be continued\n`;
    project.write({ [spec]: commented });
    const double = ['try', 'calc.py', '--replace', 'a * 2', '--with', 'a * 3', '--save', spec];
    const second = await counterproof(project, [...double, '--id', '007']);
    expect(second.exitCode).toBe(0);
    const both = project.read(spec).toString();
    expect(both).toMatch(/^# ours\n/);
    expect(both).toContain('# to be continued');

    const taken = await counterproof(project, [...double, '--id', '007']);
    expect(taken.exitCode).toBe(2);
    expect(taken.stderr).toContain('the id `007` is taken in this file');
    expect(project.read(spec).toString()).toBe(both);

    const run = await prove(project);
    expect(run.exitCode).toBe(0);
    expect(verdicts(run)).toEqual({ 'no-add': 'pinned', '007': 'pinned' });
    expect(run.proof('no-add').flips.declared).toBe(1);
    expect(run.proof('007').spec).toBe(spec);
  });

  it('refuses before anything runs what it could not keep, and leaves the bytes there alone', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const latin = Buffer.from('# caf\u00e9\nversion: 1\n', 'latin1');
    project.write({ 'mutations/latin.yaml': latin });
    const before = project.snapshot();
    const table = [
      ['mutations/latin.yaml', 'mutations/latin.yaml:1:6  byte 0xe9 is not UTF-8'],
      ['calc.py/x.yaml', '--save: calc.py/x.yaml is not under mutations/'],
    ] as const;
    for (const [spec, why] of table) {
      const refused = await counterproof(project, ['try', 'calc.py:2', '--save', spec]);
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toContain(why);
      expect(refused.stdout).toBe('');
    }
    const proven = await counterproof(project, ['prove', 'HEAD', '--write', 'mutations']);
    expect(proven.exitCode).toBe(2);
    expect(proven.stderr).toContain('--write: mutations is a folder');
    expect(project.snapshot()).toEqual(before);
  });
});
