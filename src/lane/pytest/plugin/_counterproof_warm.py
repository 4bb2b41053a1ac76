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

#: Modules that the server needs and a cold run need not have.
_OWN = ("_counterproof_warm", "_socket", "gc")
_NEVER = frozenset(
    ("__main__", "counterproof_pytest", "_counterproof_recorder", "sitecustomize", "usercustomize", *_OWN)
)
#: Files from which pytest makes up its configuration and rootdir, also by not being there.
_CONFIGURATION = frozenset(
    ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
)
#: Read by native code as a library is loaded, where nobody sees it.
_NATIVE = ("OMP_", "OPENBLAS_", "MKL_", "KMP_", "GOTO_", "BLIS_", "NUMEXPR_", "VECLIB_", "CUDA_")
#: Whose functions and settings a library may take over as it is imported.
_PATCHED = (
    "builtins datetime io json locale logging os os.path pathlib platform random re shutil signal socket ssl "
    "subprocess sys sysconfig tempfile threading time warnings"
).split()
#: Set by us or by pytest in every session.
_USUAL = frozenset(("COUNTERPROOF_SESSION", "COUNTERPROOF_TEST", "PYTEST_CURRENT_TEST", "PYTEST_VERSION"))
_MARK = b"COUNTERPROOF_RUN="


class _Blocked(Exception):
    """Why there can be no warm interpreter; `by`: the package without which there may be one."""

    def __init__(self, why, by=None):
        super().__init__(why)
        self.by = by


class _Places:
    """What is the interpreter's library, and what is the project."""

    def __init__(self, tree):
        self.tree = os.path.join(os.path.realpath(tree), "")
        folders = [os.path.dirname(os.__file__)]
        folders += [
            entry
            for entry in sys.path
            if os.path.basename(entry) in ("site-packages", "dist-packages", "lib-dynload")
        ]
        self.library = tuple({os.path.join(os.path.realpath(folder), "") for folder in folders})
        #: An environment that lies in the tree (`.venv`).
        self.inner = tuple(folder for folder in self.library if folder.startswith(self.tree))

    def is_project(self, path):
        real = os.path.realpath(path)
        return (real + os.sep).startswith(self.tree) and not real.startswith(self.inner)

    def is_library(self, path):
        return os.path.realpath(path).startswith(self.library) and not self.is_project(path)

    def project_part_of(self, module):
        """A file or folder of the project that this module comes from, or None."""
        spec = getattr(module, "__spec__", None)
        found = [getattr(module, "__file__", None), getattr(spec, "origin", None)]
        try:
            found += list(getattr(module, "__path__", None) or ())
        except Exception:
            pass
        for path in found:
            if isinstance(path, str) and os.path.isabs(path) and self.is_project(path):
                return path
        return None


def _kind(loader):
    kind = loader if isinstance(loader, type) else type(loader)
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def _top(name):
    return name.partition(".")[0]


# -- learning ----------------------------------------------------------------------------------

_at_start = None
_changed = set()
_moved = False


class Surroundings:
    """What a library could read of the process as it is imported, and the project could change before."""

    def __init__(self, modules=None):
        self.modules = modules or {}
        self.then = self._now()
        self.patched = {name: dict(vars(sys.modules[name])) for name in _PATCHED if name in sys.modules}
        #: In a word each, since `__init__`.
        self.altered = set()

    @staticmethod
    def _now():
        import _locale
        import warnings

        now = {"variable " + name: value for name, value in os.environ.items() if name not in _USUAL}
        now.update(("sys.path " + str(entry), True) for entry in sys.path)
        now.update(("sys.meta_path " + _kind(finder), True) for finder in sys.meta_path)
        now.update(("filter %r" % (entry,), True) for entry in warnings.filters)
        now.update(("signal %d" % number, handler) for number, handler in enumerate(_signal_handlers(), 1))
        now["locale"] = _locale.setlocale(_locale.LC_ALL, None)
        now["recursion limit"] = sys.getrecursionlimit()
        now["working folder"] = os.getcwd()
        return now

    def look(self):
        """Never raises: what cannot be looked at any more has been altered."""
        try:
            self._compare()
        except Exception as error:
            self.altered.add("what a look at it makes of it: %s" % type(error).__name__)

    def _compare(self):
        now, then = self._now(), self.then
        self.altered.update(name for name in {*now, *then} if now.get(name) != then.get(name))
        self.altered.update("variable " + name for name in _set - _USUAL)
        for name, module in self.modules.items():
            if id(sys.modules.get(name)) != module:
                self.altered.add("module " + name)
        for name, before in self.patched.items():
            here = vars(sys.modules[name]) if name in sys.modules else {}
            if here == before:
                continue
            self.altered.update(
                "%s.%s" % (name, key)
                for key, value in before.items()
                if (key == "__import__" or key[:1] != "_")
                and (callable(value) or isinstance(value, (str, int, float, tuple)))
                and here.get(key) is not value
            )


def begin():
    """At the import of our plugin, before anything of the project runs."""
    global _at_start
    _at_start = dict(os.environ), os.getcwd(), Surroundings()


def note_environment():
    """Which variables the project has set, changed or taken away since `begin`, and the folder."""
    global _moved
    now, then = dict(os.environ), _at_start[0]
    _moved = _moved or os.getcwd() != _at_start[1]
    _changed.update(name for name in {*now, *then} - _USUAL if now.get(name) != then.get(name))
    _at_start[2].look()


def learn(config, tree):
    """What this run held, at its very end: some plugins import most at their last breath."""
    note_environment()
    modules = [(name, module) for name, module in list(sys.modules.items()) if isinstance(name, str)]
    places = _Places(tree)
    learned = {}
    for name, module in modules:
        kind = _learnable(name, module, places, learned)
        if kind is not None:
            learned[name] = kind
    return {
        "modules": [[name, *kind] for name, kind in learned.items() if kind != (None, None)],
        "known": [name for name, _ in modules if name != __name__],
        "program": sys.argv[0] if sys.argv else "",
        "changed": sorted(_changed),
        "altered": sorted(_at_start[2].altered),
        "against": list(_against(config)),
    }


def _learnable(name, module, places, learned):
    """(origin, loader); (None, None) for a namespace package; None for what is not to be imported."""
    spec = getattr(module, "__spec__", None)
    parent = name.rpartition(".")[0]
    if name in _NEVER or spec is None or spec.name != name or (parent and parent not in learned):
        return None
    if spec.loader is None or spec.origin is None:
        portions = list(getattr(module, "__path__", None) or ())
        return (None, None) if portions and all(map(places.is_library, portions)) else None
    if spec.origin in ("built-in", "frozen") or places.is_library(spec.origin):
        return spec.origin, _kind(spec.loader)
    return None


def _against(config):
    """What makes a run depend on when things are imported, or by which process."""
    option = config.option
    if sys.implementation.name != "cpython":
        yield "%s is not CPython" % sys.implementation.name
    if getattr(option, "tx", None) or getattr(option, "numprocesses", None) not in (None, 0):
        yield "pytest-xdist runs the tests in processes of its own"
    if getattr(option, "forked", False):
        yield "pytest-forked runs the tests in processes of its own"
    if config.pluginmanager.hasplugin("_cov"):
        yield "pytest-cov measures what is executed as modules are imported"
    elif sys.gettrace() is not None or sys.getprofile() is not None or _monitored():
        yield "a tracer or profiler is at work (coverage, a debugger)"
    if getattr(option, "memray", False):
        yield "pytest-memray follows every allocation"
    for name in ("gevent.monkey", "eventlet.patcher"):
        patched = getattr(sys.modules.get(name), "saved" if name[0] == "g" else "already_patched", None)
        if patched:
            yield "%s replaces parts of the standard library, and has to come first" % _top(name)
    if _moved:
        yield "the project changes its working folder"


def _monitored():
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and any(monitoring.get_tool(tool) for tool in range(6))


# -- what the server has read before it forks --------------------------------------------------

_opened = set()
_watching = False
#: Variables that this process has set or taken away, also for a while, since its step began.
_set = set()


def watch():
    """Notes every file that is opened from now on until the first fork: what it says is fixed.

    And, for good, the variables that are set, of which a test may take one back at its end.
    """
    global _watching
    _watching = True
    sys.addaudithook(_note)


def _note(event, args):
    if event == "os.putenv" or event == "os.unsetenv":
        _set.add(os.fsdecode(args[0]))
    elif _watching and event == "open" and isinstance(args[0], (str, bytes)):
        _opened.add(os.path.join(os.getcwd(), os.fsdecode(args[0])))


# -- importing ---------------------------------------------------------------------------------


class _State:
    """All that an import may change beside `sys.modules`."""

    def __init__(self, private):
        self.private = [folder for folder in private if folder and os.path.isdir(folder)]
        self.environ = dict(os.environ)
        self.path = list(sys.path)
        self.cwd = os.getcwd()
        self.files = self._open_files()
        self.threads = _threads()
        #: What started threads of native code, which end at a fork or do not.
        self.suspect = None
        if len(sys._current_frames()) > 1:
            raise _Blocked("a plugin starts a thread as it is imported")
        if any(map(os.listdir, self.private)):
            raise _Blocked("a plugin makes temporary files as it is imported")

    @staticmethod
    def _open_files():
        return {entry for entry in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + entry)}

    def what_changed(self):
        if dict(os.environ) != self.environ:
            return "changes the environment"
        if sys.path != self.path:
            return "changes sys.path"
        if os.getcwd() != self.cwd:
            return "changes the working folder"
        if len(sys._current_frames()) > 1:
            return "starts a thread"
        if self._open_files() - self.files:
            return "keeps a file or socket open"
        if any(os.listdir(folder) for folder in self.private):
            return "makes temporary files"
        return None


def _threads():
    return len(os.listdir("/proc/self/task"))


def _children():
    found = []
    for task in os.listdir("/proc/self/task"):
        with open("/proc/self/task/%s/children" % task) as file:
            found += file.read().split()
    return found


def _watch_environment(read):
    """`os.environ` as one that tells which names are asked for; returns how to take that back."""
    plain = type(os.environ)

    class Watched(plain):
        def __getitem__(self, key):
            read(key)
            return plain.__getitem__(self, key)

        def __contains__(self, key):
            read(key)
            return plain.__contains__(self, key)

        def __iter__(self):
            read(None)
            return plain.__iter__(self)

        def copy(self):
            read(None)
            return plain.copy(self)

    os.environ.__class__ = Watched

    def back():
        os.environ.__class__ = plain

    return back


def _import_all(plan, places):
    """Imports what was learned, as it was learned: from the same file, by the same loader."""
    import warnings
    from _frozen_importlib import _find_spec

    left_out = set(plan["exclude"])
    learned = {name: (origin, loader) for name, origin, loader in plan["modules"]}
    changed = set(plan["changed"])
    if any(name.startswith(_NATIVE) for name in changed) and any(
        origin.endswith(".so") and "-packages" in origin for origin, _ in learned.values()
    ):
        raise _Blocked("the project sets %s, which native code reads as it is loaded" % _list(changed))
    known = {*plan["known"], *sys.modules}
    state = _State([os.environ.get("TMPDIR"), os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY")])
    asked = set()
    unwatch = _watch_environment(asked.add)
    argv = sys.argv[:]
    sys.argv[:1] = [plan["program"]]
    try:
        # Filters that an import adds are dropped at the end of whatever part of a session it is in.
        with warnings.catch_warnings():
            for name, (origin, loader) in learned.items():
                if name in sys.modules or _top(name) in left_out:
                    continue
                parent = name.rpartition(".")[0]
                if parent and parent not in sys.modules:
                    continue
                spec = _find_spec(name, sys.modules[parent].__path__ if parent else None)
                if spec is None or spec.origin != origin or _kind(spec.loader) != loader:
                    continue
                before = len(sys.modules)
                asked.clear()
                try:
                    __import__(name)
                except BaseException as error:
                    raise _Blocked("%s cannot be imported ahead: %s" % (name, type(error).__name__), _top(name))
                _check_import(name, list(sys.modules)[before:], known, learned, places)
                if changed and (asked & changed or None in asked):
                    what = "the project sets %s, which %s reads as it is imported" % (
                        _list(asked & changed or changed),
                        name,
                    )
                    raise _Blocked(what, _top(name))
                unwatch()
                what = state.what_changed()
                if what is not None:
                    raise _Blocked("importing %s %s" % (name, what), _top(name))
                if state.suspect is None and _threads() > state.threads:
                    state.suspect = name
                unwatch = _watch_environment(asked.add)
    finally:
        unwatch()
        sys.argv[:] = argv
    return state


def _check_import(name, fresh, known, learned, places):
    for other in fresh:
        module = sys.modules.get(other)
        if module is None or not isinstance(other, str):
            continue
        part = places.project_part_of(module)
        if part is not None:
            raise _Blocked("importing %s loads %s of the project" % (name, os.path.basename(part)), _top(name))
        if other not in known:
            raise _Blocked("importing %s ahead brings in %s, which no cold run has" % (name, other), _top(name))
        spec = getattr(module, "__spec__", None)
        if other in learned and spec is not None and (spec.origin, _kind(spec.loader)) != learned[other]:
            raise _Blocked("importing %s ahead loads %s in another way" % (name, other), _top(name))


def _know_sources():
    """Tells `inspect` the files of what is loaded, as the first traceback would ask it to.

    It resolves the path of every module for that, which is half of what a failing test costs.
    Modules that may answer by importing something are left to the children.
    """
    inspect = sys.modules.get("inspect")
    names = getattr(inspect, "_filesbymodname", None)
    files = getattr(inspect, "modulesbyfile", None)
    if not isinstance(names, dict) or not isinstance(files, dict):
        return
    for name, module in list(sys.modules.items()):
        file = vars(module).get("__file__") if type(module) is type(sys) else None
        if not isinstance(file, str) or name in names:
            continue
        try:
            known = inspect.getabsfile(module)
        except Exception:
            continue
        names[name] = file
        files[known] = files[os.path.realpath(known)] = module.__name__


def _list(names):
    return ", ".join(sorted(names))


# -- serving -----------------------------------------------------------------------------------


def serve(folder):
    """Returns in a child that was forked for a step, and nowhere else: what tells how it is altered.

    A library that reads what the project changes before its import has been imported too early
    here; for the untouched tree `changed` tells, and for a mutant nothing but its own run.
    """
    import _socket
    import json

    with open(os.path.join(folder, "serve.json"), encoding="utf-8") as file:
        plan = json.load(file)
    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    control.connect(os.path.join(folder, "control"))

    def tell(**fields):
        control.sendall(json.dumps(fields).encode() + b"\n")

    try:
        server = _Server(plan, folder)
    except _Blocked as blocked:
        tell(kind="blocked", why=str(blocked), by=blocked.by)
        os._exit(0)
    tell(kind="ready", modules=len(sys.modules))
    # Elsewhere than in the tree, which may be mounted anew between two steps.
    os.chdir("/")
    rest = b""
    child = None
    while True:
        orders, order_at = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        spare = os.fork()
        if spare == 0:
            os.close(order_at)
            server.part()
            nonce = os.read(orders, 4096)
            if not nonce:
                # The server is gone.
                os._exit(0)
            os.close(orders)
            try:
                server.become_step(nonce, folder)
            except BaseException as error:
                tell(kind="failed", why="%s: %s" % (type(error).__name__, error))
                os._exit(1)
            control.close()
            held = {name: module for name, module in server.modules.items() if name not in _OWN}
            around = Surroundings(held)
            usual = set(plan["altered"])
            _set.clear()

            def altered():
                around.look()
                return sorted(around.altered - usual)

            return altered
        os.close(orders)
        if child is not None:
            ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
            tell(kind="ended", status=ended.si_status, killed=ended.si_code != os.CLD_EXITED)
        while True:
            while b"\n" not in rest:
                received = control.recv(65536)
                if not received:
                    os._exit(0)
                rest += received
            line, _, rest = rest.partition(b"\n")
            if child is not None:
                # Only now, so that its number names it until whoever watches it is done with it.
                os.waitpid(child, 0)
                child = None
            refusal = server.refusal()
            if refusal is None:
                break
            tell(kind="refused", why=refusal[0], targets=refusal[1])
        child = spare
        tell(kind="started", pid=child)
        try:
            os.write(order_at, json.loads(line)["nonce"].encode())
        except BrokenPipeError:
            # It is gone, which is told as its end.
            pass
        os.close(order_at)


class _Server:
    def __init__(self, plan, folder):
        global _watching
        places = _Places(plan["tree"])
        self.places = places
        self.cwd = os.getcwd()
        self.known = set(plan["known"])
        handlers = _signal_handlers()
        self.forget = _Forget()
        self._refuse_project_modules()
        state = _import_all(plan, places)
        self._refuse_project_modules()
        if _signal_handlers() != handlers:
            raise _Blocked("a library handles signals from its import on")
        if _children():
            raise _Blocked("a library starts a process as it is imported")
        _know_sources()
        self._try_to_fork(state)
        self.mark_at = _mark_address()
        _watching = False
        self.read = self._files_read()
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
        files = _opened
        if self.places.inner:
            modules = list(sys.modules.values())
            files = {*files, *(getattr(module, "__file__", None) or "" for module in modules)}
        else:
            files = {path for path in files if not path.startswith(self.places.library)}
        return {os.path.realpath(path) for path in files}

    def _refuse_project_modules(self):
        for name, module in list(sys.modules.items()):
            part = self.places.project_part_of(module)
            if part is not None:
                raise _Blocked("%s of the project is loaded before any test is (%s)" % (name, os.path.basename(part)))

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
        if _threads() > 1:
            by = None if state.suspect is None else _top(state.suspect)
            who = "a plugin" if state.suspect is None else "importing %s" % state.suspect
            raise _Blocked("%s starts threads that do not end at a fork" % who, by)

    def refusal(self):
        """Why the coming step has to be cold, and for which of its targets; or None."""
        if self._held() != self.modules:
            return "the warm interpreter has loaded something since it was started", []
        why = None
        refused = []
        with open(os.path.join(os.environ["COUNTERPROOF_DIR"], "targets"), encoding="ascii") as lines:
            for index, line in enumerate(lines):
                _, path, names, weak, _ = line.rstrip("\n").split("\t")
                found = self._why_not(_text(path), _texts(names), _texts(weak))
                if found is not None:
                    why = why or found
                    refused.append(index)
        return why and (why, refused)

    def _why_not(self, path, names, weak):
        parts = path.split(os.sep)
        if any(part.endswith((".egg-info", ".dist-info")) for part in parts):
            return "the list of installed packages is read before any test is"
        if path in self.read or parts[-1] in _CONFIGURATION or parts[-1].endswith(".pth"):
            return "%s is read before any test is" % parts[-1]
        for name in (*names, *map(_top, names), *weak):
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
        _put_mark(self.mark_at, nonce)
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
        self.forget.modules = self.modules
        for name in _OWN:
            if name not in self.known:
                sys.modules.pop(name, None)


class _Forget:
    """Keeps a child from clearing what it shares with the server as it ends.

    That would copy a third of all pages that a child ever copies, for nobody: the modules
    of the project, and all that hangs on them alone, are cleared as ever. Its handler is to be
    registered before those of any library, since the first that is registered is called last:
    theirs may import, and must find what they find in a cold run.
    """

    def __init__(self):
        import atexit

        #: Ids by name; set in a child.
        self.modules = None
        atexit.register(self.at_exit)

    def at_exit(self, modules=sys.modules, identity=id):
        for name, module in list(modules.items()) if self.modules else ():
            if self.modules.get(name) == identity(module) and getattr(module, "__file__", None):
                del modules[name]


def _signal_handlers():
    import _signal

    return [_signal.getsignal(number) for number in range(1, _signal.NSIG)]


def _text(word):
    return os.fsdecode(bytes.fromhex(word))


def _texts(words):
    return [_text(word) for word in words.split(",") if word]


def _environment_block():
    with open("/proc/self/environ", "rb") as file:
        return file.read()


def _mark_address():
    """(address, length) of the run's mark in the memory that /proc shows as this process's environment.

    A forked child keeps the block that its parent was started with, and it is by this block that
    a process that left its group is found: so the child writes its own mark over the server's.
    """
    with open("/proc/self/stat", "rb") as file:
        start = int(file.read().rpartition(b")")[2].split()[47])
    block = b"\0" + _environment_block()
    at = block.find(b"\0" + _MARK)
    if start == 0 or at < 0:
        raise _Blocked("the environment of this process cannot be found in its memory")
    value = block[at + 1 + len(_MARK) :].partition(b"\0")[0]
    return start + at + len(_MARK), len(value)


def _put_mark(place, mark):
    address, length = place
    if len(mark) != length:
        raise ValueError("the mark has %d bytes, and %d are free" % (len(mark), length))
    memory = os.open("/proc/self/mem", os.O_RDWR)
    try:
        os.pwrite(memory, mark, address)
    finally:
        os.close(memory)
    if _MARK + mark not in _environment_block().split(b"\0"):
        raise ValueError("the mark is not where it was written")
