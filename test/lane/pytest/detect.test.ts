import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { detectPytest } from '../../../src/lane/pytest/detect.js';
import { temporaryFolder } from '../process/support.js';
import { detect, fakeEnvironment, fakePython, lane, script, tools } from './detect-support.js';

/** For a machine that is shared with many others. */
vi.setConfig({ testTimeout: 300_000 });

function project(): string {
  const root = temporaryFolder();
  const folder = tools(root);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return root;
}

async function found(...args: Parameters<typeof detect>) {
  const result = await detect(...args);
  if (!result.ok) throw new Error(`${result.error.message} ${result.error.hint}`);
  return result.value;
}

async function problem(...args: Parameters<typeof detect>) {
  const result = await detect(...args);
  if (result.ok) throw new Error(`unexpectedly found ${result.value.from}`);
  return result.error;
}

describe('without a command', () => {
  test('the environment beside the project is taken, and activated', async () => {
    const root = project();
    const folder = fakeEnvironment(path.join(root, '.venv'), {
      version: '3.11.2',
      packages: { pytest: '8.0.1', hypothesis: '6.1' },
    });
    const python = path.join(folder, 'bin/python');
    expect(await found(root)).toMatchObject({
      command: [python, '-m', 'pytest'],
      shape: { kind: 'pytest', python: [python] },
      from: '.venv beside the project',
      tool: python,
      versions: { python: '3.11.2', pytest: '8.0.1', hypothesis: '6.1' },
      activation: { VIRTUAL_ENV: folder, PATH: `${folder}/bin:${tools(root)}` },
      configFile: null,
      notes: [],
    });
  });

  test('each source gives way to the one before it', async () => {
    const root = project();
    const bin = tools(root);
    const active = path.join(root, 'active');
    const conda = path.join(root, 'conda');
    const steps: [string, () => void, Record<string, string>?, string?][] = [
      ['python in PATH', () => fakePython(path.join(bin, 'python'))],
      ['python3 in PATH', () => fakePython(path.join(bin, 'python3'))],
      ['.nox/tests-3-9', () => fakeEnvironment(path.join(root, '.nox/tests-3-9'))],
      ['.nox/tests-3-12', () => fakeEnvironment(path.join(root, '.nox/tests-3-12'))],
      ['.tox/py312', () => fakeEnvironment(path.join(root, '.tox/py312'))],
      [
        'pdm',
        () => {
          fakeEnvironment(path.join(root, 'pdm-env'));
          writeFileSync(path.join(root, '.pdm-python'), path.join(root, 'pdm-env/bin/python\n'));
          writeFileSync(path.join(root, 'pdm.lock'), '');
        },
      ],
      [
        'poetry',
        () => {
          const python = path.join(fakeEnvironment(path.join(root, 'poetry-env')), 'bin/python');
          script(
            path.join(bin, 'poetry'),
            `[ "$*" = "env info --executable" ] && echo '${python}'`,
          );
          writeFileSync(path.join(root, 'pyproject.toml'), '[tool.poetry]\nname = "x"\n');
        },
      ],
      [
        'uv.lock',
        () => {
          const python = fakePython(path.join(root, 'uv-python'));
          script(path.join(bin, 'uv'), `shift 3; exec '${python}' "$@"`);
          writeFileSync(path.join(root, 'uv.lock'), '');
        },
      ],
      ['venv beside the project', () => fakeEnvironment(path.join(root, 'venv'))],
      ['.venv beside the project', () => fakeEnvironment(path.join(root, '.venv'))],
      ['CONDA_PREFIX', () => fakeEnvironment(conda), { CONDA_PREFIX: conda }],
      ['VIRTUAL_ENV', () => fakeEnvironment(active), { CONDA_PREFIX: conda, VIRTUAL_ENV: active }],
      [
        '--python',
        () => fakePython(path.join(root, 'my python')),
        { VIRTUAL_ENV: active },
        './my python',
      ],
    ];
    for (const [from, prepare, env, python] of steps) {
      prepare();
      const request = { env: { PATH: bin, ...env }, ...(python === undefined ? {} : { python }) };
      expect((await found(root, request)).from).toBe(from);
    }
  });

  test("conda's base environment gives way to the project's own", async () => {
    const root = project();
    const env = {
      PATH: tools(root),
      CONDA_PREFIX: fakeEnvironment(path.join(root, 'conda')),
      CONDA_DEFAULT_ENV: 'base',
    };
    expect((await found(root, { env })).from).toBe('CONDA_PREFIX');
    fakeEnvironment(path.join(root, '.venv'));
    expect((await found(root, { env })).from).toBe('.venv beside the project');
  });

  test('an environment above the project is found, but not above the tree', async () => {
    const tree = project();
    const root = path.join(tree, 'packages/one');
    mkdirSync(root, { recursive: true });
    fakeEnvironment(path.join(tree, '.venv'));
    const env = { PATH: tools(tree) };
    expect((await found(root, { tree, env })).from).toBe('../../.venv above the project');
    expect((await problem(root, { tree: root, env })).message).toMatch(/^No interpreter/);
  });

  test('one without pytest is passed over, and named', async () => {
    const root = project();
    fakeEnvironment(path.join(root, '.venv'), { packages: {} });
    fakePython(path.join(tools(root), 'python3'));
    const { from, notes } = await found(root);
    expect(from).toBe('python3 in PATH');
    expect(notes).toEqual(['`.venv` has no pytest']);
  });

  test('one that does not start is passed over with its own reason', async () => {
    const root = project();
    script(
      path.join(tools(root), 'python3'),
      `echo "pyenv: python3: command not found" >&2; echo "use another" >&2; exit 127`,
    );
    fakePython(path.join(tools(root), 'python'));
    mkdirSync(path.join(root, '.venv/bin'), { recursive: true });
    symlinkSync('/no/such/python3.9', path.join(root, '.venv/bin/python'));
    const { from, notes } = await found(root);
    expect(from).toBe('python in PATH');
    expect(notes).toEqual([
      `\`.venv\` does not start: \`${root}/.venv/bin/python\` does not exist.`,
      '`python3` does not start: pyenv: python3: command not found',
    ]);
  });

  test('a program that is no Python is passed over', async () => {
    const root = project();
    script(path.join(tools(root), 'python3'), 'echo hello');
    expect((await problem(root)).message).toContain('`python3` is no Python');
  });

  test('where nothing has pytest, the way out names the first interpreter that starts', async () => {
    const root = project();
    const python = path.join(
      fakeEnvironment(path.join(root, '.venv'), { packages: {} }),
      'bin/python',
    );
    fakePython(path.join(tools(root), 'python3'), { packages: {} });
    expect(await problem(root)).toEqual({
      message:
        'No interpreter with pytest was found: `.venv` has no pytest; `python3` has no pytest; `python` does not start: `python` was not found in PATH',
      hint: `${python} -m pip install pytest`,
    });
  });

  test('where the system manages the interpreter pip refuses, and the way out is an environment', async () => {
    const root = project();
    const python = fakePython(path.join(tools(root), 'python3'), { packages: {}, managed: true });
    const wayOut = `${python} -m venv .venv && .venv/bin/python -m pip install`;
    expect((await problem(root)).hint).toBe(`${wayOut} pytest`);
    const declared = lane({ command: ['python3', '-m', 'pytest'] });
    expect((await problem(root, { lane: declared })).hint).toBe(
      `${wayOut} pytest, then \`command: auto\` in the lane`,
    );
    const other = project();
    const old = fakePython(path.join(tools(other), 'python3'), {
      packages: { pytest: '6.2.5' },
      managed: true,
    });
    expect((await problem(other, { lane: declared })).hint).toBe(
      `${old} -m venv .venv && .venv/bin/python -m pip install "pytest>=7"`,
    );
  });

  test('an environment that uv made has no pip, and the way out says so', async () => {
    const root = project();
    const folder = fakeEnvironment(path.join(root, '.venv'), { packages: {} });
    writeFileSync(path.join(folder, 'pyvenv.cfg'), 'home = /usr/bin\nuv = 0.5.1\n');
    expect((await problem(root)).hint).toBe(`uv pip install --python ${folder} pytest`);
  });

  test.each([
    [{ version: '3.8.18' }, '`.venv` is Python 3.8.18; Counterproof needs 3.9 or newer.'],
    [
      { version: '2.7.18', packages: {} },
      '`.venv` is Python 2.7.18; Counterproof needs 3.9 or newer.',
    ],
    [
      { packages: { pytest: '6.2.5' } },
      '`.venv` has pytest 6.2.5; Counterproof needs 7.0 or newer.',
    ],
  ])('one that is too old is a problem and not passed over: %j', async (facts, message) => {
    const root = project();
    fakeEnvironment(path.join(root, '.venv'), facts);
    fakePython(path.join(tools(root), 'python3'));
    expect((await problem(root)).message).toBe(message);
  });

  test('of many environments, one that is too old is passed over', async () => {
    const root = project();
    fakeEnvironment(path.join(root, '.tox/py38'), { version: '3.8.1' });
    fakeEnvironment(path.join(root, '.tox/lint'), { packages: {} });
    fakePython(path.join(tools(root), 'python3'));
    const { from, notes } = await found(root);
    expect(from).toBe('python3 in PATH');
    expect(notes.length).toBe(2);
  });

  test('--python is the only candidate', async () => {
    const root = project();
    fakeEnvironment(path.join(root, '.venv'));
    const { message } = await problem(root, { python: './nowhere/python' });
    expect(message).toBe(
      `The interpreter cannot be used: \`--python\` does not start: \`${root}/nowhere/python\` does not exist`,
    );
  });

  test('--python may name the folder of an environment', async () => {
    const root = project();
    const folder = fakeEnvironment(path.join(root, 'env'));
    const { command, activation } = await found(root, { python: './env' });
    expect(command[0]).toBe(path.join(folder, 'bin/python'));
    expect(activation['VIRTUAL_ENV']).toBe(folder);
  });

  test('uv is started as people start it, without a write to its lock file', async () => {
    const root = project();
    const bin = tools(root);
    const log = path.join(root, 'log');
    const python = fakePython(path.join(root, 'uv-python'));
    script(path.join(bin, 'uv'), `echo "$1 $2 $3" > '${log}'; exec '${python}'`);
    writeFileSync(path.join(root, 'uv.lock'), '');
    expect(await found(root)).toMatchObject({
      command: ['uv', 'run', '--frozen', 'python', '-m', 'pytest'],
      tool: python,
      activation: {},
    });
  });

  test('a manager that is not there is named', async () => {
    const root = project();
    writeFileSync(path.join(root, 'uv.lock'), '');
    writeFileSync(path.join(root, 'Pipfile'), '');
    writeFileSync(path.join(root, 'poetry.lock'), '');
    writeFileSync(path.join(root, 'pyproject.toml'), '[tool.pdm]\n[tool.hatch]\n');
    fakePython(path.join(tools(root), 'python3'));
    expect((await found(root)).notes).toEqual([
      'uv.lock: uv is not in PATH',
      'poetry: poetry is not in PATH',
      'pdm: it has chosen no interpreter yet: run `pdm install`',
      'hatch: hatch is not in PATH',
      'pipenv: pipenv is not in PATH',
    ]);
  });

  test("hatch's environments count once they exist", async () => {
    const root = project();
    writeFileSync(path.join(root, 'hatch.toml'), '');
    fakeEnvironment(path.join(root, 'h/py3.12'));
    script(
      path.join(tools(root), 'hatch'),
      `case "$3" in default) echo '${root}/h/none';; *) echo '${root}/h/py3.11'; echo '${root}/h/py3.12';; esac`,
    );
    expect((await found(root)).from).toBe('hatch (hatch-test)');
  });
});

describe('with a command', () => {
  test('it is left as it is, and its interpreter is asked', async () => {
    const root = project();
    fakePython(path.join(tools(root), 'python3'), { version: '3.13.0' });
    const command = ['python3', '-X', 'dev', '-m', 'pytest', '-q'];
    expect(await found(root, { lane: lane({ command }) })).toMatchObject({
      command,
      from: 'the command line',
      versions: { python: '3.13.0', pytest: '8.3.0' },
      shape: { kind: 'pytest', python: ['python3', '-X', 'dev'] },
    });
  });

  test('the file that declares it is named', async () => {
    const root = project();
    fakePython(path.join(tools(root), 'python3'));
    const where = { file: path.join(root, 'counterproof.yaml'), line: 3, col: 1 };
    const command = ['python3', '-m', 'pytest'];
    expect((await found(root, { lane: lane({ command, where }) })).from).toBe('counterproof.yaml');
  });

  test.each([
    ['plain', (python: string) => `#!${python}\nimport sys\n`],
    [
      'by sh, as for a long path',
      (python: string) => `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\n`,
    ],
  ])('the first line of a script names the interpreter: %s', async (kind, text) => {
    // A first line cannot name a path with a space, which is why there is the second form.
    const root =
      kind === 'plain' ? mkdtempSync(path.join(os.tmpdir(), 'counterproof-')) : project();
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    onTestFinished(() => rmSync(tools(root), { recursive: true, force: true }));
    const python = fakePython(path.join(root, 'hidden/python3'), { version: '3.10.1' });
    const file = script(path.join(root, 'bin/pytest'), '');
    writeFileSync(file, text(python));
    const { tool, versions } = await found(root, { lane: lane({ command: ['bin/pytest'] }) });
    expect([tool, versions['python']]).toEqual([python, '3.10.1']);
  });

  test('a shim names no interpreter, but has one beside it', async () => {
    const root = project();
    script(path.join(root, 'shims/pytest'), 'exec pyenv exec pytest "$@"');
    const python = fakePython(path.join(root, 'shims/python3'));
    expect((await found(root, { lane: lane({ command: ['shims/pytest'] }) })).tool).toBe(python);
  });

  test('one that does not exist is a problem', async () => {
    const root = project();
    expect(await problem(root, { lane: lane({ command: ['pytset'] }) })).toEqual({
      message: '`pytset`, the command of lane unit in the command line, was not found in PATH.',
      hint: 'Install it, correct `command`, or leave `command` out to have pytest found.',
    });
  });

  test('an interpreter without pytest is a problem with a way out', async () => {
    const root = project();
    const python = fakePython(path.join(tools(root), 'python3'), { packages: {} });
    expect(await problem(root, { lane: lane({ command: ['python3', '-m', 'pytest'] }) })).toEqual({
      message: '`python3` has no pytest.',
      hint: `${python} -m pip install pytest`,
    });
  });

  test('behind a wrapper an interpreter is guessed, and need not be there', async () => {
    const root = project();
    const make = script(path.join(tools(root), 'make'), '');
    const asked = { lane: lane({ command: ['make', 'test'] }) };
    expect(await found(root, asked)).toMatchObject({ interpreter: null, tool: make, versions: {} });
    fakeEnvironment(path.join(root, '.venv'));
    expect((await found(root, asked)).tool).toBe(path.join(root, '.venv/bin/python'));
  });

  test("tox's own environment goes before the project's", async () => {
    const root = project();
    script(path.join(tools(root), 'tox'), '');
    fakeEnvironment(path.join(root, '.venv'));
    fakeEnvironment(path.join(root, '.tox/py312'));
    const { tool } = await found(root, { lane: lane({ command: ['tox', '-e', 'py312'] }) });
    expect(tool).toBe(path.join(root, '.tox/py312/bin/python'));
  });
});

describe('a real interpreter', () => {
  test('is asked without running a file of the project', async () => {
    const root = temporaryFolder();
    writeFileSync(path.join(root, 'json.py'), 'raise SystemExit("ran the project")');
    const result = await detectPytest({
      root,
      tree: root,
      lane: lane({ command: ['python3', '-m', 'pytest'] }),
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PYENV_ROOT: process.env['PYENV_ROOT'],
      },
    });
    // A machine whose python3 has no pytest is told so; both prove that Python answered.
    if (result.ok) {
      expect(result.value.versions['python']).toMatch(/^3\.\d+\.\d+$/);
      expect(path.isAbsolute(result.value.tool)).toBe(true);
    } else {
      expect(result.error.message).toMatch(/^`python3` (has no pytest|has pytest|is Python 3)/);
    }
  });
});
