"""The digest of a survey, in links and in print."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from typing import Final

from surveys.intake.codes import ALPHABET, code_in_groups, plainly
from surveys.models import Version
from surveys.respondent.client_documents import documents_of

LINK_CHARACTERS: Final = 22
PRINTED_CHARACTERS: Final = 20
_BITS: Final = 5
_IN_LINK: Final = re.compile(rf"[-\w]{{{LINK_CHARACTERS}}}", re.ASCII)


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
    """Return the digest of a version in the printed form, for letters and ethics boards."""
    return digest_in_print(documents_of(version).root)


def is_code(text: str) -> bool:
    """Return whether a text can be the digest of a survey, in the link form or as typed from print.

    Examples
    --------
    >>> is_code("loooo-ooooo-ooooo-ooooo"), is_code("_" * 22), is_code("hello")
    (True, True, False)
    """
    typed = plainly(text)
    return _IN_LINK.fullmatch(text) is not None or (
        len(typed) == PRINTED_CHARACTERS and set(typed) <= set(ALPHABET)
    )


def is_named(root: str, digest: str) -> bool:
    """Return whether a digest, in the link form or as typed from print, belongs to a root.

    Examples
    --------
    >>> is_named("08" + "00" * 31, "looOO ooooo ooooo ooooo"), is_named("ff" * 32, "_" * 22)
    (True, True)
    """
    print_form = digest_in_print(root).replace("-", "")
    return digest == digest_in_link(root) or plainly(digest) == print_form
