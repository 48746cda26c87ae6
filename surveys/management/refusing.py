"""End a command with the sentences of an error, on standard error, and with an exit code."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from privacy.errors import PrivacyError
from surveys.errors.error import sentences
from surveys.questionnaire.document import DefinitionError


class RefusingCommand(BaseCommand):
    """Turn an error of the core, of a service or of a definition into a CommandError, in sentences.

    Attributes
    ----------
    error_returncode : int
        The exit code of an error.
    errors_as_json : bool
        Whether ``--json`` prints an error too: its code, what is wrong, what to do.
    """

    error_returncode: ClassVar[int] = 1
    errors_as_json: ClassVar[bool] = False

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command, from a terminal or from a program.

        Raises
        ------
        CommandError
            The error, in its sentences.
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

    def _say(self, text: str) -> None:
        """Print a line at once, even to a pipe."""
        self.stdout.write(text)
        self.stdout.flush()
