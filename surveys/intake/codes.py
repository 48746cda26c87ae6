"""Invitation codes: 18 random characters of Crockford's base 32 and two check characters.

The random characters have 90 bits. An attacker who reads the digests in the database and tries 10^12 codes
per second needs 20 million years on average to find the code of one digest; even with a million codes in
use, 40 years to find the first. So the digest (`receipt_key`) needs no salt: a salt would prevent a table of
digests that serves many guesses, and 2^90 codes fit into no table. Without a salt, the code alone leads to
its receipt.
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
# Prime and just below 32^2, so that changing one character or swapping neighbours changes the remainder.
MODULUS: Final = 1021

_GROUP: Final = 5
_WRITTEN: Final = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}", re.ASCII)
_LOOK_ALIKES: Final = str.maketrans("OILU", "011V")
_BETWEEN: Final = re.compile(r"[\s\-‐-―_.]+")
# More than anyone types by hand. Longer texts are not examined.
_MOST_TYPED: Final = 100


def code_new(random_below: Callable[[int], int]) -> str:
    """Return a new code in the form that is sent.

    Parameters
    ----------
    random_below : callable
        ``random_below(n)`` draws from 0..n-1; ``secrets.randbelow`` outside of tests.

    Examples
    --------
    >>> code_new(lambda n: 0), code_new(lambda n: 1)
    ('00000000000000000000', '1111111111111111112B')
    """
    characters = "".join(ALPHABET[random_below(32)] for _ in range(RANDOM_CHARACTERS))
    check = _remainder(characters)
    return characters + ALPHABET[check // 32] + ALPHABET[check % 32]


def is_code(text: str) -> bool:
    """Return whether a text is a code in exactly the form that is sent, with correct check characters.

    Examples
    --------
    >>> is_code("1111111111111111112B"), is_code("1111111111111111112C"), is_code("l111111111111111112b")
    (True, False, False)
    """
    if _WRITTEN.fullmatch(text) is None:
        return False
    check = ALPHABET.index(text[-2]) * 32 + ALPHABET.index(text[-1])
    return _remainder(text[:RANDOM_CHARACTERS]) == check


def read_code(text: str) -> str | None:
    """Return the typed or pasted code, or None if it is not one.

    Examples
    --------
    >>> read_code(" lllll-IIIII 11111 1112b"), read_code("lllll-IIIII 11111 1112c")
    ('1111111111111111112B', None)
    """
    if len(text) > _MOST_TYPED:
        return None
    plain = plainly(text)
    return plain if is_code(plain) else None


def plainly(text: str) -> str:
    """Normalise typed characters: upper case, no blanks or hyphens, look-alikes replaced.

    Examples
    --------
    >>> plainly(" oil-u.2b")
    '011V2B'
    """
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text)).upper().translate(_LOOK_ALIKES)


def code_in_groups(code: str) -> str:
    """Format a code in groups, as letters print it.

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
        Code in the form that is sent.
    survey : str
        Slug of the survey. It is fixed once the survey is published, and codes are created only after that.
    """
    return hashlib.sha256(f"sotto invitation\n{survey}\n{code}".encode("ascii")).digest()


def _remainder(characters: str) -> int:
    value = 0
    for character in characters:
        value = (value * 32 + ALPHABET.index(character)) % MODULUS
    return value
