/** Many runs of one project, each of which loses a process. */
import { expectClean, killOnce, numbersFrom, VICTIMS, type Victim } from './kill-moments.js';
import { probeOverlay } from './overlay.js';
import { createProject } from './project.js';
import { config, spec, swap } from './specs.js';
import { everything, layersOf, ownCache } from './untouched.js';

const FILES = {
  'calc.py': `def add(a, b):
    return a + b


def double(a):
    return a * 2
`,
  // A daemon in a session of its own is what outlives everything but its namespace.
  'test_calc.py': `import subprocess
from calc import add, double


def test_add():
    assert add(2, 3) == 5


def test_double():
    subprocess.Popen(["setsid", "sleep", "600"], stdout=subprocess.DEVNULL)
    open("left-behind", "w").close()
    assert double(2) == 4
`,
  '.gitignore': '__pycache__/\nleft-behind\n',
  ...config(),
  ...spec([
    swap('minus', 'calc.py', ['a + b', 'a - b'], { flips: 'test_calc.py::test_add' }),
    swap('thrice', 'calc.py', ['a * 2', 'a * 3'], {
      flips: 'test_calc.py::test_double',
      controls: 'test_calc.py::test_add',
    }),
    swap('unnoticed', 'calc.py', ['a * 2', '2 * a'], { flips: 'none' }),
  ]),
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
  const next = numbersFrom(seed);
  const killed = new Map<Victim, number>();
  const bench = {
    project,
    args: ['run', '--isolation', 'auto', '-j', '2'],
    env: ownCache(project),
    look: () => everything(project, support),
    expected: { minus: 'pinned', thrice: 'pinned', unnoticed: 'pinned' },
  };
  for (let time = 0; time < times; time += 1) {
    const victim = VICTIMS[time % VICTIMS.length] ?? 'worker';
    const name = await killOnce(bench, { victim, after: 2 + next(MOST_EVENTS) });
    killed.set(name, (killed.get(name) ?? 0) + 1);
  }
  await expectClean(bench, () => layersOf(project));
  return killed;
}
