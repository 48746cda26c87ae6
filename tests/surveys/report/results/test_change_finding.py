"""The sentence about a change, for each kind of interval."""

from dataclasses import replace
from typing import Any

import pytest

from privacy.estimation.composed_parts import Side
from privacy.printed import CHECKED, Measured
from surveys.report.results.change_finding import change_finding, is_clear_change
from surveys.report.results.choice import Choice
from surveys.report.sentences.findings import phrase_of

CHEATED = Choice(
    key="cheat", name="cheat", phrase=phrase_of("cheat", is_named=True), group="", side=Side(items=(0,))
)
CHANGE = Measured(
    value=0.0, low=-0.2, high=0.3, standard_error=0.05, estimable=True, n=500, effective_n=500.0, level=0.95,
    possible=(-1.0, 1.0), method="ratio", shift=0.0, origin=CHECKED,
)  # fmt: skip


@pytest.mark.parametrize(("given", "said"), [
    ({"low": 0.02, "high": 0.14, "value": 0.08}, "The change is 8.0 points (2.0 to 14.0). It is clear."),
    ({"low": -0.04, "high": 0.05, "value": 0.0}, "A change of more than 5 points is ruled out"),
    ({"low": -0.2, "high": 0.3, "value": 0.0}, "in each survey would be enough to find a change of"),
    ({"estimable": False}, "too few answers"),
    ({"low": 0.02, "high": 0.14, "value": 0.08, "shift": 0.05}, "forged answers"),
    ({"low": -0.2, "high": 0.3, "value": 0.0, "shift": None}, "in each survey would be enough"),
    ({"low": -0.04, "high": 0.05, "value": 0.0, "shift": None}, "could have made it smaller or larger"),
    ({"low": -0.14, "high": -0.02, "value": -0.5}, "It is clear."),
])  # fmt: skip
def test_the_finding_says_what_the_interval_allows(given: dict[str, Any], said: str) -> None:
    change = replace(CHANGE, **given)
    sentence = change_finding(change, CHEATED).sentence
    assert said in sentence
    assert is_clear_change(change) == ("clear" in said)
    assert "%(" not in sentence


def test_people_who_answered_both_times_are_not_counted_in_each_survey() -> None:
    sentence = change_finding(CHANGE, CHEATED, same_people=True).sentence
    assert "more people would be enough to find a change of" in sentence
    assert "in each survey" not in sentence
