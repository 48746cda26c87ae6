from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mining.itemset_table import ItemsetTable
from mining.rules import NO_RULE
from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimates import estimates
from privacy.policy import FEW_ROWS
from surveys.runs.result_columns import (
    RuleTests,
    _errors,
    itemset_columns,
    itemset_test_columns,
    or_null,
    rule_columns,
    rule_test_columns,
    shows_groups,
)
from tests.vectors.designs import assigned, live, shielded, yes_no


def test_numbers_without_a_value_are_null_and_infinite_ones_stay() -> None:
    assert or_null([0.5, math.nan, math.inf]) == [0.5, None, math.inf]
    assert or_null(np.array([0.5, 2.0]), [False, True]) == [None, 2.0]


DESIGN = live(shielded("a", 5000, yes_no("x", 5000)), group=assigned(2700))
ASKED = DESIGN.asked_column(0)
COUNTS = SupportCounts({(): (40, 100), (0,): (30, 60), (ASKED,): (40, 100), (0, ASKED): (30, 60)})
"""Of 40 direct people, 30 have x; of 100 others, 60 sent x, which is 2 (.6 - .25) = .7."""


def table_of(**interval: object) -> ItemsetTable:
    known = {"low": np.array([0.6]), "high": np.array([0.8]), "estimable": np.array([True])} | interval
    return ItemsetTable(
        itemsets=((0,),),
        estimates=estimates(COUNTS, [(0,)], DESIGN),
        intervals_of=lambda _itemsets: SimpleNamespace(**known),  # type: ignore[arg-type,return-value]
    )


def columns_of(table: ItemsetTable, least_direct: int = 40, **truth: float) -> dict[str, object]:
    true = {(0,): truth["x"]} if truth else {}
    return {
        name: values[0]
        for name, values in itemset_columns(
            table, COUNTS, DESIGN, least_direct=least_direct, truth=true
        ).items()
    }


def test_an_itemset_states_its_support_by_each_estimator_and_group() -> None:
    """Pooled, 90 of 140 rows are 1/4 of 100 decoys and x in the other 90: (90 - 25) / 90."""
    found = columns_of(table_of())
    assert (found["size"], found["n"], found["support_low"], found["support_high"]) == (1, 140, 0.6, 0.8)
    assert (found["direct"], found["protected"]) == pytest.approx((0.75, 0.7))
    assert found["support"] == found["stratified"] == pytest.approx((40 * 0.75 + 100 * 0.7) / 140)
    assert found["pooled"] == pytest.approx(65 / 90)
    assert found["protected_se"] == pytest.approx(2 * math.sqrt(0.6 * 0.4 / 99), rel=0.01)
    assert (found["few_rows"], found["truth"]) == (False, None)
    assert found["error"] == pytest.approx(math.sqrt(2 / math.pi) * found["support_se"])  # type: ignore[operator]


def test_a_known_truth_gives_the_error_and_an_unknown_interval_none() -> None:
    found = columns_of(table_of(estimable=np.array([False])), x=0.8)
    assert (found["truth"], found["support_low"], found["support_high"]) == (0.8, None, None)
    assert found["error"] == pytest.approx(0.8 - 100 / 140)
    assert columns_of(table_of(), x=0.7)["error"] == pytest.approx(100 / 140 - 0.7)


def test_groups_are_shown_if_enough_people_were_direct_and_some_were_not() -> None:
    table = table_of()
    assert [shows_groups(table, least).tolist() for least in (40, 41)] == [[True], [False]]
    hidden = columns_of(table, least_direct=41)
    assert [hidden[name] for name in ("direct", "protected", "pooled", "stratified_se")] == [None] * 4
    nobody = SimpleNamespace(n_direct=np.array([40]), n_protected=np.array([0]))
    assert shows_groups(SimpleNamespace(estimates=nobody), 10).tolist() == [False]  # type: ignore[arg-type]
    someone = SimpleNamespace(n_direct=np.array([40]), n_protected=np.array([1]))
    assert shows_groups(SimpleNamespace(estimates=someone), 10).tolist() == [True]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("having", "few"), [(FEW_ROWS - 1, True), (FEW_ROWS, False), (100 - FEW_ROWS + 1, True)]
)
def test_few_rows_with_or_without_an_itemset_are_marked(having: int, few: bool) -> None:
    counts = SupportCounts({(): (0, 100), (0,): (0, having), (ASKED,): (0, 100), (0, ASKED): (0, having)})
    table = replace(table_of(), estimates=estimates(counts, [(0,)], DESIGN))
    found = itemset_columns(table, counts, DESIGN, least_direct=1, truth={})
    assert found["few_rows"] == [few]


def measure(*values: float, estimable: tuple[bool, ...] = (True, True)) -> SimpleNamespace:
    """Return estimates whose ends are .1 and .2 away and whose errors are .05."""
    of = np.array(values)
    return SimpleNamespace(
        value=of, low=of - 0.1, high=of + 0.2, standard_error=np.full(2, 0.05), estimable=np.array(estimable)
    )


MEASURES_OF_TWO: Any = SimpleNamespace(
    n=np.array([140, 139]),
    few_rows=np.array([False, True]),
    support=measure(0.3, 0.2),
    confidence=measure(0.6, 0.5, estimable=(True, False)),
    lift=measure(1.5, math.inf),
    leverage=measure(0.1, 0.0),
    conviction=measure(1.2, math.nan, estimable=(True, False)),
)
SIDES = [((0,), (1,)), ((2,), (0, 1))]


def test_a_rule_states_its_measures_and_the_truth_of_itself_and_its_sides() -> None:
    truth = {(0, 1): 0.25, (0,): 0.5, (1,): 0.4}
    found = rule_columns(SIDES, MEASURES_OF_TWO, truth)
    assert (found["antecedent_size"], found["consequent_size"]) == ([1, 1], [1, 2])
    assert (found["n"], found["few_rows"]) == ([140, 139], [False, True])
    assert (found["truth"], found["truth_antecedent"], found["truth_consequent"]) == (
        [0.25, None],
        [0.5, None],
        [0.4, 0.25],
    )
    expected = 0.05 * math.sqrt(2 / math.pi)
    assert found["error"] == pytest.approx([0.05, expected])
    assert found["confidence"] == [0.6, 0.5]
    assert found["confidence_low"] == [pytest.approx(0.5), None]
    assert found["confidence_high"] == [pytest.approx(0.8), None]
    assert (found["lift"], found["conviction"]) == ([1.5, math.inf], [1.2, None])
    assert found["leverage_se"] == [0.05, 0.05]
    unknown = rule_columns(SIDES, MEASURES_OF_TWO, {})
    assert (unknown["truth"], unknown["error"]) == ([None] * 2, pytest.approx([expected] * 2))
    turned = [((1,), (0,)), ((0,), (1,))]
    assert rule_columns(turned, MEASURES_OF_TWO, {(0, 1): 0.25})["truth"] == [0.25, 0.25], "sorted"


def test_tests_of_rules_are_columns_with_none_for_what_was_not_tested() -> None:
    tests = RuleTests(
        p_values=np.array([0.01, 0.2]),
        adjusted=np.array([0.02, 0.2]),
        passes=np.array([True, False]),
        confidence_p_values=None,
        confidence_adjusted=None,
        measures=MEASURES_OF_TWO,
        shorter=[None, (2,)],
        flips=np.array([0, -1]),
        interest={"j": np.array([0.5, np.nan])},
        maximal=[True, False],
    )
    found = rule_test_columns(tests)
    assert (found["p_value"], found["p_adjusted"], found["passes"]) == (
        [0.01, 0.2],
        [0.02, 0.2],
        [True, False],
    )
    assert found["confidence_p_value"] == found["confidence_p_adjusted"] == [None, None]
    assert (found["flips"], found["maximal"]) == ([0, None], [True, False])
    assert found["redundant_by"] == ["", ",2,"]
    assert found["interest"] == [{"j": 0.5}, {"j": None}]
    assert found["confidence_low"] == [pytest.approx(0.5), None]
    assert found["confidence_high"] == [pytest.approx(0.8), None]
    assert found["lift_low"] == [pytest.approx(1.4), math.inf]
    assert found["lift_high"] == [pytest.approx(1.7), math.inf]
    tested = replace(
        tests, confidence_p_values=np.array([0.3, 0.4]), confidence_adjusted=np.array([0.6, 0.8])
    )
    found = rule_test_columns(tested)
    assert (found["confidence_p_value"], found["confidence_p_adjusted"]) == ([0.3, 0.4], [0.6, 0.8])


def test_the_tests_of_a_run_name_the_explaining_rule_and_the_maximal_itemsets() -> None:
    inference: Any = SimpleNamespace(
        result=SimpleNamespace(
            rules=SimpleNamespace(sides=SIDES), itemsets=SimpleNamespace(itemsets=[(0, 1), (0, 1, 2)])
        ),
        maximal=[False, True],
        confidence=None,
        lift=SimpleNamespace(p_values=np.array([0.01, 0.2]), adjusted=np.array([0.02, 0.3]), passes=None),
        rules=MEASURES_OF_TWO,
        explained_by=np.array([NO_RULE, 0]),
        fragility=np.array([1, 2]),
        interest={},
    )
    found = RuleTests.of(inference)
    assert (found.shorter, found.maximal) == ([None, (0,)], [False, True])
    assert (found.confidence_p_values, found.confidence_adjusted) == (None, None)
    inference.confidence = SimpleNamespace(p_values=np.array([0.5]), adjusted=np.array([0.7]))
    found = RuleTests.of(inference)
    assert (found.confidence_p_values, found.confidence_adjusted) == ([0.5], [0.7])


def test_tests_of_itemsets_have_no_ends_where_nothing_can_be_estimated() -> None:
    found = itemset_test_columns(
        MEASURES_OF_TWO.confidence, np.array([True, False]), np.array([True, True]), [0.5, None]
    )
    assert (found["low"], found["high"]) == ([pytest.approx(0.5), None], [pytest.approx(0.8), None])
    assert (found["maximal"], found["closed"], found["groups_p_value"]) == (
        [True, False],
        [True] * 2,
        [0.5, None],
    )


def test_the_error_is_the_absolute_distance_from_the_truth() -> None:
    values, errors = np.array([0.30, 0.50]), np.array([0.02, 0.02])
    assert _errors(values, errors, [0.4, 0.4]) == pytest.approx([0.1, 0.1])


def test_without_a_truth_the_error_is_the_expected_absolute_deviation() -> None:
    """E|N(0, s)| = s sqrt(2/pi) = .798 s. Without an error, there is no result."""
    expected = _errors(np.array([0.3, 0.3]), np.array([0.02, math.nan]), [None, None])
    assert expected[0] == pytest.approx(0.0159577, abs=1e-7)
    assert expected[1] is None
