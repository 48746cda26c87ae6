"""Facts of a run in words."""

from types import SimpleNamespace
from typing import Any

import pytest

from mining.thresholds import Sides, Thresholds
from surveys.models import Job, Run
from surveys.questionnaire.definition import definition_parse
from surveys.runs.run_words import direct_share, duration_text, requester, sides_text
from tests.fixtures.runs import alice, definition

pytestmark = pytest.mark.django_db


DESIGN = definition_parse(definition()).design


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, ""), (0.25, "250 ms"), (0.9994, "999 ms"), (1, "1.0 s"), (99.94, "99.9 s"), (100, "100 s")],
)
def test_durations_have_the_digits_that_matter(seconds: float | None, said: str) -> None:
    assert duration_text(seconds) == said


def test_the_share_of_direct_rows_is_empty_without_rows() -> None:
    rows = {"n": 800, "n_direct": 100}
    assert direct_share(Run(**rows)) == ".125"
    assert [direct_share(Run(**(rows | changes))) for changes in ({"n": 0}, {"n_direct": None})] == ["", ""]
    assert direct_share(Run(**(rows | {"n_direct": 0}))) == ".000"


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (Sides(), "all items on both sides"),
        (Sides(antecedent=(0, 1, 2)), "before: age, late"),
        (Sides(consequent=(4,), longest_consequent=1), "after: drink; at most 1 after the arrow"),
        (Sides(antecedent=(2,), consequent=(3, 4)), "before: late; after: cheat, drink"),
    ],
)
def test_the_allowed_sides_are_named_by_their_questions(sides: Sides, said: str) -> None:
    # Items: age=young, age=old, late, cheat, drink.
    run: Any = SimpleNamespace(thresholds=Thresholds(support=0.1, sides=sides), design=DESIGN)
    assert sides_text(run) == said


def test_a_job_without_an_account_came_from_the_command_line() -> None:
    assert requester(Job()) == "command line"
    assert requester(Job(requested_by=alice())) == "alice"
