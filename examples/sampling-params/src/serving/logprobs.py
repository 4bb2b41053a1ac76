"""Log probabilities in the API's shape."""

from __future__ import annotations

from collections.abc import Mapping


def top_logprobs(by_token: Mapping[str, float], k: int) -> list[tuple[str, float]]:
    """Return the ``k`` likeliest tokens, likeliest first, ties by token."""
    ranked = sorted(by_token.items(), key=lambda item: (-item[1], item[0]))
    return ranked[:k]
