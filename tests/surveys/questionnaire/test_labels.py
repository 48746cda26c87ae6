from typing import Any

import pytest
from django.utils.translation import override

from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.labels import labels_of, question_names
from surveys.questionnaire.languages import direction_of, known_languages, language_of
from tests.fixtures import devices
from tests.fixtures.devices import shipped_definition
from tests.fixtures.runs import published


@pytest.mark.django_db
def test_items_are_named_by_question_and_option() -> None:
    version = published()
    labels = labels_of(version, version.to_design())
    assert labels.short((1, 2)) == "age: 40 or older, late"
    assert labels.keys((1, 2)) == "age=old & late"
    assert [item.protected for item in labels.items] == [False, False, True, True, True]
    assert labels.items[1].text == "How old are you?"
    assert labels.choices()[4] == (4, "drink")
    with override("zh-hans"):
        assert labels_of(version, version.to_design()).short((1, 2)) == "age：40 or older、late"


@pytest.mark.django_db
def test_names_show_the_question_text_and_its_answers() -> None:
    version = published()
    names = question_names(version, version.to_design())
    assert [name.key for name in names[:2]] == ["age", "late"]
    assert (names[0].text, names[0].answers) == (
        "How old are you?",
        (("age=young", "Below 40"), ("age=old", "40 or older")),
    )
    assert (names[1].text, names[1].answers) == ("Are you often late?", (("late", "yes"),))


@pytest.mark.django_db
def test_unnamed_questions_are_labelled_by_their_text() -> None:
    """Readers of a report could not understand ``question-5 -> question-3``."""
    texts = {
        "question-1": "Have you kept a mistake of your own to yourself in the past year?",
        "question-2": "Did you sleep badly?",
        "question-3": "Did you sleep badly?",
        "thirst": "Are you thirsty?",
    }
    questions = [
        {
            "key": key,
            "kind": "yes_no",
            "known": False,
            "text": {"en": text, "zh-hans": text},
            "unrelated": [5000],
            "prevalence": [2000],
        }
        for key, text in texts.items()
    ]
    blocks = [shipped_definition()["blocks"][1] | {"key": "all", "questions": questions}]
    version = devices.published(shipped_definition(slug="unnamed", blocks=blocks))
    labels = labels_of(version, version.to_design())
    assert [item.short for item in labels.items] == [
        "Have you kept a mistake of your own to…",
        "Did you sleep badly (question-2)",
        "Did you sleep badly (question-3)",
        "thirst",
    ]
    # Files and commands still use the keys.
    assert labels.keys((0, 3)) == "question-1 & thirst"


def in_languages(languages: Any, extra: str | None = None) -> dict[str, Any]:
    """Return the example with declared languages, optionally with every text in one more."""

    def add(part: Any) -> Any:
        if isinstance(part, list):
            return [add(entry) for entry in part]
        if isinstance(part, dict) and "en" in part and isinstance(part["en"], str):
            return {**part, extra: f"{extra}: {part['en']}"} if extra else part
        return {name: add(value) for name, value in part.items()} if isinstance(part, dict) else part

    return {**add(shipped_definition()), "languages": languages}


def problems(document: object) -> dict[str, str]:
    return {problem.path: problem.message for problem in definition_read(document).problems}


@pytest.mark.parametrize("tag", ["ar", "he", "fa-ir", "pt-br", "sr-latn", "de-1996", "zh-hant-hk"])
def test_surveys_accept_any_language_with_a_tag(tag: str) -> None:
    definition = definition_parse(in_languages([tag, "en", "zh-hans"], tag))
    assert definition.languages == (tag, "en", "zh-hans")
    assert definition.wording["languages"] == [tag, "en", "zh-hans"]
    assert definition.wording["blocks"][0]["questions"][1]["text"][tag].startswith(tag)


def test_surveys_need_not_use_a_language_of_the_interface() -> None:
    document = in_languages(["ar"], "ar")
    found = problems(document)
    assert found["title.en"] == "the survey is not in this language"
    assert "title.ar" not in found


def test_a_missing_translation_is_reported_at_its_place() -> None:
    document = in_languages(["en", "zh-hans", "ar"], "ar")
    del document["blocks"][1]["questions"][0]["text"]["ar"]
    document["about"]["help"]["ar"] = " "
    assert set(problems(document)) == {"blocks[1].questions[0].text.ar", "about.help.ar"}


@pytest.mark.parametrize(
    ("languages", "path", "says"),
    [
        ("en", "languages", "not a list"),
        ([], "languages", "no language"),
        (["en", "en", "zh-hans"], "languages[1]", "occurs twice"),
        (["en", "zh-hans", "zh-Hant"], "languages[2]", "not a language tag"),
        (["en", "zh-hans", "x"], "languages[2]", "not a language tag"),
        (["en", "zh-hans", 3], "languages[2]", "not a language tag"),
        (["en", "zh-hans", "de_DE"], "languages[2]", "not a language tag"),
        ([f"a{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"], "languages", "26 entries"),
    ],
)
def test_invalid_languages_are_refused(languages: Any, path: str, says: str) -> None:
    assert says in problems(in_languages(languages))[path]


def test_wordings_omit_unstated_languages() -> None:
    assert "languages" not in definition_parse(shipped_definition()).wording


def test_block_help_is_part_of_the_wording_and_must_be_translated() -> None:
    document = shipped_definition()
    plain = definition_parse(document)
    document["blocks"][0]["help"] = {"en": "About your work.", "zh-hans": "关于您的工作。"}
    helped = definition_parse(document)
    assert helped.wording["blocks"][0]["help"]["en"] == "About your work."
    assert "help" not in plain.wording["blocks"][0]
    assert helped.design == plain.design
    assert helped.wording_id != plain.wording_id
    del document["blocks"][0]["help"]["en"]
    assert set(problems(document)) == {"blocks[0].help.en"}


def test_the_script_overrides_the_language_for_text_direction() -> None:
    assert direction_of("ku-arab") == "rtl"
    assert direction_of("ar-latn") == "ltr"


def test_language_choices_start_with_the_interface_languages() -> None:
    tags = [language.tag for language in known_languages()]
    assert tags[:2] == ["en", "zh-hans"]
    assert len(tags) == len(set(tags))
    assert {"ar", "de", "fr", "he"} <= set(tags)
    assert language_of("tlh").name == "tlh"
