"""Tokenizer workers, taken in turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle


class TokenizerPool:
    """Hands out workers round-robin."""

    def __init__(self, workers: Sequence[str]) -> None:
        if not workers:
            raise ValueError("a pool needs at least one worker")
        self._turns = cycle(workers)

    def take(self) -> str:
        """Return the worker whose turn it is."""
        return next(self._turns)
