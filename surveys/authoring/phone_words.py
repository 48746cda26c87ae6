"""Words that respondents' pages show around a survey's own texts, for the phone in the builder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.utils.translation import check_for_language, override

from surveys.questionnaire.languages import has_catalogue, respondent_language, yes_and_no
from surveys.respondent.first_texts import FIRST
from surveys.respondent.texts import ASSIGNED, CHOICE, DECIDED, LATER, LIGHT

_GROUP_SCREEN: Final = (
    *("group_title", "group_text", "group_protected", "group_protected_hint", "group_direct"),
    *("group_direct_hint", "assigned_title", "assigned_protected", "assigned_protected_text"),
    *("assigned_direct", "assigned_direct_text", "assigned_text"),
)

_ON_THE_PHONE: Final = {
    **{name: FIRST[name] for name in ("yes", "no", "disguised", "mark_open")},
    "hint_open": LATER["hint_open"],
    **{name: (CHOICE | ASSIGNED)[name] for name in _GROUP_SCREEN},
    **{f"light_{name}": LIGHT[name] for name in _GROUP_SCREEN if name in LIGHT},
    **{f"decided_{name}": DECIDED[name] for name in _GROUP_SCREEN if name in DECIDED},
}


def phone_words(languages: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return by language what respondents' pages say around a survey's own texts, for the builder's phone.

    As in that page, a language without texts by Sottovoce has the default language's, except "yes" and "no".
    The empty key has the default's words, so that twenty languages do not repeat them.

    >>> words = phone_words(["en", "zh-hans", "de-at", "nl"])
    >>> [words[tag]["yes"] for tag in words]
    ['Yes', 'Yes', '是', 'Ja', 'Ja']
    >>> words["zh-hans"]["disguised"], words["nl"]
    ('受保护', {'yes': 'Ja', 'no': 'Nee'})
    """
    words = {"": _words_in(settings.LANGUAGE_CODE)}
    for tag in languages:
        own = respondent_language(tag)
        words[tag] = _words_in(own) if has_catalogue(tag) else {}
        if check_for_language(tag):
            words[tag] |= yes_and_no(tag)
    return words


def _words_in(language: str) -> dict[str, str]:
    with override(language):
        return {name: str(text) for name, text in _ON_THE_PHONE.items()}
