"""Fetch what a browser fetches, as several browsers in several languages do, and follow nothing."""

from __future__ import annotations

import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from itertools import product
from typing import Final

__all__ = ["BROWSERS", "Answer", "Browser", "Fetch", "fetch", "unpacked"]

SECONDS_TO_ANSWER: Final = 30.0
MOST_BYTES: Final = 8 << 20
_GZIP: Final = 31  # zlib's windowBits for gzip alone.

_AGENTS: Final = {
    "Firefox on Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Chrome on Windows": (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
        " Safari/537.36"
    ),
    "Chrome on Android": (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile"
        " Safari/537.36"
    ),
    "Safari on iPhone": (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
        " Version/18.6 Mobile/15E148 Safari/604.1"
    ),
    "WeChat on Android": (
        "Mozilla/5.0 (Linux; Android 14; K; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0"
        " Chrome/130.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.61"
    ),
}
_LANGUAGES: Final = {
    "English": "en-US,en;q=0.9",
    "Chinese": "zh-CN,zh;q=0.9",
    "German": "de-DE,de;q=0.9,en;q=0.5",
}


@dataclass(frozen=True, kw_only=True)
class Browser:
    """One browser in one language.

    Parameters
    ----------
    name : str
    headers : mapping of str to str
        What it says of itself with every request.
    """

    name: str
    headers: Mapping[str, str]


BROWSERS: Final = tuple(
    Browser(
        name=f"{agent} in {language}",
        headers={"User-Agent": _AGENTS[agent], "Accept-Language": _LANGUAGES[language]},
    )
    for agent, language in product(_AGENTS, _LANGUAGES)
)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: Message
    body: bytes


Fetch = Callable[[str, Mapping[str, str]], Answer]
"""Gives what is at an address to somebody who sends such headers.

Raises
------
OSError
    The server does not answer.
"""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments: object) -> None:
        """Follow nothing: where one is led is part of the answer."""
        return None


def fetch(
    url: str, headers: Mapping[str, str], *, method: str = "GET", seconds: float = SECONDS_TO_ANSWER
) -> Answer:
    """Fetch an address.

    Parameters
    ----------
    url : str
        Of http or https.
    headers : mapping of str to str
    method : str
    seconds : float
        How long the server may be silent.

    Raises
    ------
    OSError
        The server does not answer, or says what nobody can read.
    """
    request = urllib.request.Request(url, headers=dict(headers), method=method)
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(request, timeout=seconds) as response:
            return unpacked(response.status, response.headers, response.read(MOST_BYTES))
    except urllib.error.HTTPError as error:
        return unpacked(error.code, error.headers, error.read(MOST_BYTES))
    except (HTTPException, ValueError) as error:
        raise OSError(f"the answer cannot be read: {error!r}") from error


def unpacked(status: int, headers: Message, body: bytes) -> Answer:
    """Return an answer as its server meant it before it was packed.

    Raises
    ------
    OSError
        It cannot be unpacked.
    """
    if headers.get("Content-Encoding") == "gzip":
        try:
            # No more than is read of an answer that is not packed: it may be made to fill this computer.
            unpacker = zlib.decompressobj(wbits=_GZIP)
            body = unpacker.decompress(body, MOST_BYTES)
        except zlib.error as error:
            raise OSError(f"the answer cannot be unpacked: {error}") from error
        if not unpacker.eof:
            raise OSError(f"the answer cannot be unpacked, or has more than {MOST_BYTES} bytes")
    return Answer(status=status, headers=headers, body=body)
