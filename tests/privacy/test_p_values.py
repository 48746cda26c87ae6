"""A p-value has its test, n and adjustment, and is not printed where there are too few rows."""

import dataclasses
import math
from typing import get_args

import numpy as np
import pytest

from mining.three_way import ThreeWay
from privacy.estimation.arm_effects import GroupSums, arm_effects
from privacy.estimation.comparison import compare
from privacy.estimation.draw_tests import DrawTest
from privacy.estimation.joined_rows import JoinedRows
from privacy.library.two_samples import extended_crosswise, list_experiment
from privacy.p_values import TESTS, PValue, PValues, TestName, split_columns
from privacy.printed import CHECKED


def p_value(**changes: object) -> PValue:
    fields = {
        "value": 0.04, "test": "no difference", "n": 300, "estimable": True, "adjustment": "none",
        "family": 1, "origin": CHECKED,
    }  # fmt: skip
    return PValue(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [PValue, PValues])
def test_no_part_of_a_p_value_can_be_forgotten(kind: type) -> None:
    fields = dataclasses.fields(kind)
    assert {own.name for own in fields} == {
        "value", "test", "n", "estimable", "adjustment", "family", "origin",
    }  # fmt: skip
    for own in fields:
        assert own.default is dataclasses.MISSING
        assert own.default_factory is dataclasses.MISSING
    assert get_args(TestName) == tuple(TESTS)


def test_a_p_value_of_too_few_rows_is_not_printed() -> None:
    assert (p_value().printed, p_value().basis) == (0.04, "test")
    few = p_value(estimable=False)
    assert math.isnan(few.printed)
    assert few.basis == "too few"
    assert p_value(value=math.nan).basis == "too few"


def test_columns_of_a_table_keep_what_holds_for_their_p_values() -> None:
    own = PValues(
        value=np.array([0.01, 0.2]), test="lift above 1", n=np.array([40, 900]), estimable=True,
        adjustment="Benjamini-Yekutieli", family=1_200, origin=CHECKED,
    )  # fmt: skip
    columns, tests = split_columns({"lift": np.ones(2), "adjusted": own})
    assert columns["adjusted"].tolist() == [0.01, 0.2]
    assert tests["adjusted"]["n"] == [40, 900]
    assert tests["adjusted"]["words"].endswith(
        ", n = 40 to 900, adjusted by Benjamini-Yekutieli for 1,200 tests"
    )
    again = own.at(np.array([1, 1, 0]), estimable=np.array([True, False, True]))
    assert again.printed[[0, 2]].tolist() == [0.2, 0.01]
    assert np.isnan(again.printed[1])
    assert np.asarray(again.n).tolist() == [900, 900, 40]
    none = PValues(
        value=np.empty(0), test="lift above 1", n=np.empty(0), estimable=True, adjustment="none", family=1,
        origin=CHECKED,
    )  # fmt: skip
    assert none.about["n"] == [0, 0]


def test_each_test_of_the_core_states_its_rows() -> None:
    rows = JoinedRows(
        counts=np.array([3, 1, 1, 3]), n_direct=0, n_protected=8, smallest_cell=1,
        scores=np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]),
    )  # fmt: skip
    few = compare(rows)
    # Fewer than 30 rows have no figure, and no test of it.
    assert (few.test.n, few.test.basis, few.p_value > 0.1) == (8, "too few", True)
    groups = [
        GroupSums.of(np.ones((1, 200)), (np.arange(200.0)[None] < yes).astype(float)) for yes in (40, 60)
    ]
    found = arm_effects(groups, [[0]], withheld=1)
    alone, adjusted = found.tests(n=[400], family=2, origin=CHECKED)
    assert adjusted.printed[0] == pytest.approx(2 * alone.printed[0])
    assert (adjusted.adjustment, adjusted.family, alone.adjustment) == ("Holm", 2, "none")
    joint = found.joint_test(n=400, origin=CHECKED)
    assert joint.printed == found.joint.p_value
    unknown = dataclasses.replace(found, joint=dataclasses.replace(found.joint, p_value=None))
    assert unknown.joint_test(n=400, origin=CHECKED).basis == "too few"
    assert ThreeWay(mean=None, p_value=math.nan, tested={}).test.basis == "too few"
    skip = DrawTest(about="skip", key="b", n=500, p_value=0.3).test
    assert (skip.test, skip.n, skip.printed) == ("skips", 500, 0.3)
    (crosswise,) = extended_crosswise((100, 300), (150, 300), p=0.25).tests
    assert crosswise.test.words().endswith(
        "(likelihood-ratio test that both samples have the same share, n = 600)"
    )
    lowers, _, both = list_experiment([50, 50], [40, 50, 10]).tests
    assert (lowers.test.adjustment, lowers.test.family, both.test.family) == ("Bonferroni", 1, 2)


def test_a_method_names_the_test_and_the_tests_that_it_allows_for() -> None:
    assert p_value().method == TESTS["no difference"]
    assert p_value(adjustment="holm", family=1200).method == (
        f"{TESTS['no difference']}, adjusted by holm for 1,200 tests"
    )
