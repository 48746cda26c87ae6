"""What a visit costs, and where it comes from."""

from __future__ import annotations

import gzip
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from surveys.respondent.client_program import client
from tests.cast.invitations import invited
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.visit import Visit

pytestmark = pytest.mark.django_db(transaction=True)

BUDGET = 60_000


def test_a_visit_costs_at_most_60_kilobytes_all_of_them_from_this_server(room, device):
    here = room()
    context = device()
    responses = []
    context.on("response", lambda response: responses.append(response))
    Visit(context.new_page(), here.address, here.definition).open().walk(ANSWERS).seal().delivered()
    assert {urlsplit(response.url).netloc for response in responses} == {urlsplit(here.address).netloc}
    # The word to clear the storage has no content.
    weights = {
        response.url: len(gzip.compress(response.body())) for response in responses if response.status != 204
    }
    assert len(weights) > 15
    assert sum(weights.values()) <= BUDGET, weights


def test_a_page_by_invitation_in_the_other_language_costs_no_more(live_server, device):
    """Chinese sentences take more bytes, and an invitation some; what a visit adds is one answer."""
    invited(workplace(practice=True))
    context = device()
    responses = []
    context.on("response", lambda response: responses.append(response))
    page = context.new_page()
    page.goto(f"{live_server.url}/zh-hans/s/workplace/")
    expect(page.locator("#code")).to_be_visible()
    weights = {response.url: len(gzip.compress(response.body())) for response in responses}
    assert len(weights) > 15
    assert sum(weights.values()) <= BUDGET - 1_000, weights


def test_every_script_that_the_page_loads_is_in_the_client_digest(room, device):
    here = room()
    context = device()
    loaded = set()
    context.on("request", lambda request: loaded.add(urlsplit(request.url).path))
    Visit(context.new_page(), here.address, here.definition).open()
    scripts = {path for path in loaded if path.endswith(".js")}
    assert scripts
    assert scripts <= {file.url for file in client().files}
