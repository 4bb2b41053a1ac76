from __future__ import annotations

import pytest

from serving.stop_text import strip_stop_text

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]


class TestStripStopText:
    @pytest.mark.parametrize(
        ("text", "stop", "expected"),
        [
            pytest.param("one two", "two", "one ", id="at-the-end"),
            pytest.param("one two", "one", "", id="at-the-start"),
            pytest.param("one two", " ", "one", id="in-the-middle"),
            pytest.param("one two", "one two", "", id="the-whole-text"),
            pytest.param("one two two", "two", "one ", id="twice"),
            pytest.param("aaab", "aab", "a", id="after-a-false-start"),
            pytest.param("one\n\ntwo", "\n\n", "one", id="blank-line"),
            pytest.param("one\ntwo", "\n", "one", id="line-break"),
            pytest.param("one\ttwo", "\t", "one", id="tab"),
            pytest.param("grüße", "ß", "grü", id="latin"),
            pytest.param("東京駅", "駅", "東京", id="cjk"),
            pytest.param("ok 🛑 no", "🛑", "ok ", id="emoji"),
            pytest.param("a.b", ".", "a", id="regex-dot"),
            pytest.param("a|b", "|", "a", id="regex-bar"),
        ],
    )
    def test_cuts_before_the_stop(self, text: str, stop: str, expected: str) -> None:
        assert strip_stop_text(text, [stop]) == expected

    @pytest.mark.parametrize(
        ("text", "stop"),
        [
            pytest.param("", "x", id="empty-text"),
            pytest.param("one", "", id="empty-stop"),
            pytest.param("one", "two", id="other-word"),
            pytest.param("one", "ONE", id="other-case"),
            pytest.param("one", "one ", id="longer-than-the-text"),
            pytest.param("on e", "one", id="split-by-a-space"),
            pytest.param("enon", "none", id="other-order"),
            pytest.param("a\r\nb", "\n\n", id="other-line-break"),
            pytest.param("e\u0301", "\u00e9", id="other-normal-form"),
            pytest.param("abc", "a.c", id="regex-dot"),
            pytest.param("aab", "a+b", id="regex-plus"),
            pytest.param("  ", "\t", id="other-space"),
        ],
    )
    def test_keeps_text_without_the_stop(self, text: str, stop: str) -> None:
        assert strip_stop_text(text, [stop]) == text

    def test_no_stops_keep_the_text(self) -> None:
        assert strip_stop_text("one two", []) == "one two"

    def test_a_stop_given_twice_counts_once(self) -> None:
        assert strip_stop_text("one two", ["two", "two"]) == "one "

    def test_the_earliest_stop_wins(self) -> None:
        assert strip_stop_text("one two three", ["three", "two"]) == "one "

    def test_the_longer_of_two_overlapping_stops_wins(self) -> None:
        assert strip_stop_text("one two", ["two", "e two"]) == "on"
