"""Components: their answers, points and refusals, by hand."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.component import (
    LARGEST_NUMBER,
    MOST_OPTIONS,
    MOST_POINTS,
    Band,
    Component,
    When,
    Whens,
    checked_points,
)
from tests.fixtures.refusals import refused

YES_NO = Component(key="lied", kind="yes_no", points=(0, 3))
SINGLE = Component(key="often", kind="single", options=("never", "monthly", "daily"), points=(-1, 2, 5))
SEVERAL = Component(key="drugs", kind="several", options=("a", "b", "c"), points=(4, -2, 1))
BANDS = (Band(low=0, high=4), Band(low=10, high=10), Band(low=11, high=20))
NUMBER = Component(key="drinks", kind="number", low=0, high=30, bands=BANDS, points=(1, -3, 7))
ON_LIED = Whens(terms=(When(component="lied", options=("yes",)),))
ON_SEX = Whens(terms=(When(question="sex", options=("female",)),))


@pytest.mark.parametrize("component", [YES_NO, SINGLE, SEVERAL, NUMBER], ids=lambda one: one.kind)
def test_a_component_has_the_class_of_its_kind(component: Component) -> None:
    assert type(component).__name__.lower() == f"{component.kind.replace('_', '')}component"


@pytest.mark.parametrize(
    ("component", "points"),
    [
        (YES_NO, {0: 0, 1: 3, None: 0}),
        (SINGLE, {0: -1, 1: 2, 2: 5, None: 0}),
        (SEVERAL, {(0, 0, 0): 0, (1, 0, 0): 4, (0, 1, 0): -2, (1, 1, 1): 3, None: 0}),
        (NUMBER, {0: 1, 4: 1, 5: 0, 9: 0, 10: -3, 11: 7, 20: 7, 21: 0, 30: 0, None: 0}),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_answers_have_the_points_of_their_option_ticks_or_band(
    component: Component, points: dict[Any, int]
) -> None:
    assert {answer: component.points_of(answer) for answer in points} == points


@pytest.mark.parametrize(
    ("component", "other", "answer", "points"),
    [
        (YES_NO, (9, 8), 0, 9),
        (SINGLE, (7, 8, 9), 2, 9),
        (SEVERAL, (10, 20, 40), (1, 0, 1), 50),
        (NUMBER, (10, 20, 40), 10, 20),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_other_points_replace_the_stated_ones(
    component: Component, other: tuple[int, ...], answer: Any, points: int
) -> None:
    assert component.points_of(answer, other) == points


def test_the_listed_answers_of_a_number_begin_each_band_and_each_gap() -> None:
    assert list(NUMBER.values()) == [0, 5, 10, 11, 21]
    ends = (Band(low=2, high=3), Band(low=5, high=9))
    assert list(Component(key="n", kind="number", low=0, high=9, bands=ends).values()) == [0, 2, 4, 5]
    assert list(Component(key="n", kind="number", low=4, high=9).values()) == [4]
    last = (Band(low=4, high=8),)
    assert list(Component(key="n", kind="number", low=4, high=9, bands=last).values()) == [4, 9]


@pytest.mark.parametrize("component", [YES_NO, SINGLE, SEVERAL, NUMBER], ids=lambda one: one.kind)
def test_listed_answers_have_all_points_that_an_answer_can_have(component: Component) -> None:
    everything: dict[str, Any] = {
        "yes_no": range(2),
        "single": range(3),
        "several": itertools.product((0, 1), repeat=3),
        "number": range(31),
    }
    possible = {component.points_of(answer) for answer in everything[component.kind]}
    assert {component.points_of(answer) for answer in component.values()} == possible
    assert component.range_of_points == (min({0} | possible), max({0} | possible))


def test_the_range_of_points_includes_a_gap() -> None:
    assert Component(key="a", kind="yes_no", points=(2, 3)).range_of_points == (0, 3)
    assert Component(key="a", kind="yes_no", points=(-2, -3)).range_of_points == (-3, 0)
    above = Component(key="a", kind="number", low=0, high=4, bands=(Band(low=0, high=4),), points=(2,))
    assert above.range_of_points == (0, 2)
    assert Component(key="a", kind="number", low=0, high=4).range_of_points == (0, 0)
    assert Component(key="a", kind="several", options=("b",), points=(-2,)).range_of_points == (-2, 0)


@pytest.mark.parametrize("kind", ["number_of", "", None, ["single"]])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    with refused("computed", "kind of component a"):
        Component(key="a", kind=kind)


def test_without_points_every_answer_counts_nothing() -> None:
    bare = Component(key="a", kind="single", options=("b", "c"))
    assert (bare.points, bare.has_points, SINGLE.has_points) == ((0, 0), False, True)


@pytest.mark.parametrize(
    ("component", "good", "bad"),
    [
        (YES_NO, [0, 1], [-1, 2, "1", 0.0, True]),
        (SINGLE, [0, 2], [-1, 3, (0,)]),
        (SEVERAL, [(0, 0, 0), [1, 1, 1]], [(0, 0), (0, 0, 2), (0, 0, -1), 1, "000"]),
        (NUMBER, [0, 30], [-1, 31, 1.5]),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_only_possible_answers_and_gaps_are_read(
    component: Component, good: list[Any], bad: list[Any]
) -> None:
    assert component.read(None) is None
    for answer in good:
        assert component.read(answer) == (tuple(answer) if isinstance(answer, list) else answer)
    for answer in bad:
        with pytest.raises(PrivacyError) as error:
            component.read(answer)
        assert error.value.code == "answer"


def test_only_a_named_answer_meets_a_condition() -> None:
    assert [YES_NO.meets(answer, ("yes",)) for answer in (0, 1, None)] == [False, True, False]
    assert [SINGLE.meets(answer, ("never", "daily")) for answer in (0, 1, 2)] == [True, False, True]


def test_a_follower_depends_on_a_component_not_on_an_open_question() -> None:
    assert Component(key="a", kind="yes_no", asked_if=ON_LIED).is_follower
    assert not Component(key="a", kind="yes_no", asked_if=ON_SEX).is_follower
    assert not YES_NO.is_follower
    both = Whens(joined="any", terms=(*ON_SEX.terms, *ON_LIED.terms))
    assert Component(key="a", kind="yes_no", asked_if=both).is_follower


def test_a_single_condition_has_one_form() -> None:
    assert Whens(terms=list(ON_LIED.terms)) == ON_LIED  # type: ignore[arg-type]
    assert Whens(joined="any", terms=ON_LIED.terms) == ON_LIED
    assert Whens(joined="any", terms=(*ON_SEX.terms, *ON_LIED.terms)).joined == "any"


@pytest.mark.parametrize(
    ("component", "stated"),
    [
        (YES_NO, {"points": [0, 3]}),
        (
            SINGLE,
            {
                "options": [
                    {"key": "never", "points": -1},
                    {"key": "monthly", "points": 2},
                    {"key": "daily", "points": 5},
                ]
            },
        ),
        (
            NUMBER,
            {
                "number": {"low": 0, "high": 30},
                "bands": [
                    {"from": 0, "to": 4, "points": 1},
                    {"from": 10, "to": 10, "points": -3},
                    {"from": 11, "to": 20, "points": 7},
                ],
            },
        ),
        (Component(key="n", kind="number", low=1, high=2), {"number": {"low": 1, "high": 2}}),
    ],
    ids=["yes_no", "single", "number", "number without bands"],
)
def test_answers_and_points_in_json(component: Component, stated: dict[str, Any]) -> None:
    assert component.stated() == stated
    assert next(iter(stated)) == component.members[0]


def options(number: int) -> tuple[str, ...]:
    return tuple(f"o{position}" for position in range(number))


ALLOWED: dict[str, Callable[[], Component]] = {
    "the most options": lambda: Component(key="a", kind="single", options=options(MOST_OPTIONS)),
    "one box": lambda: Component(key="a", kind="several", options=("b",)),
    "the most points": lambda: Component(key="a", kind="yes_no", points=(-MOST_POINTS, MOST_POINTS)),
    "the widest number": lambda: Component(key="a", kind="number", low=-LARGEST_NUMBER, high=LARGEST_NUMBER),
    "bands side by side": lambda: Component(
        key="a", kind="number", low=0, high=3, bands=(Band(low=0, high=1), Band(low=2, high=3))
    ),
    "an instruction": lambda: Component(key="a", kind="single", options=("b", "c"), instructed="c"),
    "a shared filter": lambda: Component(key="a", kind="yes_no", shared=True),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_the_ends_of_every_limit_are_allowed(name: str) -> None:
    assert ALLOWED[name]().key == "a"


REFUSED: dict[str, tuple[str, Callable[[], object]]] = {
    "unknown kind": ("computed", lambda: Component(key="a", kind="text")),  # type: ignore[arg-type]
    "options of yes and no": (
        "computed.options",
        lambda: Component(key="a", kind="yes_no", options=("b", "c")),
    ),
    "options of a number": (
        "computed.options",
        lambda: Component(key="a", kind="number", low=0, high=1, options=("b",)),
    ),
    "one option": ("too_few_options", lambda: Component(key="a", kind="single", options=("b",))),
    "no box": ("too_few_options", lambda: Component(key="a", kind="several")),
    "too many options": (
        "too_large.options",
        lambda: Component(key="a", kind="several", options=options(MOST_OPTIONS + 1)),
    ),
    "an option twice": (
        "duplicate_key",
        lambda: Component(key="a", kind="single", options=("b", "b")),
    ),
    "a range without a number": ("computed.range", lambda: Component(key="a", kind="yes_no", low=0)),
    "bands without a number": (
        "computed.range",
        lambda: Component(key="a", kind="yes_no", bands=(Band(low=0, high=1),)),
    ),
    "points of too few answers": ("computed.points", lambda: Component(key="a", kind="yes_no", points=(1,))),
    "too many points": (
        "computed",
        lambda: Component(key="a", kind="yes_no", points=(0, MOST_POINTS + 1)),
    ),
    "a range of one number": ("computed", lambda: Component(key="a", kind="number", low=3, high=3)),
    "a number too large": (
        "computed",
        lambda: Component(key="a", kind="number", low=0, high=LARGEST_NUMBER + 1),
    ),
    "a band upside down": (
        "computed.band",
        lambda: Component(key="a", kind="number", low=0, high=9, bands=(Band(low=3, high=2),)),
    ),
    "bands that overlap": (
        "computed.bands",
        lambda: Component(
            key="a", kind="number", low=0, high=9, bands=(Band(low=0, high=3), Band(low=3, high=4))
        ),
    ),
    "a band outside": (
        "computed",
        lambda: Component(key="a", kind="number", low=0, high=9, bands=(Band(low=8, high=10),)),
    ),
    "a band that is a pair": (
        "malformed",
        lambda: Component(key="a", kind="number", low=0, high=9, bands=((0, 3),)),  # type: ignore[arg-type]
    ),
    "an instruction for boxes": (
        "computed.instructed_kind",
        lambda: Component(key="a", kind="several", options=("b", "c"), instructed="b"),
    ),
    "an unknown instruction": (
        "computed",
        lambda: Component(key="a", kind="yes_no", instructed="maybe"),
    ),
    "an instruction with points": (
        "computed.instructed_points",
        lambda: Component(key="a", kind="yes_no", points=(0, 1), instructed="no"),
    ),
    "a shared number": (
        "computed.shared_kind",
        lambda: Component(key="a", kind="number", low=0, high=1, shared=True),
    ),
    "a shared instruction": (
        "computed.shared_kind",
        lambda: Component(key="a", kind="yes_no", instructed="no", shared=True),
    ),
    "a condition on nothing": ("computed.when", lambda: When(options=("yes",))),
    "a condition on two": ("computed.when", lambda: When(component="a", question="b", options=("yes",))),
    "a condition without answers": ("computed.when_empty", lambda: When(question="a", options=())),
    "an answer of a condition twice": (
        "duplicate_key",
        lambda: When(component="a", options=("yes", "yes")),
    ),
    "no conditions": ("computed.when", lambda: Whens(terms=())),
    "two conditions on one component": (
        "duplicate_key",
        lambda: Whens(terms=(ON_LIED.terms[0], When(component="lied", options=("no",)))),
    ),
    "another joint": ("asked_if", lambda: Whens(joined="none", terms=ON_LIED.terms)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_by_name(name: str) -> None:
    case, make = REFUSED[name]
    with pytest.raises(PrivacyError) as error:
        make()
    assert case in (error.value.case, error.value.code)


@pytest.mark.parametrize("points", [(-MOST_POINTS - 1,), (0.5,), (True,)])
def test_points_are_whole_numbers_up_to_999(points: tuple[Any, ...]) -> None:
    assert checked_points([MOST_POINTS, -MOST_POINTS], "points") == (999, -999)
    with pytest.raises(PrivacyError) as error:
        checked_points(points, "points")
    assert error.value.code == "computed"


def test_components_and_their_conditions_name_valid_keys() -> None:
    for refuse in (
        lambda: Component(key="a b", kind="yes_no"),
        lambda: When(question="a b", options=("yes",)),
        lambda: When(component="a b", options=("yes",)),
    ):
        with refused("bad_key", "a b"):
            refuse()


def test_a_list_of_bands_becomes_a_tuple() -> None:
    """Designs are compared and used as keys of caches, so their values must be hashable."""
    listed = replace(NUMBER, bands=list(BANDS))  # type: ignore[arg-type]
    assert listed == NUMBER
    assert hash(listed) == hash(NUMBER)


def test_a_list_of_options_is_stored_as_a_tuple() -> None:
    """Components with equal options are equal, and can be keys."""
    listed = Component(key="a", kind="single", options=["x", "y"])  # type: ignore[arg-type]
    assert {listed: 1}[Component(key="a", kind="single", options=("x", "y"))] == 1
