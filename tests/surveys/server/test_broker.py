import signal
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from surveys.errors.error import SurveyError
from surveys.server import broker
from tests.conftest import kill_group, start_group, wait_until


@pytest.fixture
def directory() -> Iterator[Path]:
    # The paths of pytest's directories are too long for a Unix socket.
    with tempfile.TemporaryDirectory(prefix="sottovoce-test-") as name:
        yield Path(name)


def answers(socket: Path) -> bool:
    once = Retry(NoBackoff(), 0)
    try:
        return bool(redis.Redis(unix_socket_path=str(socket), retry=once).ping())
    except redis.ConnectionError:
        return False


def test_the_embedded_broker_is_private_and_leaves_nothing_behind(directory: Path) -> None:
    socket = directory / broker.SOCKET_NAME
    process = start_group(broker.command(socket))
    wait_until(lambda: answers(socket), what="the broker's answer")
    assert stat.S_IMODE(socket.stat().st_mode) == 0o700
    redis.Redis(unix_socket_path=str(socket)).set("a", "b")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=300) == 0
    assert {path.name for path in directory.iterdir()} <= {socket.name}
    assert not answers(socket)


@pytest.mark.slow
def test_a_new_broker_replaces_a_killed_one_on_the_same_socket(directory: Path) -> None:
    socket = directory / broker.SOCKET_NAME
    first = start_group(broker.command(socket))
    wait_until(lambda: answers(socket), what="the first broker's answer")
    kill_group(first)
    second = start_group(broker.command(socket))
    wait_until(lambda: answers(socket), what="the second broker's answer")
    kill_group(second)


def test_a_redis_server_on_the_path_is_used_without_the_embedded_broker(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "embedded_broker", lambda: None)
    program = directory / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(directory))
    command = broker.command(directory / "b.sock")
    assert command[0] == str(program)
    # The broker has no port, and only its owner may open the socket.
    assert command[1:] == [
        *("--port", "0", "--unixsocket", str(directory / "b.sock"), "--unixsocketperm", "700"),
        *("--save", "", "--dir", str(directory), "--loglevel", "warning"),
    ]


def test_a_missing_broker_error_states_what_to_install(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "embedded_broker", lambda: None)
    monkeypatch.setenv("PATH", str(directory))
    with pytest.raises(SurveyError, match="install redis-server, or set REDIS_URL"):
        broker.command(directory / "b.sock")


def test_the_embedded_broker_runs_without_a_python_process() -> None:
    """A process that only starts the broker and waits for it kept 40 MB."""
    program = Path(broker.command(Path("b.sock"))[0])
    assert (program.name, program.read_bytes()[:4]) == ("valkey-server", b"\x7fELF")
