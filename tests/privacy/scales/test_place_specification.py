from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.scales.area import Area
from privacy.scales.place_specification import MECHANISMS, cells_of, degrees_of, stated_place
from privacy.survey import Block, Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import live

EDGES = {"west": 118.70, "south": 32.00, "east": 118.72, "north": 32.02}
CLINIC = {"west": 118.702, "south": 32.002, "east": 118.706, "north": 32.006}
BESIDE = {"west": 118.706, "south": 32.004, "east": 118.709, "north": 32.008}
FAR = {"west": 118.713, "south": 32.013, "east": 118.717, "north": 32.017}
TOWN: dict[str, Any] = {
    "mechanism": "utility_square",
    "epsilon": 2,
    "cell": 100,
    "area": EDGES,
    "sensitive": [CLINIC, BESIDE, FAR],
}


def _question(document: dict[str, Any]) -> Question:
    found = stated_place(document)
    return Question(key="home", kind="place", options=found.options, unrelated=(), disguise=found.disguise)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_statement_becomes_a_question_of_a_live_design(mechanism: str) -> None:
    document = {**TOWN, "mechanism": mechanism}
    if mechanism in ("square", "grid"):
        del document["sensitive"]
    if mechanism == "levels":
        del document["epsilon"]
        document["sensitive"] = [{"epsilon": 1, "rectangles": [CLINIC]}, {"epsilon": 3, "rectangles": [FAR]}]
    block = Block(
        key="b",
        protected=True,
        truth_probability=0,
        refusal=None,
        asked_if=None,
        questions=(_question(document),),
    )
    assert live(block).mechanism == 2


def test_an_item_grows_to_the_whole_connected_place_that_it_touches() -> None:
    inside = {"west": 118.703, "south": 32.003, "east": 118.7045, "north": 32.0045}
    outside = {"west": 118.710, "south": 32.001, "east": 118.712, "north": 32.003}
    question = _question(
        {
            **TOWN,
            "items": [{"key": "clinic", "rectangles": [inside]}, {"key": "park", "rectangles": [outside]}],
        }
    )
    windows = question.disguise
    assert windows is not None
    assert windows.retention_probability is not None
    clinic = windows.item_values(0).sum()
    area: Area = windows.area  # type: ignore[union-attr]  # a place has one
    both = {*_cells(cells_of(area, CLINIC)), *_cells(cells_of(area, BESIDE))}
    assert clinic == len(both)
    assert list(question.item_keys) == ["home=clinic", "home=park"]


def _cells(box: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    return [(x, y) for x in range(box[0], box[0] + box[2]) for y in range(box[1], box[1] + box[3])]


AREA = Area(west=-50_000, south=-30_000, east=70_000, north=50_000, columns=12, rows=8)


@given(st.integers(0, 11), st.integers(0, 7), st.integers(1, 12), st.integers(1, 8))
def test_rectangles_of_whole_cells_come_back_as_they_were(x: int, y: int, width: int, height: int) -> None:
    box = (x, y, min(width, 12 - x), min(height, 8 - y))
    assert cells_of(AREA, degrees_of(AREA, box)) == box


def test_a_cell_that_is_touched_is_sensitive_and_what_leaves_the_area_is_cut_off() -> None:
    assert cells_of(AREA, {"west": -1, "south": 0.00001, "east": 0.0010001, "north": 0.0011}) == (0, 3, 7, 2)


@pytest.mark.parametrize(
    "rectangle",
    [
        {"west": 0.1, "south": 0, "east": 0.2, "north": 0.001},
        {"west": 0, "south": 0, "east": 0.0005, "north": 0.004},
        {"west": 0.002, "south": 0, "east": 0.001, "north": 0.004},
        {"west": float("nan"), "south": 0, "east": 0.001, "north": 0.004},
        {"west": 0, "south": 0, "east": 0.001},
        {"west": 0, "south": -91, "east": 0.001, "north": 0.004},
        None,
    ],
)
def test_a_rectangle_that_is_outside_too_small_or_none_is_refused(rectangle: Any) -> None:
    with refused("rectangle"):
        cells_of(AREA, rectangle)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"mechanism": "laplace"}, "mechanism"),
        ({"mechanism": "square"}, "malformed"),
        ({"sensitive": []}, "no_rectangle"),
        ({"sensitive": None}, "malformed"),
        ({"area": {**EDGES, "west": 179.9, "east": -179.9}}, "antimeridian"),
        ({"area": {**EDGES, "south": 79.9, "north": 80.1}}, "latitude"),
        ({"area": {**EDGES, "west": float("nan")}}, "area"),
        ({"area": [1, 2, 3, 4]}, "malformed"),
        ({"cell": 0}, "area"),
        ({"cell": 1}, "too_large"),
        ({"cell": 100_000}, "too_large"),
        ({"epsilon": None}, "epsilon"),
        ({"epsilon": float("inf")}, "epsilon"),
        ({"items": [{"key": "x", "rectangles": []}]}, "regions"),
        ({"items": [{"key": "x"}]}, "malformed"),
        ({"items": [{"key": "", "rectangles": [FAR]}]}, "bad_key"),
        ({"items": [{"key": key, "rectangles": [FAR]} for key in "xy"]}, "regions"),
        ({"more": 1}, "malformed"),
        ({"mechanism": "levels", "sensitive": [CLINIC]}, "malformed"),
    ],
)  # fmt: skip
def test_a_statement_that_makes_no_question_is_refused(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        stated_place({**TOWN, **changes})
