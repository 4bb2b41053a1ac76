from __future__ import annotations

import pytest

from serving.request import Request
from serving.stop_tokens import strip_hidden_tail, suppressed_stop_tokens

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]

EOS = frozenset({2})


def test_without_a_minimum_nothing_is_suppressed() -> None:
    request = Request(hidden_stop_token_ids=frozenset({7}))
    assert suppressed_stop_tokens(request, EOS) == frozenset()


def test_hidden_stop_tokens_wait_for_the_minimum() -> None:
    request = Request(
        min_tokens=4, stop_token_ids=frozenset({5}), hidden_stop_token_ids=frozenset({7})
    )
    assert suppressed_stop_tokens(request, EOS) == {2, 5, 7}


@pytest.mark.parametrize(
    ("token_ids", "expected"),
    [
        pytest.param([], [], id="empty"),
        pytest.param([1, 3], [1, 3], id="nothing-hidden"),
        pytest.param([1, 7], [1], id="at-the-tail"),
        pytest.param([7, 1], [7, 1], id="further-up"),
        pytest.param([7, 7], [7], id="twice"),
    ],
)
def test_only_the_tail_is_dropped(token_ids: list[int], expected: list[int]) -> None:
    assert strip_hidden_tail(token_ids, {7}) == expected
