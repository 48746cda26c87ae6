"""Random rows that differ too much from true ones."""

import re

import pytest

from privacy.risk.prior import independent
from privacy.risk.reidentification import reidentification
from privacy.risk.row_distribution import row_distribution
from surveys.policy import MOST_COMPARED
from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import (
    choose,
    findings_of,
    protected,
    survey_of,
    yes_no,
)

pytestmark = pytest.mark.django_db


def test_unlikely_expected_prevalences_trigger_a_warning_naming_the_worst() -> None:
    # With ten items of prevalence .1 and p = theta = 1/2, 73.6% of true rows are recognised.
    asked = [yes_no(f"q{n}", prevalence=1000) for n in range(9)] + [yes_no("rare", prevalence=800)]
    (found,) = [one for one in findings_of(protected("b", *asked)) if one.code == "far_from_expected"]
    assert found.level is Level.WARN
    assert found.path == "blocks[0].questions[9]"
    block = survey_of(protected("b", *asked)).design.blocks[0]
    prevalence = {question["key"]: question["prevalence"] for question in asked}
    share = reidentification(row_distribution(independent(block, prevalence))).truthful[-1]
    assert f"{100 * share:.0f} of 100" in found.message
    assert "rare" in found.message


def test_the_suggested_p_is_the_largest_that_passes() -> None:
    asked = [yes_no(f"q{n}", prevalence=500) for n in range(6)]
    (found,) = [one for one in findings_of(protected("b", *asked, p=3000)) if one.code == "far_from_expected"]
    share = float(re.fullmatch(r"set p to at most (.*)%, or ask fewer .*", found.remedy)[1])  # type: ignore[index]
    for p, passes in ((round(100 * share), True), (round(100 * share) + 1, False)):
        codes = [one.code for one in findings_of(protected("b", *asked, p=p))]
        assert ("far_from_expected" not in codes) is passes
    (one,) = [one for one in findings_of(protected("b", asked[0], p=9990)) if one.code == "far_from_expected"]
    assert "because random answers to “Did you ever q0?” are not as common as" in one.message


@pytest.mark.soak
def test_too_many_random_answers_are_reported_and_not_compared() -> None:
    """The limit comes first: with one more question, nothing is compared, however unlikely."""

    asked = [yes_no(f"q{n}", prevalence=1000) for n in range(MOST_COMPARED + 1)]
    blocks = [protected(f"b{n}", *asked[n : n + 10]) for n in range(0, MOST_COMPARED + 1, 10)]

    codes = [one.code for one in findings_of(*blocks[:-1])]
    assert codes.count("far_from_expected") == MOST_COMPARED / 10
    assert "not_compared" not in codes
    found = findings_of(*blocks)
    assert "far_from_expected" not in [one.code for one in found]
    (told,) = [one for one in found if one.code == "not_compared"]
    assert (told.level, told.path) == (Level.WARN, "")
    assert (
        f"draws {MOST_COMPARED + 1} independently, and at most {MOST_COMPARED} can be compared"
        in told.message
    )


def test_a_single_choice_counts_once_and_a_multiple_choice_per_option() -> None:
    def codes(kind: str) -> list[str]:
        shares = [1000] * 10
        asked = [
            {**choose(f"q{n}", 10), "kind": kind, "prevalence": shares, "unrelated": shares}
            for n in range(MOST_COMPARED // 10 + 1)
        ]
        return [one.code for one in findings_of(protected("b", *asked, p=1000))]

    assert "not_compared" not in codes("single")
    assert "not_compared" in codes("multi")
