"""The questionnaire that every source fills goes through JSON and comes back."""

from __future__ import annotations

import json
import subprocess  # nosec B404
from typing import Any

import pytest

from surveys.imports.pasted import Reading, pasted_read
from surveys.imports.questionnaire import FreshKeys, Questionnaire, proposed_key
from surveys.questionnaire.aim import PEOPLE, Aim
from surveys.questionnaire.arms import choices_of_arms
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.plan import planned_document
from tests.conftest import ROOT
from tests.fixtures.workbooks import form
from tests.fixtures.workbooks import xlsform_read as form_read
from tests.surveys.imports.test_pasted import ABOUT_LINES
from tests.surveys.imports.test_shapes import SHAPES


@pytest.mark.parametrize(
    "reading",
    [
        pasted_read("Sleep\nGroup a (40 %): One.\nGroup b: Two.\n1. Do you?\nGroup b: Or you?\n2. Which?"),
        *(pasted_read(text) for text, _shape in list(SHAPES.values())[::9]),
        form_read(form()),
    ],
    ids=str,
)
def test_a_questionnaire_comes_back_from_json_and_makes_the_same_draft(reading: Reading) -> None:
    stated = json.loads(json.dumps(reading.survey.to_json()))
    came = Questionnaire.from_json(stated)
    assert came == reading.survey
    assert Reading(survey=came).document == reading.document


TWO = """Study | 学习
Group A (30 %): A coin decides. | 组 A：硬币决定。
Group B: {odds} So it is. | 组 B：{odds}就是这样。

1. Have you copied? | 你抄袭过吗？
Group B: Is all your work your own? | 组 B：作业都是你自己做的吗？
2. Are you late? | 你迟到吗？
"""


def document_of(text: str, languages: tuple[str, ...] = ()) -> dict[str, Any]:
    reading = pasted_read(text, languages)
    assert reading.notes == []
    assert reading.document is not None
    return reading.document


def question_of(document: dict[str, Any], place: int) -> dict[str, Any]:
    asked = [question for block in document["blocks"] for question in block["questions"]]
    found: dict[str, Any] = asked[place]
    return found


def definition(text: str) -> Definition:
    document = document_of(text, ("en",))
    return definition_parse(document | {"slug": "pasted"})


ONE_LANGUAGE = (
    "Study\n"
    + ABOUT_LINES
    + "Group a: A coin decides.\nGroup b (25 %): Your device decides. {odds}\n"
    + "1. Have you copied?\nGroup b: Is all your work your own?\n2. Are you late?\nNever\nOften\n"
)


def test_a_text_with_groups_is_a_survey_with_an_experiment() -> None:
    found = definition(ONE_LANGUAGE)
    groups = choices_of_arms(found.design)["explanation"]
    assert [(group.name, group.drawn) for group in groups] == [("a", 0.75), ("b", 0.25)]
    assert found.wording["explanations"] == {
        "question": "explanation",
        "texts": {"a": {"en": "A coin decides. {odds}"}, "b": {"en": "Your device decides. {odds}"}},
    }
    copied, late = question_of(found.document, 1), question_of(found.document, 2)
    texts = {"a": {"en": "Have you copied?"}, "b": {"en": "Is all your work your own?"}}
    assert copied["wordings"] == {"question": "explanation", "texts": texts}
    assert "wordings" not in late
    assert [option["text"]["en"] for option in late["options"]] == ["Never", "Often"]


def test_a_new_layout_leaves_the_experiment_as_it_is() -> None:
    went = definition(ONE_LANGUAGE)
    laid = planned_document(went, Aim(people=PEOPLE, strength="strong"))
    assert laid["explanations"] == went.document["explanations"]
    assert laid["blocks"][0] == went.document["blocks"][0]
    assert question_of(laid, 1)["wordings"] == question_of(went.document, 1)["wordings"]


BELOW = """Study
学习
Group A (30 %): A coin decides.
组 A：硬币决定。
Group B: {odds} So it is.
组 B：{odds}就是这样。

1. Have you copied?
1. 你抄袭过吗？
Group B: Is all your work your own?
组 B：作业都是你自己做的吗？
2. Are you late?
2. 你迟到吗？
"""
BEHIND = "\n".join(
    [
        *(line.split(" | ")[0] for line in TWO.split("\n")),
        "===",
        *(line.split(" | ")[-1] for line in TWO.split("\n")),
    ]
)


@pytest.mark.parametrize("text", [TWO, BELOW, BEHIND], ids=["side by side", "below", "one after the other"])
def test_two_languages_stand_as_they_do_elsewhere(text: str) -> None:
    document = document_of(text)
    arm = question_of(document, 0)
    assert arm["options"] == [{"key": "a", "share": 3000}, {"key": "b", "share": 7000}]
    assert document["explanations"]["texts"] == {
        "a": {"en": "A coin decides. {odds}", "zh-hans": "硬币决定。{odds}"},
        "b": {"en": "{odds} So it is.", "zh-hans": "{odds}就是这样。"},
    }
    said = question_of(document, 1)["wordings"]["texts"]
    assert said["a"] == {"en": "Have you copied?", "zh-hans": "你抄袭过吗？"}
    assert said["b"] == {"en": "Is all your work your own?", "zh-hans": "作业都是你自己做的吗？"}


@pytest.mark.parametrize(
    ("groups", "shares"),
    [
        (["a", "b"], [5000, 5000]),
        (["a", "b", "c"], [3333, 3333, 3334]),
        (["a (20 %)", "b", "c"], [2000, 4000, 4000]),
        (["a (12.5％)", "b （87.5 %）"], [1250, 8750]),
    ],
)
def test_groups_without_a_share_have_equal_ones(groups: list[str], shares: list[int]) -> None:
    text = "T\n" + "".join(f"Group {group}: Words.\n" for group in groups) + "1. Do you do it?"
    assert [option["share"] for option in question_of(document_of(text), 0)["options"]] == shares


def test_groups_may_differ_in_words_alone() -> None:
    document = document_of("T\nGroup a:\nGroup b:\n1. Do you do it?\nGroup b: Did you do it?")
    assert "explanations" not in document
    assert question_of(document, 1)["wordings"]["texts"]["b"] == {"en": "Did you do it?"}


def test_a_line_of_no_group_stays_what_it_was() -> None:
    document = document_of("Group work: a survey\n1. Which one?\nGroup a: small\nGroup b: large")
    assert document["title"]["en"] == "Group work: a survey"
    (block,) = document["blocks"]
    assert [option["text"]["en"] for option in block["questions"][0]["options"]] == [
        "Group a: small",
        "Group b: large",
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("T\nGroup a: Words.\n1. Do you do it?", 2, "an experiment needs at least two groups"),
        (
            "T\nGroup a: x\nGroup b: y\n1. How many?\nGroup b: How often?\n0-60",
            4,
            "the wording of a number",
        ),
        ("Study | 学习\nGroup a: A coin.\nGroup b: Two | 两个\n1. Late? | 迟到？", 2, "not written in"),
    ],
)
def test_what_is_wrong_with_groups_is_said_at_their_line(text: str, line: int, message: str) -> None:
    problems = pasted_read(text).notes
    assert [problem.line for problem in problems if message in problem.message] == [line]


TEXTS = (
    "Do you sleep badly most nights?",
    "Have you taken a pill to fall asleep?",
    "How old are you?",
    "Ça va?",
    "您睡得不好吗？",
    "",
    "A very-long-hyphenated incomprehensibilities counterrevolutionaries word",
    "What is it?",
    "3 or 4 drinks a day",
)


def test_both_languages_of_the_program_propose_the_same() -> None:
    module = ROOT / "surveys/static/surveys/js/authoring/keys.js"
    program = (
        f"import({json.dumps(module.as_uri())}).then(({{proposedKey, freshKey}}) =>"
        f" console.log(JSON.stringify([{json.dumps(TEXTS)}.map(proposedKey),"
        " freshKey(['a', 'a-2'], 'a'), freshKey(['a-2'], 'a-2')])))"
    )
    answer = subprocess.run(["node", "-e", program], capture_output=True, check=True, text=True)
    theirs, *fresh = json.loads(answer.stdout)
    assert [proposed_key(text) for text in TEXTS] == theirs
    assert [FreshKeys({"a", "a-2"}).take("a"), FreshKeys({"a-2"}).take("a-2")] == fresh
