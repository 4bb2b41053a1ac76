/** A project whose lane stops where a test wants it to, and says so: nothing waits for time. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files, TestProject } from './project.js';
import { until } from './processes.js';

/**
 * A place in a run, in the order of one mutation under `--fail-fast`: the n-th time that the
 * lane's `prepare`, its `build`, or a test session passes. Builds follow every write, so the
 * first stands between the edit and the mutated run, the second between the restore and the
 * restored run.
 */
export const PLACES = {
  'before the baseline': 'prepare 1',
  'during the baseline': 'run 1',
  'between the edit and the mutated run': 'build 1',
  'during the mutated run': 'run 2',
  'between the restore and the restored run': 'build 2',
  'during the second run of what flipped': 'run 3',
  'during the restored run': 'run 4',
  'during the closing run': 'run 5',
  'during the third mutation': 'run 8',
} as const;

export type Place = keyof typeof PLACES;

export const CALC = `def add(a, b):
    return a + b


def other(a):
    return a * 2
`;
export const MUTANT = CALC.replace('a + b', 'a - b');

export const GATED_FILES: Files = {
  'counterproof.yaml': `version: 1
lanes:
  unit:
    runner: pytest
    prepare: [sh, gate.sh, prepare]
    build: [sh, gate.sh, build]
    limits: { step: 10m, test: 10m }
`,
  'calc.py': CALC,
  'test_calc.py': `from calc import add, other


def test_add():
    assert add(2, 3) == 5


def test_other():
    assert other(2) == 4
`,
  'gate.sh': `[ -n "$GATE" ] || exit 0
echo "$1" >> "$GATE/passed"
count=$(grep -cx "$1" "$GATE/passed")
[ "$1 $count" = "$(cat "$GATE/hold")" ] || exit 0
echo "\${2:-$$}" > "$GATE/held.new"
mv "$GATE/held.new" "$GATE/held"
read answer < "$GATE/go"
`,
  'conftest.py': `import os
import subprocess

waited = False


def pytest_runtest_call(item):
    global waited
    if not waited:
        waited = True
        subprocess.run(["sh", "gate.sh", "run", str(os.getpid())], check=False)
`,
  'mutations/add.yaml': `version: 1
lane: unit
mutations:
  - id: minus
    file: calc.py
    replace: { find: "a + b", with: "a - b" }
    flips: ["test_calc.py::test_add"]
    controls: ["test_calc.py::test_other"]
`,
};

export interface Gate {
  /** For the environment of the command. */
  readonly env: { readonly GATE: string; readonly TMPDIR: string };
  /** Empty before and after. */
  readonly tmp: string;
  /** Resolves with the pid of the process that stands at the gate. */
  readonly held: () => Promise<number>;
  readonly release: () => Promise<void>;
  /** What went through so far: `prepare`, `build`, `run`. */
  readonly passed: () => readonly string[];
}

/** @param place \`null\`: nothing is held. */
export function openGate(project: TestProject, place: Place | null): Gate {
  const base = dirname(project.folder);
  const folder = join(base, 'gate');
  const tmp = join(base, 'tmp');
  mkdirSync(folder);
  mkdirSync(tmp);
  execFileSync('mkfifo', [join(folder, 'go')]);
  writeFileSync(join(folder, 'hold'), place === null ? '' : PLACES[place]);
  const held = join(folder, 'held');
  return {
    env: { GATE: folder, TMPDIR: tmp },
    tmp,
    async held() {
      await until(() => existsSync(held));
      return Number(readFileSync(held, 'utf8'));
    },
    // Resolves when the other side has read it.
    release: () => writeFile(join(folder, 'go'), 'on\n'),
    passed: () => readFileSync(join(folder, 'passed'), 'utf8').trim().split('\n'),
  };
}
