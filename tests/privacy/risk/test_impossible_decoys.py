from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from privacy.risk import impossible_decoys
from privacy.risk.impossible_decoys import contradictions, exclusive_decoys, with_shared_filters
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_rows
from privacy.survey.design import Design, GroupPolicy
from privacy.survey.possible_answers import impossible_pairs
from tests.fixtures.blocks import even
from tests.fixtures.refusals import refused
from tests.vectors.composite_designs import TOGETHER, design, followed, together
from tests.vectors.designs import choice, live, opened, shielded, yes_no
from tests.vectors.rotation_designs import rotating


@pytest.mark.parametrize(
    "sets",
    [
        [["a", "b"]],
        [["a", "b"], ["b", "c"]],
        [["a", "mood=o0"], ["b", "mood=o1", "c"], ["mood=o0", "mood=o1"]],
        [["mood=o2", "drugs=o0"], ["drugs=o0", "drugs=o1"], ["c", "drugs=o1"], ["a", "mood=o2"]],
    ],
)
def test_impossible_decoys_are_counted_once_each(sets: list[list[str]]) -> None:
    block = shielded(
        "b", 4000, yes_no("a", 3000), yes_no("b", 6000), yes_no("c", 5000), choice("mood", 500, 4500, 5000),
        choice("drugs", 2000, 7000, multi=True), refusal=1000,
    )  # fmt: skip
    share = Fraction(0)
    for row in block_rows(block):
        if isinstance(row, str):
            continue
        *yes, mood, drugs = row
        assert isinstance(drugs, tuple)
        has = dict(zip("abc", yes, strict=True))
        has |= {key: mood == place for place, key in enumerate(block.questions[3].item_keys)}
        has |= dict(zip(block.questions[4].item_keys, drugs, strict=True))
        if any(sum(bool(has[key]) for key in keys) > 1 for keys in sets):
            share += unrelated_probability(block, row)
    (found,) = exclusive_decoys(live(block), sets)
    assert (found.block, found.share) == ("b", share)


def test_exclusive_answers_must_be_in_one_protected_block() -> None:
    design = live(
        opened("you", yes_no("z"), yes_no("y")),
        shielded("b", 4000, yes_no("a", 3000)),
        shielded("c", 4000, yes_no("d", 3000)),
    )
    with refused("blocks", "b, c"):
        exclusive_decoys(design, [["a", "d"]])
    with refused("open_block", "you"):
        exclusive_decoys(design, [["z", "y"]])
    with refused("unknown_item", "nothing"):
        exclusive_decoys(design, [["a", "nothing"]])


def test_decoys_of_exclusive_answers_are_reported_by_block() -> None:
    first = shielded(
        "one", 4000, *(yes_no(key, theta) for key, theta in zip("abc", (3000, 6000, 5000), strict=True))
    )
    second = even(5000, 4)
    found = exclusive_decoys(live(first, second), [["q0", "q3"], ["a", "b"], ["b", "c"]])
    assert [decoys.block for decoys in found] == ["one", "b"]
    # b with a or c has probability .6 (1 - .7 * .5); both sets together count once.
    assert found[0].share == Fraction(6, 10) * (1 - Fraction(7, 10) * Fraction(5, 10))
    assert found[1].share == Fraction(1, 4)


def test_block_position_does_not_change_what_a_rotating_row_reveals() -> None:
    block = rotating(even(5000, 4), 2)
    sets = [["q0", "q1", "q2"]]
    # A booklet with two of the three fair questions shows both with probability 1/4.
    designs = (live(block), live(opened("you", yes_no("y"), yes_no("z")), block))
    assert [said.share for design in designs for said in exclusive_decoys(design, sets)] == [
        Fraction(1, 4)
    ] * 2


def test_many_exclusive_sets_in_a_long_block_are_counted_exactly() -> None:
    block = even(5000, 20)
    sets = [[f"q{place}" for place in range(start, start + 5)] for start in (0, 5, 10, 15)]
    (found,) = exclusive_decoys(live(block), sets)
    # Six of 32 answers to five fair questions have at most one yes.
    assert found.share == 1 - Fraction(6, 32) ** 4
    with refused("combinations", 45):
        exclusive_decoys(
            live(block), [list(pair) for pair in combinations([f"q{place}" for place in range(10)], 2)]
        )


def test_all_decoys_of_a_block_can_be_impossible() -> None:
    block = shielded("b", 0, choice("mood", 4000, 6000), choice("work", 3000, 7000))
    design = Design(blocks=(block,), group=GroupPolicy(), use="study")
    (found,) = exclusive_decoys(design, [["mood=o0", "mood=o1", "work=o0", "work=o1"]])
    assert found.share == 1


FILTER = TOGETHER["two follow-ups of one filter"]
IMPLIED = [
    ("hit=never", "kicked=once"),
    ("hit=never", "kicked=often"),
    ("hit=once", "kicked=never"),
    ("hit=often", "kicked=never"),
]


def test_pairs_that_a_shared_filter_excludes_are_expected() -> None:
    (block,) = FILTER.blocks
    assert with_shared_filters(FILTER, []) == IMPLIED
    assert contradictions(block, ["hit=never", "kicked=once"]) == []
    # No filter keeps anyone from "once" and "often".
    assert contradictions(block, ["hit=once", "kicked=often"]) == [("hit=once", "kicked=often")]
    mixed = ["hit=never", "kicked=once", "kicked=never"]
    assert contradictions(block, mixed) == [
        ("hit=never", "kicked=never"),
        ("kicked=once", "kicked=never"),
    ]
    # Stated pairs are not counted twice.
    assert with_shared_filters(FILTER, [IMPLIED[0]]) == IMPLIED
    (found,) = exclusive_decoys(FILTER, with_shared_filters(FILTER, []))
    never = Fraction(3334, 10_000)
    assert found.share == 2 * never * (1 - never)


def test_blocks_with_very_many_excluded_pairs_keep_the_stated_ones() -> None:
    names = "abcdefgh"
    many = design(together("b", *((name, followed(f"{name}1")) for name in names)))
    assert len(impossible_pairs(many.blocks[0])) == 4 * 28
    stated = [["a=once", "b=often"]]
    assert with_shared_filters(many, stated) == [("a=once", "b=often")]


@pytest.mark.parametrize(("most", "is_listed"), [(5, True), (4, False)])
def test_implied_pairs_are_listed_up_to_a_limit_for_all_pairs(
    most: int, is_listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One stated pair and four implied ones."""
    monkeypatch.setattr(impossible_decoys, "MOST_COMBINATIONS", most)
    stated = ("hit=once", "kicked=often")
    assert with_shared_filters(FILTER, [stated]) == [stated, *(IMPLIED if is_listed else [])]


@pytest.mark.parametrize(("most", "share"), [(3, Fraction(1, 4)), (2, Fraction(1, 2))])
def test_too_many_booklets_count_as_if_all_were_asked(
    most: int, share: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three exclusive answers are asked: with fair decoys, a quarter has both; of all three, half."""
    monkeypatch.setattr(impossible_decoys, "MOST_BOOKLETS", most)
    block = replace(even(5000, 3), questions_per_person=2)
    (found,) = exclusive_decoys(live(block), [["q0", "q1", "q2"]])
    assert found.share == share


def test_without_a_shared_filter_every_stated_set_is_a_contradiction() -> None:
    block = even(5000, 3)
    assert contradictions(block, ["q0", "q1", "q2"]) == [("q0", "q1", "q2")]
    assert with_shared_filters(live(block), [["q0", "q1"]]) == [("q0", "q1")]
