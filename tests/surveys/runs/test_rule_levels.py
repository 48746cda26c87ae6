"""The planned pair has plain intervals; other rules have those of the listed rules."""

from types import SimpleNamespace
from typing import Any

import pytest

from surveys.runs import rule_levels
from surveys.runs.rule_levels import levels_of


def test_a_planned_rule_has_95_percent_and_others_what_the_run_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rule_levels, "planned_sides", lambda _run: ("a", "b"))
    run: Any = SimpleNamespace(summary={"inference": {"rule_level": 0.99, "itemset_level": 0.98}})

    def of(antecedent: str, consequent: str) -> tuple[float, float]:
        rule: Any = SimpleNamespace(antecedent=antecedent, consequent=consequent)
        return levels_of(run, rule)

    assert of("a", "b") == (0.95, 0.95)
    assert of("a", "c") == of("b", "a") == levels_of(run) == (0.99, 0.98)
