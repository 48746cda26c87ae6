import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privacy.risk import audit_design
from privacy.risk.open_answers import (
    combinations_of,
    distinguishable,
    expected_unique,
    most_unique,
    most_unique_of_design,
    open_after,
    open_before,
    unique_combinations,
    unique_share_of_design,
)
from privacy.survey.booklets import Booklet, Rotation
from privacy.survey.design import Block, Design, GroupPolicy
from tests.fixtures.refusals import refused
from tests.fixtures.sent_distribution import all_drawn
from tests.vectors.designs import CHOICE, choice, live, opened, shielded, yes_no

PART = shielded("b", 5000, yes_no("q", 5000))
YOU = opened("you", choice("age", options=3), yes_no("city"))


@pytest.mark.parametrize(("n", "combinations"), [(1, 5), (2, 3), (3, 2), (4, 3)])
def test_expected_uniques_match_full_enumeration(n: int, combinations: int) -> None:
    rows = np.stack(np.meshgrid(*[range(combinations)] * n), axis=-1).reshape(-1, n)
    alone = [sum((row == value).sum() == 1 for value in row) for row in rows]
    assert expected_unique(n, combinations) == pytest.approx(float(np.mean(alone)))


def test_many_combinations_make_all_people_unique_and_one_makes_none() -> None:
    assert expected_unique(1000, 10**15) == pytest.approx(1000)
    assert (expected_unique(1000, 1), expected_unique(1, 1)) == (0, 1)
    with refused("n", 0):
        expected_unique(0, 5)


def test_expected_unique_rows_depend_on_the_expected_sample_size() -> None:
    assert combinations_of(live(YOU, PART)) == 6
    assert open_before(live(YOU, PART), n=10).expected_unique == expected_unique(10, 6)
    assert open_before(live(YOU, PART), n=None).expected_unique is None
    assert open_before(live(PART), n=10).questions == ()


def test_unique_rows_are_counted_with_direct_rows_separate() -> None:
    found = open_after(live(YOU, PART, group=CHOICE), np.array([[1, 0], [0, 1], [2, 3], [1, 0]]))
    assert (found.unique, found.unique_direct) == (3, 2)


def test_open_answer_audits_need_open_questions_and_rows() -> None:
    nothing = np.zeros((0, 2), np.int64)
    assert open_after(live(PART), nothing).unique is None
    assert open_after(live(YOU, PART), nothing).unique == 0


def asking(
    size: int | None, total: int, key: str = "b", booklets: tuple[Booklet, ...] | None = None
) -> Block:
    return Block(
        key=key,
        protected=True,
        truth_probability=5000,
        questions=tuple(yes_no(f"{key}{number}", 5000) for number in range(total)),
        questions_per_person=size,
        booklets=booklets,
    )


def design_of(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> Design:
    return Design(blocks=blocks, group=GroupPolicy(), use="live", rotations=rotations)


ROTATION = Rotation(blocks=("b", "c", "d"), parts_per_person=2)
DESIGNS = {
    "all sets": design_of(asking(2, 4)),
    "listed": design_of(asking(2, 4, booklets=((0, 1), (2, 3)))),
    "two parts": design_of(asking(2, 4), asking(1, 3, "c")),
    "parts rotate": design_of(asking(2, 4), asking(1, 3, "c"), asking(None, 2, "d"), rotations=(ROTATION,)),
    "one part of three": design_of(
        *(asking(2, 4, key) for key in "bcd"), rotations=(replace(ROTATION, parts_per_person=1),)
    ),
    "three parts of four, two of them alike": design_of(
        *(asking(1, 3, key) for key in "bc"),
        *(asking(2, 4, key) for key in "de"),
        rotations=(Rotation(blocks=tuple("bcde"), parts_per_person=3),),
    ),
    "beside open answers": design_of(
        opened("you", choice("age", options=3), yes_no("city")),
        asking(2, 4),
        asking(1, 3, "c"),
        asking(None, 2, "d"),
        rotations=(ROTATION,),
    ),
}


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_the_expected_share_of_unique_rows_matches_enumeration(name: str, n: int) -> None:
    design = DESIGNS[name]
    opened_answers = 6 if name == "beside open answers" else 1
    found = Fraction(0)
    for _answers, chance in itertools.product(range(opened_answers), all_drawn(design).values()):
        mine = chance / opened_answers
        found += mine * (1 - mine) ** (n - 1)
    assert unique_share_of_design(design, n) == pytest.approx(float(found), rel=1e-9)


@pytest.mark.parametrize(
    ("size", "total", "n", "share"), [(5, 20, 2000, 0.88), (4, 10, 50, 0.79), (4, 10, 2000, 0.00007)]
)
def test_five_of_twenty_questions_identify_88_of_100_rows(
    size: int, total: int, n: int, share: float
) -> None:
    assert unique_share_of_design(design_of(asking(size, total)), n) == pytest.approx(share, abs=0.005)


def test_a_small_set_of_booklets_leaves_no_row_unique() -> None:
    """With 80 sets of five of twenty questions, no row in 2,000 is expected to be unique."""
    booklets = {
        tuple(sorted((start + step * place) % 20 for place in range(5)))
        for start in range(20)
        for step in (1, 2, 3, 7)
    }
    assert len(booklets) == 80
    assert unique_share_of_design(design_of(asking(5, 20, booklets=tuple(sorted(booklets)))), 2000) < 1e-10


def test_unique_question_sets_are_reported_only_if_they_differ() -> None:
    assert unique_combinations(live(shielded("b", 5000, yes_no("q", 5000))), 100) is None
    assert unique_combinations(DESIGNS["all sets"], None) is None
    assert unique_combinations(DESIGNS["all sets"], 0) is None
    counted = unique_combinations(DESIGNS["all sets"], 200, own=30)
    assert counted is not None
    assert (counted.share, counted.counted) == (0.15, True)
    audit = audit_design(DESIGNS["all sets"], {f"b{number}": [2000] for number in range(4)}, n=50)
    assert audit.own == unique_combinations(DESIGNS["all sets"], 50)
    assert audit.own is not None
    assert not audit.own.counted
    with refused("n", -1):
        unique_share_of_design(DESIGNS["all sets"], -1)


def test_many_unequal_blocks_are_audited_together() -> None:
    parts = [asking(1 + number % 3, 4 + number % 9, f"b{number}-") for number in range(40)]
    rotation = Rotation(blocks=tuple(part.key for part in parts), parts_per_person=20)
    # The choice of twenty parts alone has 40!/(20! 20!) = 1.4 10^11 combinations.
    assert unique_share_of_design(design_of(*parts, rotations=(rotation,)), 2_000) == pytest.approx(
        1, abs=1e-6
    )


def _expected(shares: np.ndarray, n: int, sets: int = 1) -> float:
    """Return the exact expected number of unique rows for these shares of answers and equally likely sets."""
    mine = shares / sets
    return float(n * sets * (mine * (1 - mine) ** (n - 1)).sum())


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12, 250])
@pytest.mark.parametrize("combinations", [1, 2, 3, 4])
@pytest.mark.parametrize("sets", [1, 2, 7])
@pytest.mark.few("1-1-1", "7-4-250", why="the ends of all three ranges")
def test_no_distribution_of_answers_makes_more_people_unique_than_the_bound(
    n: int, combinations: int, sets: int
) -> None:
    """Every distribution on a grid of hundredths, and the worst one: all but one answer given by 1 in n."""
    most, steps = most_unique(n, combinations, cells=sets), 100 if combinations < 4 else 40
    grid = (np.diff([0, *cuts, steps]) / steps for cuts in combinations_up_to(combinations - 1, steps))
    found = max(_expected(shares, n, sets) for shares in grid)
    assert found <= most + 1e-9
    assert most_unique(n, combinations, cells=sets) <= n + 1e-9
    if combinations * sets >= n:
        assert most == pytest.approx(_expected(np.full(combinations, 1 / combinations), n, sets))


def combinations_up_to(count: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all ascending sequences of `count` numbers from 0 to `most`."""
    return itertools.combinations_with_replacement(range(most + 1), count)


@pytest.mark.parametrize(("n", "combinations"), [(250, 863), (250, 100), (1000, 713), (30, 15), (12, 5)])
def test_uneven_answers_stay_within_the_bound_in_either_direction(n: int, combinations: int) -> None:
    rng = np.random.default_rng([n, combinations])
    most, even = most_unique(n, combinations), expected_unique(n, combinations)
    rare = np.append(np.full(combinations - 1, min(1 / n, 1 / combinations)), 0.0)
    rare[-1] = 1 - rare.sum()
    shapes = [
        rng.dirichlet(np.full(combinations, size)) for size in (0.01, 0.1, 1, 10, 100) for _ in range(40)
    ]
    figures = [_expected(shares, n) for shares in [rare, *shapes]]
    assert max(figures) <= most + 1e-9
    # The number for even answers is a lower bound of neither kind: uneven ones make fewer rows unique...
    assert min(figures) < even
    # ... and, with few combinations, more.
    assert (max(figures) > even + 1e-9) == (combinations < n)


@pytest.mark.parametrize("n", [1, 2, 7, 100])
@pytest.mark.parametrize("name", DESIGNS)
def test_the_bound_of_a_design_holds_for_any_open_answers(name: str, n: int) -> None:
    design, rng = DESIGNS[name], np.random.default_rng(n)
    cells = distinguishable(design)
    assert cells == ((3 + 1) * (2 + 1) if name == "beside open answers" else 1)
    most = most_unique_of_design(design, n)
    for shares in (np.full(cells, 1 / cells), *(rng.dirichlet(np.full(cells, 0.3)) for _ in range(20))):
        found = sum(
            float(chance) * share * (1 - float(chance) * share) ** (n - 1)
            for chance in all_drawn(design).values()
            for share in shares
        )
        assert n * found <= most + 1e-9
    assert n * unique_share_of_design(design, n) <= most + 1e-9
    if cells == 1:
        assert most == pytest.approx(n * unique_share_of_design(design, n))


def test_a_bound_needs_people() -> None:
    with refused("n", 0):
        most_unique(0, 5)
    with refused("n", 0):
        most_unique_of_design(DESIGNS["all sets"], 0)
    assert most_unique(100_000, 10**15) == pytest.approx(100_000)
