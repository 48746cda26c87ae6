"""A made-up language: all pages, letters, frames and errors for respondents consist of catalogue sentences.

Each sentence of the catalogue is written in Greek letters, with longer words. A Latin word that is left is
English that no catalogue can translate.
"""

import re
from typing import Any, Final

import pytest
from django.test import Client, RequestFactory
from django.utils.translation import override, trans_real

from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around
from surveys.questionnaire import languages
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.promise_words import stated_promises
from surveys.report.results.result_letter import result_letters
from surveys.respondent.letters import letters
from surveys.respondent.poster import posters
from surveys.respondent.printed_card import card_texts
from surveys.respondent.texts import instead_texts, texts_by_part
from surveys.server.error_pages import not_found, not_understood, outage_or_fault
from tests.fixtures.devices import published
from tests.fixtures.runs import SINGLES, definition, mined_run, planned_version
from tests.site.test_respondent_languages import PLACEHOLDER, respondent_texts

TAG: Final = "el"
"""Greek: a language with a name, and no catalogue."""
LATIN: Final = re.compile(r"[A-Za-z]{2,}")
NAMES: Final = {"Sottovoce"}
GREEK: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αβκδεφγηιξκλμνοπκρστυωωχυζΑΒΚΔΕΦΓΗΙΞΚΛΜΝΟΠΚΡΣΤΥΩΩΧΥΖ",
)
ADDRESS: Final = "https://example.org/s/"


def greek(text: str) -> str:
    """Write a text in Greek letters, with longer words; placeholders stay."""
    parts = PLACEHOLDER.split(text)
    between = [*PLACEHOLDER.findall(text), ""]
    longer = (re.sub(r"([a-z]{3})([a-z]{2})", r"\1aaa\2", part).translate(GREEK) for part in parts)
    return "".join(part + kept for part, kept in zip(longer, between, strict=True))


@pytest.fixture(autouse=True)
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a catalogue of made-up sentences."""
    found: Any = trans_real.DjangoTranslation(TAG)
    catalogue: dict[Any, str] = {}
    for context, text in respondent_texts():
        one, other = (text, text) if isinstance(text, str) else text
        key = one if context is None else f"{context}\x04{one}"
        catalogue |= {key: greek(one), (key, 0): greek(one), (key, 1): greek(other)}
    merged: Any = trans_real.TranslationCatalog()
    merged._catalogs, merged._plurals = [catalogue], [lambda count: int(count != 1)]
    found._catalog, found._fallback = merged, None
    monkeypatch.setitem(vars(trans_real)["_translations"], TAG, found)
    tags = (*languages.respondent_languages(), TAG)
    monkeypatch.setattr(languages, "respondent_languages", lambda: tags)


def in_greek(document: dict[str, Any]) -> dict[str, Any]:
    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return {TAG: "Ερώτηση"}
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [TAG]}


def english_in(text: str) -> set[str]:
    return {*LATIN.findall(PLACEHOLDER.sub("", re.sub(r"https?:\S+", "", text)))} - NAMES


def visible(page: str) -> str:
    """Return the text of a page without its scripts, styles and elements."""
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    labels = " ".join(re.findall(r'(?:aria-label|alt|title)="([^"]*)"', page))
    return f"{re.sub(r'<[^>]*>', ' ', page)} {labels}"


def test_all_texts_of_the_client_come_from_the_catalogue() -> None:
    with override(TAG):
        parts = {**texts_by_part(), **instead_texts()}
    left = {
        key: found for texts in parts.values() for key, text in texts.items() if (found := english_in(text))
    }
    assert left == {}


@pytest.mark.django_db
def test_letters_cards_and_posters_come_from_the_catalogue() -> None:
    version = published(in_greek(definition("greek", policy="protected")))
    (letter,) = letters(version.survey, absolute=lambda path: f"https://example.org{path}")
    (poster,) = posters(version.survey, absolute=lambda path: f"https://example.org{path}")
    assert letter.text_language == poster.text_language == TAG
    said = [sentence for part in poster.parts for sentence in (part.heading, *part.sentences)]
    with override(TAG):
        cards = [
            text
            for takes_turns in (True, False)
            for text in card_texts("Α", ADDRESS, takes_turns=takes_turns).values()
        ]
    assert english_in("\n".join([letter.first, letter.reminder, *said, *cards])) == set()


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", [("late", "cheat"), ("drink",)])
@pytest.mark.few("wanted1", why="the others execute nothing more")
def test_letters_with_results_and_their_pictures_come_from_the_catalogue(wanted: tuple[str, ...]) -> None:
    document = in_greek(definition("greek"))
    run = mined_run(planned_version(Aim(people=900, wanted=wanted), 900, document=document), SINGLES)
    (letter,) = result_letters(run)
    assert letter.text_language == TAG
    assert english_in("\n".join([*letter.sentences, visible(str(letter.drawing))])) == set()


@pytest.mark.django_db
def test_frames_come_from_the_catalogue() -> None:
    document = definition("greek", policy="protected")
    document["blocks"] = [next(block for block in document["blocks"] if block["protected"])]
    version = published(in_greek(document))
    files = frame_files(
        version.to_design(),
        version.wording,
        Around(hosts=("https://tool.example",)),
        digest="0" * 64,
        promises=stated_promises(version),
        practice=True,
    )
    page = files["index.html"].decode()
    assert f'<html lang="{TAG}"' in page
    assert english_in(visible(page)) == set()


def test_error_pages_come_from_the_catalogue() -> None:
    request = RequestFactory().get("/nothing", headers={"accept-language": TAG})
    pages = [not_found(request, Exception()), not_understood(request, Exception()), outage_or_fault(request)]
    for page in pages:
        assert english_in(visible(page.content.decode())) == set()
    assert Client(headers={"accept-language": TAG}).get("/nothing").status_code == 404


@pytest.mark.soak
def test_an_english_word_is_found() -> None:
    assert english_in(greek("Leave this page {now}")) == set()
    assert english_in(f"{greek('Leave this')} page") == {"page"}
