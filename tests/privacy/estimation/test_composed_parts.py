"""Rules over rotating parts, numbers and places from all rows are exact, over all possible reports."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.estimation.comparison import compare, comparison_factors
from privacy.estimation.composed_parts import (
    MOST_RULE_ITEMS,
    MOST_RULE_PARTS,
    Factor,
    Part,
    Side,
    _check,
    _drawable_rows,
    factors_of,
    states_of,
)
from privacy.estimation.joined_rows import JoinedRows, joined_rows
from privacy.survey.design import Condition, Design
from privacy.survey.rotation import Rotation
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import ROTATING, opened, protected, yes_no
from tests.privacy.estimation.designs import design as designed
from tests.privacy.estimation.drawn_rows import SCALE, a_law, sent
from tests.privacy.estimation.records import columns
from tests.privacy.estimation.test_joined_rows import WAVE, WIDE, joined_of
from tests.vectors.designs import live, shielded
from tests.vectors.scale_designs import scale_block


@pytest.mark.parametrize(
    ("name", "direct"), [("two of three", Fraction(0)), ("two strengths", Fraction(1, 4))]
)
def test_without_direct_rows_unobserved_cells_still_count(name: str, direct: Fraction) -> None:
    design = ROTATING[name]
    rows = sent(design, a_law(design, seed=5, direct=direct))
    without = [row for row in rows if 0 not in columns(design, row)]
    factors = factors_of(Side(items=(0,)), Side(items=(1,)), design)
    joined = joined_of(design, factors, without, np.array([round(rows[row] * SCALE) for row in without]))
    assert (joined.counts == 0).any() == (direct == 0)


TURNS = Rotation(blocks=("b-scale", "turn"), parts_per_person=1)


def _design(scale, *, turns: bool) -> Design:
    """Return a design: two of three questions, and a number or place that may rotate with another part."""
    drawn = replace(shielded("a", 6000, *(yes_no(key, 5000) for key in "xyz")), questions_per_person=2)
    blocks = (
        drawn,
        replace(scale_block("scale", scale), key="b-scale"),
        shielded("turn", 5000, yes_no("t", 5000)),
    )
    return replace(live(*blocks), rotations=(TURNS,) if turns else ())


SCALES = {
    "a number that takes turns": (_design(WAVE, turns=True), Part(question=3, target=(0, 1))),
    "a place that takes turns": (_design(WIDE, turns=True), Part(question=3, target=((2, 0, 2, 1),))),
    "a number asked of all": (_design(WAVE, turns=False), Part(question=3, target=(0, 1))),
}
SIDES = (Side(items=(0,)), Side(items=(1,)))
P, EVENTS = 0.6, ((1, 2), (1,), (2,))
Shown = tuple[int, int, int | None]
"""Bits of the questions asked of x, y, z; bits of their reports; the report of the number or place."""


def _answers(design: Design, part: Part) -> tuple[np.ndarray, list[bool]]:
    """Return the channel of the number or place, and which of its answers are wanted."""
    disguise = design.questions[3].disguise
    channel = np.array(disguise.channel.matrix, dtype=np.float64)
    wanted = [
        part.target[0] <= one <= part.target[1]
        if isinstance(part.target[0], int)
        else part.target[0][0] <= one < part.target[0][0] + part.target[0][2]
        for one in range(channel.shape[1])
    ]
    return channel, wanted


def _sent(bits: int, value: int, channel: np.ndarray, *, turns: bool) -> dict[Shown, float]:
    """Return the probability of every report of one true row."""
    found: dict[Shown, float] = defaultdict(float)
    for asked, turn in itertools.product((3, 5, 6), (False, True) if turns else (True,)):
        drawn = 1 / 3 / (2 if turns else 1)
        for decoy in (own for own in range(8) if not own & ~asked):
            for shown, coin in ((bits & asked, P / 4), (decoy, (1 - P) / 4)):
                for output, chance in enumerate(channel[:, value]) if turn else ((None, 1.0),):
                    found[asked, shown, output] += drawn * coin * chance
    return found


def _sets(event: int, *, turns: bool) -> list[tuple[str, ...]]:
    own = [axis for axis, side in (("x", 1), ("y", 2)) if side in EVENTS[event]]
    own += ["scale"] if turns and 1 in EVENTS[event] else []
    return [some for size in range(len(own) + 1) for some in itertools.combinations(own, size)]


def _was_asked(row: Shown, some: Sequence[str]) -> bool:
    return all({"x": row[0] & 1, "y": row[0] & 2, "scale": row[2] is not None}[one] for one in some)


def _off(row: Shown, some: Sequence[str], event: int, score: np.ndarray, mu: dict, *, turns: bool) -> float:
    """Return c_A of one row by definition; a number or place asked of everyone is in every A."""
    total = 0.0
    for size in range(len(some) + 1):
        for less in itertools.combinations(some, size):
            items = [one for one in less if one != "scale"]
            matching = all(row[1] >> "xy".index(one) & 1 for one in items)
            z = (matching - (1 - P) * 0.5 ** len(items)) / P if items else 1.0
            if "scale" in less or (not turns and 1 in EVENTS[event]):
                z *= score[row[2]]
            total += math.prod(-mu[one] for one in some if one not in less) * z
    return total


def _rule(design: Design, part: Part) -> tuple[Factor, ...]:
    return factors_of(replace(SIDES[0], parts=(part,)), SIDES[1], design)


def _joined(factors: Sequence[Factor], rows: dict[Shown, float], *, turns: bool) -> JoinedRows:
    codes = [
        np.array([0 if row[2] is None else row[2] for row in rows])
        if factor.question is not None
        else np.array([row[1] & 3 for row in rows])
        for factor in factors
    ]
    asked = []
    for factor in factors:
        if factor.question is None:
            # Axes are in the order of the items, x before y.
            assert factor.draws.sides == ((1,), (2,))
            asked += [[bool(row[0] >> place & 1) for row in rows] for place in (0, 1)]
        elif turns:
            asked.append([row[2] is not None for row in rows])
    counts = np.array([round(chance * SCALE) for chance in rows.values()])
    return joined_rows(
        factors, codes, counts, direct=np.zeros(len(rows), dtype=np.bool_), is_asked=np.array(asked)
    )


@pytest.mark.parametrize("name", SCALES)
def test_supports_are_unbiased_for_any_centre_with_exact_errors(name: str) -> None:
    design, part = SCALES[name]
    turns = bool(design.rotations)
    channel, wanted = _answers(design, part)
    factors = _rule(design, part)
    score = next(factor for factor in factors if factor.question is not None).scores[1]
    chances = {
        (bits, value): 1.0 + (3 * bits + 5 * value + bits * value) % 7
        for bits in range(4)
        for value in range(len(wanted))
    }
    total = sum(chances.values())
    rows: dict[Shown, float] = defaultdict(float)
    truth, mu = [0.0, 0.0, 0.0], dict.fromkeys(("x", "y", "scale"), 0.0)
    for (bits, value), weight in chances.items():
        law = _sent(bits, value, channel, turns=turns)
        has = {"x": bits & 1, "y": bits >> 1 & 1, "scale": int(wanted[value])}
        for key, own in has.items():
            mu[key] += own * weight / total
        for row, chance in law.items():
            rows[row] += chance * weight / total
        for event, needed in enumerate((("x", "y", "scale"), ("x", "scale"), ("y",))):
            is_so = math.prod(has[key] for key in needed)
            truth[event] += is_so * weight / total
            sets = _sets(event, turns=turns)
            for centre in ({"x": 0.2, "y": 0.7, "scale": 0.4}, {"x": 0.0, "y": 1.0, "scale": 1.0}):
                mean = 0.0
                for some in sets:
                    asked = {row: own for row, own in law.items() if _was_asked(row, some)}
                    off = sum(
                        own * _off(row, some, event, score, centre, turns=turns) for row, own in asked.items()
                    )
                    mean += (
                        math.prod(centre[key] for key in sets[-1] if key not in some)
                        * off
                        / sum(asked.values())
                    )
                assert mean == pytest.approx(is_so, abs=1e-9)
    joined = _joined(factors, rows, turns=turns)
    assert joined.all_rows
    assert joined.counts.sum() == pytest.approx(SCALE, rel=1e-9)
    for event in range(3):
        sets = _sets(event, turns=turns)
        h: dict[Shown, float] = dict.fromkeys(rows, truth[event])
        for some in sets:
            asked = {row: own for row, own in rows.items() if _was_asked(row, some)}
            share = sum(asked.values())
            off = {row: _off(row, some, event, score, mu, turns=turns) for row in asked}
            mean = sum(asked[row] * off[row] for row in asked) / share
            weight = math.prod(mu[key] for key in sets[-1] if key not in some)
            for row in asked:
                h[row] += weight * (off[row] - mean) / share
        mean = joined.scores[event] @ joined.counts / joined.counts.sum()
        assert mean == pytest.approx(truth[event], abs=1e-9)
        variance = sum(chance * (h[row] - truth[event]) ** 2 for row, chance in rows.items())
        found = (joined.scores[event] - mean) ** 2 @ joined.counts / joined.counts.sum()
        assert found == pytest.approx(variance, rel=1e-8)
    measured = compare(joined)
    assert measured.both == pytest.approx(truth[0], abs=1e-9)
    complete = sum(own for row, own in rows.items() if _was_asked(row, ("x", "y", "scale")))
    assert measured.n == pytest.approx(complete * SCALE, rel=1e-9)
    assert measured.n_used == joined.counts.sum()


def test_rows_with_an_unasked_question_do_not_count() -> None:
    design, part = SCALES["a number that takes turns"]
    rows: dict[Shown, float] = {(5, 1, 0): 0.5, (6, 2, None): 0.5}
    joined = _joined(_rule(design, part), rows, turns=True)
    assert not joined.all_rows
    assert joined.counts.sum() == 0


def test_a_factor_is_open_only_for_the_group_that_sends_it_undisguised() -> None:
    """Codes of protected rows come first: their scores are -.5 and 1.5, those of direct rows 0 and 1."""
    scores = np.array([[-0.5, 1.5, 0.0, 1.0]] * 3)
    factor = Factor(question=None, items=(0,), scores=scores, split=2, draws=None)
    assert (factor.is_open(direct=True), factor.is_open(direct=False)) == (True, False)
    other = replace(factor, scores=scores[:, [2, 3, 0, 1]])
    assert (other.is_open(direct=True), other.is_open(direct=False)) == (False, True)


def test_rules_without_a_side_or_with_unknown_parts_are_refused() -> None:
    design = live(
        shielded("b", 6000, yes_no("a", 5000), yes_no("c", 5000)), shielded("d", 6000, yes_no("e", 5000))
    )
    item = Side(items=(0,))
    for sides in ((item, Side()), (Side(), item), (Side(), Side())):
        with refused("rule"):
            factors_of(*sides, design)
    for question in (-1, 0, 3):
        with refused("question"):
            factors_of(item, Side(parts=(Part(question=question, target=(0, 1)),)), design)


def test_at_least_one_of_needs_two_answers_of_one_block() -> None:
    design = live(
        shielded("b", 6000, yes_no("a", 5000), yes_no("c", 5000)), shielded("d", 6000, yes_no("e", 5000))
    )
    item = Side(items=(2,))
    assert len(factors_of(Side(at_least_one=(0, 1)), item, design)) == 2
    for items, other in (((0,), item), ((0, 2), Side(items=(1,)))):
        with refused("at_least_one"):
            factors_of(Side(at_least_one=items), other, design)


def test_a_rule_has_at_most_four_parts_and_eight_items() -> None:
    blocks = [scale_block(f"n{number}", WAVE) for number in range(5)]
    asked = live(*blocks, *(shielded(f"b{number}", 5000, yes_no(f"q{number}", 5000)) for number in range(9)))
    yes = [asked.item(f"q{number}").index for number in range(9)]

    def checked(items: int, parts: int) -> None:
        before = tuple(Part(question=number, target=(0, 1)) for number in range(parts))
        after = Side(items=(yes[items - 1],))
        _check(Side(items=tuple(yes[: items - 1]), parts=before), after, asked)

    checked(MOST_RULE_ITEMS, MOST_RULE_PARTS)
    for items, parts, named in ((9, 0, "items"), (2, 5, "parts")):
        with refused("too_large", named):
            checked(items, parts)


CONDITION = Condition(question="oa", options=("yes",))


@pytest.mark.parametrize(
    ("members", "in_turns", "base"),
    [
        # Rows show whether they drew the questions.
        ({"asks": 2, "asked_if": CONDITION}, False, None),
        # Everyone draws them, or everyone who meets the condition: the item 0.
        ({"asks": 2}, False, ((1, ()),)),
        ({"asks": 2, "asked_if": CONDITION, "refusal": 2000}, False, ((1, (0,)),)),
        ({"asked_if": CONDITION}, True, ((1, (0,)),)),
        ({"asks": 2, "asked_if": CONDITION}, True, ((1, (0,)),)),
    ],
    ids=["condition", "everyone", "skip", "turns", "questions in turns"],
)
def test_rows_that_could_draw_a_part_answered_it_or_meet_its_condition(
    members: dict[str, Any], in_turns: bool, base: Any
) -> None:
    drawn = protected("b", 5000, *(yes_no(key, 5000) for key in "abc"), **members)
    others = (protected("c", 6000, yes_no("d", 5000)),) if in_turns else ()
    rotations = (Rotation(blocks=("b", "c"), parts_per_person=1),) if in_turns else ()
    whole = designed(opened("o", yes_no("oa")), drawn, *others, rotations=rotations)
    assert _drawable_rows(whole, 1) == (base or ((1, (whole.answered_column(1),)),))


def test_codes_that_differ_only_in_questions_not_asked_are_one_state() -> None:
    """Of two rotating questions none, the first, the second or both were asked: 1, 2, 2 and 4 states."""
    (factor,) = comparison_factors(Side(items=(0,)), Side(items=(1,)), ROTATING["two of three"])
    states = states_of(factor, factor.split)
    assert [len(set(codes)) for codes in states.which.tolist()] == [1, 2, 2, 4]
    assert len(states.codes) == 9
    (_none, first, second, both) = states.which.tolist()
    assert (first[0] == first[2], first[1] == first[3], first[0] == first[1]) == (True, True, False)
    assert (second[0] == second[1], second[2] == second[3], second[0] == second[2]) == (True, True, False)
    asked = states.is_asked.sum(axis=0)[[first[0], second[0], both[0]]]
    assert asked.tolist() == [1, 1, 2]
