"""The title of a survey, wherever one is shown: the one that its draft states, else its first words.

A survey without a title can be planned, tried and published for practice. Its pages then show the title of
its first part or the beginning of its first question. They never show its address or three dots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.languages import in_language, tags_of
from surveys.questionnaire.part_names import own_title
from surveys.questionnaire.stems import stem_text

_MOST: Final = 60
"""Largest number of characters of a question that stands for a title."""


def stated_title(title: object) -> dict[str, str] | None:
    """Return the texts of a title by language; None if it has none. A draft may state anything.

    >>> stated_title({"en": "Sleep", "de": " "}), stated_title({"en": ""})
    ({'en': 'Sleep'}, None)
    """
    if not isinstance(title, dict):
        return None
    return {tag: text for tag, text in title.items() if isinstance(text, str) and text.strip()} or None


def survey_title(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the title of a draft by language: the stated texts, else its first words in each language.

    Examples
    --------
    >>> asked = [{"text": {"en": "Did you copy in the last exam, or let someone else copy from you in it?"}}]
    >>> survey_title({"title": {"en": ""}, "blocks": [{"questions": asked}]})
    {'en': 'Did you copy in the last exam, or let someone else copy…'}
    >>> survey_title({"title": {"en": "Exams"}}), survey_title({"languages": ["en"]})
    ({'en': 'Exams'}, {'en': 'Untitled survey'})
    """
    stated = stated_title(document.get("title"))
    if stated is not None:
        return stated
    first = next(_first_words(document), {})
    found = {}
    for tag in tags_of(document) or ["en"]:
        with in_language(tag):
            written = first.get(tag) or next(iter(first.values()), _("Untitled survey"))
        found[tag] = _shortened(" ".join(written.split()))
    return found


def _shortened(text: str) -> str:
    """Cut a long text after a word, or anywhere in languages without blanks between words."""
    if len(text) <= _MOST:
        return text
    start = text[: _MOST - 1]
    words = start[: start.rfind(" ") + 1]
    return (words if len(words) > _MOST // 2 else start).rstrip(" ,;:，、") + "…"


def _first_words(document: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the titles of parts and the texts of questions, in order; the draft may be malformed."""
    blocks = document.get("blocks")
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, Mapping):
            continue
        yield from _filled(own_title(block, document))
        questions = block.get("questions")
        for question in questions if isinstance(questions, list) else ():
            if not isinstance(question, Mapping):
                continue
            yield from _filled(stem_text(document, question))
            yield from _filled(question.get("text"))
            rule = question.get(COMPUTED)
            parts = rule.get(COMPONENTS) if isinstance(rule, Mapping) else None
            for component in parts if isinstance(parts, list) else ():
                yield from _filled(component.get("text") if isinstance(component, Mapping) else None)


def _filled(texts: object) -> Iterator[dict[str, str]]:
    if (found := stated_title(texts)) is not None:
        yield found
