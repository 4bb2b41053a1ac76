/** Many runs of one project, each of which loses a process. */
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectClean, killOnce, numbersFrom, VICTIMS, type Victim } from './kill-moments.js';
import { probeOverlay } from './overlay.js';
import { createProject } from './project.js';
import { SHELL_FILES, SHELL_VERDICTS } from './shell-lane.js';
import { everything, layersOf, ownCache } from './untouched.js';

const FILES = {
  ...SHELL_FILES,
  '.gitignore': 'left-behind\n',
  // A daemon in a session of its own is what outlives everything but its namespace.
  'extra.sh': `setsid sleep 600 > /dev/null 2>&1 &
touch left-behind
`,
};

/** More than a whole run of the project has. */
const MOST_EVENTS = 30;

export async function killRuns({
  seed,
  times,
}: {
  readonly seed: number;
  readonly times: number;
}): Promise<ReadonlyMap<Victim, number>> {
  const support = probeOverlay();
  const project = createProject(FILES);
  const tmp = join(dirname(project.folder), 'tmp');
  mkdirSync(tmp);
  const next = numbersFrom(seed);
  const killed = new Map<Victim, number>();
  const bench = {
    project,
    args: ['run', '--isolation', 'auto', '-j', '2'],
    env: { ...ownCache(project), TMPDIR: tmp },
    look: () => everything(project, support),
    expected: SHELL_VERDICTS,
  };
  for (let time = 0; time < times; time += 1) {
    const victim = VICTIMS[time % VICTIMS.length] ?? 'worker';
    const name = await killOnce(bench, { victim, after: 2 + next(MOST_EVENTS) });
    killed.set(name, (killed.get(name) ?? 0) + 1);
  }
  await expectClean(bench, () => [...layersOf(project), ...readdirSync(tmp)]);
  return killed;
}
