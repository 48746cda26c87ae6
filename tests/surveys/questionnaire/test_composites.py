"""Composite questions in definition files: texts are wording, the rule is design; refusals with paths."""

import copy
from typing import Any

import pytest

from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import open_references
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import planned_document, protected_questions
from surveys.questionnaire.readable import readable_questions
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from tests.fixtures.composite_drafts import composite_document, screening_document, text
from tests.vectors.composite_designs import DESIGNS


@pytest.mark.parametrize("name", DESIGNS)
def test_a_definition_states_each_worked_example(name: str) -> None:
    design = DESIGNS[name]
    document = composite_document(name, group={"policy": design.group.policy})
    parsed = definition_parse(document)
    assert parsed.design == design
    assert parsed.design.design_id == design.design_id
    assert parsed.document == document


def test_texts_of_components_are_wording_only() -> None:
    document = composite_document("every member")
    first = definition_parse(document)
    component = rule_in(document)["components"][1]
    component["text"]["en"] = "Which of these"
    component["options"][0]["text"]["zh-hans"] = "别的"
    component["help"] = text("Tick any")
    rule_in(document)["components"][3]["number"]["unit"] = text("years")
    second = definition_parse(document)
    assert second.design.design_id == first.design.design_id
    assert second.wording_id != first.wording_id
    [words] = [
        question["components"]
        for block in second.wording["blocks"]
        for question in block["questions"]
        if "components" in question
    ]
    assert [entry["key"] for entry in words] == ["ever", "which", "check", "age", "often", "since"]
    assert words[1]["text"]["en"] == "Which of these"
    assert words[1]["help"] == text("Tick any")
    assert words[3]["unit"] == text("years")
    assert "points" not in str(second.wording)


def test_points_of_0_may_be_left_out() -> None:
    document = composite_document("AUDIT-C")
    for component in rule_in(document)["components"]:
        del component["options"][0]["points"]
    assert definition_parse(document).design == DESIGNS["AUDIT-C"]


def rule_in(document: dict[str, Any]) -> dict[str, Any]:
    rule: dict[str, Any] = document["blocks"][-1]["questions"][-1]["computed"]
    return rule


IN = "blocks[0].questions[0].computed"


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (lambda rule: rule.pop("missing"), f"{IN}.missing", "missing"),
        (lambda rule: rule.update(missing={"at_most": "0", "as": "mean"}), f"{IN}.missing", "whole number"),
        (lambda rule: rule.update(weights=[1]), f"{IN}.weights", "unknown member"),
        (lambda rule: rule["components"][0].pop("text"), f"{IN}.components[0].text", "missing"),
        (
            lambda rule: rule["components"][0]["text"].pop("zh-hans"),
            f"{IN}.components[0].text.zh-hans",
            "missing",
        ),
        (lambda rule: rule["components"][0].update(points=["0", "1"]), f"{IN}.components[0]", "whole number"),
        (lambda rule: rule["components"][0].update(kind="place"), f"{IN}.components[0]", "unknown"),
        (
            lambda rule: rule["components"][1].update(asked_if={"component": "paid", "options": ["yes"]}),
            f"{IN}.components[1]",
            "not asked earlier",
        ),
        (lambda rule: rule["levels"][2].update({"from": 1}), f"{IN}.levels[2].from", "two levels"),
        (lambda rule: rule["levels"][2].update({"from": 4}), f"{IN}.levels[2].from", "no answers lead"),
        (lambda rule: (rule["levels"].pop(), rule.pop("base")), IN, "no level leads"),
        (
            lambda rule: [each.pop("points") for each in rule["components"]],
            f"{IN}.components",
            "every answer",
        ),
        (
            lambda rule: rule["components"].extend(
                copy.deepcopy(rule["components"][0]) | {"key": f"c{number}"} for number in range(38)
            ),
            f"{IN}.components",
            "41 entries",
        ),
        (lambda rule: rule.update(base=1), f"{IN}.base", "key"),
        (lambda rule: rule.update(steps="core"), f"{IN}.steps", "list"),
    ],
)
def test_refusals_name_the_place_and_a_remedy(change: Any, path: str, words: str) -> None:
    document = composite_document("bribe")
    change(rule_in(document))
    with pytest.raises(DefinitionError) as caught:
        definition_parse(document)
    found = {problem.path: problem for problem in caught.value.problems}
    assert path in found, list(found)
    assert words in f"{found[path].message} {found[path].remedy}"
    assert found[path].remedy


def test_an_open_part_and_a_tick_all_question_cannot_have_components() -> None:
    document = composite_document("bribe")
    block = document["blocks"][0]
    block |= {"protected": False}
    for name in ("truth_probability", "refusal"):
        del block[name]
    for name in ("unrelated", "prevalence"):
        del block["questions"][0][name]
    with pytest.raises(DefinitionError, match="protect the part"):
        definition_parse(document)
    document = composite_document("bribe")
    document["blocks"][0]["questions"][0]["kind"] = "multi"
    with pytest.raises(DefinitionError, match="unknown member"):
        definition_parse(document)


def test_a_plan_keeps_the_rule_and_never_opens_a_composite_question() -> None:
    definition = definition_parse(screening_document())
    assert protected_questions(definition) == []
    assert [question["key"] for question in choosable_questions(definition.document)] == []
    planned = planned_document(definition, Aim(people=2_000, wanted=("any",)))
    before, after = (
        {
            question["key"]: question.get("computed")
            for block in document["blocks"]
            for question in block["questions"]
        }
        for document in (definition.document, planned)
    )
    assert after == before
    assert definition_parse(planned).design.mechanism == 7
    # Asking to open everything changes nothing.
    assert with_sensitive(definition.document, ()) == definition.document


def test_what_a_rule_uses_is_listed_as_readable_and_cannot_be_protected() -> None:
    (found,) = readable_questions(screening_document())
    assert (found.key, found.can_be_protected) == ("sex", False)
    (plain,) = readable_questions(screening_document(blocks=screening_document()["blocks"][:1]))
    assert plain.can_be_protected


RULES = [None, 7, [], {"uses": 1}, {"components": [3, {"asked_if": "x"}, {"asked_if": {"all": 1}}]}]


@pytest.mark.parametrize("rule", RULES)
def test_malformed_rules_of_drafts_refer_to_nothing(rule: object) -> None:
    assert open_references({"computed": rule}) == set()
