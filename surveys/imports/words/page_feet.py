"""The foot of a page: its number with a word, or who owns a text."""

from __future__ import annotations

import re
from typing import Final

_PAGE_OF: Final = re.compile(
    r"\W{0,3}(?:page|seite|s\.|página|pág\.|pagina|pag\.|strona|str\.|стр(?:аница|\.)|sayfa|halaman|ukurasa|صفحة|صفحه|पृष्ठ)"
    r"\s?\d{1,3}(?:\s?(?:/|[^\W\d]{1,5})\s?\d{1,3})?\W{0,3}|\W{0,3}第\s?\d{1,3}\s?[页頁].{0,12}"
    r"|[-–—]\s?\d{1,3}\s?[-–—]",
    re.IGNORECASE,
)
"""A page number with its word: *Page 1 of 2*, *Seite 3*."""
_COPYRIGHT: Final = re.compile(r"\W{0,3}(?:©|copyright\b(?=\W{0,3}(?:©|\(c\)|\d{4}))).{1,200}", re.I)
"""Words about the owner of a text: *© 2019 Institute for Health*."""


def is_foot(text: str) -> bool:
    """Return whether a text is a page number with its word, or names an owner.

    Parameters
    ----------
    text : str
        A line, or a cell of one.

    Examples
    --------
    >>> [is_foot(text) for text in ("Page 1 of 2", "© 2019 Institute for Health", "3 pages")]
    [True, True, False]
    """
    text = text.strip()
    return bool(_COPYRIGHT.fullmatch(text) or _PAGE_OF.fullmatch(text))
