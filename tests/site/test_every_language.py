"""A survey in each language of respondents: pages of its draft, publication, letters, poster and frame."""

import json
import re
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_publish
from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around
from surveys.embed.frame_promise import frame_digest, frame_promises
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.languages import direction_of, respondent_languages
from surveys.respondent.letters import letters
from surveys.respondent.poster import posters
from surveys.respondent.printed_card import card_texts
from surveys.respondent.speaking import speaking
from surveys.respondent.survey_state import client_state
from tests.e2e.test_languages import OWN, english_in
from tests.fixtures.embed_frames import three
from tests.fixtures.language_signs import sign_faults
from tests.fixtures.runs import definition
from tests.fixtures.staff import seen_by
from tests.site.test_forms_of_address import FIRST, without_third

pytestmark = pytest.mark.django_db

TEXTS: Final = {**OWN, "en": "Work", "zh-hans": "关于工作的问题"}
DRAFT: Final = ("builder", "preview", "plan", "readable", "publish", "export_json", "texts")


def in_one(document: dict[str, Any], tag: str) -> dict[str, Any]:
    """Return a survey in one language, whose texts each have a number of their own."""
    numbers = iter(range(1, 1000))

    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return {tag: f"{TEXTS[tag]} {next(numbers)}"}
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [tag]}


@pytest.mark.soak
@pytest.mark.parametrize("tag", respondent_languages())
@pytest.mark.few(
    "ar", "zh-hans", why="from the right; without blanks; tests of catalogues read the texts of all"
)
def test_a_survey_in_each_language_passes_all_pages_from_draft_to_letter(client: Client, tag: str) -> None:
    client.force_login(seen_by(User.objects.create_superuser("ana")))
    document = in_one(definition("work", policy="protected"), tag)
    survey = draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    for name in DRAFT:
        assert client.get(reverse(f"authoring:{name}", args=["work"])).status_code == 200, name
    tried = client.get(reverse("authoring:made_up", args=["work"])).content.decode()
    assert "share-said" in tried
    assert TEXTS[tag] in tried
    if tag not in ("en", "zh-hans"):
        assert client.get(reverse("authoring:sentences", args=["work", tag])).status_code == 200
    version = survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    for name in ("hand_out", "poster"):
        assert client.get(reverse(f"invite:{name}", args=["work"])).status_code == 200, name

    state = client_state(version.survey, language=tag, now=timezone.now())
    words = json.loads(state["words"])
    assert (state["state"], words["language"], words["direction"]) == ("open", tag, direction_of(tag))
    (letter,) = letters(version.survey, absolute="https://survey.example{}".format)
    (poster,) = posters(version.survey, absolute="https://survey.example{}".format)
    assert (letter.text_language, poster.text_language, letter.is_translated) == (tag, tag, True)
    with speaking(version.wording, tag):
        card = card_texts(TEXTS[tag], "https://survey.example", takes_turns=False)
    said = [letter.first, letter.reminder, *card.values()]
    said += [text for part in poster.parts for text in (part.heading, *part.sentences)]
    if tag != "en":
        assert [*english_in("\n".join(said), tag)] == []
    assert [*sign_faults("\n".join(said), tag)] == []


@pytest.mark.soak
@pytest.mark.parametrize("tag", respondent_languages())
def test_a_frame_in_each_language_is_whole_and_in_its_direction(tag: str) -> None:
    read = definition_parse(in_one(three(), tag))
    files = frame_files(
        read.design,
        read.wording,
        Around(hosts=("https://tool.example",)),
        digest=frame_digest(read),
        promises=frame_promises(read),
    )
    page = files["index.html"].decode()
    assert f'<html lang="{tag}" dir="{direction_of(tag)}">' in page
    said = re.sub(r"<(script|style|title)\b.*?</\1>|<[^>]*>", "\n", page, flags=re.DOTALL)
    if tag != "en":
        assert [*english_in(said, tag)] == []
    assert [*sign_faults(said, tag)] == []


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tag", "form", "pronoun"), [("de", "informal", r"\bdu\b"), ("zh-hans", "formal", "您")]
)
def test_a_frame_is_in_the_form_of_address_of_the_survey(tag: str, form: str, pronoun: str) -> None:
    found = []
    for formality in ({}, {"formality": {tag: form}}):
        read = definition_parse(in_one(three(), tag) | formality)
        files = frame_files(
            read.design,
            read.wording,
            Around(hosts=("https://tool.example",)),
            digest=frame_digest(read),
            promises=frame_promises(read),
        )
        found.append(without_third(tag, b"\n".join(files.values()).decode()))
    first, other = found
    assert re.search(FIRST[tag], first)
    assert re.search(pronoun, other)
    assert not re.search(FIRST[tag], other)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tag", "text", "fault"),
    [
        ("ar", "نعم, لا", "a Latin sign next to Arabic letters"),
        ("ar", "نعم ;لا", "a Latin sign next to Arabic letters"),
        ("fa", "آیا چنین است?", "a Latin sign next to Arabic letters"),
        ("fa", "“بله”", "quotation marks of another language"),
        ("hi", "यह ठीक है. आगे", "a Latin full stop after Hindi"),
        ("hi", "«हाँ»", "quotation marks of another language"),
        ("zh-hant", "傳送 ，完成", "a blank next to a full-width sign"),
        ("zh-hant", "傳送 完成", "a blank between Chinese characters"),
        ("zh-hant", "傳送: 完成", "a half-width sign after a Chinese character"),
        ("zh-hant", "“是”", "quotation marks of another language"),
        ("de", "“Ja”", "quotation marks of another language"),
        ("pl", '"Tak"', "quotation marks of another language"),
    ],
)
def test_a_sign_of_another_language_is_found(tag: str, text: str, fault: str) -> None:
    assert fault in {found.partition(":")[0] for found in sign_faults(text, tag)}


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("ar", "نعم، لا؛ «هل»؟ 1,000 crypto, subtle"),
        ("hi", "यह ठीक है। 3.5, “हाँ”?"),
        ("zh-hant", "傳送，完成。「是」（3 個）Sottovoce 的頁面"),
        ("de", "Ja, „nein“; so?"),
    ],
)
def test_signs_of_the_language_are_no_fault(tag: str, text: str) -> None:
    assert [*sign_faults(text, tag)] == []
