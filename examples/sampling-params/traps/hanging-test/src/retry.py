"""Trying again."""

from __future__ import annotations

from typing import Callable


def first_success(attempt: Callable[[], bool], limit: int) -> int | None:
    """Return the number of tries that it took, or None where ``limit`` tries failed."""
    tries = 0
    while tries < limit:
        tries += 1
        if attempt():
            return tries
    return None
