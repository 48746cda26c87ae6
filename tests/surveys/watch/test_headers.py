"""Headers that come with the client's files: what could loosen its policy, or lead a browser elsewhere."""

from __future__ import annotations

from email.message import Message

import pytest

from surveys.respondent.client_program import POLICY
from surveys.watch.comparison import odd_headers, odd_policy

SERVER = "https://survey.example"


def headers(*lines: tuple[str, str]) -> Message:
    message = Message()
    for name, value in lines:
        message[name] = value
    return message


@pytest.mark.parametrize(
    "name", ["Refresh", "Link", "Set-Cookie", "Clear-Site-Data", "NEL", "Report-To", "SourceMap"]
)
def test_a_header_that_leads_elsewhere_or_marks_a_visitor_is_odd(name: str) -> None:
    assert odd_headers(headers(("Date", "now"), (name, "x"), (name, "y"))) == [name]


@pytest.mark.parametrize(
    ("policy", "odd"),
    [
        ("frame-ancestors 'none'", []),
        (f"frame-ancestors 'none'; connect-src 'self' {SERVER};", []),
        (
            "frame-ancestors 'none'; connect-src https://elsewhere.example",
            ["its policy says connect-src https://else"],
        ),
        (
            "frame-ancestors 'none'; script-src 'self' 'unsafe-inline'",
            ["its policy says script-src"],
        ),
        (
            "frame-ancestors 'none'; report-uri https://e.example",
            ["its policy says report-uri"],
        ),
        ("frame-ancestors https://e.example", ["its policy says frame-ancestors", "no policy keeps it out"]),
        ("default-src 'none'", ["no policy keeps it out"]),
    ],
)
def test_a_policy_allows_what_the_page_needs_and_no_more(policy: str, odd: list[str]) -> None:
    found = list(odd_policy(headers(("Content-Security-Policy", policy)), server=SERVER))
    assert len(found) == len(odd)
    assert all(said.startswith(begin) for said, begin in zip(found, odd, strict=True))


def test_the_policy_that_the_page_has_itself_allows_no_more_but_where_it_connects() -> None:
    own = headers(("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'"))
    (said,) = odd_policy(own, server=SERVER)
    assert "connect-src" in said


def test_a_second_policy_is_read_as_well() -> None:
    both = headers(
        ("Content-Security-Policy", "frame-ancestors 'none'"),
        ("Content-Security-Policy", "img-src https://e.example"),
    )
    assert list(odd_policy(both, server="")) == ["its policy says img-src https://e.example"]
