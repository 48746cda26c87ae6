"""Drawings of rotating parts are equally likely; rows and the words they use have known probabilities."""

import itertools
import json
import math
from collections import Counter
from fractions import Fraction

import pytest

from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question, default_refusal
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions, everything
from privacy.survey.layout import Layout, Record
from privacy.survey.rotation import Rotation


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
