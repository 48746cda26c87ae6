"""Ready-made blocks are complete in both languages, and refused without the right answer."""

from typing import Any

import pytest

from privacy.risk.amplification import promise
from privacy.survey.design import Design
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.ready_parts import ready_parts
from tests.fixtures.checked_surveys import document_of, findings_of, protected, several, unprotected, yes_no
from tests.fixtures.devices import shipped_definition


def test_ready_made_parts_publish_in_both_languages_with_one_statement_each() -> None:
    document = shipped_definition()
    parts = ready_parts()
    document["blocks"] = [*parts["before"], *document["blocks"], *parts["after"]]
    found = definition_parse(document)
    assert found.languages == ("en", "zh-hans")
    (item,) = found.design.arms
    assert found.design.questions[item].shares == (2500,) * 4
    # The arm of the statement does not split results of the protected questions.
    assert choices_of_arms(found.design) == {}
    assert found.wording["blocks"][0]["questions"][0]["right"] == "nothing"


@pytest.mark.parametrize("right", ["other", 1, ["a"]])
def test_right_answers_must_be_an_option(right: Any) -> None:
    options = [{"key": key, "text": {"en": key}} for key in "ab"]
    question = {"key": "q", "kind": "single", "text": {"en": "Q?"}, "options": options, "right": right}
    with pytest.raises(DefinitionError) as refused:
        definition_parse(document_of(unprotected("you", question), protected("b", yes_no("copied"))))
    assert [problem.path for problem in refused.value.problems] == ["blocks[0].questions[0].right"]


def test_protected_questions_cannot_have_a_right_answer() -> None:
    with pytest.raises(DefinitionError, match="right"):
        definition_parse(document_of(protected("b", yes_no("copied", right="yes"))))


BOTH = {"en": "Both", "zh-hans": "两种"}


def anchors() -> list[dict[str, Any]]:
    """Return the anchors with the probabilities of the block in `of`."""
    return [part | {"truth_probability": 6000} for part in ready_parts()["anchors"]]


def of(*parts: dict[str, Any], **changes: Any) -> Design:
    secret = protected("b", yes_no("copied", text=BOTH), p=6000) | {"title": BOTH}
    about = dict.fromkeys(document_of()["about"], BOTH)
    return definition_parse(document_of(secret, *parts, title=BOTH, about=about, **changes)).design


def test_anchors_are_recognised_by_their_wording_and_not_counted() -> None:
    design, alone = of(*anchors()), of()
    assert [question.anchor for question in design.questions] == ["", "nobody", "everybody"]
    made, without = promise(design), promise(alone)
    assert made is not None
    assert without is not None
    assert (made.everything, made.answer, made.anchors) == (without.everything, without.answer, 2)
    assert Design.from_json(design.to_json()) == design
    # The JSON of designs without anchors does not mention anchors, so their digests are unchanged.
    assert "anchor" not in str(alone.to_json())


ASKS = {"en": "Have you copied?", "zh-hans": "你抄袭过吗？"}
PLANTED = {
    "other words": lambda part: with_question(part, text=ASKS),
    "other words in one language": lambda part: with_question(
        part, text=part["questions"][0]["text"] | {"zh-hans": ASKS["zh-hans"]}
    ),
    "a letter more": lambda part: with_question(
        part, text=part["questions"][0]["text"] | {"en": "I was born on 30 February. "}
    ),
    "a title that asks": lambda part: part | {"title": ASKS},
    "help that asks": lambda part: part | {"help": ASKS},
    "help of the question that asks": lambda part: with_question(part, help=ASKS),
    "the other one's key": lambda part: with_question(part, key="anchor-everybody"),
    "another key": lambda part: with_question(part, key="copied-too"),
    "several answers": lambda part: with_question(
        part,
        **{**several("x", "a", "b"), "key": "anchor-nobody", "unrelated": [5000, 5000], "prevalence": [1, 1]},
    ),
    "a question beside it": lambda part: (
        part | {"questions": [*part["questions"], yes_no("late", text=BOTH)]}
    ),
}


def with_question(part: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return part | {"questions": [part["questions"][0] | changes]}


@pytest.mark.parametrize("name", PLANTED)
def test_a_question_disguised_as_an_anchor_is_counted(name: str) -> None:
    """An attack on the promise: another question uses an anchor's key, but must still count in M."""
    planted = PLANTED[name](anchors()[0])
    for option in (option for question in planted["questions"] for option in question.get("options", ())):
        option["text"] = BOTH
    for question in planted["questions"]:
        question["text"] = question["text"] if "zh-hans" in question["text"] else BOTH
    design, alone = of(planted), promise(of())
    made = promise(design)
    assert made is not None
    assert alone is not None
    assert made.anchors == 0
    assert made.everything > 2 * alone.everything


def test_anchors_reworded_by_an_experiment_arm_are_counted() -> None:
    options = [{"key": key, "share": 5000} for key in ("a", "b")]
    arm = unprotected("told", {"key": "told", "kind": "arm", "options": options}) | {"title": BOTH}
    planted = with_question(
        anchors()[0],
        wordings={"question": "told", "texts": {"a": ASKS, "b": anchors()[0]["questions"][0]["text"]}},
    )
    assert [question.anchor for question in of(arm, planted).questions] == ["", "", ""]


def test_rewording_an_anchor_changes_the_design() -> None:
    before, after = of(anchors()[0]), of(PLANTED["other words"](anchors()[0]))
    assert before.design_id != after.design_id


def test_anchors_pass_all_checks_and_change_no_findings() -> None:
    def english(part: dict[str, Any]) -> dict[str, Any]:
        question = part["questions"][0]
        kept = {"title": {"en": part["title"]["en"]}, "truth_probability": 4000}
        return part | kept | {"questions": [question | {"text": {"en": question["text"]["en"]}}]}

    secret = protected("b", *(yes_no(f"q{number}") for number in range(3)), p=4000)
    assert findings_of(secret, *map(english, anchors())) == findings_of(secret)
    # The same number of counted parts exceeds the limit.
    counted = [english(part) | {"help": {"en": "Think."}} for part in anchors()]
    assert [finding.code for finding in findings_of(secret, *counted)] != [
        finding.code for finding in findings_of(secret)
    ]


def test_planning_gives_anchors_the_probabilities_of_the_planned_parts() -> None:
    secret = protected("b", *(yes_no(f"q{number}", text=BOTH) for number in range(6)), p=9000, refusal=500)
    about = dict.fromkeys(document_of()["about"], BOTH)
    checking = [anchor | {"truth_probability": 9000, "refusal": 500} for anchor in anchors()]
    document = document_of(secret | {"title": BOTH}, *checking, title=BOTH, about=about)
    alone = document | {"blocks": document["blocks"][:1]}
    found, without = (plan(definition_parse(each), Aim(people=400)) for each in (document, alone))
    assert found is not None
    assert without is not None
    assert found.layout_key == without.layout_key
    blocks = found.definition.design.blocks
    anchor = [block for block in blocks if block.is_anchor]
    assert len(anchor) == 2
    assert {(block.truth_probability, block.refusal) for block in anchor} == {
        (blocks[0].truth_probability, blocks[0].refusal)
    }
    assert found.promise is not None
    assert without.promise is not None
    assert found.promise.everything == without.promise.everything


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"truth_probability": 9900}, "truth_probability"),
        ({"truth_probability": 100}, "truth_probability"),
        ({"refusal": 1000}, "refusal"),
        ({"questions": [anchors()[0]["questions"][0] | {"unrelated": [100]}]}, "questions[0].unrelated"),
    ],
)
def test_an_anchor_with_other_probabilities_than_its_part_is_refused(
    change: dict[str, Any], path: str
) -> None:
    """It would measure how people answer with another protection, or with none."""
    with pytest.raises(DefinitionError) as refused:
        of(anchors()[1], anchors()[0] | change)
    assert [problem.path for problem in refused.value.problems] == [f"blocks[2].{path}"]


def test_anchors_use_the_probabilities_of_the_nearest_disguised_part() -> None:
    other = protected("c", yes_no("stole", text=BOTH), p=7000, refusal=1000) | {"title": BOTH}
    as_other = anchors()[1] | {"truth_probability": 7000, "refusal": 1000}
    asked = {"key": "smokes", "kind": "yes_no", "text": BOTH}
    own = unprotected("you", asked) | {"title": BOTH}
    design = of(anchors()[0], other, own, as_other)
    assert [block.is_anchor for block in design.blocks] == [False, True, False, False, True]
    with pytest.raises(DefinitionError, match="same probabilities as the part before it"):
        of(other, anchors()[0])


def test_an_anchor_before_every_protected_part_is_refused() -> None:
    secret = protected("b", yes_no("copied", text=BOTH), p=6000) | {"title": BOTH}
    about = dict.fromkeys(document_of()["about"], BOTH)
    with pytest.raises(DefinitionError, match="no protected part comes before it"):
        definition_parse(document_of(anchors()[0], secret, title=BOTH, about=about))
