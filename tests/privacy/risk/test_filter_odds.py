"""What answers that share a filter reveal about it together, against an enumeration of all answers."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random
from typing import Any

import pytest

from privacy.coins import SCALE
from privacy.risk.amplification import promise
from privacy.risk.budget import block_budget, question_odds
from privacy.risk.filter_odds import filter_odds
from privacy.risk.promise import percent
from privacy.survey.block import SKIPPED, Block
from privacy.survey.composed_block import block_components, shared_filters
from privacy.survey.composite_parts import Gaps
from privacy.survey.computed_answers import with_computed
from privacy.survey.design import Condition, Design
from privacy.survey.question import Question
from tests.vectors.composite_designs import (
    SEX,
    TOGETHER,
    acts,
    design,
    followed,
    opened,
    together,
    yes,
)

TWO = TOGETHER["two follow-ups of one filter"].blocks[0]


def given_to(block: Block) -> Iterator[dict[str, int | None]]:
    """Yield every way to answer the components of a block, gaps included."""
    components = block_components(block)
    gaps: Sequence[None] = () if block.refusal is None else (None,)
    values = [(*range(len(component.choices)), *gaps) for component in components]
    for combination in itertools.product(*values):
        yield dict(zip((component.key for component in components), combination, strict=True))


def rows_by_answer(own: Design, key: str, asked: Sequence[int]) -> dict[Any, set[tuple[Any, ...]]]:
    """Return, by answer to a filter, the true rows of the questions asked, without skips."""
    block = own.blocks[-1]
    found: dict[Any, set[tuple[Any, ...]]] = {}
    openly: list[dict[str, Any]] = [{}]
    if not own.blocks[0].protected:
        openly = [{"you": {"sex": value}} for value in range(len(SEX.options))] + [{"you": {}}]
    for given, chosen in itertools.product(given_to(block), openly):
        parts = {
            block.questions[place].key: {
                each.key: given[each.key] for each in rule_of(block.questions[place]).components
            }
            for place in asked
        }
        computed = with_computed(own, {**chosen, block.key: parts})[block.key]
        if computed != SKIPPED:
            row = tuple(computed[block.questions[place].key] for place in asked)
            found.setdefault(given[key], set()).add(row)
    return found


def rule_of(question: Question) -> Any:
    assert question.computed is not None
    return question.computed


def share(question: Question, value: int) -> Fraction:
    if question.options:
        return question.decoy_shares[value]
    return question.decoy_shares[0] if value else 1 - question.decoy_shares[0]


def enumerated(own: Design) -> Fraction:
    """Return the largest ratio of probabilities of the same reports between two answers to a filter."""
    block = own.blocks[-1]
    p, r = block.truth, Fraction(block.refusal or 0, SCALE)
    best = Fraction(1)
    sizes = itertools.combinations(range(len(block.questions)), block.most_asked)
    for asked, (key, positions) in itertools.product(sizes, shared_filters(block).items()):
        held = [place for place in asked if place in positions]
        if len(held) < 2:
            continue
        by_answer = rows_by_answer(own, key, held)

        def chance(row: Any, report: Any, held: Sequence[int] = held) -> Fraction:
            decoy = Fraction(1)
            for place, value in zip(held, report, strict=True):
                decoy *= share(block.questions[place], value)
            return p * (row == report) + (1 - p) * (1 - r) * decoy

        reports = set().union(*by_answer.values())
        for report, (one, other) in itertools.product(reports, itertools.permutations(by_answer, 2)):
            most = max(chance(row, report) for row in by_answer[one])
            least = min(chance(row, report) for row in by_answer[other])
            best = max(best, most / least)
    return best


def test_two_follow_ups_in_three_levels_have_odds_10() -> None:
    even = replace(
        TWO,
        questions=tuple(replace(question, unrelated=(3400, 3300, 3300)) for question in TWO.questions),
    )
    # The design page's example: with thirds the row "never, never" has odds 1 + 9 = 10, 91%.
    row = Fraction(1, 2) / (Fraction(1, 2) * Fraction(1, 9)) + 1
    assert (row, percent(row)) == (10, 91)
    odds = filter_odds(TWO)
    assert odds is not None
    assert ceil(100 * (odds / (1 + odds))) == 91
    assert filter_odds(even) == 1 + 1 / Fraction(33, 100) ** 2
    assert odds == enumerated(design(TWO))


def skewed(block: Block, dice: Random) -> Block:
    """Return the block with other random answers."""
    questions = []
    for question in block.questions:
        cuts = sorted(dice.sample(range(500, 9500), len(question.options) - 1 if question.options else 1))
        edges = [0, *cuts, SCALE]
        shares = [high - low for low, high in itertools.pairwise(edges)]
        questions.append(replace(question, unrelated=tuple(shares if question.options else cuts)))
    return replace(block, questions=tuple(questions))


@pytest.mark.parametrize("turn", range(6))
def test_the_figure_is_the_largest_ratio_that_enumeration_finds(turn: int) -> None:
    dice = Random(f"filter {turn}")
    three = (("a", followed("a1")), ("b", followed("b1")), ("c", followed("c1")))
    blocks = {
        "two": together("b", *three[:2]),
        "three": together("b", *three),
        "gaps": together(
            "b",
            *((name, replace(rule, missing=Gaps(at_most=1, fill="no_points"))) for name, rule in three[:2]),
            refusal=2000,
        ),
        "two of three": together("b", *three, questions_per_person=2),
        "with another": together("b", *three[:2], ("d", acts("d1", "d2"))),
    }
    for name, block in blocks.items():
        own = design(skewed(block, dice))
        assert filter_odds(own.blocks[0]) == enumerated(own), name


def test_nested_filters_and_rotation_agree_with_enumeration() -> None:
    own = TOGETHER["two filters, one after the other"]
    for turn in range(3):
        block = skewed(own.blocks[-1], Random(f"nested {turn}"))
        changed = replace(own, blocks=(own.blocks[0], block), mechanism=0)
        assert filter_odds(block) == enumerated(changed)


def test_it_is_between_one_answer_and_everything() -> None:
    promised = promise(design(TWO))
    assert promised is not None
    assert promised.shared == filter_odds(TWO)
    assert promised.answer == question_odds(TWO) < promised.shared <= promised.everything
    assert promised.everything == block_budget(TWO).amplification
    more = together("b", ("a", followed("a1")), ("b", followed("b1")), ("d", acts("d1", "d2")))
    further = promise(design(more))
    assert further is not None
    assert further.shared is not None
    assert further.shared < further.everything, "the third answer does not depend on the filter"


@pytest.mark.parametrize("name", ["three forms", "index and placebo", "two halves"])
def test_without_a_shared_filter_there_is_no_figure(name: str) -> None:
    block = TOGETHER[name].blocks[0]
    assert filter_odds(block) is None
    assert "shared" not in str(promised_json(TOGETHER[name]))


def promised_json(own: Design) -> Mapping[str, Any]:
    found = promise(own)
    assert found is not None
    return found.to_json()


def test_a_device_that_is_asked_one_of_the_questions_reveals_no_more_than_one_answer() -> None:
    alone = together("b", ("a", followed("a1")), ("b", followed("b1")), questions_per_person=1)
    assert filter_odds(alone) is None
    listed = together(
        "b",
        ("a", followed("a1")),
        ("b", followed("b1")),
        ("d", acts("d1", "d2")),
        questions_per_person=2,
        booklets=((0, 2), (1, 2)),
    )
    assert filter_odds(listed) is None
    both = replace(listed, booklets=((0, 1), (1, 2)))
    assert filter_odds(both) == filter_odds(TWO)


def test_a_block_that_few_are_asked_counts_like_any_other() -> None:
    asked = replace(TWO, asked_if=Condition(question="sex", options=("woman",)))
    found = promise(design(opened("you", SEX), asked, together("x", ("e", acts("e1", "e2")))))
    assert found is not None
    assert found.shared == filter_odds(TWO)
    assert yes("plain").shared is False
