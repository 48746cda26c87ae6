"""The floors of a comparison are those of a run's figures."""

from __future__ import annotations

import pytest

from privacy.estimation.composed_parts import Part, Side
from privacy.scales.planar_mechanisms import cells_of
from surveys.errors.error import SurveyError
from surveys.estimates.groups import compared
from surveys.rows.releasable_rows import rows_behind
from tests.fixtures.runs import answered, mined
from tests.fixtures.scale_runs import CARE, HOURS, scale_answered

pytestmark = pytest.mark.django_db


def test_a_comparison_of_items_has_the_confidence_and_the_lift_of_their_rule() -> None:
    run = mined(answered(900))
    design = run.design
    by, outcome = (next(item.index for item in design.items if item.key == key) for key in ("late", "cheat"))
    found = compared(run, Side(items=(by,)), Side(items=(outcome,)))
    (rule,) = run.rules.filter(antecedent=f",{by},", consequent=f",{outcome},")
    assert (found.having.value, found.lift.value) == pytest.approx((rule.confidence, rule.lift))
    assert (found.having.low, found.having.high) == pytest.approx((rule.confidence_low, rule.confidence_high))
    assert found.n == rule.n
    assert rows_behind(run).n == found.n_used


def test_a_few_people_at_exact_places_are_not_told() -> None:
    run = mined(scale_answered(400))
    windows = run.design.questions[CARE].disguise
    # A rectangle outside the sensitive places that contains no one.
    corner = cells_of(windows.area, {"west": 118.715, "south": 32.017, "east": 118.72, "north": 32.02})
    hours = Side(parts=(Part(question=HOURS, wanted=(5, 7)),))
    with pytest.raises(SurveyError) as refused:
        compared(run, Side(parts=(Part(question=CARE, wanted=(corner,)),)), hours)
    assert refused.value.case == "too_few.inside"
