"""What a client may ask for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """A generation request, validated by the API layer.

    ``stop_token_ids`` end the output and are part of it; the hidden ones end it and are
    never shown.
    """

    max_tokens: int = 128
    min_tokens: int = 0
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = -1
    ignore_eos: bool = False
    stop_token_ids: frozenset[int] = frozenset()
    hidden_stop_token_ids: frozenset[int] = frozenset()
