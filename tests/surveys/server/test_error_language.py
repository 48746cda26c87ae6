"""Languages of addresses and browsers, for pages that say that something failed."""

import pytest
from django.test import RequestFactory
from django.utils.translation import override

from surveys.server.error_language import error_language


@pytest.mark.parametrize(
    ("path", "browser", "language"),
    [
        # The survey's language is in its address.
        ("/en/s/work/ar/more/", "de", "ar"),
        ("/en/preview/s/", "de", "en"),
        # Staff pages keep the language of their address.
        ("/zh-hans/staff/", "de", "zh-hans"),
        ("/nothing", "tlh;q=0.9,sw;q=0.8", "sw"),
        ("/nothing", "tlh", "en"),
        ("/nothing", "", "en"),
    ],
)
def test_the_address_decides_before_the_browser(path: str, browser: str, language: str) -> None:
    with override("zh-hans" if path.startswith("/zh") else "en"):
        assert error_language(RequestFactory().get(path, HTTP_ACCEPT_LANGUAGE=browser)) == language
