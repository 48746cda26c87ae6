"""Options that exclude others by their wording."""

import pytest
from django.utils.translation import gettext, override

from surveys.questionnaire.exclusive_wordings import looks_exclusive, means_no_answer, means_none
from surveys.questionnaire.languages import respondent_languages
from surveys.respondent.block_words import block_words
from tests.fixtures.checked_surveys import codes, protected, several, survey_of, unprotected


@pytest.mark.parametrize(
    "text",
    [
        *("None of these", "none of the above", "Nothing", "I have none", "Never", "Don't know", "No answer"),
        *("Rather not say", "Prefer not to say", "以上都没有", "没有", "不愿回答"),
        *("No", "N/A", "I've never done this", "Did none of these", "I don’t remember", "All of the above"),
        *("Decline to answer", "以上皆無", "从来没有", "一项都没有", "记不清", "不想回答", "全部都是"),
    ],
)
def test_an_option_that_excludes_the_others_is_refused(text: str) -> None:
    question = several("means", "Pills", "Drops", text, unrelated=[5000] * 3, prevalence=[3000] * 3)
    assert ("exclusive_option", "blocks[0].questions[0].options[2]") in codes(protected("b", question))
    assert looks_exclusive({"en": text})
    assert not looks_exclusive({"en": "No helmet"})
    assert not looks_exclusive({"zh-hans": "没有戴头盔"})
    assert not looks_exclusive({"en": "None of my teachers knew"})
    assert not looks_exclusive({"zh-hans": "无证驾驶"})


@pytest.mark.parametrize(
    "text",
    [
        *(
            "None of these",
            "none of the above",
            "NONE OF THE ABOVE-MENTIONED.",
            "None of the options",
            "Nothing",
        ),
        *(
            "No, none of these",
            "I have done none of these",
            "None of the listed substances",
            "Never",
            "(none)",
        ),
        *(
            "Ｎｏｎｅ of these",
            "None of these…",
            "以上都没有",
            "以上都不是",
            "以上皆非",
            "以上皆無",
            "都不符合",
            "無",
        ),
        *("Ninguna de las anteriores", "Aucune de ces substances", "Keine davon", "Nenhuma das anteriores"),
        *("Nessuna di queste", "Geen van deze", "Żadne z powyższych", "Hiçbiri", "Ничего из перечисленного"),
        *("لا شيء مما سبق", "どれも当てはまらない", "해당 없음", "Không có điều nào ở trên", "इनमें से कोई नहीं"),
    ],
)
def test_an_option_that_means_none_replaces_that_of_the_page(text: str) -> None:
    """The page offers "None of these" itself. It must not appear twice, and must stand alone."""
    assert means_none({"en": text})
    question = several("means", "Pills", "Drops", text)
    definition = survey_of(unprotected("you", question))
    (asked,) = definition.wording["blocks"][0]["questions"]
    assert asked["none"] == question["options"][2]["key"]
    (words,) = block_words(definition.wording["blocks"][0], "en", definition.design)["questions"]
    assert words["none"] == 2


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Prefer not to say",
            "Don’t know",
            "All of the above",
            "Not applicable",
            "不愿回答",
            "记不清",
            "全部都是",
        ),
        *(
            "No helmet",
            "None of my teachers knew",
            "Nothing but trouble",
            "Drugs",
            "The drugs",
            "Kein Helm",
            "没有戴头盔",
        ),
    ],
)
def test_other_options_leave_the_offer_of_the_page(text: str) -> None:
    assert not means_none({"en": text})
    definition = survey_of(unprotected("you", several("means", "Pills", "Drops", text)))
    assert "none" not in definition.wording["blocks"][0]["questions"][0]


def test_no_answer_is_known_in_every_language_of_respondents() -> None:
    """ "Don't know" and the page's own "Prefer not to say"; an answer is not one of them."""
    words = {
        "ar": "لا أعرف", "de": "Weiß nicht", "en": "Don't know", "es": "No sabe", "fa": "نمی‌دانم",
        "fr": "Ne sait pas", "hi": "नहीं पता", "id": "Tidak tahu", "it": "Non so", "pl": "Nie wiem",
        "pt": "Não sei", "ru": "Затрудняюсь ответить", "sw": "Sijui", "tr": "Bilmiyorum",
        "zh-hans": "不知道", "zh-hant": "不確定",
    }  # fmt: skip
    assert set(words) == set(respondent_languages())
    for language, text in words.items():
        with override(language):
            own = gettext("Prefer not to say")
        assert means_no_answer({language: text}), text
        assert means_no_answer({language: own}), own
        assert not means_no_answer({language: f"{text} {text}x"})


@pytest.mark.parametrize("text", ["無回答", "不適用", "不願回答", "拒絕回答", "記不清楚", "想不起來"])
def test_no_answer_is_read_in_japanese_and_traditional_chinese(text: str) -> None:
    assert means_no_answer({"und": text})


def test_none_is_read_in_japanese() -> None:
    assert means_none({"ja": "該当なし"})
