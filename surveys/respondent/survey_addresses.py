"""Addresses of a survey."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

from surveys.models import Survey
from surveys.questionnaire.languages import Language, in_language, language_of
from surveys.questionnaire.own_sentences import text_language
from surveys.respondent.client_documents import languages_of


@dataclass(frozen=True, kw_only=True)
class Address:
    """Address of the respondents' page in one language.

    Parameters
    ----------
    language : Language
        Language of the survey's texts.
    page_language : str
        Language tag of Sottovoce's own texts on that page.
    path : str
    """

    language: Language
    page_language: str
    path: str


def addresses_of(slug: str, wording: Mapping[str, Any]) -> tuple[Address, ...]:
    """Return the addresses of a published survey, beginning with its first language."""
    return tuple(_address(slug, tag, text_language(wording, tag)) for tag in languages_of(wording))


def addresses_now(survey: Survey) -> tuple[Address, ...]:
    """Return the addresses of a survey's newest version; empty before the first one."""
    newest = survey.versions.order_by("-number").first()
    return addresses_of(survey.slug, newest.wording) if newest else ()


def shown_path(survey: Survey) -> str:
    """Return the path to link to: in the active language if the survey has it, else in its first one."""
    by_tag = {address.language.tag: address.path for address in addresses_now(survey)}
    first = next(iter(by_tag.values()), reverse("respond:page", args=[survey.slug]))
    return by_tag.get(get_language() or "", first)


def absolute_address(request: HttpRequest, path: str) -> str:
    """Return the full address of a respondents' page, on the first client origin if there are any."""
    elsewhere = settings.SOTTOVOCE_CLIENT_ORIGINS
    return f"{elsewhere[0]}{path}" if elsewhere else request.build_absolute_uri(path)


def _address(slug: str, tag: str, page_language: str) -> Address:
    is_page = tag in dict(settings.LANGUAGES)
    with in_language(tag if is_page else settings.LANGUAGE_CODE):
        path = (
            reverse("respond:page", args=[slug]) if is_page else reverse("respond:page_in", args=[slug, tag])
        )
    return Address(language=language_of(tag), page_language=page_language, path=path)
