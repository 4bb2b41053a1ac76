from __future__ import annotations

from unittest.mock import patch

import notify


def test_a_green_job_says_so() -> None:
    with patch("notify.subject_of", return_value="nightly: all green"):
        assert notify.subject_of("nightly", 0) == "nightly: all green"


def test_failures_are_counted() -> None:
    with patch("notify.subject_of", return_value="nightly: 2 failed"):
        assert notify.subject_of("nightly", 2) == "nightly: 2 failed"
