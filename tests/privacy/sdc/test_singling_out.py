from itertools import combinations
from unittest.mock import Mock

import numpy as np
import pytest

from privacy.sdc.singling_out import singling_sets, unicity
from tests.fixtures.tables import codes_column, eleven, random_table

RNG = np.random.default_rng(0)


def test_sampled_subsets_have_as_many_columns_as_the_attacker_knows() -> None:
    """Any two of three answers determine the third, so two identify each of four records, and one none."""
    columns = [
        codes_column(name, codes)
        for name, codes in zip("abc", ([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]), strict=True)
    ]
    for seed in range(20):
        assert unicity(columns, 2, rng=np.random.default_rng(seed), most_subsets=2).mean == 1


def test_unicity_counts_unique_records_per_column_subset():
    columns = [
        codes_column("a", [0, 0, 1, 1]),
        codes_column("b", [0, 1, 1, 1]),
        codes_column("c", [0, 0, 0, 1]),
    ]
    one, two = unicity(columns, 1, rng=RNG), unicity(columns, 2, rng=RNG)
    assert one.mean == pytest.approx((0 + 1 / 4 + 1 / 4) / 3)
    # Unique records are 0 and 1 by (a, b), 2 and 3 by (a, c), 0 and 3 by (b, c).
    assert (two.mean, two.highest) == (0.5, 0.5)
    assert unicity(columns, 3, rng=RNG).mean == 1.0


def test_a_k_anonymous_table_has_no_unique_record_on_any_subset():
    for points in range(1, 5):
        assert unicity(eleven().quasi_identifiers, points, rng=RNG).highest == 0


def test_too_many_subsets_are_sampled():
    columns = [codes_column(f"c{number}", [number % 2, 1, 0]) for number in range(12)]
    drawn = Mock(wraps=np.random.default_rng(0))
    unicity(columns, 6, most_subsets=50, rng=drawn)
    assert 50 <= drawn.choice.call_count < 924


def plain(columns):
    """Return the smallest sets that single out each person, by trying all sets."""
    n = len(columns[0].codes)
    found = {}
    for person in range(n):
        alone = []
        for size in range(1, len(columns) + 1):
            for chosen in combinations(range(len(columns)), size):
                mine = [tuple(columns[place].codes[row] for place in chosen) for row in range(n)]
                if mine.count(mine[person]) == 1 and not any(set(less) < set(chosen) for less in alone):
                    alone.append(chosen)
        for chosen in alone:
            found[chosen] = found.get(chosen, 0) + 1
    return {tuple(columns[place].name for place in chosen): people for chosen, people in found.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_singling_sets_match_exhaustive_search(seed):
    table, _ = random_table(seed, 40)
    found = singling_sets(table.quasi_identifiers)
    assert {one.columns: one.people for one in found} == plain(table.quasi_identifiers)


def test_pairs_single_out_no_respondent():
    assert singling_sets([codes_column("a", [0, 0, 1, 1]), codes_column("b", [0, 0, 1, 1])]) == ()


def test_only_small_sets_are_tried_with_many_columns():
    """60 columns have 34,220 sets of three."""
    columns = [codes_column(f"c{number}", [number % 2, 1, 0, 1]) for number in range(60)]
    assert {len(one.columns) for one in singling_sets(columns, longest=3)} == {1, 2}


def test_singling_set_length_can_be_limited():
    table, _ = random_table(1, 40)
    assert max(len(one.columns) for one in singling_sets(table.quasi_identifiers, longest=2)) == 2


@pytest.mark.parametrize(("most", "sets"), [(3, [("age",), ("sex", "age")]), (2, [("age",)])])
def test_sets_of_a_size_are_searched_only_if_all_of_them_fit_the_limit(most, sets, monkeypatch):
    """Two columns have two sets of one and one of two."""
    monkeypatch.setattr("privacy.sdc.singling_out.MOST_SINGLING_SETS", most)
    columns = [codes_column("sex", [0, 0, 1, 1]), codes_column("age", [0, 1, 0, 0])]
    assert [single.columns for single in singling_sets(columns)] == sets


def test_as_many_subsets_as_are_allowed_are_not_sampled():
    columns = [codes_column(f"c{number}", [number % 2, 1, 0]) for number in range(4)]
    drawn = Mock(wraps=np.random.default_rng(0))
    exact = unicity(columns, 2, most_subsets=6, rng=drawn)
    assert drawn.choice.call_count == 0
    assert exact == unicity(columns, 2, rng=drawn)
