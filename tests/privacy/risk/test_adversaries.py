from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from privacy.risk.adversaries import (
    KnownAnswers,
    attackers,
    excluding,
    exclusive_decoys,
    ignorant,
    knowing,
    known_answers,
    most_telling,
)
from privacy.risk.beliefs import independent
from privacy.risk.row_distribution import row_distribution
from privacy.survey.design import SKIPPED, Block, Design, GroupPolicy
from privacy.survey.grouping import block_rows, unrelated_probability
from tests.fixtures.blocks import blocks, even, stated, written_out
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, live, opened, shielded, yes_no
from tests.vectors.rotation_designs import rotating

Made = tuple[Block, dict[str, list[int]]]


@settings(max_examples=40, deadline=None)
@given(blocks())
def test_who_knows_nothing_judges_by_the_decoys_alone(made: Made) -> None:
    block, prevalence = made
    rows, prior, _ = written_out(block, prevalence)
    p = block.truth_probability / 10_000
    decoy = np.array([float(unrelated_probability(block, row)) for row in rows])
    coin = p / len(rows) / (p / len(rows) + (1 - p) * decoy)
    law = ignorant(row_distribution(independent(block, prevalence)))
    assert law.coin.max() == pytest.approx(coin.max())
    assert float((law.prior_mass * law.coin).sum()) == pytest.approx(float(prior @ coin))


@settings(max_examples=40, deadline=None)
@given(blocks())
def test_exclusions_are_the_likeliest_rows_but_the_one_that_was_sent(made: Made) -> None:
    block, prevalence = made
    rows, prior, _ = written_out(block, prevalence)
    p, count = block.truth_probability / 10_000, min(2, len(rows) - 2)
    law = excluding(row_distribution(independent(block, prevalence)), max(count, 0))
    expected = 0.0
    for place, row in enumerate(rows):
        others = np.sort(np.delete(prior, place))[::-1]
        left = 1 - others[: max(count, 0)].sum()
        held = min(1.0, prior[place] / left) if left > 1e-12 else 1.0
        decoy = float(unrelated_probability(block, row))
        expected += prior[place] * p * held / (p * held + (1 - p) * decoy)
    assert float((law.prior_mass * law.coin).sum()) == pytest.approx(expected, rel=1e-6)


def test_a_known_answer_takes_its_chance_out_of_the_prior_and_leaves_it_in_the_decoys() -> None:
    block = shielded("b", 4000, yes_no("a", 5000), choice("mood", 2000, 3000, 5000), refusal=1000)
    prevalence = {"a": [2000], "mood": [6000, 3000, 1000]}
    rows, prior, _ = written_out(block, prevalence)
    law = knowing(independent(block, prevalence), "mood")
    expected = 0.0
    for place, row in enumerate(rows):
        if row == SKIPPED or isinstance(row, str):
            held = prior[place]
        else:
            share = [0.6, 0.3, 0.1][row[1]] if isinstance(row[1], int) else 0
            held = prior[place] / share
        decoy = float(unrelated_probability(block, row))
        expected += prior[place] * 0.4 * held / (0.4 * held + 0.6 * decoy)
    assert float((law.prior_mass * law.coin).sum()) == pytest.approx(expected)
    assert law.prior_mass.sum() == pytest.approx(1)


def test_the_most_telling_fact_is_the_least_certain_one() -> None:
    block = shielded("b", 4000, yes_no("rare", 5000), yes_no("open", 5000), yes_no("sure", 5000))
    assert most_telling(independent(block, {"rare": [500], "open": [4500], "sure": [9000]})).key == "open"
    with refused("unknown_item", "nothing"):
        knowing(independent(block, {"rare": [500], "open": [4500], "sure": [9000]}), "nothing")


@settings(max_examples=30, deadline=None)
@given(blocks())
def test_whoever_knows_more_is_never_less_sure_of_the_surest_row(made: Made) -> None:
    block, prevalence = made
    prior = independent(block, prevalence)
    found = {attacker.name: attacker for attacker in attackers(prior, row_distribution(prior))}
    assert found["one_fact"].highest >= found["marginals"].highest - 1e-9
    if "exclusions" in found:
        assert found["exclusions"].highest >= found["marginals"].highest - 1e-9


def test_a_joint_law_is_an_attacker_of_its_own_and_one_question_allows_no_exclusion() -> None:
    block = even(5000, 1)
    prior = independent(block, stated(block, 2000))
    law = row_distribution(prior)
    names = [attacker.name for attacker in attackers(prior, law, joint=law)]
    assert names == ["nothing", "marginals", "joint", "one_fact"]


HALF = Fraction(1, 2)


def known_to_all(block: Block) -> tuple[KnownAnswers, ...]:
    return known_answers(
        independent(block, {question.key: question.even_shares for question in block.questions})
    )


@pytest.mark.parametrize(("count", "sure"), [(3, 0.89), (5, 0.97)])
def test_known_answers_that_match_are_the_truth_almost_surely(count: int, sure: float) -> None:
    assert round(float(known_to_all(even(5000, count))[-1].coin), 2) == sure


def test_the_answers_that_decoys_show_least_tell_most() -> None:
    block = shielded("b", 5000, yes_no("a", 4000), choice("mood", 500, 4500, 5000), yes_no("c", 9000))
    found = known_to_all(block)
    assert [known.keys for known in found] == [("mood",), ("mood", "c"), ("mood", "c", "a")]
    assert found[0].coin == HALF / (HALF + HALF * Fraction(1, 20))
    assert found[2].coin == HALF / (HALF + HALF * Fraction(1, 20) * Fraction(1, 10) * Fraction(4, 10))


def test_a_skip_makes_known_answers_a_little_rarer_in_decoys() -> None:
    assert known_to_all(even(5000, 2, refusal=2000))[1].coin == HALF / (HALF + HALF * Fraction(8, 10) / 4)


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


def test_exclusive_answers_are_of_one_protected_block() -> None:
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


def test_answers_that_exclude_each_other_are_told_block_by_block() -> None:
    first = shielded(
        "one", 4000, *(yes_no(key, theta) for key, theta in zip("abc", (3000, 6000, 5000), strict=True))
    )
    second = even(5000, 4)
    found = exclusive_decoys(live(first, second), [["q0", "q3"], ["a", "b"], ["b", "c"]])
    assert [decoys.block for decoys in found] == ["one", "b"]
    # b with a or c: .6 (1 - .7 * .5); both sets at once are counted once.
    assert found[0].share == Fraction(6, 10) * (1 - Fraction(7, 10) * Fraction(5, 10))
    assert found[1].share == Fraction(1, 4)


def test_of_a_rotating_block_a_row_shows_what_its_booklet_asks_wherever_the_block_stands() -> None:
    block = rotating(even(5000, 4), 2)
    sets = [["q0", "q1", "q2"]]
    # Two of four fair questions: a booklet with two of the three shows them both with probability 1/4.
    designs = (live(block), live(opened("you", yes_no("y"), yes_no("z")), block))
    assert [said.share for design in designs for said in exclusive_decoys(design, sets)] == [
        Fraction(1, 4)
    ] * 2


def test_many_sets_in_a_long_block_are_counted_exactly() -> None:
    block = even(5000, 20)
    sets = [[f"q{place}" for place in range(start, start + 5)] for start in (0, 5, 10, 15)]
    (found,) = exclusive_decoys(live(block), sets)
    # Of 32 answers to five fair questions six have at most one yes.
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
