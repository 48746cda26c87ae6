"""Groups of respondents by the arms that devices drew."""

from dataclasses import replace

import pytest

from privacy.survey.design import STRENGTH
from surveys.questionnaire.arm_groups import MOST_GROUPS, choices_of_arms
from tests.vectors.designs import CHOICE, live, shielded, yes_no

PART = shielded("b", 5000, yes_no("q", 5000))


def test_a_survey_without_an_experiment_has_no_groups() -> None:
    assert choices_of_arms(live(PART)) == {}


def test_drawn_strengths_are_two_groups_with_their_shares() -> None:
    design = live(PART, group=replace(CHOICE, policy="assigned", direct_share=2500))
    groups = choices_of_arms(design)[STRENGTH]
    assert [(each.name, each.direct, each.share, each.strata) for each in groups] == [
        ("strong", False, pytest.approx(0.75), (False, True)),
        ("direct", True, pytest.approx(0.25), (True, False)),
    ]
    assert MOST_GROUPS == 8
