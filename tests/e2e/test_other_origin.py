"""The client on a third-party host, whose origin and site differ from the server's.

The page is the same program, byte for byte (tests/surveys/respondent/test_client_program.py), so most of its
handling of sealed bodies is tested only on the server's own origin.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.intake.views import process_limiter
from surveys.respondent.client_documents import documents_of
from surveys.respondent.invitations import invitations_make
from surveys.respondent.survey_digests import digest_in_link, digest_in_print
from tests.e2e.conftest import Published
from tests.e2e.survey import ANSWERS, TRUTH, body_of, in_arabic, workplace

# Imported so that pytest runs it again here, on the other origin.
from tests.e2e.test_seal_once import test_going_back_while_the_body_waits_shows_no_questions  # noqa: F401
from tests.e2e.visit import Visit
from tests.fixtures.client_hosts import HOSTS, client_folder
from tests.fixtures.devices import published, survey_of
from tests.fixtures.invitations import invited as published_by_invitation

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Try it: did you have tea this morning?"
Publish = Callable[..., Published]
BARE_AND_NGINX = pytest.mark.parametrize(
    "host", ["bare", pytest.param("nginx", marks=pytest.mark.soak)], indirect=True
)


@pytest.fixture
def host(
    request: pytest.FixtureRequest, tmp_path: Path, live_server: Any, settings: Any
) -> Iterator[Callable[..., str]]:
    """Return a function that gives a survey's address on a third-party host, by default a file server."""
    process_limiter.cache_clear()
    serve, written = HOSTS[getattr(request, "param", "bare")]
    with serve(client_folder(tmp_path / "client", live_server.url)) as origin:
        settings.SOTTOVOCE_CLIENT_ORIGINS = [origin]
        yield lambda slug="workplace", language="en": origin + written.format(slug=slug, language=language)


@pytest.fixture
def publish(host: Callable[..., str]) -> Publish:
    """Return a function that publishes the shipped survey, with its address on that host."""

    def publish(**changes: Any) -> Published:
        definition = workplace(**changes)
        return Published(
            version=published(definition), definition=definition, address=host(definition["slug"])
        )

    return publish


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


@BARE_AND_NGINX
def test_a_letter_for_another_host_contacts_two_servers_and_leaves_nothing(host, device, live_server):
    definition = workplace()
    version = published_by_invitation(definition)
    (code,) = invitations_make(survey_of(version), number=1, by="alice")
    digest = digest_in_print(documents_of(version).root)
    here = Published(version=version, definition=definition, address=f"{host()}#c={code}&d={digest}")
    context = device(words=TRUTH)
    sent: list[tuple[str, str]] = []
    context.on("request", lambda request: sent.append((request.method, request.url)))
    there = Visit(context.new_page(), here.address, definition).open()
    assert there.page.url == f"{host()}#d={digest}"
    # The folded parts of the first page load after it.
    told = f"It comes from {urlsplit(host()).netloc} and sends your answers to"
    expect(there.root).to_contain_text(told)
    there.walk(ANSWERS).seal().delivered()
    assert here.bodies == [body_of(version.to_design(), ANSWERS, TRUTH)]
    assert here.receipts == 1
    origins = {re.match(r"https?://[^/]+", url)[0] for _method, url in sent if not url.startswith("data:")}
    assert origins == {live_server.url, re.match(r"https?://[^/]+", host())[0]}
    assert [url for method, url in sent if method == "POST"] == [f"{live_server.url}/api/submissions"]
    assert not [url for _method, url in sent if code in url or digest in url]
    # No later page of this origin finds anything.
    left = """async () => JSON.stringify([
      await indexedDB.databases(),
      await Array.fromAsync((await navigator.storage.getDirectory()).keys()),
      localStorage.length + sessionStorage.length, await caches.keys(), document.cookie,
    ])"""
    there.page.wait_for_function(f"async () => await ({left})() === '[[],[],0,[],\"\"]'")
    assert context.cookies() == []


def test_the_page_can_reach_only_the_named_server_which_serves_only_named_pages(
    publish, device, live_server, settings
):
    there = Visit(device().new_page(), publish().address, workplace()).open()
    reached = "url => fetch(url, { mode: 'no-cors' }).then(() => true, () => false)"
    assert there.page.evaluate(reached, f"{live_server.url}/live") is True
    other = live_server.url.replace("localhost", "127.0.0.1")
    assert other != live_server.url
    assert there.page.evaluate(reached, f"{other}/live") is False
    assert there.screen == "intro"
    settings.SOTTOVOCE_CLIENT_ORIGINS = ["https://page.example.org"]
    there.page.reload()
    heading(there.page, "The survey did not load completely")


@BARE_AND_NGINX
def test_code_and_digest_persist_and_another_digest_is_refused(host, device):
    version = published_by_invitation(workplace())
    (code,) = invitations_make(survey_of(version), number=1, by="alice")
    digest = digest_in_link(documents_of(version).root)
    page = device().new_page()
    there = Visit(page, f"{host()}#c={code}&d={digest}", workplace()).open()
    page.locator("#languages a").click()
    expect(page.locator("h1")).to_have_text("在工作中说出来")
    page.reload()
    # The tab keeps the code until the answers are sealed, so the page does not ask for it again.
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    # A different digest in the same tab starts a new visit: the page reloads.
    page.goto(f"{host()}#c={code}&d={'A' * 22}")
    expect(page.get_by_text("This is not the survey named in your letter")).to_be_visible()
    assert there.root.locator("input").count() == 0
    there.open().walk(ANSWERS).seal().delivered()
    assert Published(version=version, definition=workplace(), address="").receipts == 1


@pytest.mark.soak
@pytest.mark.parametrize("host", ["bare", "nginx"], indirect=True)
def test_another_origin_shows_closed_planned_and_missing_surveys(host, device):
    version = published(workplace())
    published(workplace(slug="later", opens_at="2099-12-01T08:00"))
    page = device().new_page()
    for slug, said in (("later", "This survey is not open yet"), ("nowhere", "Survey not found")):
        page.goto(host(slug))
        heading(page, said)
    survey_close(survey_of(version), by="alice", now=timezone.now(), at_once=True)
    page.goto(host())
    heading(page, "is closed")


@pytest.mark.soak
def test_answers_survive_a_language_change_to_a_third_language(host, device):
    definition = in_arabic(workplace())
    published(definition)
    page = device().new_page()
    page.goto(host())
    heading(page, FIRST)
    for tag, direction in (("ar", "rtl"), ("en", "ltr")):
        page.locator(f"#languages a[lang={tag}]").click()
        expect(page.locator(".survey-name")).to_have_attribute("lang", tag)
        assert page.locator("html").get_attribute("dir") == direction
    page.goto(host(language="ar"))
    expect(page.locator(".survey-name")).to_have_attribute("lang", "ar")


@pytest.mark.soak
def test_a_letter_for_an_older_version_opens_that_version(publish, device):
    here = publish()
    digest = digest_in_link(documents_of(here.version).root)
    document = {**here.definition, "title": {"en": "Another title", "zh-hans": "另一个标题"}}
    survey_publish(
        survey_import(document, by="alice"),
        by="alice",
        now=timezone.now(),
        reason="For a test.",
        is_readable_seen=True,
    )
    page = device().new_page()
    for fragment, title in (("", "Another title"), (f"#d={digest}", here.definition["title"]["en"])):
        page.goto("about:blank")
        page.goto(here.address + fragment)
        expect(page.locator(".survey-name")).to_have_text(title)
    Visit(page, page.url, here.definition).walk(ANSWERS).seal().delivered()
    assert len(here.bodies) == 1


@pytest.mark.soak
def test_old_links_with_a_bare_code_and_the_back_button_work(host, device):
    definition = workplace()
    version = published_by_invitation(definition)
    (code,) = invitations_make(survey_of(version), number=1, by="alice")
    page = device().new_page()
    page.goto(f"{host()}#{code}")
    heading(page, FIRST)
    assert page.url == host()
    page.goto("about:blank")
    page.go_back()
    # The tab keeps the code until the answers are sealed.
    heading(page, FIRST)
    Visit(page, page.url, definition).walk(ANSWERS).seal().delivered()


@BARE_AND_NGINX
def test_embedded_pages_ask_no_questions_even_as_a_preview(host, device, live_server, tmp_path):
    """A static host sends no `frame-ancestors`, and a server cannot bypass the check with a preview."""
    published(workplace())
    page = device().new_page()
    page.route(
        f"{live_server.url}/client/surveys/**",
        lambda route: route.fulfill(response=(sent := route.fetch()), json=sent.json() | {"preview": True}),
    )
    page.goto(host())
    heading(page, FIRST)
    (tmp_path / "client" / "around.html").write_text(f'<iframe src="{host()}"></iframe>')
    page.goto(urljoin(host(), "/around.html"))
    inside = page.frame_locator("iframe")
    if "?" in host():
        expect(inside.get_by_role("heading", name="This survey is shown inside another page")).to_be_visible()
    expect(inside.get_by_role("button", name="Start")).to_have_count(0)


@pytest.mark.soak
def test_a_missing_or_invalid_server_setting_shows_an_error(tmp_path, host, device, live_server):
    published(workplace())
    page = device().new_page()
    config = tmp_path / "client" / "config.json"
    for text in ("{}", "no JSON", '{"server": "javascript:alert(1)"}', '{"server": "http://evil.example"}'):
        config.write_text(text)
        page.goto("about:blank")
        page.goto(host())
        heading(page, "The survey did not load completely")
