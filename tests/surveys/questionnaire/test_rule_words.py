"""The rule of a composite question in words."""

from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.rule_words import RuleWords, rules_in_words
from tests.fixtures.composite_drafts import composite_document
from tests.vectors.composite_designs import DESIGNS


def words_of(name: str, language: str | None = None) -> RuleWords:
    document = composite_document(name, group={"policy": DESIGNS[name].group.policy})
    definition = definition_parse(document)
    (rule,) = rules_in_words(definition.design, definition.wording, language).values()
    return rule


def test_a_score_states_components_points_levels_and_gaps() -> None:
    rule = words_of("AUDIT")
    assert rule.summary == "Computed on each device from 10 questions that were never sent."
    assert rule.components[8].answers == ("o0?: 0 points", "o1?: 2 points", "o2?: 4 points")
    assert rule.sentences == (
        "Answers by the sum of the points: "
        "0-7?: below 8; 8-15?: 8 to 15; 16-19?: 16 to 19; 20-40?: 20 or more.",
        "Up to 2 unanswered questions counted as the mean of the others. With more, the answer was a skip.",
    )


def test_a_part_that_cannot_be_skipped_says_that_answers_were_required() -> None:
    rule = words_of("AUDIT-C")
    assert rule.sentences[0] == (
        "The openly asked question “sex?” adds points: woman?: 1 point. "
        "So this rule causes part of any link between the two."
    )
    assert rule.sentences[-1] == "People had to answer each of these questions that they were asked."


def test_conditions_steps_bands_and_instructions_are_stated() -> None:
    rule = words_of("every member")
    by_key = {component.key: component for component in rule.components}
    assert by_key["which"].condition == "– only if “Component ever?” = yes"
    assert by_key["since"].condition == "– only if “Component often?” = o1? / o2? and “sex?” = man?"
    assert by_key["often"].condition == "– only if “Component ever?” = yes or “moved?” = yes"
    assert by_key["check"].answers == ("instructed answer: no; any other answer is a skip",)
    assert by_key["age"].answers == ("10 to 17: 5 points", "60 to 99: -5 points", "other numbers: 0 points")
    assert rule.sentences[1] == (
        "Step “young”, the sum of “Component age?”: below 1: 0 points; 1 or more: 3 points. Points in this "
        "step: “Component age?” (10 to 17: 1 point; 60 to 99: 0 points; other numbers: 0 points)."
    )
    assert rule.sentences[2].startswith(
        "Step “both”, the sum of “Component ever?”, “Component often?”, “young”:"
    )
    assert rule.sentences[2].endswith(
        "In this step: One unanswered question counted as the mean of the others. With more, the answer "
        "was a skip."
    )


def test_a_base_and_a_sum_are_stated() -> None:
    assert words_of("bribe").sentences[-1] == "Further shares are of the people at or above “contact?”."
    assert "The answer is the sum of the points." in words_of("a number").sentences


def test_the_texts_are_those_of_a_language() -> None:
    rule = words_of("AUDIT", "zh-hans")
    assert rule.components[0].text == "Component item1？"
    assert rule.components[0].quoted.startswith("“Component item1？” (o0？: 0 points; o1？: 1 point; ")
    assert rule.lines[1].startswith("Component item1？ [item1] (o0？: 0 points")


def test_no_more_gaps_are_stated_than_leave_an_answer() -> None:
    document = composite_document("bribe")
    document["blocks"][0]["questions"][0]["computed"]["missing"]["at_most"] = 9
    definition = definition_parse(document)
    (rule,) = rules_in_words(definition.design, definition.wording).values()
    stated = "Up to 2 unanswered questions counted as no points. With more, the answer was a skip."
    assert stated in rule.sentences
