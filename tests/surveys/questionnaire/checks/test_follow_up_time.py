"""What the time of follow-ups reveals."""

import re
from pathlib import Path

import pytest

from benchmarks.follow_up_time import measure
from surveys.questionnaire.checks.composites import check_composites
from surveys.questionnaire.checks.follow_up_time import CERTAINTIES, NEUTRAL_CERTAINTIES
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.findings import Level
from surveys.questionnaire.neutral_questions import neutral_questions
from tests.fixtures.composite_drafts import composite_document, text
from tests.surveys.questionnaire.checks.test_composites import findings


def test_follow_ups_after_some_answers_name_what_their_time_reveals() -> None:
    (found,) = findings("bribe", 300)
    place = "blocks[0].questions[0].computed.neutral"
    assert (found.code, found.level, found.path) == ("branching", Level.WARN, place)
    # One question of 8 seconds, and then two more: shorter than every measured survey.
    assert "“bribe?” asks follow-ups only after some answers" in found.message
    assert "With 1 other question, someone" in found.message
    assert "100% sure that follow-ups were asked, or 100%" in found.message
    document = composite_document("bribe")
    others = [
        {"key": f"open{number}", "kind": "yes_no", "text": text(f"open{number}")} for number in range(30)
    ]
    document["blocks"].append({"key": "more", "protected": False, "title": text("more"), "questions": others})
    (found,) = check_composites(definition_parse(document), None)
    assert "With 31 other questions, someone" in found.message
    assert "66% sure that follow-ups were asked, or 76%" in found.message


def test_neutral_questions_lower_what_the_time_reveals() -> None:
    document = composite_document("bribe")
    rule = document["blocks"][0]["questions"][0]["computed"]
    others = [
        {"key": f"open{number}", "kind": "yes_no", "text": text(f"open{number}")} for number in range(30)
    ]
    document["blocks"].append({"key": "more", "protected": False, "title": text("more"), "questions": others})
    (before,) = check_composites(definition_parse(document), None)
    assert "or add neutral questions" in before.remedy
    rule["neutral"] = neutral_questions(2)
    (found,) = check_composites(definition_parse(document), None)
    assert "and neutral questions otherwise" in found.message
    assert "57% sure that follow-ups were asked, or 64%" in found.message
    assert found.remedy == "ask everyone the follow-ups, with an answer “does not apply”"


@pytest.mark.parametrize(("certainties", "more"), [(CERTAINTIES, ""), (NEUTRAL_CERTAINTIES, r" [\d.]+ s \|")])
def test_the_certainties_are_those_of_the_docs(certainties: object, more: str) -> None:
    page = (Path(__file__).parents[4] / "docs/privacy.md").read_text("utf-8")
    stated = {
        (int(added), minutes): tuple(map(int, pair))
        for added, cells in re.findall(rf"^\| (\d+) s \|{more}( \d+%.*)\|$", page, re.MULTILINE)
        for minutes, pair in zip((1, 3, 10), re.findall(r"(\d+)%, (\d+)%", cells), strict=True)
    }
    assert stated == certainties


@pytest.mark.soak
def test_the_certainties_are_those_of_the_benchmark() -> None:
    rows = measure(200_000, 84)
    for share, certainties in ((0.0, CERTAINTIES), (0.5, NEUTRAL_CERTAINTIES)):
        found = {
            (row["added"], row["minutes"]): (round(100 * row["unknown"]), round(100 * row["known"]))
            for row in rows
            if row["added"] and row["neutral"] == share
        }
        assert found == certainties
