"""What others add to a link, such as a panel's number for a person, is in no request but the first."""

import pytest
from playwright.sync_api import expect

from tests.e2e.survey import ANSWERS as ALL_ANSWERS
from tests.e2e.survey import workplace

# Imported for its fixture of a host that only serves files.
from tests.e2e.test_other_origin import host  # noqa: F401
from tests.e2e.visit import Visit

pytestmark = pytest.mark.django_db(transaction=True)

BLOCKS = [block for block in workplace()["blocks"] if block["key"] == "silence"]
ANSWERS = {"silence": ALL_ANSWERS["silence"]}
NUMBER = "p4711Qzz"
ADDED = (
    "PROLIFIC_PID",
    "STUDY_ID",
    "SESSION_ID",
    "fbclid",
    "gclid",
    "msclkid",
    "utm_source",
    "utm_id",
    "id",
    "x",
)
QUERY = "&".join(f"{name}={NUMBER}{place}" for place, name in enumerate(ADDED))


def watched(context, address):
    """Return a visit to an address, and the requests of its device."""
    requests = []
    context.on("request", lambda request: requests.append(request))
    return Visit(context.new_page(), address, workplace(blocks=BLOCKS)), requests


def carrying(requests):
    """Return the addresses of requests that carry the number anywhere, and those that carry any referrer."""
    told = [
        (each.url, f"{each.url} {each.all_headers()} {each.post_data}", each.all_headers())
        for each in requests
    ]
    assert len(told) > 8
    carried = [url for url, text, _ in told if NUMBER in text]
    return carried, [(url, named["referer"]) for url, _, named in told if named.get("referer")]


def test_only_the_request_for_the_link_itself_carries_what_others_added(publish, device):
    here = publish(blocks=BLOCKS)
    there, requests = watched(device(), f"{here.address}")
    there.page.goto(here.address.replace("/en/", "/zh-hans/") + f"?{QUERY}")
    expect(there.page.get_by_role("button", name="开始")).to_be_visible()
    there.page.locator("#languages a").click()
    expect(there.page.get_by_role("button", name="Start")).to_be_visible()
    assert NUMBER not in there.page.url
    there.page.goto(f"{here.address}?{QUERY}")
    there.page.reload()
    assert there.page.url == here.address
    assert there.page.evaluate("[location.href, document.referrer]") == [here.address, ""]
    there.walk(ANSWERS).seal().delivered()
    assert here.receipts == 1
    carried, referred = carrying(requests)
    chinese = here.address.replace("/en/", "/zh-hans/")
    assert carried == [f"{chinese}?{QUERY}", f"{here.address}?{QUERY}"]
    assert referred == []


@pytest.mark.soak
def test_on_a_host_that_only_serves_files_the_page_removes_it_first(host, publish, device):  # noqa: F811
    here = publish(blocks=BLOCKS)
    address = f"{host()}&{QUERY}"
    there, requests = watched(device(), address)
    there.open()
    assert there.page.url == host()
    there.page.reload()
    there.walk(ANSWERS).seal().delivered()
    assert here.receipts == 1
    assert carrying(requests) == ([address], [])


def test_a_page_that_passes_the_address_on_is_detected(publish, device):
    here, context = publish(blocks=BLOCKS), device()

    def leak(route):
        body = (
            f"fetch(`/live${{location.search}}`, {{ referrerPolicy: 'unsafe-url' }});{route.fetch().text()}"
        )
        route.fulfill(body=body, content_type="text/javascript")

    # As the server would answer without the redirect.
    context.route(f"{here.address}?*", lambda route: route.fulfill(response=route.fetch(url=here.address)))
    context.route("**/program/*/start.js", leak)
    there, requests = watched(context, f"{here.address}?{QUERY}")
    there.open().page.wait_for_timeout(300)
    carried, referred = carrying(requests)
    assert any(url.endswith(QUERY) and "/live" in url for url in carried)
    assert any("/live" in url for url, _ in referred)


@pytest.mark.soak
@pytest.mark.parametrize("behind", [").", "。请填写", "”"])
def test_what_follows_a_pasted_link_is_ignored(publish, device, behind):
    here = publish(blocks=BLOCKS)
    there = Visit(device().new_page(), here.address + behind, workplace(blocks=BLOCKS)).open()
    assert there.page.url == here.address
    assert there.screen == "intro"
