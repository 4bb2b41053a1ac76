"""Cannot be collected without the GPU image: conftest.py drops its sibling, but not this file."""

from __future__ import annotations

import pytest
from serving_native import WeightCache

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]


def test_an_empty_cache_holds_no_bytes() -> None:
    assert WeightCache().size == 0
