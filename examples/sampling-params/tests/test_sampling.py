from __future__ import annotations

import pytest

from serving.request import Request
from serving.sampling import build_sampling_params

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]


@pytest.mark.parametrize(
    ("field", "engine_field", "value"),
    [
        ("max_tokens", "max_new_tokens", 16),
        ("temperature", "temperature", 0.2),
        ("top_p", "top_p", 0.9),
        ("top_k", "top_k", 40),
        ("ignore_eos", "ignore_eos", True),
    ],
)
def test_a_field_is_sent_under_the_engines_name(
    field: str, engine_field: str, value: object
) -> None:
    request = Request(**{field: value})  # type: ignore[arg-type]
    assert build_sampling_params(request, tokenizer_runs=True)[engine_field] == value


def test_min_new_tokens_is_sent_where_a_tokenizer_runs() -> None:
    params = build_sampling_params(Request(min_tokens=4), tokenizer_runs=True)
    assert params.get("min_new_tokens") == 4


def test_min_new_tokens_is_withheld_without_a_tokenizer() -> None:
    params = build_sampling_params(Request(min_tokens=4), tokenizer_runs=False)
    assert "min_new_tokens" not in params


@pytest.mark.parametrize("tokenizer_runs", [True, False])
def test_a_minimum_of_zero_is_never_sent(tokenizer_runs: bool) -> None:
    params = build_sampling_params(Request(), tokenizer_runs=tokenizer_runs)
    assert "min_new_tokens" not in params


def test_stop_token_ids_are_sent_in_order() -> None:
    request = Request(stop_token_ids=frozenset({9, 2}))
    assert build_sampling_params(request, tokenizer_runs=True)["stop_token_ids"] == [2, 9]


def test_no_stop_token_ids_means_no_field() -> None:
    assert "stop_token_ids" not in build_sampling_params(Request(), tokenizer_runs=True)


def test_hidden_stop_token_ids_stay_on_this_side() -> None:
    request = Request(hidden_stop_token_ids=frozenset({7}))
    assert "stop_token_ids" not in build_sampling_params(request, tokenizer_runs=True)
