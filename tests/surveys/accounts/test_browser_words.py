"""Browsers and systems in words."""

import pytest

from surveys.accounts.browser_words import browser_words


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Version/18.0 Safari/605.1", "Safari, macOS"),
        ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/130.0 Safari/537.36", "Chrome, ChromeOS"),
        ("<script>" * 1000, ""),
    ],
)
def test_user_agents_are_shown_as_browser_and_system(agent: str, words: str) -> None:
    assert browser_words(agent) == words
