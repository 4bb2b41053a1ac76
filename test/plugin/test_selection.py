"""Which tests a session selects, and by which ids."""

THREE = "def test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pass\n"


def test_selection_is_what_is_left_after_the_lanes_own_filter(project):
    project.write("pytest.ini", "[pytest]\nmarkers = slow\n")
    project.write("test_a.py", "import pytest\ndef test_a(): pass\n@pytest.mark.slow\ndef test_b(): pass\n")
    events = project.run("-m", "not slow")
    assert events.ids("collected") == ["test_a.py::test_a", "test_a.py::test_b"]
    assert events.ids("deselected") == ["test_a.py::test_b"]
    assert events.ids("selected") == ["test_a.py::test_a"]


def test_no_selection_is_reported_for_an_expression_that_does_not_parse(project):
    project.write("test_a.py", THREE)
    events = project.run("-m", "a and (")
    assert events.of("collection-finish") == []
    assert events.of("finish")[0]["exit"] == 4


def test_a_narrow_run_keeps_its_ids_and_imports_no_other_file(project):
    project.write("test_a.py", THREE)
    project.write("test_b.py", "raise RuntimeError\n")
    events = project.run(keep=["test_a.py::test_c"])
    assert events.ids("selected") == ["test_a.py::test_c"]
    assert events.of("collect-error") == []
    assert project.exit == 0


def test_ids_that_are_left_out_do_not_run(project):
    project.write("test_a.py", THREE)
    assert project.run(without=["test_a.py::test_b"]).ids("selected") == ["test_a.py::test_a", "test_a.py::test_c"]


def test_a_probe_is_selected_whatever_the_marker_expression_says(project):
    project.write("pytest.ini", "[pytest]\nmarkers = slow\ntestpaths = tests\n")
    project.write("tests/test_a.py", "import pytest\n@pytest.mark.slow\ndef test_a(): pass\n")
    probe = project.write("tests/check.py", "def test_p(): pass\n")
    events = project.run("-m", "slow", probes=[str(probe)])
    assert events.ids("selected") == ["tests/test_a.py::test_a", "tests/check.py::test_p"]
    assert events.ids("deselected") == []


def test_ids_are_relative_to_the_root_wherever_the_rootdir_is(project):
    project.write("sub/pytest.ini", "[pytest]\n")
    project.write("sub/test_a.py", "def test_a(): assert 0\n")
    events = project.run("sub")
    assert events.of("configure")[0]["prefix"] == "sub/"
    (report,) = events.of("report")
    assert (report["id"], report["at"]) == ("sub/test_a.py::test_a", "sub/test_a.py:1")


MANY = """
import pytest, unittest
@pytest.mark.parametrize('n', range(3))
def test_a(n): pass
@pytest.mark.parametrize('text', ['x::y', '[1]'])
def test_b(text): pass
class TestC:
    def test_d(self): pass
    class TestInner:
        def test_e(self): pass
    def test_f(self): pass
class TestG(unittest.TestCase):
    def test_h(self): pass
    def test_i(self): pass
class TestJ:
    def test_k(self): pass
"""


def test_a_narrow_run_makes_no_items_of_functions_and_classes_that_hold_none(project):
    project.write("test_a.py", MANY)
    everything = project.run().ids("selected")
    assert len(everything) == 11
    for wanted, collected in (
        (["test_a.py::test_a[1]"], 3),
        (["test_a.py::test_b[x::y]", "test_a.py::test_b[[1]]"], 2),
        (["test_a.py::TestC::TestInner::test_e"], 1),
        (["test_a.py::TestG::test_i", "test_a.py::TestC::test_f"], 3),
        (everything, 11),
    ):
        events = project.run(keep=wanted)
        assert events.ids("selected") == [name for name in everything if name in wanted]
        assert len(events.ids("collected")) == collected
        assert project.exit == 0


def test_a_narrow_run_of_a_file_with_a_bracket_in_its_name(project):
    project.write("test_[a].py", THREE)
    events = project.run(keep=["test_[a].py::test_c"])
    assert events.ids("collected") == events.ids("selected") == ["test_[a].py::test_c"]


def test_a_narrow_run_bears_a_test_that_the_command_line_names(project):
    project.write("test_a.py", THREE)
    events = project.run("test_a.py::test_a", "test_a.py::test_c", keep=["test_a.py::test_c"])
    assert events.ids("selected") == ["test_a.py::test_c"]
    assert project.exit == 0


def test_a_conftest_makes_what_it_makes_of_any_function(project):
    project.write(
        "conftest.py",
        "import pytest\n"
        "def pytest_pycollect_makeitem(collector, name, obj):\n"
        "    if name == 'case': return [pytest.Function.from_parent(collector, name='made', callobj=obj)]\n",
    )
    project.write("test_a.py", "def case(): pass\ndef test_b(): pass\n")
    assert project.run(keep=["test_a.py::made"]).ids("selected") == ["test_a.py::made"]
