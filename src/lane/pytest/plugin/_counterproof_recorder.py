"""Writes down which bytes of the files under proof a Python process compiled and executed.

Used by the pytest plugin, and by ``sitecustomize`` in every child process that inherits the
lane's environment. It imports as little as it can: ``json``, ``hashlib`` and ``re`` would add
up to 10 ms to every child, and would hide a missing import in the code under test.

``COUNTERPROOF_DIR`` names a private folder that holds

``targets``       a line for each file under proof: sha256 or ``-``, then the real path, the
                  dotted names and the tree's real path, each as hexadecimal UTF-8
``events.jsonl``  the stream, created before the lane starts
``serve.json``    in no step: this interpreter is to become a warm server

A file was *executed from bytes that we saw* when the last thing this thread did with it before
``exec`` of its module code was to compile it; opening its ``.pyc`` in between takes that back.
A mere ``compile()``, ``ast.parse()`` or ``py_compile`` never comes to ``exec``.
"""

import itertools
import os
import sys
from _thread import get_ident

try:
    from _sha2 import sha256
except ImportError:
    try:
        from _sha256 import sha256
    except ImportError:
        from hashlib import sha256

try:
    from _json import encode_basestring_ascii as _quote
except ImportError:
    from json.encoder import encode_basestring_ascii as _quote

#: Id of the running test in this process, root-relative; set by the plugin.
current_test = None

#: Set in the environment of everything that a recorded session starts.
SESSION = "COUNTERPROOF_SESSION"
TEST = "COUNTERPROOF_TEST"

#: Files whose ``exec`` is a real import or run, rather than a test playing with code objects.
IMPORT_MACHINERY = (
    "<frozen importlib._bootstrap>",
    "<frozen importlib._bootstrap_external>",
    os.sep + os.path.join("importlib", "_bootstrap.py"),
    os.sep + os.path.join("_pytest", "assertion", "rewrite.py"),
)
_MACHINERY = (*IMPORT_MACHINERY, "<frozen runpy>", os.sep + "runpy.py")


class Target:
    """A file under proof, and the module names under which it is imported."""

    __slots__ = ("index", "path", "sha256", "names", "weak_names", "tree", "stem")

    def __init__(self, index, sha, path, names, weak_names, tree):
        self.index = index
        self.path = path
        self.sha256 = sha
        #: Dotted names that can only be this file (its folders have ``__init__.py``).
        self.names = names
        #: Names that fit the path, but another file may bear by right.
        self.weak_names = weak_names
        #: The tree's real path.
        self.tree = tree
        name = os.path.basename(path)
        self.stem = (name[:-3] if name.endswith(".py") else name) + "."


#: Filled by `start`.
targets = ()
emit = None
_started = False

#: How the path of a file under proof ends, and where a symlink to it may lie.
_tails = ()
_trees = ()


def _may_be_a_target(filename):
    """Resolving every path would cost each process 10 ms; a symlink may have any name."""
    return filename.endswith(_tails) or (
        filename.startswith(_trees) and "site-packages" not in filename
    )


def _text(word):
    return os.fsdecode(bytes.fromhex(word))


def _texts(words):
    return tuple(_text(word) for word in words.split(",") if word)


def read_targets(folder):
    found = []
    with open(os.path.join(folder, "targets"), encoding="ascii") as lines:
        for index, line in enumerate(lines):
            sha, path, names, weak, tree = line.rstrip("\n").split("\t")
            sha = None if sha == "-" else sha
            found.append(Target(index, sha, _text(path), _texts(names), _texts(weak), _text(tree)))
    return tuple(found)


def _encode(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (_quote(str(k)), _encode(v)) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(map(_encode, value))
    return _quote(str(value))


def _stream(folder, nonce):
    """The function that appends one event: one line, one write.

    Everything it needs is bound here, because tests replace `os` and its functions. The
    descriptor is checked before each write: a test may have closed it (`os.closerange`), and
    its number may belong to somebody else's file by now. Lines are numbered in each process,
    so that a stream that was cut or emptied shows it.
    """
    path = os.path.join(folder, "events.jsonl")
    open_, write, fstat, getpid, urandom = os.open, os.write, os.fstat, os.getpid, os.urandom
    environ = os.environ
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    head = '{"nonce":%s,"pid":' % _quote(nonce)
    state = {"fd": -1, "file": None, "pid": None, "who": "", "count": None}

    def emit_line(event, **fields):
        try:
            pid = getpid()
            if pid != state["pid"]:
                state.update(pid=pid, who=urandom(6).hex(), count=itertools.count(1))
            session = environ.get(SESSION)
            line = '%s%d,"who":"%s","n":%d,"in":%s,"event":"%s"%s}\n' % (
                head,
                pid,
                state["who"],
                next(state["count"]),
                "null" if session is None else _quote(session),
                event,
                "".join(",%s:%s" % (_quote(k), _encode(v)) for k, v in fields.items()),
            )
            data = line.encode("ascii")
            try:
                there = fstat(state["fd"])
                same = (there.st_dev, there.st_ino) == state["file"]
            except OSError:
                same = False
            if not same:
                state["fd"] = open_(path, flags)
                there = fstat(state["fd"])
                state["file"] = (there.st_dev, there.st_ino)
            write(state["fd"], data)
        except OSError:
            pass

    def who():
        if getpid() != state["pid"]:
            state.update(pid=getpid(), who=urandom(6).hex(), count=itertools.count(1))
        return state["who"]

    emit_line.who = who
    return emit_line


def is_server():
    """Whether this process is to wait, and to fork for each step, before it is a step itself."""
    folder = os.environ.get("COUNTERPROOF_DIR")
    return bool(folder) and os.path.exists(os.path.join(folder, "serve.json"))


def start():
    """Installs the recorder once, where the environment asks for it; otherwise does nothing."""
    global emit, targets, _tails, _trees, _started
    folder = os.environ.get("COUNTERPROOF_DIR")
    nonce = os.environ.get("COUNTERPROOF_RUN")
    if _started or not folder or not nonce:
        return
    if is_server():
        import _counterproof_surroundings

        _counterproof_surroundings.watch()
        return
    _started = True
    emit = _stream(folder, nonce)
    targets = read_targets(folder)
    _tails = tuple({os.path.basename(target.path) for target in targets})
    _trees = tuple({os.path.join(target.tree, "") for target in targets})
    if targets:
        sys.addaudithook(_watch(targets, emit))
        if SESSION in os.environ:
            _watch_a_child()


def _watch(files, report):
    may_be = _may_be_a_target
    stems = tuple({file.stem for file in files})
    by_path = {file.path: file for file in files}
    realpath, basename = os.path.realpath, os.path.basename
    frame_of = sys._getframe
    known = {}
    #: (thread, target, file name) -> ("compiled", sha256) or ("cached", path of the .pyc). By
    #: name, since a file and a symlink to it are compiled, and cached, each by itself.
    last = {}
    #: (thread, target) -> path of its .pyc that was opened last
    opened_last = {}
    #: thread -> path of any .pyc that was opened last: a symlink's has the symlink's name
    any_opened = {}
    told = set()

    def target_of(filename):
        try:
            return known[filename]
        except KeyError:
            target = by_path.get(realpath(filename))
            if os.path.isabs(filename):
                known[filename] = target
            return target

    def compiled(source, filename):
        target = target_of(filename)
        if target is None:
            return
        if source is None:
            # `python FILE` is parsed from the open file: no bytes are handed over.
            try:
                with open(filename, "rb") as file:
                    source = file.read()
            except OSError:
                return
        if isinstance(source, str):
            source = source.encode("utf-8", "surrogatepass")
        if not isinstance(source, (bytes, bytearray)):
            return
        sha = sha256(source).hexdigest()
        if sha != target.sha256 and _is_decoded(source, target):
            sha = target.sha256
        last[get_ident(), target.index, filename] = ("compiled", sha)

    def opened(path):
        for file in files:
            if basename(path).startswith(file.stem):
                here = get_ident(), file.index
                opened_last[here] = path
                for key in list(last):
                    if key[:2] == here and basename(key[2]).startswith(file.stem):
                        last[key] = ("cached", path)

    def pyc_of(filename, here):
        path = any_opened.get(here[0], "")
        name = basename(filename)
        stem = (name[:-3] if name.endswith(".py") else name) + "."
        return path if basename(path).startswith(stem) else opened_last.get(here)

    def executed(code):
        try:
            caller = frame_of(2)
            by_machinery = caller.f_code.co_filename.endswith(_MACHINERY)
        except ValueError:
            caller, by_machinery = None, True
        name = _module_name(caller) if by_machinery else None
        target = target_of(code.co_filename)
        if target is None:
            for file in files:
                if name is not None and name in file.names:
                    tell("elsewhere", file.index, name=name, file=realpath(code.co_filename))
            return
        here = get_ident(), target.index
        how, what = last.get((*here, code.co_filename), ("cached", pyc_of(code.co_filename, here)))
        tell(
            "load",
            target.index,
            how=how,
            sha=what if how == "compiled" else None,
            pyc=what if how == "cached" else None,
            via="exec" if not by_machinery else "main" if caller is None else "import",
            name=name,
        )

    def tell(event, index, **fields):
        key = (os.getpid(), event, index, tuple(fields.values()))
        if key not in told:
            told.add(key)
            report(event, target=index, **fields)

    def hook(event, args):
        # No `except` around everything: a signal handler of the code under test may raise here.
        if event == "compile":
            filename = args[1]
            if isinstance(filename, str) and may_be(filename):
                compiled(args[0], filename)
        elif event == "exec":
            code = args[0]
            if code.co_name == "<module>" and may_be(code.co_filename):
                executed(code)
        elif event == "open":
            path = args[0]
            if isinstance(path, str) and path.endswith(".pyc"):
                any_opened[get_ident()] = path
                if basename(path).startswith(stems):
                    opened(path)

    return hook


def _module_name(frame):
    """`__name__` of the namespace in which the machinery's frame is about to execute a module."""
    if frame is None:
        return "__main__"
    for value in list(frame.f_locals.values()):
        for part in value if isinstance(value, tuple) else (value,):
            part = getattr(part, "__dict__", part) if type(part) is type(sys) else part
            if isinstance(part, dict) and isinstance(part.get("__name__"), str):
                return part["__name__"]
    return None


def _is_decoded(source, target):
    """Whether a loader compiled the expected file as text: decoded, with line ends made equal."""
    try:
        with open(target.path, "rb") as file:
            raw = file.read()
        if sha256(raw).hexdigest() != target.sha256:
            return False
        from importlib.util import decode_source

        return decode_source(raw).encode("utf-8") == bytes(source)
    except (OSError, ValueError, SyntaxError, LookupError):
        return False


def modules_from():
    """For each target: whether `sys.modules` holds it, and which other files bear its names."""
    seen = []
    own = os.path.dirname(os.path.realpath(__file__))
    for target in targets:
        held = is_held(target)
        others = []
        for weak, names in ((False, target.names), (True, target.weak_names)):
            for name in names:
                file = _file_of(sys.modules.get(name))
                file = file and os.path.realpath(file)
                # This very file may be a copy of the one under proof.
                if file and file != target.path and os.path.dirname(file) != own:
                    others.append({"file": file, "name": name, "weak": weak})
        seen.append({"held": held, "others": others})
    return seen


def is_held(target):
    files = map(_file_of, list(sys.modules.values()))
    return any(target_at(file) is target for file in files)


def _file_of(module):
    try:
        file = getattr(module, "__file__", None)
    except Exception:
        return None
    return file if isinstance(file, str) else None


def target_at(filename):
    if not isinstance(filename, str) or not _may_be_a_target(filename):
        return None
    real = os.path.realpath(filename)
    return next((target for target in targets if target.path == real), None)


def _watch_a_child():
    """In a child of a recorded session: what it dies of, and what it had loaded at the end."""
    import atexit

    # Not where it is called: a program may have changed its path by then.
    from _counterproof_blame import blame

    previous = sys.excepthook

    def excepthook(kind, error, trace):
        try:
            found = blame(error)
            if found is not None:
                emit("broken", test=_test(), **found)
        finally:
            previous(kind, error, trace)

    def at_exit(pid=os.getpid()):
        seen = modules_from() if os.getpid() == pid else []
        if any(entry["others"] or entry["held"] for entry in seen):
            emit("modules", modules=seen)

    sys.excepthook = excepthook
    atexit.register(at_exit)


def _test():
    return current_test if current_test is not None else os.environ.get(TEST)


class Reached(BaseException):
    """Raised at the head of an edited function, to see whose test gets there.

    Not an `Exception`: most code that swallows failures swallows only those.
    """


_noted = set()


def reached():
    """Notes which test got here, then hands back the exception to raise."""
    test = _test()
    key = (os.getpid(), test)
    if emit is not None and key not in _noted:
        _noted.add(key)
        emit("reached", test=test)
    return Reached("the edited function was called")
