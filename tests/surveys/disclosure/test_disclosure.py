import pytest

from surveys.disclosure.disclosure import disclosure, rounded_count, shown_count


@pytest.mark.parametrize(("n_protected", "results"), [(0, False), (99, False), (100, True)])
def test_below_100_protected_answers_there_are_no_results(n_protected: int, results: bool) -> None:
    shown = disclosure(
        sends_undisguised=True, n_direct=500, n_protected=n_protected, practice=False, settled=True
    )
    assert shown.results is results


@pytest.mark.parametrize(("n_direct", "groups"), [(0, True), (1, False), (49, False), (50, True)])
def test_a_few_direct_answers_are_not_told_apart_but_none_may_be_named(n_direct: int, groups: bool) -> None:
    shown = disclosure(
        sends_undisguised=True, n_direct=n_direct, n_protected=500, practice=False, settled=True
    )
    assert shown.groups is groups


@pytest.mark.parametrize("settled", [True, False])
def test_counts_are_rounded_until_nothing_more_can_come_in(settled: bool) -> None:
    shown = disclosure(sends_undisguised=True, n_direct=0, n_protected=500, practice=False, settled=settled)
    assert shown.rounded is not settled


def test_practice_hides_and_rounds_nothing() -> None:
    shown = disclosure(sends_undisguised=True, n_direct=1, n_protected=1, practice=True, settled=False)
    assert (shown.results, shown.groups, shown.rounded, shown.least_direct) == (True, True, False, 1)


def test_counts_that_differ_by_less_than_ten_can_look_the_same() -> None:
    assert {rounded_count(count) for count in range(115, 125)} == {120}
    assert shown_count(118, rounded=True) == "≈ 120"
    assert shown_count(6366, rounded=False) == "6,366"


@pytest.mark.parametrize(
    ("n_direct", "n_protected", "results"), [(0, 99, False), (60, 39, False), (49, 51, True)]
)
def test_where_all_is_disguised_a_hundred_rows_of_either_strength_have_results(
    n_direct: int, n_protected: int, results: bool
) -> None:
    shown = disclosure(
        sends_undisguised=False, n_direct=n_direct, n_protected=n_protected, practice=False, settled=True
    )
    assert shown.results is results


@pytest.mark.parametrize("settled", [True, False])
@pytest.mark.parametrize("n_direct", [0, 1, 49])
def test_where_all_is_disguised_nothing_is_rounded_or_hidden(n_direct: int, settled: bool) -> None:
    shown = disclosure(
        sends_undisguised=False, n_direct=n_direct, n_protected=500, practice=False, settled=settled
    )
    assert (shown.groups, shown.rounded, shown.least_profile) == (True, False, 0)
    assert shown.figure(0.123456789) == 0.123456789
    # Open questions are floored all the same.
    assert shown.least_alike == 10
