"""Links to the same staff page in the other languages; respondents' pages have links of their own."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, get_language_info


@dataclass(frozen=True, kw_only=True)
class OtherLanguage:
    """A language, what its speakers call it, and where the page is in it."""

    tag: str
    name: str
    address: str


def other_languages_of(request: HttpRequest) -> tuple[OtherLanguage, ...]:
    """Return where this page is in each other language; nothing for what a link would not bring back.

    That is the answer to a form, and what is no page of a language, such as an unknown address.
    """
    if request.method != "GET":
        return ()
    here = request.get_full_path()
    pages = (
        OtherLanguage(tag=tag, name=get_language_info(tag)["name_local"], address=translate_url(here, tag))
        for tag, _name in settings.LANGUAGES
        if tag != get_language()
    )
    return tuple(other for other in pages if other.address != here)


def other_languages(request: HttpRequest) -> dict[str, object]:
    """Give templates the other languages; pages that do not list them work nothing out."""
    return {"other_languages": SimpleLazyObject(lambda: other_languages_of(request))}
