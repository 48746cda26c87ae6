"""Shares that keep their margins where some rows cannot be."""

import numpy as np
import pytest

from privacy.risk.constrained_prior import fitted, outer, whole


def test_what_is_left_has_the_margins_that_were_stated() -> None:
    stated = [np.array([0.7, 0.3]), np.array([0.8, 0.2]), np.array([0.5, 0.2, 0.3])]
    allowed = np.ones((2, 2, 3), dtype=bool)
    allowed[1, 1] = allowed[:, 1, 2] = False
    weights = fitted(stated, allowed)
    assert weights is not None
    left = np.asarray(outer(weights), dtype=float) * allowed
    left /= left.sum()
    for axis, share in enumerate(stated):
        others = tuple(other for other in range(3) if other != axis)
        assert left.sum(axis=others) == pytest.approx(share, abs=1e-5)


def test_shares_that_leave_no_row_are_not_fitted() -> None:
    assert fitted([np.array([0.0, 1.0])] * 2, np.array([[True, True], [True, False]])) is None


def test_ten_thousandths_keep_every_answer_possible_that_was() -> None:
    assert whole(np.array([9999, 1, 0]), np.array([1.0, 0.0, 0.0])).tolist() == [9999, 1, 0]


def test_shares_that_nobody_can_have_together_are_not_fitted_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Those of a cell after launch may add up to more than 1 by chance, in each of 200 cells.
    stated_shares = [np.array([1 - share, share]) for share in (0.3, 0.31, 0.32, 0.33, 0.34)]
    allowed = np.indices([2] * 5).sum(axis=0) <= 1
    monkeypatch.setattr("privacy.risk.constrained_prior._MOST_SWEEPS", 30)
    soon = fitted(stated_shares, allowed)
    monkeypatch.setattr("privacy.risk.constrained_prior._MOST_SWEEPS", 300)
    late = fitted(stated_shares, allowed)
    assert soon is not None
    assert late is not None
    np.testing.assert_array_equal(soon, late)
