"""Stop strings, which the engine's output may still contain."""

from __future__ import annotations

from collections.abc import Iterable


def strip_stop_text(text: str, stops: Iterable[str]) -> str:
    """Return what comes before the earliest stop string, in whatever order they are given."""
    cut = len(text)
    for stop in filter(None, stops):
        at = text.find(stop)
        if at != -1:
            cut = min(cut, at)
    return text[:cut]
