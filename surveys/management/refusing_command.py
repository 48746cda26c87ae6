"""Print findings of the checks and rules of questions, and end a command with an error and an exit code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.management.base import BaseCommand, CommandError

from privacy.errors import PrivacyError
from surveys.errors.error import in_sentences, sentences
from surveys.formats.joints import join_sentences
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.findings import Finding, Level

if TYPE_CHECKING:
    from surveys.questionnaire.definition import Definition

LEVEL_TEXTS: Final = {Level.REFUSE: "stops", Level.WARN: "warns"}
"""A finding's level as the documentation calls it."""


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each finding: its level, place, problem and remedy."""
    for finding in findings:
        place = finding.path or "the survey"
        yield f"{LEVEL_TEXTS[finding.level]}: {place}: {in_sentences(finding.message, finding.remedy)}"


def computed_lines(definition: Definition | None) -> Iterator[str]:
    """Yield a line for each composite question: from what devices compute it, and what that rules out."""
    if definition is not None:
        # Imported here because the launcher must not load numpy.
        from surveys.questionnaire.rule_words import rules_in_words

        for rule in rules_in_words(definition.design, definition.wording).values():
            yield f"for good: “{rule.text}”: {join_sentences([rule.summary, *rule.sentences, rule.losses])}"


class RefusingCommand(BaseCommand):
    """Command that turns errors of the core, of a service or of a definition into a CommandError.

    Attributes
    ----------
    error_returncode : int
        Exit code of errors.
    errors_as_json : bool
        Whether ``--json`` also prints errors: the code, what is wrong, what to do.
    """

    error_returncode: ClassVar[int] = 1
    errors_as_json: ClassVar[bool] = False

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command, from a terminal or from a program.

        Raises
        ------
        CommandError
            Has the message and the remedy of the error.
        """
        try:
            return super().execute(*args, **options)
        except DefinitionError as error:
            raise CommandError(str(error), returncode=self.error_returncode) from error
        except PrivacyError as error:
            if self.errors_as_json and options["json"]:
                record = {"error": error.code, "message": error.message, "remedy": error.remedy}
                self.stdout.write(json.dumps(record))
            raise CommandError(sentences(error), returncode=self.error_returncode) from error

    def _print(self, record: object, *lines: str, as_json: bool) -> None:
        """Print the result: a record as JSON, or lines for people."""
        self.stdout.write(json.dumps(record) if as_json else "\n".join(lines))

    def _say(self, text: str) -> None:
        """Print a line immediately, even to a pipe."""
        self.stdout.write(text)
        self.stdout.flush()
