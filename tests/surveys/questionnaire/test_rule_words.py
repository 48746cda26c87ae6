"""The rule of a composite question in words."""

from dataclasses import replace

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
    assert rule.summary == "Computed on each device from 10 questions that are never sent."
    assert rule.components[8].answers == ("o0?: 0 points", "o1?: 2 points", "o2?: 4 points")
    assert rule.sentences == (
        "Answers by the sum of the points: "
        "0-7?: below 8; 8-15?: 8 to 15; 16-19?: 16 to 19; 20-40?: 20 or more.",
        "Up to 2 empty answers count as the mean of the others. With more, the whole part is sent as "
        "“Prefer not to say”.",
    )


def test_a_part_that_cannot_be_skipped_says_that_answers_were_required() -> None:
    rule = words_of("AUDIT-C")
    assert rule.sentences[0] == (
        "The openly asked question “sex?” adds points: woman?: 1 point. "
        "So this rule causes part of any link between the two."
    )
    assert rule.sentences[-1] == "People must answer each of these questions that they are asked."


def test_conditions_steps_bands_and_instructions_are_stated() -> None:
    rule = words_of("every member")
    by_key = {component.key: component for component in rule.components}
    assert by_key["which"].condition == "– only if “Component ever?” = yes"
    assert by_key["since"].condition == "– only if “Component often?” = o1? / o2? and “sex?” = man?"
    assert by_key["often"].condition == "– only if “Component ever?” = yes or “moved?” = yes"
    assert by_key["check"].answers == (
        "instructed answer: no; with any other, the part is sent as “Prefer not to say”",
    )
    assert by_key["age"].answers == ("10 to 17: 5 points", "60 to 99: -5 points", "other numbers: 0 points")
    assert rule.sentences[1] == (
        "Step “young”, the sum of “Component age?”: below 1: 0 points; 1 or more: 3 points. Points in this "
        "step: “Component age?” (10 to 17: 1 point; 60 to 99: 0 points; other numbers: 0 points)."
    )
    assert rule.sentences[2].startswith(
        "Step “both”, the sum of “Component ever?”, “Component often?”, “young”:"
    )
    assert rule.sentences[2].endswith(
        "In this step: One empty answer counts as the mean of the others. With more, the whole part is "
        "sent as “Prefer not to say”."
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
    """Definitions with more are refused; a design that was stored before may have them."""
    document = composite_document("bribe")
    document["blocks"][0]["questions"][0]["computed"]["missing"]["at_most"] = 2
    definition = definition_parse(document)
    (block,) = definition.design.blocks
    (question,) = block.questions
    assert question.computed is not None
    before = replace(question.computed, missing=replace(question.computed.missing, at_most=9))
    design = replace(
        definition.design, blocks=(replace(block, questions=(replace(question, computed=before),)),)
    )
    (rule,) = rules_in_words(design, definition.wording).values()
    stated = "Up to 2 empty answers count as no. With more, the whole part is sent as “Prefer not to say”."
    assert stated in rule.sentences


def test_a_list_of_acts_says_what_yes_means_instead_of_points() -> None:
    rule = words_of("at least one of ten")
    assert {component.answers for component in rule.components} == {()}
    assert rule.sentences[0] == "Yes means yes to at least one of these questions."
    document = composite_document("at least one of ten")
    computed = document["blocks"][0]["questions"][0]["computed"]
    computed["levels"][1]["from"] = 3
    definition = definition_parse(document)
    (rule,) = rules_in_words(definition.design, definition.wording).values()
    assert rule.sentences[0] == "Yes means yes to at least 3 of these questions."


def test_a_number_of_acts_is_stated_by_levels() -> None:
    assert words_of("bribe").sentences[0] == (
        "Answers by the number of questions answered yes: no-contact?: below 1; contact?: 1; "
        "bribe?: 2 or more."
    )


def test_it_says_what_no_one_can_compute() -> None:
    assert words_of("AUDIT").losses == (
        "Only this answer is sent, so no one can compute the following: the share of one of these "
        "questions, a link between two of them, their reliability (such as Cronbach’s alpha), figures for "
        "another cut-off."
    )
    assert "cut-off" not in words_of("a number").losses, "a sum can be cut anywhere"
    document = composite_document("two halves")
    definition = definition_parse(document)
    for rule in rules_in_words(definition.design, definition.wording).values():
        assert "reliability" not in rule.losses, "two halves give it"


def test_the_bias_by_slips_is_stated_where_it_is_known() -> None:
    assert words_of("at least one of ten").slips == (
        "If people answer one in 100 questions carelessly, 9.6 of 100 people for whom nothing in “any?” is "
        "true are still counted."
    )
    assert words_of("AUDIT").slips == ""
    assert words_of("at least one of ten").lines[-1] == words_of("at least one of ten").slips
