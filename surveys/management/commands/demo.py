"""`manage.py demo`: make the demonstration; in an empty home, start everything first."""

import time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandParser

from surveys.demo import demonstration
from surveys.demo.demonstration import experiment_prepare
from surveys.errors.error import refusal_said, refused
from surveys.management.commands.dev import port
from surveys.management.refusing import RefusingCommand
from surveys.models import Job
from surveys.server.backup import database_is_empty
from surveys.server.environment import running_in

SECONDS_BETWEEN_LOOKS = 0.5


class Command(RefusingCommand):
    """Prepare the demonstration; safe to call again."""

    help = (
        "Make the demonstration: a survey of 6,366 real answers, disguised one by one, closed and mined, and "
        "an open practice copy. What is there already is kept. Prints where to look and how to log in. "
        "If nothing is installed in SOTTOVOCE_HOME yet, starts everything there, as dev does."
    )
    # An empty home has no tables yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add whether to wait, and where the site is."""
        parser.add_argument(
            "--experiment",
            action="store_true",
            help="make the worked example of an experiment instead: 6,000 made-up people, two strengths",
        )
        parser.add_argument(
            "--wait", action="store_true", help="wait for the report; exit 0 only if it is there"
        )
        parser.add_argument(
            "--seconds", type=float, default=300.0, help="with --wait: how long at most (default: 300)"
        )
        parser.add_argument(
            "--port", type=port, default=8000, help="port to listen on in an empty home (default: 8000)"
        )
        parser.add_argument(
            "--address", default="", help="the site, such as http://localhost:8000/, to print whole addresses"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare, say where things are, and wait if asked to."""
        if database_is_empty():
            call_command("dev", once=options["wait"], port=options["port"])
            return
        is_experiment = options["experiment"]
        run = (experiment_prepare if is_experiment else demonstration.prepare)(say=self._say)
        log_in = demonstration.ensure_log_in(settings.SOTTOVOCE_HOME)
        self._say(f"demo: staff log-in {log_in.name}, password {log_in.password}")
        site = options["address"].rstrip("/")
        self._say(f"demo: report {site}{demonstration.report_path(run)}")
        if is_experiment:
            self._say(f"demo: did it help? {site}{demonstration.report_path(run, 'compare')}?by=arms/group")
        else:
            self._say(f"demo: practice survey {site}/en/s/{demonstration.PRACTICE_SLUG}/")
        if running_in(settings.SOTTOVOCE_HOME) is None:
            self._say("demo: unless services run it, Sottovoce is not running; start it with the command dev")
        if options["wait"]:
            self._wait(run.job_id, options["seconds"])
            self._say(f"demo: the report is there, with {run.rules.count()} rules")

    def _wait(self, job_id: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            job = Job.objects.get(pk=job_id)
            if job.state == Job.State.FINISHED:
                return
            if job.is_over:
                raise refused("demo.state", state=job.state, message=refusal_said(job.message))
            if time.monotonic() > end:
                raise refused("demo.waited", state=job.state, seconds=seconds)
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
