"""Questions of each kind in a definition: accepted contents, and every refusal with its path and remedy."""

import copy
import json
from typing import Any

import pytest
from django.utils.translation import override

from privacy.risk.budget import block_budget
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design, default_refusal
from surveys.authoring.changes import version_changes
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.map_areas import MOST_POINTS
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition

HOURS, PAY, CARE = 3, 4, 5
RECTANGLE = {"west": 118.72, "south": 32.02, "east": 118.738, "north": 32.036}


def changed(block: int, path: str, value: Any) -> dict[str, Any]:
    """Return the example with a member of a block's question changed; "." nests, "^" is the block itself."""
    document = everyday_definition()
    place: Any = document["blocks"][block]
    if not path.startswith("^"):
        place = place["questions"][0]
    *way, last = path.removeprefix("^").split(".")
    for step in way:
        place = place[int(step)] if step.isdigit() else place[step]
    if value is None:
        place.pop(last, None)
    else:
        place[last] = value
    return document


def test_the_example_asks_every_kind_of_question_and_can_be_published() -> None:
    design = definition_parse(everyday_definition()).design
    kinds = {question.kind for question in design.questions}
    assert kinds == {"yes_no", "single", "number", "place"}
    assert [item.key for item in design.items][-4:] == [
        "hours=under-30",
        "hours=50-up",
        "care=river",
        "care=hill",
    ]
    hours, care = design.questions[-3].disguise, design.questions[-1].disguise
    assert isinstance(hours, WindowChannel)
    assert isinstance(care, PlanarWindowChannel)
    assert hours.spans == ((0, 2), (5, 7))
    assert care.exact_outside


@pytest.mark.parametrize(
    ("block", "path", "value", "where"),
    [
        (HOURS, "number.low", "nan", "number.low"),
        (HOURS, "number.high", 60.5, "number.high"),
        (HOURS, "number.low", 90, "number.high"),
        (HOURS, "number.bin", 7, "number.bin"),
        (HOURS, "number.bin", 81, "number.bin"),
        (HOURS, "number.decimals", 9, "number.decimals"),
        (HOURS, "number.epsilon", 21, "number.epsilon"),
        (HOURS, "number.mechanism", "none", "number.mechanism"),
        (HOURS, "number.mechanism", "hybrid", "options"),
        (HOURS, "number.epsilon", None, "number.epsilon"),
        (HOURS, "number.tiles", 1, "number.tiles"),
        (HOURS, "options.0.to", 25, "options"),
        (HOURS, "options.0.to", 24.5, "options"),
        (HOURS, "options.1.from", 20, "options"),
        (HOURS, "options.1.key", "under-30", "options"),
        (HOURS, "key", "a b", "key"),
        (HOURS, "unrelated", [5000], "unrelated"),
        (CARE, "place.area", {"west": 179, "south": 1, "east": -179, "north": 2}, "place.area"),
        (CARE, "place.area", {"west": 1, "south": 79, "east": 2, "north": 81}, "place.area"),
        (CARE, "place.cell", 0.01, "place.cell"),
        (CARE, "place.epsilon", 0, "place.epsilon"),
        (CARE, "place.epsilon", float("nan"), "place.epsilon"),
        (CARE, "place.sensitive", [], "place.sensitive"),
        (CARE, "place.sensitive", [{**RECTANGLE, "west": 1, "east": 2}], "place.sensitive[0]"),
        (CARE, "place.sensitive", [{**RECTANGLE, "east": 118.7201}], "place.sensitive[0]"),
        (CARE, "options.1.rectangles", [RECTANGLE], "options"),
        (CARE, "place.outline", {"type": "Point", "coordinates": [118.7, 32]}, "place.outline"),
        (
            CARE,
            "place.outline",
            {"type": "Polygon", "coordinates": [[[118.7, 32]] * (MOST_POINTS + 1)]},
            "place.outline",
        ),
    ],
)
def test_invalid_values_are_refused_with_place_and_remedy(
    block: int, path: str, value: Any, where: str
) -> None:
    problems = definition_read(changed(block, path, value)).problems
    found = [problem.path for problem in problems]
    assert found == [f"blocks[{block}].questions[0].{where}"], [str(problem) for problem in problems]
    assert problems[0].message
    assert problems[0].remedy


def test_levels_with_a_shared_cell_are_refused() -> None:
    document = changed(CARE, "place.mechanism", "levels")
    place = document["blocks"][CARE]["questions"][0]["place"]
    del place["epsilon"], document["blocks"][CARE]["questions"][0]["options"]
    place["sensitive"] = [
        {"epsilon": 1, "rectangles": [RECTANGLE]},
        {"epsilon": 2, "rectangles": [RECTANGLE]},
    ]
    (problem,) = definition_read(document).problems
    assert problem.path == f"blocks[{CARE}].questions[0].place.sensitive"


def test_an_outline_alone_defines_the_area() -> None:
    document = changed(CARE, "place.area", None)
    place = definition_parse(document).design.questions[-1].disguise
    assert isinstance(place, PlanarWindowChannel)
    assert (place.area.west, place.area.north) == (1_187_000_000, 320_800_000)
    (problem,) = definition_read(
        {**document, "blocks": [{**document["blocks"][CARE], "questions": [without_outline(document)]}]}
    ).problems
    assert problem.path.endswith("place.area")


def without_outline(document: dict[str, Any]) -> dict[str, Any]:
    question = copy.deepcopy(document["blocks"][CARE]["questions"][0])
    del question["place"]["outline"]
    return dict(question)


@pytest.mark.parametrize("block", [HOURS, PAY, CARE])
def test_skips_default_to_the_least_safe_probability(block: int) -> None:
    plain = definition_parse(changed(block, "^refusal", None)).design.blocks[block]
    least = default_refusal(plain)
    for stated, kept in ((True, least), (least + 50, least + 50), (False, None), (0, None)):
        design = definition_parse(changed(block, "^refusal", stated)).design
        assert design.blocks[block].refusal == kept
        assert block_budget(design.blocks[block]) == block_budget(plain)
        assert Design.from_json(json.loads(json.dumps(design.to_json()))) == design


@pytest.mark.parametrize(
    ("value", "said"), [(1, "skip probability 1 is below"), (10_000, "10000"), ("yes", "yes"), ([1], "[1]")]
)
def test_too_low_skip_probabilities_are_refused_with_the_minimum(value: Any, said: str) -> None:
    (problem,) = definition_read(changed(PAY, "^refusal", value)).problems
    assert problem.path == f"blocks[{PAY}].refusal"
    assert said in problem.message
    with override("zh-hans"):
        (problem,) = definition_read(changed(PAY, "^refusal", value)).problems
    assert problem.path == f"blocks[{PAY}].refusal"


def test_coin_blocks_reject_true_as_a_skip_probability() -> None:
    (problem,) = definition_read(changed(1, "^refusal", True)).problems
    assert problem.path == "blocks[1].refusal"


def test_a_place_in_an_open_part_is_refused() -> None:
    document = changed(CARE, "^protected", False)
    document["blocks"][CARE].pop("refusal", None)
    (problem,) = definition_read(document).problems
    assert problem.path == f"blocks[{CARE}].protected"
    assert problem.remedy


def test_changes_between_versions_are_described_in_words() -> None:
    before = definition_parse(everyday_definition())
    after = definition_parse(changed(CARE, "place.epsilon", 1))
    with override("en"):
        texts = [change.text for change in version_changes(before.design.to_json(), before.wording, after)]
    assert texts == ["places, care, ε: 2.000 becomes 1.000"]


def test_missing_map_edges_and_texts_are_reported_together() -> None:
    document = changed(CARE, "text", {})
    place = document["blocks"][CARE]["questions"][0]["place"]
    outline = place.pop("outline")
    here = f"blocks[{CARE}].questions[0]"
    for area, missing in (({}, ["place.area"]), ({"west": 118.7, "east": 118.8}, ["south", "north"])):
        place["area"] = area
        paths = [problem.path for problem in definition_read(document).problems]
        assert any(path.startswith(f"{here}.text") for path in paths)
        assert [path for path in paths if ".area" in path] == [
            f"{here}.{name}" if "." in name else f"{here}.place.area.{name}" for name in missing
        ]
    # The outline determines the edges of an empty map.
    place |= {"area": {}, "outline": outline}
    assert all(".area" not in problem.path for problem in definition_read(document).problems)


def test_the_shipped_map_has_streets_and_stays_small() -> None:
    definition = definition_parse(shipped_definition("everyday"))
    (outline,) = [
        question["outline"]
        for block in definition.wording["blocks"]
        for question in block["questions"]
        if "outline" in question
    ]
    streets = [ring for ring in outline if len({*map(tuple, ring)}) < len(ring)]
    assert len(streets) >= 4
    assert sum(map(len, outline)) <= 60


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
        (GOOD | {"west": 120, "east": 121}, "lies outside the area", "move it into the area"),
        (GOOD | {"west": 118.74}, "has its edges in the wrong order", "make west smaller than east"),
        (GOOD | {"east": 118.7201}, "is smaller than a cell", "make it larger"),
        (GOOD | {"north": "x"}, "'x' is not a number", "use a number in [-90, 90]"),
        (GOOD | {"west": float("nan")}, "nan", "use a number in [-180, 180]"),
        (GOOD | {"east": 200}, "is outside [-180, 180]", "use a number in [-180, 180]"),
        (GOOD | {"east": 10**400}, "a number of this size", "use a number in [-180, 180]"),
        ({"west": 1}, "has the wrong edges", "use west, south, east and north"),
        ({"type": "Polygon"}, "has the wrong edges", "use west, south, east and north"),
    ],
)
def test_an_invalid_rectangle_is_named(given: Any, message: str, remedy: str) -> None:
    ((path, said, told),) = problems_of(sensitive=[GOOD, given])
    assert path == "sensitive[1]"
    assert said.startswith("rectangle 2: ")
    assert message in said
    assert remedy in told


@pytest.mark.parametrize("mechanism", ["utility_square", "levels"])
def test_sensitive_areas_must_be_a_list(mechanism: str) -> None:
    ((path, said, _told),) = problems_of(sensitive=5, mechanism=mechanism)
    assert (path, said) == ("sensitive", "not a list of areas: 5")


@pytest.mark.parametrize("member", ["cell", "epsilon", "outline"])
def test_numbers_too_large_for_a_float_are_refused(member: str) -> None:
    ring = [[118, 32], [10**400, 32], [119, 33], [118, 32]]
    given: Any = {"type": "Polygon", "coordinates": [ring]} if member == "outline" else 10**400
    assert member in {path for path, _said, _told in problems_of(**{member: given})}


def test_a_rectangle_inside_a_level_is_named_by_both_numbers() -> None:
    levels = [
        {"epsilon": 1, "rectangles": [GOOD]},
        {"epsilon": 2, "rectangles": [GOOD | {"west": 1, "east": 2}]},
    ]
    ((path, message, _remedy),) = problems_of(mechanism="levels", sensitive=levels)
    assert path == "sensitive[1].rectangles[0]"
    assert message.startswith("rectangle 1 of level 2: ")


def test_missing_map_edges_and_epsilon_are_reported() -> None:
    assert problems_of(area=[1, 2, 3, 4]) == [
        ("area", "[1, 2, 3, 4] has no edges", "give west, south, east and north in degrees")
    ]
    for cell in (0, -3, "x", True, float("nan")):
        ((path, _message, remedy),) = problems_of(cell=cell)
        assert (path, remedy) == ("cell", "give a number of metres above 0")
    assert problems_of(epsilon=None) == [("epsilon", "it is missing", "state it")]
    # All mistakes are reported together.
    found = problems_of(epsilon=30, sensitive=[GOOD | {"west": 120, "east": 121}])
    assert [path for path, _, _ in found] == ["epsilon", "sensitive[0]"]
    levels = [
        {"epsilon": 30, "rectangles": [GOOD]},
        {"rectangles": [GOOD | {"west": 118.74, "east": 118.76}]},
    ]
    found = problems_of(mechanism="levels", sensitive=levels)
    assert [path for path, _, _ in found] == ["sensitive[0].epsilon", "sensitive[1].epsilon"]
