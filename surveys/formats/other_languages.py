"""The languages in which a reader can see the same page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, get_language_info


def other_languages_of(request: HttpRequest) -> tuple[dict[str, str], ...]:
    """Return tag, name and address of this page in each other language.

    Empty for the answer to a form, and for addresses without a language, such as unknown ones.
    """
    if request.method != "GET":
        return ()
    here = request.get_full_path()
    pages = (
        {"tag": tag, "name": get_language_info(tag)["name_local"], "address": translate_url(here, tag)}
        for tag, _name in settings.LANGUAGES
        if tag != get_language()
    )
    return tuple(other for other in pages if other["address"] != here)


def other_languages(request: HttpRequest) -> dict[str, object]:
    """Add the other languages to the template context, lazily, since few pages list them."""
    return {"other_languages": SimpleLazyObject(lambda: other_languages_of(request))}
