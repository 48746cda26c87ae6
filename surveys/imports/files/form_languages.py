"""The languages that an XLSForm names, as tags."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.conf.locale import LANG_INFO

from surveys.imports.words.cues import words_of

_IN_BRACKETS: Final = re.compile(r"(?P<name>[^()]{1,60}?)\s?\(\s?(?P<within>[^()]{1,40}?)\s?\)")
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", re.ASCII)
_MORE: Final = words_of("language-")
_SCRIPTS: Final = {"simplified": "hans", "traditional": "hant"}


def _plain(name: str) -> str:
    """Return a name in lower case without accents and vowel signs, which people write in several ways.

    >>> _plain("Tiếng Việt"), _plain("العربيّة") == _plain("العربية")
    ('tieng viet', True)
    """
    parts = unicodedata.normalize("NFKD", name.lower())
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")


_BY_NAME: Final = {_plain(name): tag for name, tag in _MORE.items()} | {
    _plain(info[name]): tag
    for tag, info in LANG_INFO.items()
    for name in ("name", "name_local")
    if info.get(name)
}


def language_tag(text: str) -> str | None:
    """Return the tag of a language as written in XLSForms; None if it is unknown.

    The name takes precedence over the brackets after it, which may contain a tag, a country or a script.

    Examples
    --------
    >>> [language_tag(text) for text in ("English (en)", "zh-Hans", "Deutsch", "English (UK)")]
    ['en', 'zh-hans', 'de', 'en']
    >>> [language_tag(text) for text in ("Português (BR)", "Chinese", "Klingon of my own")]
    ['pt', 'zh-hans', None]
    """
    text = " ".join(text.split())
    match = _IN_BRACKETS.fullmatch(text)
    if match is None:
        return _BY_NAME.get(_plain(text)) or _tag(text)
    name, within = match["name"].lower(), match["within"].lower()
    name_tag = _BY_NAME.get(_plain(name)) or _tag(name)
    if within in _SCRIPTS and name_tag is not None:
        return f"{name_tag.partition('-')[0]}-{_SCRIPTS[within]}"
    tag = _tag(within)
    if tag is None or (name_tag is not None and tag.partition("-")[0] != name_tag.partition("-")[0]):
        return name_tag
    return tag


def _tag(text: str) -> str | None:
    """Return a text as a language tag, if it is the tag of a known language."""
    tag = text.lower().replace("_", "-")
    base = tag.partition("-")[0]
    return (
        tag
        if _TAG.fullmatch(text) and (base in LANG_INFO or base in _MORE.values() or base == "zh")
        else None
    )
