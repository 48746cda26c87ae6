from __future__ import annotations

import pytest

from surveys.models import RuleRow
from surveys.report.rules.measures import true_measures

pytestmark = pytest.mark.django_db


def test_true_measures_are_computed_from_true_shares() -> None:
    row = RuleRow(truth=0.1, truth_antecedent=0.2, truth_consequent=0.4)
    assert true_measures(row) == pytest.approx(
        {"support": 0.1, "confidence": 0.5, "lift": 1.25, "leverage": 0.02, "conviction": 1.2}
    )
    assert true_measures(RuleRow()) == {}


@pytest.mark.parametrize(
    ("truth", "before", "after", "missing"),
    [
        (0.0, 0.0, 0.4, {"confidence", "lift", "conviction"}),
        (0.2, 0.2, 0.4, {"conviction"}),
        (0.0, 0.2, 0.0, {"lift"}),
    ],
)
def test_true_measures_with_a_zero_denominator_are_omitted(
    truth: float, before: float, after: float, missing: set[str]
) -> None:
    row = RuleRow(truth=truth, truth_antecedent=before, truth_consequent=after)
    assert {"support", "confidence", "lift", "leverage", "conviction"} - set(true_measures(row)) == missing
