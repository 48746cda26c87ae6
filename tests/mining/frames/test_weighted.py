"""Itemsets and rules of weighted rows match a hand calculation where nothing is disguised."""

import pandas
import pytest

from mining.frames.printed_columns import MEASURES
from mining.frames.survey import Survey

PEOPLE = pandas.DataFrame({"a": [1, 1, 1, 0] * 30, "b": [1, 1, 0, 0] * 30, "w": [1.0, 2.0, 3.0, 4.0] * 30})
REPORTS = Survey(blocks={"x": ["c"]}, p=0.5, open=["a", "b"]).on(
    PEOPLE.assign(c=[0, 1] * 60), weights="w"
)  # fmt: skip


def test_weighted_itemsets_are_weighted_shares() -> None:
    table = REPORTS.supports(min=0.25, size=2).support
    shares = {name: table[name] for name in ("a", "b", "a & b")}
    assert shares == pytest.approx({"a": 0.6, "b": 0.3, "a & b": 0.3})


def test_weighted_rules_are_ratios_of_weighted_shares() -> None:
    rule = REPORTS.rules(min=0.25, size=2).loc[("a", "b")]
    assert [rule[name] for name in ("support", *MEASURES)] == pytest.approx(
        [0.3, 0.3 / 0.6, 0.3 / (0.6 * 0.3), 0.3 - 0.6 * 0.3]
    )
    assert rule.p_value < 0.001
    none = REPORTS.rules(min=0.25, size=2, lift=5)
    assert none.empty
