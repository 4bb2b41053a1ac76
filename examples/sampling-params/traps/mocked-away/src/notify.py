"""Telling somebody."""

from __future__ import annotations


def subject_of(job: str, failed: int) -> str:
    """Return a mail's subject line."""
    if failed == 0:
        return f"{job}: all green"
    return f"{job}: {failed} failed"
