"""From the bytes of a request to a disguised submission, strictly.

Nothing is corrected and nothing is guessed: a body that no page of ours sends is refused before it can cost
anything. The checks run in the order of their price.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Final, Protocol

from privacy.errors import PayloadError
from privacy.survey.layout import Layout
from surveys.intake.invitation_code import LENGTH, is_code, receipt_key
from surveys.intake.refusal import SubmissionRefused

CONTENT_TYPE: Final = "application/vnd.sotto.submission+json"
MOST_BYTES: Final = 64 * 1024
KEYS: Final = ("survey", "key", "design_id", "body", "nonce")
# Where answers take an invitation its code stands in the place of the key.
INVITED_KEYS: Final = ("survey", "code", "design_id", "body", "nonce")

# A submission opens one bracket. The parser calls itself once for each that is open, so the number is bounded
# before it begins.
_MOST_OPENED: Final = 100

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?", re.ASCII)
_KEY: Final = (re.compile(r"[0-9a-f]{32}", re.ASCII), "32")
_HEX: Final = {
    "design_id": (re.compile(r"[0-9a-f]{64}", re.ASCII), "64"),
    "nonce": (re.compile(r"[0-9a-f]{64}", re.ASCII), "64"),
    "body": (re.compile(r"(?:[0-9a-f]{2})+", re.ASCII), "an even number of"),
}


class Readable(Protocol):
    """The part of a request that gives its bytes."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, kw_only=True)
class DisguisedSubmission:
    """What a device sent, well-formed; whether the design can produce the body is not yet known.

    Parameters
    ----------
    survey : str
        Slug.
    key : bytes
        What its receipt is kept under: the device's 16 random bytes, or 32 that an invitation's code gives.
        The code itself goes no further than this.
    invited : bool
        Whether it came with an invitation.
    design_id : str, 64 hex digits
    body : bytes
        The packed, disguised row.
    digest : bytes, 32
        SHA-256 of the exact request. The request's 32 random bytes, its nonce, are in the digest and nowhere
        else.
    """

    survey: str
    key: bytes
    invited: bool
    design_id: str
    body: bytes
    digest: bytes


def check_origin(sec_fetch_site: str | None) -> None:
    """Refuse what another site's page sends. Programs and old browsers do not send the header."""
    if sec_fetch_site is not None and sec_fetch_site != "same-origin":
        raise SubmissionRefused(
            403,
            "cross_site",
            f"The browser says that another site sends this (Sec-Fetch-Site: {sec_fetch_site[:20]}).",
            "Open the survey's own page and answer there.",
        )


def check_content_type(content_type: str) -> None:
    """Refuse every type that a plain HTML form can send, and all others but ours."""
    if content_type.strip().lower() != CONTENT_TYPE:
        raise SubmissionRefused(
            415, "content_type", "The content type is another one.", f"Send Content-Type: {CONTENT_TYPE}."
        )


def read_at_most(stream: Readable, content_length: str | None) -> bytes:
    """Return the whole request body of at most `MOST_BYTES` bytes; never read more, announced or not."""
    if not content_length or not content_length.isdecimal() or not content_length.isascii():
        raise SubmissionRefused(
            400, "length", "The request does not say its length.", "Send a Content-Length and no chunks."
        )
    # A length of many digits is not converted: int() takes time that grows with the square of the digits.
    if len(content_length) > 9 or int(content_length) > MOST_BYTES:
        raise SubmissionRefused(
            413,
            "too_large",
            f"The request announces {content_length[:20]} bytes.",
            f"Send at most {MOST_BYTES} bytes.",
        )
    wanted = int(content_length)
    raw = bytearray()
    while len(raw) < wanted:
        part = stream.read(wanted - len(raw))
        if not part:
            raise SubmissionRefused(
                400,
                "cut_off",
                f"{len(raw)} of {wanted} announced bytes arrived.",
                "Send the same bytes again, whole.",
            )
        raw += part
    return bytes(raw)


def parse(raw: bytes) -> DisguisedSubmission:
    """Return the submission that `raw` spells.

    Raises
    ------
    SubmissionRefused
        400 with code ``not_utf8``, ``nested``, ``malformed``, ``duplicate_key``, ``keys`` or the name of the
        member that is not as it must be; 413 ``too_large``.
    """
    if len(raw) > MOST_BYTES:
        raise SubmissionRefused(
            413, "too_large", f"The request has {len(raw)} bytes.", f"Send at most {MOST_BYTES} bytes."
        )
    members = _members(raw)
    invited = set(members) == set(INVITED_KEYS)
    if not invited and set(members) != set(KEYS):
        raise SubmissionRefused(
            400,
            "keys",
            "The object has other members.",
            f"Send exactly {', '.join(KEYS)}, or code in the place of key.",
        )
    if _SLUG.fullmatch(members["survey"]) is None:
        raise SubmissionRefused(
            400,
            "survey",
            "The survey's name is not one.",
            "Send the name as it stands in the survey's address: small letters, digits and hyphens.",
        )
    if invited and not is_code(members["code"]):
        raise SubmissionRefused(
            400,
            "code",
            "The invitation's code is not one.",
            f"Send its {LENGTH} capital letters and digits as they were made, without what stands between.",
        )
    for name, (pattern, digits) in (_HEX if invited else {"key": _KEY, **_HEX}).items():
        if pattern.fullmatch(members[name]) is None:
            raise SubmissionRefused(
                400,
                name,
                f'"{name}" is not what it must be.',
                f"Send {digits} hexadecimal digits, small letters.",
            )
    return DisguisedSubmission(
        survey=members["survey"],
        key=receipt_key(members["code"], survey=members["survey"])
        if invited
        else bytes.fromhex(members["key"]),
        invited=invited,
        design_id=members["design_id"],
        body=bytes.fromhex(members["body"]),
        digest=hashlib.sha256(raw).digest(),
    )


def check_body(submission: DisguisedSubmission, layout: Layout) -> None:
    """Refuse a body that no device following the design can send."""
    try:
        layout.unpack(submission.body)
    except PayloadError as error:
        raise SubmissionRefused(
            422,
            "impossible_body",
            f"No device that follows the design sends this body: {error.message}.",
            f"{error.remedy[:1].upper()}{error.remedy[1:]}.",
        ) from error


def _members(raw: bytes) -> dict[str, str]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SubmissionRefused(
            400, "not_utf8", f"The bytes are not UTF-8 from byte {error.start} on.", "Send UTF-8."
        ) from error
    if text.count("[") + text.count("{") > _MOST_OPENED:
        raise _nested()
    try:
        pairs = json.loads(text, object_pairs_hook=tuple, parse_int=_no_text, parse_float=_no_text)
    except ValueError as error:
        raise _malformed() from error
    if not isinstance(pairs, tuple) or not pairs:
        raise _malformed()
    members: dict[str, str] = {}
    for name, value in pairs:
        if isinstance(value, list | tuple):
            raise _nested()
        if not isinstance(value, str):
            raise _malformed()
        if name in members:
            # The name is not repeated in the answer: it may be up to 64 kB of anything.
            raise SubmissionRefused(
                400, "duplicate_key", "A member occurs twice.", f"Send each of {', '.join(KEYS)} once."
            )
        members[name] = value
    return members


def _no_text(_number: str) -> None:
    """Stand for a number, which is refused unread: converting one of many digits takes long."""


def _nested() -> SubmissionRefused:
    return SubmissionRefused(
        400, "nested", "The object holds a list or an object.", "Send texts as its members."
    )


def _malformed() -> SubmissionRefused:
    return SubmissionRefused(
        400,
        "malformed",
        "The bytes are not one JSON object of texts.",
        f"Send an object with the texts {', '.join(KEYS)}.",
    )
