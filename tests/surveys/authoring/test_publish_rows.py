"""Three questions before publishing: each has an answer, one sentence, and the button that fixes it."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_create, survey_import
from surveys.authoring.publish_rows import ABOUT_ANSWERS, ABOUT_TEXT, State, grouped_findings, publish_rows
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.findings import Finding, Level
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.site.test_expert_words import text_in_sight

pytestmark = pytest.mark.django_db

SMOKES = {"key": "smokes", "kind": "yes_no", "text": {"en": "Do you smoke?"}}
NOTHING: dict[str, Any] = {
    "problems": (), "findings": (), "use": (), "promises": (), "unsettled": 0, "languages": ("English",),
}  # fmt: skip


def finding(code: str, level: str = "warn") -> dict[str, str]:
    return {
        "level": level, "code": code, "path": "blocks[0]", "message": f"it is {code}", "remedy": "do less",
        "place": "Part 1",
    }  # fmt: skip


def states(**changes: Any) -> dict[str, State]:
    return {row.about: row.state for row in publish_rows("work", **(NOTHING | changes))}


def test_every_finding_is_in_one_row_and_the_worst_one_is_its_sentence() -> None:
    codes = re.findall(r"``(\w+)``", Finding.__doc__ or "")
    assert {*ABOUT_ANSWERS} - {"no_help"} <= {*codes} - ABOUT_TEXT
    assert {*codes} >= ABOUT_TEXT
    rows = publish_rows("work", **(NOTHING | {"findings": [finding(code) for code in codes]}))
    listed = [each["code"] for row in rows for _refused, group in row.found for each in group]
    assert sorted(listed) == sorted(codes)
    both = [finding("share_imprecise"), finding("slips", "refuse")]
    answers, *_others = publish_rows("work", **(NOTHING | {"findings": both}))
    assert (answers.state, answers.sentence) == (State.BAD, "It is slips. Do less.")


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, ("warn", "warn", "good")),
        ({"use": ["400 answers."], "promises": ["No one can be sure."]}, ("good", "good", "good")),
        ({"use": ["400 answers."], "promises": ["No one."], "unsettled": 2}, ("good", "warn", "good")),
        ({"findings": [finding("block_epsilon", "refuse")]}, ("warn", "bad", "good")),
        ({"findings": [finding("leftover")]}, ("warn", "warn", "warn")),
    ],
)
def test_each_row_answers_its_question(changes: dict[str, Any], found: tuple[str, ...]) -> None:
    assert tuple(states(**changes).values()) == found


@pytest.mark.soak
def test_the_page_has_three_rows_each_with_one_sentence_and_its_button(staff: Client) -> None:
    parts = protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), unprotected("b", SMOKES)
    survey_import(document_of(*parts, slug="bold"), by="ana")
    Survey.objects.filter(slug="bold").update(aim=Aim(people=400).to_json())
    page = html.unescape(staff.get("/en/staff/surveys/bold/publish").content.decode())
    rows = page.split('<section class="card stack publish-row"')[1:]
    assert [re.findall(r'<h2[^>]*>([^<]+)</h2>\s*<span class="tag tag--(\w+)">', row)[0] for row in rows] == [
        ("Can it answer?", "good"),
        ("Can someone be found?", "bad"),
        ("Is the text complete?", "good"),
    ]
    for row, address in zip(rows, ("/plan", "/build/#blocks", "/preview"), strict=True):
        (button,) = re.findall(r'<a class="button[^"]*" href="([^"]+)"', row.split("<details")[0])
        assert address in button
        assert len(re.findall(r"<p>", row.split("<details")[0])) == 1
    # What is folded can still be read.
    for said in ("To fix it:", "What this survey can find", "What is readable, and why", "All settings"):
        assert said in page
    assert "To fix it:" in text_in_sight(page), "what stops the author is unfolded"


@pytest.mark.soak
def test_problems_are_the_third_row_and_the_others_wait(staff: Client) -> None:
    draft_create(
        document_of(protected("a", yes_no("q"))), slug="work", source="scratch", by="ana", now=timezone.now()
    )
    survey = Survey.objects.get(slug="work")
    survey.definition["blocks"][0]["questions"][0]["text"] = {"en": ""}
    survey.save()
    page = html.unescape(staff.get("/en/staff/surveys/work/publish").content.decode())
    assert page.count("The answer appears once the text is complete.") == 2
    assert re.search(r"\d problems? to fix\.", text_in_sight(page))
    assert "Publish version 1" not in page


def test_findings_of_equal_kind_and_remedy_are_grouped() -> None:
    found = [
        {"code": code, "path": path, "message": path, "remedy": remedy, "level": level}
        for code, path, remedy, level in (
            ("few", "a", "ask fewer", Level.REFUSE),
            ("wide", "b", "ask fewer", Level.REFUSE),
            ("few", "c", "ask fewer", Level.REFUSE),
            ("few", "", "ask nothing", Level.REFUSE),
            ("few", "d", "ask fewer", Level.WARN),
        )
    ]
    groups = [[finding["path"] for finding in group] for group in grouped_findings(found, Level.REFUSE)]
    assert groups == [["a", "c"], ["b"], [""]]
    assert [len(group) for group in grouped_findings(found, Level.WARN)] == [1]
