"""A warm interpreter: it has imported what lies outside the project, and forks for each step.

A cold run *learns* (``learn`` in ``COUNTERPROOF_DIR``) which modules of the interpreter's own
library folders it held at its very end, and what could make them differ. The *server*
(``serve.json``) is the lane's own command, stopped where pytest imports our plugin: nothing of
the project is loaded yet. It imports what was learned and forks for each step; in the child the
command goes on as if it had never been stopped. So command line, environment, working folder,
plugins and the end of the process are the ones of a cold step.

What cannot be carried over makes the server refuse, with a reason: it is never guessed.
"""

import os
import sys

import _counterproof_asks as asks
from _counterproof_forked import Forget, mark_address, put_mark
from _counterproof_imports import Blocked, children, import_all, know_sources, threads
from _counterproof_orders import Control, fork
from _counterproof_recorder import read_targets
from _counterproof_surroundings import (
    OWN,
    Origins,
    alterations,
    opened,
    signal_handlers,
    stop_noting_files,
    top_of,
)

#: Modules that the server needs and a cold run need not have.
_OWN = OWN | {"_socket", "gc"}
#: Files from which pytest makes up its configuration and rootdir, also by not being there.
_CONFIGURATION = frozenset(
    ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
)


def serve(folder):
    """Returns in a child that was forked for a step, and nowhere else.

    A library that reads what the project changes before its import has been imported too early
    here; for the untouched tree `changed` tells, and for a mutant nothing but its own run. So
    does what a mutant keeps from being imported. Hence two functions: what the step altered, and
    what it asked for since it was last looked at.
    """
    loaded = set(sys.modules)
    import json

    with open(os.path.join(folder, "serve.json"), encoding="utf-8") as file:
        plan = json.load(file)
    control = Control(folder)
    try:
        server = _Server(plan, loaded)
    except Blocked as blocked:
        control.tell(kind="blocked", why=str(blocked), by=blocked.by)
        os._exit(0)
    # So that the first child has no codec to look for that later ones find known.
    server.refusal()
    control.tell(kind="ready", modules=len(sys.modules))
    # Elsewhere than in the tree, which may be mounted anew between two steps.
    os.chdir("/")
    running = None
    while True:
        spare, order = fork()
        if spare == 0:
            _wait_for_the_step(server, control, order, folder)
            held = {name: module for name, module in server.modules.items() if name not in _OWN}
            altered = alterations(held, set(plan["altered"]))
            asks.begin()
            return altered, asks.take
        if running is not None:
            control.tell_the_end_of(running)
        nonce = _next_order(server, control, running)
        running = spare
        control.tell(kind="started", pid=running)
        try:
            os.write(order, nonce)
        except BrokenPipeError:
            # It is gone, which is told as its end.
            pass
        os.close(order)


def _wait_for_the_step(server, control, orders, folder):
    """In a child: makes ready, and returns as the process of the step once it is asked for."""
    server.part()
    nonce = os.read(orders, 4096)
    if not nonce:
        # The server is gone.
        os._exit(0)
    os.close(orders)
    try:
        server.become_step(nonce, folder)
    except BaseException as error:
        control.tell(kind="failed", why="%s: %s" % (type(error).__name__, error))
        os._exit(1)
    control.close()


def _next_order(server, control, ended):
    """The nonce of the next step that need not be cold; `ended`: the child of the one before."""
    while True:
        order = control.next()
        if ended is not None:
            # Only now, so that its number names it until whoever watches it is done with it.
            os.waitpid(ended, 0)
            ended = None
        refusal = server.refusal()
        if refusal is None:
            return order["nonce"].encode()
        control.tell(kind="refused", why=refusal[0], targets=refusal[1])


class _Server:
    def __init__(self, plan, loaded):
        origins = Origins(plan["tree"])
        self.origins = origins
        self.cwd = os.getcwd()
        self.known = set(plan["known"])
        handlers = signal_handlers()
        self.forget = Forget()
        self._refuse_project_modules()
        state = import_all(plan, origins)
        self._refuse_project_modules()
        if signal_handlers() != handlers:
            raise Blocked("a library handles signals from its import on")
        if children():
            raise Blocked("a library starts a process as it is imported")
        know_sources()
        self._try_to_fork(state)
        self.mark_at = mark_address()
        if self.mark_at is None:
            raise Blocked("the environment of this process cannot be found in its memory")
        stop_noting_files()
        self.read = self._files_read()
        asks.hold([name for name in sys.modules if name not in loaded and name not in OWN])
        import gc

        self.modules = self._held()
        #: Refers to itself, and what is frozen is never collected: so these modules outlive all.
        kept = [module for module in sys.modules.values() if getattr(module, "__file__", None)]
        kept.append(kept)
        gc.collect()
        #: To be let go of by each child before its step begins.
        self.held = gc.get_objects()
        # A collection before pytest ends would copy every page that children share.
        gc.freeze()

    def _files_read(self):
        """Files that may lie in the tree and whose content is fixed by now."""
        files = opened
        if self.origins.inner:
            modules = list(sys.modules.values())
            files = {*files, *(getattr(module, "__file__", None) or "" for module in modules)}
        else:
            files = {path for path in files if not path.startswith(self.origins.library)}
        return {os.path.realpath(path) for path in files}

    def _refuse_project_modules(self):
        for name, module in list(sys.modules.items()):
            part = self.origins.project_part_of(module)
            if part is not None:
                raise Blocked("%s of the project is loaded before any test is (%s)" % (name, os.path.basename(part)))

    @staticmethod
    def _held():
        return {name: id(module) for name, module in sys.modules.items()}

    @staticmethod
    def _try_to_fork(state):
        """Threads do not live on in a child, but the locks that they hold do."""
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        # Libraries that are made for forks (OpenBLAS) end their threads before it.
        if threads() > 1:
            by = None if state.suspect is None else top_of(state.suspect)
            who = "a plugin" if state.suspect is None else "importing %s" % state.suspect
            raise Blocked("%s starts threads that do not end at a fork" % who, by)

    def refusal(self):
        """Why the coming step has to be cold, and for which of its targets; or None."""
        if self._held() != self.modules:
            return "the warm interpreter has loaded something since it was started", []
        why = None
        refused = []
        for target in read_targets(os.environ["COUNTERPROOF_DIR"]):
            found = self._why_not(target)
            if found is not None:
                why = why or found
                refused.append(target.index)
        return why and (why, refused)

    def _why_not(self, target):
        parts = target.path.split(os.sep)
        if any(part.endswith((".egg-info", ".dist-info")) for part in parts):
            return "the list of installed packages is read before any test is"
        if target.path in self.read or parts[-1] in _CONFIGURATION or parts[-1].endswith(".pth"):
            return "%s is read before any test is" % parts[-1]
        for name in (*target.names, *map(top_of, target.names), *target.weak_names):
            if name in sys.modules:
                return "a module %s from elsewhere is loaded before any test is" % name
        return None

    def part(self):
        """Takes a copy of the pages that a step is about to write to, while nobody waits for it.

        Whatever refers to an object writes to its page, and letting go of it is the last that
        is known to do so: a third of what a small step took went into copying page by page.
        """
        self.held.clear()

    def become_step(self, nonce, folder):
        """Makes of the child what the cold command would be at this point."""
        import _socket
        import importlib

        os.setsid()
        os.chdir(self.cwd)
        put_mark(self.mark_at, nonce)
        os.environ["COUNTERPROOF_RUN"] = nonce.decode()
        for number in (1, 2):
            stream = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            stream.connect(os.path.join(folder, "output"))
            os.dup2(stream.fileno(), number)
            stream.close()
        importlib.invalidate_caches()
        numbers = sys.modules.get("numpy.random.mtrand")
        if numbers is not None:
            # Drawn anew at each start of an interpreter; `random` does so itself at a fork.
            numbers._rand.seed()
        logging = sys.modules.get("logging")
        if isinstance(getattr(logging, "_startTime", None), (int, float)):
            # What records count their time from: a second ago in a new interpreter at most.
            import time

            logging._startTime = time.time_ns() if isinstance(logging._startTime, int) else time.time()
        self.forget.modules = self.modules
        for name in _OWN:
            if name not in self.known:
                sys.modules.pop(name, None)
