"""The search for a layout keeps the order of questions, the figures of the stars, and all that it skips."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privacy.planning import layout_search
from privacy.planning.layout_search import _Bound, _mirror_booklets, _near_root, _Search, best_layout
from privacy.planning.layouts import AskedQuestion, Layout, LayoutGoal, Whole
from privacy.planning.precision import people_to_show_share
from privacy.planning.protection import PROTECTIONS, Protection
from privacy.policy import USEFUL_POWER

MEDIUM = Protection(everything=Fraction(19), answer=Fraction(4), skip=Fraction(9))


def found(runs: tuple[int, ...], *stars: int, skips: bool = False, n: int = 400) -> Layout:
    count = sum(runs)
    layout = best_layout(
        (AskedQuestion(),) * count,
        target=LayoutGoal(n=n, questions=stars, shares=(0.5,) * count, pair_shares=(0.2, 0.2)[: len(stars)]
                          if len(stars) == 2 else ()),
        protection=MEDIUM,
        skips=skips,
        runs=runs,
    )  # fmt: skip
    assert layout is not None
    return layout


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
@pytest.mark.soak
def test_blocks_consist_of_questions_that_follow_each_other(runs: list[int], data: st.DataObject) -> None:
    stars = data.draw(st.lists(st.integers(0, sum(runs) - 1), max_size=2, unique=True))
    layout = found(tuple(runs), *stars, skips=data.draw(st.booleans()), n=data.draw(st.integers(50, 5_000)))
    asked = [number for part in layout.parts for number in part.questions]
    assert asked == list(range(sum(runs)))
    ends = {sum(runs[:place]) for place in range(len(runs))}
    for part in layout.parts:
        # No block contains questions of two runs.
        assert not ends & set(part.questions[1:])


def test_questions_in_one_run_are_at_least_as_exact_as_in_two() -> None:
    for stars in ((), (0,), (0, 1)):
        one, two = found((6,), *stars), found((3, 3), *stars)
        assert one.rank <= two.rank


@st.composite
def searches(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the arguments of a search: questions of all kinds, numbers at several levels, and stars."""
    kinds = draw(
        st.lists(
            st.one_of(
                st.just(AskedQuestion()),
                st.builds(AskedQuestion, items=st.integers(2, 20), exclusive=st.just(True)),
                st.builds(AskedQuestion, items=st.integers(2, 4)),
            ),
            min_size=1,
            max_size=8,
        )
    )
    levels = tuple((Fraction(odds, 4), 2 / odds) for odds in (5, 7, 12, 16))
    numbers = draw(st.lists(st.integers(1, 4).map(lambda count: levels[:count]), max_size=2))
    ends = draw(st.sets(st.integers(1, len(kinds)), max_size=3)) | {len(kinds)}
    stars = draw(st.lists(st.integers(0, len(kinds) - 1), max_size=2, unique=True))
    percent = st.integers(1, 99).map(lambda each: each / 100)
    goal = LayoutGoal(
        n=draw(st.integers(50, 5_000)),
        questions=tuple(stars),
        shares=tuple(draw(percent) for _kind in kinds),
        pair_shares=(draw(percent), draw(percent)) if len(stars) == 2 else (),
        numbers=(0,) if numbers and not stars and draw(st.booleans()) else (),
        plain_shares=tuple(draw(percent) for _kind in kinds) if draw(st.booleans()) else (),
    )
    return {
        "kinds": tuple(kinds),
        "target": goal,
        "protection": draw(st.sampled_from([*PROTECTIONS.values()])),
        "skips": draw(st.booleans()),
        "numbers": tuple(numbers),
        "runs": tuple(end - start for start, end in itertools.pairwise(sorted({0, *ends}))),
    }


def best_of_all(arguments: dict[str, Any]) -> Layout | None:
    """Return the best of all layouts, without leaving out any early."""
    target, every = arguments["target"], [*_Search(**arguments).layouts()]
    kept = every
    plain = best_layout(**{**arguments, "target": target.plain})
    if plain is not None and (target.questions or target.numbers):
        than = replace(plain, target=target)
        kept = [each for each in every if each.keeps_stars(than)]
        is_useful = any(each.is_useful for each in every)
        if than.kind == "rotating" and (than.is_useful > is_useful or not (kept or than.is_useful)):
            every.append(replace(than, kind="unstarred"))
            kept.append(every[-1])
        kept = kept or every
    fewest = min((each.people_to_show for each in kept), default=0)
    best = next(
        filter(
            None,
            (
                [each for each in group if is_good(each)]
                for is_good in (
                    lambda each: each.is_useful,
                    lambda each: each.people_to_show <= target.n,
                    lambda each: each.people_to_show == fewest,
                )
                for group in (kept, every)
            ),
        ),
        [],
    )
    return min(best, key=lambda layout: layout.rank, default=None)


@settings(max_examples=100, deadline=None)
@given(searches())
@pytest.mark.soak
def test_layouts_that_are_not_made_would_not_be_chosen(arguments: dict[str, Any]) -> None:
    """The search skips layouts that certainly need too many people; all of them together give the same."""
    assert best_layout(**arguments) == best_of_all(arguments)


@settings(max_examples=120, deadline=None)
@given(searches())
@pytest.mark.soak
def test_a_star_never_harms_its_own_figure(arguments: dict[str, Any]) -> None:
    """Without the rule, one star widened its own figure, and two lowered the power of their link."""
    target = arguments["target"]
    made, plain = best_layout(**arguments), best_layout(**{**arguments, "target": target.plain})
    if made is None or plain is None or not (target.questions or target.numbers):
        return
    plain = replace(plain, target=target)
    assert made.is_useful or not plain.is_useful
    shows = [layout.people_to_show <= target.n for layout in (made, plain)]
    if (made.is_useful and not plain.is_useful) or shows == [True, False]:
        # Only this layout can be published, or shows every figure.
        return
    wider = any(
        [
            *(made.half_widths[at] > plain.half_widths[at] + 1e-9 for at in target.questions),
            *(made.number_half_widths[at] > plain.number_half_widths[at] + 1e-9 for at in target.numbers),
        ]
    )
    if made.power is None or plain.power is None:
        assert not wider
        return
    # Two stars are about their link.
    assert made.power >= min(plain.power, USEFUL_POWER) - 1e-9
    assert not wider or plain.power < USEFUL_POWER
    assert not wider or made.power > plain.power


def test_no_layout_finds_a_link_as_often_without_widening_a_share() -> None:
    """A yes/no question, a choice of eight, a number and 1,293 people: every layout, one after another."""
    # As a square wave from 0 to 40 has them, from the strongest protection.
    odds, errors = (1.35, 1.57, 1.92, 2.59, 3.86, 3.97), (4.55, 2.93, 1.95, 1.29, 0.87, 0.85)
    arguments: dict[str, Any] = {
        "kinds": (AskedQuestion(), AskedQuestion(items=8, exclusive=True)),
        "target": LayoutGoal(
            n=1293, questions=(0, 1), shares=(0.5, 0.125), pair_shares=(0.2, 0.125), plain_shares=(0.5, 0.125)
        ),
        "protection": MEDIUM,
        "skips": False,
        "numbers": (
            tuple(
                (Fraction(each).limit_denominator(100), error)
                for each, error in zip(odds, errors, strict=True)
            ),
        ),
    }
    plain = best_layout(**{**arguments, "target": arguments["target"].plain})
    made = best_layout(**arguments)
    assert plain is not None
    assert made is not None
    assert made.power is not None
    assert made.power > 0.7
    than = replace(plain, target=arguments["target"])
    kept = [
        layout
        for layout in _Search(**arguments).layouts()
        if all(layout.half_widths[at] <= than.half_widths[at] + 1e-12 for at in (0, 1))
    ]
    assert len(kept) > 3
    assert 0.3 < max(layout.power or 0.0 for layout in kept) < 0.4


def test_reversed_sets_are_added_if_then_all_triples_are_asked() -> None:
    """Of four questions: 012 and 123 are each other in reverse; 012 and 013 add 123 and 023."""
    assert _mirror_booklets([(0, 1, 2), (0, 1, 3)], 4) == [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)]
    assert _mirror_booklets([(0, 1, 2), (1, 2, 3)], 4) == [(0, 1, 2), (1, 2, 3)]
    many = [*itertools.combinations(range(5), 3), (0, 1, 2)]
    assert _mirror_booklets(many, 5) == many


def test_starred_neighbours_are_apart_from_others() -> None:
    search: Any = SimpleNamespace(target=SimpleNamespace(starred=(1, 2, 5)))
    assert _Search._split_by_star(search, [(0, 1, 2, 3), (4,), (5,)]) == ([(1, 2), (5,)], [(0,), (3,), (4,)])


@pytest.mark.parametrize("skip", [math.inf, 4.0])
@pytest.mark.parametrize(("decoy", "share"), [(0.5, 0.3), (0.5, 0.9), (0.1, 0.02)])
def test_a_bound_needs_the_people_of_the_coin_with_least_variance(
    decoy: float, share: float, skip: float
) -> None:
    """With u from 1/a to 1/a + 1/b, tried in small steps; without skips there is only one u."""
    bound = _Bound(ways=((decoy, share, 0.5),), row=0.25, answer=0.4, skip=skip, is_asked=True)
    a, b = min(0.4, 8 * 0.25), min(skip, 8.0)
    w = 1 / a if math.isinf(skip) else 1 / a + 1 / b
    yes = share + decoy * np.linspace(1 / a, w, 1_001)
    expected = people_to_show_share(float((yes * (1 + w - yes)).min()), 0.5)
    assert bound.least_people(1.0) == replace(bound, is_asked=False).least_people(9.0) == math.inf
    assert bound.least_people(9.0) == pytest.approx(expected - 1, rel=1e-6)


@pytest.mark.parametrize(
    ("whole", "units", "is_divided"),
    [((0, 1), [(0, 1), (2,), (3,)], False), ((1, 2), [(0,), (1,), (2,), (3,)], True)],
)
def test_questions_that_belong_together_are_divided_only_between_runs(
    whole: tuple[int, int], units: list[tuple[int, ...]], is_divided: bool
) -> None:
    search: Any = SimpleNamespace(kinds=range(4), _whole_runs=lambda: [(0, 1), (2, 3)])
    assert _Search._units(search, [Whole(questions=whole)]) == (units, is_divided)


def test_a_layout_has_no_more_questions_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_search, "_MOST_QUESTIONS", 4)
    laid = [
        best_layout(
            (AskedQuestion(),) * count,
            target=LayoutGoal(n=400, questions=(), shares=(0.5,) * count),
            protection=MEDIUM,
            skips=False,
        )
        for count in (4, 5)
    ]
    assert [layout is None for layout in laid] == [False, True]


@given(
    odds=st.fractions(min_value=Fraction(11, 10), max_value=1000, max_denominator=1000),
    share=st.fractions(min_value=Fraction(1, 60), max_value=1, max_denominator=60),
)
@example(odds=Fraction(4), share=Fraction(1, 9))
@example(odds=Fraction(4), share=Fraction(1))
def test_roots_multiply_to_nearly_the_odds_and_not_more(odds: Fraction, share: Fraction) -> None:
    root = _near_root(odds, share)
    assert root**share.denominator <= odds**share.numerator
    assert float(root) == pytest.approx(float(odds) ** float(share), rel=2e-6)
