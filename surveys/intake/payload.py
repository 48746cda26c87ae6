"""Parse the bytes of a request into a disguised submission, strictly.

Nothing is corrected or guessed. A body that our pages never send is refused as early as possible: the checks
run in order of cost.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Final

from privacy.errors import PrivacyError
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.intake.codes import LENGTH, is_code, receipt_key
from surveys.intake.request_checks import MOST_BODY_BYTES

KEYS: Final = ("survey", "key", "design_id", "body", "nonce")
# For answers by invitation, the code replaces the key.
INVITED_KEYS: Final = ("survey", "code", "design_id", "body", "nonce")

# A submission has one opening bracket. The parser recurses for each, so limit their number before parsing.
_MOST_OPENED: Final = 100

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?", re.ASCII)
_KEY: Final = (re.compile(r"[0-9a-f]{32}", re.ASCII), "32")
_HEX: Final = {
    "design_id": (re.compile(r"[0-9a-f]{64}", re.ASCII), "64"),
    "nonce": (re.compile(r"[0-9a-f]{64}", re.ASCII), "64"),
    "body": (re.compile(r"(?:[0-9a-f]{2})+", re.ASCII), "an even number of"),
}


@dataclass(frozen=True, kw_only=True)
class DisguisedSubmission:
    """Well-formed body of a submission. Whether the design can produce it has not been checked yet.

    Parameters
    ----------
    survey : str
        Slug.
    key : bytes
        Key of the receipt: the device's 16 random bytes, or 32 bytes derived from an invitation's code. No
        later step sees the code itself.
    invited : bool
        Whether it came with an invitation.
    design_id : str, 64 hex digits
    body : bytes
        The packed, disguised row.
    digest : bytes, 32
        SHA-256 of the exact request. It covers the request's nonce of 32 random bytes, which is not stored.
    """

    survey: str
    key: bytes
    invited: bool
    design_id: str
    body: bytes
    digest: bytes


def parse(raw: bytes) -> DisguisedSubmission:
    """Parse `raw` into a submission.

    Raises
    ------
    SurveyError
        400 with code ``not_utf8``, ``nested``, ``malformed``, ``duplicate_key``, ``keys`` or the name of the
        invalid member; 413 ``too_large``.
    """
    if len(raw) > MOST_BODY_BYTES:
        raise SurveyError("too_large.body", count=len(raw), most=MOST_BODY_BYTES)
    members = _members(raw)
    has_code = set(members) == set(INVITED_KEYS)
    if not has_code and set(members) != set(KEYS):
        raise SurveyError("keys", keys=", ".join(KEYS))
    if _SLUG.fullmatch(members["survey"]) is None:
        raise SurveyError("survey.name")
    if has_code and not is_code(members["code"]):
        raise SurveyError("code.submission", length=LENGTH)
    for name, (pattern, digits) in (_HEX if has_code else {"key": _KEY, **_HEX}).items():
        if pattern.fullmatch(members[name]) is None:
            raise SurveyError("hex", code=name, name=name, digits=digits)
    return DisguisedSubmission(
        survey=members["survey"],
        key=receipt_key(members["code"], survey=members["survey"])
        if has_code
        else bytes.fromhex(members["key"]),
        invited=has_code,
        design_id=members["design_id"],
        body=bytes.fromhex(members["body"]),
        digest=hashlib.sha256(raw).digest(),
    )


def check_body(submission: DisguisedSubmission, layout: Layout) -> None:
    """Refuse a body that no device following the design can send."""
    try:
        layout.unpack(submission.body)
    except PrivacyError as error:
        raise SurveyError(
            "impossible_body", message=error.message, remedy=error.remedy[:1].upper() + error.remedy[1:]
        ) from error


def _members(raw: bytes) -> dict[str, str]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SurveyError("not_utf8", start=error.start) from error
    if text.count("[") + text.count("{") > _MOST_OPENED:
        raise _nested()
    try:
        pairs = json.loads(text, object_pairs_hook=tuple, parse_int=_discard, parse_float=_discard)
    except ValueError as error:
        raise _malformed_error() from error
    if not isinstance(pairs, tuple) or not pairs:
        raise _malformed_error()
    members: dict[str, str] = {}
    for name, value in pairs:
        if isinstance(value, list | tuple):
            raise _nested()
        if not isinstance(value, str):
            raise _malformed_error()
        if name in members:
            # Do not repeat the name in the response, because it can be 64 kB of anything.
            raise SurveyError("duplicate_key", keys=", ".join(KEYS))
        members[name] = value
    return members


def _discard(_number: str) -> None:
    """Discard a number without converting it, because that is slow for many digits; `_members` refuses it."""


def _nested() -> SurveyError:
    return SurveyError("nested")


def _malformed_error() -> SurveyError:
    return SurveyError("malformed.body", keys=", ".join(KEYS))
