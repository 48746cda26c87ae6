"""Languages as the headers of an XLSForm name them: by ISO 639 name, own name, or tag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from django.conf.locale import LANG_INFO

__all__ = ["language_tag"]

_IN_BRACKETS: Final = re.compile(r"(?P<name>[^()]{1,60}?)\s?\(\s?(?P<within>[^()]{1,40}?)\s?\)")
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", re.ASCII)
_MORE: Final = {
    "am": "Amharic",
    "bi": "Bislama",
    "bm": "Bambara",
    "ceb": "Cebuano",
    "din": "Dinka",
    "fa-af": "Dari",
    "ff": "Fula Fulah Fulfulde",
    "fil": "Filipino Tagalog",
    "ha": "Hausa",
    "ht": "Haitian Creole",
    "km": "Khmer",
    "kmr": "Kurmanji",
    "ku": "Kurdish",
    "lg": "Luganda Ganda",
    "ln": "Lingala",
    "lo": "Lao",
    "mg": "Malagasy",
    "nd": "Ndebele",
    "ny": "Chichewa Nyanja",
    "om": "Oromo",
    "ps": "Pashto",
    "rn": "Kirundi Rundi",
    "rw": "Kinyarwanda",
    "si": "Sinhala Sinhalese",
    "sn": "Shona",
    "so": "Somali Soomaali",
    "st": "Sotho Sesotho",
    "su": "Sundanese",
    "tet": "Tetum",
    "ti": "Tigrinya",
    "tn": "Tswana Setswana",
    "tpi": "Pisin",
    "ts": "Tsonga",
    "tw": "Twi",
    "wo": "Wolof",
    "xh": "Xhosa",
    "yo": "Yoruba",
    "zh-hans": "Chinese Mandarin 中文 简体中文 汉语",
    "zh-hant": "繁體中文 Cantonese",
    "zu": "Zulu",
    "prs": "Dari",
    "es": "Espanol Castilian",
    "fr": "Francais",
    "pt": "Portugues",
    "sw": "Kiswahili",
    "ne": "Nepali",
    "id": "Bahasa",
}
_REGIONS: Final = {"uk": "gb", "us": "us", "usa": "us", "brazil": "br", "brasil": "br"}
_SCRIPTS: Final = {"simplified": "hans", "traditional": "hant"}


def _names() -> Iterator[tuple[str, str]]:
    for tag, words in _MORE.items():
        yield from ((word.lower(), tag) for word in words.split())
    yield from ((_MORE[tag].lower(), tag) for tag in ("ht",))
    for tag, info in LANG_INFO.items():
        yield from ((name.lower(), tag) for name in (info.get("name"), info.get("name_local")) if name)


_BY_NAME: Final = dict(_names())


def language_tag(text: str) -> str | None:
    """Return the tag of a language as an XLSForm writes it, or None if it is unknown.

    A name comes before what is in brackets behind it, which may be a tag, a country or a script.

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
        return _BY_NAME.get(text.lower()) or _tag(text)
    name, within = match["name"].lower(), match["within"].lower()
    named = _BY_NAME.get(name) or _tag(name)
    if within in _SCRIPTS and named is not None:
        return f"{named.partition('-')[0]}-{_SCRIPTS[within]}"
    if within in _REGIONS and named is not None:
        return named
    tag = _tag(within)
    if tag is None or (named is not None and tag.partition("-")[0] != named.partition("-")[0]):
        return named
    return tag


def _tag(text: str) -> str | None:
    """Return a text as a tag, if it is one of a language that has a name here."""
    tag = text.lower().replace("_", "-")
    known = tag.partition("-")[0]
    return tag if _TAG.fullmatch(text) and (known in LANG_INFO or known in _MORE or known == "zh") else None
