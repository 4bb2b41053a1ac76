"""A small project in a temporary folder, run by a pytest of its own under the plugin."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "src" / "lane" / "pytest" / "plugin"


class Project:
    def __init__(self, folder):
        self.root = folder / "tree"
        self.root.mkdir()
        self.plan = folder / "plan"
        self.steps = 0

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def run(self, *args, targets=(), command=None, env=None, **plan):
        """Runs pytest, or another Python command, and returns the events that it left."""
        shutil.rmtree(self.plan, ignore_errors=True)
        self.plan.mkdir()
        (self.plan / "events.jsonl").touch()
        (self.plan / "targets").write_text("".join(map(self._target, targets)))
        session = {
            "root": str(self.root),
            "keep": None,
            "without": [],
            "probes": [],
            "seeds": {"hypothesis": "0", "randomly": "0", "random-order": "0"},
        }
        (self.plan / "session.json").write_text(json.dumps({**session, **plan}))
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "PYTEST", "COUNTERPROOF"))
        }
        ended = subprocess.run(
            [sys.executable, *(command or ("-m", "pytest", "-p", "no:cacheprovider")), *args],
            cwd=self.root,
            env={
                **clean,
                "PYTHONPATH": str(PLUGIN),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTEST_PLUGINS": "counterproof_pytest",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "COUNTERPROOF_DIR": str(self.plan),
                "COUNTERPROOF_RUN": "nonce",
                **(env or {}),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.exit = ended.returncode
        self.output = ended.stdout.decode("utf-8", "replace")
        lines = (self.plan / "events.jsonl").read_text(encoding="ascii").splitlines()
        return Events(map(json.loads, lines))

    def _target(self, entry):
        name, _, module = entry.partition("=")
        file = self.root / name
        sha = hashlib.sha256(file.read_bytes()).hexdigest()
        words = (str(file.resolve()), module, "", str(self.root.resolve()))
        return "\t".join((sha, *(word.encode().hex() for word in words))) + "\n"


class Events(list):
    def of(self, kind):
        return [event for event in self if event["event"] == kind]

    def ids(self, kind):
        return [name for event in self.of(kind) for name in event["ids"]]

    def outcomes(self):
        return [(event["id"], event["when"], event["outcome"]) for event in self.of("report")]

    def loads(self):
        return [(event["how"], event["via"]) for event in self.of("load")]


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
