"""Definition and words are served by digest, which covers everything that respondents are asked."""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.risk.amplification import promise
from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Survey, Version
from surveys.questionnaire.definition import definition_parse
from surveys.respondent.client_documents import Documents, build_documents, documents_of
from surveys.respondent.survey_digests import digest_in_print
from tests.fixtures.devices import explained, published, shipped_definition, survey_of, wide_definition
from tests.fixtures.invitations import invited
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

SPOKEN = ("en", "zh-hans")


def sha256(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def state_of(slug: str = "work", language: str = "en") -> dict[str, Any]:
    said: dict[str, Any] = Client().get(f"/client/surveys/{slug}?language={language}").json()
    return said


def republished(version: Version, change: Callable[[dict[str, Any]], object]) -> Version:
    """Publish the survey again with a change."""
    document = json.loads(json.dumps(survey_of(version).definition))
    change(document)
    survey = survey_import(document, by="alice")
    return survey_publish(
        survey, by="alice", now=timezone.now(), reason="Made for a test.", is_readable_seen=True
    )


def made(document: dict[str, Any], **key: Any) -> Documents:
    parsed = definition_parse(explained(document))
    named = {"survey": parsed.slug, "practice": parsed.practice, "by_invitation": False} | key
    return build_documents(parsed.design, parsed.wording, **named)


@pytest.mark.parametrize("language", SPOKEN)
def test_the_state_contains_the_documents_that_match_its_digests(language: str) -> None:
    published(shipped_definition(slug="work"))
    state = state_of(language=language)
    assert (state["state"], state["versions"]) == ("open", [state["root"]])
    assert sha256(state["definition"]) == state["root"]
    words = json.loads(state["definition"])["words"]
    assert list(words) == [each["tag"] for each in state["languages"]] == list(SPOKEN)
    assert sha256(state["words"]) == words[language]
    for below, digest, text in (
        ("definitions", state["root"], state["definition"]),
        ("words", words[language], state["words"]),
    ):
        response = Client().get(f"/client/{below}/{digest}")
        assert response.content == text.encode()
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.headers["Content-Type"] == "application/json; charset=utf-8"
        assert not response.cookies


def test_documents_use_one_canonical_json_form() -> None:
    published(shipped_definition(slug="work"))
    for text in (state_of()["definition"], state_of(language="zh-hans")["words"]):
        assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text


def test_documents_contain_the_published_survey_in_every_language() -> None:
    version = published(wide_definition())
    documents = documents_of(version)
    definition = json.loads(documents.definition)
    assert definition["design"] == version.to_design().to_json()
    assert definition["key"]["design_id"] == version.design_id
    assert sorted(definition["words"]) == sorted(documents.words)
    assert definition["key"]["whole"] == promise(version.to_design()).to_json()
    for tag, text in documents.words.items():
        words, title = json.loads(text), version.wording["title"]
        assert (words["language"], words["title"]) == (tag, title[tag])
        told = [[question["text"] for question in block["questions"]] for block in words["blocks"]]
        asked = [
            [question["text"][tag] for question in block["questions"]] for block in version.wording["blocks"]
        ]
        assert told == asked


def _question(document: dict[str, Any]) -> dict[str, Any]:
    return next(block for block in document["blocks"] if block["protected"])["questions"][0]  # type: ignore[no-any-return]


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a question's text": lambda document: _question(document)["text"].update(en="Another?"),
    "a question's text in the other language": lambda document: _question(document)["text"].update(
        {"zh-hans": "另一个？"}
    ),
    "a stated prevalence": lambda document: _question(document).update(prevalence=[1234]),
    "the chance of the truth": lambda document: document["blocks"][1].update(truth_probability=9_000),
    "who asks": lambda document: document["about"]["researcher"].update(en="Somebody else"),
    "the title": lambda document: document["title"].update(en="Another survey"),
    "a way back to a panel": lambda document: document.update(panel="https://panel.example/?{id}"),
    "the survey's name": lambda document: document.update(slug="other"),
    "practice": lambda document: document.update(practice=True),
}


@pytest.mark.parametrize("name", CHANGES)
def test_everything_a_device_shows_or_does_changes_the_root_digest(name: str) -> None:
    """A server that changes any one thing cannot keep the digest in the letter."""
    document = shipped_definition(slug="work")
    before = made(document).root
    CHANGES[name](document)
    assert made(document).root != before


def test_the_root_digest_covers_access_by_code_but_not_page_texts() -> None:
    document = shipped_definition(slug="work")
    assert made(document).root != made(document, by_invitation=True).root
    assert b"Who can see my answers" not in made(document).words["en"]


def test_root_digests_printed_in_letters_survive_new_releases() -> None:
    """These digests are from the first release that had them; if they changed, printed letters would fail."""
    yes_no = {"kind": "yes_no", "unrelated": [5000], "prevalence": [1000]}

    def both(text: str) -> dict[str, str]:
        return {"en": text, "ar": f"{text}؟"}

    document = {
        "sotto": 1,
        "slug": "pinned",
        "languages": ["en", "ar"],
        "title": both("Pinned"),
        "practice": False,
        "about": {key: both(key) for key in shipped_definition()["about"]},
        "group": {"policy": "protected"},
        "blocks": [
            {
                "key": "b",
                "protected": True,
                "truth_probability": 5000,
                "title": both("Part"),
                "exclusive": [["one", "two"]],
                "questions": [
                    {"key": key, "text": both(f"Is it {key}?"), **yes_no} for key in ("one", "two")
                ],
            }
        ],
    }
    assert made(document).root == "d39d0dd469f917c5db52111435726cf5b5bcc374f318b17fc8f171f8c0830153"


def test_a_draft_has_the_digest_of_its_published_version() -> None:
    document = shipped_definition(slug="work")
    assert made(document).root == documents_of(published(document)).root


def test_older_versions_keep_their_urls_and_equal_texts_their_digests() -> None:
    version = published(shipped_definition(slug="work"))
    first = state_of()["root"]
    title = survey_of(version).title["en"]
    republished(version, lambda document: document["title"].update(en="Another title"))
    state = state_of()
    assert state["versions"] == [state["root"], first]
    assert json.loads(state["words"])["title"] == "Another title"
    older = json.loads(Client().get(f"/client/definitions/{first}").content)
    words = json.loads(Client().get(f"/client/words/{older['words']['en']}").content)
    assert words["title"] == title
    republished(version, lambda document: document["title"].update(en=title))
    assert state_of()["versions"] == [first, state["root"]]


@pytest.mark.parametrize("digest", ["0" * 64, "0" * 63, "Z" * 64, "../work", "%00"])
def test_unknown_digests_return_an_uncached_404(digest: str) -> None:
    published(shipped_definition(slug="work"))
    for below in ("definitions", "words"):
        response = Client().get(f"/client/{below}/{digest}")
        assert response.status_code == 404
    assert Client().get(f"/client/words/{'0' * 64}").headers["Cache-Control"] == "no-store"


def test_an_unavailable_language_falls_back_to_the_first_of_the_survey() -> None:
    published(shipped_definition(slug="work"))
    for language in ("fr", "", "x" * 5_000):
        assert json.loads(state_of(language=language)["words"])["language"] == "en"


def test_drafts_look_missing_and_planned_surveys_show_their_opening() -> None:
    """This also holds for requests by digest, because letters may be printed earlier."""
    survey_import(shipped_definition(slug="draft"), by="alice")
    planned = published(
        shipped_definition(slug="planned", opens_at="2099-12-01T08:00", time_zone="Europe/Berlin")
    )
    answers = [Client().get(f"/client/surveys/{slug}") for slug in ("draft", "nowhere")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content == b'{"state":"missing"}'
    assert state_of("planned") == {
        "survey": "planned",
        "state": "planned",
        "time_zone": "Europe/Berlin",
        "opens": "2099-12-01T08:00",
    }
    assert Client().get(f"/client/definitions/{documents_of(planned).root}").status_code == 404
    Survey.objects.filter(slug="planned").update(state=Survey.State.OPEN)
    assert Client().get(f"/client/definitions/{documents_of(planned).root}").status_code == 200


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.few("False", why="the others execute nothing more")
def test_closed_surveys_report_late_answers_and_keep_documents(at_once: bool) -> None:
    version = published(shipped_definition(slug="work"))
    survey_close(survey_of(version), by="alice", now=timezone.now(), at_once=at_once)
    state = state_of()
    assert (state["state"], state["takes_late"]) == ("closed", not at_once)
    assert "definition" not in state
    assert Client().get(f"/client/definitions/{state['root']}").status_code == 200


def test_an_invitation_survey_is_marked_in_its_state_and_root_digest() -> None:
    version = invited()
    state = state_of()
    assert state["by_invitation"] is json.loads(state["definition"])["key"]["by_invitation"] is True
    assert documents_of(version).root == state["root"]


def test_the_state_is_uncached_and_identical_for_all_clients() -> None:
    published(shipped_definition(slug="work"))
    answers = [
        Client().get("/client/surveys/work", headers=headers)
        for headers in ({}, {"User-Agent": "another"}, {"Accept-Language": "zh"})
    ]
    assert len({answer.content for answer in answers}) == 1
    for answer in answers:
        assert answer.headers["Cache-Control"] == "no-store"
        assert not answer.cookies
        assert "Cookie" not in answer.headers.get("Vary", "")


@pytest.mark.django_db
def test_staff_boards_and_respondents_see_the_same_digest_as_the_draft() -> None:
    document = shipped_definition(slug="work")
    survey_import(explained(document), by="alice")
    client = browser_of("adam", Role.ADMINISTRATOR)

    def texts(*paths: str) -> list[str]:
        return [client.get(f"/en/staff/surveys/work/{path}").content.decode() for path in paths]

    (risk,) = texts("risk/")
    before = re.findall(r'<code class="digest">([^<]+)</code>', risk)
    assert "This code identifies these exact questions." in risk
    version = published(document)
    printed = digest_in_print(documents_of(version).root)
    assert before == [printed]
    for text in texts("", "risk/", "hand-out/"):
        assert printed in text
    sent = client.post("/en/staff/surveys/work/documents/", {"kind": "ethics"}).content
    with zipfile.ZipFile(io.BytesIO(sent)) as pack:
        assert f"as printed in letters | {printed} |" in pack.read("README.md").decode()
        assert printed in pack.read("risk.html").decode()
