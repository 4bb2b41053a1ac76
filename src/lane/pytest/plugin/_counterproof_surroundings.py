"""What a library could read of the process as it is imported, and what is project and what is library.

Used where a cold run learns what a warm interpreter may hold, and in that interpreter.
"""

import os
import sys

#: Our modules that a cold step does not load.
OWN = frozenset(
    "_counterproof_" + name for name in ("asks", "forked", "imports", "learn", "orders", "surroundings", "warm")
)
#: Whose functions and settings a library may take over as it is imported.
_PATCHED = (
    "builtins datetime io json locale logging os os.path pathlib platform random re shutil signal socket ssl "
    "subprocess sys sysconfig tempfile threading time warnings"
).split()
#: Set by us or by pytest in every session.
USUAL = frozenset(("COUNTERPROOF_SESSION", "COUNTERPROOF_TEST", "PYTEST_CURRENT_TEST", "PYTEST_VERSION"))

#: Files that a server has opened before its first fork: what they say is fixed.
opened = set()
#: Variables that this process has set or taken away, also for a while, since its step began.
variables_set = set()
_notes_files = False


def watch():
    """In a server, from its start: notes the files that it opens and, until the process ends, variables that are set."""
    global _notes_files
    _notes_files = True
    sys.addaudithook(_note)


def stop_noting_files():
    global _notes_files
    _notes_files = False


def _note(event, args):
    if event == "os.putenv" or event == "os.unsetenv":
        variables_set.add(os.fsdecode(args[0]))
    elif _notes_files and event == "open" and isinstance(args[0], (str, bytes)):
        opened.add(os.path.join(os.getcwd(), os.fsdecode(args[0])))


class Origins:
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


def kind_of(loader):
    kind = loader if isinstance(loader, type) else type(loader)
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def top_of(name):
    return name.partition(".")[0]


def signal_handlers():
    import _signal

    return [_signal.getsignal(number) for number in range(1, _signal.NSIG)]


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

        now = {"variable " + name: value for name, value in os.environ.items() if name not in USUAL}
        now.update(("sys.path " + str(entry), True) for entry in sys.path)
        now.update(("sys.meta_path " + kind_of(finder), True) for finder in sys.meta_path)
        now.update(("filter %r" % (entry,), True) for entry in warnings.filters)
        now.update(("signal %d" % number, handler) for number, handler in enumerate(signal_handlers(), 1))
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
        self.altered.update("variable " + name for name in variables_set - USUAL)
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


def alterations(modules, usual):
    """In a child: a function that lists what was altered since now, and is not by the untouched tree."""
    around = Surroundings(modules)
    variables_set.clear()

    def altered():
        around.look()
        return sorted(around.altered - usual)

    return altered
