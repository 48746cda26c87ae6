"""`manage.py dev`: start everything on one machine."""

import argparse
import socket
import sys
from typing import Any

from django.core.management.base import CommandParser

from surveys.errors.error import SurveyError
from surveys.management.refusing_command import RefusingCommand
from surveys.server.launch import HOST, PORT, Launch, launch
from surveys.server.prepare_database import prepare_database
from surveys.server.prepared_static import prepare_static


def port(text: str) -> int:
    """Parse a port number.

    >>> port("8001")
    8001
    """
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(str(SurveyError("dev.port", text=text)))
    return int(text)


def host(text: str) -> str:
    """Return the number of an address to listen on; a name is looked up on this machine.

    >>> host("127.0.0.1"), host("::1")
    ('127.0.0.1', '::1')
    """
    try:
        found = socket.getaddrinfo(text, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise argparse.ArgumentTypeError(str(SurveyError("dev.host", text=text))) from None
    # AF_INET is the smaller number: more programs can reach it.
    return str(min(found, key=lambda each: each[0])[4][0])


class Command(RefusingCommand):
    """Start everything and keep it alive."""

    help = "Start database, broker, worker, sweeper, web server and demo, and keep them alive until Ctrl-C."
    requires_migrations_checks = False
    # Django's checks would load all pages in this process. The web process loads them anyway.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --host, --port, --once and --prepare."""
        parser.add_argument("--host", type=host, default=HOST, help=f"address to listen on (default: {HOST})")
        parser.add_argument("--port", type=port, default=PORT, help=f"port to listen on (default: {PORT})")
        parser.add_argument(
            "--once", action="store_true", help="stop when the demo's report exists; exit 0 only then"
        )
        parser.add_argument(
            "--prepare", action="store_true", help="only prepare the database and the static files"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start everything, wait, and stop everything."""
        if options["prepare"]:
            prepare_database(say=self._say)
            prepare_static(say=self._say)
            return
        command = f"sottovoce dev{' --once' if options['once'] else ''}"
        plan = Launch(host=options["host"], port=options["port"], once=options["once"], command=command)
        code = launch(plan, say=self._say)
        sys.exit(code)
