"""Places, and what is said of an error: as they go out, relative to the project's root."""

import os

import pytest

import _counterproof_recorder as recorder
from _counterproof_blame import blame

_LINE = 500


class Places:
    """Paths and ids relative to the project's root."""

    def __init__(self, root, rootdir=None):
        self.root = os.path.realpath(root)
        self.rootdir = os.path.realpath(rootdir or root)
        self._files = {}

    def id(self, nodeid):
        file, colons, rest = nodeid.partition("::")
        if file not in self._files:
            there = os.path.normpath(os.path.join(self.rootdir, file))
            self._files[file] = os.path.relpath(there, self.root).replace(os.sep, "/")
        return self._files[file] + colons + rest

    def prefix(self):
        below = os.path.relpath(self.rootdir, self.root).replace(os.sep, "/")
        return "" if below == "." or below.startswith("..") else below + "/"

    def inside(self, path):
        """`path` relative to the root, or None where it lies outside."""
        path = os.path.join(self.rootdir, path)
        for form in (os.path.normpath(path), os.path.realpath(path)):
            relative = os.path.relpath(form, self.root)
            if relative.split(os.sep)[0] != "..":
                return relative.replace(os.sep, "/")
        return None

    def at(self, path, line):
        return "%s:%d" % (self.inside(path) or path, line)

    def breakage(self, error, collector):
        """The file at fault, its line and the first line of the message."""
        cause = _unwrap(error)
        file, line = where(cause, self)
        if file is None and collector is not None:
            file = self.inside(str(collector.path))
        found = blame(cause)
        return {
            "file": file,
            "line": line,
            "type": type(cause).__name__,
            "message": _summary(say(cause)),
            "usage": isinstance(cause, pytest.UsageError),
            "broken": broken_text(found, self),
        }


def _unwrap(error):
    """The exception that pytest's own collection errors wrap."""
    for _ in range(4):
        name = type(error).__name__
        if name not in ("ConftestImportFailure", "CollectError") or error.__cause__ is None:
            break
        error = error.__cause__
    return error


def where(error, places):
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        return places.inside(error.filename) or error.filename, error.lineno
    found = None, None
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if os.path.isabs(path) and "site-packages" not in path:
            inside = places.inside(path)
            if inside is not None:
                found = inside, trace.tb_lineno
        trace = trace.tb_next
    return found


def say(error):
    if isinstance(error, SyntaxError):
        return "%s: %s" % (type(error).__name__, error.msg)
    text = str(error)
    name = type(error).__name__
    if isinstance(error, pytest.UsageError):
        return text
    return "%s: %s" % (name, text) if text else name


def first_line(text):
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    return lines[0][:_LINE] if lines else ""


def _summary(text):
    """The first line; where it only leads over to a traceback, what that ends with."""
    first = first_line(text)
    if not first.endswith(":"):
        return first
    last = [line.strip() for line in str(text).splitlines() if line.strip()][-1][:_LINE]
    return first if last == first else "%s (%s)" % (last, first[:-1])


def broken_text(found, places):
    if found is None:
        return None
    path = recorder.targets[found["target"]].path
    where = places.inside(path) or path
    if found["line"] is not None:
        where += ":%d" % found["line"]
    return "%s: %s" % (where, first_line(found["what"]))


def say_context(context):
    words = [] if getattr(context, "msg", None) is None else ["[%s]" % context.msg]
    kwargs = getattr(context, "kwargs", None) or {}
    if kwargs:
        words.append("(%s)" % ", ".join("%s=%r" % pair for pair in kwargs.items()))
    return first_line(" ".join(words) or "<subtest>")


def crash_of(report, places):
    longrepr = report.longrepr
    if longrepr is None:
        return None, None
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        path, line, reason = longrepr
        return (places.at(str(path), line) if line else None), first_line(reason)
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        return places.at(str(crash.path), crash.lineno), first_line(crash.message)
    return None, first_line(longrepr)
