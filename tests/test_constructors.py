"""Each constructor of the library refuses wrong types and empty input where it is called."""

from collections.abc import Callable
from typing import Any, Final

import pytest

import sottovoce
from privacy import PrivacyError

ITEMS: Final = {"a": (0, 1), "b": (0, 1)}
WRONG: Final[tuple[Any, ...]] = (
    None,
    3,
    2.5,
    True,
    "",
    b"ab",
    [],
    {},
    set(),
    [[]],
    [None],
    object(),
    float("nan"),
)
"""Values that can be neither an option, a list of options, points nor a probability."""
OPTIONS: Final = (*WRONG, {"x", "y"}, {"x": 1}, ["x", "x"], ["x", 3], ["x", ["y"]])
LEVELS: Final = (*WRONG, "abc", {"x", "y"}, ["x"], ["x", "x"], [["x"], ["y"]])
PROBABILITIES: Final = (*[value for value in WRONG if value is not True], "x", -0.1, 1.1)

CALLS: Final[dict[str, tuple[Callable[[Any], Any], tuple[Any, ...]]]] = {
    "one_of": (sottovoce.one_of, (*OPTIONS, "x", ["x"])),
    "any_of": (sottovoce.any_of, OPTIONS),
    "at_least, component": (lambda value: sottovoce.at_least(1, value), (*WRONG, ["x", "x"], ["x", 3])),
    "at_least, count": (lambda value: sottovoce.at_least(value, "a", "b"), (*WRONG[:2], *WRONG[2:], 0, 3)),
    "score, components": (
        lambda value: sottovoce.score(value, 1), (*WRONG, {"a": 3}, {"a": ()}, {"a": "01"})
    ),
    "score, levels": (lambda value: sottovoce.score(ITEMS, value), (*WRONG[:1], *WRONG[2:], {"x": None})),
    "number, low": (lambda value: sottovoce.number(low=value, high=9), (*WRONG[:1], *WRONG[3:], 9)),
    "number, bin": (lambda value: sottovoce.number(low=0, high=9, bin=value), (*WRONG[:1], *WRONG[3:], 0)),
    "number, epsilon": (
        lambda value: sottovoce.number(low=0, high=9, epsilon=value), (*WRONG[4:], "x", -1, 0)
    ),
    "truthful": (sottovoce.truthful, WRONG),
    "warner": (sottovoce.warner, PROBABILITIES),
    "crosswise": (sottovoce.crosswise, PROBABILITIES),
    "triangular": (sottovoce.triangular, PROBABILITIES),
    "mangat": (sottovoce.mangat, PROBABILITIES),
    "kuk": (lambda value: sottovoce.kuk(yes=value, no=0.2), PROBABILITIES),
    "forced_response": (lambda value: sottovoce.forced_response(yes=value, no=0.2), PROBABILITIES),
    "unrelated_question": (lambda value: sottovoce.unrelated_question(0.5, value), PROBABILITIES),
    "grouping": (lambda value: sottovoce.grouping(value, 0.5), PROBABILITIES),
    "grouping, block": (lambda value: sottovoce.grouping(0.5, 0.5, block=value), WRONG[1:4]),
    "generalised_rr": (lambda value: sottovoce.generalised_rr(value, 0.5), LEVELS),
    "forced_levels": (sottovoce.forced_levels, (*LEVELS, {"x": 0.1}, {"x": None, "y": 0.1})),
    "Survey": (
        lambda value: sottovoce.Survey(value, p=0.5, theta=0.5), (*WRONG, "x", ["x"], {"b": 3}, {"b": []})
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_wrong_and_empty_values_are_refused_at_the_call(name: str) -> None:
    call, values = CALLS[name]
    accepted = []
    for value in values:
        with pytest.raises(PrivacyError) as refused:
            accepted.append((value, call(value)))
        assert refused.value.remedy, value
    assert accepted == []


def test_calls_without_options_are_refused() -> None:
    for call in (sottovoce.one_of, sottovoce.any_of, lambda: sottovoce.at_least(1)):
        with pytest.raises(PrivacyError):
            call()


def test_refusals_name_the_value_and_the_remedy() -> None:
    said = {}
    for name, call in {
        "none": lambda: sottovoce.any_of(),
        "number": lambda: sottovoce.any_of(3),  # type: ignore[arg-type]
        "twice": lambda: sottovoce.any_of("a", "a"),
        "one": lambda: sottovoce.one_of("a"),
        "set": lambda: sottovoce.one_of({"a"}),
        "levels": lambda: sottovoce.generalised_rr(None, 0.5),  # type: ignore[arg-type]
        "level twice": lambda: sottovoce.generalised_rr(["a", "a"], 0.5),
        "forced": lambda: sottovoce.forced_levels(["a"]),  # type: ignore[arg-type]
    }.items():
        with pytest.raises(PrivacyError) as refused:
            call()
        said[name] = str(refused.value)
    assert said == {
        "none": "any_of has no options; state each as a text, such as 'work'",
        "number": "option 3 of any_of is not a text; write each option in quotes, such as '1' or 'work'",
        "twice": "option of any_of = 'a' occurs twice; give each its own key",
        "one": "one_of has only the option 'a'; add options until there are two or more, or make it a yes/no "
        "question",
        "set": "one_of was given {'a'}, whose order or texts are unclear; give the options one by one, "
        "or in a list",
        "levels": "None is not a list of levels; use a list such as ['never', 'once', 'often']",
        "level twice": "level 'a' occurs twice; give each level once",
        "forced": "['a'] does not give probabilities to levels; use a mapping such as {'never': 1/6, 'once': "
        "1/6, 'often': 1/6}",
    }
