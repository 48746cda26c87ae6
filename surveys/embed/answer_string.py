"""The string in which a frame hands its disguised answers to the survey tool around it."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final

from surveys.errors.error import SurveyError

PREFIX: Final = "sotto1."
BYTES: Final = 9
_SHAPE: Final = re.compile(r"sotto1\.([\w-]{12})\.([\w-]{12})\.([\w-]+)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class AnswerString:
    """The fields of an answer string; whether its design can send the body is not checked.

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
    """Return the part of a version's digest that is in its strings: 18 hex digits.

    Examples
    --------
    >>> version_mark("00ff" * 16)
    '00ff00ff00ff00ff00'
    """
    return digest[: 2 * BYTES]


def answer_string_write(digest: str, body: bytes, random: bytes) -> str:
    """Return the answer string for a packed body.

    Examples
    --------
    >>> answer_string_write("00" * 32, b"\\x60", bytes(range(9)))
    'sotto1.AAAAAAAAAAAA.AAECAwQFBgcI.YA'
    """
    return PREFIX + ".".join(map(_base64url, (bytes.fromhex(version_mark(digest)), random, body)))


def answer_string_read(text: str) -> AnswerString:
    """Parse an answer string strictly: each content has exactly one spelling, without surrounding text.

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
        # An impossible base64 length. The caller refuses it because encoding the result gives another text.
        return b""
