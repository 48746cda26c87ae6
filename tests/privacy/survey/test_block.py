from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from privacy.scales.window import WindowChannel
from privacy.survey.composite import Composite
from privacy.survey.design import Block, Condition, Question, default_refusal
from tests.fixtures.refusals import refused
from tests.vectors.composite_designs import NONE_LEFT, at_least, yes
from tests.vectors.designs import choice, opened, shielded, yes_no
from tests.vectors.scale_designs import PLACES

RULE = Composite(components=(yes("a"), yes("b")), missing=NONE_LEFT, levels=at_least(2))


def _block(**changes: Any) -> Block:
    parts: dict[str, Any] = {
        "key": "b",
        "protected": True,
        "truth_probability": 6000,
        "refusal": None,
        "asked_if": None,
        "questions": (yes_no("affair", 5000),),
    }
    return Block(**(parts | changes))


@pytest.mark.parametrize(
    "make", [lambda: _block(key=""), lambda: Condition(question="a&b", options=("yes",))]
)
def test_ambiguous_keys_are_rejected(make: Any) -> None:
    with refused("bad_key"):
        make()


def test_an_empty_block_is_refused() -> None:
    with refused("empty_block", "b"):
        _block(questions=())


@pytest.mark.parametrize("p", [-1, 10_001, True, 0.6, "6000", None])
def test_truth_probabilities_must_be_whole_ten_thousandths(p: object) -> None:
    with refused("truth_probability", repr(p)):
        _block(truth_probability=p)


@pytest.mark.parametrize("refusal", [0, 10_000, -5, True, 0.1])
def test_skip_probabilities_of_zero_or_one_are_rejected(refusal: object) -> None:
    with refused("refusal", repr(refusal)):
        _block(refusal=refusal)


def test_open_blocks_have_no_disguise_and_no_skip() -> None:
    with refused("truth_probability", 6000):
        _block(protected=False, questions=(yes_no("q"),))
    with refused("refusal", 100):
        _block(protected=False, truth_probability=10_000, refusal=100, questions=(yes_no("q"),))


def test_only_protected_blocks_have_decoy_probabilities() -> None:
    with refused("unrelated_probability", "affair", "open"):
        opened("b", yes_no("affair", 5000))
    with refused("unrelated_probability", "affair", "has 0"):
        shielded("b", 6000, yes_no("affair"))


@pytest.mark.parametrize(
    ("part", "value", "named"),
    [
        ("protected", 1, "1"),
        ("questions", "affair", "'affair'"),
        ("questions", ("affair",), "'affair'"),
        ("asked_if", "affair", "'affair'"),
    ],
)
def test_malformed_block_fields_are_rejected(part: str, value: object, named: str) -> None:
    with refused("malformed", named):
        _block(**{part: value})


@pytest.mark.parametrize(
    ("questions", "patterns", "refusal"),
    [
        ((yes_no("a", 5000),), 2, 3334),
        ((yes_no("a", 5000), yes_no("b", 5000)), 4, 2000),
        (tuple(yes_no(f"q{number}", 5000) for number in range(4)), 16, 589),
        ((choice("a", 2000, 3000, 5000), choice("b", 1, 1, multi=True)), 12, 770),
        (tuple(yes_no(f"q{number}", 5000) for number in range(20)), 2**20, 1),
    ],
)
def test_the_default_skip_probability_is_one_extra_pattern(
    questions: tuple[Question, ...], patterns: int, refusal: int
) -> None:
    block = shielded("b", 5000, *questions)
    assert block.patterns == patterns
    assert default_refusal(block) == refusal


def test_check_questions_need_their_own_protected_block() -> None:
    check = replace(yes_no("true", 5000), anchor="nobody")
    for changes in (
        {"questions": (check, yes_no("affair", 5000))},
        {"questions": (replace(check, unrelated=()),), "protected": False, "truth_probability": 10_000},
    ):
        with refused("anchor", "b"):
            _block(**changes)


def test_blocks_without_rotation_have_no_booklets() -> None:
    with refused("questions_per_person", "b"):
        _ = _block().sets


def test_the_worst_booklet_has_the_questions_with_the_rarest_decoys_or_all_if_everyone_is_asked_all() -> None:
    """The least of the decoy probabilities are .3 and .4; .5 is that of a."""
    questions = tuple(yes_no(key, share) for key, share in (("a", 5000), ("b", 3000), ("c", 4000)))
    assert _block(questions=questions).worst_booklet == (0, 1, 2)
    assert _block(questions=questions, questions_per_person=2).worst_booklet == (1, 2)
    assert _block(questions=questions, questions_per_person=1).worst_booklet == (1,)
    assert _block().worst_booklet == (0,)


TWO_BINS = WindowChannel(
    mechanism="wave", range=NumberRange(low=0, high=2), window=2, floor=1, peak=4, spans=((1, 2),)
)
"""Sends one of 4 outputs, of which two lie in the window of a bin; T = 4 + 2 * 4 = 12."""

KEEP = replace(TWO_BINS, window=1)
"""Keeps a bin with 4 of 3 + 4 draws."""


def _number(disguise: WindowChannel = KEEP, *items: str, **changes: Any) -> Block:
    channel = replace(disguise, spans=disguise.spans if items else ())
    question = Question(key="age", kind="number", options=items, unrelated=(), disguise=channel)
    return _block(**{"truth_probability": 0, "questions": (question,)} | changes)


def test_a_number_has_a_block_of_its_own() -> None:
    age = _number().questions[0]
    place = PLACES["utility-optimised"].questions[0]
    open_age = replace(age, disguise=as_answered(NumberRange(low=0, high=2)))
    for code, changes in (
        ("lone", {"questions": (age, yes_no("affair", 5000))}),
        ("lone", {"questions": (yes_no("affair", 5000), age)}),
        ("lone", {"questions": (place,), "protected": False, "truth_probability": 10_000}),
        ("disguise", {"questions": (open_age,)}),
        ("disguise", {"questions": (age,), "protected": False, "truth_probability": 10_000}),
        ("truth_probability", {"questions": (age,), "truth_probability": 1}),
        ("refusal_low", {"questions": (age,), "refusal": 2499}),
    ):
        with refused(code):
            _block(**{"truth_probability": 0} | changes)
    opened = _block(protected=False, truth_probability=10_000, questions=(open_age,))
    assert (opened.n_draws, opened.truth, opened.is_scale, opened.has_coin) == (0, 1, True, False)


def test_only_a_number_or_place_has_a_disguise_of_its_own() -> None:
    with refused("not_lone", "b"):
        _ = _block().disguise
    assert (_number().disguise, _number(TWO_BINS).disguise.window) == (replace(KEEP, spans=()), 2)
    assert _block(refusal=3334).skipping is None
    assert _number().skipping is None


def test_p_is_that_of_the_coin_or_of_the_items_or_of_the_skip() -> None:
    """The skip acts as a fourth bin: of 8 draws, 4 keep the answer."""
    assert _block().truth == Fraction(3, 5)
    assert (_number().truth, _number(KEEP, "old").truth) == (0, Fraction(4, 7))
    assert _number(KEEP, "old", refusal=2500).truth == Fraction(1, 2)


def test_a_composite_with_instructed_items_needs_a_skip_and_no_composite_is_open() -> None:
    plain = replace(yes_no("q", 5000), computed=RULE)
    with refused("computed", "q"):
        _block(questions=(replace(plain, unrelated=()),), protected=False, truth_probability=10_000)
    rule = replace(RULE, components=(*RULE.components, yes("check", 0, instructed="no")))
    checked = replace(plain, computed=rule)
    with refused("computed", "check"):
        _block(questions=(checked,))
    assert _block(questions=(checked,), refusal=3334).refusal == 3334
    assert _block(questions=(plain,)).refusal is None


def test_every_draw_of_a_number_sends_each_output_with_its_weight() -> None:
    """KEEP has weights 1, 1, 5 and the light one 1, 1, 10; one draw below lcm(7, 12) = 84 serves both."""
    light = replace(KEEP, peak=9, spans=())
    block = _number(light=light)
    assert (block.scale_total, block.in_group(direct=True).scale_total, block.n_draws) == (84, 12, 1)
    for direct, near, far in ((False, 5 * 12, 12), (True, 10 * 7, 7)):
        counts = Counter(block.scale_sent(2, draw, direct=direct) for draw in range(84))
        assert counts == {0: far, 1: far, 2: near}


def test_a_skip_is_sent_as_a_skip_or_as_a_decoy() -> None:
    """Of 8 equal shares, an answer is skipped in one, and a skip sends each bin in one."""
    block = _number(refusal=2500)
    assert block.scale_total == 7500 * 7 + 2500 * 3 == 60_000
    shares = [edge for start in range(0, 60_000, 7500) for edge in (start, start + 7499)]
    assert Counter(block.scale_sent(0, draw) for draw in shares) == {0: 10, 1: 2, 2: 2, None: 2}
    assert Counter(block.scale_sent(None, draw) for draw in shares) == {None: 10, 0: 2, 1: 2, 2: 2}
    assert _number().scale_sent(None, 3) is None, "not offered, but routed past"


def test_the_direct_group_of_a_number_without_light_sends_the_bin() -> None:
    block = _number(TWO_BINS)
    assert [block.scale_outputs(direct=direct) for direct in (False, True)] == [4, 3]
    assert [block.scale_sent(2, draw, direct=True) for draw in (0, 11)] == [2, 2]
    assert block.scale_sent(None, 0, direct=True) is None
    assert (block.scale_total, block.truth_in(direct=True), block.patterns) == (12, 1, 3)


def test_draws_are_the_coin_the_skip_and_one_per_decoy() -> None:
    assert _block().n_draws == 2
    assert _block(refusal=3334, questions=(yes_no("a", 5000), choice("b", 5000, 5000))).n_draws == 4
    assert _block(questions=(choice("b", 1, 1, 1, multi=True),)).n_draws == 4
    assert _number(replace(TWO_BINS, peak=1 << 31)).n_draws == 2, "one word holds 32 bits"


def test_a_rotating_block_numbers_its_booklets_in_order() -> None:
    """Two of three questions: (0, 1), (0, 2), (1, 2); each question is in two of the three."""
    questions = tuple(yes_no(key, 5000) for key in "abc")
    block = _block(questions=questions, questions_per_person=2)
    assert (block.n_booklets, block.most_asked) == (3, 2)
    assert [block.booklet(number) for number in range(3)] == [(0, 1), (0, 2), (1, 2)]
    assert [block.booklet_number(asked) for asked in ((2, 0), (1, 2), (0, 1, 2))] == [1, 2, None]
    assert [block.share_asked(asked) for asked in ((1,), (0, 2))] == [Fraction(2, 3), Fraction(1, 3)]
    assert block.of_booklet((0, 2)) == _block(questions=(questions[0], questions[2]))
    assert (block.fewest_patterns, block.patterns) == (4, 8)


def test_a_block_that_asks_all_questions_is_one_booklet() -> None:
    block = _block(questions=tuple(yes_no(key, 5000) for key in "abc"))
    assert (block.n_booklets, block.most_asked, block.booklet(0)) == (1, 3, (0, 1, 2))
    assert [block.booklet_number(asked) for asked in ((2, 0, 1), (0, 1))] == [0, None]
    assert block.share_asked((1,)) == 1
    assert block.of_booklet((0, 1, 2)) is block


def test_booklets_are_sets_of_a_block_with_a_coin() -> None:
    with refused("booklets", "b"):
        _block(booklets=((0,), (1,)))
    with refused("questions_per_person", 1):
        _number(questions_per_person=1)
    with refused("questions_per_person", 1):
        _block(
            protected=False, truth_probability=10_000, questions=(yes_no("a"), yes_no("b")),
            questions_per_person=1,
        )  # fmt: skip


def test_a_light_number_keeps_its_items_and_replaces_its_disguise() -> None:
    light = replace(KEEP, peak=9)
    block = _number(KEEP, "old", light=light)
    direct, protected = block.in_group(direct=True), block.in_group(direct=False)
    assert direct is not None
    assert protected is not None
    assert (direct.disguise, protected.disguise) == (light, KEEP)
    assert direct.questions[0].item_keys == protected.questions[0].item_keys == ("age=old",)
    assert (direct.light, protected.light) == (None, None)
    assert (block.truth_in(direct=True), block.truth_in(direct=False)) == (Fraction(9, 12), Fraction(4, 7))
    plain = _block()
    assert plain.in_group(direct=False) is plain
    with refused("light", "b"):
        _block(protected=False, truth_probability=10_000, questions=(yes_no("q"),), light=9000)


def test_numbers_of_a_block_are_stored_as_plain_numbers() -> None:
    block = shielded("b", 5000, yes_no("x", 5000), yes_no("y", 5000), refusal=9999)
    assert block.refusal == 9999
    some = replace(block, questions_per_person=np.int64(1), light=np.int64(8000))
    assert type(some.questions_per_person) is type(some.light) is int
    assert (some.questions_per_person, some.light) == (1, 8000)


def test_a_list_of_questions_and_numbers_of_an_array_are_stored_as_plain_ones() -> None:
    """Blocks are compared, and JSON has no NumPy numbers."""
    question = Question(key="a", kind="yes_no", options=(), unrelated=(5000,))
    plain = Block(key="b", protected=True, truth_probability=5000, questions=(question,), refusal=1000)
    found = replace(plain, truth_probability=np.int64(5000), questions=[question], refusal=np.int64(1000))  # type: ignore[arg-type]
    assert found == plain
    assert type(found.truth_probability) is type(found.refusal) is int
