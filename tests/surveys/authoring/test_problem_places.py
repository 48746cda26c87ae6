from typing import Any

import pytest
from django.utils.translation import override

from surveys.authoring.problem_places import locate_problems, place_of
from surveys.questionnaire.document import Problem

pytestmark = pytest.mark.django_db


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
        ("blocks[0].questions[0].text.en", "At work · Question 1, no text yet · English", "To be written."),
        (
            "blocks[0].questions[0].options[1].text.en",
            "At work · Question 1, no text yet · Option 2 · English",
            "To be written.",
        ),
        (
            "blocks[0].questions[0].computed.components[1].text.en",
            "At work · Question 1, no text yet · Question 2 · English",
            "To be written.",
        ),
        ("blocks[0].questions[0].unrelated", "At work · Question 1, no text yet", "It is odd; mend it."),
        ("blocks[0].number.bin", "At work · Width of a bin", "It is odd; mend it."),
        ("group.direct_share", "Who is disguised", "It is odd; mend it."),
        (
            "about.help.zh-hans",
            "Information for respondents · Where to get help · 简体中文",
            "To be written.",
        ),
        ("blocks[1].help.en", "Part 2 · Help · English", "To be written."),
        ("title.en", "Title, languages, times · English", "It is odd; mend it."),
        ("", "Title, languages, times", "It is odd; mend it."),
    ],
)
def test_problem_locations_are_named_as_in_the_builder(path: str, place: str, text: str) -> None:
    (found,) = locate_problems([Problem(path=path, message="it is odd", remedy="mend it")], DRAFT)
    assert (found.path, found.where, found.text) == (path, place, text)


def test_problem_locations_use_the_page_language() -> None:
    with override("zh-hans"):
        (found,) = locate_problems([Problem(path="blocks[0].asked_if", message="", remedy="")], DRAFT)
    assert found.where == "在工作中"


def test_problems_name_the_language_in_multilingual_surveys() -> None:
    draft = {"languages": ["en", "ar"], "title": {"en": "Work"}}
    (found,) = locate_problems([Problem(path="title.ar", message="", remedy="")], draft)
    assert (found.where, found.text) == ("Title, languages, times · العربيّة", ("To be written."))


def test_whole_survey_problems_name_no_place() -> None:
    assert place_of("", DRAFT) == ""
    assert place_of("blocks[0]", DRAFT) == "At work"


def test_an_empty_survey_shows_how_to_begin() -> None:
    (found,) = locate_problems([Problem(path="blocks", message="", remedy="")], {"blocks": []})
    assert found.text == "There are no questions yet. Add a part, then add a question to it."
