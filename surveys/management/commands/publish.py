"""`manage.py publish SLUG`: freeze the definition and open the survey."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils import timezone

from surveys.authoring.publish import survey_named, survey_publish
from surveys.management.refusing import RefusingCommand
from surveys.questionnaire.schedule import local_text


class Command(RefusingCommand):
    """Publish a survey."""

    help = (
        "Publish a survey's imported definition as an immutable version. A draft opens; respondents of an "
        "open survey see the new version; answers to older ones stay accepted. Exit code 1 if it cannot be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add SURVEY, --reason and --json."""
        parser.add_argument("survey", help="the survey's slug")
        parser.add_argument(
            "--reason",
            default="",
            help="why it is published though a check refuses it; logged, and printed in every report",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Publish, or say why not."""
        slug: str = options["survey"]
        version = survey_publish(
            survey_named(slug), by="command line", now=timezone.now(), reason=options["reason"]
        )
        page = reverse("respond:page", args=[slug])
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "survey": slug,
                        "version": version.number,
                        "design_id": version.design_id,
                        "wording_id": version.wording_id,
                        "page": page,
                    }
                )
            )
            return
        survey = survey_named(slug)
        when = "is open"
        if survey.state == survey.State.PLANNED and survey.opens_at is not None:
            when = f"opens on {local_text(survey.opens_at, survey.time_zone)} ({survey.time_zone})"
        self.stdout.write(f"Version {version.number} of {slug} {when} at {page}")
