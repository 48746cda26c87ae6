"""Disguised rows."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.coins import LIMIT, SCALE, Coins
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED, Condition, Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused
from tests.fixtures.strategies import answers_of, designs, words
from tests.privacy.survey.test_grouping import AGE, WAVE, YES_NO
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import scale_block

SINGLE = choice("mood", 2000, 3000, 5000)
MULTI = choice("drugs", 100, 9900, multi=True)


def _edges(design: Design) -> list[list[int]]:
    """Return the thresholds of each draw of one disguise, in the published order."""
    edges: list[list[int]] = []
    for block in design.blocks:
        if not block.protected:
            continue
        edges.append([block.truth_probability])
        if block.refusal is not None:
            edges.append([block.refusal])
        for question in block.questions:
            if question.kind == "yes_no":
                edges.append([question.unrelated[0]])
            elif question.kind == "single":
                edges.append([sum(question.unrelated[:end]) for end in range(1, len(question.unrelated))])
            else:
                edges += [[share] for share in question.unrelated]
    return edges


def _classes(edges: Sequence[int]) -> list[range]:
    """Return the classes into which thresholds divide the draws 0..9999."""
    return [range(low, high) for low, high in pairwise([0, *edges, SCALE]) if low < high]


def _law(design: Design, answers: dict[str, Any], *, direct: bool, last: bool) -> dict[bytes, Fraction]:
    """Return the distribution of bodies, from the first or last draws of each combination of classes."""
    law: dict[Record, int] = defaultdict(int)
    for combination in product(*(_classes(edges) for edges in _edges(design))):
        draws = [members[-1 if last else 0] for members in combination]
        coins = Coins(draws)
        record = disguise(design, answers, direct=direct, coins=coins)
        assert coins.words_read == len(draws) == design.draws
        law[record] += math.prod(map(len, combination))
    pack = Layout(design).pack
    return {pack(record): Fraction(weight, SCALE**design.draws) for record, weight in law.items()}


def _answers(design: Design, rows: Sequence[Any]) -> dict[str, Any]:
    return {
        block.key: SKIPPED
        if row == SKIPPED
        else {question.key: value for question, value in zip(block.questions, row, strict=True)}
        for block, row in zip(design.blocks, rows, strict=True)
    }


def _body(design: Design, rows: Sequence[Any], *, direct: bool = False) -> bytes:
    empty = [(None,) * len(block.questions) for block in design.blocks]
    return Layout(design).pack(
        Record(
            direct=direct,
            answers=tuple(
                nothing if row == SKIPPED else row for row, nothing in zip(rows, empty, strict=True)
            ),
            refused=tuple(row == SKIPPED for row in rows),
        )
    )


def _published(design: Design, true: Sequence[Any]) -> dict[bytes, Fraction]:
    """Return the published distribution, the product over blocks of p [x = y] + (1 - p) q(y)."""
    law: dict[bytes, Fraction] = {}
    for sent in product(*(list(block_rows(block)) for block in design.blocks)):
        probability = Fraction(1)
        for block, x, y in zip(design.blocks, true, sent, strict=True):
            p = Fraction(block.truth_probability, SCALE)
            probability *= p * (x == y) + (1 - p) * unrelated_probability(block, y)
        law[_body(design, sent)] = probability
    return law


def _single_blocks() -> Iterator[Design]:
    for questions in ((YES_NO,), (SINGLE,), (MULTI,), (YES_NO, SINGLE), (SINGLE, MULTI), (YES_NO, MULTI)):
        for refusal in (None, 1250):
            yield live(shielded("a", 4500, *questions, refusal=refusal))


PROVEN = [
    *_single_blocks(),
    live(shielded("a", 1, YES_NO, yes_no("unhappy", 9999), SINGLE)),
    live(shielded("a", 6000, YES_NO, yes_no("unhappy", 5000)), shielded("b", 3000, SINGLE, refusal=2500)),
    live(shielded("a", 6000, MULTI, refusal=1), shielded("b", 9999, YES_NO, refusal=9999)),
    live(shielded("a", 6000, YES_NO), shielded("b", 3000, SINGLE), shielded("c", 4500, MULTI, refusal=2000)),
    study(shielded("a", 0, YES_NO, refusal=500), shielded("b", 10_000, SINGLE)),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", PROVEN, ids=lambda design: "+".join(
    "".join(question.kind[0] for question in block.questions) + ("r" * (block.refusal is not None))
    for block in design.blocks
))  # fmt: skip
def test_body_probabilities_match_the_published_ones_for_every_row(design: Design) -> None:
    for number, true in enumerate(product(*(list(block_rows(block)) for block in design.blocks))):
        published = {body: chance for body, chance in _published(design, true).items() if chance}
        # Alternate between first and last draws of the classes, just above and below each threshold.
        assert _law(design, _answers(design, true), direct=False, last=number % 2 == 1) == published
        assert sum(published.values()) == 1


@pytest.mark.parametrize("design", [*_single_blocks()][:4])
def test_first_and_last_draw_of_each_class_act_alike(design: Design) -> None:
    true = next(iter(product(*(list(block_rows(block)) for block in design.blocks))))
    answers = _answers(design, true)
    assert _law(design, answers, direct=False, last=False) == _law(design, answers, direct=False, last=True)


def test_block_channels_match_enumeration() -> None:
    design = live(shielded("a", 4500, YES_NO, SINGLE, refusal=1250))
    block = design.blocks[0]
    rows = list(block_rows(block))
    channel = block_channel(block)
    for column, true in enumerate(rows):
        law = _law(design, _answers(design, [true]), direct=False, last=False)
        assert [channel[row, column] for row in range(len(rows))] == [
            law[_body(design, [observed])] for observed in rows
        ]


def test_direct_rows_are_true_but_still_draw() -> None:
    design = live(shielded("a", 4500, YES_NO, SINGLE, refusal=1250), group=CHOICE)
    for true in block_rows(design.blocks[0]):
        law = _law(design, _answers(design, [true]), direct=True, last=False)
        assert law == {_body(design, [true], direct=True): 1}


def test_unasked_blocks_send_nothing_but_still_draw() -> None:
    design = live(
        opened("you", yes_no("married")),
        shielded("a", 4500, YES_NO, refusal=1250, asked_if=Condition(question="married", options=("yes",))),
    )
    for answers in ({"you": {"married": 0}}, {}):
        law = _law(design, answers, direct=False, last=False)
        married = answers.get("you", {}).get("married")
        assert law == {_sent(design, ((married,), (None,))): 1}


def _sent(design: Design, answers: Any) -> bytes:
    return Layout(design).pack(Record(direct=False, answers=answers, refused=(False,) * len(design.blocks)))


def test_open_answers_are_sent_unchanged_with_disguised_ones() -> None:
    design = live(opened("you", choice("age", options=3)), shielded("a", 4500, YES_NO))
    for age in range(3):
        law = _law(design, {"you": {"age": age}, "a": {"affair": 1}}, direct=False, last=False)
        # A decoy is "no" with (1 - .45) * (1 - .3).
        assert law == {
            _sent(design, ((age,), (1,))): Fraction(615, 1000),
            _sent(design, ((age,), (0,))): Fraction(385, 1000),
        }


@pytest.mark.slow
@given(st.data())
def test_the_number_of_random_words_used_does_not_depend_on_answers(data: st.DataObject) -> None:
    design = data.draw(designs())
    stream = data.draw(words(design.draws))
    used = set()
    for _ in range(2):
        direct = design.group.policy != "protected" and data.draw(st.booleans())
        coins = Coins(stream)
        disguise(design, data.draw(answers_of(design)), direct=direct, coins=coins)
        used.add(coins.words_read)
    assert len(used) == 1
    good = [place for place, word in enumerate(stream, 1) if word < LIMIT]
    assert used == {good[design.draws - 1] if design.draws else 0}


@pytest.mark.parametrize(("share", "direct"), [(None, True), (0, True), (10_000, False)])
def test_impossible_groups_are_rejected(share: int | None, direct: bool) -> None:
    block = shielded("a", 6000, YES_NO)
    design = live(block) if share is None else live(block, group=assigned(share))
    with refused("group", direct):
        disguise(design, {"a": {"affair": 1}}, direct=direct, coins=Coins([0, 0]))


def test_direct_rows_are_true_and_use_as_many_random_words() -> None:
    design = live(scale_block("age", AGE.disguise), group=CHOICE)
    words = [7, 8, 9]
    for direct in (False, True):
        coins = Coins(words)
        record = disguise(design, {"b-age": {"age": 3}}, direct=direct, coins=coins)
        assert coins.words_read == design.draws == 1
        assert record.answers == (((3,) if direct else (0,)),)


@pytest.mark.parametrize("wrong", [-1, 12, 1.5, "3", None, True, [3]])
def test_answers_outside_the_bins_are_refused(wrong: object) -> None:
    with refused("answer"):
        disguise(WAVE, {"b-age": {"age": wrong}}, direct=False, coins=Coins([1, 2]))


def test_numbers_and_places_cannot_be_skipped_by_default() -> None:
    with refused("skip_not_offered"):
        disguise(WAVE, {"b-age": "skipped"}, direct=False, coins=Coins([1]))


def test_too_few_random_words_are_rejected() -> None:
    with refused("no_words"):
        disguise(WAVE, {"b-age": {"age": 3}}, direct=False, coins=Coins([]))


def test_unasked_numbers_use_their_draw_but_send_nothing() -> None:
    married = Condition(question="married", options=("yes",))
    design = live(opened("you", yes_no("married")), replace(WAVE.blocks[0], asked_if=married))
    record = disguise(design, {"you": {"married": 0}}, direct=False, coins=Coins(range(64)))
    assert record.answers[1] == (None,)
