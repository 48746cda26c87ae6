"""The product offers and serves nothing that docs/embed.md forbids."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from surveys.embed.adapter_scripts import ADAPTERS, adapter_text
from surveys.models import Survey
from tests.fixtures.devices import published
from tests.fixtures.embed_frames import HERE, serve_frames, three
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

ROOT: Final = Path(__file__).parents[2]
HEADER: Final = "Clear-Site-Data"
# Pages that respondents, devices, programs and staff open.
PATHS: Final = (
    "/", "/en/", "/en/s/own/", "/zh-hans/s/own/", "/en/client/", "/manifest.json", "/program/x/client.js",
    "/api/submissions", "/en/staff/surveys.json", "/en/staff/", "/en/staff/log-in/", "/admin/",
    "/static/x.js",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _frames(settings: Any) -> None:
    serve_frames(settings)


def offered(client: Client) -> list[str]:
    """Return every frame address that *Use it in your survey tool* offers for an open survey."""
    ada = member("ada", Role.RESEARCHER)
    published(three(slug="own"))
    Survey.objects.update(owner=ada)
    client.force_login(ada)
    return re.findall(
        r"https?://[^\"<\s]*/embed/[^\"<\s]*", client.get("/en/staff/your-tool/").content.decode()
    )


def answers(host: str) -> list[str]:
    """Return the addresses that a host serves itself."""
    client = Client(headers={"host": host})
    found = []
    for path in PATHS:
        for response in (client.get(path), client.post(path)):
            leads_away = response.status_code == 302 and urlsplit(response["Location"]).netloc != host
            if response.status_code != 404 and not leads_away:
                found.append(path)
    return found


def no_survey_is_answered_there(client: Client) -> None:
    addresses = offered(client)
    assert len(addresses) == 1
    for address in addresses:
        host = urlsplit(address).netloc
        assert answers(host) == []
        assert Client(headers={"host": host}).get(urlsplit(address).path).status_code == 200
        # Servers that host surveys have no frame.
        assert Client().get(urlsplit(address).path).status_code == 404
    # The search works, because it finds the addresses of a survey host.
    assert {"/en/s/own/", "/api/submissions", "/en/staff/log-in/"} <= set(answers(HERE))


def senders_of(header: str, *roots: Path) -> list[str]:
    """Return the files of the product and of its proxies that contain a header's name."""
    files = (path for root in roots for path in root.rglob("*") if path.is_file())
    return [path.name for path in files if header.casefold() in path.read_text(errors="ignore").casefold()]


def nothing_clears_a_site(client: Client) -> None:
    product = [ROOT / name for name in ("surveys", "templates", "deploy")]
    # The search works, because the watcher's list names another header; the product sends neither.
    assert senders_of(HEADER, *product) == []
    assert senders_of("Origin-Agent-Cluster", *product) != []


def scripts_show_frames_and_hold_no_question(client: Client) -> None:
    for name in {name for adapter in ADAPTERS for name in adapter.files if name.endswith(".js")}:
        text = adapter_text(name)
        assert "iframe" in text
        assert not re.search(r"type: \"(radio|checkbox)\"|<input[^>]*(radio|checkbox)", text)


RULES: Final[dict[str, Callable[[Client], None]]] = {
    "put a frame on a host where people answer surveys or staff log in": no_survey_is_answered_there,
    "send `Clear-Site-Data` from a frame's host": nothing_clears_a_site,
    "put the questions into your page itself": scripts_show_frames_and_hold_no_question,
}


def test_every_forbidden_feature_has_a_check() -> None:
    page = (ROOT / "docs" / "embed.md").read_text(encoding="utf-8")
    assert re.findall(r"^- Do not (.*?)\. ", page, re.MULTILINE) == list(RULES)
    assert page.count("Do not ") == len(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_the_product_offers_no_forbidden_feature(rule: str, client: Client) -> None:
    RULES[rule](client)
