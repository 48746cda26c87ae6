import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.sdc.label_conditions import Condition
from privacy.sdc.label_spread import LabelSpread, _normalise_rows, self_consistent
from privacy.sdc.published_labels import Domain, label_column


def spread_of(labels, **domain):
    return LabelSpread(
        column=label_column("x", "quasi_identifier", labels), domain=Domain(name="x", **domain)
    )


def condition(sign, *values):
    return [Condition(column="x", sign=sign, values=values)]


def test_labels_weigh_values_evenly_or_by_their_table_share():
    """Three of the four records that show their country show France."""
    spread = spread_of(["F"] * 3 + ["M"] + ["*"] * 2, numeric=False, leaves={"*": ("F", "M")})
    fits = spread.fits(condition("=", "F"))
    by_label = dict(zip(spread.column.values, fits.share.T.tolist(), strict=True))
    assert by_label["F"] == [1, 1]
    assert by_label["M"] == [0, 0]
    assert by_label["*"] == pytest.approx([0.5, 0.75])


def test_whole_numbers_are_separate_and_open_ends_excluded():
    spread = spread_of(["20", "20", "21", "[20,22)", "[20,23]"], numeric=True, whole=True)
    assert spread.atoms == ("20", "21", "22", "23")
    even = dict(zip(spread.column.values, spread.weights[0].tolist(), strict=True))
    assert even["[20,22)"] == [0.5, 0.5, 0, 0]
    assert even["[20,23]"] == [0.25] * 4
    common = dict(zip(spread.column.values, spread.weights[1].tolist(), strict=True))
    # Perhaps no one is 22 or 23, and two of three exact ages are 20.
    assert common["[20,23]"] == pytest.approx([2 / 3, 1 / 3, 0, 0], abs=1e-4)
    fits, place = spread.fits([]), spread.column.values.index("[20,23]")
    assert fits.mean[:, place] == pytest.approx([21.5, (2 * 20 + 21) / 3], abs=1e-3)
    assert fits.square[1, place] == pytest.approx((2 * 20**2 + 21**2) / 3, abs=1e-2)


def test_closed_interval_ends_are_values_and_open_ends_are_not():
    occurring = spread_of(["[0.5,2.5]", "[2.5,6]", "9"], numeric=True)
    assert occurring.atoms == ("0.5", "2.5", "6", "9")
    # Only 2.5 or more: the even model has no occurring numbers, the common one has both ends.
    share = occurring.fits(condition(">=", "2.5")).share
    assert share[0].tolist() == [1, 0, 1]
    assert 0 < share[1, 1] < 1
    assert spread_of(["[0.5,2.5)", "[2.5,6)"], numeric=True).atoms == ("[0.5,2.5)", "[2.5,6]")


def test_an_interval_weighs_its_parts_by_their_lengths() -> None:
    spread = spread_of(["[0,1)", "[1,4)", "[0,4)"], numeric=True)
    assert spread.atoms == ("[0,1)", "[1,4]")
    even = dict(zip(spread.column.values, spread.weights[0].tolist(), strict=True))
    assert even == {"[0,1)": [1, 0], "[1,4)": [0, 1], "[0,4)": [0.25, 0.75]}


def test_many_interval_ends_are_merged_and_keep_their_mean():
    labels = [f"[{low},{low + 40.5}]" for low in range(300)]
    spread = spread_of(labels, numeric=True)
    assert len(spread.atoms) == 255
    fits = spread.fits([])
    assert np.abs(fits.mean[0] - (fits.low + fits.high) / 2).max() < 1e-9
    # The common model shifts towards overlapping labels, by less than the width of a label.
    assert np.all((fits.low <= fits.mean[1]) & (fits.mean[1] <= fits.high))


def test_stars_and_named_number_groups_are_read():
    spread = spread_of(["few", "7", "*"], numeric=True, leaves={"few": ("1", "2")})
    fits = spread.fits(condition("<=", "1"))
    by_label = dict(zip(spread.column.values, fits.possible.tolist(), strict=True))
    assert by_label == {"few": True, "7": False, "*": True}
    assert spread_of(["*"], numeric=True).atoms == ()


@given(
    st.lists(st.lists(st.booleans(), min_size=4, max_size=4).filter(any), min_size=1, max_size=6), st.data()
)
def test_estimated_shares_fit_the_labels_at_least_as_well_as_even_ones(rows, data):
    held = np.array(rows, dtype=float)
    counts = np.array(data.draw(st.lists(st.integers(1, 9), min_size=len(rows), max_size=len(rows))), float)
    shares = self_consistent(held, counts)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    even = counts @ (held / held.sum(axis=1, keepdims=True)) / counts.sum()
    assert counts @ np.log(held @ shares) >= counts @ np.log(held @ even) - 1e-9


def test_one_finite_end_is_one_atom_and_two_are_an_interval():
    assert spread_of(["[65,inf)"], numeric=True).atoms == ("65",)
    assert spread_of(["[0.5,2)"], numeric=True).atoms == ("[0.5,2]",)
    assert spread_of(["*"], numeric=True).weights.shape == (2, 1, 0)


def test_rows_are_divided_by_their_sum_if_it_is_above_zero():
    found = _normalise_rows(np.array([[1.0, 3.0], [0.0, 0.0], [0.2, 0.2]]))
    assert found.tolist() == [[0.25, 0.75], [0, 0], [0.5, 0.5]]


def test_labels_without_records_give_no_shares():
    held = np.array([[1.0, 0.0], [1.0, 1.0]])
    assert self_consistent(held, np.zeros(2)).tolist() == [0, 0]
    assert self_consistent(held, np.array([3.0, 0.0])).tolist() == [1, 0]


def test_values_are_separate_up_to_a_number(monkeypatch):
    monkeypatch.setattr("privacy.sdc.label_spread._MOST_ATOMS", 4)
    assert spread_of(["[20,23]"], numeric=True, whole=True).atoms == ("20", "21", "22", "23")
    assert spread_of(["[20,24]"], numeric=True, whole=True).atoms == ("20", "24")
    assert spread_of(["[0.5,2.5]", "[2.5,6]", "9"], numeric=True).atoms == ("0.5", "2.5", "6", "9")
    assert len(spread_of(["[0.5,2.5]", "[2.5,6]", "9", "10"], numeric=True).atoms) == 3


@pytest.mark.parametrize("whole", [False, True])
def test_a_single_number_is_not_part_of_an_unbounded_interval(whole):
    """Nearly all numbers from 65 on are above 65; how many are above 70 is unknown."""
    spread = spread_of(["[65,inf)"], numeric=True, whole=whole)
    shares = [spread.fits(condition(">", least)).share[0].tolist() for least in ("65", "70")]
    assert shares == [[1.0], [0.5]]
