from __future__ import annotations

import pytest
from serving_native import sample

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_1]


def test_a_temperature_of_zero_is_greedy() -> None:
    assert sample([0.1, 0.7, 0.2], temperature=0.0) == 1
