/** In place a lane's build writes where its owner does: what it makes of a mutant must not stay. */
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import {
  CALC,
  GATED_FILES,
  MUTANT,
  openGate,
  PLACES,
  type Gate,
  type Place,
} from '../support/gate.js';
import { probeOverlay } from '../support/overlay.js';
import { allGone, processesOf, workerOf } from '../support/processes.js';
import {
  counterproof,
  createProject,
  prove,
  startCli,
  verdicts,
  type TestProject,
} from '../support/project.js';
import { ownCache } from '../support/untouched.js';

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
  /** Once a process stands at the gate: where the next one is to. */
  readonly holdNext: (place: Place) => void;
  /** Of commands to come. */
  readonly freely: { readonly env: Readonly<Record<string, string | undefined>> };
}

function bench(): Bench {
  const project = createProject(BUILT_FILES);
  writeFileSync(join(project.folder, 'built.py'), CALC);
  const gate = openGate(project, 'during the mutated run');
  const built = (): string => readFileSync(join(project.folder, 'built.py'), 'utf8');
  const holdNext = (place: Place): void => {
    rmSync(join(gate.env.GATE, 'held'));
    writeFileSync(join(gate.env.GATE, 'hold'), PLACES[place]);
  };
  return { project, gate, built, holdNext, freely: { env: { ...gate.env, GATE: undefined } } };
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

  it('ends that build on one more Ctrl-C, and does not begin it again', async () => {
    const { project, gate, built, holdNext } = bench();
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();
    holdNext('between the restore and the restored run');

    child.kill('SIGINT');
    await gate.held();
    child.kill('SIGINT');

    expect((await ended).exitCode).toBe(130);
    expect(gate.passed().filter((word) => word === 'build')).toHaveLength(2);
    expect(built()).toBe(MUTANT);
    expect(lastRecord(project).notVerified.join('\n')).toContain(MAY_BE);
  });

  it('says so where the slot dies in that build', async () => {
    const { project, gate, built, holdNext } = bench();
    const { child, ended } = await startCli(project, ['run'], { env: gate.env });
    await gate.held();
    holdNext('between the restore and the restored run');

    child.kill('SIGINT');
    await gate.held();
    process.kill(workerOf(project), 'SIGKILL');

    expect((await ended).exitCode).toBe(130);
    expect(project.read('calc.py').toString()).toBe(CALC);
    expect(built()).toBe(MUTANT);
    expect(lastRecord(project).notVerified.join('\n')).toContain(MAY_BE);
  });
});

/** Kills a run while a build of the mutant stands, and what is to restore it in its build. */
async function killedInBuild(): Promise<Bench> {
  const one = bench();
  const { child, ended } = await startCli(one.project, ['run'], { env: one.gate.env });
  await one.gate.held();
  one.holdNext('between the restore and the restored run');
  process.kill(child.pid ?? 0, 'SIGKILL');
  await ended;
  await one.gate.held();
  expect(one.project.read('calc.py').toString()).toBe(CALC);
  expect(one.built()).toBe(MUTANT);
  return one;
}

/** Kills all of a run while a build of the mutant stands. */
async function killedWhole(): Promise<Bench> {
  const one = bench();
  const { child, ended } = await startCli(one.project, ['run'], { env: one.gate.env });
  await one.gate.held();
  const worker = workerOf(one.project);
  process.kill(child.pid ?? 0, 'SIGKILL');
  process.kill(worker, 'SIGKILL');
  await ended;
  expect(one.built()).toBe(MUTANT);
  return one;
}

/** Files by which a later start knows that something is to be built anew. */
const notesOf = ({ project }: Bench): readonly string[] =>
  [join(project.folder, '.counterproof'), project.state].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
          name.includes('unbuilt'),
        )
      : [],
  );

describe.each([
  ['killed whole while a build of the mutant stood', killedWhole],
  ['whose slot was still building the restored tree when the next began', killedInBuild],
])('after a run %s', (_name, killed) => {
  it('the next one builds before its baseline', async () => {
    const one = await killed();

    expect(verdicts(await prove(one.project, ['run'], one.freely))).toEqual({ minus: 'pinned' });

    await allGone(one.project);
    expect(one.built()).toBe(CALC);
    expect(notesOf(one)).toEqual([]);
  });

  it('`recover` builds', async () => {
    const one = await killed();

    const { exitCode, stderr } = await counterproof(one.project, ['recover'], one.freely);

    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('Building lane unit anew: sh build.sh');
    expect(processesOf(one.project)).toEqual([]);
    expect(one.built()).toBe(CALC);
    expect(notesOf(one)).toEqual([]);
  });
});

describe('`recover` where the lane cannot be built', () => {
  it('says which build is to be run, until it was', async () => {
    const one = await killedWhole();
    const { project, freely } = one;
    const env = { GATE: one.gate.env.GATE, TMPDIR: one.gate.tmp };
    writeFileSync(join(one.gate.env.GATE, 'hold'), '');
    writeFileSync(join(one.gate.env.GATE, 'refuse'), '');

    const refused = await counterproof(project, ['recover'], { env });

    expect(refused.exitCode).toBe(4);
    expect(refused.stderr).toContain('no compiler');
    expect(refused.stdout).toContain(`Run it in ${project.folder}:\n  sh build.sh\n`);
    expect(one.built()).toBe(MUTANT);

    project.write({ 'counterproof.yaml': 'version: 1\nlanes: { other: { runner: pytest } }\n' });
    const gone = await counterproof(project, ['recover'], freely);
    expect(gone.exitCode).toBe(4);
    expect(gone.stdout).toContain(`Run it in ${project.folder}:\n  sh build.sh\n`);

    project.git('checkout', '-q', 'counterproof.yaml');
    expect((await counterproof(project, ['recover'], freely)).exitCode).toBe(0);
    expect(one.built()).toBe(CALC);
  });

  it('ends the build on Ctrl-C, and says that it is to be run', async () => {
    const one = await killedWhole();
    one.holdNext('between the restore and the restored run');
    const { child, ended } = await startCli(one.project, ['recover'], { env: one.gate.env });
    await one.gate.held();

    child.kill('SIGINT');

    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode, stderr).toBe(4);
    expect(stdout).toContain('sh build.sh');
    expect(processesOf(one.project)).toEqual([]);
  });
});

it('a run that does not build the lane in the tree says what is left', async () => {
  const one = await killedWhole();
  const { project, freely } = one;
  project.write({
    'counterproof.yaml': `${BUILT_FILES['counterproof.yaml']}  other: { runner: pytest }\n`,
  });

  const run = await prove(project, ['try', 'calc.py:2', '--lane', 'other'], freely);
  expect(run.record.notVerified.join('\n')).toContain(
    'lane unit: what its build made in an earlier run may be of a mutant',
  );
  expect((await counterproof(project, ['recover'], freely)).exitCode).toBe(0);
  expect(one.built()).toBe(CALC);
});

it('a run in an overlay says that what was built of a mutant is still outside the tree', async () => {
  const { project, gate } = bench();
  const args = ['run', '--isolation', 'auto'];
  const { child, ended } = await startCli(project, args, {
    env: { ...gate.env, ...ownCache(project) },
  });
  await gate.held();

  child.kill('SIGINT');

  expect((await ended).exitCode).toBe(130);
  const said = lastRecord(project).notVerified.join('\n');
  const inOverlay = probeOverlay().kind === 'works';
  expect(said.includes('its build was last made of a mutant')).toBe(inOverlay);
  const whole = await prove(project, args, {
    env: { ...gate.env, GATE: undefined, ...ownCache(project) },
  });
  expect(verdicts(whole)).toEqual({ minus: 'pinned' });
  expect(whole.record.notVerified.join('\n')).not.toContain('last made of a mutant');
});

it('a build that goes by times, as make does, builds the restored tree', async () => {
  const project = createProject({
    ...BUILT_FILES,
    'build.sh': '[ built.py -nt calc.py ] || cp calc.py built.py\nrm -rf __pycache__\n',
  });
  const long = new Date('2020-01-01');
  utimesSync(join(project.folder, 'calc.py'), long, long);
  writeFileSync(join(project.folder, 'built.py'), CALC);

  expect(verdicts(await prove(project))).toEqual({ minus: 'pinned' });

  expect(readFileSync(join(project.folder, 'built.py'), 'utf8')).toBe(CALC);
});
