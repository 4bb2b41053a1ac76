"""What a cold run teaches of the modules that a warm interpreter may hold (`learn` in the plan)."""

import os
import sys

from _counterproof_surroundings import OWN, USUAL, Origins, Surroundings, kind_of, top_of

_NEVER = OWN.union(
    "__main__ _counterproof_blame _counterproof_places _counterproof_recorder counterproof_pytest".split(),
    "sitecustomize usercustomize _socket gc".split(),
)

_at_start = None
_changed = set()
_moved = False
#: Names of what was loaded when it was last looked at.
_loaded = set()
#: What was loaded later than the collection, by the test in which it was; empty: after all of them.
_late = {}


def begin():
    """At the import of our plugin, before anything of the project runs."""
    global _at_start
    _at_start = dict(os.environ), os.getcwd(), Surroundings()


def note_environment():
    """Which variables the project has set, changed or taken away since `begin`, and the folder."""
    global _moved
    now, then = dict(os.environ), _at_start[0]
    _moved = _moved or os.getcwd() != _at_start[1]
    _changed.update(name for name in {*now, *then} - USUAL if now.get(name) != then.get(name))
    _at_start[2].look()


def note_loaded(test):
    """What was loaded since the last call, by `test`; None: by the collection."""
    # Never by how many there are: tests throw modules out as well.
    now = list(sys.modules)
    if _loaded.issuperset(now):
        return
    fresh = [name for name in now if name not in _loaded]
    _loaded.update(fresh)
    if test is not None:
        _late.setdefault(test, []).extend(name for name in fresh if isinstance(name, str))


def learn(config, tree):
    """What this run held, at its very end: some plugins import most at their last breath."""
    note_environment()
    note_loaded("")
    modules = [(name, module) for name, module in list(sys.modules.items()) if isinstance(name, str)]
    origins = Origins(tree)
    learned = {}
    for name, module in modules:
        kind = _learnable(name, module, origins, learned)
        if kind is not None:
            learned[name] = kind
    return {
        "modules": [[name, *kind] for name, kind in learned.items() if kind != (None, None)],
        "known": [name for name, _ in modules if name not in OWN],
        "late": [[test, names] for test, names in _late.items()],
        "program": sys.argv[0] if sys.argv else "",
        "changed": sorted(_changed),
        "altered": sorted(_at_start[2].altered),
        "against": list(_against(config)),
    }


def nothing(why):
    """In the place of what `learn` was to find."""
    found = dict.fromkeys(("modules", "known", "late", "changed", "altered"), ())
    return {**found, "program": "", "against": ["what the baseline loaded cannot be listed: %s" % why]}


def _learnable(name, module, origins, learned):
    """(origin, loader); (None, None) for a namespace package; None for what is not to be imported."""
    spec = getattr(module, "__spec__", None)
    parent = name.rpartition(".")[0]
    if name in _NEVER or spec is None or spec.name != name or (parent and parent not in learned):
        return None
    if spec.loader is None or spec.origin is None:
        portions = list(getattr(module, "__path__", None) or ())
        return (None, None) if portions and all(map(origins.is_library, portions)) else None
    if spec.origin in ("built-in", "frozen") or origins.is_library(spec.origin):
        return spec.origin, kind_of(spec.loader)
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
            yield "%s replaces parts of the standard library, and has to come first" % top_of(name)
    if _moved:
        yield "the project changes its working folder"


def _monitored():
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and any(monitoring.get_tool(tool) for tool in range(6))
