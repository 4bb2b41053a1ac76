"""The engine's control routes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Callable

Body = Mapping[str, str]
Post = Callable[[str, Body], Body]


class EngineClient:
    """Pauses and resumes generation around a weight update."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self.paused = False

    def pause(self, mode: str = "abort") -> Body:
        """Stop generating; ``abort`` ends running requests, ``retract`` requeues them."""
        self.paused = True
        return self._post("/pause_generation", {"mode": mode})

    def resume(self) -> Body:
        """Take up generating again."""
        self.paused = False
        return self._post("/continue_generation", {})
