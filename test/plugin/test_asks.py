"""What a step asks for of the modules that a warm interpreter holds ahead, and that nobody sees it told."""

import json
import os
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "src" / "lane" / "pytest" / "plugin"

#: Loads all that is asked for below, in the run that teaches: by its collection, or nothing of it would be held.
TEACHER = "import wave, xml.dom.minidom, lib, pack.part, pack.same\nlib.late()\ndef test_a(): pass\n"
#: Libraries; `pack.same` is a module, and another thing in its package.
LIBRARIES = {
    "lib.py": "def late():\n    import late_lib\n",
    "late_lib.py": "",
    "pack/__init__.py": "import pack.same\n__all__ = ['part']\nsame = 1\n",
    "pack/part.py": "",
    "pack/same.py": "",
    "pack/broken.py": "1 / 0\n",
}


@pytest.fixture
def taught(project, serve):
    """A warm interpreter, and the environment that it has its libraries from."""
    for name, text in LIBRARIES.items():
        project.write("../site-packages/" + name, text)
    env = {"PYTHONPATH": os.pathsep.join([str(PLUGIN), str(project.root / "../site-packages")])}
    project.write("test_a.py", TEACHER)
    learned = project.learn(env=env)
    server = serve(env=env, learned=learned)
    assert server.opening["kind"] == "ready"
    return server, learned, env


def asked(events):
    return {event["test"]: set(event["names"]) for event in events.of("asked")}


ASKS = {
    "import wave": {"wave"},
    "import xml.dom.minidom": {"xml.dom.minidom"},
    "import xml.dom; from xml.dom import minidom": {"xml.dom", "xml.dom.minidom"},
    "from xml.dom.minidom import parse": {"xml.dom.minidom"},
    "__import__('wave')": {"wave"},
    "__import__('xml.dom', fromlist=iter(['minidom']))": {"xml.dom"},
    "import importlib; importlib.import_module('wave')": {"wave"},
    "import importlib; importlib.import_module('.minidom', 'xml.dom')": {"xml.dom.minidom"},
    "exec('from pack import *')": {"pack", "pack.part"},
    "from pack import same": {"pack"},
    "import lib": {"lib"},
    "import lib; lib.late()": {"lib", "late_lib"},
    "import threading; t = threading.Thread(target=__import__, args=('wave',)); t.start(); t.join()": {"wave"},
    "import sys; sys.modules['wave'].open": set(),
    "import xml; xml.dom.minidom.parseString": set(),
}


def test_a_child_tells_what_each_test_asks_for_first(project, taught):
    server, _, _ = taught
    for text, expected in ASKS.items():
        project.write("test_a.py", "def test_a(): pass\ndef test_b():\n    {0}\ndef test_c():\n    {0}\n".format(text))
        events = server.run()
        names = asked(events)
        names.pop(None)
        assert (text, names) == (text, {"test_a.py::test_b": expected} if expected else {})
        assert {outcome for _, _, outcome in events.outcomes()} == {"passed"}


def test_what_the_collection_asks_for_comes_before_any_test(project, taught):
    server, _, _ = taught
    project.write("test_a.py", "import wave\ndef test_a(): import wave\n")
    names = asked(server.run())
    assert "wave" in names.pop(None)
    assert names == {}


def test_a_cold_run_asks_for_nothing_and_teaches_what_its_tests_loaded(project, taught):
    _, _, env = taught
    project.write("test_a.py", "def test_a(): pass\ndef test_b():\n    import wave\ndef test_c(): import wave, lib\n")
    late = {test: set(names) for test, names in project.learn(env=env)["late"]}
    assert {"wave"} <= late["test_a.py::test_b"]
    assert late["test_a.py::test_c"] == {"lib"}
    assert "test_a.py::test_a" not in late
    assert project.run(env=env).of("asked") == []


def test_a_module_that_a_test_throws_out_hides_no_later_import(project):
    project.write("extra.py", "")
    project.write(
        "test_a.py",
        "import sys, extra\n"
        "def test_a(): pass\n"
        "def test_b(): sys.modules.pop('extra')\n"
        "def test_c(): import colorsys\n"
        "def test_d(): sys.modules.pop('colorsys'); import wave\n",
    )
    late = {test: set(names) for test, names in project.learn()["late"]}
    assert "colorsys" in late["test_a.py::test_c"]
    assert "wave" in late["test_a.py::test_d"]


#: Writes down what can be seen of the specs of modules, and of how imports fail.
LOOK = '''
import copy, importlib.util, json, os, pickle, re, sys, traceback, warnings
from importlib.machinery import ModuleSpec
def looks(spec):
    same = pickle.loads(pickle.dumps(spec))
    return [
        repr(spec), sorted({*vars(spec)} - {"_initializing"}), spec.__class__ is ModuleSpec, isinstance(spec, ModuleSpec),
        type(spec).__name__, type(spec).__module__, type(spec).__qualname__,
        type(same) is ModuleSpec, same == spec, spec == copy.copy(spec), type(copy.deepcopy(spec)) is ModuleSpec,
    ]
def fails(text):
    try:
        exec(compile(text, "file", "exec"), {})
    except Exception:
        return [(frame.filename, frame.name) for frame in traceback.extract_tb(sys.exc_info()[2])]
def test_b():
    found = looks(importlib.util.find_spec("wave"))
    import wave
    found.append(looks(wave.__spec__))
    found.append(type(wave.__spec__) is ModuleSpec)
    found.append(looks(importlib.reload(wave).__spec__))
    spec = importlib.util.find_spec("pack.part")
    spec._initializing = True
    spec._initializing = False
    found.append(importlib.util.module_from_spec(spec).__name__)
    for text in (
        "from pack import nothing", "from pack import part, nothing", "import pack.nothing", "from pack import (part, same); 1 / 0",
        "import importlib; importlib.import_module('pack.nothing')", "from pack import broken", "import pack.broken",
    ):
        found.append(fails(text))
    import lib
    lib.late()
    import xml.dom.minidom, pack.same
    open(os.environ["SEEN"], "w").write(re.sub(" at 0x[0-9a-f]+", "", json.dumps(found)))
'''


def test_nobody_sees_that_it_is_noted(project, taught):
    server, _, env = taught
    server.env["SEEN"] = env["SEEN"] = str(project.root / "seen")
    project.write("test_a.py", LOOK)
    assert project.run(env=env).outcomes() == [("test_a.py::test_b", "call", "passed")]
    cold = json.loads((project.root / "seen").read_text())
    project.write("test_a.py", LOOK.replace('os.environ["SEEN"]', repr(env["SEEN"])))
    assert server.run().outcomes() == [("test_a.py::test_b", "call", "passed")]
    assert json.loads((project.root / "seen").read_text()) == cold
