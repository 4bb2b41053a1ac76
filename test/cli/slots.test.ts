/** Several mutations at a time: each alone with its own edit, and none decided by another. */
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StampedEvent } from '../../src/record/events.js';
import { probeOverlay, type OverlaySupport } from '../support/overlay.js';
import { processesOf } from '../support/processes.js';
import { createProject, prove, verdicts, type Files, type Proven } from '../support/project.js';
import { SHELL_FILES, SHELL_VERDICTS } from '../support/shell-lane.js';
import { config, spec, swap } from '../support/specs.js';
import { everything } from '../support/untouched.js';

const AUTO = ['run', '--isolation', 'auto'];

let support: OverlaySupport;
beforeAll(() => {
  support = probeOverlay();
});

function shellProject(files: Files) {
  const project = createProject({ ...SHELL_FILES, ...files });
  mkdirSync(project.state, { recursive: true });
  return { project, env: { STATE: project.state } };
}

const lane = (more: object = {}) =>
  config({ runner: 'junit', command: ['sh', 'run.sh', '{report}'], ...more });

/** When each step of a run began and ended, from its events. */
function stepsOf({ record }: Proven, folder: string) {
  const runs = join(folder, '.counterproof', 'runs');
  const stamp = record.startedAt.replaceAll(/[-:]|\.\d+Z/g, '').replace('T', '-');
  const name = readdirSync(runs).find((each) => each.startsWith(stamp)) ?? '';
  const text = readFileSync(join(runs, name, 'events.jsonl'), 'utf8');
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StampedEvent);
  const open = new Map<number, StampedEvent & { type: 'step-started' }>();
  return events.flatMap((event) => {
    if (event.type === 'step-started') open.set(event.slot, event);
    if (event.type !== 'step-finished') return [];
    const { at: from = '', tests = null } = open.get(event.slot) ?? {};
    return [{ slot: event.slot, id: event.id, step: event.step, tests, from, to: event.at }];
  });
}

describe('a lane', () => {
  it('has as many slots as it allows, each with its number in the environment', async () => {
    const seen = 'echo "$COUNTERPROOF_SLOT" >> "$STATE/slots"\n';
    const { project, env } = shellProject({ 'extra.sh': seen, ...lane({ slots: 1 }) });
    const one = await prove(project, [...AUTO, '-j', '3'], { env });
    expect(verdicts(one)).toEqual(SHELL_VERDICTS);
    expect(one.record.environment.jobs).toBe(1);
    const slots = (): string[] =>
      [
        ...new Set(readFileSync(join(project.state, 'slots'), 'utf8').trim().split('\n')),
      ].toSorted();
    expect(slots()).toEqual(['0']);
    expect(one.record.notVerified.join()).not.toContain('slots at a time');

    project.write(lane());
    const two = await prove(project, [...AUTO, '-j', '2'], { env });
    expect(verdicts(two)).toEqual(SHELL_VERDICTS);
    expect(slots()).toEqual(support.kind === 'works' ? ['0', '1'] : ['0']);
    const gap = expect.stringMatching(/^what 2 slots at a time left outside the tree/) as string;
    if (support.kind === 'works') expect(two.record.notVerified).toContainEqual(gap);
    else expect(two.record.notVerified).not.toContainEqual(gap);
  });

  it('goes on in one slot where its baselines differ between two, and says why', async () => {
    const { project, env } = shellProject({
      'more.sh': `[ "$COUNTERPROOF_SLOT" = 0 ] && has alone 'a + b' || has alone 'nothing'\n`,
    });

    const run = await prove(project, [...AUTO, '-j', '2'], { env });

    // `minus` moves it too, in the one slot that is left.
    expect(verdicts(run)).toEqual(SHELL_VERDICTS);
    const notes = run.record.lanes.flatMap(({ notes: all }) => all).join();
    const why = 'one slot for lane unit: calc::alone is passed in one slot and failed in another';
    if (support.kind === 'works') expect(notes).toContain(why);
    else expect(notes).not.toContain('one slot for');
  });
});

describe('a mutation', () => {
  it('is not pinned by what another one did at the same time', async () => {
    // `thrice` waits in its first run until `minus` has left something, and trips over it.
    const { project, env } = shellProject({
      'extra.sh': `if grep -q 'a - b' calc.txt; then touch "$STATE/left"; fi
if grep -q 'a . 3' calc.txt && mkdir "$STATE/once" 2> /dev/null; then
  until [ -e "$STATE/left" ]; do sleep 0.05; done
  tripped=yes
fi
`,
      'more.sh': `if [ "$tripped" = yes ]; then has other 'nothing'; else has other 'a.*'; fi\n`,
      ...spec([
        swap('minus', 'calc.txt', ['a + b', 'a - b'], { flips: 'calc::add' }),
        swap('thrice', 'calc.txt', ['a * 2', 'a * 3'], { flips: 'calc::other' }),
      ]),
    });

    const run = await prove(project, [...AUTO, '-j', '2'], { env });

    expect(verdicts(run)).toEqual({ minus: 'pinned', thrice: 'flaky' });
    expect(run.proof('thrice').facts.join()).toContain('calc::other: failed, then passed');
    const slots = support.kind === 'works' ? [0, 1] : [0];
    const steps = stepsOf(run, project.folder);
    const repeats = steps.filter(({ step, id }, index) =>
      steps
        .slice(0, index)
        .some((each) => each.step === step && step === 'mutated' && each.id === id),
    );
    expect(new Set(steps.map(({ slot }) => slot))).toEqual(new Set(slots));
    expect(repeats.length).toBeGreaterThan(1);
    for (const { slot, from, to } of repeats)
      expect(
        steps.filter((each) => each.slot !== slot && each.from < to && each.to > from),
      ).toEqual([]);
  });

  it('under which the worker always dies has no verdict, and the others have theirs', async () => {
    const { project, env } = shellProject({
      'extra.sh': `if grep -q 'a - b' calc.txt; then kill -9 "$PPID"; fi\n`,
    });
    const before = everything(project, support);

    const run = await prove(project, [...AUTO, '-j', '2'], { env });

    expect(verdicts(run)).toEqual({ ...SHELL_VERDICTS, minus: 'incomplete' });
    expect(run.proof('minus').reason).toContain('the process that runs the lane died of it');
    expect(run.exitCode).toBe(3);
    expect(everything(project, support)).toEqual(before);
    expect(processesOf(project)).toEqual([]);
  });

  it('is not taken up where the budget is used up, which the record says', async () => {
    const { project, env } = shellProject({});

    const run = await prove(project, [...AUTO, '--budget', '1ms'], { env });

    expect(run.exitCode).toBe(3);
    expect(run.record).toMatchObject({
      complete: false,
      stopped: 'the budget of 1ms is used up',
      summary: { declared: 2, graded: 0 },
    });
    expect(run.record.notVerified.join('\n')).toContain(
      'declared, but not measured: minus, thrice',
    );
    expect(existsSync(join(project.state, 'slots'))).toBe(false);
    const enough = await prove(project, [...AUTO, '--budget', '1h'], { env });
    expect(verdicts(enough)).toEqual(SHELL_VERDICTS);
  });
});
