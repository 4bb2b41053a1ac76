import { expect, it } from 'vitest';
import { createProject, lanes, prove, verdicts } from '../support/project.js';
import { spec, swap } from '../support/specs.js';

/** What a test is the first to load is there from the start of no new interpreter. */
const FILES = {
  'lib.py': `import importlib
import sys

LOG = []


def add(a, b):
    return a + b


def loaded(name):
    return name in sys.modules


def simplify(x, exact=False):
    if exact and loaded("fractions"):
        return "frac"
    return x


def has_mime(kind):
    module = {"a": "json", "b": "email"}[kind]
    return hasattr(importlib.import_module(module), "mime")


def load():
    import xml.sax

    LOG.append("load")


def use():
    import xml

    LOG.append("use")
    return xml.sax is not None


def go():
    load(); ok = use()
    return ok
`,
  'test_lib.py': `import lib


def test_add():
    assert lib.add(2, 3) == 5


def test_simplify():
    assert lib.simplify(3) == 3


def test_mime():
    assert not lib.has_mime("a")


def test_go():
    assert lib.go()


def test_order():
    lib.LOG.clear()
    lib.go()
    assert lib.LOG == ["load", "use"]


def test_zz():
    import email.mime.text
    import fractions
`,
};

const MUTATIONS = [
  swap('minus', 'lib.py', ['a + b', 'a - b'], { flips: 'any' }),
  swap('loaded-already', 'lib.py', ['exact and', 'not exact and'], { flips: 'any' }),
  swap('part-of-a-package', 'lib.py', ['"a": "json"', '"a": "email"'], { flips: 'any' }),
  swap('first', 'lib.py', ['a + b', 'a'], { flips: 'any' }),
  swap('used-before-its-import', 'lib.py', ['load(); ok = use()', 'ok = use(); load()'], {
    flips: ['test_lib.py::test_go', 'test_lib.py::test_order'],
  }),
];

it.each(['auto', 'off'] as const)(
  'a module that a test is the first to load is seen by nobody before (warm: %s)',
  async (warm) => {
    const project = createProject({
      ...FILES,
      ...spec(MUTATIONS),
      'counterproof.yaml': lanes({ warm }),
    });

    const run = await prove(project, ['run', '-j', '1']);

    expect(verdicts(run)).toEqual({
      minus: 'pinned',
      'loaded-already': 'survived',
      'part-of-a-package': 'survived',
      first: 'pinned',
      'used-before-its-import': 'pinned',
    });
  },
);
