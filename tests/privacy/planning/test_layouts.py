"""Layouts of sensitive questions: golden half-widths, tight privacy limits, priorities."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.layouts import CHECKED, chosen, simulated_power, table
from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import AskedQuestion, Kind, LaidPart, Layout, LayoutGoal, Whole, _has_all_sets
from privacy.planning.protection import Protection
from privacy.survey.choices import Choice

YES_NO = AskedQuestion()
LIGHT = Protection(everything=Fraction(19), answer=Fraction(9))
MEDIUM = Protection(everything=Fraction(19), answer=Fraction(4))
ROOT = Path(__file__).resolve().parents[3]
STRONG = Protection(everything=Fraction(22, 3), answer=Fraction(7, 3))


def best(
    count: int,
    protection: Protection,
    *,
    wanted: tuple[int, ...] = (),
    n: int = 400,
    skips: bool = False,
    share: float = 0.5,
) -> Layout:
    layout = best_layout(
        (YES_NO,) * count,
        target=LayoutGoal(n=n, questions=wanted, shares=(share,) * count),
        protection=protection,
        skips=skips,
    )
    assert layout is not None
    return layout


def test_a_wanted_pair_is_always_asked_with_enough_power() -> None:
    layout = best(8, MEDIUM, wanted=(2, 5))
    assert layout.kind == "rotating"
    assert layout.pair(2, 5).together == 1
    assert layout.power is not None
    assert layout.power > 0.8
    # Other questions are asked equally often.
    (part,) = layout.parts
    assert {part.share_asked([number]) for number in range(8) if number not in (2, 5)} == {Fraction(1, 3)}


@pytest.mark.parametrize("protection", [LIGHT, MEDIUM, STRONG])
@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("wanted", [(), (0,), (0, 1)])
def test_every_layout_meets_both_ceilings_with_no_slack(
    protection: Protection, skips: bool, wanted: tuple[int, ...]
) -> None:
    kinds = (YES_NO, YES_NO, AskedQuestion(items=3, exclusive=True), YES_NO, AskedQuestion(items=2))
    layout = best_layout(
        kinds,
        target=LayoutGoal(n=400, questions=wanted, shares=(0.3,) * 5),
        protection=protection,
        skips=skips,
    )
    assert layout is not None
    steps = [[_odds(part.truth + step, part, kinds) for step in (0, 1)] for part in layout.parts]
    drawn = layout.parts_per_person or len(layout.parts)
    together = [sorted((odds[step][0] for odds in steps), reverse=True)[:drawn] for step in (0, 1)]
    assert math.prod(together[0]) <= protection.everything
    assert max(odds[0][1] for odds in steps) <= protection.answer
    if layout.kind == "rotating":
        assert together[1][0] > protection.everything or steps[0][1][1] > protection.answer


def _odds(truth: int, part: LaidPart, kinds: list[AskedQuestion]) -> tuple[Fraction, Fraction]:
    """Return the odds of a whole row and of one answer, from all rows that a device can send."""
    p = Fraction(truth, 10_000)
    skip = Fraction(part.refusal or 0, 10_000)
    booklets = part.booklets or (tuple(range(len(part.questions))),)
    rows, answers = [], []
    for booklet in booklets:
        rarest = [_rarest(kinds[part.questions[position]]) for position in booklet]
        rows += [(1 - skip) * math.prod(rarest)] + ([skip] if skip else [])
        answers += [(1 - skip) * each for each in rarest]
    return 1 + p / (1 - p) / min(rows), 1 + p / (1 - p) / min(answers)


def _rarest(kind: AskedQuestion) -> Fraction:
    """Return the probability of the rarest random answer, in a device's ten-thousandths."""
    if not kind.exclusive:
        return Fraction(1, 2**kind.items)
    shares = Choice.uniform_shares(kind.items)
    assert sum(shares) == 10_000
    return Fraction(min(shares), 10_000)


KINDS = st.one_of(
    st.just(YES_NO),
    st.integers(2, 20).map(lambda count: AskedQuestion(items=count, exclusive=True)),
    st.integers(2, 6).map(lambda count: AskedQuestion(items=count)),
)


@given(
    kinds=st.lists(KINDS, min_size=1, max_size=8),
    protection=st.sampled_from([LIGHT, MEDIUM, STRONG]),
    skips=st.booleans(),
    wanted=st.integers(0, 2),
)
@example(kinds=[AskedQuestion(items=3, exclusive=True)], protection=STRONG, skips=False, wanted=0)
@pytest.mark.soak
def test_a_layout_is_always_found_and_keeps_its_skips(
    kinds: list[AskedQuestion], protection: Protection, skips: bool, wanted: int
) -> None:
    layout = best_layout(
        tuple(kinds),
        target=LayoutGoal(
            n=400, questions=tuple(range(min(wanted, len(kinds)))), shares=tuple(kind.share for kind in kinds)
        ),
        protection=protection,
        skips=skips,
    )
    assert layout is not None
    odds = [_odds(part.truth, part, kinds) for part in layout.parts]
    drawn = layout.parts_per_person or len(layout.parts)
    whole = sorted((each for each, _answer in odds), reverse=True)[:drawn]
    assert math.prod(whole, start=Fraction(1)) <= protection.everything
    assert max(answer for _each, answer in odds) <= protection.answer
    assert {part.refusal is not None for part in layout.parts} == {skips}


def test_a_wanted_share_has_priority_until_it_is_useful() -> None:
    first = best(8, STRONG, wanted=(0,), n=200)
    second = best(8, STRONG, n=200)
    assert first.half_widths[0] < second.half_widths[0]
    assert first.items[0].share_asked == 1


def test_more_respondents_never_widen_wanted_estimates() -> None:
    widths = [best(8, MEDIUM, wanted=(0, 1), n=n).half_widths[0] for n in (200, 400, 1000, 4000)]
    assert widths == sorted(widths, reverse=True)


def test_one_question_has_only_one_layout() -> None:
    only = best(1, MEDIUM)
    assert (only.kind, only.parts[0].truth, only.parts[0].booklets) == ("rotating", 6000, None)


@pytest.mark.parametrize(("everything", "count"), [(1, 2), (19, 61)])
def test_what_leaves_nothing_or_is_too_much_has_no_layout(everything: int, count: int) -> None:
    protection = Protection(everything=Fraction(everything), answer=Fraction(4))
    wanted = LayoutGoal(n=400, questions=(), shares=(0.5,) * count)
    assert best_layout((YES_NO,) * count, target=wanted, protection=protection, skips=False) is None


def test_the_documented_layout_table_is_current() -> None:
    with (ROOT / "docs/evidence/layouts.csv").open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == table()


@pytest.mark.soak
@pytest.mark.parametrize("point", CHECKED[1::2])
def test_the_stated_power_matches_simulated_surveys(point: tuple[str, int, int]) -> None:
    """Simulates 4,000 surveys a point; a right power is off by 5 standard errors once in 2 million."""
    layout = chosen(*point)
    simulated = simulated_power(
        layout, difference=0.30, surveys=4_000, rng=np.random.default_rng([20261123, CHECKED.index(point)])
    )
    assert layout.power == pytest.approx(simulated, abs=3 * math.sqrt(simulated * (1 - simulated) / 4_000))


PAIRS = ((0, 1), (0, 2), (1, 2))
"""Of three questions, each person is asked two."""


def laid(
    *parts: LaidPart, kind: Kind = "rotating", n: int = 400, wanted: tuple[int, ...] = (), **members: Any
) -> Layout:
    """Return yes/no questions in these parts; a share of one half for each."""
    count = sum(len(part.questions) for part in parts)
    target = members.pop("target", LayoutGoal(n=n, questions=wanted, shares=(0.5,) * count))
    return Layout(kind=kind, kinds=(YES_NO,) * count, parts=parts, target=target, **members)


def part(*questions: int, truth: int = 5000, refusal: int | None = None, **members: Any) -> LaidPart:
    return LaidPart(questions=questions, truth=truth, refusal=refusal, **members)


def test_answers_of_a_question_by_hand() -> None:
    several, single = AskedQuestion(items=3), AskedQuestion(items=3, exclusive=True)
    assert (several.patterns, several.rarest, several.share) == (8, Fraction(1, 8), 0.5)
    assert (single.patterns, single.rarest, single.share) == (3, Fraction(3333, 10_000), 1 / 3)


@pytest.mark.parametrize(
    ("layout", "key", "others", "not_others"),
    [
        (laid(part(0, 1, 2), per_person=2), "rotating-2-0-0", ["rotating-2+-0-0"], ["rotating-3+-0-0"]),
        (laid(part(0, 1, 2), per_person=3), "rotating-3+-0-0", ["rotating-9+-0-0"], ["rotating-9-0-0"]),
        (
            laid(part(0), part(1, 2), kind="alone", wanted=(0,), per_person=2, level=5, number_level=1),
            "alone-2+-5-1",
            ["alone-2-5-1", "alone-7+-5-1"],
            ["alone-2-4-1", "alone-2-5-0", "rotating-2+-5-1", "alone-2-5"],
        ),
        (laid(part(0), part(1, 2), kind="in_turn", per_person=2), "in_turn-2+-0-0", ["in_turn-9+-0-0"], []),
        (laid(part(0), part(1, 2), kind="in_turn", per_person=3), "in_turn-3-0-0", [], ["in_turn-9+-0-0"]),
    ],
)
def test_a_layout_is_recognised_by_its_key(
    layout: Layout, key: str, others: list[str], not_others: list[str]
) -> None:
    assert layout.key == key
    assert all(layout.is_as(each) for each in [key, *others])
    assert not any(layout.is_as(each) for each in not_others)


def test_questions_that_belong_to_a_starred_one_are_starred_too() -> None:
    wholes = (Whole(questions=(0, 3)), Whole(questions=(1, 2)))
    goal = LayoutGoal(n=400, questions=(3,), shares=(0.5,) * 4, wholes=wholes, plain_shares=(0.1,) * 4)
    assert goal.starred == (0, 3)
    assert goal.plain == LayoutGoal(n=400, questions=(), shares=(0.1,) * 4, wholes=wholes)
    assert replace(goal, plain_shares=()).plain.shares == goal.shares


def test_who_is_asked_what_by_hand() -> None:
    """Two of three parts are drawn; of three questions in the first part, two."""
    drawn = part(0, 1, 2, refusal=2000, booklets=PAIRS)
    layout = laid(drawn, part(3), part(4), parts_per_person=2)
    assert drawn.share_asked([0]) == Fraction(2, 3)
    assert drawn.share_asked([0, 2]) == Fraction(1, 3)
    asked = [item.share_asked for item in layout.items]
    assert asked == pytest.approx([4 / 9, 4 / 9, 4 / 9, 2 / 3, 2 / 3])
    # A fifth of the random answers are skips.
    assert [item.decoy for item in layout.items] == pytest.approx([0.4, 0.4, 0.4, 0.5, 0.5])
    assert {item.truth for item in layout.items} == {0.5}
    once = {(item.decoy, item.share, round(item.share_asked, 9)) for item in layout._different_items()}
    assert once == {(item.decoy, item.share, round(item.share_asked, 9)) for item in layout.items}
    pairs = {(0, 1): Fraction(2, 9), (0, 3): Fraction(2, 9), (3, 4): Fraction(1, 3)}
    assert {pair: layout.pair(*pair).together for pair in pairs} == pairs
    assert [layout.pair(*pair).skipped for pair in ((0, 1), (0, 3), (3, 0))] == [0.2, None, None]
    single = replace(layout, parts_per_person=1)
    assert (single.pair(3, 4).together, single.pair(0, 1).together) == (0, Fraction(1, 9))
    assert replace(layout, parts_per_person=None).pair(3, 4).together == 1
    assert replace(layout, parts_per_person=None).pair(0, 3).together == Fraction(2, 3)


def test_the_share_of_a_starred_answer_for_power_replaces_that_for_the_margin() -> None:
    target = LayoutGoal(n=400, questions=(0, 1), shares=(0.5, 0.5), pair_shares=(0.1, 0.2))
    rare, even = laid(part(0, 1), target=target), laid(part(0, 1), wanted=(0, 1))
    assert rare.half_widths == even.half_widths
    assert rare.power is not None
    assert even.power is not None
    assert rare.power < even.power
    same = laid(part(0, 1), target=replace(target, pair_shares=(0.5, 0.5)))
    assert same.power == even.power


def test_margins_of_questions_and_numbers_by_hand() -> None:
    """Half of 400 random and true answers are yes: 1.96 sqrt(.25 / 400) / p; numbers by their error."""
    levels = ((Fraction(3), 0.6), (Fraction(9), 0.2))
    layout = laid(part(0), part(1, truth=8000), numbers=(levels, levels[:1]), number_level=1)
    reach = 1.959963984540054
    assert layout.half_widths == pytest.approx((reach * 0.025 / 0.5, reach * 0.025 / 0.8))
    assert layout.number_half_widths == pytest.approx((reach * 0.2 / 20, reach * 0.6 / 20))
    starred = replace(layout, target=replace(layout.target, questions=(0,), numbers=(1,)))
    few = replace(starred, target=replace(starred.target, n=100))
    assert few.shortfall == pytest.approx(reach * 0.05 / 0.5 - 0.10)
    # The starred two count as much as the other two.
    first = (layout.half_widths[0] ** 2 + layout.number_half_widths[1] ** 2) / 2
    others = (layout.half_widths[1] ** 2 + layout.number_half_widths[0] ** 2) / 2
    assert starred.rank == pytest.approx((0, first + others, 2))
    every = sum(width**2 for width in (*layout.half_widths, *layout.number_half_widths)) / 4
    assert layout.rank == pytest.approx((0, every, 2))
    assert few.rank[0] == round(few.shortfall, 9)


def test_variances_may_grow_by_a_fiftieth_for_sets_that_are_asked_together() -> None:
    rotating, whole = laid(part(0, 1, 2, booklets=PAIRS)), laid(part(0, 1, 2))
    assert [rotating.asks_all(size) for size in (2, 3)] == [True, False]
    assert [whole.asks_all(size) for size in (2, 3)] == [True, True]
    assert rotating.rank[1] == pytest.approx(1.02 * rotating.half_widths[0] ** 2)
    assert whole.rank[1] == pytest.approx(whole.half_widths[0] ** 2)
    in_turn = laid(part(0), part(1), part(2), parts_per_person=2)
    assert [in_turn.asks_all(size) for size in (2, 3)] == [True, False]
    assert [replace(in_turn, parts_per_person=1).asks_all(size) for size in (2, 3)] == [False, False]
    assert all(laid(part(0), part(1), parts_per_person=2).asks_all(size) for size in (2, 3))


def test_a_layout_is_worse_if_a_starred_or_the_worst_other_figure_is() -> None:
    layout = laid(part(0), part(1), part(2, truth=6000), wanted=(0,))

    def other(*truths: int) -> Layout:
        parts = (replace(each, truth=truth) for each, truth in zip(layout.parts, truths, strict=True))
        return replace(layout, parts=tuple(parts))

    assert layout.is_no_worse(layout)
    # The other figure that is not the worst does not count.
    assert other(5000, 5000, 5500).is_no_worse(layout)
    assert not other(5000, 4900, 6000).is_no_worse(layout)
    assert not other(4900, 6000, 6000).is_no_worse(layout)
    assert other(5100, 5000, 6000).is_no_worse(layout)


def test_a_pair_is_worse_if_it_has_less_power() -> None:
    one, two = laid(part(0, 1), wanted=(0, 1)), laid(part(0), part(1), wanted=(0, 1))
    assert one.power is not None
    assert two.power is not None
    assert two.power < one.power
    assert one.is_no_worse(two)
    assert not two.is_no_worse(one)
    never = laid(part(0), part(1), wanted=(0, 1), parts_per_person=1)
    assert (never.power, never.shortfall) == (0.0, 0.8)
    assert two.shortfall == pytest.approx(0.8 - two.power)
    assert laid(part(0, 1), wanted=(0,)).power is None


def test_stars_are_kept_if_no_starred_figure_is_wider_or_an_undetected_pair_is_found_more_often() -> None:
    share, wider = laid(part(0), wanted=(0,)), laid(part(0, truth=4900), wanted=(0,))
    assert share.keeps_stars(share)
    assert share.keeps_stars(wider)
    assert not wider.keeps_stars(share)
    # One coin finds the pair more often, with wider shares.
    apart = laid(part(0), part(1), wanted=(0, 1), n=200)
    joined = laid(part(0, 1, truth=4900), wanted=(0, 1), n=200)
    assert apart.power is not None
    assert joined.power is not None
    assert apart.power < joined.power < 0.8
    assert joined.keeps_stars(apart)
    assert not apart.keeps_stars(joined)
    assert apart.keeps_stars(apart)
    # Where both find it 8 times in 10, only the shares count.
    many = [replace(each, target=replace(each.target, n=4000)) for each in (apart, joined)]
    assert all(each.power is not None and each.power > 0.8 for each in many)
    assert many[0].keeps_stars(many[1])
    assert not many[1].keeps_stars(many[0])


def test_people_are_counted_for_margins_and_power() -> None:
    """Half-widths of 25 points need (1.96 / 2 p)^2 16 = 62 people, of whom at least 100 are asked."""
    share = laid(part(0), wanted=(0,))
    assert share.people_needed == share.people_to_show == 100
    third = laid(part(0), part(1), part(2), parts_per_person=1, n=300)
    assert (third.people_to_show, third.is_useful) == (300, True)
    assert not replace(third, target=replace(third.target, n=299)).is_useful
    pair = laid(part(0), part(1), part(2), wanted=(0, 1), parts_per_person=2)
    # A third of the people are asked both.
    assert pair.people_to_show == 300
    assert pair.people_needed > 300
    assert pair.is_useful == (pair.people_needed <= 400)


def test_questions_of_two_rotating_parts_are_asked_together_as_often_as_both_are_drawn() -> None:
    """Each part asks one in two, or two in three, of its questions; two of three parts are drawn."""
    two, three = part(0, 1, booklets=((0,), (1,))), part(2, 3, 4, booklets=PAIRS)
    layout = laid(two, three, part(5), parts_per_person=2)
    assert layout.pair(0, 2).together == Fraction(1, 2) * Fraction(2, 3) * Fraction(1, 3)
    assert layout.pair(0, 1).together == 0


def test_booklets_have_all_pairs_or_miss_one() -> None:
    assert _has_all_sets(PAIRS, 3, 2)
    assert not _has_all_sets(PAIRS[:2], 3, 2)
    assert not _has_all_sets(PAIRS, 3, 3)
