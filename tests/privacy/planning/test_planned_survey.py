"""Surveys that are given by numbers: the design that they stand for, and what is refused."""

from __future__ import annotations

import pytest

from privacy.planning.planned_survey import PlannedSurvey
from tests.fixtures.refusals import refused


def planned(**changes: object) -> PlannedSurvey:
    given: dict[str, object] = {
        "truth_probability": 5000,
        "unrelated": 5000,
        "block_sizes": (3, 2),
        "prevalence": 2000,
    }
    return PlannedSurvey(**(given | changes))  # type: ignore[arg-type]  # some are wrong on purpose


def test_each_block_may_have_its_own_prevalence() -> None:
    survey = planned(prevalence=(3000, 500))
    assert [len(block.questions) for block in survey.design().blocks] == [3, 2]
    assert list(survey.stated().values()) == [[3000]] * 3 + [[500]] * 2
    assert planned(prevalence=(2000, 2000)).stated() == planned().stated()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"truth_probability": 0}, "truth_probability"),
        ({"truth_probability": 10_000}, "truth_probability"),
        ({"unrelated": 0}, "unrelated_probability"),
        ({"prevalence": 10_000}, "prevalence"),
        ({"prevalence": (2000, 0)}, "prevalence"),
        ({"prevalence": (2000, 1000, 500)}, "prevalence"),
        ({"prevalence": ()}, "prevalence"),
        ({"block_sizes": ()}, "block_sizes"),
        ({"block_sizes": (0,)}, "block_sizes"),
        ({"block_sizes": (60, 1)}, "block_sizes"),
        ({"block_sizes": "3"}, "block_sizes"),
    ],
)
def test_surveys_that_cannot_be_planned_are_refused(changes: dict[str, object], code: str) -> None:
    with refused(code):
        planned(**changes)
