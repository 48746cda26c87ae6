"""The design of a definition is the one that a server makes of it, for every file that is shipped."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from mining.frames.definition import defined_design
from mining.frames.survey import Survey
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.ready_parts import ready_parts
from tests.cast.refusals import refused

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = [
    *(ROOT / "surveys" / "definitions").rglob("*.json"),
    *(ROOT / "tests/cast/definitions").glob("*.json"),
]


def document(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_definition_is_the_design_of_the_server(path: Path) -> None:
    wanted = definition_without_texts(document(path))
    assert wanted is not None
    kinds = {question["kind"] for block in document(path)["blocks"] for question in block["questions"]}
    # What only a server makes.
    if "place" in kinds:
        with refused("definition"):
            Survey.of(document(path))
    else:
        assert Survey.of(document(path)).design.design_id == wanted.design.design_id


def test_some_shipped_definitions_are_read_and_what_is_no_definition_is_named() -> None:
    marriage = document(ROOT / "surveys" / "definitions" / "marriage.json")
    assert len(defined_design(marriage).items) > 5
    number = {"mechanism": "keep", "epsilon": 2, "low": 0, "high": 79, "bin": 10, "unit": {"en": "h"}}
    pay = {
        "key": "pay", "kind": "number", "text": {"en": "Pay?"}, "number": number,
        "options": [{"key": "low", "from": 0, "to": 19, "text": {"en": "low"}}],
    }  # fmt: skip
    block = {"key": "pay", "protected": True, "title": {"en": "Pay"}, "questions": [pay]}
    wanted = definition_without_texts({**marriage, "blocks": [*marriage["blocks"], block]})
    assert wanted is not None
    assert defined_design(wanted.document).design_id == wanted.design.design_id
    known = definition_without_texts({**marriage, "blocks": [*marriage["blocks"], *ready_parts()["anchors"]]})
    assert known is not None
    assert [question.anchor for question in known.design.questions][-2:] == ["nobody", "everybody"]
    assert defined_design(known.document).design_id == known.design.design_id
    with refused("definition", "refusal"):
        defined_design({**marriage, "blocks": [{**block, "refusal": 3000}]})
    without = copy.deepcopy(marriage)
    del without["blocks"][0]["questions"]
    with refused("definition", "questions"):
        defined_design(without)
    with refused("definition", "place"):
        changed = copy.deepcopy(marriage)
        changed["blocks"][0]["questions"][0]["kind"] = "place"
        defined_design(changed)


MARRIAGE = document(ROOT / "surveys" / "definitions" / "marriage.json")
PROTECTED = next(place for place, block in enumerate(MARRIAGE["blocks"]) if block["protected"])
HOURS = {
    "key": "hours", "protected": True, "title": {"en": "Hours"}, "questions": [{
        "key": "hours", "kind": "number", "text": {"en": "Hours?"},
        "number": {
            "mechanism": "keep", "epsilon": 1, "low": 0, "high": 79, "bin": 10, "unit": {"en": "h"},
        },
    }],
}  # fmt: skip


def lit(light: int | None, epsilon: int | None) -> dict[str, Any]:
    """Two strengths of marriage.json and a number, each stated or left to what is proposed."""
    changed = copy.deepcopy({**MARRIAGE, "blocks": [*MARRIAGE["blocks"], HOURS]})
    changed["group"] = {"policy": "assigned", "direct_share": 2000, "light": True}
    if light is not None:
        changed["blocks"][PROTECTED]["light"] = light
    if epsilon is not None:
        changed["blocks"][-1]["light"] = {"epsilon": epsilon}
    return changed


@pytest.mark.parametrize("epsilon", [None, 2])
@pytest.mark.parametrize("light", [None, 9500])
def test_two_strengths_are_those_stated_and_proposed_on_the_server(
    light: int | None, epsilon: int | None
) -> None:
    wanted = definition_without_texts(lit(light, epsilon))
    assert wanted is not None
    assert wanted.design.has_two_strengths
    assert defined_design(lit(light, epsilon)).design_id == wanted.design.design_id


def test_an_invitation_that_decides_the_strength_is_part_of_the_design() -> None:
    changed = lit(None, None) | {"invited": "group"}
    wanted = definition_without_texts(changed)
    assert wanted is not None
    assert defined_design(changed).design_id == wanted.design.design_id
    assert defined_design(changed).invited == "group"


def test_two_strengths_of_which_none_is_lighter_are_refused() -> None:
    changed = lit(None, None)
    # Among many parts of one person no second strength is far enough from the first.
    changed["blocks"] += [
        {**HOURS, "key": f"more_{n}", "questions": [{**HOURS["questions"][0], "key": f"more_{n}"}]}
        for n in range(9)
    ]
    assert definition_without_texts(changed) is None
    with refused("light"):
        defined_design(changed)
