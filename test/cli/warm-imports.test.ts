import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, lanes, prove, verdicts } from '../support/project.js';
import { spec, swap } from '../support/specs.js';

const names = ['one', 'two', 'three', 'four', 'five'];

const PLAIN = {
  'calc.py': names.map((name, n) => `def ${name}():\n    return ${n}\n`).join('\n\n'),
  'test_calc.py': `import calc\n\n\n${names
    .map((name, n) => `def test_${name}():\n    assert calc.${name}() == ${n}\n`)
    .join('\n\n')}`,
  // Who starts a session: the interpreter that waits has the command line of one.
  'conftest.py': `import os


def pytest_sessionfinish():
    with open("/proc/%d/cmdline" % os.getppid(), "rb") as file:
        kind = "warm" if b"--maxfail=0" in file.read() else "cold"
    with open(os.environ["STARTS"], "a") as file:
        file.write(kind + "\\n")
`,
};

const ORDINARY = names.map((name, n) =>
  swap(
    name,
    'calc.py',
    [`def ${name}():\n    return ${n}`, `def ${name}():\n    return ${n + 9}`],
    { flips: [`test_calc.py::test_${name}`] },
  ),
);

async function run(files: Readonly<Record<string, string>>, mutation: ReturnType<typeof swap>) {
  const project = createProject({
    ...PLAIN,
    ...files,
    ...spec([...ORDINARY, mutation]),
    'counterproof.yaml': lanes({ env: { PYTHONPATH: 'site-packages' } }),
  });
  const starts = join(project.state, '..', 'starts');
  const proven = await prove(project, ['run', '-j', '1'], { env: { STARTS: starts } });
  const kinds = existsSync(starts) ? readFileSync(starts, 'utf8').trimEnd().split('\n') : [];
  return { proven, kinds };
}

const pinned = Object.fromEntries(names.map((name) => [name, 'pinned']));

test('a control that fails for an import that did not run is seen beside a test that flips', async () => {
  const { proven, kinds } = await run(
    {
      'docs.py': `import xml

FLAG = True


def setup():
    if FLAG:
        import xml.dom.minidom


def read():
    return xml.dom.minidom.parseString("<a/>").documentElement.tagName
`,
      'test_docs.py': `import docs


def test_flag():
    assert docs.FLAG


def test_setup():
    docs.setup()


def test_read():
    assert docs.read() == "a"
`,
    },
    swap('flag', 'docs.py', ['FLAG = True', 'FLAG = False'], {
      flips: ['test_docs.py::test_flag'],
      controls: ['test_docs.py::test_read'],
    }),
  );

  expect(verdicts(proven)).toEqual({ ...pinned, flag: 'control-moved' });
  expect(proven.record.lanes.flatMap(({ notes }) => notes)).toEqual([]);
  // The baseline and the first flip. What a test loads, it loads in a warm interpreter as well.
  expect(kinds.filter((kind) => kind === 'cold')).toHaveLength(2);
});

test('what a library imports at run time counts too', async () => {
  const { proven } = await run(
    {
      'site-packages/lib.py': 'def get():\n    import lib_part\n    return lib_part.VALUE\n',
      'site-packages/lib_part.py': 'import lib_state\nVALUE = 1\nlib_state.ready = True\n',
      'site-packages/lib_state.py': 'ready = False\n',
      'asks.py': `import lib

FLAG = True


def get():
    return lib.get() if FLAG else 2
`,
      'test_asks.py': `import asks
import lib_state


def test_get():
    assert asks.get() == 1


def test_ready():
    assert lib_state.ready
`,
    },
    swap('get', 'asks.py', ['FLAG = True', 'FLAG = False'], {
      flips: ['test_asks.py::test_get', 'test_asks.py::test_ready'],
    }),
  );

  expect(verdicts(proven)).toEqual({ ...pinned, get: 'pinned' });
});

test('an import is not lost beside a module that a test threw out', async () => {
  const { proven } = await run(
    {
      'extra.py': '',
      'late.py': `import sys


def ready(flag):
    if flag:
        import colorsys
    return flag


def use():
    return sys.modules["colorsys"].rgb_to_hls(0, 0, 0)
`,
      'test_late.py': `import sys

import extra
import late


def test_drop():
    assert sys.modules.pop("extra") is extra


def test_ready():
    assert late.ready(True) is True


def test_use():
    assert late.use()
`,
    },
    swap('late', 'late.py', ['def ready(flag):', 'def ready(flag):\n    flag = None'], {
      flips: ['test_late.py::test_ready', 'test_late.py::test_use'],
    }),
  );

  expect(verdicts(proven)).toEqual({ ...pinned, late: 'pinned' });
});
