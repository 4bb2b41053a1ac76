from __future__ import annotations

from unittest.mock import Mock

import pytest

from serving.routes import EngineClient

pytestmark = [pytest.mark.pre_merge, pytest.mark.sglang, pytest.mark.gpu_0]


@pytest.fixture
def post() -> Mock:
    return Mock(return_value={"status": "ok"})


class TestPause:
    def test_uses_the_native_route(self, post: Mock) -> None:
        EngineClient(post).pause()
        route, _body = post.call_args.args
        assert route == "/pause_generation"

    @pytest.mark.parametrize("mode", ["abort", "retract"])
    def test_sends_the_mode(self, post: Mock, mode: str) -> None:
        EngineClient(post).pause(mode)
        _route, body = post.call_args.args
        assert body == {"mode": mode}


class TestResume:
    def test_uses_the_native_route(self, post: Mock) -> None:
        EngineClient(post).resume()
        route, _body = post.call_args.args
        assert route == "/continue_generation"

    def test_follows_a_pause(self, post: Mock) -> None:
        client = EngineClient(post)
        client.pause()
        client.resume()
        assert not client.paused

    def test_returns_the_engines_answer(self, post: Mock) -> None:
        assert EngineClient(post).resume() == {"status": "ok"}
