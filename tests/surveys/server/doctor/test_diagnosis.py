"""The doctor runs every check, even if one fails, and the command reports the results."""

import importlib
import io
import json
import pkgutil
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import OperationalError

from surveys.management.commands import doctor as command
from surveys.server import doctor as doctor_package
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, examine, failure, ok, warning
from tests.fixtures.databases import execute, first_release
from tests.surveys.server.doctor.conftest import Doctor


def fine(_context: CheckContext) -> Iterator[Diagnosis]:
    yield ok("it is fine", "it is")


def odd(_context: CheckContext) -> Iterator[Diagnosis]:
    yield warning("it is even", "it is odd", "Make it even.")


def bad(_context: CheckContext) -> Iterator[Diagnosis]:
    yield failure("it is good", "it is bad", "Make it good.")


def unreachable(_context: CheckContext) -> Iterator[Diagnosis]:
    raise ConnectionRefusedError("nobody there")
    yield


def printed(monkeypatch: pytest.MonkeyPatch, checks: tuple[object, ...], *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(command.Command, "checks", checks)
    monkeypatch.setattr(command, "extensions", lambda: ())
    output = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", *arguments, stdout=output)
    return int(str(ended.value.code)), output.getvalue()


def test_a_failing_check_is_reported_and_the_next_checks_run(doctor: Doctor) -> None:
    found = list(examine(doctor.context, (unreachable, fine)))
    assert [(finding.promise, finding.level.name) for finding in found] == [
        ("unreachable", "ERROR"),
        ("it is fine", "OK"),
    ]
    assert found[0].seen == "the check failed: nobody there"


@pytest.mark.django_db
def test_a_missing_table_is_reported_with_the_migrate_command(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tableless(_context: CheckContext) -> Iterator[Diagnosis]:
        raise OperationalError("no such table: surveys_beat")
        yield

    (found,) = examine(doctor.context, (tableless,))
    assert found.remedy == "Fix the error above, then run sottovoce doctor again."
    with monkeypatch.context() as patch:
        first_release(patch)
        (found,) = examine(doctor.context, (tableless,))
    assert found.remedy == "Run sottovoce migrate, then run sottovoce doctor again."
    execute("DROP TABLE surveys_wave")
    (found,) = examine(doctor.context, (tableless,))
    assert found.remedy == "Do first what this report says about the schema."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("checks", "code"), [((fine,), 0), ((fine, odd), 1), ((odd, bad, fine), 2), ((unreachable,), 2)]
)
def test_the_exit_code_reflects_the_worst_finding(
    checks: tuple[object, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert printed(monkeypatch, checks)[0] == code
    assert printed(monkeypatch, checks, "--json")[0] == code


@pytest.mark.django_db
def test_each_line_states_the_promise_the_finding_and_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, (fine, odd, bad))[1].splitlines() == [
        "     OK  it is fine: it is",
        "WARNING  it is even: it is odd",
        "         -> Make it even.",
        "  ERROR  it is good: it is bad",
        "         -> Make it good.",
        "1 OK, 1 warning, 1 error",
    ]


@pytest.mark.django_db
def test_json_output_contains_the_same_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    report = json.loads(printed(monkeypatch, (fine, bad), "--json")[1])
    assert report["level"] == "error"
    assert report["findings"][1] == {
        "promise": "it is good",
        "seen": "it is bad",
        "level": "error",
        "remedy": "Make it good.",
    }


def test_every_list_of_checks_is_part_of_the_diagnosis() -> None:
    names = [found.name for found in pkgutil.iter_modules(doctor_package.__path__)]
    modules = [importlib.import_module(f"surveys.server.doctor.{name}") for name in names]
    listed = [held for module in modules for name, held in vars(module).items() if name.endswith("CHECKS")]
    assert len(listed) == 11
    every = [check for checks in listed for check in checks]
    assert len(command.CHECKS) == len(every)
    assert set(command.CHECKS) == set(every)
