"""Texts without the markup of other programs."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["plain", "without_markup"]

_TAGS: Final = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_IMAGE: Final = re.compile(r"!?\[(?P<text>[^\[\]]{0,200})\]\([^()\s]{1,300}\)")
_STRONG: Final = re.compile(r"(?<![\w_])__(?=[^\W_])|(?<=[^\W_])__(?![\w_])")
_EMPHASIS: Final = re.compile(r"(?<![\w*\\])[*](?=[^\s*])(?P<text>[^*\n]{1,200})(?<=[^\s*])[*](?![\w*])")
_HEADING: Final = re.compile(r"#{1,6} ")


def plain(text: str) -> str:
    """Return a text without tags, entities and Markdown.

    Examples
    --------
    >>> plain("**Did** <span style='color:red'>anybody</span> *hit*&nbsp;you?")
    'Did anybody hit you?'
    """
    text = without_markup(text)
    if "](" in text:
        text = _IMAGE.sub(lambda match: match["text"], text)
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub(lambda match: match["text"], _STRONG.sub("", text))
    # A heading of Markdown.
    heading = _HEADING.match(text)
    return " ".join(text[heading.end() :].split()) if heading else " ".join(text.split())


def without_markup(text: str) -> str:
    """Return a text without tags, entities and double asterisks; its blanks stay."""
    if "<" in text or "&" in text:
        text = html.unescape(_TAGS.sub("", text)).replace("\xa0", " ")
    return text.replace("**", "")
