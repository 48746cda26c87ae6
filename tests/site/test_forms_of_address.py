"""The other form of address of each language: complete, consistent, and with the same placeholders."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

import polib
import pytest
from django.utils.translation import to_locale

from surveys.questionnaire.formality import FORMS, forms_of
from surveys.questionnaire.languages import respondent_languages
from tests.site.test_respondent_languages import PLACEHOLDER

ROOT: Final = Path(__file__).resolve().parents[2] / "locale"
Key = tuple[str | None, str]
LANGUAGES: Final = [tag for tag in respondent_languages() if forms_of(tag)]
# How a sentence addresses its reader in the first form. Where words are ambiguous, those in THIRD are about
# someone or something else.
FIRST: Final = {
    "de": r"\b(Sie|Ihr|Ihre[mnrs]?|Ihnen)\b",
    "es": r"(?i)\b(usted|sus?|suy[oa]s?|abra|cierre|escriba|elija|inténtelo|vuelva|marque|responda|introduzca"
    r"|avise|pregunte|muestre)\b|(?-i:\bPuede (?!que|significar))",
    "fr": r"(?i)\b(vous|votre|vos|vôtres?)\b|\b\w{3,}ez\b",
    "it": r"\b(Lei|Su[aeo]|Suoi)\b|\bPuò (?:anche|chiud|lasc|scegl|smett)"
    r"|(?i:\b(apra|chiuda|riprovi|scelga|scriva|ricarichi|inserisca|chieda|mostri|avvisi)\b)",
    "id": r"\bAnda\b",
    "ru": r"(?i)\b(вы|вас|вам|вами|ваш|ваш[аеиу]|ваше[гй]о?|вашем|вашему|вашими?|ваших"
    r"|откройте|введите|выберите|попробуйте|обновите|сообщите|закройте)\b",
    "tr": r"(?i)\b(siz|sizin|size|sizi|sizden)\b|\b(?!hen[uü]z|önizle)\w*[aeıiouöü]n[ıiuü]z\w*"
    r"|\b(?:deneyin|yükleyin|girin|seçin|yazın|açın)\b",
    "zh-hans": "你",
    "zh-hant": "您",
}
OTHER: Final = {
    "de": r"(?i)\b(du|dein|deine[mnrs]?|dir|dich)\b",
    "es": r"(?i)\b(tú|ti|tus?|tuy[oa]s?|te|inténtalo)\b",
    "fr": r"(?i)\b(tu|toi|ton|ta|tes|tien|tiennes?|te|t’\w+)\b",
    "it": r"(?i)\b(tu|tu[aeo]|tuoi|ti|te|apri|scrivi|scegli)\b",
    "id": r"(?i)\bkamu\b",
    "ru": r"(?i)\b(ты|тебя|тебе|тобой|твой|тво[яеёию]|твоего|твоей|твоём|твоих|твоим)\b",
    "tr": r"(?i)\b(sen|sana|seni|senin|senden)\b",
    "zh-hans": "您",
    "zh-hant": "你",
}
THIRD: Final = {
    "de": (
        "Sie öffnet am",
        "Sie nimmt keine Antworten",
        "Sie verrät",
        "Sie kommt von",
    ),
    # Of the survey, of its closing, and of chance; "assez", and a device's total.
    "es": ("de su diseño", "al cierre", "solo muestre"),
    "fr": ("chez",),
}
# Chinese changes one character; a sentence that also needs other words would be listed here.
REPLACED: Final = {"zh-hans": ("你", "您"), "zh-hant": ("您", "你")}


def sentences(tag: str, name: str) -> dict[Key, tuple[str, ...]]:
    """Return the texts of a catalogue, one for each plural form, by context and English sentence."""
    file = polib.pofile(str(ROOT / to_locale(tag) / "LC_MESSAGES" / f"{name}.po"))
    return {
        (entry.msgctxt, entry.msgid): tuple(entry.msgstr_plural.values()) or (entry.msgstr,) for entry in file
    }


def pairs(tag: str) -> list[tuple[str, str]]:
    """Return each text that respondents read in the first form, with the one in the other form."""
    forms = forms_of(tag)
    assert forms is not None
    respondents = sentences("de", "django")
    first, other = sentences(tag, "django"), sentences(tag, forms.other)
    return [pair for key in respondents for pair in zip(first[key], other.get(key, first[key]), strict=True)]


def without_third(tag: str, text: str) -> str:
    for phrase in THIRD.get(tag, ()):
        text = text.replace(phrase, "")
    return text


def test_each_other_form_has_patterns_here() -> None:
    found = {path.parts[-3] for form in FORMS for path in ROOT.glob(f"*/LC_MESSAGES/{form}.po")}
    assert found == {to_locale(tag) for tag in LANGUAGES}
    assert {*LANGUAGES} == {*FIRST} == {*OTHER}
    assert {"de", "zh-hans", "zh-hant"} <= {*LANGUAGES}


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_other_form_has_only_sentences_of_the_first_and_all_of_them_differ(tag: str) -> None:
    forms = forms_of(tag)
    assert forms is not None
    first, other = sentences(tag, "django"), sentences(tag, forms.other)
    assert other.keys() <= sentences("de", "django").keys()
    assert [key for key, texts in other.items() if texts == first[key]] == []
    assert [key for key, texts in other.items() if not all(texts)] == []
    assert len(other) > 90


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_sentence_that_addresses_its_reader_is_in_the_other_form(tag: str) -> None:
    for first, other in pairs(tag):
        left = re.findall(FIRST[tag], without_third(tag, other))
        assert left == [], other
        addressed = re.search(FIRST[tag], without_third(tag, first))
        assert not addressed or first != other, first


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_first_form_has_no_word_of_the_other(tag: str) -> None:
    assert [first for first, _other in pairs(tag) if re.search(OTHER[tag], first)] == []


@pytest.mark.parametrize("tag", LANGUAGES)
def test_both_forms_have_the_same_placeholders_signs_and_about_the_same_length(tag: str) -> None:
    for first, other in pairs(tag):
        assert Counter(PLACEHOLDER.findall(first)) == Counter(PLACEHOLDER.findall(other)), other
        assert re.findall(r"[.:!?。：！？\d\u00a0%]", first) == re.findall(
            r"[.:!?。：！？\d\u00a0%]", other
        ), other
        assert abs(len(first) - len(other)) <= 12 + len(first) // 6, other


@pytest.mark.parametrize("tag", [*REPLACED])
def test_chinese_differs_in_one_character(tag: str) -> None:
    assert [other for first, other in pairs(tag) if first.replace(*REPLACED[tag]) != other] == []


def test_the_patterns_find_a_sentence_that_was_forgotten() -> None:
    assert re.findall(FIRST["de"], "Prüfen Sie deine Antworten") == ["Sie"]
    assert re.findall(OTHER["de"], "Prüfe Deine Antworten") == ["Deine"]
    assert re.findall(FIRST["de"], without_third("de", "Sie öffnet am 3. Mai. Fragen Sie.")) == ["Sie"]
