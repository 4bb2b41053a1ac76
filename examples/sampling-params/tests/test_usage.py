from __future__ import annotations

import pytest

from serving.usage import usage_of

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]


@pytest.mark.parametrize(("prompt", "completion"), [(0, 0), (3, 0), (0, 5), (3, 5), (4096, 1)])
def test_the_total_is_the_sum(prompt: int, completion: int) -> None:
    usage = usage_of(prompt_tokens=prompt, completion_tokens=completion)
    assert usage["total_tokens"] == prompt + completion


def test_both_parts_are_reported() -> None:
    usage = usage_of(prompt_tokens=3, completion_tokens=5)
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (3, 5)


# The next two are red on purpose: they were written before the feature.


def test_cached_tokens_are_reported() -> None:
    assert "cached_tokens" in usage_of(prompt_tokens=3, completion_tokens=5)


def test_reasoning_tokens_are_reported() -> None:
    assert "reasoning_tokens" in usage_of(prompt_tokens=3, completion_tokens=5)
