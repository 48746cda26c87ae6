"""Enumerating all classes of draws shows that bodies have exactly the published distribution."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.coins import LIMIT, SCALE, Coins
from privacy.survey.design import SKIPPED, Condition, Design
from privacy.survey.grouping import (
    block_channel,
    block_rows,
    disguise,
    draw_group,
    item_probability,
    read_answers,
    unrelated_probability,
)
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused
from tests.fixtures.strategies import answers_of, designs, words
from tests.vectors.designs import CHOICE, DESIGNS, assigned, choice, live, opened, shielded, study, yes_no

YES_NO = yes_no("affair", 3000)
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


@given(st.data())
def test_item_probabilities_sum_over_matching_rows(data: st.DataObject) -> None:
    block = shielded("a", 5000, YES_NO, SINGLE, MULTI, refusal=data.draw(st.sampled_from([None, 1000])))
    design = live(opened("you", yes_no("city")), block)
    wanted = data.draw(st.dictionaries(st.integers(1, 6), st.booleans(), min_size=1))

    def has(row: Any, index: int) -> bool:
        item = design.items[index]
        value = row[item.question - 1]
        return bool(
            value[item.option]
            if isinstance(value, tuple)
            else value == (item.option if item.question == 2 else 1)
        )

    expected = sum(
        unrelated_probability(block, row)
        for row in block_rows(block)
        if row != SKIPPED and all(has(row, index) == yes for index, yes in wanted.items())
    )
    assert item_probability(design, wanted) == expected


def test_item_probability_needs_exactly_one_protected_block() -> None:
    design = live(opened("you", yes_no("city")), shielded("a", 5000, YES_NO), shielded("b", 5000, SINGLE))
    with refused("blocks", "2 blocks"):
        item_probability(design, {1: True, 2: True})
    with refused("blocks", "0 blocks"):
        item_probability(design, {})
    for ask in (
        lambda: item_probability(design, {0: True}),
        lambda: unrelated_probability(design.blocks[0], (1,)),
        lambda: block_channel(design.blocks[0]),
    ):
        with refused("open_block", "you"):
            ask()
    with refused("too_large", "2,048"):
        block_channel(shielded("c", 5000, choice("q", *(5000,) * 11, multi=True)))


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


@pytest.mark.parametrize("share", [0, 1, 2700, 9999, 10_000])
def test_exactly_the_assigned_share_of_draws_is_direct(share: int) -> None:
    design = live(shielded("a", 6000, YES_NO), group=assigned(share))
    drawn = [draw_group(design, Coins([draw])) for draw in range(SCALE)]
    assert drawn == [True] * share + [False] * (SCALE - share)


@pytest.mark.parametrize("name", ["one yes/no", "mixed block, choice"])
def test_only_the_assigned_policy_draws_a_group(name: str) -> None:
    coins = Coins([0])
    with refused("group_policy", DESIGNS[name].group.policy):
        draw_group(DESIGNS[name], coins)
    assert coins.words_read == 0


@pytest.mark.parametrize(("share", "direct"), [(None, True), (0, True), (10_000, False)])
def test_impossible_groups_are_rejected(share: int | None, direct: bool) -> None:
    block = shielded("a", 6000, YES_NO)
    design = live(block) if share is None else live(block, group=assigned(share))
    with refused("group", direct):
        disguise(design, {"a": {"affair": 1}}, direct=direct, coins=Coins([0, 0]))


def test_block_rows_vary_the_first_question_slowest_with_skipped_last() -> None:
    block = shielded("a", 5000, YES_NO, choice("drugs", 1, 1, multi=True), refusal=1)
    assert list(block_rows(block))[:5] == [(0, (0, 0)), (0, (0, 1)), (0, (1, 0)), (0, (1, 1)), (1, (0, 0))]
    assert list(block_rows(block))[-1] == SKIPPED
    assert len(list(block_rows(block))) == 9


ROUTED = DESIGNS["routed, choice"]
WHOLE: dict[str, Any] = {
    "you": {"married": 1, "age": 2},
    "a": {"affair": 0, "unhappy": 1},
    "later": {"why": 1},
    "b": {"drugs": [0, 1, 1]},
    "c": {"vote": 1},
}


def test_complete_answers_are_read_in_design_order() -> None:
    assert read_answers(ROUTED, dict(reversed(WHOLE.items()))) == (
        ((1, 2), False),
        ((0, 1), False),
        ((1,), False),
        (((0, 1, 1),), False),
        ((1,), False),
    )


def test_unmet_or_empty_conditions_omit_the_block() -> None:
    assert read_answers(ROUTED, {"you": {"married": 0}, "c": {"vote": 0}}) == (
        ((0, None), False),
        (None, False),
        (None, False),
        (None, False),
        ((0,), False),
    )
    assert read_answers(ROUTED, {"c": {"vote": 0}})[0] == ((None, None), False)


def test_skipped_and_unasked_questions_are_distinguished() -> None:
    answers = WHOLE | {"a": "skipped"}
    assert read_answers(ROUTED, answers)[1] == (None, True)


@pytest.mark.parametrize(
    ("changes", "code", "named"),
    [
        ({"x": {}}, "unknown_block", "'x'"),
        ({"c": {"vote": 1, "x": 1}}, "unknown_question", "'x'"),
        ({"c": {"affair": 1}}, "unknown_question", "'affair'"),
        ({"a": {"affair": 1}}, "half_answered", "unhappy"),
        ({"a": {}}, "half_answered", "affair, unhappy"),
        ({"a": None}, "missing_block", "a"),
        ({"c": "skipped"}, "skip_not_offered", "'skipped'"),
        ({"you": "skipped"}, "skip_not_offered", "'skipped'"),
        ({"c": "no"}, "malformed", "'no'"),
        ({"c": [1]}, "malformed", "[1]"),
        ({"you": {"married": 0}}, "not_asked", "block a"),
        ({"you": {"married": 1, "age": 3}}, "not_asked", "block later"),
    ],
)
def test_answers_outside_the_design_are_rejected(changes: dict[str, Any], code: str, named: str) -> None:
    with refused(code, named):
        read_answers(ROUTED, WHOLE | changes)


@pytest.mark.parametrize("gone", ["a", "b", "c"])
def test_asked_protected_blocks_must_be_answered(gone: str) -> None:
    answers = {key: value for key, value in WHOLE.items() if key != gone}
    with refused("missing_block", f"block {gone}"):
        read_answers(ROUTED, answers)


@pytest.mark.parametrize("answers", [None, [], "you", 1])
def test_answers_must_be_a_mapping(answers: Any) -> None:
    with refused("malformed", repr(answers)):
        read_answers(ROUTED, answers)


@pytest.mark.parametrize("value", [2, -1, True, 1.0, "1", None, [1]], ids=repr)
def test_yes_no_answers_must_be_0_or_1(value: Any) -> None:
    with refused("answer", "vote", value):
        read_answers(ROUTED, WHOLE | {"c": {"vote": value}})


@pytest.mark.parametrize("value", [4, -1, False, "o1", None], ids=repr)
def test_single_choice_answers_must_be_an_option_position(value: Any) -> None:
    with refused("answer", "age", value):
        read_answers(ROUTED, WHOLE | {"you": {"married": 1, "age": value}})


@pytest.mark.parametrize(
    "value", [1, [], [0, 1], [0, 1, 1, 0], [0, 1, 2], [0, 1, True], [0, 1, None], "011", None], ids=repr
)
def test_multi_select_answers_need_a_0_or_1_per_option(value: Any) -> None:
    with refused("answer", "drugs"):
        read_answers(ROUTED, WHOLE | {"b": {"drugs": value}})
