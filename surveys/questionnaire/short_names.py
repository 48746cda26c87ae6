"""Short names of questions: the language in which they are entered, and those in other languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import get_language


def named_language(languages: Sequence[str]) -> str:
    """Return the language of short names that are entered on this page: its own, else the survey's first."""
    tag = get_language() or ""
    return tag if tag in languages or not languages else languages[0]


def names_by_language(
    names: Mapping[str, Mapping[str, str]], languages: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Order the short names of questions by the languages of their survey; the others follow.

    Examples
    --------
    >>> names_by_language({"a": {"zh-hans": "饮酒", "": "drinks"}}, ["en", "zh-hans"])
    {'a': {'en': 'drinks', 'zh-hans': '饮酒'}}
    """
    # A plan that did not store the language of a name has an empty tag: the survey's first language.
    first = languages[0] if languages else ""
    ordered = {}
    for key, texts in names.items():
        stated = {tag or first: text for tag, text in texts.items()}
        ordered[key] = {tag: stated[tag] for tag in dict.fromkeys((*languages, *stated)) if tag in stated}
    return ordered


def with_entered_names(
    names: Mapping[str, Mapping[str, str]], entered: Mapping[str, str], languages: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Replace the short names of questions in the language of the page, and keep those in other languages.

    Parameters
    ----------
    names : mapping of str to mapping of str to str
        The saved names; see `Aim.names`.
    entered : mapping of str to str
        The names on the page, by question. An empty one removes the name in this language.
    languages : sequence of str
        The languages of the survey.

    Examples
    --------
    >>> with_entered_names({"a": {"zh-hans": "饮酒"}}, {"a": "drinks"}, ["en", "zh-hans"])
    {'a': {'en': 'drinks', 'zh-hans': '饮酒'}}
    >>> with_entered_names({"a": {"en": "drinks"}}, {"a": ""}, ["en"])
    {}
    """
    language, changed = named_language(languages), dict(names_by_language(names, languages))
    for key, name in entered.items():
        others = {tag: text for tag, text in changed.get(key, {}).items() if tag != language}
        changed[key] = {**others, language: name} if name else others
    return {key: texts for key, texts in names_by_language(changed, languages).items() if texts}
