"""A small project in a temporary folder, run by a pytest of its own under the plugin."""

import contextlib

import hashlib
import json
import os
import selectors
import shutil
import signal
import socket
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
        self.python = sys.executable

    def write(self, name, text):
        """`name` is relative to the tree; `../` leads out of it."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def run(self, *args, targets=(), command=None, env=None, **plan):
        """Runs pytest, or another Python command, and returns the events that it left."""
        self.lay_out(targets, plan)
        # As the lane does it: a session of its own, and sockets for what it writes.
        ours, theirs = socket.socketpair()
        with ours, theirs:
            process = subprocess.Popen(
                self.command(command, args),
                cwd=self.root,
                env=self.environment(env),
                stdin=subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
            theirs.close()
            self.output = read_all(ours)
        self.exit = process.wait()
        return self.events()

    def learn(self, *args, env=None):
        """What a cold run teaches of the modules that a warm interpreter may hold."""
        self.run(*args, env=env, learn=str(self.root))
        return json.loads((self.plan / "learned.json").read_text())

    def lay_out(self, targets, plan):
        """The plan of a step, in a folder whose path is the same in all of them."""
        shutil.rmtree(self.plan, ignore_errors=True)
        self.plan.mkdir()
        self.temporary = self.plan / "t"
        self.temporary.mkdir()
        (self.plan / "events.jsonl").touch()
        (self.plan / "targets").write_text("".join(map(self._target, targets)))
        session = {
            "root": str(self.root),
            "keep": None,
            "without": [],
            "probes": [],
            "seeds": {"hypothesis": "0", "randomly": "0", "random-order": "0"},
            "tracebacks": 10,
        }
        (self.plan / "session.json").write_text(json.dumps({**session, **plan}))

    def command(self, command, args):
        return [self.python, *(command or ("-m", "pytest", "-p", "no:cacheprovider")), *args]

    def environment(self, env=None):
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "PYTEST", "COUNTERPROOF"))
        }
        return {
            **clean,
            "PYTHONPATH": str(PLUGIN),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTEST_PLUGINS": "counterproof_pytest",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "TMPDIR": str(self.temporary),
            "COUNTERPROOF_DIR": str(self.plan),
            "COUNTERPROOF_RUN": "nonce",
            **(env or {}),
        }

    def events(self):
        lines = (self.plan / "events.jsonl").read_text(encoding="ascii").splitlines()
        return Events(map(json.loads, lines))

    def _target(self, entry):
        name, _, module = entry.partition("=")
        file = self.root / name
        sha = hashlib.sha256(file.read_bytes()).hexdigest()
        words = (str(file.resolve()), module, "", str(self.root.resolve()))
        return "\t".join((sha, *(word.encode().hex() for word in words))) + "\n"


def read_all(*streams):
    """To the end of all of them, whichever is written to."""
    received = []
    with selectors.DefaultSelector() as waiting:
        for stream in streams:
            waiting.register(stream, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select():
                data = key.fileobj.recv(65536)
                received.append(data)
                if not data:
                    waiting.unregister(key.fileobj)
                    key.fileobj.close()
    return b"".join(received).decode("utf-8", "replace")


class Events(list):
    def of(self, kind):
        return [event for event in self if event["event"] == kind]

    def ids(self, kind):
        return [name for event in self.of(kind) for name in event["ids"]]

    def outcomes(self):
        return [(event["id"], event["when"], event["outcome"]) for event in self.of("report")]

    def loads(self):
        return [(event["how"], event["via"]) for event in self.of("load")]


class Server:
    """A warm interpreter over a project, spoken to as the lane does."""

    def __init__(self, project, args, env, learned, exclude):
        self.project = project
        self.args = args
        self.env = env
        project.lay_out((), {})
        plan = {**learned, "tree": str(project.root), "exclude": list(exclude)}
        (project.plan / "serve.json").write_text(json.dumps(plan))
        with self._listen("control") as listening:
            self.process = subprocess.Popen(
                project.command(None, args),
                cwd=project.root,
                env=project.environment(env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self.control = self._accept(listening)
        self.answers = self.control.makefile("r")
        #: `ready` or `blocked`
        self.opening = self.answer()

    def _listen(self, name):
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self.project.plan / name))
        listening.listen()
        return listening

    def _accept(self, listening):
        """Whoever connects first, unless the interpreter ends before."""
        listening.settimeout(0.1)
        for _ in range(600):
            with contextlib.suppress(socket.timeout):
                return listening.accept()[0]
            if self.process.poll() is not None:
                raise AssertionError(self.process.communicate()[0].decode())
        raise AssertionError("nobody connects")

    def answer(self):
        return json.loads(self.answers.readline())

    def run(self, targets=(), nonce="n0nce", **plan):
        """Forks for one step, and returns the events that it left."""
        project = self.project
        project.lay_out(targets, plan)
        with self._listen("output") as listening:
            self.control.sendall(json.dumps({"nonce": nonce}).encode() + b"\n")
            started = self.answer()
            if started["kind"] != "started":
                return started
            self.child = started["pid"]
            streams = [self._accept(listening), self._accept(listening)]
        project.output = read_all(*streams)
        ended = self.answer()
        project.exit = -ended["status"] if ended["killed"] else ended["status"]
        return project.events()

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        self.control.close()


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


@pytest.fixture
def serve(project):
    """Starts a warm interpreter from what a cold run taught: `serve(*args, env=…, exclude=…)`."""
    servers = []

    def start(*args, env=None, exclude=(), learned=None):
        learned = learned or project.learn(*args, env=env)
        server = Server(project, args, env, learned, exclude)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.close()
