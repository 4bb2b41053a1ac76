"""The loop between the engine's chunks and the client."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Chunk:
    """A piece of one choice's output."""

    request_id: str
    text: str
    finished: bool = False


class Aborter(Protocol):
    """The part of the engine that this loop needs."""

    def abort(self, request_id: str) -> None: ...


def stream_text(engine: Aborter, chunks: Iterable[Chunk]) -> Iterator[str]:
    """Yield each text as it comes; a client that leaves early aborts what still runs."""
    request_ids: set[str] = set()
    try:
        for chunk in chunks:
            request_ids.add(chunk.request_id)
            if chunk.finished:
                request_ids.discard(chunk.request_id)
            if chunk.text:
                yield chunk.text
    finally:
        for request_id in sorted(request_ids):
            engine.abort(request_id)
