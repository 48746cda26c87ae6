"""The server serves the same client page at every address, with a strict policy and no cookie."""

from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.respondent.client_program import client as client_files
from tests.fixtures.devices import published, shipped_definition, survey_of

CONTROLS = {"form", "input", "button", "select", "textarea", "option", "datalist", "object", "embed"}


class Tags(HTMLParser):
    """Collects tags, and attributes that a strict policy forbids."""

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


def test_the_page_excludes_forms_inline_code_and_foreign_origins() -> None:
    found = Tags(client_files().index.content.decode())
    assert found.tags.isdisjoint(CONTROLS)
    assert not found.inline
    assert len(found.addresses) > 4
    assert all(
        address.startswith(("/", "#", "data:image/svg+xml,")) and not address.startswith("//")
        for address in found.addresses
    )


def test_browsers_are_asked_not_to_translate_the_page() -> None:
    """Browsers' translators send the visible text to a server, and the review shows true answers."""
    html = client_files().index.content.decode()
    assert html.count('translate="no"') == 1
    assert '<div id="root" class="stack" translate="no">' in html


@pytest.mark.soak
@pytest.mark.django_db
def test_the_page_is_the_same_for_every_survey_state_and_language(client: Client) -> None:
    """The page therefore reveals nothing about a survey; the client requests the public state."""
    definition = shipped_definition(slug="workplace")
    survey_import(definition | {"slug": "draft"}, by="alice")
    published(definition)
    published(definition | {"slug": "planned", "opens_at": "2099-12-01T08:00"})
    closed = published(definition | {"slug": "closed"})
    survey_close(survey_of(closed), by="alice", now=timezone.now())
    addresses = [f"/en/s/{slug}/" for slug in ("workplace", "draft", "planned", "closed", "nowhere")]
    answers = [client.get(path) for path in (*addresses, "/zh-hans/s/workplace/", "/en/s/workplace/ar/")]
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.content for answer in answers} == {client_files().index.content}
    for answer in answers:
        assert not answer.cookies
        assert "Cookie" not in answer.get("Vary", "")
        assert answer["Cache-Control"] == "no-store"
        assert answer["Referrer-Policy"] == "no-referrer"
        policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
        assert policy == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "data:",
            "connect-src": "'self'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
            "form-action": "'none'",
        }


ADDED = (
    "PROLIFIC_PID=5f1",
    "STUDY_ID=7&SESSION_ID=8",
    "fbclid=IwAR",
    "gclid=9",
    "utm_source=x",
    "s=workplace",
    "",
)


@pytest.mark.parametrize("query", ADDED)
@pytest.mark.parametrize("path", ["/en/s/workplace/", "/zh-hans/s/workplace/ar/"])
def test_an_address_with_a_query_is_redirected_to_the_one_without(
    client: Client, path: str, query: str
) -> None:
    answer = client.get(f"{path}?{query}")
    if not query:
        assert answer.status_code == 200
        return
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert (answer["Referrer-Policy"], answer["Cache-Control"]) == ("no-referrer", "no-store")


def test_an_address_that_begins_with_a_language_leads_to_the_survey(client: Client) -> None:
    """A German reader guesses /de/, which was not found."""
    answer = client.get("/de/s/arbeit/")
    assert (answer.status_code, answer["Location"]) == (302, "/en/s/arbeit/de/")
    assert client.get("/en/s/arbeit/").status_code == 200
    for path in ("/xx/s/arbeit/", "/de/staff/", "/de/s/arbeit/more/"):
        assert client.get(path).status_code == 404, path


BEHIND = [
    *")]}>.,;:!?\"'*`|\\~^",
    *"。，、；：！？）】》」』”’…·",
    "%20",
    "%0",
    ").",
    "/).",
    "。请填写",
    "/，谢谢",
    "&fbclid=1",
]


@pytest.mark.soak
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize(
    "path",
    ["/en/s/work-place_2", "/en/s/work-place_2/", "/zh-hans/s/workplace/ar", "/zh-hans/s/workplace/ar/"],
)
def test_text_behind_a_pasted_link_is_ignored(client: Client, path: str, behind: str) -> None:
    answer = client.get(path + quote(behind, safe="%/&"))
    whole = path if path.endswith("/") else f"{path}/"
    assert (answer.status_code, answer["Location"]) == (302, whole)
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/en/s/",
        "/en/s/).",
        "/en/s//x/",
        "/en/s/请填写",
        "/en/s/a/b/c/",
        "/en/s/a/b/c/)",
        "/en/s//evil.example/",
    ],
)
def test_an_address_that_names_no_survey_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_page_needs_no_database_query(client: Client) -> None:
    # No database is allowed in this test.
    assert client.get("/en/s/workplace/").status_code == 200
    assert client.get("/manifest.json").status_code == 200
