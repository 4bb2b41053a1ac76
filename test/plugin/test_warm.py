"""The warm interpreter: a child is what a cold run would be, and nothing of the project is in it before."""

import hashlib
import json
import os
import re
import socket
import venv
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "src" / "lane" / "pytest" / "plugin"
THREE = "def test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pass\n"

#: Writes down all that a test can see of the process that runs it.
LOOK = '''
import faulthandler, gc, io, json, locale, logging, os, signal, stat, sys, threading, warnings
def test_a(tmp_path):
    fds = {}
    for fd in sorted(map(int, os.listdir("/proc/self/fd"))):
        try:
            fds[fd] = oct(stat.S_IFMT(os.fstat(fd).st_mode))
        except OSError:
            pass
    seen = {
        "argv": sys.argv,
        "orig_argv": getattr(sys, "orig_argv", None),
        "cmdline": open("/proc/self/cmdline").read(),
        "environ": open("/proc/self/environ").read(),
        "os.environ": dict(os.environ),
        "path": sys.path,
        "flags": str(sys.flags),
        "cwd": os.getcwd(),
        "fds": fds,
        "leads": [os.getpid() == os.getsid(0), os.getpid() == os.getpgid(0)],
        "main": [sys.modules["__main__"].__file__, sys.modules["__main__"].__spec__.name],
        "threads": [len(os.listdir("/proc/self/task")), threading.active_count()],
        "meta_path": [type(f).__name__ for f in sys.meta_path],
        "hooks": [sys.excepthook.__name__, sys.displayhook.__name__, sys.gettrace(), sys.getprofile()],
        "filters": [repr(f) for f in warnings.filters],
        "signals": [str(signal.getsignal(n)) for n in range(1, signal.NSIG)],
        "locale": locale.setlocale(locale.LC_ALL),
        "encodings": [str(sys.stdout.encoding), sys.__stdout__.encoding, sys.__stdout__.line_buffering],
        "umask": os.umask(0o22),
        "gc": [gc.isenabled(), gc.get_threshold()],
        "logging": [str(h) for h in logging.getLogger().handlers],
        "faults": faulthandler.is_enabled(),
        "tmp": str(tmp_path),
        "hash": hash("a"),
        "main thread": threading.main_thread().ident == threading.get_ident(),
        "ours": [name for name in sys.modules if name.startswith("_counterproof")],
        "import lock": [n for n in dir(sys) if n.startswith("last_")],
    }
    json.dump(seen, open(os.environ["SEEN"], "w"))
'''


def see(project, run):
    run()
    seen = json.loads((project.root / "seen").read_text())
    seen["os.environ"].pop("COUNTERPROOF_SESSION")
    return seen


def test_a_child_reports_what_a_cold_run_reports(project, serve):
    project.write("test_a.py", THREE)
    cold = project.run()
    server = serve()
    assert server.opening["kind"] == "ready"
    warm = server.run(nonce="nonce")
    # What it asks for of the modules that it holds ahead is its own.
    assert [plain(event) for event in warm if event["event"] != "asked"] == [plain(event) for event in cold]
    assert project.exit == 1


def plain(event):
    passing = ("pid", "who", "n", "spent", "session", "in")
    return {key: value for key, value in event.items() if key not in passing}


def test_a_test_sees_the_same_process_warm_and_cold(project, serve):
    project.write("test_a.py", LOOK)
    env = {"SEEN": str(project.root / "seen")}
    cold = see(project, lambda: project.run(env=env))
    server = serve(env=env)
    assert server.opening["kind"] == "ready"
    warm = see(project, lambda: server.run(nonce="nonce"))
    assert warm == cold


# -- what a child runs -------------------------------------------------------------------------


def test_every_child_compiles_the_project_anew(project, serve):
    project.write("mod.py", "X = 1\n")
    project.write("test_a.py", "import mod\ndef test_a(): assert mod.X == 1\n")
    server = serve()
    for value, outcome in ((1, "passed"), (2, "failed"), (3, "failed"), (1, "passed")):
        file = project.write("mod.py", "X = %d\n" % value)
        # Of one size and one second, as edits and restores are.
        os.utime(file, (1_000_000_000, 1_000_000_000))
        events = server.run(targets=["mod.py=mod"])
        assert events.outcomes() == [("test_a.py::test_a", "call", outcome)]
        assert events.loads() == [("compiled", "import")]
        assert events.of("load")[0]["sha"] == hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_server_outlives_whatever_ends_a_child(project, serve):
    project.write("test_a.py", "def test_a(): pass\n")
    server = serve()
    for ending, code in (
        ("os._exit(3)", 3),
        ("os.kill(os.getpid(), 11)", -11),
        ("os.kill(0, 9)", -9),
        ("sys.exit(1)", 1),
    ):
        project.write("test_a.py", "import os, sys\ndef test_a(): %s\n" % ending)
        server.run()
        assert project.exit == code
    project.write("test_a.py", "def test_a(): pass\n")
    assert server.run().of("finish")[0]["exit"] == 0


def test_nothing_waits_for_a_step_once_the_orders_have_ended(project, serve):
    project.write("test_a.py", "def test_a(): pass\n")
    server = serve()
    server.run()
    server.control.shutdown(socket.SHUT_RDWR)
    # Read to its end: whoever still waits would hold it open.
    server.process.communicate(timeout=30)


def test_a_child_that_died_before_its_step_is_told_of(project, serve):
    project.write("test_a.py", "def test_a(): pass\n")
    server = serve()
    children = Path("/proc/%d/task/%d/children" % ((server.process.pid,) * 2))
    while not (waiting := children.read_text().split()):
        pass
    os.kill(int(waiting[0]), 9)
    server.control.sendall(b'{"nonce": "n0nce"}\n')
    assert server.answer() == {"kind": "started", "pid": int(waiting[0])}
    assert server.answer() == {"kind": "ended", "status": 9, "killed": True}


def test_what_the_project_holds_ends_with_a_child_as_ever(project, serve):
    project.write(
        "held.py",
        "import atexit, os\n"
        "def tell(what): os.write(1, ('<%s>' % what).encode())\n"
        "class Held:\n"
        "    def __init__(self, name, tell=tell): self.name, self.tell = name, tell\n"
        "    def __del__(self): self.tell(self.name)\n"
        "here = Held('module')\n"
        "loop = Held('loop'); loop.loop = loop\n"
        "atexit.register(tell, 'atexit')\n",
    )
    project.write("test_a.py", "import held\ndef test_a(): pass\n")
    project.run()
    cold = re.findall("<.*?>", project.output)
    # What pytest itself still holds at the end is never destroyed: 8.3 on 3.12 holds all of it.
    assert cold in (["<atexit>", "<module>", "<loop>"], ["<atexit>"])
    serve().run()
    assert re.findall("<.*?>", project.output) == ["<atexit>", "<module>", "<loop>"]


def test_what_a_library_does_at_the_end_finds_the_modules_that_it_knew(project, serve):
    project.write("../site-packages/lib_state.py", "value = 'fresh'\n")
    project.write(
        "../site-packages/lib.py",
        "import atexit, os, lib_state\n"
        "def close():\n"
        "    import lib_state\n"
        "    os.write(1, ('<%s>' % lib_state.value).encode())\n"
        "atexit.register(close)\n",
    )
    project.write("test_a.py", "import lib\ndef test_a(): lib.lib_state.value = 'left by a test'\n")
    env = {"PYTHONPATH": path(project, "../site-packages")}
    project.run(env=env)
    assert "<left by a test>" in project.output
    server = serve(env=env)
    assert server.opening["kind"] == "ready"
    server.run()
    assert re.findall("<.*?>", project.output) == ["<left by a test>"]


def test_records_of_a_child_count_their_time_from_its_own_start(project, serve):
    project.write(
        "test_a.py",
        "import logging, os\ndef test_a(): print(logging._startTime, file=open(os.environ['SEEN'], 'a'))\n",
    )
    server = serve(env={"SEEN": str(project.root / "seen")})
    for _ in range(2):
        server.run()
    first, second = (project.root / "seen").read_text().split()[-2:]
    assert float(first) < float(second)


def test_the_mark_of_the_step_is_where_processes_are_looked_for(project, serve):
    project.write(
        "test_a.py",
        "import os, signal, subprocess, sys\n"
        "def mark(pid):\n"
        "    return [e for e in open('/proc/%s/environ' % pid).read().split('\\0') if e.startswith('COUNTERPROOF_RUN')]\n"
        "def test_a():\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'print(1, flush=True); input()'], stdin=-1, stdout=-1)\n"
        "    child.stdout.readline()\n"
        "    fork = os.fork()\n"
        "    if fork == 0: signal.pause()\n"
        "    marks = [*mark('self'), *mark(child.pid), *mark(fork)]\n"
        "    child.kill(); os.kill(fork, 9); os.wait(); os.wait()\n"
        "    assert marks == ['COUNTERPROOF_RUN=other'] * 3\n",
    )
    server = serve()
    assert server.run(nonce="other").outcomes() == [("test_a.py::test_a", "call", "passed")]


def test_nothing_is_held_that_a_cold_run_loads_after_its_collection(project, serve):
    project.write("conftest.py", "def pytest_terminal_summary():\n    import wave\n")
    project.write(
        "test_a.py",
        "import sys, xml, colorsys\n"
        "def test_a():\n"
        "    assert not {'wave', 'fractions', 'xml.dom'} & {*sys.modules} and not hasattr(xml, 'dom')\n"
        "    assert 'colorsys' in sys.modules\n"
        "def test_b(): import fractions, xml.dom\n",
    )
    server = serve()
    outcomes = [("test_a.py::test_" + letter, "call", "passed") for letter in "ab"]
    assert server.run().outcomes() == outcomes
    assert server.run().outcomes() == outcomes


def test_the_first_traceback_has_no_library_to_look_for(project, serve):
    project.write(
        "test_a.py",
        "import inspect, os\n"
        "def test_a(): assert inspect.modulesbyfile[os.path.realpath(os.__file__)] == 'os'\n",
    )
    server = serve()
    assert server.run().outcomes() == [("test_a.py::test_a", "call", "passed")]


def test_a_plugin_that_the_project_asks_to_be_rewritten_is_left_to_the_child(project, serve):
    project.write("../site-packages/helper.py", "def check(x): assert x == 1\n")
    project.write("conftest.py", "pytest_plugins = ['helper']\n")
    project.write("test_a.py", "import helper\ndef test_a(): helper.check(2)\n")
    env = {"PYTHONPATH": path(project, "../site-packages")}
    cold = project.run("-W", "error", env=env)
    server = serve("-W", "error", env=env)
    warm = server.run()
    assert [event["message"] for event in warm.of("report")] == [event["message"] for event in cold.of("report")]
    assert "assert 2 == 1" in warm.of("report")[0]["message"]


# -- what keeps an interpreter from being warm ---------------------------------------------------


def path(project, *folders):
    return os.pathsep.join([str(PLUGIN), *(str(project.root / folder) for folder in folders)])


WARM_ALONE = "import os\nif os.path.exists(os.environ['COUNTERPROOF_DIR'] + '/serve.json'): "
NATIVE_THREAD = (
    "import ctypes\n"
    "libc = ctypes.CDLL(None)\n"
    "libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, libc.pause, None)\n"
)
THREAD = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"

#: Libraries by name, in the order in which they are imported, and what is said of them.
TROUBLE = {
    "project": ("import mod\n", "loads mod.py of the project"),
    "thread": (THREAD, "starts a thread"),
    "files": ("import tempfile\nF = tempfile.mkdtemp()\n", "makes temporary files"),
    "env": ("import os\nos.environ['X'] = '1'\n", "changes the environment"),
    "descriptor": ("import os\nF = os.open('/dev/null', 0)\n", "keeps a file or socket open"),
    "path": ("import sys\nsys.path.append('/nowhere')\n", "changes sys.path"),
    "folder": ("import os\nos.chdir('..')\n", "changes the working folder"),
    "fails": (WARM_ALONE + "1 / 0\n", "cannot be imported ahead"),
    "more": (WARM_ALONE + "import wave\n", "which no cold run has"),
    "asks": ("import os\nM = os.environ.get('MODE')\n", "the project sets MODE, which lib_asks reads"),
    "copies": ("import os\nM = os.environ.copy()\n", "which lib_copies reads as it is imported"),
    "native": (NATIVE_THREAD, "starts threads that do not end at a fork"),
}


def test_a_library_whose_import_does_more_is_named_and_can_be_left_out(project, serve):
    for name, (text, _) in TROUBLE.items():
        project.write("../site-packages/lib_%s.py" % name, text)
    env = {"PYTHONPATH": path(project, ".", "../site-packages")}
    project.write("mod.py", "X = 1\n")
    project.write("conftest.py", "import os\nos.environ['MODE'] = 'test'\n")
    imports = "".join("import lib_%s\n" % name for name in TROUBLE)
    project.write("test_a.py", imports + "def test_a(): assert lib_asks.M == 'test'\n")
    learned = project.learn(env=env)
    exclude = []
    for name, (_, why) in TROUBLE.items():
        opening = serve(env=env, learned=learned, exclude=exclude).opening
        assert (opening["kind"], opening.get("by")) == ("blocked", "lib_" + name)
        assert why in opening["why"]
        exclude.append("lib_" + name)
    server = serve(env=env, learned=learned, exclude=exclude)
    assert server.opening["kind"] == "ready"
    assert server.run().outcomes() == [("test_a.py::test_a", "call", "passed")]


@pytest.mark.parametrize(
    "text, why",
    [
        ("import mod\n", "mod of the project is loaded before any test is"),
        ("import tempfile\nF = tempfile.mkdtemp()\n", "makes temporary files"),
        (THREAD, "starts a thread"),
        ("import subprocess\nP = subprocess.Popen(['cat'], stdin=-1, stdout=-3, stderr=-3)\n", "starts a process"),
    ],
)
def test_a_plugin_outside_the_tree_that_does_more_than_import_ends_it(project, serve, text, why):
    project.write("../plugins/outer.py", text)
    project.write("mod.py", "X = 1\n")
    project.write("test_a.py", "def test_a(): pass\n")
    env = {"PYTHONPATH": path(project, "../plugins"), "PYTEST_PLUGINS": "outer,counterproof_pytest"}
    server = serve(env=env)
    assert server.opening["kind"] == "blocked"
    assert server.opening["by"] is None
    assert why in server.opening["why"]


@pytest.mark.parametrize("where", ["-p", "entry"])
def test_a_plugin_of_the_tree_itself_ends_it(project, serve, where):
    project.write("own.py", "X = 1\n")
    project.write("test_a.py", "def test_a(): pass\n")
    if where == "-p":
        server = serve("-p", "own")
    else:
        project.write("../site-packages/own-1.dist-info/METADATA", "Name: own\nVersion: 1\n")
        project.write("../site-packages/own-1.dist-info/entry_points.txt", "[pytest11]\nown = own\n")
        env = {"PYTHONPATH": path(project, "../site-packages"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": ""}
        server = serve(env=env)
    assert server.opening["kind"] == "blocked"
    assert "own of the project is loaded before any test is" in server.opening["why"]


def test_a_namespace_package_with_a_part_in_the_tree_is_left_to_the_child(project, serve):
    project.write("../site-packages/space/outer.py", "X = 1\n")
    project.write("space/inner.py", "X = 1\n")
    project.write("test_a.py", "import space.outer, space.inner\ndef test_a(): assert space.inner.X == 1\n")
    env = {"PYTHONPATH": path(project, "../site-packages")}
    server = serve(env=env)
    assert server.opening["kind"] == "ready"
    project.write("space/inner.py", "X = 2\n")
    events = server.run(targets=["space/inner.py=space.inner"])
    assert events.outcomes() == [("test_a.py::test_a", "call", "failed")]
    assert events.loads() == [("compiled", "import")]


def test_a_namespace_package_that_a_library_imports_in_two_parts_ends_it(project, serve):
    project.write("../site-packages/space/outer.py", "X = 1\n")
    project.write("../site-packages/lib.py", "import space.outer\n")
    env = {"PYTHONPATH": path(project, "../site-packages")}
    project.write("space/inner.py", "X = 1\n")
    project.write("test_a.py", "import lib\ndef test_a(): assert lib\n")
    server = serve(env=env)
    assert (server.opening["kind"], server.opening["by"]) == ("blocked", "lib")
    assert "space of the project" in server.opening["why"]


@pytest.mark.parametrize("inside", [False, True])
def test_an_editable_install_is_left_to_the_child(project, serve, inside):
    """Found by a `.pth`, in an environment beside the tree or within it."""
    folder = project.root / (".venv" if inside else "../venv")
    venv.EnvBuilder(symlinks=True).create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    theirs = os.path.dirname(os.path.dirname(pytest.__file__))
    (packages / "editable.pth").write_text("%s\n%s\n" % (project.root / "src", theirs))
    (packages / "lib.py").write_text("X = 1\n")
    project.python = str(folder / "bin" / "python")
    project.write("src/mod.py", "import lib\nX = 1\n")
    project.write("tests/test_a.py", "import sys, mod\ndef test_a(): assert mod.X == 1\n")
    server = serve("tests")
    assert server.opening["kind"] == "ready"
    project.write("src/mod.py", "import lib\nX = 2\n")
    events = server.run(targets=["src/mod.py=mod"])
    assert events.outcomes() == [("tests/test_a.py::test_a", "call", "failed")]
    assert events.loads() == [("compiled", "import")]
    if inside:
        name = os.path.relpath(packages / "lib.py", project.root)
        assert server.run(targets=[name + "=lib"])["why"] == "lib.py is read before any test is"


def test_what_depends_on_the_time_of_an_import_is_told(project):
    project.write(
        "conftest.py",
        "import os, sys, types\n"
        "os.chdir('..')\n"
        "monkey = sys.modules['gevent.monkey'] = types.ModuleType('gevent.monkey')\n"
        "monkey.saved = {'socket': 1}\n"
        "def pytest_sessionfinish(): sys.settrace(lambda *_: None)\n",
    )
    project.write("test_a.py", "def test_a(): pass\n")
    tracer, patched, moved = project.learn()["against"]
    assert "a tracer or profiler" in tracer
    assert "gevent replaces" in patched
    assert "changes its working folder" in moved


def test_why_nothing_can_be_learned_is_told(project):
    project.write(
        "conftest.py",
        "import sys, types\n"
        "class Odd(types.ModuleType): __spec__ = property(lambda self: 1 / 0)\n"
        "def pytest_sessionfinish(): sys.modules['odd'] = Odd('odd')\n",
    )
    project.write("test_a.py", "def test_a(): pass\n")
    learned = project.learn()
    assert learned["against"] == ["what the baseline loaded cannot be listed: ZeroDivisionError: division by zero"]
    assert learned["modules"] == learned["known"] == []
    assert project.events().outcomes() == [("test_a.py::test_a", "call", "passed")]


def test_coverage_is_told_by_its_plugin(project):
    project.write("conftest.py", "def pytest_configure(config): config.pluginmanager.register(object(), '_cov')\n")
    project.write("test_a.py", "def test_a(): pass\n")
    assert project.learn()["against"] == ["pytest-cov measures what is executed as modules are imported"]


# -- what a single step is refused for ---------------------------------------------------------

REFUSED = {
    "pytest.ini=": "pytest.ini is read before",
    "sub/pyproject.toml=": "pyproject.toml is read before",
    "own.egg-info/entry_points.txt=": "installed packages",
    "data.txt=": "data.txt is read before",
    "tools/lib.py=lib": "a module lib from elsewhere",
    "lib/part.py=lib.part": "a module lib from elsewhere",
}


def test_a_file_that_is_read_before_the_fork_is_no_target(project, serve):
    """A plugin outside the tree may keep what it read of the project."""
    project.write("../site-packages/lib.py", "DATA = open('data.txt').read()\n")
    project.write("test_a.py", "def test_a(): pass\n")
    for target in (*REFUSED, "other.txt="):
        project.write(target.partition("=")[0], "")
    env = {"PYTHONPATH": path(project, "../site-packages"), "PYTEST_PLUGINS": "lib,counterproof_pytest"}
    server = serve(env=env)
    for target, why in REFUSED.items():
        answer = server.run(targets=["other.txt=", target])
        assert (answer["kind"], answer["targets"]) == ("refused", [1])
        assert why in answer["why"]
    assert len(server.run(targets=["other.txt="]).of("end")) == 1


# -- what a child alters -----------------------------------------------------------------------

ALTERS = {
    "variable NEW": "os.environ['NEW'] = '1'",
    "variable FOR_A_WHILE": "os.environ['FOR_A_WHILE'] = '1'; del os.environ['FOR_A_WHILE']",
    "sys.path /nowhere": "sys.path.append('/nowhere')",
    "time.sleep": "import time; time.sleep = lambda s: None",
    "builtins.__import__": "import builtins; plain = builtins.__import__; builtins.__import__ = lambda *a, **k: plain(*a, **k)",
    "recursion limit": "sys.setrecursionlimit(5000)",
    "signal 12": "import signal; signal.signal(12, lambda *_: None)",
    "module wave": "import wave; sys.modules['wave'] = object()",
    "locale": "import locale; locale.setlocale(locale.LC_ALL, 'C')",
}


@pytest.mark.parametrize("what", ALTERS)
def test_a_child_tells_what_it_alters_and_the_baseline_did_not(project, serve, what):
    test = "import os, sys, wave\nos.environ['OLD'] = '%s'\n%s\ndef test_a(): assert os.environ['OLD'] == '1'\n"
    project.write("test_a.py", test % (1, ""))
    env = {"LC_ALL": "C.UTF-8"}
    server = serve(env=env)
    assert server.opening["kind"] == "ready"
    # One that fails alters nothing by that.
    project.write("test_a.py", test % (2, ""))
    assert server.run().of("altered") == []
    project.write("test_a.py", test % (1, ALTERS[what]))
    (event,) = server.run().of("altered")
    assert event["what"] == [what]
