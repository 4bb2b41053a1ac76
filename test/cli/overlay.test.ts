/** The same verdicts beside the tree as in it. Where overlays are refused, that is what is held. */
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GATED_FILES, openGate } from '../support/gate.js';
import { probeOverlay, type OverlaySupport } from '../support/overlay.js';
import { allGone, processesOf } from '../support/processes.js';
import { createProject, prove, startCli, verdicts } from '../support/project.js';
import { comparable } from '../support/records.js';
import { SHELL_FILES } from '../support/shell-lane.js';
import { byHand, config, spec, swap } from '../support/specs.js';
import { everything, layersOf, ownCache } from '../support/untouched.js';
import type { RunRecord } from '../../src/record/schema.js';

let support: OverlaySupport;
beforeAll(() => {
  support = probeOverlay();
});

const AUTO = ['run', '--isolation', 'auto'];

/** A bit of everything: each verdict that a project can have without breaking the machine. */
const VARIED = {
  '.gitignore': '__pycache__/\nbuilt.txt\n',
  'calc.py': `def add(a, b):
    return a + b


def double(a):
    return a * 2


def unused(a):
    return a - 1


def read():
    return open("data.txt").read()
`,
  'data.txt': 'data\n',
  'test_calc.py': `import os
import pytest
import calc


def test_add():
    assert calc.add(2, 3) == 5


@pytest.mark.parametrize("n", [1, 2])
def test_double(n):
    assert calc.double(n) == 2 * n


def test_data():
    assert calc.read() == "data\\n"


def test_writes():
    assert not os.path.exists("left")
    open("left", "w").close()
    os.remove("left")
    os.makedirs("out", exist_ok=True)
    open("out/report", "w").write(os.environ["COUNTERPROOF_SLOT"])
    assert os.environ["TMPDIR"] != "/tmp"


def test_red():
    assert False
`,
  // Who starts a session: the interpreter that waits has the command line of one.
  'conftest.py': `import os


def pytest_sessionfinish():
    with open("/proc/%d/cmdline" % os.getppid(), "rb") as file:
        kind = "warm" if b"--maxfail=0" in file.read() else "cold"
    with open(os.environ["STARTS"], "a") as file:
        file.write(kind + "\\n")
`,
  ...config(),
  ...spec([
    swap('pinned', 'calc.py', ['a + b', 'a - b'], {
      flips: 'test_calc.py::test_add',
      controls: 'test_calc.py::test_double',
    }),
    swap('group', 'calc.py', ['a * 2', 'a * 3'], { flips: 'test_calc.py::test_double' }),
    swap('elsewhere', 'calc.py', ['a * 2', 'a * 4'], { flips: 'test_calc.py::test_add' }),
    swap('survived', 'calc.py', ['a - 1', 'a - 2'], { flips: 'test_calc.py::test_add' }),
    swap('by-effect', 'data.txt', ['data', 'other'], { flips: 'test_calc.py::test_data' }),
    swap('broken', 'calc.py', ['return a - 1', 'return (a'], { flips: 'any' }),
    swap('not-applied', 'calc.py', ['return', 'yield'], { flips: 'any' }),
    swap('red', 'calc.py', ['a - 1', 'a - 3'], { flips: 'test_calc.py::test_red' }),
    swap('none', 'calc.py', ['a - 1', 'a - 4'], { flips: 'none' }),
    { id: 'gone', file: 'data.txt', delete: true, flips: 'test_calc.py::test_data' },
    swap('probed', 'calc.py', ['a - 1', 'a - 5'], {
      flips: 'test_probe.py::test_unused',
      probes: [
        {
          path: 'test_probe.py',
          content: 'import calc\n\n\ndef test_unused():\n    assert calc.unused(2) == 1\n',
        },
      ],
    }),
    { id: 'alive', role: 'liveness', file: 'calc.py', within: 'def add', raise: true },
  ]),
};

describe('one project', () => {
  it('has the same record in place and in an overlay, with one slot and with four, warm and cold', async () => {
    const project = createProject(VARIED);
    const before = everything(project, support);
    const starts = join(project.state, '..', 'starts');
    const env = { ...ownCache(project), STARTS: starts };
    const startsSince = (): ReadonlySet<string> => {
      const kinds = readFileSync(starts, 'utf8').trimEnd().split('\n');
      rmSync(starts);
      return new Set(kinds);
    };

    const overlay = await prove(project, [...AUTO, '-j', '1'], { env });

    expect(startsSince()).toContain('warm');
    expect(everything(project, support)).toEqual(before);
    expect(existsSync(join(project.folder, 'out'))).toBe(support.kind === 'refused');
    expect(verdicts(overlay)).toEqual({
      alive: 'pinned',
      pinned: 'pinned',
      group: 'pinned',
      elsewhere: 'caught-elsewhere',
      survived: 'survived',
      'by-effect': 'pinned',
      broken: 'broken',
      'not-applied': 'not-applied',
      red: 'baseline-red',
      none: 'pinned',
      gone: 'pinned',
      probed: 'pinned',
    });
    expectIsolation(overlay.record, 1);

    const four = await prove(project, [...AUTO, '-j', '4'], { env });
    expectIsolation(four.record, 4);
    // That slots are not told apart outside the tree is true of several alone.
    const isBeside = (gap: string): boolean => gap.includes('slots at a time');
    expect(four.record.notVerified.some(isBeside)).toBe(support.kind === 'works');
    const notVerified = four.record.notVerified.filter((gap) => !isBeside(gap));
    expect(comparable({ ...four.record, notVerified })).toEqual(comparable(overlay.record));
    expect(layersOf(project)).toEqual([]);
    expect(processesOf(project)).toEqual([]);

    rmSync(starts);
    project.write(config({ warm: 'off' }));
    const inPlace = await prove(project, ['run', '--isolation', 'in-place'], { env });
    expect(startsSince()).toEqual(new Set(['cold']));
    expect(inPlace.record.environment).toMatchObject({ isolation: 'in place', jobs: 1 });
    expect(comparable(inPlace.record)).toEqual(comparable(overlay.record));
  });
});

function expectIsolation({ environment }: RunRecord, jobs: number): void {
  if (support.kind === 'refused') {
    expect(environment.isolation).toMatch(/^in place \(.+\)$/);
    expect(environment.jobs).toBe(1);
    return;
  }
  const name = support.pids === 'own' ? 'overlay' : 'overlay without a pid namespace';
  expect(environment).toMatchObject({ isolation: expect.stringContaining(name), jobs });
}

/** What an edit within the second of the last one leaves: `calc.py` as compiled from other bytes. */
const STALE = `import importlib.util, marshal, os, py_compile
source = open("calc.py").read()
open("calc.py", "w").write(source.replace("return a - b", "return a * b"))
os.utime("calc.py", (1700000000, 1700000000))
py_compile.compile("calc.py")
open("calc.py", "w").write(source)
os.utime("calc.py", (1700000000, 1700000000))
`;

describe('stale bytecode in the tree', () => {
  it('is not what a run on a fresh layer loads, the closing one included', async () => {
    const project = createProject({
      '.gitignore': '__pycache__/\n',
      'calc.py': 'def add(a, b):\n    return a + b\n\n\ndef take(a, b):\n    return a - b\n',
      'test_calc.py':
        'import calc\n\n\ndef test_add():\n    assert calc.add(2, 3) == 5\n\n\ndef test_take():\n    assert calc.take(3, 2) == 1\n',
      ...config(),
      ...spec([swap('add', 'calc.py', ['a + b', 'a - b'], { flips: 'test_calc.py::test_add' })]),
    });
    await byHand(project, ['python', '-c', STALE]);

    // Stops to restore at once, so that the closing run has a fresh layer of its own.
    const run = await prove(project, [...AUTO, '-x'], { env: ownCache(project) });

    expect(verdicts(run)).toEqual({ add: 'pinned' });
    expect(run.record.lanes[0]?.closing?.equal).toBe(true);
  });
});

describe('what tests write', () => {
  it('is tree-touched where the baseline changes a tracked file, which stays as it was', async () => {
    const project = createProject({
      'calc.py': 'def f():\n    return 1\n',
      'counter.txt': '0\n',
      'test_calc.py': `import calc


def test_f():
    count = int(open("counter.txt").read())
    open("counter.txt", "w").write(str(count + 1))
    assert calc.f() == 1
`,
      ...config(),
      ...spec([swap('two', 'calc.py', ['return 1', 'return 2'], { flips: 'any' })]),
    });

    const run = await prove(project, AUTO, { env: ownCache(project) });

    expect(verdicts(run)).toEqual({ two: 'tree-touched' });
    expect(run.proof('two').facts.join()).toContain('counter.txt');
    const stays = support.kind === 'refused' ? '1' : '0\n';
    expect(project.read('counter.txt').toString()).toBe(stays);
  });

  it.each([
    ['a tracked folder is removed', 'rm -rf data', 'tree-touched'],
    ['it is made again without its files', 'rm -rf data; mkdir data', 'tree-touched'],
    ['it is renamed', 'mv data moved', 'tree-touched'],
    ['its time is set back', 'cp -p data/b.txt data/a.txt', 'tree-touched'],
    [
      'it is made again as it was',
      'cp -r data copy; rm -r data; mkdir data; cp copy/* data; rm -r copy',
      'pinned',
    ],
  ])('is judged the same beside the tree and in it where %s', async (_, command, verdict) => {
    for (const isolation of ['auto', 'in-place']) {
      const project = createProject({
        ...SHELL_FILES,
        'data/a.txt': 'a\n',
        'data/b.txt': 'b\n',
        'extra.sh': `${command}\n`,
        ...spec([swap('minus', 'calc.txt', ['a + b', 'a - b'], { flips: 'calc::add' })]),
      });
      for (const name of ['a', 'b'])
        utimesSync(join(project.folder, `data/${name}.txt`), 1_700_000_000, 1_700_000_000);

      const run = await prove(project, ['run', '--isolation', isolation], {
        env: ownCache(project),
      });

      expect([isolation, verdicts(run)]).toEqual([isolation, { minus: verdict }]);
      if (verdict === 'tree-touched')
        expect(run.proof('minus').facts.join()).toContain('data/a.txt');
    }
  });

  it('is gone before the next step where it is the mode of the top folder alone', async () => {
    const project = createProject({
      'calc.py': 'def unused(a):\n    return a - 1\n',
      'test_calc.py': `import os
import calc


def test_mode():
    assert os.stat(".").st_mode & 0o777 != 0o711
    os.chmod(".", 0o711)
`,
      ...config(),
      ...spec([swap('unused', 'calc.py', ['a - 1', 'a - 2'], { flips: 'any' })]),
    });

    const run = await prove(project, AUTO, { env: ownCache(project) });

    const inPlace: unknown = expect.not.stringMatching(/^pinned$/);
    expect(verdicts(run)).toEqual({ unused: support.kind === 'refused' ? inPlace : 'survived' });
  });

  it('and what prepare wrote is there in every step, but not in the tree', async () => {
    const project = createProject({
      '.gitignore': 'made/\n',
      'calc.py': 'def f():\n    return 1\n',
      'test_calc.py': `import os
import calc


def test_f():
    assert calc.f() == 1


def test_prepared():
    slot = open("made/slot").read().strip()
    assert slot == os.environ["COUNTERPROOF_SLOT"]
    assert not os.path.exists("made/by-test")
    open("made/by-test", "w").close()
    if os.environ.get("IN_PLACE"):
        os.remove("made/by-test")
`,
      ...config({ prepare: 'mkdir -p made && echo "$COUNTERPROOF_SLOT" > made/slot' }),
      ...spec([
        swap('two', 'calc.py', ['return 1', 'return 2'], { flips: 'test_calc.py::test_f' }),
        swap('three', 'calc.py', ['return 1', 'return 3'], {
          flips: 'test_calc.py::test_f',
          controls: 'test_calc.py::test_prepared',
        }),
      ]),
    });
    const inPlace = support.kind === 'refused' ? { IN_PLACE: '1' } : {};

    const run = await prove(project, [...AUTO, '-j', '2'], {
      env: { ...ownCache(project), ...inPlace },
    });

    expect(verdicts(run)).toEqual({ two: 'pinned', three: 'pinned' });
    expect(existsSync(join(project.folder, 'made'))).toBe(support.kind === 'refused');
  });
});

describe('what a build makes', () => {
  it('of the untouched tree, or of a mutant, is there in all of its runs, and made once', async () => {
    const project = createProject({
      ...SHELL_FILES,
      '.gitignore': 'built.txt\n',
      'data.txt': 'data\n',
      ...config({
        runner: 'junit',
        command: ['sh', 'run.sh', '{report}'],
        build: 'tr a-z A-Z < calc.txt > built.txt; head -n 1 calc.txt >> "$STATE/builds"',
      }),
      // What a test made of a build is in no other run.
      'more.sh': `grep -q left built.txt || has clean '.*'
cp calc.txt calc.kept
cp built.txt calc.txt
has built 'A + B'
mv calc.kept calc.txt
if [ -e data.txt ]; then has data '.*'; else has data nothing; fi
echo left >> built.txt
`,
      ...spec([
        swap('minus', 'calc.txt', ['a + b', 'a - b'], { flips: 'calc::built' }),
        swap('times', 'calc.txt', ['a + b', 'a x b'], { flips: 'calc::built' }),
        { id: 'gone', file: 'data.txt', delete: true, flips: 'calc::data' },
      ]),
    });
    mkdirSync(project.state, { recursive: true });
    const before = everything(project, support);
    const env = { ...ownCache(project), STATE: project.state };

    const run = await prove(project, [...AUTO, '-j', '1'], { env });

    if (support.kind === 'refused') {
      // Nothing is built there before a write, and what a test leaves is in all runs to come.
      expect(run.record.environment.isolation).toMatch(/^in place \(/);
      expect(Object.values(verdicts(run))).not.toContain('pinned');
      expect(project.git('status', '--porcelain')).toBe('');
      return;
    }
    expect(verdicts(run)).toEqual({ minus: 'pinned', times: 'pinned', gone: 'pinned' });
    const steps = run.proof('times').steps.map(({ step }) => step);
    expect(steps.filter((step) => step === 'mutated')).toHaveLength(2);
    // Once more where all is restored: what a build wrote outside the tree came of a mutant.
    expect(readFileSync(join(project.state, 'builds'), 'utf8')).toBe(
      'a + b\na - b\na x b\na + b\na + b\n',
    );
    expect(everything(project, support)).toEqual(before);
    expect(layersOf(project)).toEqual([]);
  });
});

describe('somebody who works on while mutants stand', () => {
  it.each(['during the baseline', 'during the mutated run'] as const)(
    '%s sees none of them, keeps what was saved, and has no verdict over it',
    async (place) => {
      const project = createProject(GATED_FILES);
      const gate = openGate(project, place);
      const env = { ...gate.env, ...ownCache(project) };
      const { ended } = await startCli(project, [...AUTO, '--json'], { env });
      await gate.held();
      const calc = join(project.folder, 'calc.py');
      if (support.kind === 'works') {
        expect(readFileSync(calc, 'utf8')).toBe(GATED_FILES['calc.py']);
        expect(project.git('status', '--porcelain')).toBe('');
      }
      const saved = `${String(GATED_FILES['calc.py'])}\n# saved meanwhile\n`;
      writeFileSync(calc, saved);

      await gate.release();

      const { stdout } = await ended;
      const record = JSON.parse(stdout) as RunRecord;
      expect(record.proofs).toMatchObject([{ verdict: 'tree-touched' }]);
      const facts = record.proofs[0]?.facts.join('\n') ?? '';
      if (place === 'during the baseline' || support.kind === 'works') {
        const by = support.kind === 'works' ? 'changed by somebody' : 'written by a test or';
        expect(facts).toContain(`calc.py: ${by}`);
        expect(readFileSync(calc, 'utf8')).toBe(saved);
      } else {
        // It was saved over the mutant, so the original came back in its place.
        const kept = /what was found in it is kept as (.+)/.exec(facts)?.[1] ?? '';
        expect(readFileSync(kept, 'utf8')).toBe(saved);
        expect(readFileSync(calc, 'utf8')).toBe(GATED_FILES['calc.py']);
      }
      await allGone(project);
      expect(layersOf(project)).toEqual([]);
    },
  );
});
