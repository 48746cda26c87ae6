"""Solving finds exactly the answers that shares imply; with a minimum, those of groups that agree."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.attack.feasible_tables import PublishedShare, Tables, certain_answers

# Two open questions of three and two answers, one protected; answer 0 is "not answered".
SIZES = (4, 3, 3)


def people_of(rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    chances = ([0.6, 0.3, 0.1], [0.8, 0.2], [0.7, 0.3])
    return np.stack([1 + rng.choice(len(own), size=count, p=own) for own in chances], axis=1)


def published(people: NDArray[np.int64], *, floor: int = 0) -> tuple[PublishedShare, ...]:
    """Return the shares of all combinations of answers, except crosses with fewer people than the minimum."""
    found = []
    for size in (1, 2, 3):
        for named in itertools.combinations(range(3), size):
            open_ones = [one for one in named if one < 2]
            _, counts = np.unique(people[:, open_ones], axis=0, return_counts=True)
            if open_ones and floor and (counts < floor).any():
                continue
            for answers in itertools.product(*(range(1, SIZES[one]) for one in named)):
                having = dict(zip(named, answers, strict=True))
                share = np.mean(np.all([people[:, one] == answer for one, answer in having.items()], axis=0))
                found.append(PublishedShare(having=having, among=frozenset(named), share=float(share)))
    return tuple(found)


def certain(people: NDArray[np.int64], shares: tuple[PublishedShare, ...]) -> set[tuple[int, ...]]:
    tables = Tables(sizes=SIZES, shares=shares, least=len(people), most=len(people))
    found = certain_answers(tables, people, known=(0, 1), question=2)
    return {(*each.known, each.answer) for each in found}


def alone(people: NDArray[np.int64]) -> set[tuple[int, ...]]:
    """Return the profiles whose people all gave the same answer."""
    profiles = {tuple(person[:2]) for person in people.tolist()}
    answers = {
        profile: {person[2] for person in people.tolist() if tuple(person[:2]) == profile}
        for profile in profiles
    }
    return {(*profile, *given) for profile, given in answers.items() if len(given) == 1}


def test_all_unique_profiles_are_solved_if_every_share_is_published(soak: int) -> None:
    """The naive target, which must be broken: all shares, without a minimum."""
    n_broken = 0
    for seed in range(3 * soak):
        people = people_of(np.random.default_rng(seed), 40)
        n_broken += bool(alone(people))
        assert certain(people, published(people)) == alone(people)
    # About 13% of such tables have no profile whose people agree.
    assert 5 * n_broken > 4 * 3 * soak


def test_single_questions_reveal_no_answers() -> None:
    people = people_of(np.random.default_rng(1), 40)
    singles = tuple(share for share in published(people) if len(share.having) == 1)
    assert certain(people, singles) == set()


def test_differences_between_large_shares_identify_people() -> None:
    """Each published share is of at least ten people, but the remainder is one person."""
    people = np.array([[1, 1, 1]] * 20 + [[1, 1, 2]] * 20 + [[2, 1, 1]] * 20 + [[2, 1, 2]] * 20 + [[2, 2, 2]])
    having = ({0: 2}, {1: 1}, {0: 2, 1: 1}, {0: 2, 2: 2}, {0: 2, 1: 1, 2: 2})
    shares = tuple(
        PublishedShare(
            having=each,
            among=frozenset(each),
            share=float(np.mean(np.all([people[:, one] == answer for one, answer in each.items()], axis=0))),
        )
        for each in having
    )
    assert min(share.share * len(people) for share in shares) >= 10
    assert certain(people, shares) == {(2, 2, 2)}


def agreeing(people: NDArray[np.int64], *, floor: int) -> set[tuple[int, ...]]:
    """Return the profiles in a published group, by open questions, whose people all gave one answer."""
    found = set()
    for open_ones in ((0,), (1,), (0, 1)):
        groups, counts = np.unique(people[:, open_ones], axis=0, return_counts=True)
        for group in groups if (counts >= floor).all() else ():
            members = people[np.all(people[:, open_ones] == group, axis=1)]
            if len({*members[:, 2].tolist()}) == 1:
                found |= {tuple(map(int, member)) for member in members}
    return found


def test_a_floor_of_ten_on_the_full_cross_leaves_only_groups_that_agree(soak: int) -> None:
    """If ten or more people of a published group all gave one answer, no minimum hides it."""
    for seed in range(3 * soak):
        people = people_of(np.random.default_rng(100 + seed), 120)
        shares = published(people, floor=10)
        assert certain(people, shares) == agreeing(people, floor=10), seed


def test_rounding_shares_only_widens_the_possible_tables() -> None:
    people = people_of(np.random.default_rng(7), 40)
    exact = published(people)
    rounded = tuple(
        PublishedShare(having=share.having, among=share.among, share=round(share.share, 1), half_width=0.05)
        for share in exact
    )
    assert certain(people, rounded) < certain(people, exact)


def test_the_true_table_is_always_feasible() -> None:
    people = people_of(np.random.default_rng(3), 60)
    tables = Tables(sizes=SIZES, shares=published(people), least=60, most=60)
    for person in {tuple(row) for row in people.tolist()}:
        assert tables.may_answer({0: person[0], 1: person[1]}, 2, person[2], seconds=10.0)


def test_given_answers_stay_possible_even_if_the_shares_exclude_them() -> None:
    # The shares say that all three old people are late, but one of them answered "in time".
    had = ({0: 2}, {0: 2, 1: 2})
    shares = tuple(PublishedShare(having=having, among=frozenset(having), share=0.3) for having in had)
    tables = Tables(sizes=(3, 3), shares=shares, least=10, most=10)
    on_time, late = [2, 1], [2, 2]
    assert list(certain_answers(tables, np.array([late, on_time, late]), known=[0], question=1)) == []
    (found,) = certain_answers(tables, np.array([late, late, late]), known=[0], question=1)
    assert (found.known, found.answer, found.people) == ((2,), 2, 3)


def test_too_many_combinations_are_refused() -> None:
    with pytest.raises(ValueError, match="27000 combinations"):
        Tables(sizes=(30, 30, 30), shares=(), least=1, most=1)


@pytest.mark.parametrize("count", [0, 1])
def test_the_number_of_people_alone_limits_who_else_fits(count: int) -> None:
    tables = Tables(sizes=(2, 2), shares=(), least=count, most=count)
    assert tables.may_answer({0: 1}, 1, 1, seconds=10.0) == bool(count)
