"""`manage.py sweep`: mix waiting answers, find lost jobs, record a heartbeat."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections

from surveys.errors.error import refused
from surveys.jobs.workers import SECONDS_BETWEEN_ROUNDS
from surveys.sweeper import DATABASE, outages, sweep_once


class Command(BaseCommand):
    """Run the sweeper."""

    help = (
        "Run the sweeper: open and close surveys at their times, mix waiting answers into batches, and find "
        "jobs whose worker died."
    )
    # Checks would load every page, and what pages compute with, into a process that has neither.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --once."""
        parser.add_argument("--once", action="store_true", help="come round once, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Come round until INT or TERM; with --once come round once and fail if a step failed."""
        if options["once"]:
            failed = sweep_once()
            if failed:
                raise refused("sweep.failed", failed=", ".join(failed))
            return
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            close_old_connections()
            is_away = DATABASE in sweep_once()
            stop.wait(outages.pause() if is_away else SECONDS_BETWEEN_ROUNDS)
