from __future__ import annotations

from retry import first_success


def test_a_success_ends_the_tries() -> None:
    answers = iter([False, True])
    assert first_success(lambda: next(answers), limit=3) == 2


def test_the_limit_ends_the_tries() -> None:
    assert first_success(lambda: False, limit=3) is None
