"""Rows that are unique by asked questions and open answers, against enumeration."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privacy.risk import audit_design
from privacy.risk.unique_combinations import (
    distinguishable,
    most_unique_of_design,
    unique_combinations,
    unique_share_of_design,
)
from privacy.survey.booklets import Booklet
from privacy.survey.design import Block, Design, GroupPolicy
from privacy.survey.rotation import Rotation
from tests.fixtures.refusals import refused
from tests.fixtures.sent_distribution import all_drawn
from tests.vectors.designs import choice, live, opened, shielded, yes_no


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


def test_a_bound_of_a_design_needs_people() -> None:
    with refused("n", 0):
        most_unique_of_design(DESIGNS["all sets"], 0)


def test_the_bound_of_a_design_distinguishes_all_its_question_sets() -> None:
    """Five of twenty questions form 15,504 sets."""
    found = most_unique_of_design(design_of(asking(5, 20)), 2_000)
    assert found == pytest.approx(2_000 * (1 - 1 / 15_504) ** 1_999)


def test_one_of_three_rotating_parts_with_five_of_twenty_questions_has_46_512_question_sets() -> None:
    parts = tuple(asking(5, 20, key) for key in "bcd")
    design = design_of(*parts, rotations=(replace(ROTATION, parts_per_person=1),))
    alone = (1 - 1 / (3 * 15_504)) ** 1_999
    assert unique_share_of_design(design, 2_000) == pytest.approx(alone, rel=1e-9)
    assert most_unique_of_design(design, 2_000) == pytest.approx(2_000 * alone, rel=1e-9)
