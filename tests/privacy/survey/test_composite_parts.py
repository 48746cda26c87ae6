"""Gaps, levels and steps of composite questions, by hand."""

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.component import Component, When, Whens
from privacy.survey.composite_parts import (
    LARGEST_START,
    Gaps,
    Level,
    Step,
    Use,
    checked_levels,
    inner_steps,
    level_at,
    open_sources,
)
from tests.fixtures.refusals import refused


@pytest.mark.parametrize("fill", ["mean", "no_points"])
def test_gaps_are_filled_with_the_mean_rounded_half_up(fill: str) -> None:
    for asked, answered, points, at_most in itertools.product(range(6), range(6), range(-9, 10), range(4)):
        if answered > asked:
            continue
        found = Gaps(at_most=at_most, fill=fill).filled(points, asked=asked, answered=answered)
        if asked - answered > at_most or (asked and not answered):
            assert found is None
        elif fill == "no_points" or asked == answered:
            assert found == points
        else:
            assert found == math.floor(Fraction(points * asked, answered) + Fraction(1, 2))
    assert Gaps(at_most=1, fill=fill).fills_mean == (fill == "mean")


def levels(*starts: int | None) -> tuple[Level, ...]:
    return tuple(Level(start=start, option=f"o{at}") for at, start in enumerate(starts))


def test_the_level_is_the_last_one_that_has_begun() -> None:
    three = levels(None, -2, 5)
    assert [level_at(three, total).option for total in (-9, -3, -2, 0, 4, 5, 6)] == [
        "o0", "o0", "o1", "o1", "o1", "o2", "o2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("starts", "case", "value"),
    [
        ((), "computed.no_levels", "x"),
        ((1, 2), "computed.first_start", 1),
        ((None, 3, 3), "computed.same_start", 3),
        ((None, 3, 2), "computed.descending", 2),
        ((None, None), "computed.no_start", "o1"),
        ((None, LARGEST_START + 1), None, LARGEST_START + 1),
        ((None, -LARGEST_START - 1), None, -LARGEST_START - 1),
    ],
)
def test_levels_ascend_from_one_without_a_start(
    starts: tuple[int | None, ...], case: str | None, value: object
) -> None:
    with pytest.raises(PrivacyError) as refused:
        checked_levels(levels(*starts), "x")
    assert refused.value.value == value
    assert case is None or refused.value.case == case
    checked_levels(levels(None, -LARGEST_START, 0, LARGEST_START), "x")


def test_steps_inside_others_are_named() -> None:
    def step(key: str, *of: str) -> Step:
        return Step(key=key, of=of, levels=levels(None))

    assert inner_steps([step("s", "a"), step("t", "s", "b"), step("u", "t"), step("v", "a")]) == {"s", "t"}


def test_open_questions_are_those_of_points_and_conditions() -> None:
    def asked_if(*terms: When) -> Component:
        return Component(key="a", kind="yes_no", points=(0, 1), asked_if=Whens(terms=terms))

    components = [
        Component(key="b", kind="yes_no", points=(0, 1)),
        asked_if(When(component="b", options=("yes",))),
        asked_if(When(question="age", options=("old",))),
    ]
    uses = [Use(question="sex", points=(("man", 2), ("woman", 0)))]
    assert open_sources(components, uses) == (("sex", ("man", "woman")), ("age", ("old",)))


def test_a_step_gives_points_only_to_its_components() -> None:
    with pytest.raises(PrivacyError) as refused:
        Step(key="s", of=("a",), points=(("b", (0, 1)),), levels=levels(None))
    assert (refused.value.case, refused.value.value) == ("computed.step_points", "b")
    with pytest.raises(PrivacyError) as refused:
        Step(key="s", of=(), levels=levels(None))
    assert refused.value.case == "computed.step_empty"
    for points in ((("a", (0, 1)), ("a", (0, 2))), (("a", (0, 1000)),)):
        with pytest.raises(PrivacyError):
            Step(key="s", of=("a",), points=points, levels=levels(None))
    for at_most in (-1, 41, 1.5):
        with pytest.raises(PrivacyError) as refused:
            Gaps(at_most=at_most, fill="mean")  # type: ignore[arg-type]
        assert refused.value.value == at_most


def test_points_of_open_questions_are_checked() -> None:
    for points in ((("a", 1), ("a", 2)), (("not a key", 1),), (("a", 1000),)):
        with pytest.raises(PrivacyError):
            Use(question="sex", points=points)


@pytest.mark.parametrize(
    ("at_most", "fill", "named"),
    [(-1, "mean", "at_most of missing"), (1.5, "mean", 1.5), (1, "median", "median")],
)
def test_gaps_have_a_number_and_a_known_rule(at_most: float, fill: str, named: object) -> None:
    with refused("computed", named):
        Gaps(at_most=at_most, fill=fill)  # type: ignore[arg-type]


def test_uses_and_steps_name_valid_keys() -> None:
    with refused("bad_key", "a b"):
        Use(question="a b", points=(("yes", 1),))
    levels = (Level(option="no"), Level(option="yes", start=2, points=1))
    for key, of in (("a b", ("c",)), ("s", ("a b",))):
        with refused("bad_key", "a b"):
            Step(key=key, of=of, levels=levels)


@pytest.mark.parametrize("points", [1000, -1000, 0.5, True])
def test_points_of_a_step_are_whole_numbers_of_three_digits(points: object) -> None:
    levels = (Level(), Level(start=1, points=points))  # type: ignore[arg-type]
    with refused("computed", "points of step s"):
        Step(key="s", of=("a",), levels=levels)
    assert Step(key="s", of=("a",), levels=(Level(points=999), Level(start=1, points=-999))).key == "s"


@pytest.mark.parametrize(
    "changes",
    [{"of": ("q1", "q2", "q1")}, {"points": (("q1", (0, 1)), ("q1", (0, 2)))}],
    ids=["of", "points"],
)
def test_a_step_names_each_component_once(changes: dict[str, Any]) -> None:
    levels = (Level(points=0), Level(start=1, points=1))
    with refused("duplicate_key", "q1", "step s"):
        Step(**{"key": "s", "of": ("q1", "q2"), "levels": levels} | changes)
