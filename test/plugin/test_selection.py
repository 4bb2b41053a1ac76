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
