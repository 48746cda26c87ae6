import copy
import json
from typing import Any

import pytest
from django.utils.translation import override

from privacy.risk.budget import budget
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.questionnaire.definition import definition_parse, definition_read
from tests.fixtures.everyday import everyday_definition
from tests.surveys.questionnaire.test_kinds import HOURS, PAY, changed

MONTHS = {
    "calendar": "month",
    "low": "2020-01",
    "high": "2025-12",
    "bin": 3,
    "mechanism": "keep",
    "epsilon": 2,
}


def test_dates_are_months_and_their_bands_are_written_as_months() -> None:
    document = changed(HOURS, "number", MONTHS)
    question = document["blocks"][HOURS]["questions"][0]
    question["options"] = [{"key": "of-late", "text": question["text"], "from": "2025-01", "to": "2025-12"}]
    design = definition_parse(document).design
    found = next(question.disguise for question in design.questions if question.key == "hours")
    assert isinstance(found, WindowChannel)
    assert (found.inputs, found.spans) == (24, ((20, 23),))
    assert found.range.to_json() == {
        "low": 24240,
        "high": 24311,
        "decimals": 0,
        "bin": 3,
        "calendar": "month",
    }
    assert Design.from_json(json.loads(json.dumps(design.to_json()))).design_id == design.design_id
    question["number"] = {**MONTHS, "bin": 1}
    assert definition_parse(document).design.design_id != design.design_id


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"low": "2020-13"}, "number.low"),
        ({"low": 24240}, "number.low"),
        ({"high": "2025-12-31"}, "number.high"),
        ({"high": "2019-12"}, "number.high"),
        ({"bin": 5}, "number.bin"),
        ({"calendar": "week"}, "number.calendar"),
        ({"decimals": 1}, "number.decimals"),
        ({"unit": {"en": "months", "zh-hans": "个月"}}, "number.unit"),
    ],
)
def test_an_invalid_date_is_refused_at_its_place(change: dict[str, Any], where: str) -> None:
    document = changed(HOURS, "number", MONTHS | change)
    del document["blocks"][HOURS]["questions"][0]["options"]
    with override("en"):
        problems = definition_read(document).problems
    assert [problem.path for problem in problems] == [f"blocks[{HOURS}].questions[0].{where}"]
    assert problems[0].remedy


@pytest.mark.parametrize(
    ("path", "value"), [("^truth_probability", 5000), ("^refusal", 500), ("^exclusive", [["a", "b"]])]
)
def test_numbers_need_their_own_block_without_block_probability(path: str, value: Any) -> None:
    found = [problem.path for problem in definition_read(changed(PAY, path, value)).problems]
    assert found == [f"blocks[{PAY}].{path.removeprefix('^')}"]


def stored(block: int = HOURS, **more: Any) -> dict[str, Any]:
    """Return the example with a number that is stored as answered; `more` is added to its part."""
    document = changed(block, "^protected", False)
    part = document["blocks"][block]
    part.pop("refusal", None)
    number = part["questions"][0]["number"]
    del number["mechanism"], number["epsilon"]
    part |= more
    return document


def test_a_number_in_an_open_part_is_stored_as_answered() -> None:
    definition = definition_parse(stored())
    block, before = definition.design.blocks[HOURS], definition_parse(everyday_definition()).design
    assert (block.protected, block.truth_probability, block.refusal) == (False, 10_000, None)
    disguise = block.questions[0].disguise
    assert disguise is not None
    assert disguise.is_as_answered
    assert disguise.domain == before.blocks[HOURS].questions[0].disguise.domain  # type: ignore[union-attr]
    assert Design.from_json(json.loads(json.dumps(definition.design.to_json()))) == definition.design
    costs = [bound.key for bound in budget(definition.design).blocks]
    assert costs == [bound.key for bound in budget(before).blocks if bound.key != block.key]
    assert definition_parse(stored(truth_probability=10_000)).design == definition.design


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"refusal": True}, "refusal"),
        ({"refusal": 500}, "refusal"),
        ({"truth_probability": 5000}, "truth_probability"),
        ({"exclusive": [["a", "b"]]}, "exclusive"),
    ],
)
def test_open_numbers_cannot_have_coins(more: dict[str, Any], where: str) -> None:
    problems = definition_read(stored(**more)).problems
    assert [problem.path for problem in problems] == [f"blocks[{HOURS}].{where}"]
    assert problems[0].remedy


@pytest.mark.parametrize(
    ("document", "remedy"),
    [(changed(HOURS, "^protected", False), "protect the part"), (stored(protected=True), "state it")],
)
def test_a_disguise_that_contradicts_its_part_is_refused_with_a_remedy(
    document: dict[str, Any], remedy: str
) -> None:
    document["blocks"][HOURS].pop("refusal", None)
    with override("en"):
        problems = definition_read(document).problems
    paths = [f"blocks[{HOURS}].questions[0].number.{name}" for name in ("mechanism", "epsilon")]
    assert [problem.path for problem in problems] == paths
    assert all(remedy in problem.remedy for problem in problems)


def test_a_number_cannot_be_a_condition_for_a_part() -> None:
    document = stored()
    document["blocks"][PAY]["asked_if"] = {"question": "hours", "options": ["under-30"]}
    (problem,) = definition_read(document).problems
    assert problem.path == f"blocks[{PAY}].asked_if"
    assert "number" in problem.message


def test_two_numbers_cannot_share_a_block() -> None:
    document = everyday_definition()
    other = copy.deepcopy(document["blocks"][HOURS]["questions"][0])
    document["blocks"][PAY]["questions"].append(other)
    assert f"blocks[{PAY}].questions" in [problem.path for problem in definition_read(document).problems]
