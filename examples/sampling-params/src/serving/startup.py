"""Bringing up the engine's ranks, one per GPU."""

from __future__ import annotations

import logging
import threading

logger = logging.getLogger(__name__)


class Ranks:
    """Counts the ranks that have reported, in whatever order they come up."""

    def __init__(self, world_size: int) -> None:
        self.world_size = world_size
        self._up: set[int] = set()
        self._lock = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether every rank has reported."""
        return len(self._up) == self.world_size

    def report(self, rank: int) -> None:
        """Take note that ``rank`` is up."""
        if not 0 <= rank < self.world_size:
            raise ValueError(f"rank {rank} is outside a world of {self.world_size}")
        with self._lock:
            self._up.add(rank)
            if self.ready:
                logger.info("all %d ranks are ready", self.world_size)
