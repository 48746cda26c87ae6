"""Advice for a run without rules names what hides them, the surest change first."""

from types import SimpleNamespace
from typing import Any

import pytest

from mining.thresholds import Sides, Thresholds
from surveys.report.rules.no_rules import advice_without_rules

LONGER = "Allow itemsets of at least 2 items. A rule needs at least one item on each side."
NO_PAIR = "Publish a questionnaire with at least two questions that can be asked."
SIDES = "Allow more questions before or after the arrow."


@pytest.mark.parametrize(
    ("thresholds", "permitted", "itemsets", "advice"),
    [
        (Thresholds(support=0.02, max_size=1), 0, 4, [LONGER]),
        (Thresholds(support=0.02, sides=Sides(antecedent=(2,), consequent=(2,))), 0, 4, [SIDES]),
        (
            Thresholds(support=0.9),
            0,
            4,
            [NO_PAIR],
        ),
        (Thresholds(support=0.9, confidence=1), 6, 0, ["Lower the support, now from 0.9."]),
        (
            Thresholds(support=0.02, confidence=1, lift=50),
            6,
            4,
            [
                "Lower or remove the threshold: confidence from 1, lift from 50.",
                "Lower the support, now from 0.02.",
            ],
        ),
        (
            Thresholds(support=0.001, confidence=0),
            6,
            4,
            ["Wait for more answers. With these, no rule can be distinguished from random noise."],
        ),
    ],
)
def test_the_advice_names_the_threshold_that_hides_rules(
    thresholds: Thresholds, permitted: int, itemsets: int, advice: list[str]
) -> None:
    run: Any = SimpleNamespace(summary={"inference": {"family": {"lift": permitted}}, "itemsets": itemsets})
    assert list(advice_without_rules(run, thresholds)) == advice
