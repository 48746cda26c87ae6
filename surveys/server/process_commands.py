"""Commands that start the processes of an installation: web server, worker, and management commands."""

from __future__ import annotations

import sys

# Limits on waiting and open connections. Each connection has ten seconds to send its headers.
CONNECTIONS = [
    *("--backlog", "4096", "--backpressure", "4096"),
    *("--http1-header-read-timeout", "10000", "--http1-buffer-size", "65536"),
]


def manage(*arguments: str) -> list[str]:
    """Return the command that runs a management command in its own process."""
    return [sys.executable, "-m", "surveys.management", *arguments]


def worker_command(*, concurrency: int) -> list[str]:
    """Return the command of a worker process that runs `concurrency` jobs in parallel."""
    worker = [sys.executable, "-m", "celery", "--quiet", "-A", "surveys", "worker"]
    # Workers need not communicate with each other, because everything they need is in the database.
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [*worker, "--concurrency", str(concurrency), *quiet]


def web_command(host: str, port: int) -> list[str]:
    """Return the command of the web server. By default, Granian does not write an access log."""
    address = ["--host", host, "--port", str(port)]
    shape = ["--interface", "asginl", "--workers", "1", "--http", "1", "--no-ws", "--log-level", "warning"]
    return [sys.executable, "-m", "granian", *shape, *CONNECTIONS, *address, "surveys.asgi:application"]
