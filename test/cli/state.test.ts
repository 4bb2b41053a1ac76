import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProofRecord } from '../../src/record/schema.js';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { createProject, prove, verdicts, type TestProject } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

/**
 * `first` breaks f, whose test then leaves a lock. `second` changes what no test looks at, but
 * the test that it names fails while the lock is there: it must not be taken for a flip.
 */
const locked = (lock: {
  readonly leave: string;
  readonly there: string;
  readonly remove: string;
}) =>
  createProject({
    'calc.py': 'def f():\n    return 1\n\n\ndef g():\n    unused = 1\n    return 2\n',
    'test_calc.py': `import os
import calc


def test_g():
    locked = ${lock.there}
    ${lock.remove}
    assert not locked
    assert calc.g() == 2


def test_f():
    if calc.f() != 1:
        ${lock.leave}
    assert calc.f() == 1
`,
    ...config(),
    ...spec([
      swap('first', 'calc.py', ['return 1', 'return 7'], { flips: 'test_calc.py::test_f' }),
      swap('second', 'calc.py', ['unused = 1', 'unused = 2'], { flips: 'test_calc.py::test_g' }),
    ]),
  });

const FILE = { leave: 'open("lock", "w").close()', there: 'os.path.exists("lock")' };
const FOLDER = { leave: 'os.mkdir("lock")', there: 'os.path.isdir("lock")' };
const CONTENT = {
  leave: 'open("last", "w").write("bad")',
  there: '(open("last").read() if os.path.exists("last") else "ok!") == "bad"',
};

describe('what one mutation left in the tree', () => {
  it.each([
    { name: 'a file', ...FILE },
    { name: 'an empty folder', ...FOLDER },
  ])('cannot pin the next one while it stays: $name', async (lock) => {
    const project = locked({ ...lock, remove: 'pass' });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ first: 'unsettled', second: 'unsettled' });
    expect(run.exitCode).toBe(3);
    expect(run.proof('first').reason).toContain('test_calc.py::test_g');
    expectSourcesBack(project);
  });

  it.each([
    { name: 'a file', ...FILE, remove: 'if locked: os.remove("lock")' },
    { name: 'an empty folder', ...FOLDER, remove: 'if locked: os.rmdir("lock")' },
    {
      name: 'a file that every run rewrites',
      ...CONTENT,
      remove: 'open("last", "w").write("ok!")',
    },
  ])('cannot pin the next one whose test removes it: $name', async (lock) => {
    const project = locked(lock);

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ first: 'pinned', second: 'survived' });
    expect(run.exitCode).toBe(1);
    expectSourcesBack(project);
  });
});

const expectSourcesBack = (project: TestProject): void => {
  expect(project.git('status', '--porcelain', '--untracked-files=no')).toBe('');
};

/** A test that reads and raises a number in $STATE, outside the tree. */
const counting = (condition: string) => {
  const project = createProject({
    'calc.py': 'def f():\n    unused = 1\n    return 1\n',
    'test_calc.py': `import os
import calc


def test_counted():
    path = os.path.join(os.environ["STATE"], "count")
    count = int(open(path).read()) if os.path.exists(path) else 0
    open(path, "w").write(str(count + 1))
    assert calc.f() == 1
    assert ${condition}
`,
    ...spec([
      swap('unnoticed', 'calc.py', ['unused = 1', 'unused = 2'], {
        flips: 'test_calc.py::test_counted',
      }),
    ]),
  });
  const folder = join(project.state, 'counter');
  mkdirSync(folder, { recursive: true });
  project.write(config({ env: { STATE: folder } }));
  return project;
};

describe('state outside the tree', () => {
  it('that stays as a run left it is unsettled', async () => {
    const project = counting('count < 1');

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ unnoticed: 'unsettled' });
    expect(run.exitCode).toBe(3);
    expectSourcesBack(project);
  });

  it.each([
    { name: 'red on the restored tree, green in its repeat', green: 'count in (0, 4)', args: [] },
    { name: 'red in every second run', green: 'count % 2 == 0', args: [] },
    {
      name: 'red in the second baseline',
      green: 'count % 2 == 0',
      args: ['--baseline-runs', '2'],
    },
  ])('that comes and goes is flaky: $name', async ({ green, args }) => {
    const project = counting(green);

    const run = await prove(project, ['run', ...args]);

    expect(verdicts(run)).toEqual({ unnoticed: 'flaky' });
    expect(run.exitCode).toBe(3);
    expectSourcesBack(project);
  });
});

/**
 * `saved` changes what a test writes outside the tree, which none of them minds in that run. The
 * next run finds it there, fails, and writes what it should be: `other` edits what nobody looks
 * at, and must not be taken for the reason.
 */
const healing = (other: Partial<MutationInput>) => {
  const project = createProject({
    'calc.py': 'def value():\n    return 1\n\n\ndef g():\n    unused = 1\n    return 2\n',
    'test_calc.py': `import os
import calc

PATH = os.path.join(os.environ["STATE"], "value")


def test_found_as_it_should_be():
    assert not os.path.exists(PATH) or open(PATH).read() == "1"


def test_save():
    open(PATH, "w").write(str(calc.value()))


def test_g():
    assert calc.g() == 2
`,
    ...spec([
      swap('saved', 'calc.py', ['return 1', 'return 7'], { flips: 'none' }),
      swap('other', 'calc.py', ['unused = 1', 'unused = 2'], other),
      swap('real', 'calc.py', ['return 2', 'return 3'], { flips: 'test_calc.py::test_g' }),
    ]),
  });
  mkdirSync(project.state, { recursive: true });
  project.write(config({ env: { STATE: project.state } }));
  return project;
};

describe('state outside the tree that one mutation leaves and the next run heals', () => {
  it.each([
    { name: 'any test may flip', other: { flips: 'any' } },
    { name: 'the test is named', other: { flips: 'test_calc.py::test_found_as_it_should_be' } },
    { name: 'the test is a control', other: { flips: 'any', controls: 'test_calc.py' } },
    { name: 'no test may move', other: { flips: 'none' } },
  ] as const)('is not taken for the effect of the next one: $name', async ({ other }) => {
    const project = healing(other);

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ saved: 'pinned', other: 'flaky', real: 'pinned' });
    expect(run.proof('other').facts.join()).toContain(
      'test_calc.py::test_found_as_it_should_be: failed, then passed in two mutated runs',
    );
    // The last one's flip was repeated, alone with what flipped.
    expect(stepsOf(run.proof('real'))).toEqual(['mutated lane', 'mutated 1', 'restored lane']);
    expectSourcesBack(project);
  });

  it('is none where the whole lane is run after each mutation', async () => {
    const project = healing({ flips: 'any' });

    const run = await prove(project, ['run', '--verify', 'full']);

    expect(verdicts(run)).toEqual({ saved: 'flaky', other: 'survived', real: 'pinned' });
    expect(stepsOf(run.proof('real'))).toEqual(['mutated lane', 'mutated 1', 'restored lane']);
    expectSourcesBack(project);
  });
});

const stepsOf = ({ steps }: ProofRecord): readonly string[] =>
  steps
    .filter(({ step }) => step === 'mutated' || step === 'restored')
    .map(({ step, scope }) => `${step} ${String(scope)}`);

describe('a test that needs another one before it', () => {
  it('is pinned, and its narrow restored run is noted', async () => {
    const project = createProject({
      'calc.py': 'def f():\n    a = 1\n    b = 1\n    return a + b\n',
      'test_calc.py': `import calc

ready = []


def test_first():
    ready.append(True)


def test_second():
    assert ready
    assert calc.f() == 2
`,
      ...config(),
      ...spec([
        swap('one', 'calc.py', ['a = 1', 'a = 2'], { flips: 'test_calc.py::test_second' }),
        swap('two', 'calc.py', ['b = 1', 'b = 2'], { flips: 'test_calc.py::test_second' }),
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ one: 'pinned', two: 'pinned' });
    expect(run.exitCode).toBe(0);
    expect(run.proof('one').facts.join()).toContain('Order-dependent: test_calc.py::test_second');
    expect(project.snapshot()).toEqual(before);
  });
});

describe('a test that depends on the hash seed', () => {
  it.each([undefined, 'random', '42'])('is the same in every step under %s', async (seed) => {
    const project = createProject({
      'calc.py': 'def f():\n    return 1\n',
      'test_calc.py': `import os
import calc


def test_order():
    path = os.path.join(os.environ["STATE"], "hash")
    if not os.path.exists(path):
        open(path, "w").write(str(hash("x")))
    assert open(path).read() == str(hash("x"))


def test_f():
    assert calc.f() == 1
`,
      ...spec([
        swap('two', 'calc.py', ['return 1', 'return 2'], {
          flips: 'test_calc.py::test_f',
          controls: 'test_calc.py::test_order',
        }),
      ]),
    });
    mkdirSync(project.state, { recursive: true });
    project.write(config({ env: { STATE: project.state } }));

    const run = await prove(project, ['run'], { env: { PYTHONHASHSEED: seed } });

    expect(verdicts(run)).toEqual({ two: 'pinned' });
    expect(run.record.environment.seeds).toMatchObject({
      PYTHONHASHSEED: seed === '42' ? '42' : '0',
    });
  });
});
