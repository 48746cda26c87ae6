import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.risk import risk, unicity
from tests.fixtures.tables import codes_column, eleven

RNG = np.random.default_rng(0)


def test_the_three_attackers_worked_by_hand():
    found = risk(np.array([1, 4, 5]), population=np.array([2, 4, 50]), threshold=0.3)
    assert found.prosecutor_highest == 1
    assert found.prosecutor_mean == 0.3
    assert found.journalist_highest == 0.5
    assert found.marketer == pytest.approx((1 / 2 + 4 / 4 + 5 / 50) / 10)
    assert found.at_risk == 0.1
    assert found.sample_uniques == 1


def test_without_a_register_the_marketer_links_one_record_per_class():
    found = risk(np.array([2, 3, 5]))
    assert found.marketer == 0.3
    assert found.journalist_highest is None


def test_a_register_that_lacks_people_of_the_table_is_refused():
    with pytest.raises(PrivacyError, match="only 3 people of the register match a class of 4 records"):
        risk(np.array([4]), population=np.array([3]))


def test_a_threshold_outside_a_share_is_refused():
    with pytest.raises(PrivacyError, match="threshold"):
        risk(np.array([4]), threshold=0)


def test_unicity_counts_records_alone_on_each_subset():
    columns = [
        codes_column("a", [0, 0, 1, 1]),
        codes_column("b", [0, 1, 1, 1]),
        codes_column("c", [0, 0, 0, 1]),
    ]
    one, two = unicity(columns, 1, rng=RNG), unicity(columns, 2, rng=RNG)
    assert one.mean == pytest.approx((0 + 1 / 4 + 1 / 4) / 3)
    # (a, b): records 0 and 1 are alone; (a, c): 2 and 3; (b, c): 0 and 3.
    assert (two.mean, two.highest, two.worst, two.subsets) == (0.5, 0.5, ("a", "b"), 3)
    assert unicity(columns, 3, rng=RNG).mean == 1.0


def test_a_k_anonymous_table_has_no_unique_record_on_any_subset():
    for points in range(1, 5):
        assert unicity(eleven().quasi_identifiers, points, rng=RNG).highest == 0


def test_too_many_subsets_are_sampled():
    columns = [codes_column(f"c{number}", [number % 2, 1, 0]) for number in range(12)]
    found = unicity(columns, 6, most_subsets=50, rng=RNG)
    assert found.subsets == 50
