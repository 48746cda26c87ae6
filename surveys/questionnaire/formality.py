"""How a survey addresses people, where a language has two forms: Sie or du, vous or tu.

Each language has one catalogue with all sentences (``django.po``). Next to it, ``formal.po`` or
``informal.po`` contains those that differ in its other form. A definition names the form of a language, its
wording only the other one, so that digests of surveys in the first form do not depend on this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import to_locale

from surveys.questionnaire.document import Node
from surveys.questionnaire.languages import has_catalogue, respondent_language

FORMALITY: Final = "formality"
"""Member of definitions, wordings, and documents for clients."""
FORMS: Final = ("formal", "informal")


@dataclass(frozen=True, kw_only=True)
class Forms:
    """The two forms in which a language addresses people.

    Parameters
    ----------
    first, other : {"formal", "informal"}
        The form of the catalogue with all sentences, and the other one.
    words : mapping of str to str
        The pronoun by form: ``{"formal": "Sie", "informal": "du"}``.
    """

    first: str
    other: str
    words: Mapping[str, str]


def forms_of(tag: str) -> Forms | None:
    """Return the forms of a language, which may name a region; None if Sottovoce has only one.

    Examples
    --------
    >>> forms_of("de-at").words[forms_of("de-at").other], forms_of("en"), forms_of("vi")
    ('du', None, None)
    """
    language = respondent_language(tag)
    return _forms(language) if has_catalogue(tag) else None


@lru_cache(maxsize=64)
def _forms(language: str) -> Forms | None:
    for first, other in (FORMS, FORMS[::-1]):
        if _file(language, other).exists():
            return Forms(
                first=first,
                other=other,
                words={
                    form: _read(_file(language, name)).info()["x-address"]
                    for form, name in ((first, "django"), (other, other))
                },
            )
    return None


def _file(language: str, name: str) -> Path:
    (folder,) = settings.LOCALE_PATHS
    return Path(folder) / to_locale(language) / "LC_MESSAGES" / f"{name}.mo"


def _read(path: Path) -> GNUTranslations:
    with path.open("rb") as file:
        return GNUTranslations(file)


def other_form(tag: str) -> GNUTranslations:
    """Return the sentences of a language that differ in its other form, which it must have."""
    language = respondent_language(tag)
    forms = _forms(language)
    if forms is None:
        raise ValueError(f"{tag} has one form of address")
    return _read(_file(language, forms.other))


def read_formality(node: Node) -> dict[str, str] | None:
    """Return the languages that a definition puts into their other form, for its wording; note problems."""
    stated = node.value
    if not isinstance(stated, dict):
        node.wrong(_("%(value)s is not an object"), _("give one such as {“de”: “informal”}"))
        return None
    found = {}
    for tag, form in stated.items():
        forms = forms_of(tag)
        if tag not in node.languages:
            node.at(tag).wrong(_("this survey is not in the language %(tag)s"), _("leave it out"), tag=tag)
        elif forms is None:
            node.at(tag).wrong(
                _("Sottovoce addresses people in one way in the language %(tag)s"), _("leave it out"), tag=tag
            )
        elif form not in FORMS:
            node.at(tag).wrong(_("unknown form of address: %(value)s"), _("write formal or informal"))
        elif form == forms.other:
            found[tag] = form
    return found or None


def formality_in(wording: Mapping[str, Any], tag: str) -> str:
    """Return the other form of address if a wording or a draft states it for a language, else an empty text.

    Examples
    --------
    >>> [formality_in({"formality": {"de": form}}, "de") for form in ("informal", "formal", "other")]
    ['informal', '', '']
    """
    stated = wording.get(FORMALITY)
    forms = forms_of(tag)
    form = stated.get(tag) if isinstance(stated, dict) and forms else None
    return form if forms and form == forms.other else ""


def address_word(wording: Mapping[str, Any], tag: str) -> str:
    """Return the pronoun with which a survey addresses people; empty if its language has one form.

    Examples
    --------
    >>> address_word({}, "de"), address_word({"formality": {"de": "informal"}}, "de"), address_word({}, "en")
    ('Sie', 'du', '')
    """
    forms = forms_of(tag)
    return forms.words[formality_in(wording, tag) or forms.first] if forms else ""
