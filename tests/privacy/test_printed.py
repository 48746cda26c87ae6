"""What may be printed of an estimate: the point, or only the bounds that its interval leaves."""

import dataclasses
from typing import get_args

import numpy as np
import pytest

from mining.predicted_itemsets import BorrowedItemset
from privacy.estimation.array_tables import MeasuredArray
from privacy.estimation.margin_cells import Weighted
from privacy.policy import LARGEST_LOGIT
from privacy.printed import (
    BASES,
    CHECKED,
    METHODS,
    Measured,
    Method,
    Origin,
    PrintedEstimates,
    bases_of,
    basis_of,
    bounds_in_words,
    cut_ends,
    limited_log_odds,
)
from privacy.regression.logistic import Coefficient
from surveys.runs.predictions import Prediction

ENDS = [-np.inf, -1.5, -1, -0.3, 0, 0.2, 0.7, 1, 1.4, np.inf]


@pytest.mark.parametrize("possible", [(0, 1), (-1, 1), (0, np.inf), (-np.inf, np.inf)])
def test_a_point_is_printed_only_if_it_is_possible_and_in_its_interval(
    possible: tuple[float, float],
) -> None:
    """Tries every order of value, ends and bounds."""
    least, greatest = possible
    cases = [
        (value, low, high) for low in ENDS for high in ENDS if low <= high for value in [*ENDS[1:-1], np.nan]
    ]
    value, low, high = np.array(cases).T
    found = bases_of(value, low, high, possible=possible, effective_n=500)
    for basis, own, bottom, top in zip(found, value, low, high, strict=True):
        if basis == "estimate":
            assert max(bottom, least) <= own <= min(top, greatest)
        is_bounded = np.isfinite([max(bottom, least), min(top, greatest)]).all()
        if max(bottom, least) <= own <= min(top, greatest) and (bottom > least or top < greatest):
            assert (basis == "estimate") == is_bounded
        ends = cut_ends((bottom, top), possible)
        text = bounds_in_words(basis, ends, possible)
        if basis == "at most":
            assert top < greatest
            assert text.endswith(f"at most {ends[1]:.4g}")
        if basis == "at least":
            assert bottom > least
            assert text.endswith(f"at least {ends[0]:.4g}")
        assert (basis == "too few") == (bottom <= least and top >= greatest)
    if possible == (-1, 1):
        assert set(found) == set(BASES)


def test_a_ratio_is_no_point_if_its_interval_has_no_upper_end() -> None:
    """Such an interval excludes 0 only where the ratio came out high, and then it mostly missed."""
    lift = (0.0, np.inf)
    assert basis_of(2.9, (0.4, np.inf), possible=lift) == "at least"
    assert basis_of(2.9, (0.0, np.inf), possible=lift) == "too few"
    assert basis_of(2.9, (0.4, 40.0), possible=lift) == "estimate"
    assert basis_of(2.9, (0.0, 40.0), possible=lift) == "estimate"


def test_fewer_than_thirty_effective_answers_give_no_figure() -> None:
    assert basis_of(0.4, (0.3, 0.5), possible=(0, 1), effective_n=29.99) == "too few"
    assert basis_of(0.4, (0.3, 0.5), possible=(0, 1), effective_n=30) == "estimate"
    rows = PrintedEstimates(
        value=np.array([0.4, 0.4]), standard_error=np.array([0.05, 0.05]), low=np.array([0.3, 0.3]),
        high=np.array([0.5, 0.5]), n=np.array([900, 900]), effective_n=np.array([12.0, 900]), level=0.95,
        possible=(0, 1), method="scores", shift=0.0, origin=CHECKED,
    )  # fmt: skip
    columns = rows.columns("share")
    assert np.isnan(columns["share"][0])
    assert np.isnan(columns["standard_error"][0])
    assert (columns["low"][0], columns["high"][0]) == (0, 1)
    assert columns["unclipped"].tolist() == [0.4, 0.4]
    assert columns["share"][1] == rows.of_measure("share")["share"][1] == 0.4


def test_no_part_of_a_printed_estimate_can_be_forgotten() -> None:
    parts = {"n", "effective_n", "level", "possible", "low", "high", "method", "shift", "origin"}
    kinds = [PrintedEstimates, Measured, MeasuredArray, Coefficient, Weighted, BorrowedItemset, Prediction]
    for kind in kinds:
        fields = dataclasses.fields(kind)
        assert parts <= {own.name for own in fields}, kind
        for own in fields:
            assert own.default is dataclasses.MISSING, kind
            assert own.default_factory is dataclasses.MISSING, kind
    assert all(own.default is dataclasses.MISSING for own in dataclasses.fields(Origin))
    assert issubclass(Prediction, Measured)
    assert get_args(Method) == tuple(METHODS)


def measured(**changes: object) -> Measured:
    fields = {
        "value": 0.2, "low": 0.1, "high": 0.3, "standard_error": 0.05, "estimable": True, "n": 100,
        "effective_n": 100.0, "level": 0.95, "possible": (0.0, 1.0), "method": "ratio", "shift": 0.0,
        "origin": CHECKED,
    }  # fmt: skip
    return Measured(**(fields | changes))  # type: ignore[arg-type]


def test_what_is_printed_of_one_estimate() -> None:
    assert (measured().basis, measured().point) == ("estimate", 0.2)
    below = measured(value=-0.02, low=-0.05)
    assert below.basis == "at most"
    assert np.isnan(below.point)
    assert measured(estimable=False).basis == "too few"
    assert np.isnan(measured(estimable=False).point)


def test_a_ratio_without_an_error_is_shown_because_it_is_estimable() -> None:
    shown = [
        measured(estimable=estimable, standard_error=error).shown_because_estimable
        for estimable in (True, False)
        for error in (None, 0.05)
    ]
    assert shown == [True, False, False, False]


def test_the_largest_shift_is_stated_and_an_unknown_one_is_not_a_number() -> None:
    def table(shift: object) -> PrintedEstimates:
        column = np.array([0.2, 0.4])
        return PrintedEstimates(
            value=column, standard_error=column / 9, low=column - 0.1, high=column + 0.1, n=400,
            effective_n=400.0, level=0.95, possible=(0, 1), method="scores", shift=shift, origin=CHECKED,
        )  # type: ignore[arg-type]  # fmt: skip

    assert table(np.array([0.01, 0.03])).about["shift"] == 0.03
    assert table(np.array([0.01, 0.03])).shifts.tolist() == [0.01, 0.03]
    assert (table(0.02).about["shift"], table(0.02).shifts.tolist()) == (0.02, [0.02, 0.02])
    assert table(None).about["shift"] is None
    assert np.isnan(table(None).shifts).all()


def test_thirty_effective_answers_have_an_interval() -> None:
    rows = PrintedEstimates(
        value=np.array([0.4, 0.4]), standard_error=np.array([0.05, 0.05]), low=np.array([0.3, 0.3]),
        high=np.array([0.5, 0.5]), n=np.array([30, 29]), effective_n=np.array([30.0, 29.9]), level=0.95,
        possible=(0, 1), method="scores", shift=0.0, origin=CHECKED,
    )  # fmt: skip
    columns = rows.columns("share")
    assert (columns["low"].tolist(), columns["high"].tolist()) == ([0.3, 0], [0.5, 1])


@pytest.mark.parametrize(
    ("value", "ends", "rows", "basis"),
    [
        (0.2, (0.2, 0.4), 100, "estimate"),
        (0.4, (0.2, 0.4), 100, "estimate"),
        (0.41, (0.2, 0.4), 100, "between"),
        (0.19, (0.2, 0.4), 100, "between"),
        (0.0, (-0.2, 0.4), 100, "estimate"),
        (-0.1, (-0.2, 0.4), 100, "at most"),
        (1.2, (0.4, 1.4), 100, "at least"),
        (0.3, (0.2, 0.4), 30, "estimate"),
        (0.3, (0.2, 0.4), 29.9, "too few"),
        (0.3, (0.0, 1.0), 100, "too few"),
    ],
)
def test_a_share_at_an_end_of_its_interval_is_an_estimate(
    value: float, ends: tuple[float, float], rows: float, basis: str
) -> None:
    assert basis_of(value, ends, possible=(0, 1), effective_n=rows) == basis


@pytest.mark.parametrize(("low", "high"), [(-1, 1), (-1, 2), (-2, 1)])
def test_log_odds_are_unlimited_only_beyond_both_limits(low: int, high: int) -> None:
    ends = (low * LARGEST_LOGIT, high * LARGEST_LOGIT)
    assert limited_log_odds(*ends) == ends
    assert limited_log_odds(ends[0] - 1, ends[1] + 1) == (-np.inf, np.inf)
