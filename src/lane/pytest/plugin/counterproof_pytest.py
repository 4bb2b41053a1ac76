"""Streams what pytest collects and what every test does, as JSON lines. PYTEST_DONT_REWRITE

Loaded through ``PYTEST_PLUGINS``, so that the user's own command stays as it is. Speaks for
the outermost session alone: sessions that tests start themselves (pytester) stay unobserved.
Ids go out relative to the project's root, wherever pytest's rootdir is.
"""

import contextlib
import glob
import json
import os
import platform
import sys
from types import FunctionType

import pytest

import _counterproof_recorder as recorder
from _counterproof_blame import blame
from _counterproof_places import Places, broken_text, crash_of, first_line, say, say_context, where

_active = None
_serial = 0
_CHUNK = 500
#: With the source of each frame; what a test fails with is the same in all of them.
_LONG_TRACEBACKS = ("auto", "long", "short")


def _note(event, **fields):
    if recorder.emit is not None:
        recorder.emit(event, **fields)


def _plan():
    with open(os.path.join(os.environ["COUNTERPROOF_DIR"], "session.json"), encoding="utf-8") as file:
        return json.load(file)


#: In a child of a warm interpreter: what it altered that the baseline did not, and the modules
#: that it asked for since it was last asked.
_altered = _asked = None
if recorder.is_server():
    import _counterproof_warm

    _altered, _asked = _counterproof_warm.serve(os.environ["COUNTERPROOF_DIR"])
    del _counterproof_warm

recorder.start()
_learning = None
if recorder.SESSION not in os.environ:
    _note("plugin", pytest=pytest.__version__, python=platform.python_version())
    if recorder.emit is not None and _plan().get("learn"):
        import _counterproof_learn as _learning

        _learning.begin()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests():
    outcome = yield
    error = outcome.excinfo[1] if outcome.excinfo else None
    if error is not None and recorder.SESSION not in os.environ and _active is None:
        _note("config-error", **Places(_plan()["root"]).breakage(error, None))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    global _active, _serial
    worker = getattr(config, "workerinput", None)
    if recorder.emit is None or _active is not None:
        return
    if worker is None:
        if recorder.SESSION in os.environ:
            return
        _serial += 1
        name = "%s.%d" % (recorder.emit.who(), _serial)
        os.environ[recorder.SESSION] = name
    else:
        name = worker.get("counterproof")
        if name is None:
            return
    _active = _Session(config, _plan(), name, worker and worker["workerid"])
    config.pluginmanager.register(_active, "counterproof-session")
    _active.configure()


class _Session:
    def __init__(self, config, plan, name, worker):
        self.config = config
        self.name = name
        self.worker = worker
        self.places = Places(plan["root"], str(config.rootpath))
        self.keep = None if plan["keep"] is None else frozenset(plan["keep"])
        self.keep_files = self.keep_nodes = None
        if self.keep is not None:
            self.keep_files = {id.partition("::")[0] for id in self.keep}
            self.keep_nodes = {node for id in self.keep for node in _nodes_of(id)}
        self.without = frozenset(plan["without"])
        self.probes = frozenset(os.path.realpath(path) for path in plan["probes"])
        self.named_files = frozenset()
        self.seeds = plan["seeds"]
        #: How many failing tests are still shown with a traceback.
        self.tracebacks = plan["tracebacks"]
        #: The tree, where this run is to say what a warm interpreter may hold; otherwise None.
        self.learn = plan.get("learn") if worker is None and _learning is not None else None
        self.spent = {}

    def note(self, event, **fields):
        _note(event, session=self.name, worker=self.worker, **fields)

    # -- configuration ---------------------------------------------------------------------

    def configure(self):
        notes = []
        self._run_everything(notes)
        seeds = self._fix_seeds()
        self._add_probes()
        option = self.config.option
        self.note(
            "configure",
            rootdir=self.places.rootdir,
            prefix=self.places.prefix(),
            inifile=self.config.inipath and str(self.config.inipath),
            args=[str(arg) for arg in self.config.args],
            markexpr=getattr(option, "markexpr", "") or "",
            keyword=getattr(option, "keyword", "") or "",
            projectMarkexpr=_mark_expression(self.config.getini("addopts")),
            plugins=sorted(
                "%s %s" % (dist.project_name, dist.version)
                for _, dist in self.config.pluginmanager.list_plugin_distinfo()
            ),
            xdist=bool(getattr(option, "tx", None)) or getattr(option, "numprocesses", None) not in (None, 0),
            pycachePrefix=sys.pycache_prefix,
            executable=sys.executable,
            seeds=seeds,
            notes=notes,
            bodiless=next(
                (
                    flag
                    for flag, name in (
                        ("--collect-only", "collectonly"),
                        ("--setup-only", "setuponly"),
                        ("--setup-plan", "setupplan"),
                    )
                    if getattr(option, name, False)
                ),
                None,
            ),
        )

    def _run_everything(self, notes):
        """Takes back the options that end a session early: a step needs every outcome."""
        option = self.config.option
        for name, off, flag in (
            ("stepwise", False, "--stepwise"),
            ("stepwise_skip", False, "--stepwise-skip"),
            ("usepdb", False, "--pdb"),
            ("trace", False, "--trace"),
        ):
            if getattr(option, name, off) not in (off, None):
                setattr(option, name, off)
                notes.append("%s was switched off: every test has to run" % flag)
        option.maxfail = 0
        option.continue_on_collection_errors = True

    def _fix_seeds(self):
        """Set here rather than on the command line, where an unknown option ends pytest."""
        option = self.config.option
        seeds = {}
        if hasattr(option, "hypothesis_seed"):
            if option.hypothesis_seed is None:
                option.hypothesis_seed = self.seeds["hypothesis"]
            seeds["hypothesis"] = str(option.hypothesis_seed)
        if hasattr(option, "randomly_seed"):
            if option.randomly_seed in ("default", "last"):
                option.randomly_seed = int(self.seeds["randomly"])
            seeds["pytest-randomly"] = str(option.randomly_seed)
        if hasattr(option, "random_order_seed"):
            given = list(self.config.invocation_params.args) + list(self.config.getini("addopts"))
            given += os.environ.get("PYTEST_ADDOPTS", "").split()
            if not any(str(arg).startswith("--random-order-seed") for arg in given):
                option.random_order_seed = self.seeds["random-order"]
            seeds["pytest-random-order"] = str(option.random_order_seed)
        return seeds

    def _add_probes(self):
        args = [str(arg) for arg in self.config.args]
        if any("::" in arg for arg in args):
            # pytest calls it an error when a test that its command line names is not there.
            self.keep_nodes = None
        base = str(self.config.invocation_params.dir)
        files = {os.path.realpath(os.path.join(base, arg.partition("::")[0])) for arg in args}
        folders = tuple(os.path.join(path, "") for path in files if os.path.isdir(path))
        for probe in sorted(self.probes - files):
            # In the list that testpaths or the working directory filled: both stay in force.
            # Beside a folder that covers it, pytest 8 collects the file alone, and pytest 9
            # the folder alone.
            if not probe.startswith(folders):
                self.config.args.append(probe)
        for probe in sorted(self.probes):
            # So that a folder collects a file of any name.
            self.config.getini("python_files").append(glob.escape(probe))
        self.named_files = frozenset(path for path in files if os.path.isfile(path))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["counterproof"] = self.name

    # -- collection ------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path):
        if self.keep_files is None or collection_path.name == "__init__.py":
            return None
        if not collection_path.is_file():
            return None
        path = str(collection_path)
        real = os.path.realpath(path)
        if real in self.named_files or real in self.probes:
            # pytest calls it an error when a file that its command line names is ignored.
            return None
        root = self.places.root
        for form in (path, real):
            if os.path.relpath(form, root).replace(os.sep, "/") in self.keep_files:
                return None
        return True

    @pytest.hookimpl
    def pytest_pycollect_makeitem(self, collector, name, obj):
        """Makes nothing of functions and classes without a test to be run: a parametrized one costs much."""
        if self.keep_nodes is None:
            return None
        if isinstance(obj, FunctionType):
            is_test = collector.funcnamefilter(name)
        else:
            is_test = isinstance(obj, type) and collector.classnamefilter(name)
        return [] if is_test and self.places.id(collector.nodeid) + "::" + name not in self.keep_nodes else None

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector):
        outcome = yield
        if outcome.excinfo:
            error = outcome.excinfo[1]
        else:
            report = outcome.get_result()
            call = getattr(report, "call", None)
            if report.outcome != "failed" or call is None or call.excinfo is None:
                return
            error = call.excinfo.value
        self.note(
            "collect-error",
            collector=self.places.id(collector.nodeid),
            **self.places.breakage(error, collector),
        )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items):
        collected = self._without_doubled_probes(items)
        outcome = yield
        if outcome.excinfo:
            return
        left = {id(item) for item in items}
        items.extend(item for item in collected if id(item) not in left and self._is_probe(item))
        left = {id(item) for item in items}
        ids = [self.places.id(item.nodeid) for item in collected]
        out = [name for name, item in zip(ids, collected) if id(item) not in left]
        if self.keep is not None or self.without:
            dropped = [item for item in items if not self._wanted(item)]
            items[:] = [item for item in items if self._wanted(item)]
            if dropped:
                self.config.hook.pytest_deselected(items=dropped)
        self._note_ids("collected", ids)
        self._note_ids("deselected", out)
        self._note_ids("selected", [self.places.id(item.nodeid) for item in items])
        if self.learn:
            _learning.note_environment()
        self._note_imports(None)
        if _altered is not None:
            _altered()
        self.note("collection-finish")

    def _note_imports(self, test):
        """What was imported since the last call, up to the end of `test` or of the collection."""
        if self.learn:
            _learning.note_loaded(test)
        asked = _asked() if _asked is not None else []
        if asked:
            self.note("asked", test=test, names=asked)

    def _note_ids(self, event, ids):
        for start in range(0, len(ids), _CHUNK):
            self.note(event, ids=ids[start : start + _CHUNK])

    def _wanted(self, item):
        name = self.places.id(item.nodeid)
        return (self.keep is None or name in self.keep) and name not in self.without

    def _is_probe(self, item):
        return bool(self.probes) and os.path.realpath(str(item.path)) in self.probes

    def _without_doubled_probes(self, items):
        """A probe that a folder of the lane covers as well is collected twice by older pytest."""
        seen = set()
        once = []
        for item in items:
            if self._is_probe(item):
                if item.nodeid in seen:
                    continue
                seen.add(item.nodeid)
            once.append(item)
        items[:] = once
        return once

    # -- tests -----------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        name = self.places.id(item.nodeid)
        recorder.current_test = name
        os.environ[recorder.TEST] = name.replace("\x00", "(null)")
        yield
        self._note_imports(name)
        recorder.current_test = None
        os.environ.pop(recorder.TEST, None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid):
        if self.worker is None:
            self.spent[nodeid] = 0.0
            self.note("start", id=self.places.id(nodeid))

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_makereport(self, call):
        option = self.config.option
        style = option.tbstyle
        if call.excinfo is not None and style in _LONG_TRACEBACKS and self._is_brief():
            option.tbstyle = "line"
        outcome = yield
        option.tbstyle = style
        if outcome.excinfo or call.excinfo is None:
            return
        report = outcome.get_result()
        error = call.excinfo.value
        crash = None
        if report.outcome == "failed":
            file, line = where(error, self.places)
            crash = None if file is None else "%s:%d" % (file, line)
        # Travels from an xdist worker to its controller with the report.
        report.counterproof = {
            "broken": broken_text(blame(error), self.places),
            "at": crash,
            "message": first_line(call.excinfo.exconly(tryshort=True)),
        }

    def _is_brief(self):
        """Whether this failure is shown in a line: a traceback is most of what a failing test costs.

        Not where a conftest makes or reads reports, which may look at the text.
        """
        self.tracebacks -= 1
        if self.tracebacks >= 0:
            return False
        hook = self.config.hook
        readers = hook.pytest_runtest_makereport.get_hookimpls() + hook.pytest_runtest_logreport.get_hookimpls()
        return not any(reader.plugin_name.endswith("conftest.py") for reader in readers)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report):
        # After all others had their say: a conftest that takes a failure back here makes the
        # session green, so that nobody would notice it.
        yield
        if self.worker is None:
            self._note_report(report)

    def _note_report(self, report):
        name = self.places.id(report.nodeid)
        context = getattr(report, "context", None)
        if context is None:
            # A subtest's time is part of its test's.
            spent = self.spent.get(report.nodeid, 0.0) + getattr(report, "duration", 0.0)
            self.spent[report.nodeid] = spent
        if report.outcome == "passed" and report.when != "call":
            if report.when == "teardown":
                self.note("end", id=name, spent=self.spent.pop(report.nodeid))
            return
        extra = getattr(report, "counterproof", None) or {}
        at, message = crash_of(report, self.places)
        self.note(
            "report",
            id=name,
            when=report.when,
            outcome=report.outcome,
            spent=self.spent.get(report.nodeid, 0.0),
            wasxfail=getattr(report, "wasxfail", None),
            subtest=None if context is None else say_context(context),
            at=at or extra.get("at"),
            message=message or extra.get("message"),
            broken=extra.get("broken"),
        )

    # -- endings ---------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excinfo):
        self.note("internal-error", **self.places.breakage(excinfo.value, None))

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo):
        self.note("interrupt", reason=first_line(say(excinfo.value)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session, exitstatus):
        self.note(
            "finish",
            exit=int(exitstatus),
            reason=str(getattr(session, "shouldstop", "") or getattr(session, "shouldfail", "") or ""),
            modules=recorder.modules_from(),
        )

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self):
        global _active
        if self.learn:
            self._write_what_was_learned()
        altered = _altered() if _altered is not None else []
        if altered:
            self.note("altered", what=altered[:_CHUNK])
        self.note("unconfigure")
        _active = None
        if self.worker is None:
            os.environ.pop(recorder.SESSION, None)

    def _write_what_was_learned(self):
        # Without it every step is cold: nothing here may cost the run its results.
        try:
            text = json.dumps(_learning.learn(self.config, self.learn))
        except Exception as error:
            text = json.dumps(_learning.nothing(first_line(say(error))))
        with contextlib.suppress(Exception):
            with open(os.path.join(os.environ["COUNTERPROOF_DIR"], "learned.json"), "w", encoding="utf-8") as file:
                file.write(text)


def _nodes_of(id):
    """A test's function, and the classes around it: `a.py::C::test_x[1]` is in `a.py::C` and `a.py::C::test_x`."""
    node, _, rest = id.partition("::")
    for name in rest.partition("[")[0].split("::"):
        node += "::" + name
        yield node


def _mark_expression(words):
    """The last ``-m`` in a list of options, or None."""
    found = None
    words = [str(word) for word in words]
    for word, following in zip(words, [*words[1:], ""]):
        if word == "-m":
            found = following
        elif word.startswith("-m") and not word.startswith("--"):
            found = word[2:]
    return found
