"""What the parts of a questionnaire are called: by their titles, which are optional, or by their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.languages import in_language, text_in
from surveys.questionnaire.stems import stem_text


def own_title(entry: Mapping[str, Any], document: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the title of a part by language; empty if it has none.

    Earlier versions required a title, so their untitled parts repeat the first question or list. A composite
    question takes its text from the title, which respondents read above its components.

    Parameters
    ----------
    entry : mapping
        A part of a draft or of a version's wording, which may be malformed.
    document : mapping, optional
        The draft, which has the stems of lists; a version's part has its own.

    Examples
    --------
    >>> asked = [{"text": {"en": "Did you copy?"}}, {"text": {"en": "Did you invent data?"}}]
    >>> own_title({"title": {"en": "Acts", "zh-hans": ""}, "questions": asked})
    {'en': 'Acts'}
    >>> own_title({"title": {"en": "Did you copy?"}, "questions": asked}), own_title({"questions": asked})
    ({}, {})
    >>> own_title({"title": {"en": "Mood"}, "questions": [{"text": {"en": "Mood"}, "computed": {}}]})
    {'en': 'Mood'}
    """
    title = _written(entry.get("title"))
    questions = entry.get("questions")
    if not title or not isinstance(questions, list) or not questions or not isinstance(questions[0], Mapping):
        return title
    if COMPUTED in questions[0] or COMPONENTS in questions[0]:
        return title
    repeated = (
        _written(stem_text(document or entry, questions[0])),
        _written(questions[0].get("text")),
    )
    return {} if title in repeated else title


def _written(texts: object) -> dict[str, str]:
    """Return the texts that are not blank."""
    named = texts if isinstance(texts, Mapping) else {}
    return {tag: text for tag, text in named.items() if isinstance(text, str) and text.strip()}


def titled(entry: Mapping[str, Any], title: Mapping[str, str]) -> dict[str, Any]:
    """Return a part with this title, after its strength as in files; without one if it is empty.

    Examples
    --------
    >>> titled({"key": "acts", "title": {"en": "Did you copy?"}, "questions": []}, {})
    {'key': 'acts', 'questions': []}
    """
    rest = {name: value for name, value in entry.items() if name not in ("title", "questions")}
    return rest | ({"title": dict(title)} if title else {}) | {"questions": entry["questions"]}


def part_names(
    blocks: Sequence[Mapping[str, Any]],
    language: str | None = None,
    document: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """Return what each part is called, by its key: its title, else its number in the builder.

    Parameters
    ----------
    blocks : sequence of mapping
        The parts of a draft or of a version's wording.
    language : str, optional
        By default the page's.
    document : mapping, optional
        As for `own_title`.

    Examples
    --------
    >>> asked = [{"text": {"en": "Did you copy?"}}]
    >>> part_names([{"key": "acts", "title": {"en": "Acts"}, "questions": asked},
    ...             {"key": "rest", "questions": asked}], "en")
    {'acts': 'Acts', 'rest': 'Part 2'}
    """
    return {
        block["key"]: text_in(own_title(block, document), language) or part_number(number, language)
        for number, block in enumerate(blocks, start=1)
    }


def part_number(number: int, language: str | None = None) -> str:
    """Return the name of a part without a title, in a language (default: the page's)."""
    with in_language(language or get_language()):
        return _("Part %(number)s") % {"number": number}
