"""Notes which of the modules that are held ahead a step asks for, by an import.

What a warm interpreter holds works even where the import of it never ran: a step tells what it
asked for, and who compares can see that something was left out.

Each import of a loaded module reads `_initializing` of its spec. Those of held modules are of a
class that notes this, and gives them their own class back: only the first ask costs anything.
"""

import sys

import _frozen_importlib as machinery

_PLAIN = machinery.ModuleSpec
_CLASS = object.__dict__["__class__"]

#: Specs by the names of the modules.
_held = {}
_packages = set()
_asked = []
#: Whether this process is a step: what the server itself asks for tells nothing.
_is_step = False


class _Held(_PLAIN):
    """Looks like any other, but for its type."""

    __slots__ = ()
    __class__ = property(lambda self: _PLAIN, _CLASS.__set__)

    @property
    def _initializing(self):
        _note(self)
        return self.__dict__.get("_initializing", False)

    @_initializing.setter
    def _initializing(self, value):
        self.__dict__["_initializing"] = value

    def __reduce_ex__(self, protocol):
        _CLASS.__set__(self, _PLAIN)
        try:
            return self.__reduce_ex__(protocol)
        finally:
            _CLASS.__set__(self, _Held)


_Held.__name__ = _Held.__qualname__ = _PLAIN.__name__
_Held.__module__ = _PLAIN.__module__

#: Frames of a file of this name are cut out of tracebacks.
_WRAPPERS = compile(
    """
def _handle_fromlist(module, fromlist, import_, *, recursive=False):
    package = getattr(module, "__name__", None)
    if type(package) is str and package in packages:
        note_parts(module, package, fromlist)
    return handle_fromlist(module, fromlist, import_, recursive=recursive)

def _lock_unlock_module(name):
    note_name(name)
    return lock_unlock_module(name)
""",
    "<frozen importlib._bootstrap>",
    "exec",
)


def hold(names):
    """In a server: the modules that no cold interpreter has loaded by now."""
    for name in names:
        module = sys.modules.get(name)
        spec = getattr(module, "__dict__", {}).get("__spec__")
        if type(spec) is _PLAIN:
            _held[name] = spec
            _packages.add(name.rpartition(".")[0])
            _CLASS.__set__(spec, _Held)


def begin():
    """In a child, as its step begins."""
    global _is_step
    _is_step = True
    wrappers = {
        "packages": _packages,
        "note_parts": _note_parts,
        "note_name": _note_name,
        "handle_fromlist": machinery._handle_fromlist,
        "lock_unlock_module": machinery._lock_unlock_module,
    }
    exec(_WRAPPERS, wrappers)
    # `from package import part` asks for the package alone where it has the part already.
    machinery._handle_fromlist = wrappers["_handle_fromlist"]
    if sys.version_info < (3, 11):
        # `import_module` does not look at the spec.
        machinery._lock_unlock_module = wrappers["_lock_unlock_module"]


def take():
    """Names of what was asked for since the last call, and never before."""
    taken = _asked[:]
    del _asked[: len(taken)]
    return sorted(set(taken))


def _note(spec):
    if _is_step and type(spec) is _Held:
        _CLASS.__set__(spec, _PLAIN)
        _asked.append(spec.name)


def _note_name(name):
    spec = _held.get(name)
    if spec is not None:
        _note(spec)


def _note_parts(module, package, parts):
    space = getattr(module, "__dict__", {})
    # Of anything else it is not known whether it can be walked through twice.
    for part in parts if type(parts) in (tuple, list) else ():
        name = "%s.%s" % (package, part)
        spec = _held.get(name)
        # Of that name there may be something else in the package.
        if spec is not None and space.get(part) is sys.modules.get(name):
            _note(spec)
