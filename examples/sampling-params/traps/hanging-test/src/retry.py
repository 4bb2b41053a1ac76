"""Trying again."""

from __future__ import annotations

from typing import Callable, Optional


def first_success(attempt: Callable[[], bool], limit: int) -> Optional[int]:
    """Return the number of tries that it took, or None where ``limit`` tries failed."""
    tries = 0
    while tries < limit:
        tries += 1
        if attempt():
            return tries
    return None
