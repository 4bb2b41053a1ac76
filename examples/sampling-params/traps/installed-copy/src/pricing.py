"""What a response costs."""

from __future__ import annotations


def cost_in_cents(tokens: int, cents_per_thousand: int) -> int:
    """Return the price, every started cent counted."""
    return -(-tokens * cents_per_thousand // 1000)
