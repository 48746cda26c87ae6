"""Invitation codes: 90 random bits that can be read out, typed by hand and checked offline.

Twenty characters of Crockford's base 32, in groups of five: eighteen random ones and two check characters.
The respondent's device notices a mistyped character or two swapped neighbours, so an incorrect code never has
to be sent. Small letters, blanks, hyphens and look-alikes (O for 0, I and L for 1, U for V) are accepted.

The database keeps only a SHA-256 of each code. Salt, pepper or a slow hash would add nothing: they protect
secrets that people choose, but here there are 2^90 equally likely codes, so that someone who stole the
digests of ten thousand would have to compute 2^76 digests to find one. A server-side key would only be
another thing whose loss makes all printed codes worthless.

Twin: ``static/surveys/js/code.js``, tested on the same vectors.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 20
RANDOM_CHARACTERS: Final = 18
# Prime and just below 32^2: every change of one character and every swap of neighbours changes the remainder.
MODULUS: Final = 1021

_GROUP: Final = 5
_WRITTEN: Final = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}", re.ASCII)
_LOOK_ALIKES: Final = str.maketrans("OILU", "011V")
_BETWEEN: Final = re.compile(r"[\s\-‐-―_.]+")
# Longer than anyone types by hand; longer texts are not examined.
_MOST_TYPED: Final = 100


def code_new(random_below: Callable[[int], int]) -> str:
    """Return a new code, as it is sent.

    Parameters
    ----------
    random_below : callable
        ``random_below(n)`` draws from 0..n-1; ``secrets.randbelow`` in the shell.

    Examples
    --------
    >>> code_new(lambda n: 0), code_new(lambda n: 1)
    ('00000000000000000000', '1111111111111111112B')
    """
    drawn = "".join(ALPHABET[random_below(32)] for _ in range(RANDOM_CHARACTERS))
    check = _remainder(drawn)
    return drawn + ALPHABET[check // 32] + ALPHABET[check % 32]


def is_code(text: str) -> bool:
    """Return whether a text is a code exactly as it is sent, with correct check characters.

    Examples
    --------
    >>> is_code("1111111111111111112B"), is_code("1111111111111111112C"), is_code("l111111111111111112b")
    (True, False, False)
    """
    if _WRITTEN.fullmatch(text) is None:
        return False
    check = ALPHABET.index(text[-2]) * 32 + ALPHABET.index(text[-1])
    return _remainder(text[:RANDOM_CHARACTERS]) == check


def code_typed(text: str) -> str | None:
    """Return the typed or pasted code, or None if it is not one.

    Examples
    --------
    >>> code_typed(" lllll-IIIII 11111 1112b"), code_typed("lllll-IIIII 11111 1112c")
    ('1111111111111111112B', None)
    """
    if len(text) > _MOST_TYPED:
        return None
    plain = plainly(text)
    return plain if is_code(plain) else None


def plainly(text: str) -> str:
    """Return typed characters in upper case, without blanks and hyphens, look-alikes replaced.

    Examples
    --------
    >>> plainly(" oil-u.2b")
    '011V2B'
    """
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text)).upper().translate(_LOOK_ALIKES)


def code_in_groups(code: str) -> str:
    """Return a code as it is printed.

    Examples
    --------
    >>> code_in_groups("1111111111111111112B")
    '11111-11111-11111-1112B'
    """
    return "-".join(code[start : start + _GROUP] for start in range(0, LENGTH, _GROUP))


def receipt_key(code: str, *, survey: str) -> bytes:
    """Return the key of a code's receipt: 32 bytes that do not reveal the code and differ between surveys.

    Parameters
    ----------
    code : str
        Code as it is sent.
    survey : str
        Slug; it is fixed once a survey is published, and codes can be made only after that.
    """
    return hashlib.sha256(f"sotto invitation\n{survey}\n{code}".encode("ascii")).digest()


def _remainder(characters: str) -> int:
    value = 0
    for character in characters:
        value = (value * 32 + ALPHABET.index(character)) % MODULUS
    return value
