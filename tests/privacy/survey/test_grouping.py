"""Enumerating all classes of draws shows that bodies have exactly the published distribution."""

import copy
import hashlib
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.coins import LIMIT, SCALE, Coins, words_below
from privacy.risk.budget import budget
from privacy.scales.window import WindowChannel
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED, Block, Condition, Design, Question
from privacy.survey.grouping import disguise, draw_group
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused
from tests.fixtures.strategies import answers_of, designs, words
from tests.vectors.designs import CHOICE, DESIGNS, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, scale_block
from tests.vectors.strength_designs import SCALES

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


WAVE = NUMBERS["square wave"]


KEEP = NUMBERS["keep or any"]


USM = PLACES["utility-optimised"]


AGE = WAVE.questions[0]


def test_designs_without_numbers_or_places_keep_their_digests() -> None:
    digests = "".join(design.design_id for design in DESIGNS.values())
    assert (
        hashlib.sha256(digests.encode()).hexdigest()
        == "9ede7e9b457805053258ad18e93822dc980c45599681d4fba09dbd7558c741c8"
    )
    assert {design.mechanism for design in DESIGNS.values()} == {1}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"questions": (AGE, yes_no("affair", 5000))}, "lone"),
        ({"questions": (AGE, replace(AGE, key="other"))}, "lone"),
        ({"protected": False, "truth_probability": 10_000}, "disguise"),
        ({"truth_probability": 5000}, "truth_probability"),
        ({"refusal": 2000}, "refusal_low"),
        ({"refusal": 10_000}, "refusal"),
    ],
)
def test_disguised_numbers_need_their_own_protected_block(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(WAVE.blocks[0], **changes)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"disguise": None}, "disguise"),
        ({"disguise": USM.questions[0].disguise}, "disguise"),
        ({"unrelated": (5000,)}, "unrelated_probability"),
        ({"options": ("young",)}, "malformed"),
        ({"kind": "yes_no"}, "disguise"),
    ],
)
def test_number_questions_accept_only_their_own_disguise(changes: dict[str, Any], code: str) -> None:
    stated = {field.name: getattr(AGE, field.name) for field in fields(AGE)}
    with refused(code):
        Question(**stated | changes)


def test_copying_a_question_cannot_change_its_kind() -> None:
    with refused("kind", "yes_no"):
        replace(AGE, kind="yes_no")


def test_items_need_a_disguise_with_a_retention_probability() -> None:
    assert isinstance(AGE.disguise, WindowChannel)
    with refused("disguise", "age"):
        replace(AGE, options=("young",), disguise=replace(AGE.disguise, spans=((0, 2),)))
    assert KEEP.questions[0].item_keys == ("age=young", "age=middle")
    with refused("duplicate_key"):
        replace(KEEP.questions[0], options=("young", "young"))


def test_live_designs_reject_numbers_without_a_privacy_bound() -> None:
    shift = NUMBERS["shift, study"].blocks[0]
    with refused("disguise", "shift"):
        live(shift)
    assert study(shift).mechanism == 2


def test_the_blocks_determine_the_mechanism_number() -> None:
    assert live(shielded("a", 5000, yes_no("x", 5000))).mechanism == 1
    for wrong in (1, 3, True, "2"):
        with refused("mechanism", repr(wrong)):
            replace(WAVE, mechanism=wrong)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("floor",), 1048576, "malformed"),
        (("floor",), "01", "malformed"),
        (("floor",), "-1", "malformed"),
        (("floor",), "9" * 402, "malformed"),
        (("range", "bin"), 7, "range"),
        (("range",), {"low": 0, "high": 9}, "malformed"),
        (("spans",), None, "spans"),
        (("more",), 1, "malformed"),
        (("window",), "5", "disguise"),
    ],
)
def test_malformed_disguises_are_rejected(path: tuple[str, ...], value: object, code: str) -> None:
    document = copy.deepcopy(WAVE.to_json())
    part = document["blocks"][0]["questions"][0]["disguise"]
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    with refused(code):
        Design.from_json(document)


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("area", "rows"), 0, "too_large"),
        (("area",), None, "malformed"),
        (("levels",), {}, "malformed"),
        (("levels", 0, "numerator"), 7, "malformed"),
        (("levels", 0, "rectangles", 0), [1, 1, 4], "rectangle"),
        (("levels", 0, "snap"), 0, "disguise"),
        (("regions",), "east", "regions"),
    ],
)
def test_malformed_maps_are_rejected(path: tuple[Any, ...], value: object, code: str) -> None:
    document = copy.deepcopy(USM.to_json())
    part: Any = document["blocks"][0]["questions"][0]["disguise"]
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    with refused(code):
        Design.from_json(document)


def test_disguised_bodies_hold_outputs_and_direct_bodies_bins() -> None:
    design = live(scale_block("age", AGE.disguise), group=CHOICE)
    layout = Layout(design)
    # Twelve bins and sixteen outputs both need four bits.
    assert layout.value_bits(0) == (2, 4)
    assert layout.unpack(bytes([0b0_1_1111_00])).answers == ((15,),)
    assert layout.unpack(bytes([0b1_1_1011_00])).answers == ((11,),)
    with refused("option", "12"):
        layout.unpack(bytes([0b1_1_1100_00]))
    with refused("routing"):
        layout.unpack(bytes([0b0_0_0000_00]))


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


def test_coin_functions_reject_number_blocks_and_vice_versa() -> None:
    block: Block = WAVE.blocks[0]
    with refused("lone"):
        unrelated_probability(block, (0,))
    with refused("not_lone"):
        _ = shielded("a", 5000, yes_no("x", 5000)).disguise
    assert block_channel(block) == AGE.disguise.channel


def test_partial_map_epsilons_are_excluded_from_the_total() -> None:
    number, place = KEEP.blocks[0], USM.blocks[0]
    both = budget(live(number, place, shielded("a", 5000, yes_no("x", 5000))))
    keep, usm, coin = both.blocks
    assert usm.exact_outside
    assert (usm.amplification, keep.exact_outside, coin.exact_outside) == (7 / 2, False, False)
    assert both.epsilon == keep.epsilon + coin.epsilon
    assert keep.amplification == KEEP.questions[0].disguise.amplification
    whole = budget(PLACES["square mechanism"])
    assert whole.epsilon == whole.blocks[0].epsilon > 2


def test_questions_without_items_have_no_item_column() -> None:
    design = live(scale_block("age", AGE.disguise), shielded("a", 5000, yes_no("x", 5000)))
    assert [item.key for item in design.items] == ["x"]
    assert isinstance(design.questions[0], Question)
    assert design.n_columns == 1 + 2 + 2


def test_unasked_numbers_use_their_draw_but_send_nothing() -> None:
    married = Condition(question="married", options=("yes",))
    design = live(opened("you", yes_no("married")), replace(WAVE.blocks[0], asked_if=married))
    record = disguise(design, {"you": {"married": 0}}, direct=False, coins=Coins(range(64)))
    assert record.answers[1] == (None,)


def test_one_draw_serves_both_strengths() -> None:
    block = SCALES["square wave"].blocks[0]
    totals = [block.in_group(direct=direct).scale_total for direct in (False, True)]
    assert block.scale_total == math.lcm(*totals)
    assert (AGE.patterns, AGE.n_draws) == (AGE.scale.inputs, words_below(AGE.scale.total))
    assert WAVE.blocks[0].truth == 0
    assert KEEP.blocks[0].truth == KEEP.questions[0].scale.retention_probability
    assert block.scale_sent(None, 0) is None
