"""`manage.py dev`: start everything on one machine."""

import argparse
import sys
from typing import Any

from django.core.management.base import CommandParser

from surveys.errors.error import SurveyError
from surveys.management.refusing_command import RefusingCommand
from surveys.server.launch import Launch, launch
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


class Command(RefusingCommand):
    """Start everything and keep it alive."""

    help = "Start database, broker, worker, sweeper, web server and demo, and keep them alive until Ctrl-C."
    requires_migrations_checks = False
    # Django's checks would load all pages in this process. The web process loads them anyway.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --host, --port, --once and --prepare."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=port, default=8000, help="port to listen on (default: 8000)")
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
        plan = Launch(host=options["host"], port=options["port"], once=options["once"])
        code = launch(plan, say=self._say)
        sys.exit(code)
