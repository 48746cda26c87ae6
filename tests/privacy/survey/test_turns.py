"""Turns over the waves of a series: each part once, equally often in each wave, whatever a server may try."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.risk.unique_combinations import unique_share_of_design
from privacy.survey.booklets import Booklet
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.drawn_questions import checked_drawn, draw_questions
from privacy.survey.layout import Layout
from privacy.survey.rotation import MOST_BLANKS, MOST_WAVES, Rotation
from privacy.survey.turns import n_turns, rotation_of_waves, turn_of, turns_of
from tests.vectors.make_vectors import HERE

KEYS = ("money", "health", "work", "home", "love")


def block(key: str) -> Block:
    question = Question(key=f"{key}-asked", kind="yes_no", options=(), unrelated=(5000,))
    return Block(key=key, protected=True, truth_probability=5000, questions=(question,))


def wave_design(n_parts: int, waves: int) -> Design:
    rotation = rotation_of_waves(KEYS[:n_parts], waves)
    return Design(
        blocks=tuple(map(block, KEYS[:n_parts])), group=GroupPolicy(), use="live", rotations=(rotation,)
    )


def twice_asked(
    turn: Callable[..., Booklet], rotation: Rotation, persons: list[str], waves: int
) -> list[tuple[str, str]]:
    """Attack the promise: return each person and part that devices would send in more than one wave."""
    found = []
    for person in persons:
        asked = Counter(
            rotation.blocks[position]
            for wave in range(1, waves + 1)
            for position in turn(rotation, person=person, series="diary", wave=wave)
            if position < len(rotation.blocks)
        )
        found += [(person, key) for key, count in asked.items() if count > 1]
    return found


PERSONS = [f"person-{number}" for number in range(600)]


@pytest.mark.parametrize(("n_parts", "waves"), [*product(range(1, 6), (2, 3, 5))])
def test_each_person_is_asked_each_part_in_exactly_one_wave(n_parts: int, waves: int) -> None:
    rotation = rotation_of_waves(KEYS[:n_parts], waves)
    assert not twice_asked(turn_of, rotation, PERSONS, waves)
    for person in PERSONS:
        turns = turns_of(rotation, person=person, series="diary")
        assert len(turns) == waves
        assert frozenset().union(*turns) == set(range(n_parts))
        assert sum(map(len, turns)) == n_parts


def test_devices_that_draw_anew_or_forget_the_number_are_found() -> None:
    """Planted: a draw that depends on the wave, and one that shifts by a wave too few."""
    rotation = rotation_of_waves(("money", "health"), 2)

    def drawn_anew(rotation: Rotation, *, person: str, series: str, wave: int) -> Booklet:
        return turn_of(rotation, person=f"{person}{wave}", series=series, wave=1)

    def always_first(rotation: Rotation, *, person: str, series: str, wave: int) -> Booklet:
        return turn_of(rotation, person=person, series=series, wave=max(wave - 1, 1))

    for planted in (drawn_anew, always_first):
        # Half of 600 people would send a part twice; none found has a probability of 2^-600.
        assert len(twice_asked(planted, rotation, PERSONS, 2)) > 200


def test_each_wave_asks_each_set_equally_often() -> None:
    """6 sets of 2 of 4 parts, 6,000 people: at most 6 standard errors from 1,000, so false below 1e-7."""
    rotation = rotation_of_waves(KEYS[:4], 2)
    for wave in (1, 2):
        counts = Counter(
            turn_of(rotation, person=str(person), series="diary", wave=wave) for person in range(6000)
        )
        assert set(counts) == set(rotation.sets)
        assert max(abs(count - 1000) for count in counts.values()) < 6 * (6000 * 5 / 36) ** 0.5


def test_a_questionnaire_in_another_order_leaves_each_turn_as_it_is() -> None:
    """A server that reorders parts, or adds other ones, cannot move a part to a wave of its choice."""
    forwards = rotation_of_waves(KEYS[:4], 2)
    backwards = rotation_of_waves(KEYS[3::-1], 2)
    for person in PERSONS[:50]:
        names = [
            {rotation.blocks[at] for at in turn_of(rotation, person=person, series="diary", wave=1)}
            for rotation in (forwards, backwards)
        ]
        assert names[0] == names[1]


def test_another_code_or_series_has_another_turn() -> None:
    """A second code obtains a second answer from half of the people: what the promise says it needs."""
    rotation = rotation_of_waves(("money",), 2)
    first = [turn_of(rotation, person=person, series="diary", wave=1) for person in PERSONS]
    codes = [turn_of(rotation, person=f"{person}-new", series="diary", wave=1) for person in PERSONS]
    other = [turn_of(rotation, person=person, series="other", wave=1) for person in PERSONS]
    for turns in (codes, other):
        same = sum(one == two for one, two in zip(first, turns, strict=True))
        # Six standard errors of 300.
        assert abs(same - 300) < 74


def test_the_turns_are_those_of_the_vectors_shared_with_devices() -> None:
    turns = json.loads((HERE / "rotation.json").read_text("ascii"))["turns"]
    assert len(turns) > 300
    for case in turns:
        rotation = Rotation(**case["rotation"])
        found = turn_of(rotation, person=case["person"], series=case["series"], wave=case["wave"])
        assert list(found) == case["turn"]


def test_a_wave_that_does_not_exist_is_refused() -> None:
    rotation = rotation_of_waves(("money",), 2)
    for wave in (0, 3, True):
        with pytest.raises(PrivacyError, match="wave"):
            turn_of(rotation, person="1", series="diary", wave=wave)
    for waves in (1, MOST_WAVES + 1, 2.5):
        with pytest.raises(PrivacyError, match="waves"):
            rotation_of_waves(("money",), waves)  # type: ignore[arg-type]
    assert rotation_of_waves(("money",), MOST_WAVES).blanks == MOST_BLANKS


@pytest.mark.parametrize(
    ("blocks", "each", "blanks"), [(("money",), 1, 0), ((), 1, 2), (("money",), 1, MOST_BLANKS + 1)]
)
def test_a_rotation_with_too_few_positions_or_too_many_blanks_is_refused(
    blocks: tuple[str, ...], each: int, blanks: int
) -> None:
    with pytest.raises(PrivacyError) as refused:
        Rotation(blocks=blocks, parts_per_person=each, blanks=blanks)
    assert refused.value.code == "rotation"


def test_a_design_without_blanks_keeps_its_json_and_digest() -> None:
    design = wave_design(4, 2)
    document = design.to_json()
    assert "blanks" not in document["rotations"][0]
    assert Design.from_json(document).design_id == design.design_id
    document["rotations"][0]["blanks"] = 0
    with pytest.raises(PrivacyError) as refused:
        Design.from_json(document)
    assert refused.value.code == "malformed"
    with_blank = wave_design(3, 2)
    assert Design.from_json(with_blank.to_json()) == with_blank


def test_the_server_refuses_rows_with_more_parts_than_a_wave_asks() -> None:
    """One of two waves asks two of three parts and a blank: one or two, and never three or none."""
    wave = wave_design(3, 2)
    for n_sent in range(4):
        drawn = tuple((0,) if part < n_sent else () for part in range(3))
        body = _body(wave, drawn)
        if n_sent in (1, 2):
            assert Layout(wave).unpack(body).drawn == drawn
            assert checked_drawn(wave, drawn) == drawn
        else:
            with pytest.raises(PrivacyError):
                Layout(wave).unpack(body)
            with pytest.raises(PrivacyError):
                checked_drawn(wave, drawn)


def _body(design: Design, drawn: tuple[Booklet, ...]) -> bytes:
    """Return the bytes of a row with the presence bits of these parts, whether or not a device sends it."""
    layout = Layout(design)
    bits = sum(
        1 << 8 * layout.n_bytes - 1 - layout.presence_bit(part) for part, asked in enumerate(drawn) if asked
    )
    return bits.to_bytes(layout.n_bytes, "big")


def test_a_turn_replaces_the_draw() -> None:
    design = wave_design(3, 2)
    assert draw_questions(design, Coins([0]), turn=(1, 3)) == ((), (0,), ())
    assert draw_questions(design, Coins([0])) == ((0,), (0,), ())


def test_one_part_in_three_waves_is_asked_of_a_third() -> None:
    design = wave_design(1, 3)
    assert design.drawn_together([0]) == Fraction(1, 3)
    # Asked or not: two combinations, so hardly anyone of 100 people has their own.
    assert unique_share_of_design(design, 100) < 1e-12


def test_blanks_are_drawn_like_parts():
    """Two parts and a blank, one a wave, have 3! orders; four and two blanks, two a wave, 15 (6) of pairs."""
    assert n_turns(Rotation(blocks=("a", "b"), parts_per_person=1, blanks=1)) == 6
    assert n_turns(Rotation(blocks=("a", "b", "c", "d"), parts_per_person=2, blanks=2)) == 90
