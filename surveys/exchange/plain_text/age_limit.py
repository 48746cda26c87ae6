"""An age limit that is pasted as a bare number, written as a sentence for respondents."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from surveys.exchange.plain_text.outline import Texts

__all__ = ["age_in_words"]

_AGE: Final = re.compile(
    r"(?:>=|≥|from)?\s*(?P<age>\d{1,2})\s*(?:\+|岁|years?)?\s*(?:以上|and older|and over)?", re.IGNORECASE
)
"""Eighteen as people write it: 18, 18+, from 18, 18 岁以上."""


def age_in_words(texts: Texts) -> Texts:
    """Return an age limit as a sentence, where it is a bare number in a language of the pages."""
    said = {}
    for tag, text in texts.items():
        age = _AGE.fullmatch(text.strip())
        if age is None or tag not in dict(settings.LANGUAGES):
            said[tag] = text
            continue
        with override(tag):
            said[tag] = _("For people of %(age)s and older.") % {"age": age["age"]}
    return said
