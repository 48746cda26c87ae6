"""Runs of items next to each other."""

from operator import eq, lt

from surveys.imports.words.runs import counts_either_way, counts_up, filled_runs, repeats, runs_of


def test_every_item_is_in_one_run() -> None:
    items = [3, 1, 2, 2, 5, 4]
    runs = [*runs_of(items, lt)]
    assert [[items[at] for at in run] for run in runs] == [[3], [1, 2], [2, 5], [4]]
    assert [at for run in runs for at in run] == [*range(len(items))]


def test_items_are_compared_with_the_one_right_before_them() -> None:
    assert [*runs_of("aabba", eq)] == [range(2), range(2, 4), range(4, 5)]


def test_nothing_has_no_runs() -> None:
    assert [*runs_of([], eq)] == [*filled_runs([])] == [*filled_runs(["", None])] == []


def test_a_single_number_counts_in_either_direction() -> None:
    assert counts_up([5])
    assert counts_either_way([5])


def test_numbers_with_a_gap_or_twice_the_same_do_not_count() -> None:
    for numbers in ([0, 2], [1, 1], [2, 1, 2]):
        assert not counts_up(numbers)
        assert not counts_either_way(numbers)


def test_nothing_neither_counts_nor_repeats() -> None:
    assert not any(holds([]) for holds in (counts_up, counts_either_way, repeats))
