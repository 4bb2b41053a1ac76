"""What the plugin reports of collection, tests and endings, and what it takes back."""

import pytest

THREE = "def test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pass\n"


def test_every_test_is_started_reported_and_ended_once(project):
    project.write("test_a.py", THREE)
    events = project.run()
    ids = ["test_a.py::test_a", "test_a.py::test_b", "test_a.py::test_c"]
    assert [event["id"] for event in events.of("start")] == ids
    assert events.outcomes() == list(zip(ids, ["call"] * 3, ["passed", "failed", "passed"]))
    assert [event["id"] for event in events.of("end")] == ids
    assert (events.of("finish")[0]["exit"], len(events.of("unconfigure"))) == (1, 1)


def test_lines_are_numbered_without_a_gap_and_carry_the_nonce(project):
    project.write("test_a.py", THREE)
    events = project.run()
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert {event["nonce"] for event in events} == {"nonce"}


@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_an_early_end_is_switched_off(project, option):
    project.write("test_a.py", THREE)
    assert len(project.run(option).of("end")) == 3


def test_stepwise_is_switched_off_and_noted(project):
    project.write("test_a.py", THREE)
    events = project.run("--stepwise", command=["-m", "pytest"])
    assert len(events.of("end")) == 3
    assert events.of("configure")[0]["notes"] == ["--stepwise was switched off: every test has to run"]


def test_a_file_that_cannot_be_collected_does_not_keep_the_others_from_running(project):
    project.write("test_a.py", "def test_a(): pass\n")
    project.write("test_b.py", "def (\n")
    events = project.run()
    (error,) = events.of("collect-error")
    assert (error["file"], error["line"], error["type"]) == ("test_b.py", 1, "SyntaxError")
    assert len(events.of("end")) == 1


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


def test_a_session_that_a_test_starts_itself_stays_unobserved(project):
    project.write("inner/test_inner.py", "def test_inner(): pass\n")
    project.write(
        "test_a.py",
        "import pytest, subprocess, sys\n"
        "def test_a(): assert pytest.main(['inner']) == 0\n"
        "def test_b(): subprocess.check_call([sys.executable, '-m', 'pytest', 'inner'])\n",
    )
    events = project.run("test_a.py")
    assert [event["id"] for event in events.of("end")] == ["test_a.py::test_a", "test_a.py::test_b"]
    assert len(events.of("configure")) == len(events.of("finish")) == len(events.of("plugin")) == 1


def test_two_sessions_in_a_row_are_both_observed(project):
    project.write("test_a.py", "def test_a(): pass\n")
    code = "import pytest; pytest.main(['test_a.py']); pytest.main(['test_a.py'])"
    events = project.run(command=["-c", code])
    assert len({event["session"] for event in events.of("finish")}) == 2


def test_an_initial_conftest_that_breaks_is_reported_with_its_place(project):
    project.write("conftest.py", "x = 1\nimport nowhere_to_be_found\n")
    (error,) = project.run().of("config-error")
    assert (error["file"], error["line"], error["type"]) == ("conftest.py", 2, "ModuleNotFoundError")


def test_a_failure_by_an_import_error_that_names_the_file_under_proof_is_broken(project):
    project.write("mod.py", "X = 1\n")
    project.write("test_a.py", "def test_a():\n    from mod import Y\ndef test_b():\n    import json\n    assert json is None\n")
    first, second = project.run(targets=["mod.py=mod"]).of("report")
    assert first["broken"].startswith("mod.py: ImportError: cannot import name 'Y'")
    assert second["broken"] is None


def test_a_child_that_dies_of_the_file_under_proof_says_so(project):
    project.write("mod.py", "def (\n")
    project.write("test_a.py", "import subprocess, sys\ndef test_a(): subprocess.check_call([sys.executable, '-c', 'import mod'])\n")
    (broken,) = project.run(targets=["mod.py=mod"]).of("broken")
    assert (broken["test"], broken["target"], broken["line"]) == ("test_a.py::test_a", 0, 1)


def test_an_option_that_runs_no_body_is_named(project):
    project.write("test_a.py", THREE)
    assert project.run("--setup-only").of("configure")[0]["bodiless"] == "--setup-only"
