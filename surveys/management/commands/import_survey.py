"""`manage.py import_survey FILE`: store a definition as a draft."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from surveys.authoring.drafts import survey_import
from surveys.management.refusing_command import RefusingCommand
from surveys.models import Survey
from surveys.questionnaire.definition import definition_load
from surveys.questionnaire.readable import readable_questions
from surveys.questionnaire.stated_protection import with_stated_protection

BY = "command line"


class Command(RefusingCommand):
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
        """Import the definition, and print the state of the survey."""
        document = definition_load(options["file"])
        notes: tuple[str, ...] = ()
        if isinstance(document, dict):
            document, notes = with_stated_protection(document)
        survey = survey_import(document, by=BY)
        record: dict[str, Any] = {"survey": survey.slug, "state": survey.state, "practice": survey.practice}
        state = "a draft" if survey.state == Survey.State.DRAFT else "open; its new version waits"
        readable = readable_questions(survey.definition)
        record["readable"] = [
            {"question": each.key, "why": each.why, "word": each.words} for each in readable
        ]
        # The last notes list the same questions.
        record["protected"] = list(notes[: len(notes) - len(readable)])
        lines = [f"{note[:1].upper()}{note[1:]}." for note in record["protected"]]
        lines += [f"Stored as answered: “{each.text}”: {each.why}." for each in readable]
        text = "\n".join([*lines, f"{survey.slug} is {state}. Publish it: sottovoce publish {survey.slug}"])
        self._print(record, text, as_json=options["json"])
