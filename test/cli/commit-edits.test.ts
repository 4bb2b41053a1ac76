import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALC, CONFIG } from '../support/calc.js';
import { createProject, eachOf, prove, type TestProject } from '../support/project.js';

const FIXED = CALC['calc.py'].replace('a + b', 'b + a').replace('a * 2', '2 * a');
const BROKEN = CALC['calc.py'].replace('a + b', 'a - b').replace('a * 2', 'a * 3');

const commitOf = (project: TestProject, files: Readonly<Record<string, string>>): string => {
  project.write(files);
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'x');
  return project.git('rev-parse', 'HEAD').trim();
};

/** The fix of two functions in a file, and a test for one of them. */
function fixedProject(): { readonly project: TestProject; readonly fix: string } {
  const project = createProject({
    ...CONFIG,
    'calc.py': BROKEN,
    'test_calc.py': CALC['test_calc.py'],
  });
  return { project, fix: commitOf(project, { 'calc.py': FIXED, 'notes.txt': 'fixed\n' }) };
}

const mutation = (id: string, ...fields: readonly string[]): string =>
  [`  - id: ${id}`, ...fields, 'flips: any', ''].join('\n    ').replace(/ +$/, '');
const specWith = (...mutations: readonly string[]): string =>
  `version: 1\n# kept\nmutations:\n${mutations.join('')}`;

describe('a spec that takes a commit back', () => {
  it('is proven, part by part, and after its commit is written in', async () => {
    const { project, fix } = fixedProject();
    project.write({
      'mutations/a.yaml': specWith(
        mutation('whole', `revert: "${fix}"`, 'paths: ["!notes.txt"]'),
        mutation('double', `revert: "${fix.slice(0, 12)}"`, 'hunks: ["calc.py:6"]'),
      ),
    });
    const run = await prove(project);
    expect(run.exitCode).toBe(0);
    const flips = (id: string) =>
      run
        .proof(id)
        .flips.expected.map(({ test }) => test)
        .toSorted();
    expect(flips('whole')).toEqual(['test_calc.py::test_add', 'test_calc.py::test_double']);
    expect(flips('double')).toEqual(['test_calc.py::test_double']);
    expect(run.proof('double')).toMatchObject({
      edits: [{ path: 'calc.py', line: 6, scope: 'double' }],
      patch: expect.stringContaining('-    return 2 * a\n+    return a * 3\n'),
    });

    const [inlined, again] = await eachOf(project, [
      ['check', '--inline'],
      ['check', '--inline'],
    ]);
    expect(inlined).toMatchObject({ exitCode: 0, stderr: '' });
    expect(inlined?.stdout).toMatch(
      /^mutations\/a\.yaml:5:5 {2}whole: `revert` is written in, for calc\.py$/m,
    );
    expect(again?.stdout).toContain('Nothing to write in: no edit rests on a commit.');
    const text = project.read('mutations/a.yaml').toString();
    expect(text).toContain(`# kept
mutations:
  - id: whole
    file: "calc.py"
    # was: revert: "${fix}", paths: ["!notes.txt"]
    patch: |
      @@
`);
    const later = await prove(project);
    expect(later.exitCode).toBe(0);
    expect(later.record.proofs.map(({ patch }) => patch)).toEqual(
      run.record.proofs.map(({ patch }) => patch),
    );
  });

  it('says in seconds what is wrong with it, and where', async () => {
    const { project, fix } = fixedProject();
    project.write({
      'moves/a.yaml': specWith(mutation('moves', 'revert: HEAD')),
      'mutations/a.yaml': specWith(
        mutation('absent', `revert: "${'b'.repeat(40)}"`),
        mutation('rotten', `revert: "${fix}"`, 'hunks: ["calc.py:2"]'),
        mutation('fine', `revert: "${fix}"`, 'hunks: ["calc.py:6"]'),
      ),
      'calc.py': FIXED.replace('b + a', 'sum([a, b])'),
    });
    const [moves, check] = await eachOf(project, [
      ['check', 'moves/a.yaml'],
      ['check', '--inline'],
    ]);
    expect(moves?.exitCode).toBe(2);
    expect(moves?.stderr).toContain(`moves/a.yaml:5:13  \`HEAD\` means another commit tomorrow
        revert: HEAD
                ^~~~
    Write \`${fix.slice(0, 12)}\`, which is what it means now.
`);
    expect(check?.exitCode).toBe(3);
    expect(check?.stdout)
      .toContain(`mutations/a.yaml:5:5  absent: Revision ${'b'.repeat(40)} is not in this repository.
        revert: "${'b'.repeat(40)}"
        ^~~~~~
    next: git fetch origin ${'b'.repeat(40)}
mutations/a.yaml:8:5  rotten: the hunk of ${fix.slice(0, 12)} at its line 2 fits nowhere in calc.py.
        revert: "${fix}"
        ^~~~~~
    nearest is calc.py:2, which differs first in
      expected:     return b + a
      found:        return sum([a, b])
`);
    expect(check?.stdout).toContain('2 of 3 mutations would not run as written.');
    expect(check?.stdout).toMatch(/absent: `revert` stays, it does not apply: Revision/);
    expect(check?.stdout).toMatch(/fine: `revert` is written in, for calc\.py/);
    expect(project.read('mutations/a.yaml').toString()).toContain('- id: rotten\n    revert: ');
  });

  it('is written where it lies, and left alone where somebody wants it so', async () => {
    const { project, fix } = fixedProject();
    const text = (id: string): string =>
      specWith(mutation(id, `revert: "${fix}"`, 'paths: notes.txt'));
    const outside = join(project.folder, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'far.yaml'), text('far'));
    project.write({ 'shared/near.yaml': text('near'), 'mutations/closed.yaml': text('closed') });
    symlinkSync('../shared/near.yaml', join(project.folder, 'mutations/near.yaml'));
    symlinkSync(join(outside, 'far.yaml'), join(project.folder, 'mutations/far.yaml'));
    chmodSync(join(project.folder, 'mutations/closed.yaml'), 0o444);
    const [check] = await eachOf(project, [
      ['check', '--inline', ...['closed', 'near', 'far'].map((name) => `mutations/${name}.yaml`)],
    ]);
    expect(check?.exitCode).toBe(2);
    expect(check?.stderr).toBe(
      'mutations/closed.yaml was not written: it is read-only.\n' +
        'mutations/far.yaml was not written: it is a link to a file outside the tree.\n',
    );
    expect(check?.stdout).toMatch(/near: `revert` is written in, for notes\.txt$/m);
    expect(check?.stdout).not.toMatch(/(closed|far): `revert`/);
    expect(project.read('mutations/closed.yaml').toString()).toBe(text('closed'));
    expect(project.read('../outside/far.yaml').toString()).toBe(text('far'));
    expect(project.read('shared/near.yaml').toString()).toContain('delete: true');
    expect(project.git('ls-files', '-s', '-o', 'mutations').trim()).not.toContain('.tmp');
  });
});
