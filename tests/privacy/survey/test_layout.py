from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.window import WindowChannel
from privacy.survey.conditions import JOINS
from privacy.survey.design import Condition, Conditions, Design, GroupPolicy
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused
from tests.fixtures.strategies import answers_of, designs, words
from tests.vectors.designs import CHOICE, DESIGNS, assigned, choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import scale_block

MIXED = Layout(DESIGNS["mixed block, choice"])
ROUTED = Layout(DESIGNS["routed, choice"])


def test_bits_follow_the_design_order_from_the_highest_bit() -> None:
    # group | affair: present value | mood: present 2 bits | drugs: present 2 bits | refusal
    assert (MIXED.n_bits, MIXED.n_bytes) == (10, 2)
    assert [MIXED.presence_bit(question) for question in range(3)] == [1, 3, 6]
    assert [MIXED.value_bits(question) for question in range(3)] == [(2, 1), (4, 2), (7, 2)]
    assert MIXED.refusal_bit(0) == 9
    assert ROUTED.refusal_bit(0) is None


@pytest.mark.parametrize(
    ("record", "bits"),
    [
        (Record(direct=False, answers=((1, 2, (0, 1)),), refused=(False,)), "0 11 110 101 0 000000"),
        (Record(direct=True, answers=((0, 0, (0, 0)),), refused=(False,)), "1 10 100 100 0 000000"),
        (Record(direct=False, answers=((None, None, None),), refused=(True,)), "0 10 100 100 1 000000"),
    ],
)
def test_packed_records_match_hand_written_bits(record: Record, bits: str) -> None:
    body = int(bits.replace(" ", ""), 2).to_bytes(2, "big")
    assert MIXED.pack(record) == body
    assert MIXED.unpack(body) == record


def test_unasked_questions_are_packed_as_zeros() -> None:
    record = Record(
        direct=True,
        answers=((0, None), (None, None), (None,), (None,), (1,)),
        refused=(False, False, False, False, False),
    )
    # group | married, age | affair, unhappy, refusal | why | drugs | vote
    bits = "1 10 000 00 00 0 00 0000 11"
    assert ROUTED.n_bits == len(bits.replace(" ", ""))
    body = ROUTED.pack(record)
    assert f"{int.from_bytes(body, 'big'):024b}".startswith(bits.replace(" ", ""))
    assert ROUTED.unpack(body) == record


@pytest.mark.slow
@given(st.data())
@pytest.mark.soak
def test_packed_records_unpack_unchanged(data: st.DataObject) -> None:
    design = data.draw(designs())
    direct = design.group.policy != "protected" and data.draw(st.booleans())
    coins = Coins(data.draw(words(design.draws)))
    record = disguise(design, data.draw(answers_of(design)), direct=direct, coins=coins)
    layout = Layout(design)
    body = layout.pack(record)
    assert len(body) == layout.n_bytes
    assert layout.unpack(body) == record


ALL_BODIES = [
    live(shielded("a", 6000, yes_no("x", 5000), choice("y", 2000, 3000, 5000), refusal=1000)),
    live(shielded("a", 6000, choice("x", 1000, 2000, multi=True), yes_no("y", 1)), group=CHOICE),
    live(
        opened("you", yes_no("x"), choice("y", options=3)),
        shielded(
            "a", 6000, yes_no("z", 1), refusal=1, asked_if=Condition(question="y", options=("o1", "o2"))
        ),
        group=assigned(5000),
    ),
    live(
        opened("you", yes_no("x")),
        opened("more", choice("y", options=2), asked_if=Condition(question="x", options=("no",))),
        shielded("a", 6000, yes_no("z", 1), asked_if=Condition(question="y", options=("o1",))),
        group=assigned(10_000),
    ),
    *(
        live(
            opened("you", yes_no("x"), choice("y", options=2)),
            shielded(
                "a",
                6000,
                yes_no("z", 1),
                asked_if=Conditions(
                    joined=joined,
                    terms=(
                        Condition(question="x", options=("no",)),
                        Condition(question="y", options=("o1",)),
                    ),
                ),
            ),
        )
        for joined in JOINS
    ),
]


@pytest.mark.parametrize("design", ALL_BODIES)
def test_layouts_accept_exactly_the_bodies_devices_can_produce(design: Design) -> None:
    layout = Layout(design)
    read = set()
    for number in range(256**layout.n_bytes):
        body = number.to_bytes(layout.n_bytes, "big")
        try:
            read.add((body, layout.unpack(body)))
        except PrivacyError:
            continue
    produced = {layout.pack(record): record for record in _records(design)}
    assert read == set(produced.items())


def _records(design: Design) -> list[Record]:
    """Yield every record of a small design; direct answers suffice, because decoys are answers too."""

    def values(block: Any) -> list[Any]:
        choices: list[list[Any]] = []
        for question in block.questions:
            if question.kind == "multi":
                choices.append(list(product((0, 1), repeat=len(question.options))))
            else:
                choices.append(list(range(len(question.options) or 2)))
        if not block.protected:
            choices = [[None, *values] for values in choices]
        return [(row, False) for row in product(*choices)]

    rows: list[list[tuple[Any, bool]]] = [[]]
    for block in design.blocks:
        grown = []
        for row in rows:
            known = {
                question.key: (question, value)
                for earlier, (answers, _) in zip(design.blocks, row, strict=False)
                for question, value in zip(earlier.questions, answers, strict=True)
            }
            absent = ((None,) * len(block.questions), False)
            options = values(block) + ([(absent[0], True)] if block.refusal is not None else [])
            if block.asked_if is not None:
                held = []
                for term in block.asked_if.terms:
                    question, value = known[term.question]
                    names = question.options or ("no", "yes")
                    held.append(value is not None and names[value] in term.options)
                if not (all(held) if block.asked_if.joined == "all" else any(held)):
                    options = [absent]
            grown += [[*row, option] for option in options]
        rows = grown
    groups = {"protected": (False,), "choice": (False, True), "assigned": (False, True)}[design.group.policy]
    if design.group.direct_share == 10_000:
        groups = (True,)
    return [
        Record(
            direct=direct,
            answers=tuple(answers for answers, _ in row),
            refused=tuple(refused for _, refused in row),
        )
        for row in rows
        for direct in groups
    ]


@pytest.mark.parametrize(
    ("layout", "bits", "code"),
    [
        (MIXED, "0 11 110 101 0 000001", "padding"),
        (MIXED, "0 11 111 101 0 000000", "option"),
        (MIXED, "0 11 000 101 0 000000", "partly_answered"),
        (MIXED, "0 11 001 101 0 000000", "absent_with_value"),
        (MIXED, "0 00 000 000 0 000000", "routing"),
        (MIXED, "0 11 100 100 1 000000", "refused_with_value"),
        (MIXED, "0 10 000 100 1 000000", "partly_answered"),
        (MIXED, "0 00 000 000 1 000000", "partly_answered"),
        (ROUTED, "0 10 000 10 10 0 00 0000 11 00000", "routing"),
        (ROUTED, "0 10 000 10 10 1 00 0000 11 00000", "routing"),
        (ROUTED, "0 11 000 00 00 0 00 0000 11 00000", "routing"),
        (ROUTED, "0 10 000 00 00 0 11 0000 11 00000", "routing"),
        (Layout(DESIGNS["one yes/no"]), "1 11 00000", "group"),
        (Layout(DESIGNS["nobody direct"]), "1 11 00000", "group"),
        (Layout(DESIGNS["everybody direct"]), "0 11 00000", "group"),
    ],
)
def test_impossible_bodies_are_rejected_with_their_error_code(layout: Layout, bits: str, code: str) -> None:
    digits = bits.replace(" ", "")
    with refused(code):
        layout.unpack(int(digits, 2).to_bytes(len(digits) // 8, "big"))


@pytest.mark.parametrize("body", [b"", b"\x00", b"\x00\x00\x00", "0000", bytearray(2), None], ids=repr)
def test_bodies_of_wrong_length_or_type_are_rejected(body: Any) -> None:
    with refused("length"):
        MIXED.unpack(body)


@pytest.mark.parametrize(
    ("answers", "refused_blocks", "code"),
    [
        ((), (False,), "shape"),
        (((1, 2, (0, 1)),), (), "shape"),
        (((1, 2),), (False,), "shape"),
        (((1, 2, (0, 1)),), (True,), "refused_with_value"),
        (((2, 2, (0, 1)),), (False,), "record"),
        (((-1, 2, (0, 1)),), (False,), "record"),
        (((1, 3, (0, 1)),), (False,), "option"),
        (((1, -1, (0, 1)),), (False,), "option"),
        (((1, 6, (0, 1)),), (False,), "record"),
        (((1, 2, (0, 2)),), (False,), "record"),
        (((1, 2, (0,)),), (False,), "record"),
        (((1, 2, 1),), (False,), "record"),
        (((1, (1, 0), (0, 1)),), (False,), "record"),
        (((1, None, (0, 1)),), (False,), "partly_answered"),
        (((None, None, None),), (False,), "routing"),
    ],
)
def test_records_outside_the_design_are_not_packed(answers: Any, refused_blocks: Any, code: str) -> None:
    with refused(code):
        MIXED.pack(Record(direct=False, answers=answers, refused=refused_blocks))


def test_skips_are_not_packed_unless_offered() -> None:
    layout = Layout(live(shielded("a", 6000, yes_no("x", 5000)), group=GroupPolicy()))
    with refused("record", "(None,)"):
        layout.pack(Record(direct=False, answers=((None,),), refused=(True,)))


def test_a_number_has_the_bits_of_its_largest_output_in_either_group() -> None:
    """Direct rows send one of 4 bins, disguised rows one of 6 outputs: 3 bits. Four outputs need 2."""
    wave = WindowChannel(
        mechanism="square_wave", range=NumberRange(low=0, high=39, bin=10), window=3, floor=2, peak=5
    )
    design = live(scale_block("pay", wave), group=CHOICE)
    assert (wave.inputs, wave.outputs) == (4, 6)
    assert Layout(design).n_bits == 1 + 1 + 3
    four = WindowChannel(
        mechanism="keep_or_any", range=NumberRange(low=0, high=39, bin=10), window=1, floor=2, peak=5
    )
    assert four.outputs == 4
    assert Layout(live(scale_block("pay", four), group=CHOICE)).n_bits == 1 + 1 + 2
