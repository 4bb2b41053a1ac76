/** In place a lane's build writes where its owner does: what it makes of a mutant must not stay. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import { CALC, GATED_FILES, MUTANT, openGate, PLACES, type Gate } from '../support/gate.js';
import { allGone, workerOf } from '../support/processes.js';
import { createProject, prove, startCli, verdicts, type TestProject } from '../support/project.js';

/** Tests go by what was built, as those of a compiled project do. */
const BUILT_FILES = {
  ...GATED_FILES,
  '.gitignore': 'built.py\n__pycache__/\n',
  'counterproof.yaml': `version: 1
lanes:
  unit:
    runner: pytest
    build: [sh, build.sh]
    limits: { step: 10m, test: 10m }
`,
  'build.sh': `sh gate.sh build
[ ! -e "$GATE/refuse" ] || { echo no compiler >&2; exit 1; }
cp calc.py built.py
rm -rf __pycache__
`,
  'test_calc.py': String(GATED_FILES['test_calc.py']).replace('from calc', 'from built'),
};

const MAY_BE = 'what it made may be of the mutant';

interface Bench {
  readonly project: TestProject;
  readonly gate: Gate;
  readonly built: () => string;
}

function bench(): Bench {
  const project = createProject(BUILT_FILES);
  writeFileSync(join(project.folder, 'built.py'), CALC);
  const gate = openGate(project, 'during the mutated run');
  const built = (): string => readFileSync(join(project.folder, 'built.py'), 'utf8');
  return { project, gate, built };
}

function lastRecord({ folder }: TestProject): RunRecord {
  const runs = join(folder, '.counterproof', 'runs');
  const newest = readdirSync(runs).toSorted().at(-1) ?? '';
  return JSON.parse(readFileSync(join(runs, newest, 'record.json'), 'utf8')) as RunRecord;
}

describe('a run that is interrupted while a build of the mutant stands', () => {
  it('builds the restored tree before it ends', async () => {
    const { project, gate, built } = bench();
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();
    expect(built()).toBe(MUTANT);

    child.kill('SIGINT');

    expect((await ended).exitCode).toBe(130);
    expect(built()).toBe(CALC);
    expect(lastRecord(project).notVerified.join('\n')).not.toContain('build');
  });

  it('says so where that build fails', async () => {
    const { project, gate, built } = bench();
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();
    writeFileSync(join(gate.env.GATE, 'refuse'), '');

    child.kill('SIGINT');

    expect((await ended).exitCode).toBe(130);
    expect(project.read('calc.py').toString()).toBe(CALC);
    expect(built()).toBe(MUTANT);
    expect(lastRecord(project).notVerified.join('\n')).toContain('no compiler');
    expect(lastRecord(project).notVerified.join('\n')).toContain(MAY_BE);
  });

  it('says so where the slot dies in that build', async () => {
    const { project, gate, built } = bench();
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();
    rmSync(join(gate.env.GATE, 'held'));
    writeFileSync(join(gate.env.GATE, 'hold'), PLACES['between the restore and the restored run']);

    child.kill('SIGINT');
    await gate.held();
    process.kill(workerOf(project), 'SIGKILL');

    expect((await ended).exitCode).toBe(130);
    expect(project.read('calc.py').toString()).toBe(CALC);
    expect(built()).toBe(MUTANT);
    expect(lastRecord(project).notVerified.join('\n')).toContain(MAY_BE);
  });
});

describe('the run after one that was killed while a build of the mutant stood', () => {
  it('builds before its baseline', async () => {
    const { project, gate, built } = bench();
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();
    const worker = workerOf(project);

    process.kill(child.pid ?? 0, 'SIGKILL');
    process.kill(worker, 'SIGKILL');

    await ended;
    expect(built()).toBe(MUTANT);
    const env = { ...gate.env, GATE: undefined };
    expect(verdicts(await prove(project, ['run'], { env }))).toEqual({ minus: 'pinned' });
    await allGone(project);
    expect(built()).toBe(CALC);
  });
});
