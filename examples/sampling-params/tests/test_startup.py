from __future__ import annotations

import threading
import time

import pytest

from serving.startup import Ranks

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang]


@pytest.mark.gpu_1
@pytest.mark.parametrize("rank", [-2, -1, 1, 2, 3, 8])
def test_a_rank_outside_the_world_is_refused(rank: int) -> None:
    with pytest.raises(ValueError, match=f"rank {rank} is outside"):
        Ranks(1).report(rank)


@pytest.mark.gpu_1
def test_one_rank_is_ready_once_it_has_reported() -> None:
    ranks = Ranks(1)
    ranks.report(0)
    assert ranks.ready


@pytest.mark.gpu_1
def test_nothing_is_ready_before_a_report() -> None:
    assert not Ranks(1).ready


@pytest.mark.gpu_2
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_ranks_may_report_in_any_order(order: tuple[int, int]) -> None:
    ranks = Ranks(2)
    for rank in order:
        ranks.report(rank)
    assert ranks.ready


@pytest.mark.gpu_2
@pytest.mark.parametrize("rank", [0, 1])
def test_one_of_two_ranks_is_not_enough(rank: int) -> None:
    ranks = Ranks(2)
    ranks.report(rank)
    ranks.report(rank)
    assert not ranks.ready


@pytest.mark.gpu_2
def test_the_log_says_when_both_ranks_are_up(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="serving.startup")
    ranks = Ranks(2)
    for rank in (0, 1):
        threading.Thread(target=ranks.report, args=(rank,)).start()

    deadline = time.monotonic() + 1.0
    while "all 2 ranks are ready" not in caplog.text:
        assert time.monotonic() < deadline, "the log line never came"
        time.sleep(0.01)
