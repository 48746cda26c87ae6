"""Layouts of sensitive questions: golden half-widths, both ceilings at equality, what is wanted first."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.layouts import CHECKED, chosen, simulated_power, table
from privacy.errors import PrivacyError
from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import AskedQuestion, LaidPart, Layout, Protection, Wanted
from privacy.planning.part_variance import AskedPart, variance_of_size
from privacy.planning.precision import AskedItem, AskedPair, detectable_difference
from surveys.questionnaire.sensitive import even_chances

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
        [YES_NO] * count,
        wanted=Wanted(n=n, questions=wanted, shares=(share,) * count),
        protection=protection,
        skips=skips,
    )
    assert layout is not None
    return layout


@pytest.mark.parametrize(
    ("protection", "count", "asked", "truth", "shares", "pairs"),
    [
        (LIGHT, 5, 3, 6923, (9.1, 5.8), (9.1, 5.8)),
        (LIGHT, 8, 3, 6923, (11.6, 7.3), (13.6, 8.6)),
        (LIGHT, 10, 3, 6923, (12.9, 8.2), (16.5, 10.4)),
        (MEDIUM, 5, 4, 5294, (10.3, 6.5), (9.4, 6.0)),
        (MEDIUM, 8, 4, 5294, (13.1, 8.3), (13.6, 8.6)),
        (MEDIUM, 10, 4, 5294, (14.6, 9.3), (16.4, 10.3)),
        (STRONG, 5, 3, 4000, (15.8, 10.0), (15.8, 10.0)),
        (STRONG, 8, 3, 4000, (20.0, 12.7), (23.5, 14.8)),
        (STRONG, 10, 3, 4000, (22.4, 14.1), (28.5, 18.0)),
    ],
)
def test_where_all_count_alike_each_person_is_asked_so_many(
    protection: Protection,
    count: int,
    asked: int,
    truth: int,
    shares: tuple[float, float],
    pairs: tuple[float, float],
) -> None:
    layout = best(count, protection)
    (part,) = layout.parts
    assert part.booklets is not None
    assert (len(part.booklets[0]), part.truth) == (asked, truth)
    planned = AskedPart(questions=count, truth=truth / 10_000, per_person=asked)
    for n, share, pair in zip((400, 1000), shares, pairs, strict=True):
        widths = best(count, protection, n=n).half_widths
        assert max(widths) == pytest.approx(min(widths))
        assert round(100 * widths[0], 1) == share
        of_pairs = 100 * 1.959963984540054 * math.sqrt(variance_of_size([planned], 2) / n)
        assert round(of_pairs, 1) == pytest.approx(pair, abs=0.051)


def test_two_wanted_questions_are_asked_of_everybody_and_found() -> None:
    layout = best(8, MEDIUM, wanted=(2, 5))
    assert layout.kind == "rotating"
    assert layout.pair(2, 5).together == 1
    assert layout.power is not None
    assert layout.power > 0.8
    # The others are asked equally often.
    (part,) = layout.parts
    assert {part.share_asked([number]) for number in range(8) if number not in (2, 5)} == {Fraction(1, 3)}


def test_a_part_that_asks_three_of_eight_would_find_61_points() -> None:
    """Without what is wanted in every set: 400 people, 3/8 x 2/7 of whom are asked both."""
    item = AskedItem(truth=0.6923, decoy=0.5, share=0.5, share_asked=Fraction(3, 8))
    rotating = AskedPair(first=item, second=item, skipped=0, together=Fraction(3, 28))
    found = detectable_difference(rotating, 400)
    assert found is not None
    assert 0.55 < found < 0.65


@pytest.mark.parametrize("protection", [LIGHT, MEDIUM, STRONG])
@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("wanted", [(), (0,), (0, 1)])
def test_every_layout_keeps_both_ceilings_and_one_step_more_breaks_one(
    protection: Protection, skips: bool, wanted: tuple[int, ...]
) -> None:
    kinds = [YES_NO, YES_NO, AskedQuestion(items=3, exclusive=True), YES_NO, AskedQuestion(items=2)]
    layout = best_layout(
        kinds,
        wanted=Wanted(n=400, questions=wanted, shares=(0.3,) * 5),
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
    """Both odds from the rows that a device may send, and from the answers to one question."""
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
    """The least probable random answer, of ten-thousandths shared out as a device has them."""
    if not kind.exclusive:
        return Fraction(1, 2**kind.items)
    shares = even_chances("single", kind.items)
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
def test_a_layout_is_always_found_and_keeps_its_skips(
    kinds: list[AskedQuestion], protection: Protection, skips: bool, wanted: int
) -> None:
    layout = best_layout(
        kinds,
        wanted=Wanted(
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


def test_a_wanted_share_is_worth_more_than_the_others_until_it_is_of_use() -> None:
    first = best(8, STRONG, wanted=(0,), n=200)
    second = best(8, STRONG, n=200)
    assert first.half_widths[0] < second.half_widths[0]
    assert first.items[0].share_asked == 1


def test_more_people_make_nothing_wanted_worse_under_one_layout() -> None:
    widths = [best(8, MEDIUM, wanted=(0, 1), n=n).half_widths[0] for n in (200, 400, 1000, 4000)]
    assert widths == sorted(widths, reverse=True)


def test_one_question_has_one_layout() -> None:
    only = best(1, MEDIUM)
    assert (only.kind, only.parts[0].truth, only.parts[0].booklets) == ("rotating", 6000, None)


@pytest.mark.parametrize(
    ("protection", "count"),
    [(Protection(everything=Fraction(1), answer=Fraction(4)), 2), (MEDIUM, 0), (MEDIUM, 61)],
)
def test_what_leaves_nothing_or_is_too_much_is_refused(protection: Protection, count: int) -> None:
    with pytest.raises(PrivacyError):
        best(count, protection)


def test_the_table_of_the_documentation_is_this_one() -> None:
    with (ROOT / "docs/evidence/layouts.csv").open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == table()


@pytest.mark.soak
@pytest.mark.parametrize("point", CHECKED)
def test_the_stated_power_is_that_of_simulated_surveys(point: tuple[str, int, int]) -> None:
    """4,000 surveys a point; a right power is further off than 5 standard errors once in 2 million."""
    layout = chosen(*point)
    simulated = simulated_power(
        layout, difference=0.30, surveys=4_000, rng=np.random.default_rng([20261123, CHECKED.index(point)])
    )
    assert layout.power == pytest.approx(simulated, abs=3 * math.sqrt(simulated * (1 - simulated) / 4_000))
