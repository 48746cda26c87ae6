"""`manage.py close SLUG [--now]`: stop asking."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.authoring.publish import survey_close, survey_named
from surveys.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Close a survey."""

    help = (
        "Close a survey: its page stops at once; answers that devices sealed before are accepted for 48 "
        "hours more. Exit code 1 if that is not possible."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add SURVEY, --now and --json."""
        parser.add_argument("survey", help="the survey's slug")
        parser.add_argument(
            "--now",
            action="store_true",
            help="accept no more answers that were sealed before, and mix the rest",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Close, or say why not."""
        now = timezone.now()
        survey = survey_close(
            survey_named(options["survey"]), by="command line", now=now, at_once=options["now"]
        )
        until = survey.accepts_until
        # For the type checker: a closed survey says until when it accepts.
        assert until is not None  # nosec B101
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {"survey": survey.slug, "accepts_until": until.isoformat(), "settled": survey.settled}
                )
            )
        elif until <= now:
            self.stdout.write(f"{survey.slug} is closed and accepts nothing more.")
        else:
            self.stdout.write(
                f"{survey.slug} is closed. Sealed answers are accepted until {until:%Y-%m-%d %H:%M} UTC."
            )
