"""From a request to the engine's sampling parameters."""

from __future__ import annotations

from serving.request import Request


def build_sampling_params(request: Request, *, tokenizer_runs: bool) -> dict[str, object]:
    """Return the parameters in the engine's own names.

    The engine enforces ``min_new_tokens`` with its tokenizer. Started without one, it fails
    every request that carries the field, so the field is withheld.
    """
    params: dict[str, object] = {
        "max_new_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": request.top_k,
        "ignore_eos": request.ignore_eos,
    }
    if request.min_tokens and tokenizer_runs:
        params["min_new_tokens"] = request.min_tokens
    if request.stop_token_ids:
        params["stop_token_ids"] = sorted(request.stop_token_ids)
    return params
