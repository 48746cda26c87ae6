"""Invisible signs that change how a text reads."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

_JOINERS: Final = "\u200c\u200d"
_ZERO_WIDTH_SPACE: Final = "\u200b"
_MARKS: Final = "\u061c\u200e\u200f\u2066\u2067\u2068\u2069"
"""Marks that set the direction of a text; needed next to right-to-left words."""
_VIRAMA: Final = 9
"""Unicode's combining class of signs that remove a letter's vowel."""
_HARMLESS: Final = "\u00ad"
"""The soft hyphen."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible letters and signs."""
_JOINING: Final = (
    "ARABIC SYRIAC MANDAIC NKO MONGOLIAN DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA "
    "MALAYALAM SINHALA KHMER MYANMAR TIBETAN"
)
_JOINING_SCRIPTS: Final = frozenset(_JOINING.split())
_SCRIPTS_WITHOUT_BLANKS: Final = frozenset(["THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"])


def misleading_signs(text: str) -> list[str]:
    """Return the invisible signs of a text that can change how it reads, each once.

    Joiners are allowed within emoji and within words of scripts that use them, zero-width spaces in scripts
    without spaces, and direction marks in texts with right-to-left letters. Overrides and embeddings are
    never needed.

    Examples
    --------
    >>> [f"{ord(sign):x}" for sign in misleading_signs("Did you \u202ereve\u202c?")]
    ['202e', '202c']
    >>> misleading_signs("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"), misleading_signs("a\u200cb")
    ([], ['\u200c'])
    """
    if text.isprintable() and _BLANK.isdisjoint(text):
        return []
    from_the_right = any(
        unicodedata.bidirectional(sign) in ("R", "AL") and unicodedata.category(sign)[0] == "L"
        for sign in text
    )
    found: dict[str, None] = {}
    for at, sign in enumerate(text):
        unseen = sign in _BLANK or unicodedata.category(sign) in ("Cf", "Zl", "Zp")
        if not unseen or sign in _HARMLESS or (sign in _MARKS and from_the_right):
            continue
        # Arabic and Syriac number signs are visible.
        if unicodedata.bidirectional(sign) in ("AN", "AL") and sign not in _MARKS:
            continue
        before, after = _first_visible(reversed(text[:at])), _first_visible(text[at + 1 :])
        if sign in _JOINERS and (
            _within(before, after, _JOINING_SCRIPTS)
            # A joiner may end a word after a sign that removes the vowel.
            or (before and unicodedata.combining(before) == _VIRAMA)
            or (sign == "\u200d" and _are_pictures(before, after))
        ):
            continue
        if sign == _ZERO_WIDTH_SPACE and _within(before, after, _SCRIPTS_WITHOUT_BLANKS):
            continue
        found[sign] = None
    return list(found)


def _first_visible(signs: Iterable[str]) -> str:
    """Return the first sign that does not modify the colour or form of the emoji before it."""
    return next((sign for sign in signs if sign != "\ufe0f" and not "\U0001f3fb" <= sign <= "\U0001f3ff"), "")


def _within(before: str, after: str, scripts: Collection[str]) -> bool:
    """Return whether both signs are letters, or marks on letters, of one of these scripts."""
    return all(
        sign and unicodedata.category(sign)[0] in "LM" and unicodedata.name(sign, "").split(" ")[0] in scripts
        for sign in (before, after)
    )


def _are_pictures(*signs: str) -> bool:
    return all(sign and (unicodedata.category(sign) == "So" or sign in "\u2640\u2642") for sign in signs)
