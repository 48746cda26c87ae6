"""A survey's addresses, one for each of its languages.

Sottovoce's own sentences are there in the languages of `settings.LANGUAGES`, whose pages begin with their
tag. A survey can be in others, say Arabic: then its texts are shown in that one, in its direction, among
Sottovoce's sentences in the first language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import override

from surveys.questionnaire.languages import Language, language_of


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where a survey is answered in one language.

    Parameters
    ----------
    language : Language
        Of the survey's texts.
    page_language : str
        Tag of the language of Sottovoce's own sentences there.
    path : str
    """

    language: Language
    page_language: str
    path: str


def languages_of(wording: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags of a version's languages, the first one first.

    Examples
    --------
    >>> languages_of({"title": {"en": "Work", "ar": "العمل"}}), languages_of({"languages": ["ar", "en"]})
    (('en', 'ar'), ('ar', 'en'))
    """
    # Versions of the first releases say of none.
    return tuple(wording.get("languages") or wording.get("title") or (settings.LANGUAGE_CODE,))


def addresses_of(slug: str, wording: Mapping[str, Any]) -> tuple[Address, ...]:
    """Return the addresses of a published survey, that of its first language first."""
    return tuple(_address(slug, tag) for tag in languages_of(wording))


def absolute_address(request: HttpRequest, path: str) -> str:
    """Return the whole address of a respondents' page: where another owner serves it, that of the first."""
    elsewhere = settings.SOTTOVOCE_CLIENT_ORIGINS
    return f"{elsewhere[0]}{path}" if elsewhere else request.build_absolute_uri(path)


def _address(slug: str, tag: str) -> Address:
    page_language = tag if tag in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with override(page_language):
        own = page_language == tag
        path = reverse("respond:page", args=[slug]) if own else reverse("respond:page_in", args=[slug, tag])
    return Address(language=language_of(tag), page_language=page_language, path=path)
