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
from surveys.embed.frame import Around, frame_digest, frame_files, frame_promises
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.languages import direction_of, respondent_languages
from surveys.respondent.letters import card_texts, letters
from surveys.respondent.own_sentences import speaking
from surveys.respondent.poster import posters
from surveys.respondent.views import client_state
from tests.e2e.test_languages import OWN, english_in
from tests.fixtures.embed_frames import three
from tests.fixtures.runs import definition
from tests.fixtures.staff import seen_by

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


@pytest.mark.parametrize("tag", respondent_languages())
def test_a_survey_in_each_language_passes_all_pages_from_draft_to_letter(client: Client, tag: str) -> None:
    client.force_login(seen_by(User.objects.create_superuser("ana")))
    document = in_one(definition("work", policy="protected"), tag)
    survey = draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    for name in DRAFT:
        assert client.get(reverse(f"authoring:{name}", args=["work"])).status_code == 200, name
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
