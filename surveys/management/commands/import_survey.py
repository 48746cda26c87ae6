"""`manage.py import_survey FILE.json`: keep a definition as a draft."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys.authoring.publish import survey_import
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.questionnaire.definition import definition_load
from surveys.questionnaire.problems import DefinitionError


class Command(BaseCommand):
    """Import a definition."""

    help = (
        "Read a survey from a definition file and keep it as a draft, or as what an open survey publishes "
        "next. Exit code 1 and a list of all problems if it cannot be used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add FILE and --json."""
        parser.add_argument("file", type=Path, help="the definition, a JSON file")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, or say why not."""
        try:
            survey = survey_import(definition_load(options["file"]), by="command line")
        except (DefinitionError, SurveyError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(
                json.dumps({"survey": survey.slug, "state": survey.state, "practice": survey.practice})
            )
            return
        state = "a draft" if survey.state == Survey.State.DRAFT else "open; its new version waits"
        self.stdout.write(f"{survey.slug} is {state}. Publish it: manage.py publish {survey.slug}")
