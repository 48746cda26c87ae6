"""Enumerating all classes of draws shows that bodies have exactly the published distribution."""

import copy
import hashlib
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.coins import LIMIT, SCALE, Coins, words_below
from privacy.errors import PrivacyError
from privacy.risk.budget import budget
from privacy.scales.window import WindowChannel
from privacy.survey.booklets import Rotation
from privacy.survey.design import SKIPPED, Block, Condition, Design, GroupPolicy, Question, default_refusal
from privacy.survey.grouping import (
    arm_at,
    block_channel,
    block_rows,
    disguise,
    draw_group,
    draw_questions,
    everything,
    invited_arms,
    invited_draw,
    item_probability,
    read_answers,
    unrelated_probability,
)
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused
from tests.fixtures.strategies import answers_of, designs, words
from tests.vectors.arm_designs import DESIGNS as ARM_DESIGNS
from tests.vectors.arm_designs import arms
from tests.vectors.designs import (
    CHOICE,
    DESIGNS,
    PROTECTED,
    assigned,
    choice,
    live,
    opened,
    shielded,
    study,
    yes_no,
)
from tests.vectors.rotation_designs import fair
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


def asked_yes_no(key: str, share: int = 5000) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=(share,))


def part(key: str, questions: tuple[Question, ...], **more: object) -> Block:
    law = {"protected": True, "truth_probability": 5000, "refusal": None, "asked_if": None} | more
    return Block(key=key, questions=questions, **law)


MONEY = part(
    "money", (asked_yes_no("a"), asked_yes_no("b", 3000), asked_yes_no("c", 6000)), questions_per_person=2
)


MIXED = part(
    "mixed",
    (
        Question(key="mood", kind="single", options=("x", "y", "z"), unrelated=(3000, 3000, 4000)),
        Question(key="drugs", kind="multi", options=("s", "t"), unrelated=(2000, 5000)),
        asked_yes_no("d"),
    ),
    questions_per_person=1,
    refusal=1000,
)


YOU = Block(
    key="you",
    protected=False,
    truth_probability=SCALE,
    questions=(Question(key="adult", kind="yes_no", options=(), unrelated=()),),
)


ADULTS = Condition(question="adult", options=("yes",))


EVERYBODY = GroupPolicy()


def design_of(*blocks: Block, **more: object) -> Design:
    return Design(**{"blocks": blocks, "group": EVERYBODY, "use": "live"} | more)


ROTATED = design_of(
    YOU,
    MONEY,
    MIXED,
    part("work", (asked_yes_no("e"), asked_yes_no("f")), asked_if=ADULTS),
    rotations=(Rotation(blocks=("money", "mixed", "work"), parts_per_person=2),),
)


def test_designs_without_rotation_omit_its_keys():
    plain = design_of(part("money", MONEY.questions))
    assert plain.mechanism == 1
    assert not plain.rotates
    assert set(plain.to_json()) == {"mechanism", "use", "group", "blocks"}
    assert "questions_per_person" not in plain.to_json()["blocks"][0]


@pytest.mark.parametrize(
    "design",
    [
        ROTATED,
        design_of(MONEY),
        design_of(part("money", MONEY.questions, questions_per_person=2, booklets=((0, 1), (1, 2)))),
        design_of(YOU, part("a", (asked_yes_no("q"),)), part("b", (asked_yes_no("r"),)),
                  rotations=(Rotation(blocks=("b", "a"), parts_per_person=1),)),
    ],
)  # fmt: skip
def test_rotating_designs_survive_a_json_round_trip(design):
    document = json.loads(json.dumps(design.to_json()))
    assert document["mechanism"] == 4
    again = Design.from_json(document)
    assert again == design
    assert again.design_id == design.design_id


@pytest.mark.parametrize(
    "change",
    [
        {"blocks": {"questions_per_person": None}},
        {"blocks": {"booklets": None}},
        {"blocks": {"booklets": []}},
        {"blocks": {"questions_per_person": 2.0}},
        {"blocks": {"questions_per_person": "2"}},
        {"rotations": []},
        {"rotations": None},
        {"rotations": [{"blocks": ["money"], "parts_per_person": 1}]},
        {"rotations": [{"blocks": ["money", "work"]}]},
        {"rotations": "money"},
        {"rotations": [["money", "work"]]},
        {"mechanism": 1},
    ],
)
def test_malformed_json_is_rejected(change):
    document = ROTATED.to_json()
    document["blocks"][1] |= change.get("blocks", {})
    document |= {key: value for key, value in change.items() if key != "blocks"}
    with pytest.raises(PrivacyError):
        Design.from_json(document)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (lambda: part("money", MONEY.questions, booklets=((0, 1), (1, 2))), "booklets"),
        (lambda: part("money", MONEY.questions, questions_per_person=3), "questions_per_person"),
        (lambda: part("you", YOU.questions, protected=False, truth_probability=SCALE, questions_per_person=1),
         "questions_per_person"),
        (lambda: design_of(YOU, MONEY, rotations=(Rotation(blocks=("you", "money"), parts_per_person=1),)),
         "rotation"),
        (lambda: design_of(YOU, MONEY, rotations=(Rotation(blocks=("money", "x"), parts_per_person=1),)),
         "rotation"),
        (lambda: design_of(MONEY, MIXED,
                           rotations=(Rotation(blocks=("money", "mixed"), parts_per_person=1),) * 2),
         "rotation"),
        (lambda: Rotation(blocks=("money", "money"), parts_per_person=1), "duplicate_key"),
        (lambda: Rotation(blocks=("money",), parts_per_person=1), "rotation"),
        (lambda: Rotation(blocks=("money", "mixed"), parts_per_person=2), "questions_per_person"),
        (lambda: design_of(MONEY, rotations=("money",)), "malformed"),
        (lambda: list(block_rows(MONEY)), "rotating"),
        (lambda: block_channel(MONEY), "rotating"),
        (lambda: disguise(design_of(MONEY), {}, direct=False, coins=Coins([])), "drawn"),
        (lambda: disguise(design_of(MONEY), {}, direct=False, coins=Coins([]), drawn=((0, 1, 2),)), "drawn"),
        (lambda: disguise(design_of(MONEY), {}, direct=False, coins=Coins([]), drawn=((),)), "drawn"),
        (lambda: disguise(design_of(MONEY), {}, direct=False, coins=Coins([]), drawn=()), "drawn"),
        (lambda: disguise(design_of(MONEY), {"money": {"a": 1, "c": 0}}, direct=False, coins=Coins([]),
                          drawn=((0, 1),)), "unknown_question"),
        (lambda: disguise(design_of(MONEY), {"money": {"a": 1}}, direct=False, coins=Coins([]),
                          drawn=((0, 1),)), "half_answered"),
    ],
)  # fmt: skip
def test_invalid_rotations_are_rejected(wrong, code):
    with pytest.raises(PrivacyError) as refusal:
        wrong()
    assert refusal.value.code == code


def test_all_drawings_are_equally_likely():
    rotation, n_money, n_mixed = ROTATED.rotations[0].sets.count, MONEY.n_booklets, MIXED.n_booklets
    found = Counter(
        draw_questions(ROTATED, Coins(words))
        for words in itertools.product(range(rotation), range(n_money), range(n_mixed))
    )
    drawn = {(drawing[1], drawing[2], drawing[3]) for drawing in found}
    assert {drawing[0] for drawing in found} == {(0,)}
    assert len(drawn) == 3 * 3 + 3 + 3  # both rotate, or only one of them
    for (_, money, mixed, _work), times in found.items():
        # Parts that are left out also draw questions.
        assert times == (1 if money and mixed else 3)


def test_joint_question_probabilities_match_all_draws():
    words = itertools.product(range(3), range(3), range(3))
    drawings = [draw_questions(ROTATED, Coins(some)) for some in words]
    for size in range(1, 5):
        for wanted in itertools.combinations(range(len(ROTATED.questions)), size):
            held = [
                all(
                    number - ROTATED.first_questions[ROTATED.block_of(number)]
                    in drawing[ROTATED.block_of(number)]
                    for number in wanted
                )
                for drawing in drawings
            ]
            assert ROTATED.drawn_together(wanted) == Fraction(sum(held), len(held))


def test_drawings_and_answers_do_not_change_the_words_used():
    design, used = design_of(MIXED), set()
    for booklet, value in itertools.product(range(3), range(2)):
        (asked,) = MIXED.booklet(booklet)
        question = MIXED.questions[asked]
        answer = {"mood": value, "drugs": [value, value], "d": value}[question.key]
        coins = Coins(itertools.repeat(9999))
        disguise(design, {"mixed": {question.key: answer}}, direct=False, coins=coins, drawn=((asked,),))
        used.add(coins.words_read)
    assert used == {design.draws}


def test_sent_rows_follow_the_probabilities_of_their_booklet():
    """Enumerates all coins of a part; decoys depend on the questions of the booklet."""
    design = design_of(part("money", MONEY.questions, questions_per_person=2, refusal=2000))
    block = design.blocks[0]
    for booklet in ((0, 1), (0, 2), (1, 2)):
        alone = block.of_booklet(booklet)
        truth = (1, 0)
        answers = {
            "money": {block.questions[at].key: value for at, value in zip(booklet, truth, strict=True)}
        }
        chances: Counter[object] = Counter()
        thresholds = (5000, 2000, 5000, 3000, 6000)
        for below in itertools.product((True, False), repeat=5):
            words = [
                threshold - 1 if yes else threshold for yes, threshold in zip(below, thresholds, strict=True)
            ]
            record = disguise(design, answers, direct=False, coins=Coins(words), drawn=(booklet,))
            weight = math.prod(
                Fraction(edge if yes else SCALE - edge, SCALE)
                for yes, edge in zip(below, thresholds, strict=True)
            )
            assert record.drawn == (booklet,)
            sent = "skipped" if record.refused[0] else tuple(record.answers[0][at] for at in booklet)
            assert all(record.answers[0][at] is None for at in range(3) if at not in booklet)
            chances[sent] += weight
        for row in block_rows(alone):
            wanted = unrelated_probability(alone, row) / 2 + Fraction(row == truth, 2)
            assert chances[row] == wanted


def test_bodies_of_every_drawing_unpack_unchanged():
    layout, seen = Layout(ROTATED), set()
    for drawn_words in itertools.product(range(3), range(3), range(3)):
        drawn = draw_questions(ROTATED, Coins(drawn_words))
        for adult, skips in itertools.product((0, 1, None), (False, True)):
            answers: dict[str, object] = {} if adult is None else {"you": {"adult": adult}}
            for block, positions in zip(ROTATED.blocks[1:], drawn[1:], strict=True):
                if not positions or (block.key == "work" and adult != 1):
                    continue
                values = {"mood": 2, "drugs": [0, 1]}
                keys = [block.questions[at].key for at in positions]
                answers[block.key] = (
                    "skipped" if skips and block.refusal else {key: values.get(key, 1) for key in keys}
                )
            record = disguise(ROTATED, answers, direct=False, coins=Coins(itertools.repeat(0)), drawn=drawn)
            body = layout.pack(record)
            assert layout.unpack(body) == record
            for block, first, positions in zip(
                ROTATED.blocks, ROTATED.first_questions, record.drawn, strict=True
            ):
                if block.protected:
                    bits = [
                        body[bit // 8] >> (7 - bit % 8) & 1
                        for bit in (layout.presence_bit(first + at) for at in range(len(block.questions)))
                    ]
                    assert [at for at, present in enumerate(bits) if present] == list(positions)
            seen.add(body)
    assert len(seen) > 40


@pytest.mark.parametrize(
    ("answers", "refused", "code"),
    [
        (((1,), (1, 1, 1), (2, None, None), (None, None)), (False,) * 4, "booklet"),
        (((1,), (1, None, None), (2, None, None), (None, None)), (False,) * 4, "booklet"),
        (((1,), (1, 1, None), (None, None, None), (None, None)), (False,) * 4, "rotation"),
        (((1,), (1, 1, None), (2, None, None), (1, 1)), (False,) * 4, "rotation"),
        (((0,), (1, None, 1), (None, None, None), (1, 0)), (False,) * 4, "routing"),
        (((1,), (None, None, None), (None, None, 0), (1, None)), (False,) * 4, "partly_answered"),
    ],
)
def test_impossible_bodies_are_rejected(answers, refused, code):
    layout = Layout(ROTATED)
    drawn = tuple(tuple(at for at, value in enumerate(row) if value is not None) for row in answers)
    word = 0
    total = 8 * layout.n_bytes
    for number, value in enumerate(itertools.chain.from_iterable(answers)):
        if value is not None:
            start, width = layout.value_bits(number)
            word |= 1 << (total - layout.presence_bit(number) - 1) | value << (total - start - width)
    with pytest.raises(PrivacyError) as refusal:
        layout.unpack(word.to_bytes(layout.n_bytes, "big"))
    assert refusal.value.code == code
    with pytest.raises(PrivacyError) as refusal:
        layout.pack(Record(direct=False, answers=answers, refused=refused, drawn=drawn))
    assert refusal.value.code == code


def test_routed_away_respondents_leave_their_slot_empty():
    layout = Layout(ROTATED)
    answers: tuple[tuple[int | None, ...], ...] = ((0,), (1, 1, None), (None,) * 3, (None,) * 2)
    record = Record(direct=False, answers=answers, refused=(False,) * 4, drawn=((0,), (0, 1), (), ()))
    assert layout.unpack(layout.pack(record)) == record
    nobody = Record(
        direct=False, answers=((0,), (None,) * 3, (None,) * 3, (None,) * 2), refused=(False,) * 4,
        drawn=((0,), (), (), ()),
    )  # fmt: skip
    with pytest.raises(PrivacyError) as refusal:
        layout.pack(nobody)
    assert refusal.value.code == "rotation"


def test_only_records_of_rotating_designs_list_the_questions_asked():
    rows = ((1, 1, None),)
    for drawn, code in ((None, "record"), (((0, 2),), "record"), ((), "shape")):
        with pytest.raises(PrivacyError) as refusal:
            Layout(design_of(MONEY)).pack(Record(direct=False, answers=rows, refused=(False,), drawn=drawn))
        assert refusal.value.code == code
    plain = design_of(part("money", MONEY.questions))
    with pytest.raises(PrivacyError):
        Layout(plain).pack(Record(direct=False, answers=((1, 1, 1),), refused=(False,), drawn=((0, 1, 2),)))
    assert everything(plain) == ((0, 1, 2),)


@pytest.mark.parametrize("booklets", [None, ((0, 1), (0, 2), (1, 2)), ((0, 1), (1, 2))])
def test_the_worst_booklet_has_the_rarest_decoy(booklets):
    for shares in itertools.product((1000, 3000, 5000, 8000), repeat=3):
        questions = tuple(asked_yes_no(key, share) for key, share in zip("abc", shares, strict=True))
        block = part("money", questions, questions_per_person=2, booklets=booklets, refusal=100)

        def rarest(booklet: tuple[int, ...], block: Block = block) -> Fraction:
            alone = block.of_booklet(booklet)
            return min(unrelated_probability(alone, row) for row in block_rows(alone) if row != "skipped")

        all_of_them = [block.booklet(number) for number in range(block.n_booklets)]
        assert rarest(block.worst_booklet) == min(rarest(booklet) for booklet in all_of_them)


def test_default_skip_probability_suits_the_shortest_booklet():
    assert default_refusal(MIXED) == -(-SCALE // (1 + 2))  # "d" alone has two patterns
    assert default_refusal(MONEY) == -(-SCALE // (1 + 4))


def test_rotating_blocks_can_have_two_strengths():
    light = part("money", MONEY.questions, questions_per_person=2, light=8000)
    design = design_of(light, group=GroupPolicy(policy="assigned", direct_share=5000))
    assert design.mechanism == 4
    assert design.in_group(direct=True).blocks[0].questions_per_person == 2
    assert light.of_booklet((0, 2)).in_group(direct=True).truth_probability == 8000


def test_rotations_with_too_many_sets_are_rejected() -> None:
    keys = tuple(f"part{number}" for number in range(60))
    with pytest.raises(PrivacyError) as refusal:
        Rotation(blocks=keys, parts_per_person=30)
    assert refusal.value.code == "questions_per_person"
    assert "the rotating parts: each person is asked 30 of 60, which makes 118264581564861424 sets" in str(
        refusal.value
    )
    assert "question" not in str(refusal.value).replace("questions_per_person", "")
    # C(60, 12) is below 2^53, and so is C(60, 58).
    assert Rotation(blocks=keys, parts_per_person=12).sets.count < 2**53
    assert Rotation(blocks=keys, parts_per_person=58).sets.count == 1770


def live_arms(*blocks: Block, **more: Any) -> Design:
    return Design(blocks=blocks, group=PROTECTED, use="live", **more)


def question(*shares: int, **more: Any) -> Question:
    options = tuple(f"o{number}" for number in range(len(shares)))
    given: dict[str, Any] = {"kind": "single", "options": options, "unrelated": (), "shares": shares, **more}
    return Question(key="told", **given)


@pytest.mark.parametrize("shares", [(1000, 9000), (3333, 3333, 3334), (1000, 1000, 1000, 2000, 2000, 3000)])
def test_each_arm_gets_draws_in_proportion_to_its_share(shares: tuple[int, ...]) -> None:
    told = question(*shares)
    drawn = [arm_at(told, draw) for draw in range(10_000)]
    assert tuple(drawn.count(arm) for arm in range(len(shares))) == shares
    assert all(first <= second for first, second in pairwise(drawn))


@pytest.mark.parametrize(
    ("shares", "more"),
    [
        ((999, 9001), {}),
        ((5000, 5001), {}),
        ((5000, 4000, 1000), {"options": ("a", "b")}),
        ((2000, 2000, 2000, 1000, 1000, 1000, 1000), {}),
        ((5000, 5000), {"kind": "multi"}),
        ((5000, 5000), {"unrelated": (5000, 5000)}),
        ((5000.0, 5000), {}),
        ((True, 9999), {}),
    ],
)
def test_invalid_arm_shares_are_rejected(shares: tuple[int, ...], more: dict[str, Any]) -> None:
    with pytest.raises(PrivacyError) as refused:
        question(*shares, **more)
    assert refused.value.code == "arms"


def test_arm_questions_are_unconditional_alone_and_at_most_three() -> None:
    told, city = arms("told", 5000, 5000), opened("you", yes_no("city"))
    two = replace(told, questions=(*told.questions, yes_no("other")))
    sometimes = replace(told, asked_if=Condition(question="city", options=("yes",)))
    for blocks in ((two, fair("a", 1)), (city, sometimes, fair("a", 1))):
        with pytest.raises(PrivacyError) as refused:
            live_arms(*blocks)
        assert (refused.value.code, refused.value.case) == ("arms", "arms.block")
    many = tuple(arms(key, 5000, 5000) for key in "abcd")
    assert live_arms(*many[:3], fair("x", 1)).arms == (0, 1, 2)
    with pytest.raises(PrivacyError) as refused:
        live_arms(*many, fair("x", 1))
    assert refused.value.case == "arms.many"
    with pytest.raises(PrivacyError):
        live_arms(told, fair("x", 1), rotations=(Rotation(blocks=("told", "x"), parts_per_person=1),))


def test_rows_without_their_arm_are_refused() -> None:
    design = ARM_DESIGNS["two arms"]
    for answers in ({"a": {"a0": 1, "a1": 0}}, {"told": {}, "a": {"a0": 1, "a1": 0}}):
        with pytest.raises(PrivacyError) as refused:
            read_answers(design, answers)
        assert refused.value.case == "arms.missing"
    # The bits are group, presence and value of the arm, then both answers.
    assert Layout(design).unpack(bytes([0b0_11_11_110])).answers == ((1,), (1, 1))
    with pytest.raises(PrivacyError) as refused:
        Layout(design).unpack(bytes([0b0_00_11_110]))
    assert refused.value.case == "arms.missing"


def test_designs_with_arms_need_shares_and_mechanism_6() -> None:
    design = ARM_DESIGNS["two arms"]
    document = design.to_json()
    assert document["mechanism"] == 6
    assert Design.from_json(document) == design
    plain = live_arms(opened("told", question(5000, 5000)), fair("a", 1))
    assert plain.mechanism == 6
    without = replace(
        plain, blocks=(opened("told", replace(question(5000, 5000), shares=())), fair("a", 1)), mechanism=0
    )
    assert without.mechanism == 1
    assert "shares" not in str(without.to_json())
    written: Any = without.to_json()
    written["blocks"][0]["questions"][0]["shares"] = []
    with pytest.raises(PrivacyError) as refused:
        Design.from_json(written)
    assert refused.value.code == "malformed"


def test_invitations_are_counted_by_arm() -> None:
    told = question(5000, 5000)
    block = opened("told", told)
    design = live_arms(block, shielded("a", 6000, yes_no("affair", 5000)), invited="told")
    digests = [number.to_bytes(32, "big") for number in range(200)]
    counts = invited_arms(design, digests, survey="work")
    drawn = [invited_draw(digest, survey="work", decision="told") < 5000 for digest in digests]
    assert counts == {"o0": drawn.count(True), "o1": drawn.count(False)}
    assert invited_arms(live_arms(block), digests, survey="work") == {}


def test_invitations_cannot_assign_unknown_questions_or_tiny_shares() -> None:
    protected = shielded("a", 6000, yes_no("affair", 5000))
    with refused("invited_arm", "nowhere"):
        live_arms(opened("told", question(5000, 5000)), protected, invited="nowhere")
    with refused("invited_arm"):
        Design(blocks=(replace(protected, light=9000),), group=assigned(1), use="live", invited="group")
    with refused("arms"):
        live_arms(opened("told", replace(question(5000, 5000), key="group")), protected)


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
