from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from serving.stream import Chunk, stream_text

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        pytest.param([], [], id="no-chunk"),
        pytest.param([Chunk("a", "hi", finished=True)], ["hi"], id="one-chunk"),
        pytest.param(
            [Chunk("a", "hi "), Chunk("a", "you", finished=True)],
            ["hi ", "you"],
            id="two-chunks",
        ),
        pytest.param(
            [Chunk("a", "hi"), Chunk("a", "", finished=True)],
            ["hi"],
            id="empty-last-chunk",
        ),
        pytest.param(
            [Chunk("a", ""), Chunk("a", "hi", finished=True)],
            ["hi"],
            id="empty-first-chunk",
        ),
        pytest.param(
            [
                Chunk("a", "1"),
                Chunk("b", "2"),
                Chunk("a", "3", finished=True),
                Chunk("b", "4", finished=True),
            ],
            ["1", "2", "3", "4"],
            id="two-choices",
        ),
    ],
)
def test_texts_come_in_order(engine: Mock, chunks: list[Chunk], expected: list[str]) -> None:
    assert list(stream_text(engine, chunks)) == expected


def test_a_text_comes_before_the_next_chunk_is_made(engine: Mock) -> None:
    made: list[str] = []

    def chunks() -> Iterator[Chunk]:
        for text in ("1", "2"):
            made.append(text)
            yield Chunk("a", text, finished=text == "2")

    stream = stream_text(engine, chunks())
    assert next(stream) == "1"
    assert made == ["1"]


def test_an_engine_error_reaches_the_client(engine: Mock) -> None:
    def chunks() -> Iterator[Chunk]:
        yield Chunk("a", "1")
        raise ConnectionError("engine gone")

    stream = stream_text(engine, chunks())
    assert next(stream) == "1"
    with pytest.raises(ConnectionError, match="engine gone"):
        next(stream)
