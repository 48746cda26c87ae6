"""Languages of surveys and pages: BCP 47 tags in lower case, as in URLs; texts in a language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.utils.text import capfirst
from django.utils.translation import get_language, override, to_language, trans_real
from django.utils.translation import gettext as _
from django.utils.translation import gettext as of_django

from surveys.errors.error import short_json
from surveys.questionnaire.document import Node

_active: Final[Any] = vars(trans_real)["_active"]
"""Django's translation in use, by thread."""

MOST_LANGUAGES: Final = 20
# Language, script, region, variants. Extensions and private tags mean nothing to a page.
_TAG: Final = re.compile(
    r"[a-z]{2,3}(?:-(?P<script>[a-z]{4}))?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    re.ASCII,
)
_REGION: Final = re.compile(r"-(?:[a-z]{2}|[0-9]{3})$", re.ASCII)
_TRADITIONAL: Final = re.compile(r"zh-(?:tw|hk|mo)\Z")
_CHINESE: Final = re.compile(r"zh(?:-[a-z]{2})?\Z")
_SCRIPTS_FROM_THE_RIGHT: Final = frozenset({"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"})
# Right-to-left languages that Django does not list.
_LANGUAGES_FROM_THE_RIGHT: Final = frozenset({"dv", "ps", "sd", "yi", "arc", "syr", "nqo"})

Direction = Literal["ltr", "rtl"]


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language that a survey can be in.

    Parameters
    ----------
    tag : str
        BCP 47, in lower case: "en", "zh-hans", "ar".
    name : str
        The language's name for itself; its tag if Django does not know the name.
    direction : str
        Writing direction, "ltr" or "rtl".
    """

    tag: str
    name: str
    direction: Direction


@contextmanager
def in_language(tag: str) -> Iterator[None]:
    """Use a language for a moment, and then exactly the sentences before.

    Django's `override` would go back to the language alone, and forget a survey's own sentences and its form
    of address.
    """
    before = getattr(_active, "value", None)
    if tag == get_language():
        yield
        return
    with override(tag):
        yield
    if before is not None:
        _active.value = before


def language_of(tag: str) -> Language:
    """Return the name and direction of a language.

    Examples
    --------
    >>> language_of("ar").direction, language_of("zh-hans").name, language_of("az-arab").direction
    ('rtl', '简体中文', 'rtl')
    """
    return Language(tag=tag, name=_name(tag), direction=direction_of(tag))


def direction_of(tag: str) -> Direction:
    """Return the writing direction of the tag's script, or of its language if it names no script.

    Examples
    --------
    >>> [direction_of(tag) for tag in ("en", "he", "ur-pk", "ku-latn", "ps")]
    ['ltr', 'rtl', 'rtl', 'ltr', 'rtl']
    """
    match = _TAG.fullmatch(tag)
    script = match and match["script"]
    language = tag.split("-")[0]
    if script:
        from_the_right = script in _SCRIPTS_FROM_THE_RIGHT
    else:
        from_the_right = bool(LANG_INFO.get(language, {}).get("bidi")) or (
            language in _LANGUAGES_FROM_THE_RIGHT
        )
    return "rtl" if from_the_right else "ltr"


@lru_cache(maxsize=1)
def respondent_languages() -> tuple[str, ...]:
    """Return the languages of Sottovoce's texts for respondents: those of pages, then of other catalogues."""
    pages = [tag for tag, _name in settings.LANGUAGES]
    (folder,) = settings.LOCALE_PATHS
    tags = {to_language(path.parts[-3]) for path in folder.glob("*/LC_MESSAGES/django.mo")}
    return (*pages, *sorted(tags.difference(pages)))


def respondent_language(tag: str) -> str:
    """Return the language of Sottovoce's texts for a survey in a language, which may name a region.

    Of Chinese without a script, the region decides the script. Browsers choose likewise: ``ownLanguage`` in
    ``start.js``.

    Examples
    --------
    >>> [respondent_language(tag) for tag in ("de-at", "zh-hans", "zh-hant-hk", "zh-tw", "zh", "vi")]
    ['de', 'zh-hans', 'zh-hant', 'zh-hant', 'zh-hans', 'en']
    """
    tags = (tag, _REGION.sub("", tag), _CHINESE.sub("zh-hans", _TRADITIONAL.sub("zh-hant", tag)))
    return next((each for each in tags if each in respondent_languages()), settings.LANGUAGE_CODE)


def has_catalogue(tag: str) -> bool:
    """Return whether Sottovoce has texts for respondents in a language, which may name a region.

    Examples
    --------
    >>> has_catalogue("de-at"), has_catalogue("zh-tw"), has_catalogue("en-gb"), has_catalogue("ha")
    (True, True, True, False)
    """
    language = respondent_language(tag)
    return language != settings.LANGUAGE_CODE or tag.startswith(language)


def known_languages() -> tuple[Language, ...]:
    """Return the languages to choose from: the interface's first, then all others with a name, by tag."""
    pages = [tag for tag, _name in settings.LANGUAGES]
    tags = sorted(tag for tag, info in LANG_INFO.items() if "name_local" in info and tag not in pages)
    return tuple(language_of(tag) for tag in (*pages, *tags))


def read_languages(node: Node) -> tuple[str, ...]:
    """Return the languages of a definition, in order; note invalid ones."""
    tags: list[str] = []
    for entry in node.entries(most=MOST_LANGUAGES):
        tag = entry.value
        if not isinstance(tag, str) or _TAG.fullmatch(tag) is None:
            entry.wrong(
                _("not a language tag: %(tag)s"),
                _("write a BCP 47 tag in lower case: en, zh-hans, pt-br"),
                tag=short_json(tag),
            )
        elif tag in tags:
            entry.wrong(_("%(tag)s occurs twice"), _("keep one of the two"), tag=short_json(tag))
        else:
            tags.append(tag)
    if node.value == []:
        node.wrong(_("no language is given"), _("state at least one"))
    return tuple(tags)


def languages_of(title: Node, tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the languages in which texts are read: the stated `tags`, else those of the title.

    Without tags, only languages of the interface count, unless texts are not checked.
    """
    ui_tags = [tag for tag, _name in settings.LANGUAGES]
    title_tags = tuple(title.value) if isinstance(title.value, dict) else ()
    if not title.is_worded:
        return tags or title_tags
    languages = tags or tuple(tag for tag in title_tags if tag in ui_tags)
    if languages:
        replace(title, languages=languages).text()
    else:
        title.wrong(
            _("%(value)s has no text in a language of the interface"),
            _("add a text in %(languages)s"),
            languages=_(" or ").join(ui_tags),
        )
    return languages


def _name(tag: str) -> str:
    prefix = tag
    while prefix:
        info = LANG_INFO.get(prefix, {})
        # Django lists Chinese without a script, such as "zh-tw", by another tag.
        info = LANG_INFO[info["fallback"][0]] if "fallback" in info else info
        if "name_local" in info:
            return str(info["name_local"])
        prefix = prefix.rpartition("-")[0]
    return tag


def tags_of(document: Mapping[str, Any]) -> list[str]:
    """Return the languages of a draft, in order: those that it states, else those of its title."""
    languages = document.get("languages") or document.get("title")
    return [tag for tag in languages if isinstance(tag, str)] if isinstance(languages, list | dict) else []


def plain_texts(value: object) -> dict[str, str]:
    """Return the texts of a member by language; empty if it has none.

    A draft that is read without texts may hold anything there.

    >>> plain_texts({"en": "Yes", "de": None}), plain_texts(["Yes"])
    ({'en': 'Yes'}, {})
    """
    return (
        {tag: text for tag, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}
    )


def text_in(texts: Mapping[str, str] | None, language: str | None = None) -> str:
    """Return the text in a language (default: the page's), else in the first available one, else "".

    Examples
    --------
    >>> text_in({"en": "Work", "fr": "Travail"}, "fr")
    'Travail'
    >>> text_in({"en": "Work", "fr": "Travail"}, "zh-hans")
    'Work'
    >>> text_in(None, "en")
    ''
    """
    if not texts:
        return ""
    return texts.get(language or get_language() or "en") or next(iter(texts.values()))


def yes_and_no(language: str) -> dict[str, str]:
    """Return Django's "yes" and "no" in a language; empty for those of pages, which have their own."""
    own = respondent_language(language) if has_catalogue(language) else language
    return yes_and_no_of_django(own)


def yes_and_no_of_django(language: str) -> dict[str, str]:
    """Return Django's "yes" and "no"; empty for languages of pages."""
    if language in dict(settings.LANGUAGES):
        return {}
    with in_language(language):
        yes, no, _maybe = of_django("yes,no,maybe").split(",")
    return {"yes": capfirst(yes), "no": capfirst(no)}
