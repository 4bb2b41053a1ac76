"""Imports ahead what a cold run has shown to lie outside the project, as it was imported there."""

import os
import sys

from _counterproof_surroundings import kind_of, top_of

#: Read by native code as a library is loaded, where nobody sees it.
_NATIVE = ("OMP_", "OPENBLAS_", "MKL_", "KMP_", "GOTO_", "BLIS_", "NUMEXPR_", "VECLIB_", "CUDA_")


class Blocked(Exception):
    """Why there can be no warm interpreter; `by`: the package without which there may be one."""

    def __init__(self, why, by=None):
        super().__init__(why)
        self.by = by


class _State:
    """All that an import may change beside `sys.modules`."""

    def __init__(self, private):
        self.private = [folder for folder in private if folder and os.path.isdir(folder)]
        self.environ = dict(os.environ)
        self.path = list(sys.path)
        self.cwd = os.getcwd()
        self.files = self._open_files()
        self.threads = threads()
        #: What started threads of native code, which end at a fork or do not.
        self.suspect = None
        if len(sys._current_frames()) > 1:
            raise Blocked("a plugin starts a thread as it is imported")
        if any(map(os.listdir, self.private)):
            raise Blocked("a plugin makes temporary files as it is imported")

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


def threads():
    return len(os.listdir("/proc/self/task"))


def children():
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


def import_all(plan, origins):
    """Imports what was learned, as it was learned: from the same file, by the same loader."""
    import warnings
    from _frozen_importlib import _find_spec

    left_out = set(plan["exclude"])
    # What a test is the first to load is not there before it in a new interpreter, where anybody
    # can see that (`sys.modules`, `hasattr(package, "part")`).
    late = {name for _, names in plan["late"] for name in names}
    learned = {name: (origin, loader) for name, origin, loader in plan["modules"] if name not in late}
    changed = set(plan["changed"])
    if any(name.startswith(_NATIVE) for name in changed) and any(
        origin.endswith(".so") and "-packages" in origin for origin, _ in learned.values()
    ):
        raise Blocked("the project sets %s, which native code reads as it is loaded" % _list(changed))
    known = {*plan["known"], *sys.modules} - late
    state = _State([os.environ.get("TMPDIR"), os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY")])
    asked = set()
    unwatch = _watch_environment(asked.add)
    argv = sys.argv[:]
    sys.argv[:1] = [plan["program"]]
    try:
        # Filters that an import adds are dropped at the end of whatever part of a session it is in.
        with warnings.catch_warnings():
            for name, (origin, loader) in learned.items():
                if name in sys.modules or top_of(name) in left_out:
                    continue
                parent = name.rpartition(".")[0]
                if parent and parent not in sys.modules:
                    continue
                spec = _find_spec(name, sys.modules[parent].__path__ if parent else None)
                if spec is None or spec.origin != origin or kind_of(spec.loader) != loader:
                    continue
                before = len(sys.modules)
                asked.clear()
                try:
                    __import__(name)
                except BaseException as error:
                    raise Blocked("%s cannot be imported ahead: %s" % (name, type(error).__name__), top_of(name))
                _check_import(name, list(sys.modules)[before:], known, learned, origins)
                if changed and (asked & changed or None in asked):
                    what = "the project sets %s, which %s reads as it is imported" % (
                        _list(asked & changed or changed),
                        name,
                    )
                    raise Blocked(what, top_of(name))
                unwatch()
                what = state.what_changed()
                if what is not None:
                    raise Blocked("importing %s %s" % (name, what), top_of(name))
                if state.suspect is None and threads() > state.threads:
                    state.suspect = name
                unwatch = _watch_environment(asked.add)
    finally:
        unwatch()
        sys.argv[:] = argv
    return state


def _check_import(name, fresh, known, learned, origins):
    for other in fresh:
        module = sys.modules.get(other)
        if module is None or not isinstance(other, str):
            continue
        part = origins.project_part_of(module)
        if part is not None:
            raise Blocked("importing %s loads %s of the project" % (name, os.path.basename(part)), top_of(name))
        if other not in known:
            raise Blocked("importing %s ahead brings in %s, which no cold run has" % (name, other), top_of(name))
        spec = getattr(module, "__spec__", None)
        if other in learned and spec is not None and (spec.origin, kind_of(spec.loader)) != learned[other]:
            raise Blocked("importing %s ahead loads %s in another way" % (name, other), top_of(name))


def know_sources():
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
