"""Headers of an XLSForm: ``label::English (en)`` is the column *label* in the language *en*."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.conf.locale import LANG_INFO

_IN_BRACKETS: Final = re.compile(r".*\(\s*([A-Za-z0-9-]+)\s*\)", re.DOTALL)
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*", re.ASCII)
_BY_NAME: Final = {
    name.lower(): tag
    for tag, info in LANG_INFO.items()
    for name in (info.get("name"), info.get("name_local"))
    if name
}


def split_header(header: str) -> tuple[str, str | None]:
    """Return a header's column in small letters, and its language as it is written there, if any.

    >>> split_header("Label::English (en)"), split_header("name")
    (('label', 'English (en)'), ('name', None))
    """
    column, colons, language = header.partition("::")
    return column.strip().lower().replace(" ", "_"), language.strip() if colons else None


def language_tag(text: str) -> str | None:
    """Return the tag of a language as an XLSForm writes it, or None if it is unknown.

    >>> [language_tag(text) for text in ("English (en)", "zh-Hans", "Deutsch", "Klingon of my own")]
    ['en', 'zh-hans', 'de', None]
    """
    match = _IN_BRACKETS.fullmatch(text)
    if match:
        return match[1].lower()
    if text.lower() in _BY_NAME:
        return _BY_NAME[text.lower()]
    return text.lower() if _TAG.fullmatch(text) else None


def texts_of(cells: Mapping[str, str], column: str, *, default: str) -> dict[str, str]:
    """Return what the cells of a row say in a column, by language; without one it is the default's."""
    texts = {}
    for header, text in cells.items():
        name, language = split_header(header)
        tag = default if language is None else language_tag(language)
        if name == column and tag is not None:
            texts[tag] = text
    return texts
