"""A survey's digest as links and letters write it: 22 characters for programs, 20 for people.

Both are the beginning of the same SHA-256: 132 bits in base64url, 100 bits in Crockford's base 32. Whoever
wants another survey under the same digest computes 2^132, or 2^100, of them.

Twin: ``static/surveys/js/digest.js``, tested on the same vectors.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Final

from surveys.intake.payload import ALPHABET, code_in_groups, plainly
from surveys.models import Version
from surveys.respondent.client_documents import documents_of

__all__ = ["digest_in_link", "digest_in_print", "is_named", "survey_digest"]

LINK_CHARACTERS: Final = 22
PRINTED_CHARACTERS: Final = 20
_BITS: Final = 5


def digest_in_link(root: str) -> str:
    """Return the first 132 bits of a SHA-256 in base64url.

    Parameters
    ----------
    root : str, 64 hex digits

    Examples
    --------
    >>> digest_in_link("00" * 31 + "ff"), digest_in_link("ff" * 32)
    ('AAAAAAAAAAAAAAAAAAAAAA', '______________________')
    """
    return urlsafe_b64encode(bytes.fromhex(root)).decode("ascii")[:LINK_CHARACTERS]


def digest_in_print(root: str) -> str:
    """Return the first 100 bits of a SHA-256 in Crockford's base 32, in groups of five.

    Examples
    --------
    The first five bits of 0x08 are 00001, the next five begin with 000.

    >>> digest_in_print("08" + "00" * 31)
    '10000-00000-00000-00000'
    """
    bits = int(root, 16) >> (256 - _BITS * PRINTED_CHARACTERS)
    shifts = range(_BITS * (PRINTED_CHARACTERS - 1), -1, -_BITS)
    return code_in_groups("".join(ALPHABET[bits >> shift & 31] for shift in shifts))


def survey_digest(version: Version) -> str:
    """Return the digest of a version, as letters and boards read it."""
    return digest_in_print(documents_of(version).root)


def is_named(root: str, written: str) -> bool:
    """Return whether a digest as it was written, in either form, is that of a root.

    Examples
    --------
    >>> is_named("08" + "00" * 31, "looOO ooooo ooooo ooooo"), is_named("ff" * 32, "_" * 22)
    (True, True)
    """
    printed = digest_in_print(root).replace("-", "")
    return written == digest_in_link(root) or plainly(written) == printed
