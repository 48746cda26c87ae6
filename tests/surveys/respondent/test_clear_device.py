"""The address at which a browser is told to clear what pages of this site stored in it."""

from __future__ import annotations

import pytest
from django.test import Client

URL = "/api/clear"


def test_a_page_of_this_site_has_its_storage_cleared_and_keeps_its_cookies() -> None:
    answer = Client().post(URL, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    assert "no-store" in answer.headers["Cache-Control"]
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("site", [None, "cross-site", "same-site", "none", "same-origin, cross-site"])
def test_whoever_else_asks_clears_nothing(site: str | None) -> None:
    """Another site's page could erase what waits, and have chance drawn again."""
    answer = Client().post(URL, headers={} if site is None else {"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert "Clear-Site-Data" not in answer.headers


def test_looking_at_the_address_clears_nothing() -> None:
    answer = Client().get(URL, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 405
    assert "Clear-Site-Data" not in answer.headers
