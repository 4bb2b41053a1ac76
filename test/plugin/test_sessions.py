"""What the plugin reports of tests and endings, and what of the command line it takes back."""

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


def test_an_option_that_runs_no_body_is_named(project):
    project.write("test_a.py", THREE)
    assert project.run("--setup-only").of("configure")[0]["bodiless"] == "--setup-only"


FAILING = "def inner(): raise ValueError('a\\nb')\n" + "".join("def test_%d():\n    inner()\n" % n for n in range(3))


def reports(events):
    return [(event["id"], event["outcome"], event["at"], event["message"]) for event in events.of("report")]


def test_the_first_failing_tests_are_shown_with_a_traceback_and_all_are_told_alike(project):
    project.write("test_a.py", FAILING)
    full = reports(project.run())
    assert project.output.count("def inner(): raise") == 3
    some = reports(project.run(tracebacks=1))
    assert project.output.count("def inner(): raise") == 1
    assert some == full == [("test_a.py::test_%d" % n, "failed", "test_a.py:1", "ValueError: a") for n in range(3)]


@pytest.mark.parametrize("style", ("line", "native", "no"))
def test_a_style_without_source_stays(project, style):
    project.write("test_a.py", FAILING)
    project.run("--tb=" + style)
    full = project.output
    project.run("--tb=" + style, tracebacks=0)
    assert [line for line in project.output.splitlines() if " in 0." not in line] == [
        line for line in full.splitlines() if " in 0." not in line
    ]


def test_a_conftest_that_reads_reports_gets_them_whole(project):
    project.write("test_a.py", FAILING)
    project.write(
        "conftest.py",
        "def pytest_runtest_logreport(report):\n"
        "    if report.failed: assert 'def inner' in report.longreprtext\n",
    )
    assert len(reports(project.run(tracebacks=0))) == 3
    assert project.exit == 1
