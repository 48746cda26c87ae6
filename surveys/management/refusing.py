"""A command that ends with the words of what refuses it, on standard error, and with an exit code."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from privacy.errors import PrivacyError
from surveys.errors.core_refusals import sentences
from surveys.questionnaire.problems import DefinitionError

__all__ = ["RefusingCommand"]


class RefusingCommand(BaseCommand):
    """Turn a refusal of either floor, or of a definition, into the end of a command, in sentences.

    Attributes
    ----------
    refused_with : int
        The exit code of a refusal.
    refusal_as_json : bool
        Whether ``--json`` prints a refusal too: its code, what is wrong, what to do.
    """

    refused_with: ClassVar[int] = 1
    refusal_as_json: ClassVar[bool] = False

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command, from a terminal or from a program.

        Raises
        ------
        CommandError
            What refused it, in its words.
        """
        try:
            return super().execute(*args, **options)
        except DefinitionError as error:
            raise CommandError(str(error), returncode=self.refused_with) from error
        except PrivacyError as error:
            if self.refusal_as_json and options["json"]:
                record = {"error": error.code, "message": error.message, "remedy": error.remedy}
                self.stdout.write(json.dumps(record))
            raise CommandError(sentences(error), returncode=self.refused_with) from error
