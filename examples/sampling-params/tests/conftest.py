from __future__ import annotations

from importlib.util import find_spec
from unittest.mock import Mock

import pytest

# The compiled sampler is built in the GPU image only; elsewhere its tests cannot be imported.
collect_ignore = [] if find_spec("serving_native") else ["test_native_sampler.py"]


@pytest.fixture
def engine() -> Mock:
    return Mock(spec_set=["abort"])
