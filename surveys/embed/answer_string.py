"""One line of text that another tool's form stores: ``sotto1.VERSION.RANDOM.BODY``, each part in base64url.

Twin of `answer-string.js`. VERSION is the first 9 bytes of the version's digest (design and words, as letters
carry it), RANDOM 9 bytes drawn once with the body: three yes/no answers fit in a byte, so honest people share
bodies, and only the random bytes distinguish a copied row from another person's. They say nothing about the
answers, and are discarded when the string has been read.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final

from surveys.errors.error import SurveyError

__all__ = ["PREFIX", "AnswerString", "answer_string_read", "answer_string_write", "version_mark"]

PREFIX: Final = "sotto1."
BYTES: Final = 9
_SHAPE: Final = re.compile(r"sotto1\.([\w-]{12})\.([\w-]{12})\.([\w-]+)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class AnswerString:
    """One string, taken apart; whether the version's design can send its body is not yet checked.

    Parameters
    ----------
    version : str
        The first 18 hex digits of the version's digest.
    random : bytes, 9
    body : bytes
    """

    version: str
    random: bytes
    body: bytes


def version_mark(digest: str) -> str:
    """Return the part of a version's digest that its strings carry: 18 hex digits.

    Examples
    --------
    >>> version_mark("00ff" * 16)
    '00ff00ff00ff00ff00'
    """
    return digest[: 2 * BYTES]


def answer_string_write(digest: str, body: bytes, random: bytes) -> str:
    """Return the string of a packed body.

    Examples
    --------
    >>> answer_string_write("00" * 32, b"\\x60", bytes(range(9)))
    'sotto1.AAAAAAAAAAAA.AAECAwQFBgcI.YA'
    """
    return PREFIX + ".".join(map(_base64url, (bytes.fromhex(version_mark(digest)), random, body)))


def answer_string_read(text: str) -> AnswerString:
    """Take a string apart, strictly: one text for each content, and nothing around it.

    Raises
    ------
    SurveyError
        ``answer_string``.

    Examples
    --------
    >>> answer_string_read("sotto1.AAAAAAAAAAAA.AAECAwQFBgcI.YA").body.hex()
    '60'
    """
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise SurveyError("answer_string", text[:80], text=text[:80])
    version, random, body = map(_bytes, match.groups())
    if _base64url(body) != match[3]:
        raise SurveyError("answer_string", text[:80], text=text[:80])
    return AnswerString(version=version.hex(), random=random, body=body)


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def _bytes(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        # A length that no number of bytes has: what it is written as is not what was read.
        return b""
