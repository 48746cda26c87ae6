import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mining.columns.row_writer import DIRECT, MISSING, RowWriter, disguise_bodies, impossible_rows, lay_out
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import square_wave
from privacy.scales.window import WindowChannel
from privacy.survey.design import Condition, Design, GroupPolicy
from privacy.survey.grouping import disguise, draw_questions
from privacy.survey.layout import Layout
from tests.fixtures.devices import answers_to, sealed_body
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows
from tests.fixtures.strategies import rotating_designs
from tests.privacy.survey.test_grouping import MIXED, MONEY, ROTATED, design_of
from tests.privacy.test_coins import Given
from tests.vectors.designs import CHOICE, DESIGNS, ROUTED, live
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE, scale_block
from tests.vectors.strength_designs import COINS, SCALES


def cells_of(packed: bytes) -> NDArray[np.int8]:
    """Return packed rows of `EVERYTHING` as a table, by the layout's own unpacking."""
    layout, writer = Layout(EVERYTHING), RowWriter(EVERYTHING)
    table = []
    for start in range(0, len(packed), layout.n_bytes):
        record = layout.unpack(packed[start : start + layout.n_bytes])
        row = {DIRECT: int(record.direct), "skipped:habits": int(record.refused[1])}
        for block, answers in zip(EVERYTHING.blocks, record.answers, strict=True):
            for question, value in zip(block.questions, answers, strict=True):
                keys = [item.key for item in EVERYTHING.items if _question(item.index) == question.key]
                if value is None:
                    values: list[int] = [MISSING] * len(keys)
                elif question.kind == "single":
                    values = [int(place == value) for place in range(len(keys))]
                else:
                    values = list(value) if isinstance(value, tuple | list) else [int(value)]
                row |= dict(zip(keys, values, strict=True))
        table.append([row[name] for name in writer.columns])
    return np.array(table, dtype=np.int8)


def _question(item: int) -> str:
    return EVERYTHING.questions[EVERYTHING.items[item].question].key


def test_writing_a_table_reproduces_the_device_rows() -> None:
    packed = bodies(EVERYTHING, true_rows(300, seed=8), np.random.default_rng(8).random(300) < 0.3, seed=8)
    assert RowWriter(EVERYTHING).pack(cells_of(packed)) == packed


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("smokes", 2, "column 'smokes' is neither 0 nor 1 (2); write 0, 1 or nothing"),
        (DIRECT, MISSING, "column 'direct' is empty (''); write 0 or 1"),
        ("smokes", MISSING, "column 'smokes' is empty (''); write 0 or 1"),
        ("age=27", MISSING, "column 'age=27' is empty"),
        ("age=27", 1, "belongs to a single choice of not exactly one option"),
        ("skipped:habits", 1, "column 'smokes' answers a block that was skipped (0); leave it empty"),
    ],
)
def test_the_first_impossible_cell_is_named(column: str, value: int, message: str) -> None:
    writer = RowWriter(EVERYTHING)
    row = dict.fromkeys(writer.columns, 0) | {"age=22": 1}
    row |= dict.fromkeys(["mood=low", "mood=fair", "mood=high", "did=lied", "did=left"], MISSING)
    sound = np.array([[row[name] for name in writer.columns]] * 3, dtype=np.int8)
    assert len(writer.pack(sound)) == 3 * Layout(EVERYTHING).n_bytes
    sound[2, writer.columns.index(column)] = value
    with pytest.raises(PrivacyError) as refusal:
        writer.pack(sound)
    assert message in str(refusal.value)
    named = writer.columns.index(str(refusal.value.fields["column"]))
    assert refusal.value.fields["row"] == 2
    assert refusal.value.value == ("" if value == MISSING else sound[2, named])


def test_answers_to_a_block_that_does_not_apply_are_rejected() -> None:
    writer = RowWriter(EVERYTHING)
    row = dict.fromkeys(writer.columns, 0) | {"age=22": 1, "mood=low": 1, "married": 0}
    with pytest.raises(PrivacyError) as refusal:
        writer.pack(np.array([[row[name] for name in writer.columns]], dtype=np.int8))
    assert refusal.value.code == "cell"


def test_fully_protected_designs_have_no_group_column() -> None:
    assert RowWriter(grouped([2], policy="protected")).columns == ("a", "b")


def test_direct_rows_hold_the_bin_and_protected_rows_the_output() -> None:
    # Four bins and six outputs, two of which are beyond the ends of the range.
    wave = WindowChannel(
        mechanism="square_wave", range=NumberRange(low=0, high=39, bin=10), window=3,
        floor=2, peak=5,
    )  # fmt: skip
    design = live(scale_block("pay", wave), group=CHOICE)
    writer, layout = RowWriter(design), Layout(design)
    assert (wave.inputs, wave.outputs) == (4, 6)
    assert (writer.columns, writer.highest.tolist()) == ((DIRECT, "pay"), [1, 5])
    packed = writer.pack(np.array([[1, 3], [0, 5]], dtype=np.int32))
    records = [layout.unpack(packed[:1]), layout.unpack(packed[1:])]
    assert [(record.direct, record.answers) for record in records] == [(True, ((3,),)), (False, ((5,),))]
    for wrong in ([1, 4], [0, 6], [0, -2]):
        with pytest.raises(PrivacyError, match="'pay' is nothing that a device sends"):
            writer.pack(np.array([wrong], dtype=np.int32))


def test_with_two_strengths_each_row_accepts_only_its_groups_outputs() -> None:
    wave = square_wave(NumberRange(low=0, high=9), 1.0)
    light = square_wave(NumberRange(low=0, high=9), 2.0)
    writer = RowWriter(live(replace(scale_block("pay", wave), light=light), group=CHOICE))
    assert light.outputs < wave.outputs
    last = [[1, light.outputs - 1], [0, wave.outputs - 1]]
    packed = writer.pack(np.array(last, dtype=np.int32))
    half = len(packed) // 2
    records = [writer.layout.unpack(part) for part in (packed[:half], packed[half:])]
    assert [[record.direct, record.answers[0][0]] for record in records] == last
    with pytest.raises(PrivacyError, match="'pay' is nothing that a device sends"):
        writer.pack(np.array([[1, light.outputs]], dtype=np.int32))


def refused(layout: Layout, body: bytes) -> str | None:
    try:
        layout.unpack(body)
    except PrivacyError as error:
        return error.code
    return None


def read_one_by_one(design: Any, rows: list[bytes]) -> list[str | None]:
    """Compare with unpacking each row by the layout; return the codes of refusals."""
    layout = Layout(design)
    said = [refused(layout, row) for row in rows]
    found = impossible_rows(design, b"".join(rows))
    if found is None:
        assert said == [None] * len(rows)
    else:
        assert (found.n, said[found.first]) == (len(rows) - said.count(None), found.error.code)
        assert said[: found.first] == [None] * found.first
    return said


@given(data=st.data())
def test_the_writer_and_the_layout_refuse_the_same_rows(data: st.DataObject) -> None:
    design = data.draw(rotating_designs())
    n_bytes = Layout(design).n_bytes
    # Bodies of devices, some with a few bits flipped, and random bytes.
    groups = [direct for direct in (False, True) if design.group.allows(direct=direct)]
    sender = st.tuples(st.integers(0, 2**32), st.sampled_from(groups))
    sent = [
        sealed_body(design, random.Random(seed), direct=direct)
        for seed, direct in data.draw(st.lists(sender, min_size=1, max_size=6))
    ]
    turned = st.tuples(st.sampled_from(sent), st.sets(st.integers(0, 8 * n_bytes - 1), max_size=3))
    rows = [*sent, *data.draw(st.lists(st.binary(min_size=n_bytes, max_size=n_bytes), max_size=6))]
    for body, places in data.draw(st.lists(turned, max_size=12)):
        word = int.from_bytes(body, "big")
        for place in places:
            word ^= 1 << place
        rows.append(word.to_bytes(n_bytes, "big"))
    assert impossible_rows(design, b"".join(sent)) is None
    read_one_by_one(design, rows)


@pytest.mark.parametrize("name", sorted({**NUMBERS, **PLACES, **SKIPS}))
def test_numbers_and_places_outside_a_groups_outputs_are_refused(name: str) -> None:
    design = {**NUMBERS, **PLACES, **SKIPS}[name]
    n_bytes = Layout(design).n_bytes
    words = [pow(3, k, 2**61 - 1) % (1 << 8 * n_bytes) for k in range(400)]
    assert any(read_one_by_one(design, [word.to_bytes(n_bytes, "big") for word in words]))


def test_bytes_with_partial_rows_are_rejected() -> None:
    with pytest.raises(PrivacyError, match="row"):
        impossible_rows(EVERYTHING, b"\x00" * (Layout(EVERYTHING).n_bytes + 1))


ALL_KINDS = SCALES["all kinds, drawn"]
CITY = Condition(question="city", options=("yes",))
OF_THE_CITY = replace(
    ALL_KINDS,
    blocks=(ALL_KINDS.blocks[0], *(replace(block, asked_if=CITY) for block in ALL_KINDS.blocks[1:])),
)
"""Every kind of question, each asked only of some people."""

OTHERS = {
    "every kind": EVERYTHING,
    "of the city": OF_THE_CITY,
    "rotating": ROTATED,
    "rotating, two strengths": design_of(
        replace(MONEY, light=8000), replace(MIXED, light=7000), group=GroupPolicy(policy="choice")
    ),
}
LAWS: dict[str, Design] = {
    f"{number} {name}": design
    for number, some in enumerate(
        (DESIGNS, ROUTED, NUMBERS, OPEN_NUMBERS, PLACES, TILES_OF_ANY_SIZE, SKIPS, COINS, SCALES, OTHERS)
    )
    for name, design in some.items()
}
N = 40


def sent_undisguised(law: Design) -> Design:
    """Return the same questions in a design where people may send undisguised answers."""
    blocks = tuple(replace(block, light=None) for block in law.blocks)
    return replace(law, blocks=blocks, group=GroupPolicy(policy="choice"), use="study", mechanism=0)


def asked(design: Design, rng: random.Random) -> dict[str, Any]:
    """Return the questions and answers of one device, as arguments for `disguise`."""
    drawn = draw_questions(design, coins_of(rng)) if design.rotates else None
    return {"answers": answers_to(design, drawn, rng), "drawn": drawn}


def coins_of(rng: random.Random) -> Coins:
    return Coins(iter(lambda: rng.getrandbits(32), None))


def strengths(law: Design) -> list[tuple[Design, bool]]:
    """Return both strengths if there are two, otherwise the strong one for everyone."""
    if law.has_two_strengths:
        return [(law, direct) for direct in (True, False) if law.group.allows(direct=direct)]
    return [(replace(law, group=GroupPolicy()), False)]


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_server_disguise_matches_a_device_with_the_same_random_words(name: str) -> None:
    rng = random.Random(name)
    own = sent_undisguised(LAWS[name])
    people = [asked(own, rng) for _ in range(N)]
    pack = Layout(own).pack
    true = [pack(disguise(own, **one, direct=True, coins=coins_of(rng))) for one in people]
    bodies = np.frombuffer(b"".join(true), dtype=np.uint8).reshape(N, -1)
    for law, direct in strengths(LAWS[name]):
        given, pack = Given(N, seed=rng.randrange(99)), Layout(law).pack
        sent = disguise_bodies(bodies, sent_under=own, target=law, direct=direct, words=given)
        for row, one in enumerate(people):
            coins = Coins(given.of_row(row))
            assert sent[row].tobytes() == pack(disguise(law, **one, direct=direct, coins=coins))
            assert coins.words_read == len(given.rows[row])


@pytest.mark.parametrize("name", LAWS)
def test_device_rows_keep_their_content_in_another_layout(name: str) -> None:
    law, rng = LAWS[name], random.Random(name)
    own = sent_undisguised(law)
    records = [disguise(own, **asked(own, rng), direct=False, coins=coins_of(rng)) for _ in range(N)]
    bodies = np.frombuffer(b"".join(map(Layout(own).pack, records)), dtype=np.uint8).reshape(N, -1)
    (wanted, _), *_ = strengths(law)
    moved = lay_out(bodies, Layout(own), Layout(wanted))
    assert list(map(Layout(wanted).unpack, map(bytes, moved))) == records


def test_disguising_zero_rows_works() -> None:
    own = sent_undisguised(EVERYTHING)
    none = np.empty((0, Layout(own).n_bytes), dtype=np.uint8)
    law = replace(own, group=GroupPolicy())
    words = Given(0, seed=0)
    assert disguise_bodies(none, sent_under=own, target=law, direct=False, words=words).shape == none.shape
