"""A survey's own sentences: in documents, letters and frames, and covered by the digest."""

import json
from typing import Any

import pytest
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from surveys.authoring.lifecycle import survey_close
from surveys.questionnaire.definition import definition_parse
from surveys.respondent.client_documents import build_documents, documents_of
from surveys.respondent.letters import letters
from surveys.respondent.poster import posters
from surveys.respondent.sheet_sentences import now_in, sentences_of, stated_sentences
from surveys.respondent.speaking import speaking
from surveys.respondent.survey_state import client_state
from tests.fixtures.devices import published, survey_of
from tests.fixtures.runs import definition


def in_languages(*tags: str, slug: str = "own") -> dict[str, Any]:
    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return dict.fromkeys(tags, "…")
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(definition(slug, policy="protected")), "languages": [*tags]}


def key_of(english: str, category: str = "") -> str:
    (key,) = {
        each.key for each in sentences_of("ru") if each.english == english and each.category == category
    }
    return key


def corrected(tag: str, texts: dict[str, str]) -> dict[str, Any]:
    return {"format": 1, "languages": {tag: stated_sentences(texts, tag)}}


START = "Start"
INVITED = "You are invited to answer “%(title)s”."


def test_a_correction_is_spoken_and_everything_else_is_the_catalogue() -> None:
    own = corrected(
        "de", {key_of(START): "Los", key_of("{questions} questions", "other"): "{questions} Stück"}
    )
    with speaking({"sentences": own}, "de"):
        assert gettext(START) == "Los"
        assert gettext("Prefer not to say") == "Keine Angabe"
        assert pgettext("mark of a question", "Disguised") == "Verfremdet"
        assert ngettext("One question", "{questions} questions", 5) == "{questions} Stück"
        assert ngettext("One question", "{questions} questions", 1) == "Eine Frage"
    with speaking({}, "de"):
        assert gettext(START) != "Los"


def test_a_correction_reaches_the_clients_document_and_its_digest() -> None:
    document = in_languages("de")
    roots = set()
    for sentences in (None, corrected("de", {key_of(START): "Los"}), corrected("de", {key_of(START): "Auf"})):
        read = definition_parse(document | ({} if sentences is None else {"sentences": sentences}))
        documents = build_documents(
            read.design, read.wording, survey="own", practice=False, by_invitation=False
        )
        words = json.loads(documents.words["de"])
        roots.add(documents.root)
        if sentences is not None:
            (text,) = {*words["sentences"]["texts"].values()}
            assert text in ("Los", "Auf")
            assert words["sentences"]["texts"] == {"start": text}
        else:
            assert "sentences" not in words
    assert len(roots) == 3


@pytest.mark.soak
@pytest.mark.django_db
def test_letters_and_posters_have_the_corrections() -> None:
    heading = "Where can you ask?"
    texts = {key_of(INVITED): "Kommen Sie: %(title)s", key_of(heading): "Fragen?"}
    version = published(in_languages("de") | {"sentences": corrected("de", texts)})
    (letter,) = letters(version.survey, absolute=str)
    (poster,) = posters(version.survey, absolute=str)
    assert letter.first.startswith("Kommen Sie: …")
    assert poster.parts[-1].heading == "Fragen?"


@pytest.mark.soak
@pytest.mark.django_db
def test_a_further_language_is_spoken_throughout_with_all_its_sentences() -> None:
    texts = {each.key: f"Ж{each.english}" for each in sentences_of("ha")}
    version = published(in_languages("ha") | {"sentences": corrected("ha", texts)})
    assert version.wording["sentences"]["languages"]["ha"]["lacks"] == 0
    (letter,) = letters(version.survey, absolute=str)
    assert letter.text_language == "ha"
    assert letter.is_translated
    paragraphs = [part for part in letter.first.split("\n\n") if part not in ("…", "Ж…")]
    assert all(part.startswith("Ж") for part in paragraphs)


DU = {"formality": {"de": "informal"}}
CHECK = "Check your answers"


@pytest.mark.soak
def test_the_other_form_of_address_is_spoken_with_corrections_before_it() -> None:
    with speaking(DU, "de"):
        assert gettext(CHECK) == "Prüfe deine Antworten"
        assert gettext("Prefer not to say") == "Keine Angabe"
        assert ngettext("You will see one question.", "You will see {count} questions.", 1) == (
            "Du wirst eine Frage sehen."
        )
        assert ngettext("You will see one question.", "You will see {count} questions.", 2) == (
            "Du wirst {count} Fragen sehen."
        )
        assert ngettext("One question", "{questions} questions", 1) == "Eine Frage"
    own = {"format": 1, "languages": {"de": stated_sentences({key_of(CHECK): "Sieh nach"}, "de", DU)}}
    assert own["languages"]["de"]["texts"] == {"whole_continue": "Sieh nach"}
    with speaking(DU | {"sentences": own}, "de"):
        assert gettext(CHECK) == "Sieh nach"
        assert gettext("Your answers") == "Deine Antworten"
    with speaking({}, "de"):
        assert gettext(CHECK) == "Prüfen Sie Ihre Antworten"
    now = {each.english: text for each, text in now_in(DU, "de")}
    assert now[CHECK] == "Prüfe deine Antworten"
    assert now["Prefer not to say"] == "Keine Angabe"


@pytest.mark.soak
@pytest.mark.django_db
def test_letters_posters_and_documents_are_in_the_other_form() -> None:
    version = published(
        in_languages("de", "zh-hans") | {"formality": {"de": "informal", "zh-hans": "formal"}}
    )
    german, chinese = letters(version.survey, absolute=str)
    assert german.first.startswith("Du bist eingeladen")
    assert "您" in chinese.first
    assert "你" not in chinese.first
    for poster, stem in zip(posters(version.survey, absolute=str), ("dein", "您"), strict=True):
        text = " ".join(f"{part.heading} {part}" for part in poster.parts)
        assert stem in text
        assert not any(word in text for word in ("Ihre ", "Ihr ", "你"))
    plain = published(in_languages("de", slug="plain"))
    words = json.loads(documents_of(version).words["de"])
    assert words["formality"] == "informal"
    assert "formality" not in json.loads(documents_of(plain).words["de"])


@pytest.mark.django_db
def test_a_survey_that_is_not_open_yet_states_the_sentences_of_that_page_only() -> None:
    sentences = corrected(
        "de", {key_of("This survey is not open yet"): "Noch zu", key_of(START): "Los zur Umfrage über Drogen"}
    )
    document = in_languages("de", "fr") | {"sentences": sentences, "formality": {"de": "informal"}}
    version = published(document | {"opens_at": "2099-12-01T08:00", "time_zone": "Europe/Berlin"})
    now = timezone.now()
    state = client_state(version.survey, language="de", now=now)
    assert json.loads(state["words"]) == {
        "language": "de",
        "direction": "ltr",
        "formality": "informal",
        "sentences": {"texts": {"planned_title": "Noch zu"}, "instead": {}},
    }
    assert "Drogen" not in json.dumps(state, ensure_ascii=False)
    assert "words" not in client_state(version.survey, language="fr", now=now)


@pytest.mark.django_db
def test_a_closed_survey_states_its_documents_only_if_they_say_how_to_speak() -> None:
    for slug, changes in (("plain", {}), ("formed", {"formality": {"de": "informal"}})):
        version = published(in_languages("de", slug=slug) | changes)
        survey_close(survey_of(version), by="alice", now=timezone.now())
        state = client_state(survey_of(version), language="de", now=timezone.now())
        assert state["state"] == "closed"
        assert ("definition" in state, "words" in state) == (bool(changes), bool(changes))
