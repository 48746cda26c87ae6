import numpy as np

from privacy.estimation import Estimates, MeasuredArray, RuleTable
from privacy.estimation.measures import blank_arrays, put_rows


def test_an_error_that_is_withheld_is_none() -> None:
    made = MeasuredArray(
        value=np.array([0.5, 2.0]),
        low=np.array([0.4, 0.0]),
        high=np.array([0.6, np.inf]),
        standard_error=np.array([0.05, np.nan]),
        estimable=np.array([True, False]),
    )
    assert (made[0].standard_error, made[1].standard_error) == (0.05, None)
    assert (made[0].estimable, made[1].estimable, made[1].high) == (True, False, np.inf)
    assert [one.value for one in made] == [0.5, 2.0]
    assert len(made) == 2


def test_a_table_gives_plain_numbers_rule_by_rule() -> None:
    one = MeasuredArray(
        value=np.array([0.5]),
        low=np.array([0.4]),
        high=np.array([0.6]),
        standard_error=np.array([0.05]),
        estimable=np.array([True]),
    )
    table = RuleTable(
        support=one,
        confidence=one,
        lift=one,
        leverage=one,
        conviction=one,
        n=np.array([10]),
        n_direct=np.array([4]),
        n_protected=np.array([6]),
        n_used=np.array([25]),
        all_rows=np.array([True]),
        few_rows=np.array([True]),
    )
    rule = table[0]
    assert (rule.n, rule.n_direct, rule.n_protected, rule.few_rows) == (10, 4, 6, True)
    assert (rule.n_used, rule.all_rows) == (25, True)
    assert rule.support == rule.conviction == one[0]
    assert {type(rule.n), type(rule.few_rows), type(rule.support.value), type(rule.support.estimable)} == {
        int,
        bool,
        float,
    }


def test_estimates_say_none_for_a_group_without_rows() -> None:
    numbers = np.array([0.5])
    table = Estimates(
        estimator="stratified",
        value=numbers,
        standard_error=numbers,
        standard_error_respondents=numbers,
        n=np.array([8]),
        n_direct=np.array([0]),
        n_protected=np.array([8]),
        n_used=np.array([8]),
        all_rows=np.array([False]),
        observed_share=numbers,
        direct=np.array([np.nan]),
        protected=numbers,
        standard_error_eq6=np.array([np.nan]),
    )
    one = table[0]
    assert (one.direct, one.protected, one.standard_error_eq6, one.direct_share) == (None, 0.5, None, 0.0)


def test_rows_are_put_into_a_blank_table_at_their_positions() -> None:
    table = Estimates(estimator="pooled", **blank_arrays(Estimates, 3))
    rows = Estimates(estimator="pooled", **blank_arrays(Estimates, 2))
    rows.value[:], rows.n[:], rows.all_rows[:] = [0.5, 0.25], [10, 20], [True, False]
    put_rows(table, np.array([2, 0]), rows)
    assert np.array_equal(table.value, [0.25, np.nan, 0.5], equal_nan=True)
    assert (table.n.tolist(), table.all_rows.tolist()) == ([20, 0, 10], [False, False, True])
    assert (table.n.dtype, table.all_rows.dtype) == (np.int64, np.bool_)
