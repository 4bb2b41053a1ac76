"""The token counts at the end of a response."""

from __future__ import annotations


def usage_of(*, prompt_tokens: int, completion_tokens: int) -> dict[str, int]:
    """Return the response's ``usage`` object."""
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }
