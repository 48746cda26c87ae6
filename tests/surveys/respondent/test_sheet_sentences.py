"""The sheet of sentences that respondents read: names, plural forms, and what is missing."""

from surveys.respondent.sheet_sentences import now_in, sentences_of, stated_sentences


def test_every_sentence_has_its_own_name_and_plural_forms_of_the_language() -> None:
    keys = [each.key for each in sentences_of("ar")]
    assert len(keys) == len({*keys}) > 450
    assert {each.category for each in sentences_of("ar")} == {
        "",
        "zero",
        "one",
        "two",
        "few",
        "many",
        "other",
    }
    german = {each.english: text for each, text in now_in({}, "de") if not each.category}
    assert german["Prefer not to say"] == "Keine Angabe"
    assert {text for each, text in now_in({}, "ha")} == {""}
    russian = {
        each.category: text for each, text in now_in({}, "ru") if "{questions} questions" in each.english
    }
    assert russian["few"] == "{questions} вопроса"


def test_what_is_missing_of_promise_and_skips_is_counted() -> None:
    assert stated_sentences({}, "ha")["lacks"] > 20
    assert stated_sentences({}, "de")["lacks"] == 0
