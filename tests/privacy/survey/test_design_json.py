import copy
from dataclasses import replace
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.design_json import read_disguise
from privacy.survey.rotation import Rotation
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, DESIGNS, live, shielded, yes_no
from tests.vectors.scale_designs import KEEP, scale_block

DOCUMENT = DESIGNS["routed, choice"].to_json()


def _changed(path: tuple[Any, ...], value: Any) -> Any:
    document: Any = copy.deepcopy(DOCUMENT)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


def test_design_json_matches_the_documented_example() -> None:
    assert DESIGNS["one yes/no"].to_json() == {
        "mechanism": 1,
        "use": "live",
        "group": {"policy": "protected", "direct_share": None},
        "blocks": [
            {
                "key": "a",
                "protected": True,
                "truth_probability": 6000,
                "refusal": None,
                "asked_if": None,
                "questions": [{"key": "affair", "kind": "yes_no", "options": [], "unrelated": [5000]}],
            }
        ],
    }


@pytest.mark.parametrize("document", [None, [], "design", 1, {}, {"mechanism": 1}], ids=repr)
def test_malformed_designs_are_refused(document: object) -> None:
    with refused("malformed", repr(document)):
        Design.from_json(document)


@pytest.mark.parametrize(
    "path",
    [("extra",), ("group", "extra"), ("blocks", 1, "extra"), ("blocks", 1, "asked_if", "extra"),
     ("blocks", 1, "questions", 0, "extra")],
    ids=str,
)  # fmt: skip
def test_unknown_design_fields_are_refused(path: tuple[Any, ...]) -> None:
    with refused("malformed", "extra"):
        Design.from_json(_changed(path, 1))


def test_missing_fields_are_rejected() -> None:
    document = copy.deepcopy(DOCUMENT)
    del document["blocks"][1]["refusal"]
    with refused("malformed", "block"):
        Design.from_json(document)


PATHS: list[tuple[Any, ...]] = [
    *((key,) for key in DOCUMENT),
    *(("group", key) for key in DOCUMENT["group"]),
    *(("blocks", 1, key) for key in DOCUMENT["blocks"][1]),
    *(("blocks", 1, "asked_if", key) for key in DOCUMENT["blocks"][1]["asked_if"]),
    *(("blocks", 1, "questions", 0, key) for key in DOCUMENT["blocks"][1]["questions"][0]),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=str)
@pytest.mark.parametrize("value", [7.5, "x y", {"a": 1}, [None], [[]], [{}]], ids=repr)
def test_malformed_fields_raise_a_privacy_error(path: tuple[Any, ...], value: object) -> None:
    with pytest.raises(PrivacyError) as caught:
        Design.from_json(_changed(path, value))
    assert isinstance(caught.value, PrivacyError)


TERMS = [{"question": "married", "options": ["yes"]}, {"question": "age", "options": ["o0", "o1"]}]


@pytest.mark.parametrize("joined", ["all", "any"])
def test_joined_conditions_survive_a_json_round_trip(joined: str) -> None:
    document = _changed(("blocks", 1, "asked_if"), {joined: TERMS})
    assert Design.from_json(document).to_json() == document


@pytest.mark.parametrize(
    "condition",
    [{"all": []}, {"all": TERMS[:1]}, {"all": TERMS, "any": TERMS}, {"any": TERMS, "question": "married"},
     {"all": None}, {"any": {}}, {"all": [TERMS[0], {"any": TERMS}]}, {"all": [TERMS[0], None]},
     {"all": [TERMS[0], TERMS[0]]}],
    ids=repr,
)  # fmt: skip
def test_malformed_joined_conditions_are_rejected(condition: object) -> None:
    with pytest.raises(PrivacyError):
        Design.from_json(_changed(("blocks", 1, "asked_if"), condition))


def test_a_light_number_and_an_unknown_kind_are_read_by_kind() -> None:
    block = scale_block("n", KEEP)
    light = replace(KEEP, peak=2 * KEEP.peak)
    design = live(replace(block, light=light), group=CHOICE)
    assert Design.from_json(design.to_json()) == design
    assert read_disguise("number", light.to_json()) == light
    with refused("kind", "'text'"):
        read_disguise("text", light.to_json())
    two = live(replace(shielded("a", 6000, yes_no("affair", 5000)), light=8000), group=CHOICE)
    assert Design.from_json(two.to_json()) == two


def test_blanks_are_written_only_if_there_are_some() -> None:
    blocks = [shielded(key, 6000, yes_no(f"q-{key}", 5000)) for key in "bcd"]
    turns = Rotation(blocks=("b", "c", "d"), parts_per_person=2)
    plain, blank = (
        replace(live(*blocks), rotations=(each,), mechanism=0) for each in (turns, replace(turns, blanks=2))
    )
    assert "blanks" not in plain.to_json()["rotations"][0]
    document = blank.to_json()
    assert document["rotations"][0]["blanks"] == 2
    assert Design.from_json(document) == blank
    document["rotations"][0]["blanks"] = 0
    with refused("malformed", "blanks"):
        Design.from_json(document)
