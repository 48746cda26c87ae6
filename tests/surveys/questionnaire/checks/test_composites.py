"""Warnings about composite questions, with their figures."""

import copy
from typing import Any

import pytest

from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.composites import check_composites
from surveys.questionnaire.checks.repeated import check_repeated
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.findings import Finding, Level
from tests.fixtures.composite_drafts import composite_document, text


def findings(name: str, people: int | None, **changes: Any) -> list[Finding]:
    document = composite_document(name, **changes)
    return list(check_composites(definition_parse(document), None if people is None else Aim(people=people)))


def test_a_list_of_ten_names_the_share_of_slips() -> None:
    (found,) = findings("at least one of ten", None)
    assert (found.code, found.level, found.path) == ("slips", Level.WARN, "blocks[0].questions[0]")
    assert "one in 100 questions carelessly, 9.6 of 100 people" in found.message
    assert "nothing in “any?” is true" in found.message, "the text of the question, not its key"
    assert "at least 2 of them" in found.remedy


def test_the_remedy_asks_for_more_than_the_rule_does_already() -> None:
    document = composite_document("at least one of ten")
    rule = document["blocks"][0]["questions"][0]["computed"]
    acts = [{**rule["components"][0], "key": f"act{number}"} for number in range(40)]
    rule.update(components=acts, levels=[{"option": "no"}, {"option": "yes", "from": 2}])
    (found,) = check_composites(definition_parse(document), None)
    assert found.remedy == "ask whether at least 3 of them are true, or ask only about the severe ones"
    acts[0]["points"] = [0, 2]
    (found,) = check_composites(definition_parse(document), None)
    assert found.remedy == "ask only about the severe ones, or ask fewer questions"


@pytest.mark.parametrize("name", ["AUDIT", "AUDIT-C", "PHQ-9 algorithm"])
def test_scores_with_few_levels_have_no_finding(name: str) -> None:
    assert findings(name, 300) == []


def test_a_sum_names_its_margin_until_there_are_enough_people() -> None:
    (found,) = findings("a number", 300)
    assert found.code == "sum_imprecise"
    assert "“total?” is a sum of 0 to 10 points" in found.message
    assert "margin of ±" in found.message
    assert findings("a number", 100_000) == []
    assert findings("a number", None) == []


def test_more_than_six_levels_name_the_widest_margin() -> None:
    document = composite_document("AUDIT")
    question = document["blocks"][0]["questions"][0]
    keys = [f"l{number}" for number in range(7)]
    question["options"] = [{"key": key, "text": text(key)} for key in keys]
    question["computed"]["levels"] = [
        {"option": key, **({"from": 5 * number} if number else {})} for number, key in enumerate(keys)
    ]
    question["unrelated"] = question["prevalence"] = [1429] * 6 + [1426]
    definition = definition_parse(document)
    (unplanned,) = check_composites(definition, None)
    assert "“risk?” has 7 levels, so the share of each" in unplanned.message
    (planned,) = check_composites(definition, Aim(people=300))
    assert planned.code == "many_levels"
    assert "margins of up to ±" in planned.message


def test_a_component_that_is_also_asked_openly_is_refused() -> None:
    document = composite_document("bribe")
    component = document["blocks"][0]["questions"][0]["computed"]["components"][1]
    opened = {
        "key": "you", "title": text("You"), "protected": False,
        "questions": [{"key": "again", "kind": "yes_no", "text": copy.deepcopy(component["text"])}],
    }  # fmt: skip
    document["blocks"].insert(0, opened)
    definition = definition_parse(document)
    (repeated,) = check_repeated(definition.document)
    assert repeated.is_refusal
    assert repeated.code == "asked_twice"


def test_a_placebo_index_counts_as_many_acts_as_its_index() -> None:
    document = composite_document("index and placebo")

    def unlike() -> list[Finding]:
        found = check_composites(definition_parse(document), None)
        return [each for each in found if each.code == "placebo_unlike"]

    assert unlike() == []
    rule = document["blocks"][0]["questions"][1]["computed"]
    last = rule["components"].pop()
    (found,) = unlike()
    assert (found.code, found.level, found.path) == (
        "placebo_unlike",
        Level.WARN,
        "blocks[0].questions[1]",
    )
    assert "“placebo?”" in found.message
    assert "“index?”" in found.message
    rule["components"].append(last)
    rule["levels"][1]["from"] = 2
    (found,) = unlike()
    assert found.remedy == "give it as many questions, and the same levels"
