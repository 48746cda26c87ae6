"""Fill in the texts that a draft lacks, so that it can be tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext_lazy

from surveys.questionnaire.arms import EXPLANATIONS, ODDS, WORDINGS, is_arm
from surveys.questionnaire.composites import COMPONENTS, COMPUTED, NEUTRAL, SOURCE
from surveys.questionnaire.definition import (
    ABOUT,
)
from surveys.questionnaire.document import is_blank
from surveys.questionnaire.languages import in_language, tags_of
from surveys.questionnaire.stems import STEMS
from surveys.questionnaire.survey_title import survey_title

_MISSING: Final = "…"


_OPTIONAL: Final = ("title", "help")


def with_texts(document: dict[str, Any]) -> dict[str, Any]:
    """Fill in missing texts of a draft's title, questions, options and arms.

    Titles and explanations are filled in only where they have a text in another language. Texts about the
    survey stay as they are.
    """
    languages = tags_of(document) or ["en"]
    about = document.get("about")
    return {
        **document,
        "title": filled_text(survey_title(document), languages),
        "about": {name: {} for name in ABOUT} | about if isinstance(about, dict) else about,
        "blocks": _fill_texts(document.get("blocks"), languages),
        **({STEMS: _fill_texts(document[STEMS], languages, _QUESTION)} if STEMS in document else {}),
        **_explanations(document.get(EXPLANATIONS), languages),
    }


def filled_text(
    texts: object, languages: list[str], instead: Callable[[], str] = lambda: _MISSING
) -> dict[str, str]:
    """Fill in a text in each of these languages; ``instead`` returns what a missing one says in a language.

    Examples
    --------
    >>> filled_text({"en": "Work", "zh-hans": " "}, ["en", "zh-hans"]), filled_text(None, ["en"])
    ({'en': 'Work', 'zh-hans': 'Work'}, {'en': '…'})
    """
    mapping = texts if isinstance(texts, dict) else {}
    nonempty = {tag: text for tag, text in mapping.items() if isinstance(text, str) and text.strip()}
    first = next((nonempty[tag] for tag in languages if tag in nonempty), "")
    found = {}
    for tag in languages:
        with in_language(tag):
            found[tag] = nonempty.get(tag) or first or instead()
    return found


_QUESTION: Final = gettext_lazy("Question %(number)s")
_ANSWER: Final = gettext_lazy("Answer %(number)s")
_NAMES: Final = {"questions": _QUESTION, "options": _ANSWER}


def _fill_texts(content: Any, languages: list[str], named: Any = "", number: int = 0) -> Any:
    """Fill in the texts in a part of a document.

    ``named`` is how an entry of a list without a text is called, by its number, such as *Answer 2*. Entries
    without such a name need no text.
    """
    if isinstance(content, list):
        return [_fill_texts(entry, languages, named, place) for place, entry in enumerate(content, start=1)]
    if not isinstance(content, dict) or is_arm(content):
        return content
    result = {"text": None, **content} if named else dict(content)
    for name, value in result.items():
        if name == "text":
            result[name] = filled_text(value, languages, lambda: str(named or _QUESTION) % {"number": number})
        elif name in _OPTIONAL and value and not is_blank(value):
            result[name] = filled_text(value, languages)
        elif name in _NAMES and isinstance(value, list):
            result[name] = _fill_texts(value, languages, _NAMES[name])
        elif name == COMPUTED and isinstance(value, dict):
            lists = (COMPONENTS, *(member for member in (NEUTRAL,) if member in value))
            result[name] = value | {
                member: _fill_texts(value.get(member), languages, _QUESTION) for member in lists
            }
            if value.get(SOURCE):
                result[name][SOURCE] = filled_text(value[SOURCE], languages)
        elif name == WORDINGS and isinstance(value, dict) and isinstance(value.get("texts"), dict):
            texts = {option: filled_text(text, languages) for option, text in value["texts"].items()}
            result[name] = {**value, "texts": texts}
    return {
        name: value
        for name, value in result.items()
        if name not in (*_OPTIONAL, WORDINGS) or (value and not is_blank(value))
    }


def _explanations(entry: Any, languages: list[str]) -> dict[str, Any]:
    """Fill in the texts for the arms of an experiment; each must contain the odds exactly once."""
    if not isinstance(entry, dict) or not isinstance(entry.get("texts"), dict):
        return {}
    texts = {option: filled_text(text, languages) for option, text in entry["texts"].items()}
    for text in texts.values():
        text |= {tag: f"{wording} {ODDS}" for tag, wording in text.items() if wording.count(ODDS) != 1}
    return {EXPLANATIONS: {**entry, "texts": texts}}
