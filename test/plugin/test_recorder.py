"""Which bytes were compiled and executed: what the recorder writes down, and what it must not."""

import importlib.util
import os
from pathlib import Path

PLUGIN = Path(__file__).parents[2] / "src" / "lane" / "pytest" / "plugin"
MOD = "mod.py=mod"


def test_an_import_from_source_is_compiled(project):
    file = project.write("mod.py", "X = 1\n")
    project.write("test_a.py", "import mod\ndef test_a(): pass\n")
    events = project.run(targets=[MOD])
    assert events.loads() == [("compiled", "import")]
    (load,) = events.of("load")
    assert load["name"] == "mod"
    assert load["sha"] == __import__("hashlib").sha256(file.read_bytes()).hexdigest()


def test_an_import_from_bytecode_is_cached(project):
    project.write("mod.py", "X = 1\n")
    project.write("test_a.py", "import mod\ndef test_a(): pass\n")
    import py_compile

    py_compile.compile(str(project.root / "mod.py"))
    events = project.run(targets=[MOD])
    assert events.loads() == [("cached", "import")]
    assert events.of("load")[0]["pyc"].endswith(".pyc")


def test_compiling_without_executing_leaves_no_trace(project):
    project.write("mod.py", "X = 1\n")
    project.write(
        "test_a.py",
        "import ast, py_compile\n"
        "def test_a():\n"
        "    source = open('mod.py').read()\n"
        "    compile(source, 'mod.py', 'exec')\n"
        "    ast.parse(source, 'mod.py')\n"
        "    py_compile.compile('mod.py', cfile='out.pyc')\n",
    )
    events = project.run(targets=[MOD])
    assert events.outcomes() == [("test_a.py::test_a", "call", "passed")]
    assert events.loads() == []


def test_a_compile_before_a_cached_import_does_not_make_it_fresh(project):
    project.write("mod.py", "X = 1\n")
    project.write(
        "test_a.py",
        "import os\ndef test_a():\n    compile(open('mod.py').read(), os.path.abspath('mod.py'), 'exec')\n    import mod\n",
    )
    import py_compile

    # Under the very name that the bytecode has: told apart by what was opened in between.
    py_compile.compile(str(project.root / "mod.py"))
    assert project.run(targets=[MOD]).loads() == [("cached", "import")]


def test_code_that_a_test_executes_itself_is_told_apart(project):
    project.write("mod.py", "X = 1\n")
    project.write("test_a.py", "def test_a(): exec(compile(open('mod.py').read(), 'mod.py', 'exec'), {})\n")
    events = project.run(targets=[MOD])
    assert events.loads() == [("compiled", "exec")]
    assert events.of("finish")[0]["modules"] == [{"held": False, "others": []}]


def test_a_rewritten_test_file_is_compiled(project):
    project.write("test_a.py", "def test_a(): pass\n")
    assert project.run(targets=["test_a.py=test_a"]).loads() == [("compiled", "import")]


def test_a_script_of_a_child_process_is_compiled(project):
    project.write("mod.py", "print(1)\n")
    project.write("test_a.py", "import subprocess, sys\ndef test_a(): subprocess.check_call([sys.executable, 'mod.py'])\n")
    events = project.run(targets=[MOD])
    (load,) = events.of("load")
    (configure,) = events.of("configure")
    assert (load["how"], load["via"], load["in"]) == ("compiled", "main", configure["session"])
    assert load["who"] != configure["who"]


def test_a_module_of_the_same_name_from_elsewhere_is_named(project):
    project.write("mod.py", "X = 1\n")
    other = project.write("site/mod.py", "X = 2\n")
    project.write("test_a.py", "import sys\nsys.path.insert(0, 'site')\nimport mod\ndef test_a(): assert mod.X == 2\n")
    events = project.run(targets=[MOD])
    assert events.loads() == []
    assert [event["file"] for event in events.of("elsewhere")] == [str(other.resolve())]
    others = events.of("finish")[0]["modules"][0]["others"]
    assert others == [{"file": str(other.resolve()), "name": "mod", "weak": False}]


def test_the_site_file_that_ours_hides_is_run(project):
    project.write("site/sitecustomize.py", "import sys\nsys.hidden_one = __name__\n")
    code = "import sys, sitecustomize; print(sys.hidden_one, sitecustomize.__file__)"
    path = os.pathsep.join([str(PLUGIN), str(project.root / "site")])
    project.run(command=["-c", code], env={"PYTHONPATH": path})
    assert project.output.split()[0] == "sitecustomize"
    assert project.output.split()[1].endswith(os.path.join("site", "sitecustomize.py"))


def test_a_process_without_a_plan_is_left_alone(project):
    project.write("mod.py", "X = 1\n")
    code = "import mod, sys; print(sys.excepthook is sys.__excepthook__)"
    events = project.run(command=["-c", code], env={"COUNTERPROOF_DIR": "", "COUNTERPROOF_RUN": ""})
    assert (project.exit, project.output.strip(), events) == (0, "True", [])
    project.run(command=["-c", code], env={"COUNTERPROOF_DIR": "/no/such/folder"})
    assert (project.exit, project.output.strip()) == (0, "True")


def test_a_process_imports_no_more_of_the_library_for_the_recorder(project):
    project.write("mod.py", "X = 1\n")
    code = "import sys; print(*sorted(n for n in sys.modules if n in HEAVY))"
    code = "HEAVY = {'json', 're', 'hashlib', 'importlib.util', 'threading'}; " + code
    project.run(command=["-c", code], env={"COUNTERPROOF_DIR": ""})
    without = project.output
    project.run(command=["-c", code], targets=[MOD])
    assert project.output == without


def test_the_raise_of_a_reach_run_names_its_test(project):
    project.write(
        "test_a.py",
        "import pytest\n"
        "from _counterproof_recorder import Reached, reached\n"
        "def test_a():\n    with pytest.raises(Reached): raise reached()\n"
        "def test_b(): raise __import__('_counterproof_recorder').reached()\n",
    )
    events = project.run()
    assert [event["test"] for event in events.of("reached")] == ["test_a.py::test_a", "test_a.py::test_b"]
    assert not issubclass(_reached(), Exception)


def _reached():
    spec = importlib.util.spec_from_file_location("recorder_under_test", PLUGIN / "_counterproof_recorder.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Reached
