import json

import pytest
from django.utils import translation

from surveys.management.commands.demo import LABELS, definition
from surveys.questionnaire.aim import LONGEST_LABEL, Aim
from surveys.questionnaire.short_names import named_language, names_by_language, with_entered_names


def test_short_names_in_each_language_survive_a_round_trip_through_json() -> None:
    names = {"affair": {"en": "affair", "zh-hans": "婚外情"}, "age": {"zh-hans": "年龄"}}
    aim = Aim(people=250, names=names)
    stored = json.loads(json.dumps(aim.to_json()))
    assert stored["labels"] == names
    assert Aim.from_json(stored) == aim
    # One object follows the language of the page, so that a paper in two languages needs no second one.
    for language, label in (("en", "affair"), ("zh-hans", "婚外情"), ("fr", "affair")):
        with translation.override(language):
            assert aim.labels == {"affair": label, "age": "年龄"}


def test_short_names_stored_without_a_language_are_in_the_first_one_of_the_survey() -> None:
    stored = Aim(people=250).to_json() | {"labels": {"age": "âge", "affair": {"en": "affair"}}}
    aim = Aim.from_json(stored)
    assert aim is not None
    for language in ("en", "fr"):
        with translation.override(language):
            assert aim.labels == {"age": "âge", "affair": "affair"}
    settled = names_by_language(aim.names, ["fr", "en"])
    assert settled == {"age": {"fr": "âge"}, "affair": {"en": "affair"}}
    # Saved again before its languages are known, it can still be read.
    assert Aim.from_json(aim.to_json()) == aim


@pytest.mark.parametrize(
    ("page", "languages", "entered_in"),
    [("en", ["en", "zh-hans"], "en"), ("zh-hans", ["en", "zh-hans"], "zh-hans"), ("en", ["fr"], "fr")],
)
def test_a_short_name_is_entered_in_the_language_of_the_page(
    page: str, languages: list[str], entered_in: str
) -> None:
    names = {"a": dict.fromkeys(("zh-hans", "fr", "en"), "old"), "b": {"en": "b"}}
    with translation.override(page):
        assert named_language(languages) == entered_in
        changed = with_entered_names(names, {"a": "new"}, languages)
        removed = with_entered_names(names, {"a": ""}, languages)
    assert changed == {**names, "a": {**names["a"], entered_in: "new"}}
    assert next(iter(changed["a"])) == languages[0]
    assert removed["a"] == {tag: "old" for tag in names["a"] if tag != entered_in}


def test_every_demonstration_question_has_a_short_name_in_each_language() -> None:
    document = definition()
    questions = [question["key"] for block in document["blocks"] for question in block["questions"]]
    assert questions == list(LABELS)
    for names in LABELS.values():
        assert list(names) == list(document["title"])
        assert all(0 < len(name) <= LONGEST_LABEL for name in names.values())
