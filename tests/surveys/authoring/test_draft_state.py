"""Findings in a draft use the names that the builder shows, not paths of a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from privacy.risk.design_audit import scale_audit
from surveys.authoring.api import budget_state, grouped_findings, place_of, placed
from surveys.authoring.builder_texts import builder_texts
from surveys.errors.error import shown
from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.document import Level, Problem
from surveys.respondent.client_program import client
from tests.conftest import ROOT
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.everyday import everyday_definition

DRAFT: dict[str, Any] = {
    "title": {"en": "Work", "zh-hans": "工作"},
    "about": {"purpose": {"en": " ", "zh-hans": "了解"}, "ethics": {"en": "[Name the board.]"}},
    "blocks": [
        {"title": {"en": "At work", "zh-hans": "在工作中"}, "questions": [{"text": {}, "options": [{}, {}]}]},
        {"questions": []},
    ],
}


@pytest.mark.parametrize(
    ("path", "place", "text"),
    [
        ("about.purpose.en", "Information for respondents · Purpose · English", "To be written."),
        (
            "about.ethics.en",
            "Information for respondents · Ethics reference · English",
            "It is odd; mend it.",
        ),
        ("blocks[0].title.zh-hans", "At work · 简体中文", "It is odd; mend it."),
        (
            "blocks[0].questions[0].text.en",
            "At work · Question 1, no text yet · English",
            "To be written.",
        ),
        (
            "blocks[0].questions[0].options[1].text.en",
            "At work · Question 1, no text yet · Option 2 · English",
            "To be written.",
        ),
        ("blocks[0].questions[0].unrelated", "At work · Question 1, no text yet", "It is odd; mend it."),
        (
            "blocks[1].questions",
            "Part 2, no title yet",
            "This part has no questions yet. Add one, or delete the part.",
        ),
        ("group.direct_share", "Who is disguised", "It is odd; mend it."),
        (
            "about.help.zh-hans",
            "Information for respondents · Where to get help · 简体中文",
            "To be written.",
        ),
        ("blocks[1].help.en", "Part 2, no title yet · Help · English", "To be written."),
        ("title.en", "Title, languages, times · English", "It is odd; mend it."),
        ("", "Title, languages, times", "It is odd; mend it."),
    ],
)
def test_a_place_is_named_as_the_builder_names_it(path: str, place: str, text: str) -> None:
    (found,) = placed([Problem(path=path, message="it is odd", remedy="mend it")], DRAFT)
    assert (found.path, found.where, found.text) == (path, place, text)


def test_a_place_is_named_in_the_language_of_the_page() -> None:
    with override("zh-hans"):
        (found,) = placed([Problem(path="blocks[0].asked_if", message="", remedy="")], DRAFT)
    assert found.where == "在工作中"


def test_a_language_is_named_as_soon_as_the_survey_has_another_one() -> None:
    draft = {"languages": ["en", "ar"], "title": {"en": "Work"}}
    (found,) = placed([Problem(path="title.ar", message="", remedy="")], draft)
    assert (found.where, found.text) == ("Title, languages, times · العربيّة", ("To be written."))


def test_what_is_about_the_whole_survey_has_no_place() -> None:
    assert place_of("", DRAFT) == ""
    assert place_of("blocks[0]", DRAFT) == "At work"


def test_an_empty_survey_is_told_what_to_begin_with() -> None:
    (found,) = placed([Problem(path="blocks", message="", remedy="")], {"blocks": []})
    assert found.text == "There are no questions yet. Add a part, then add a question to it."


def test_a_long_text_that_is_quoted_in_part_ends_with_its_quotation_mark() -> None:
    assert shown("a" * 99) == f'"{"a" * 59}..."'
    assert shown(["a" * 99]).endswith("a...")


def test_findings_of_one_kind_with_one_remedy_are_one_group_that_names_its_questions() -> None:
    document = document_of(protected("b", yes_no("a"), yes_no("c")), protected("d", yes_no("e"), yes_no("f")))

    def finding(code: str, path: str, remedy: str, level: Level = Level.REFUSE) -> dict[str, str]:
        return {"code": code, "path": path, "message": path, "remedy": remedy, "level": level}

    found = [
        finding("few", "blocks[1].questions[1]", "ask fewer"),
        finding("wide", "blocks[0].questions[0]", "ask fewer"),
        finding("few", "blocks[0].questions[1]", "ask fewer"),
        finding("few", "blocks[1].questions[0]", "ask fewer"),
        finding("few", "", "ask nothing"),
        finding("few", "blocks[0].questions[0]", "ask fewer", Level.WARN),
    ]
    groups = grouped_findings(found, Level.REFUSE, document)
    assert [(len(group.findings), group.remedy) for group in groups] == [
        (3, "Questions 2, 3 and 4: ask fewer"),
        (1, "ask fewer"),
        (1, "ask nothing"),
    ]
    assert [len(group.findings) for group in grouped_findings(found, Level.WARN, document)] == [1]


@pytest.mark.slow
@pytest.mark.parametrize("refusal", [True, 8_000])
@pytest.mark.parametrize("place", [3, 5], ids=["number", "place"])
def test_the_audit_and_the_budget_name_the_answers_that_hidden_skips_cost(place: int, refusal: int) -> None:
    document = everyday_definition()
    document["blocks"][place]["refusal"] = refusal
    reading = definition_read(document)
    _path, block = reading.blocks[place]
    assert block.skipping is not None
    lost = scale_audit(block).lost
    assert lost == pytest.approx(float(block.skipping.skip_probability))
    (entry,) = (each for each in budget_state(reading)["blocks"] if each["key"] == block.key)
    assert entry["lost"] == pytest.approx(lost)


def test_a_place_that_is_exact_outside_is_in_no_sum() -> None:
    state = budget_state(definition_read(everyday_definition()))
    apart = [block for block in state["blocks"] if block["exact_outside"]]
    assert [block["key"] for block in apart] == ["places"]
    summed = sum(block["epsilon"] for block in state["blocks"] if not block["exact_outside"])
    assert state["epsilon"] == pytest.approx(summed)


SCRIPTS = Path(ROOT, "surveys", "static", "surveys", "js")
BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"(?:texts\[|, )`([a-z_]*\$\{[^`]+)`")
ENDINGS = re.compile(r"\$\{[^}]+\}")
# A field is given the place that it edits, and the name of its label.
LABELS = re.compile(r"Field\(\s*app,\s*(?:\[[^\]]*\]|[\w.\"]+),\s*\"(\w+)\"")


def whole() -> str:
    # The picture of the odds is the respondent's own.
    scripts = [*sorted((SCRIPTS / "authoring").glob("*.js")), SCRIPTS / "label.js"]
    return "".join(script.read_text(encoding="utf-8") for script in scripts)


def test_every_sentence_that_a_script_of_the_builder_names_is_there() -> None:
    named = set(BY_NAME.findall(whole()))
    labels = set(LABELS.findall(whole()))
    assert (len(named) > 100, len(labels) > 25) == (True, True)
    assert (named | labels) - builder_texts().keys() == set()


def test_every_sentence_of_the_builder_is_used() -> None:
    source = whole()
    # A condition in the brackets chooses between the others; a hint is shown below its field.
    named = set(BY_NAME.findall(source)) | set(re.findall(r'"(\w+)"', source))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(source)]
    unused = [
        key
        for key in builder_texts()
        if not named & {key, re.sub("_(hint|about)$", "", key)}
        and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_scripts_of_the_respondents_page_may_be_loaded_by_a_sandboxed_frame() -> None:
    files = client().program
    assert files
    for file in files:
        assert Client().get(file.url).headers["Access-Control-Allow-Origin"] == "*"
