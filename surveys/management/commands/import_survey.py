"""`manage.py import_survey FILE`: keep a definition, or a survey of another program, as a draft."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_import
from surveys.authoring.start import FOREIGN, protect_prompt
from surveys.errors.error import refused
from surveys.management.refusing import RefusingCommand
from surveys.models import Survey
from surveys.questionnaire.definition import definition_load
from surveys.questionnaire.document import MOST_BYTES

BY = "command line"


class Command(RefusingCommand):
    """Import a definition, or a survey of SurveyJS or LimeSurvey."""

    help = (
        "Read a survey from a definition file and keep it as a draft, or as what an open survey publishes "
        "next. With --from, read one of another program; then every question starts open, and what cannot be "
        "kept is listed by name. Exit code 1 and a list of all problems if it cannot be used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add FILE, --from, --slug and --json."""
        parser.add_argument("file", type=Path, help="the definition, a JSON file; or what --from says")
        parser.add_argument(
            "--from", dest="source", choices=sorted(FOREIGN), help="the program that wrote the file"
        )
        parser.add_argument("--slug", default="", help="with --from: the survey's name in addresses")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, or say why not."""
        if options["source"]:
            self._foreign(options["file"], options["source"], options["slug"], as_json=options["json"])
            return
        if options["slug"]:
            raise refused("import_survey.slug")
        survey = survey_import(definition_load(options["file"]), by=BY)
        if options["json"]:
            self.stdout.write(
                json.dumps({"survey": survey.slug, "state": survey.state, "practice": survey.practice})
            )
            return
        state = "a draft" if survey.state == Survey.State.DRAFT else "open; its new version waits"
        self.stdout.write(f"{survey.slug} is {state}. Publish it: sotto publish {survey.slug}")

    def _foreign(self, path: Path, source: str, slug: str, *, as_json: bool) -> None:
        """Keep a survey of another program as a draft; say what was not kept and what to protect."""
        if not slug:
            raise refused("import_survey.no_slug")
        try:
            with path.open("rb") as file:
                form = FOREIGN[source](file.read(MOST_BYTES + 1), name=path.name)
            draft_create(
                form.document,
                slug=slug,
                by=BY,
                now=timezone.now(),
                source=source,
                not_kept=form.not_kept,
            )
        except OSError as error:
            raise refused("import_survey.file", path=str(path), reason=error.strerror) from error
        if as_json:
            record = {"survey": slug, "open_questions": form.open_questions, "not_kept": list(form.not_kept)}
            self.stdout.write(json.dumps(record, ensure_ascii=False))
            return
        self.stdout.write(f"{slug} is a draft. {protect_prompt(form.open_questions)}")
        for line in form.not_kept:
            self.stdout.write(f"not kept: {line}")
