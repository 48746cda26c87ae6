from surveys.server.refusal_pages import PAGES, refusal_page

BROWSER = {"HTTP_ACCEPT": "text/html", "HTTP_HOST": "here", "PATH_INFO": "/en/staff/surveys/new"}


def test_each_refusal_is_a_page_with_a_heading_and_a_way_back() -> None:
    for status in PAGES:
        page = refusal_page(status, BROWSER, 5_000_000)
        assert "<h1>" in page
        assert 'href="/"' in page
        assert '<html lang="en"' in page
    assert "5,000,000" in refusal_page(413, BROWSER, 5_000_000)


def test_programs_and_other_statuses_get_no_page() -> None:
    assert refusal_page(413, {**BROWSER, "HTTP_ACCEPT": "application/json"}) == ""
    assert refusal_page(500, BROWSER) == ""


def test_an_address_from_outside_is_not_a_link() -> None:
    page = refusal_page(413, {**BROWSER, "HTTP_REFERER": 'http://there/"><script>'}, 9)
    assert "there" not in page
    assert 'href="/en/staff/surveys/new"' in page
