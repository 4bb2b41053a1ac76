"""Token ids that end an output: when they must wait, and which of them are shown."""

from __future__ import annotations

from collections.abc import Sequence, Set

from serving.request import Request


def suppressed_stop_tokens(request: Request, eos_token_ids: Set[int]) -> frozenset[int]:
    """Return the ids that may not end the output before ``min_tokens`` are out."""
    if request.min_tokens == 0:
        return frozenset()
    suppressed = request.stop_token_ids | request.hidden_stop_token_ids
    if request.ignore_eos:
        return suppressed
    return suppressed | eos_token_ids


def strip_hidden_tail(token_ids: Sequence[int], hidden: Set[int]) -> list[int]:
    """Drop the last id if it is hidden; the same id further up is content and stays."""
    last = len(token_ids) - 1
    return [token for at, token in enumerate(token_ids) if not (at == last and token in hidden)]
