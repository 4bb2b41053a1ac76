from __future__ import annotations

from pricing import cost_in_cents


def test_a_started_cent_counts() -> None:
    assert cost_in_cents(1001, 2) == 3


def test_no_tokens_cost_nothing() -> None:
    assert cost_in_cents(0, 2) == 0
