"""Check the headers of a submission, and read its body, before anything parses it."""

from __future__ import annotations

from typing import Final, Protocol

from surveys.errors.error import SurveyError

CONTENT_TYPE: Final = "application/vnd.sotto.submission+json"
MOST_BODY_BYTES: Final = 64 * 1024


class Readable(Protocol):
    """The part of a request that provides its bytes."""

    def read(self, size: int, /) -> bytes: ...


def check_origin(sec_fetch_site: str | None, *, is_listed: bool = False) -> None:
    """Refuse requests from pages of other sites. Programs and old browsers do not send the header.

    Parameters
    ----------
    sec_fetch_site : str or None
    is_listed : bool
        Whether the page's origin is another site that may serve the client.
    """
    allowed = ("same-origin", "same-site", "cross-site") if is_listed else ("same-origin",)
    if sec_fetch_site is not None and sec_fetch_site not in allowed:
        raise SurveyError("cross_site", site=sec_fetch_site[:20])


def check_content_type(content_type: str) -> None:
    """Refuse every content type except ours, which a plain HTML form cannot send."""
    if content_type.strip().lower() != CONTENT_TYPE:
        raise SurveyError("content_type.submission", content_type=CONTENT_TYPE)


def read_at_most(stream: Readable, content_length: str | None) -> bytes:
    """Return the complete request body of at most `MOST_BODY_BYTES` bytes; never read more than that."""
    if not content_length or not content_length.isdecimal() or not content_length.isascii():
        raise SurveyError("length")
    # Do not convert a length with many digits: int() takes quadratic time in their number.
    if len(content_length) > 9 or int(content_length) > MOST_BODY_BYTES:
        raise SurveyError("too_large.body", count=content_length[:20], most=MOST_BODY_BYTES)
    length = int(content_length)
    raw = bytearray()
    while len(raw) < length:
        part = stream.read(length - len(raw))
        if not part:
            raise SurveyError("cut_off", count=len(raw), wanted=length)
        raw += part
    return bytes(raw)
