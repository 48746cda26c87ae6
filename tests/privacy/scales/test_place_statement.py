from typing import Any

import pytest

from privacy.scales.area import Area
from privacy.scales.place_statement import MECHANISMS, stated_place
from privacy.scales.planar_degrees import cells_of
from privacy.scales.planar_resolution import reveals_nothing
from privacy.survey.design import Block, Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import live

EDGES = {"west": 118.70, "south": 32.00, "east": 118.72, "north": 32.02}


CLINIC = {"west": 118.702, "south": 32.002, "east": 118.706, "north": 32.006}


BESIDE = {"west": 118.706, "south": 32.004, "east": 118.709, "north": 32.008}


FAR = {"west": 118.713, "south": 32.013, "east": 118.717, "north": 32.017}


PLACE_SPECIFICATION_TOWN: dict[str, Any] = {
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
def test_place_specifications_become_questions_of_a_live_design(mechanism: str) -> None:
    document = {**PLACE_SPECIFICATION_TOWN, "mechanism": mechanism}
    if mechanism in ("square", "grid"):
        del document["sensitive"]
    if mechanism == "levels":
        del document["epsilon"]
        document["sensitive"] = [{"epsilon": 1, "rectangles": [CLINIC]}, {"epsilon": 3, "rectangles": [FAR]}]
    block = Block(key="b", protected=True, truth_probability=0, questions=(_question(document),))
    assert live(block).mechanism == 2


def test_an_item_expands_to_each_connected_place_it_touches() -> None:
    inside = {"west": 118.703, "south": 32.003, "east": 118.7045, "north": 32.0045}
    outside = {"west": 118.710, "south": 32.001, "east": 118.712, "north": 32.003}
    question = _question(
        {
            **PLACE_SPECIFICATION_TOWN,
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
def test_outside_tiny_or_malformed_rectangles_are_rejected(rectangle: Any) -> None:
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
def test_invalid_place_specifications_are_rejected(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        stated_place({**PLACE_SPECIFICATION_TOWN, **changes})


@pytest.mark.parametrize("mechanism", ["square", "grid"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0])
def test_place_statements_never_produce_uninformative_disguises(mechanism: str, epsilon: float) -> None:
    statement = {
        "mechanism": mechanism,
        "epsilon": epsilon,
        "cell": 200,
        "area": {"west": 0, "south": 0, "east": 0.009, "north": 0.0045},
    }
    assert not reveals_nothing(stated_place(statement).disguise)
