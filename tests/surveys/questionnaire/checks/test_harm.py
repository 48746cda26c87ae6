from typing import Any

from surveys.questionnaire.checks.harm import check_harm
from surveys.questionnaire.findings import Level
from tests.fixtures.composite_drafts import composite_document, text


def harmful(**about: dict[str, str]) -> dict[str, Any]:
    document = composite_document("at least one of ten")
    rule = document["blocks"][0]["questions"][0]["computed"]
    rule["components"][0]["text"]["en"] = "Has anyone hit you?"
    document["about"] |= about
    return document


def test_questions_about_violence_demand_a_text_that_says_where_people_get_help() -> None:
    assert not list(check_harm(composite_document("at least one of ten")))
    (found,) = check_harm(harmful(help={"en": " ", "zh-hans": "…"}))
    assert (found.code, found.level, found.path) == ("no_help", Level.REFUSE, "blocks[0].help")
    assert "“hit you”" in found.message
    assert "No one can act on these answers" in found.message
    (found,) = check_harm(harmful())
    assert found.level == Level.WARN, "the survey has a help text, but not next to these questions"
    document = harmful()
    document["blocks"][0]["help"] = text("Call this number")
    assert not list(check_harm(document))


def test_a_single_protected_question_about_violence_demands_it_too() -> None:
    document = composite_document("at least one of ten")
    question = {"key": "hit", "kind": "yes_no", "text": {"en": "您被打过吗？ Has anyone beaten you?"}}
    document["blocks"] = [{"key": "part", "protected": True, "title": {}, "questions": [question]}]
    assert not list(check_harm(document))
    document["about"]["help"] = {}
    assert [each.level for each in check_harm(document)] == [Level.REFUSE]
    document["blocks"][0]["protected"] = False
    assert not list(check_harm(document))
