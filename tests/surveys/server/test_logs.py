"""Log lines as JSON: with a time for staff actions, without one if the line could be about an answer."""

from __future__ import annotations

import ast
import json
import logging
import logging.config
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from surveys.server.logs import TIMED, JsonLines, is_timed
from tests.conftest import ROOT
from tests.reach import APPS

# All that is done because an answer came, or because a hundredth one did.
OF_RESPONDENTS = ("surveys.intake", "surveys.respondent", "surveys.rows")
BECAUSE_OF_A_MIX = ("surveys.sweeper", "surveys.jobs.dispatch", "surveys.rows.column_cache", "surveys.tasks")


def line(name: str, **more: Any) -> dict[str, str]:
    record = logging.LogRecord(name, logging.WARNING, __file__, 1, "said %s", ("this",), more.get("exc_info"))
    text = JsonLines().format(record)
    assert "\n" not in text
    found: dict[str, str] = json.loads(text)
    return found


def loggers_of_the_program() -> set[str]:
    """Names of the modules that make a logger of their own."""
    found = set()
    for path in (path for app in APPS for path in (ROOT / app).rglob("*.py")):
        if any(
            isinstance(node, ast.Attribute) and node.attr == "getLogger"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        ):
            found.add(".".join(path.relative_to(ROOT).with_suffix("").parts))
    return found


def test_a_line_of_the_staffs_work_has_the_time() -> None:
    before = datetime.now(UTC)
    said = line("surveys.jobs.lease")
    assert abs((datetime.fromisoformat(said.pop("time")) - before).total_seconds()) < 60
    assert said == {"level": "warning", "logger": "surveys.jobs.lease", "message": "said this"}


@pytest.mark.parametrize("name", [*OF_RESPONDENTS, *BECAUSE_OF_A_MIX, "django.request", "celery", "root", ""])
def test_a_line_that_an_answer_may_be_behind_has_none(name: str) -> None:
    for logger in (name, f"{name}.anything"):
        assert set(line(logger)) == {"level", "logger", "message"}


@pytest.mark.slow
def test_every_logger_of_the_program_was_thought_of() -> None:
    names = loggers_of_the_program()
    timed = {name for name in names if is_timed(name)}
    assert timed == {
        "surveys.accounts.openid",
        "surveys.runs.fan_out",
        "surveys.runs.mining_job",
        "surveys.estimates.places",
        "surveys.authoring.lifecycle",
        "surveys.jobs.lease",
        "surveys.jobs.workers",
        "surveys.server.alerts",
    }
    assert names - timed == {
        "surveys.jobs.dispatch",
        "surveys.rows.column_cache",
        "surveys.sweeper",
        "surveys.tasks",
    }
    assert not [name for name in TIMED if name.startswith((*OF_RESPONDENTS, *BECAUSE_OF_A_MIX))]


def test_a_fault_is_one_line_with_its_trace() -> None:
    try:
        raise ValueError("planted\nfault")
    except ValueError:
        said = line("surveys.sweeper", exc_info=sys.exc_info())
    assert "ValueError: planted\nfault" in said["trace"]
