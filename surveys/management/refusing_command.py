"""End a command with the message of an error or of wrong arguments, what to do, and an exit code."""

from __future__ import annotations

import json
from typing import Any, ClassVar, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from privacy.errors import PrivacyError
from surveys.errors.error import sentences
from surveys.errors.typed_commands import as_typed
from surveys.questionnaire.document import DefinitionError


class _OneSentenceParser(CommandParser):
    """Refuse arguments in one sentence. ``--help`` prints the usage."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, without the usage, and exit with 2; for programs, raise an error."""
        if not self.called_from_command_line:
            super().error(message)
        help_words = as_typed(f"To list the arguments, type: sottovoce {self.prog.split()[-1]} --help")
        self.exit(2, f"sottovoce: {message.rstrip('.')}. {help_words}\n")


class OneSentenceCommand(BaseCommand):
    """Command that refuses wrong arguments in one sentence."""

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        """Return the parser of the command's arguments."""
        parser = super().create_parser(prog_name, subcommand, **options)
        parser.__class__ = _OneSentenceParser
        return parser


class RefusingCommand(OneSentenceCommand):
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
        self.stdout.write(json.dumps(record) if as_json else as_typed("\n".join(lines)))

    def _say(self, text: str) -> None:
        """Print a line immediately, even to a pipe."""
        self.stdout.write(as_typed(text))
        self.stdout.flush()
