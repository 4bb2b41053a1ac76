import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, prove, verdicts, type CliOptions } from '../support/project.js';
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

const ALL_PINNED = Object.fromEntries(MUTATIONS.map(({ id }) => [id, 'pinned']));

describe('edits of equal size and time, in a lane that writes bytecode', () => {
  it.each<{ readonly name: string; readonly cache: string; readonly options?: CliOptions }>([
    { name: 'beside the sources', cache: '.' },
  ])('are each loaded, and each restored run is green: $name', async ({ options }) => {
    const project = createProject({ ...FILES, ...config(), ...spec(MUTATIONS) });
    const before = project.snapshot();
    const warm = await byHand(project, ['python', '-m', 'pytest', '-q'], options);
    expect(warm).toContain('12 passed');
    const cache = join(project.folder, '__pycache__');
    expect(compiled(cache)).toEqual(expect.arrayContaining(['calc', 'conftest', 'test_calc']));
    rmSync(join(cache), { recursive: true });
    await byHand(project, ['python', '-m', 'pytest', '-q', '-k', 'test_f'], options);

    const run = await prove(project, ['run', '--verify', 'full'], options);

    expect(verdicts(run)).toEqual(ALL_PINNED);
    expect(run.exitCode).toBe(0);
    expect(run.record.proofs.map(({ loaded }) => loaded.proof)).toEqual(
      MUTATIONS.map(() => 'compiled'),
    );
    for (const proof of run.record.proofs) {
      const [restored] = proof.steps.filter(({ step }) => step === 'restored');
      expect(restored).toMatchObject({ scope: 'lane', counts: { passed: 12 } });
    }
    expect(project.snapshot()).toEqual(before);
  });
});

/** Names of modules that have bytecode in a folder. */
const compiled = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => name.split('.')[0] ?? name);
