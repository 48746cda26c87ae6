"""Answers that are stored as given and make people unique."""

import pytest

from surveys.questionnaire.aim import Aim
from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import (
    choose,
    findings_of,
    protected,
    unprotected,
    yes_no,
)

pytestmark = pytest.mark.django_db


def test_open_questions_that_make_many_respondents_unique_trigger_a_warning() -> None:
    you = unprotected("you", choose("a", 20), choose("b", 20), choose("c", 10))
    (found,) = findings_of(you, protected("b1", yes_no("lie")), aim=Aim(people=1000))
    # 1000 (1 - 1/4000)^999 = 779.
    assert (found.code, found.level) == ("unique_open", Level.WARN)
    assert "(“Which?”) have 4,000 combinations" in found.message
    assert "of 1,000 people, about 779" in found.message
    assert "answers directly" not in found.message
    # 1000 (1 - 1/C)^999 is at most 50 up to C = 333.
    assert "up to 333 combinations" in found.remedy
    (found,) = findings_of(
        you, protected("b1", yes_no("lie")), group={"policy": "choice"}, aim=Aim(people=1000)
    )
    assert "answers directly" in found.message


def test_a_few_coarse_open_questions_pass() -> None:
    you = unprotected("you", choose("a", 5), choose("b", 5))
    assert findings_of(you, protected("b1", yes_no("lie"))) == []
