import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALC, GATED_FILES, MUTANT, openGate, type Place } from '../support/gate.js';
import { processesOf } from '../support/processes.js';
import { createProject, startCli, type Files, type TestProject } from '../support/project.js';
import type { RunRecord } from '../../src/record/schema.js';

const TWO = {
  ...GATED_FILES,
  'notes.txt': 'as it was\n',
  'mutations/zero.yaml': `version: 1
lane: unit
mutations:
  - id: zero
    file: calc.py
    replace: { find: "a * 2", with: "a * 0" }
    flips: ["test_calc.py::test_other"]
`,
};

interface Outcome {
  readonly project: TestProject;
  readonly before: ReadonlyMap<string, string>;
  readonly exitCode: number | null;
  readonly record: RunRecord;
  readonly verdicts: Readonly<Record<string, string>>;
}

interface Scene {
  readonly files: Files;
  readonly place: Place;
  readonly args: readonly string[];
}

/** Runs mutations; while the tests of the first one run, `act` is what somebody does. */
async function meanwhile(
  act: (project: TestProject, file: string) => void,
  { files = TWO, place = 'during the mutated run', args = [] }: Partial<Scene> = {},
): Promise<Outcome> {
  const project = createProject(files);
  const before = project.snapshot();
  const gate = openGate(project, place);
  const { ended } = await startCli(project, ['run', '--json', ...args], { env: gate.env });
  await gate.held();
  expect(project.read('calc.py').toString()).not.toBe(CALC);
  act(project, join(project.folder, 'calc.py'));
  await gate.release();
  const { exitCode, stdout, stderr } = await ended;
  expect(stdout, stderr).toMatch(/^\{/);
  const record = JSON.parse(stdout) as RunRecord;
  expect(processesOf(project)).toEqual([]);
  return {
    project,
    before,
    exitCode,
    record,
    verdicts: Object.fromEntries(record.proofs.map(({ id, verdict }) => [id, verdict])),
  };
}

describe('somebody who works on the mutated file while the lane runs', () => {
  it.each([
    [
      'appends to it',
      (_: TestProject, file: string) => appendFileSync(file, '# mine\n'),
      `${MUTANT}# mine\n`,
    ],
    [
      'saves another file over it',
      (_: TestProject, file: string) => {
        writeFileSync(`${file}.swp`, '# mine\n');
        renameSync(`${file}.swp`, file);
      },
      '# mine\n',
    ],
    [
      'deletes it',
      (_: TestProject, file: string) => rmSync(file),
      'calc.py had been deleted while a mutation stood in it; the original was put back.\n',
    ],
  ])('%s: that is kept by name, the original is back, the run stops', async (_name, act, kept) => {
    const { project, before, exitCode, record, verdicts } = await meanwhile(act);

    expect(exitCode).toBe(3);
    expect(verdicts['minus']).toBe('tree-touched');
    expect(verdicts['zero']).not.toBe('pinned');
    expect(record).toMatchObject({
      complete: false,
      stopped: expect.stringContaining('a test or somebody wrote into a mutated file') as string,
      summary: { graded: 0 },
    });
    const name = /kept as ([^)]+)\)/.exec(record.stopped ?? '')?.[1] ?? '';
    expect(readFileSync(name, 'utf8')).toBe(kept);
    expect(project.snapshot()).toEqual(before);
  });

  it.each([
    ['git checkout of the file', ['checkout', 'calc.py']],
    ['git stash', ['stash', '-q']],
  ])('%s: the original stands there already, and nothing is graded by it', async (_name, args) => {
    const { project, before, exitCode, verdicts } = await meanwhile(({ git }) => git(...args));

    expect(exitCode).toBe(3);
    expect(verdicts).toEqual({ minus: 'tree-touched', zero: 'pinned' });
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('git stash -u: what git keeps of the mutation is named, the file is back', async () => {
    const stash = ({ git }: TestProject): string => git('stash', '-q', '-u');
    const { project, before, record } = await meanwhile(stash, { args: ['--only', 'minus'] });

    expect(record.notVerified.join('\n')).toMatch(
      / holds the mutation minus in calc\.py.* git stash pop brings the mutation again.* holds \.calc\.py\.[0-9a-f]{8}\.counterproof-original,/s,
    );
    expect(project.snapshot()).toEqual(before);
    expect(project.read('calc.py').toString()).toBe(CALC);
  });

  it('git commit -a: the commit that holds the mutant is named, the file is back', async () => {
    const { project, before, record, verdicts } = await meanwhile(({ git }) =>
      git('commit', '-q', '-a', '-m', 'too early'),
    );

    expect(verdicts).toEqual({ minus: 'pinned', zero: 'pinned' });
    const commit = project.git('rev-parse', 'HEAD').slice(0, 12);
    expect(record.notVerified.join('\n')).toContain(
      `Commit ${commit} holds the mutation minus in calc.py`,
    );
    expect(project.snapshot()).toEqual(before);
    expect(project.read('calc.py').toString()).toBe(CALC);
  });
});

it('an edit of another tracked file voids what was measured since, and stays', async () => {
  const { project, exitCode, record, verdicts } = await meanwhile(({ folder }) =>
    writeFileSync(join(folder, 'notes.txt'), 'mine\n'),
  );

  expect(exitCode).toBe(3);
  expect(verdicts['minus']).toBe('tree-touched');
  expect(verdicts['zero']).not.toBe('pinned');
  expect(record.stopped).toContain('notes.txt');
  expect(project.read('notes.txt').toString()).toBe('mine\n');
  expect(project.read('calc.py').toString()).toBe(CALC);
});

it('what was settled before the last look that found the tree as it was stands', async () => {
  const files = {
    ...TWO,
    'mutations/zero2.yaml': TWO['mutations/zero.yaml'].replace('id: zero', 'id: last'),
  };
  const edit = ({ folder }: TestProject): void => {
    writeFileSync(join(folder, 'notes.txt'), 'mine\n');
  };

  const { exitCode, verdicts } = await meanwhile(edit, {
    files,
    place: 'during the third mutation',
    args: ['--fail-fast'],
  });

  expect(exitCode).toBe(3);
  // `zero` was settled after its look: its restored run may have seen the edit.
  expect(verdicts).toEqual({ minus: 'pinned', zero: 'tree-touched', last: 'tree-touched' });
});
