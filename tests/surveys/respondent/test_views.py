"""The respondent's page as the server sends it, before any script runs."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.publish import survey_close, survey_import
from surveys.questionnaire.definition import SURVEYED
from surveys.respondent.client_program import client as client_scripts
from surveys.respondent.page import respondent_page
from tests.cast.devices import published, shipped_definition, survey_of, wide_definition

pytestmark = pytest.mark.django_db

CONTROLS = {"form", "input", "button", "select", "textarea", "option", "datalist", "object", "embed"}


class Tags(HTMLParser):
    """Collect the tags, and the attributes that a strict policy forbids."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.inline: set[str] = set()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.inline |= {name for name, _ in attrs if name.startswith("on") or name == "style"}
        self.addresses += [
            value or "" for name, value in attrs if name in {"src", "href", "srcset", "action"}
        ]


def page_of(client: Client, slug: str = "workplace", language: str = "en") -> str:
    response = client.get(f"/{language}/s/{slug}/")
    assert response.status_code == 200
    return response.content.decode()


def test_the_html_has_no_form_no_control_and_nothing_inline(client: Client) -> None:
    published(shipped_definition(slug="workplace"))
    found = Tags(page_of(client))
    assert found.tags.isdisjoint(CONTROLS)
    assert not found.inline


def test_a_browser_may_translate_what_comes_before_the_questions_and_nothing_else(client: Client) -> None:
    """Translators in browsers send the text on the screen away, and the review shows the true answers."""
    published(shipped_definition(slug="workplace"))
    html = page_of(client)
    assert html.count('translate="no"') == 1
    assert re.search(r'<div id="room"[^>]* translate="no"', html)
    (intro,) = re.findall(r"<section [^>]*data-intro>", html)
    assert 'translate="yes"' in intro


def test_the_page_names_no_other_origin(client: Client) -> None:
    published(shipped_definition(slug="workplace"))
    addresses = Tags(page_of(client)).addresses
    assert addresses
    assert all(address.startswith(("/", "#")) and not address.startswith("//") for address in addresses)


@pytest.mark.parametrize("state", ["missing", "draft", "planned", "open", "closed"])
def test_every_answer_to_a_respondent_is_strict_and_sets_no_cookie(client: Client, state: str) -> None:
    definition = shipped_definition(slug="workplace")
    if state == "draft":
        survey_import(definition, by="alice")
    elif state != "missing":
        version = published(definition | ({"opens_at": "2099-12-01T08:00"} if state == "planned" else {}))
        if state == "closed":
            survey_close(survey_of(version), by="alice", now=timezone.now())
    response = client.get("/en/s/workplace/")
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")
    assert response["Cache-Control"] == "no-store"
    assert response["Referrer-Policy"] == "no-referrer"
    policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "form-action": "'none'",
    }


def test_an_address_without_a_survey_says_so_and_what_to_do(client: Client) -> None:
    response = client.get("/en/s/nowhere/")
    assert response.status_code == 404
    assert "Compare it with the one you were" in response.content.decode()


def test_a_draft_is_as_if_it_was_not_there(client: Client) -> None:
    survey_import(shipped_definition(slug="workplace"), by="alice")
    responses = [client.get(f"/en/s/{slug}/") for slug in ("workplace", "nowhere-nowhere")]
    assert [response.status_code for response in responses] == [404, 404]
    assert responses[0].content == responses[1].content


def test_a_survey_that_opens_later_says_when_and_not_what_it_is_about(client: Client) -> None:
    published(shipped_definition(slug="workplace", opens_at="2099-12-01T08:00", time_zone="Europe/Berlin"))
    response = client.get("/en/s/workplace/")
    assert response.status_code == 404
    text = " ".join(response.content.decode().split())
    assert "It opens on 2099-12-01 08:00 (Europe/Berlin)." in text
    assert "Speaking up at work" not in text
    assert "page-data" not in text


def test_a_closed_survey_says_so_and_still_delivers_what_waits(client: Client) -> None:
    version = published(shipped_definition(slug="workplace"))
    survey_close(survey_of(version), by="alice", now=timezone.now())
    response = client.get("/en/s/workplace/")
    assert response.status_code == 410
    text = response.content.decode()
    assert "takes no more answers" in text
    assert "That works for two days after closing." in " ".join(text.split())
    assert "/closed.js" in text
    assert "design_id" not in text


@pytest.mark.parametrize("practice", [True, False], ids=["practice", "closed at once"])
def test_where_nothing_is_taken_after_closing_no_days_are_promised(client: Client, practice: bool) -> None:
    version = published(shipped_definition(slug="workplace", practice=practice))
    survey_close(survey_of(version), by="alice", now=timezone.now(), at_once=not practice)
    text = " ".join(client.get("/en/s/workplace/").content.decode().split())
    assert "It takes no more answers." in text
    assert "two days" not in text


def test_the_page_of_the_newest_version_is_shown(client: Client) -> None:
    definition = shipped_definition(slug="workplace")
    first = published(definition)
    second = published({**definition, "title": {"en": "Second wording", "zh-hans": "第二版"}})
    text = page_of(client)
    assert "Second wording" in text
    assert second.design_id == first.design_id
    assert second.design_id in text


def test_what_has_to_be_said_before_the_first_question_is_in_the_html(client: Client) -> None:
    definition = shipped_definition(slug="workplace")
    published(definition)
    text = " ".join(page_of(client).split())
    for said in (
        "Nobody can be sure: your device may have made this answer up.",
        "Your real answer is stored.",
        "Then we cannot find or delete your answers.",
        "Closing or reloading this page starts again.",
        client_scripts().digest,
    ):
        assert said in text
    for key, part in definition["about"].items():
        # Whom the figures are about is for readers of the report.
        assert (part["en"].split(".")[0] in text) == (key not in SURVEYED)


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (
            {"policy": "choice", "direct_share": None},
            "You can choose to answer directly instead. Then your real answers",
        ),
        (
            {"policy": "assigned", "direct_share": 1250},
            "12.5 of 100 devices, chosen at random, send the real answers.",
        ),
    ],
)
def test_the_group_policy_is_told_first(client: Client, group: dict[str, object], said: str) -> None:
    published(shipped_definition(slug="workplace", group=group))
    assert said in " ".join(page_of(client).split())


def test_only_a_page_that_disguises_everything_says_so_without_a_condition(client: Client) -> None:
    """With open questions, or answers that are sent directly, it holds where the mark stands alone."""
    blocks = [
        block for block in shipped_definition()["blocks"] if block["protected"] and not block.get("asked_if")
    ]
    published(shipped_definition(slug="workplace", blocks=blocks))
    text = " ".join(page_of(client).split())
    assert "Nobody can be sure what you answered: your device may have made it up." in text
    assert "<dt" not in text.split("<details>")[0]


def test_the_first_screen_says_how_many_questions_one_person_gets_and_how_long_they_take(
    client: Client,
) -> None:
    blocks = [block for block in shipped_definition()["blocks"] if not block.get("asked_if")]
    count = sum(len(block["questions"]) for block in blocks)
    published(shipped_definition(slug="workplace", blocks=blocks))
    assert f"{count} questions, about {1 + -(-count // 4)} minutes." in " ".join(page_of(client).split())


def test_of_parts_and_questions_that_rotate_only_those_are_counted_that_one_person_gets() -> None:
    blocks = [
        {"key": key, "questions": [{}] * questions, **more}
        for key, questions, more in (("a", 2, {}), ("b", 5, {"questions_per_person": 3}), ("c", 1, {}))
    ]
    shown = respondent_page(published(shipped_definition(slug="workplace")))
    assert shown is not None
    design = {"blocks": blocks, "rotations": [{"blocks": ["a", "c"], "parts_per_person": 1}]}
    page = replace(shown, design=design)
    assert (page.question_count, page.minutes) == (5, 3)


def test_a_practice_survey_says_on_every_screen_that_it_is_not_private(client: Client) -> None:
    published(shipped_definition(slug="workplace", practice=True))
    assert "Practice, not private" in page_of(client)


def test_a_survey_is_shown_in_the_language_of_the_address_where_it_has_it(client: Client) -> None:
    published(shipped_definition(slug="workplace"))
    text = page_of(client, language="zh-hans")
    assert '<html lang="zh-hans"' in text
    assert "在工作中说出来" in text
    assert "Speaking up at work" not in text


def test_a_survey_without_a_wording_in_the_language_of_the_address_keeps_its_own(client: Client) -> None:
    english = wide_definition("wide")
    published(english)
    assert english["title"]["en"] in page_of(client, "wide", language="zh-hans")


def test_the_page_takes_no_answers(client: Client) -> None:
    published(shipped_definition(slug="workplace"))
    assert client.post("/en/s/workplace/", {"answer": "1"}).status_code == 405


def test_respondents_never_read_words_that_promise_too_much_or_call_chance_a_lie(client: Client) -> None:
    published(shipped_definition(slug="workplace", group={"policy": "choice"}))
    forbidden = re.compile(r"\b(lie|lies|lying|fake|faked|anonym\w*|encrypt\w*|obfuscat\w*)\b", re.IGNORECASE)
    spoken = [page_of(client), client.get("/en/s/nowhere/").content.decode()]
    assert not [forbidden.findall(text) for text in spoken if forbidden.search(text)]
    assert forbidden.search("The device lies.")
