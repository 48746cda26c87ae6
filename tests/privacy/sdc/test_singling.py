from itertools import combinations

import pytest

from privacy.sdc.risk import singling_sets
from tests.fixtures.tables import codes_column, random_table


def plain(columns):
    """For every person the smallest sets that single it out, by trying all."""
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
def test_the_sets_are_those_that_trying_everything_finds(seed):
    table, _ = random_table(seed, 40)
    found = singling_sets(table.quasi_identifiers)
    assert {one.columns: one.people for one in found} == plain(table.quasi_identifiers)
    names = {one.columns for one in found}
    for one in found:
        assert one.smallest == (not any(set(less) < set(one.columns) for less in names))


def test_nobody_is_singled_out_of_pairs():
    assert singling_sets([codes_column("a", [0, 0, 1, 1]), codes_column("b", [0, 0, 1, 1])]) == ()


def test_of_many_columns_only_small_sets_are_tried():
    """Of 60 columns there are 34,220 sets of three."""
    columns = [codes_column(f"c{number}", [number % 2, 1, 0, 1]) for number in range(60)]
    assert {len(one.columns) for one in singling_sets(columns, longest=3)} == {1, 2}


def test_sets_can_be_kept_short():
    table, _ = random_table(1, 40)
    assert max(len(one.columns) for one in singling_sets(table.quasi_identifiers, longest=2)) == 2
