"""`manage.py delete_survey SLUG`: delete a survey and everything that belongs to it, now or on a date."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.authoring.deletion import belongings_of, survey_delete
from surveys.authoring.retention import retention_set
from surveys.errors.error import refusal
from surveys.management.named_survey import survey_by_slug
from surveys.management.refusing_command import RefusingCommand

NEEDS_CONFIRMATION = 2


class Command(RefusingCommand):
    """Delete a survey."""

    help = (
        "Delete a survey that is closed for good: questionnaire, answers, runs, rules and verdicts. The "
        "audit log stays. With --on, a published survey is deleted at the start of that day, closed or not. "
        "Without --really or --on nothing is deleted. Exit code: 0 deleted or set, 1 refused, 2 nothing done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add SURVEY, --really and --on."""
        parser.add_argument("survey", help="slug of the survey")
        when = parser.add_mutually_exclusive_group()
        when.add_argument("--really", action="store_true", help="delete; this cannot be undone")
        when.add_argument(
            "--on", metavar="DATE", help="let the sweeper delete it on this day, such as 2027-03-01"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """List the data of the survey, and delete it if confirmed."""
        survey = survey_by_slug(options["survey"])
        if options["on"] is not None:
            survey = retention_set(survey, day=options["on"], by="command line", now=timezone.now())
            self.stdout.write(
                f"survey {survey.slug} is deleted on {options['on']} ({survey.time_zone}); "
                "backups made before still hold it"
            )
            return
        if not options["really"]:
            self._list(belongings_of(survey))
            raise refusal("delete_survey.really", returncode=NEEDS_CONFIRMATION)
        self._list(survey_delete(survey, by="command line"))
        self.stdout.write(f"deleted survey {options['survey']}; backups made before still hold it")

    def _list(self, rows: dict[str, int]) -> None:
        for name, count in sorted(rows.items()):
            self.stdout.write(f"{count:>10,} {name}")
