"""Sensitive rectangles: whatever is wrong with one is said of that one, with what to do."""

from __future__ import annotations

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_read
from tests.fixtures.everyday import everyday_definition

GOOD = {"west": 118.72, "south": 32.02, "east": 118.738, "north": 32.036}


def problems_of(**stated: Any) -> list[tuple[str, str, str]]:
    document = everyday_definition()
    question = document["blocks"][5]["questions"][0]
    question["place"].update(stated)
    question.pop("options", None)
    if stated.get("mechanism") == "levels":
        del question["place"]["epsilon"]
    start = "blocks[5].questions[0].place."
    found = definition_read(document).problems
    return [(problem.path.removeprefix(start), problem.message, problem.remedy) for problem in found]


@pytest.mark.parametrize(
    ("given", "message", "remedy"),
    [
        (GOOD | {"west": 120, "east": 121}, "rectangle 2 lies outside the map", "move it onto the map"),
        (
            GOOD | {"west": 118.74},
            "the edges of rectangle 2 are in the wrong order",
            "make west smaller than east",
        ),
        (
            GOOD | {"east": 118.7201},
            "rectangle 2 is smaller than a cell of 201 × 202 metres",
            "make it larger",
        ),
        (GOOD | {"north": "x"}, 'the edge north of rectangle 2 is "x"', "give a number of degrees from −90"),
        (GOOD | {"west": float("nan")}, "the edge west of rectangle 2 is NaN", "from −180 to 180"),
        (GOOD | {"east": 200}, "the edge east of rectangle 2 is 200", "from −180 to 180"),
        (GOOD | {"east": 10**400}, "the edge east of rectangle 2 is 1000000000", "from −180 to 180"),
        ({"west": 1}, 'rectangle 2 is {"west": 1}', "give west, south, east and north in degrees"),
        ({"type": "Polygon"}, 'rectangle 2 is {"type": "Polygon"}', "give west, south, east and north"),
    ],
)
def test_a_rectangle_that_cannot_be_is_named(given: Any, message: str, remedy: str) -> None:
    ((path, said, told),) = problems_of(sensitive=[GOOD, given])
    assert path == "sensitive[1]"
    assert said.startswith(message)
    assert remedy in told


@pytest.mark.parametrize("mechanism", ["utility_square", "levels"])
def test_areas_that_are_no_list_are_refused(mechanism: str) -> None:
    ((path, said, _told),) = problems_of(sensitive=5, mechanism=mechanism)
    assert (path, said) == ("sensitive", "not a list of areas: 5")


@pytest.mark.parametrize("member", ["cell", "epsilon", "outline"])
def test_a_number_that_no_float_holds_is_refused_where_it_stands(member: str) -> None:
    ring = [[118, 32], [10**400, 32], [119, 33], [118, 32]]
    given: Any = {"type": "Polygon", "coordinates": [ring]} if member == "outline" else 10**400
    assert member in {path for path, _said, _told in problems_of(**{member: given})}


def test_a_rectangle_of_a_level_is_named_by_both_numbers() -> None:
    levels = [
        {"epsilon": 1, "rectangles": [GOOD]},
        {"epsilon": 2, "rectangles": [GOOD | {"west": 1, "east": 2}]},
    ]
    ((path, message, _remedy),) = problems_of(mechanism="levels", sensitive=levels)
    assert path == "sensitive[1].rectangles[0]"
    assert message == "rectangle 1 of level 2 lies outside the map"


def test_a_map_without_edges_and_an_epsilon_that_is_missing_are_said() -> None:
    assert problems_of(area=[1, 2, 3, 4]) == [
        ("area", "[1, 2, 3, 4] has no edges", "give west, south, east and north in degrees")
    ]
    for cell in (0, -3, "x", True, float("nan")):
        ((path, _message, remedy),) = problems_of(cell=cell)
        assert (path, remedy) == ("cell", "give a number of metres above 0")
    assert problems_of(epsilon=None) == [("epsilon", "it is missing", "state it")]
    # All mistakes are said at once.
    found = problems_of(epsilon=30, sensitive=[GOOD | {"west": 120, "east": 121}])
    assert [path for path, _, _ in found] == ["epsilon", "sensitive[0]"]
    levels = [
        {"epsilon": 30, "rectangles": [GOOD]},
        {"rectangles": [GOOD | {"west": 118.74, "east": 118.76}]},
    ]
    found = problems_of(mechanism="levels", sensitive=levels)
    assert [path for path, _, _ in found] == ["sensitive[0].epsilon", "sensitive[1].epsilon"]
