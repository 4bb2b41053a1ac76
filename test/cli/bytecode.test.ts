import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts, type TestProject } from '../support/project.js';
import { byHand, config, spec, swap } from '../support/specs.js';

const TEN = Array.from({ length: 10 }, (_, index) => index);

/**
 * Makes every step write bytecode, and gives the edited files one time for ever: size and time
 * are all that Python compares.
 */
const WRITES_BYTECODE = `import os, sys
sys.dont_write_bytecode = False
for name in "calc.py", "conftest.py", "test_calc.py":
    os.utime(name, (1700000000, 1700000000))
`;

const FILES = {
  'pytest.ini': '[pytest]\naddopts = -p writes_bytecode\n',
  'writes_bytecode.py': WRITES_BYTECODE,
  'helper.py': 'TWO = 2\n',
  'calc.py': TEN.map((n) => `def f${String(n)}(a):\n    return a + ${String(n + 1)}\n`).join('\n'),
  'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n',
  'test_calc.py': `import calc, helper, pytest


@pytest.mark.parametrize("n", range(10))
def test_f(n):
    assert getattr(calc, "f%d" % n)(helper.TWO) == n + 3


def test_fixture(one):
    assert one == 1


def test_file():
    assert 3 == 3
`,
};

const MUTATIONS = [
  ...TEN.map((n) =>
    swap(`minus-${String(n)}`, 'calc.py', [`a + ${String(n + 1)}\n`, `a - ${String(n + 1)}\n`], {
      flips: `test_calc.py::test_f[${String(n)}]`,
    }),
  ),
  swap('fixture', 'conftest.py', ['return 1', 'return 2'], {
    flips: 'test_calc.py::test_fixture',
  }),
  swap('test-file', 'test_calc.py', ['3 == 3', '3 == 4'], { flips: 'test_calc.py::test_file' }),
];

interface Case {
  readonly name: string;
  readonly mutations: typeof MUTATIONS;
  /** Folder that mirrors the tree; null: bytecode lies beside the sources. */
  readonly prefix: ((project: TestProject) => string) | null;
  readonly by: 'variable' | 'option';
}

/** One of the functions, the fixture and the test file. */
const FEW = MUTATIONS.slice(-3);

const CASES: readonly Case[] = [
  { name: 'beside the sources', mutations: MUTATIONS, prefix: null, by: 'variable' },
  {
    name: 'under PYTHONPYCACHEPREFIX',
    mutations: FEW,
    prefix: ({ state }) => join(state, 'pyc'),
    by: 'variable',
  },
  {
    name: 'under -X pycache_prefix, relative',
    mutations: FEW,
    prefix: () => '.pyc',
    by: 'option',
  },
];

describe('edits of equal size and time, in a lane that writes bytecode', () => {
  it.each(CASES)('are each loaded, and each restored run is green: $name', async (one) => {
    const { mutations, by } = one;
    const project = createProject({
      ...FILES,
      '.gitignore': '__pycache__/\n.pyc/\n',
      ...spec(mutations),
    });
    const prefix = one.prefix?.(project) ?? null;
    const options = prefix === null || by === 'option' ? [] : [prefix];
    const env = { PYTHONPYCACHEPREFIX: options[0] };
    const python = prefix === null || by === 'variable' ? [] : ['-X', `pycache_prefix=${prefix}`];
    const command: [string, ...string[]] = ['python', ...python, '-m', 'pytest'];
    project.write(config({ command }));
    const cache =
      prefix === null
        ? join(project.folder, '__pycache__')
        : join(resolve(project.folder, prefix), realpathSync(project.folder));
    const before = sources(project);
    expect(await byHand(project, command, { env })).toContain('12 passed');
    expect(compiled(cache)).toEqual(['calc', 'conftest', 'helper', 'test_calc', 'writes_bytecode']);
    removeCompiled(cache, 'helper');

    const run = await prove(project, ['run', '--verify', 'full'], { env });

    expect(verdicts(run)).toEqual(Object.fromEntries(mutations.map(({ id }) => [id, 'pinned'])));
    expect(run.exitCode).toBe(0);
    for (const { loaded, steps } of run.record.proofs) {
      expect(loaded).toEqual({ proof: 'compiled', from: 'test process' });
      const restored = steps.filter(({ step }) => step === 'restored');
      expect(restored).toMatchObject([{ scope: 'lane', counts: { passed: 12 } }]);
    }
    // The lane itself wrote bytecode; nothing of a mutant's is left to poison the next run.
    expect(compiled(cache)).toContain('helper');
    expect(await byHand(project, command, { env })).toContain('12 passed');
    expect(sources(project)).toEqual(before);
  });
});

const sources = (project: TestProject) =>
  new Map([...project.snapshot()].filter(([name]) => !name.startsWith('.pyc/')));

/** Names of modules that have bytecode in a folder. */
const compiled = (folder: string): readonly string[] =>
  [...new Set(readdirSync(folder).map((name) => name.split('.')[0] ?? name))].toSorted();

function removeCompiled(folder: string, stem: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(`${stem}.`)) rmSync(join(folder, name));
}
