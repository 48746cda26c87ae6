"""A refusal of the core, a service or a definition ends a command with its message and exit code."""

import json
from io import StringIO
from typing import Any, ClassVar

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import CommandError

from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError, sentences
from surveys.management.refusing_command import OneSentenceCommand, RefusingCommand
from surveys.questionnaire.document import DefinitionError

REFUSALS = [
    PrivacyError("truth_probability.zero", 0, block="drugs", scale=10_000),
    SurveyError("regression.cells", cells=9, most=4),
    DefinitionError.at("blocks[0]", "regression.cells", cells=9, most=4),
]


class _Plain(RefusingCommand):
    requires_system_checks: ClassVar[list[str]] = []

    def __init__(self, refusal: Exception) -> None:
        self.said = StringIO()
        super().__init__(stdout=self.said)
        self.refusal = refusal

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        raise self.refusal


class _AsJson(_Plain):
    error_returncode = 2
    errors_as_json = True


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_command_prints_the_refusal_and_exits_with_its_code(
    refusal: PrivacyError | DefinitionError,
) -> None:
    command = _Plain(refusal)
    with pytest.raises(CommandError) as ended:
        call_command(command, "--json")
    said = str(refusal) if isinstance(refusal, DefinitionError) else sentences(refusal)
    assert (str(ended.value), ended.value.returncode) == (said, 1)
    assert command.said.getvalue() == ""


@pytest.mark.parametrize("refusal", REFUSALS[:2])
def test_a_command_can_set_its_exit_code_and_print_the_refusal_as_json(refusal: PrivacyError) -> None:
    command = _AsJson(refusal)
    with pytest.raises(CommandError) as ended:
        call_command(command, "--json")
    assert (str(ended.value), ended.value.returncode) == (sentences(refusal), 2)
    told = json.loads(command.said.getvalue())
    assert told == {"error": refusal.code, "message": refusal.message, "remedy": refusal.remedy}


def test_program_errors_are_not_turned_into_command_errors() -> None:
    with pytest.raises(ZeroDivisionError):
        call_command(_Plain(ZeroDivisionError()))


OURS = sorted(name for name, app in get_commands().items() if app in ("surveys", "anonymisation"))


@pytest.mark.parametrize("name", OURS)
def test_each_command_refuses_wrong_arguments_in_one_sentence(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, OneSentenceCommand)
    command._called_from_command_line = True
    parser = command.create_parser("sottovoce", name)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--banana"])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("sottovoce: ")
    assert line.endswith(f". To list the arguments, type: sottovoce {name} --help")


def test_programs_that_call_a_command_get_its_error() -> None:
    with pytest.raises(CommandError, match="required: URL"):
        call_command("watch", "--banana")
