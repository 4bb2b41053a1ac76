"""What is told of a file that does not load."""


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
