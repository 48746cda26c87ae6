"""Remove tags, entities and Markdown from a text."""

from __future__ import annotations

import html
import re
from typing import Final

_TAGS: Final = re.compile(
    r"</?(?:a|b|big|blockquote|br|button|center|code|div|em|fieldset|font|form|h[1-6]|hr|html|body|head|i|img"
    r"|input|label|legend|li|meta|ol|optgroup|option|p|pre|s|section|select|small|span|strong|style|sub|sup"
    r"|t(?:able|body|d|extarea|h|head|r)|u|ul)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_IMAGE: Final = re.compile(r"!?\[(?P<text>[^\[\]]{0,200})\]\([^()\s]{1,300}\)")
_PICTURE: Final = re.compile(r"<(?:img|audio|video|source)\b|!\[[^\[\]]{0,200}\]\(", re.IGNORECASE)
_FILE: Final = re.compile(
    r"[\w .()/:\\-]{1,200}\.(?:png|jpe?g|gif|svg|webp|bmp|heic|mp3|m4a|wav|ogg|amr|mp4|3gp|mov|webm)",
    re.IGNORECASE,
)
_STRONG: Final = re.compile(r"(?<![\w_])__(?=[^\W_])|(?<=[^\W_])__(?![\w_])")
_EMPHASIS: Final = re.compile(r"(?<![\w*\\])[*](?=[^\s*])(?P<text>[^*\n]{1,200})(?<=[^\s*])[*](?![\w*])")
_MARKDOWN_HEADING: Final = re.compile(r"^[^\S\n]*(?:#\s|#{2,6}(?!#)\s?)", re.MULTILINE)
"""Marks of a heading; a single one needs a blank behind it, because #1 is a number."""


def plain(text: str) -> str:
    """Remove tags, entities and Markdown from a text.

    Examples
    --------
    >>> plain("**Did** <span style='color:red'>anybody</span> *hit*&nbsp;you?")
    'Did anybody hit you?'
    """
    text = without_markup(text)
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub(lambda match: match["text"], _STRONG.sub("", text))
    return " ".join(_MARKDOWN_HEADING.sub("", text).split())


def shows_media(value: object) -> bool:
    """Return whether a text, or one of several by language, contains a picture or sound, or names its file.

    Examples
    --------
    >>> shows_media("Is it ![this](a.png)?"), shows_media({"en": "a.png"}), shows_media("[this](a.png)")
    (True, True, False)
    """
    texts = value.values() if isinstance(value, dict) else [value]
    return any(
        isinstance(text, str) and bool(_PICTURE.search(text) or is_media_file(text.strip())) for text in texts
    )


def is_media_file(text: str) -> bool:
    """Return whether a text is only the name of a file with a picture, sound or film.

    Examples
    --------
    >>> is_media_file("face 1.png"), is_media_file("Is it face.png?")
    (True, False)
    """
    return _FILE.fullmatch(text) is not None


def without_markup(text: str) -> str:
    """Remove tags, entities and double asterisks from a text, but keep its blanks."""
    if "<" in text or "&" in text:
        text = html.unescape(_TAGS.sub("", text)).replace("\xa0", " ")
    if "](" in text:
        text = _IMAGE.sub(lambda match: match["text"], text)
    return text.replace("**", "")
