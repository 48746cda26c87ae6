"""Headers that redirect or track visitors, and policies that allow too much, are reported."""

from email.message import Message

import pytest

from surveys.respondent.client_program import POLICY
from surveys.watch.odd_headers import odd_headers, odd_policy

SERVER = "https://survey.example"


def headers(*lines: tuple[str, str]) -> Message:
    message = Message()
    for name, value in lines:
        message[name] = value
    return message


@pytest.mark.parametrize(
    "name", ["Refresh", "Link", "Set-Cookie", "Clear-Site-Data", "NEL", "Report-To", "SourceMap"]
)
def test_headers_that_redirect_or_track_visitors_are_reported(name: str) -> None:
    assert odd_headers(headers(("Date", "now"), (name, "x"), (name, "y"))) == [name]


@pytest.mark.parametrize(
    ("policy", "odd"),
    [
        ("frame-ancestors 'none'", []),
        (f"frame-ancestors 'none'; connect-src 'self' {SERVER};", []),
        (
            "frame-ancestors 'none'; connect-src https://elsewhere.example",
            ["its policy contains connect-src https://else"],
        ),
        ("frame-ancestors 'none'; script-src 'self' 'unsafe-inline'", ["its policy contains script-src"]),
        ("frame-ancestors 'none'; report-uri https://e.example", ["its policy contains report-uri"]),
        (
            "frame-ancestors https://e.example",
            ["its policy contains frame-ancestors", "its policy allows other pages"],
        ),
        ("default-src 'none'", ["its policy allows other pages"]),
    ],
)
def test_a_content_policy_may_allow_only_what_the_page_needs(policy: str, odd: list[str]) -> None:
    found = list(odd_policy(headers(("Content-Security-Policy", policy)), server=SERVER))
    assert len(found) == len(odd)
    assert all(said.startswith(begin) for said, begin in zip(found, odd, strict=True))


def test_the_policy_of_the_page_itself_is_strict_except_for_connections() -> None:
    own = headers(("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'"))
    (said,) = odd_policy(own, server=SERVER)
    assert "connect-src" in said


def test_a_second_content_policy_is_checked_too() -> None:
    both = headers(
        ("Content-Security-Policy", "frame-ancestors 'none'"),
        ("Content-Security-Policy", "img-src https://e.example"),
    )
    assert list(odd_policy(both, server="")) == ["its policy contains img-src https://e.example"]
