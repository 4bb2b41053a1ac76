"""Which file under proof an exception goes back to, if it does not compile or import.

Apart from the recorder, which every process of a lane loads: only a session of pytest and what
it starts ask this.
"""

import _counterproof_recorder as recorder


def blame(error):
    """Why an exception is no evidence, or None: a target that does not compile or import.

    Follows causes and contexts, since frameworks wrap what an import raised.
    """
    for _ in range(16):
        if error is None:
            return None
        found = _blame_one(error)
        if found is not None:
            return found
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return None


def _blame_one(error):
    if isinstance(error, SyntaxError):
        target = recorder.target_at(error.filename)
        if target is None:
            return None
        return {
            "target": target.index,
            "line": error.lineno,
            "what": "%s: %s" % (type(error).__name__, error.msg),
        }
    if not isinstance(error, ImportError):
        return _stopped_import(error)
    line = None
    target = recorder.target_at(error.path)
    if target is None:
        names = _names_in(error)
        target = next((t for t in recorder.targets if names & {*t.names, *t.weak_names}), None)
    if target is None:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is not None and trace.tb_frame.f_code.co_name == "<module>":
            target = recorder.target_at(trace.tb_frame.f_code.co_filename)
            line = trace.tb_lineno
    if target is None:
        return None
    return {
        "target": target.index,
        "line": line,
        "what": "%s: %s" % (type(error).__name__, error),
    }


def _stopped_import(error):
    """A target whose module code this exception left, so that its import never came to an end.

    Only under the import machinery: what a script run by `runpy` raises is its behaviour. And
    only while no module of that file is there: a failed `reload` leaves the one before in place.
    """
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        code = frame.f_code
        target = recorder.target_at(code.co_filename) if code.co_name == "<module>" else None
        # The frames of the machinery are cut out of the traceback, but they called all the same.
        caller = None if target is None else frame.f_back
        if caller is not None and caller.f_code.co_filename.endswith(recorder.IMPORT_MACHINERY):
            if not recorder.is_held(target):
                return {"target": target.index, "line": trace.tb_lineno, "what": _say(error)}
        trace = trace.tb_next
    return None


def _say(error):
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    return "%s: %s" % (name, text) if text else name


def _names_in(error):
    name = getattr(error, "name", None)
    if not isinstance(name, str):
        return set()
    part = getattr(error, "name_from", None)
    if not isinstance(part, str):
        # Before 3.12 the imported name is in the text alone.
        before, _, rest = str(error).partition("cannot import name '")
        part = rest.partition("'")[0] if rest and not before else ""
    return {name, name + "." + part} if part else {name}
