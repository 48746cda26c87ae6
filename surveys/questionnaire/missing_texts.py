"""Fill the texts that a draft still misses: with another language's text, else with an ellipsis."""

from __future__ import annotations

from typing import Any, Final

from surveys.questionnaire.arms import EXPLANATIONS, ODDS, WORDINGS, is_arm
from surveys.questionnaire.definition import ABOUT
from surveys.questionnaire.languages import tags_of

__all__ = ["filled_text", "with_texts"]

_MISSING: Final = "…"


def with_texts(document: dict[str, Any]) -> dict[str, Any]:
    """Return a draft with the texts of its title, parts, questions, options and arms filled in.

    The information for respondents about the survey stays as far as it is written.
    """
    languages = tags_of(document) or ["en"]
    about = document.get("about")
    return {
        **document,
        "title": filled_text(document.get("title"), languages),
        "about": {name: {} for name in ABOUT} | about if isinstance(about, dict) else about,
        "blocks": _filled(document.get("blocks"), languages, "title"),
        **_explanations(document.get(EXPLANATIONS), languages),
    }


def filled_text(texts: object, languages: list[str]) -> dict[str, str]:
    """Return a text in each of these languages.

    Examples
    --------
    >>> filled_text({"en": "Work", "zh-hans": " "}, ["en", "zh-hans"]), filled_text(None, ["en"])
    ({'en': 'Work', 'zh-hans': 'Work'}, {'en': '…'})
    """
    known = texts if isinstance(texts, dict) else {}
    written = {tag: text for tag, text in known.items() if isinstance(text, str) and text.strip()}
    instead = next((written[tag] for tag in languages if tag in written), _MISSING)
    return {tag: written.get(tag, instead) for tag in languages}


def _filled(stated: Any, languages: list[str], needed: str = "") -> Any:
    """Return a part of a document with its texts filled in, the `needed` one of each entry of a list too."""
    if isinstance(stated, list):
        return [_filled(entry, languages, needed) for entry in stated]
    if not isinstance(stated, dict) or is_arm(stated):
        return stated
    filled = {needed: None, **stated} if needed else dict(stated)
    for name, value in filled.items():
        if name in ("title", "text") or (name == "help" and value):
            filled[name] = filled_text(value, languages)
        elif name in ("questions", "options") and isinstance(value, list):
            filled[name] = _filled(value, languages, "text")
        elif name == WORDINGS and isinstance(value, dict) and isinstance(value.get("texts"), dict):
            texts = {option: filled_text(text, languages) for option, text in value["texts"].items()}
            filled[name] = {**value, "texts": texts}
    return {name: value for name, value in filled.items() if name not in ("help", WORDINGS) or value}


def _explanations(stated: Any, languages: list[str]) -> dict[str, Any]:
    """Return the texts for the arms of an experiment; a missing one states only the odds."""
    if not isinstance(stated, dict) or not isinstance(stated.get("texts"), dict):
        return {}
    texts = {option: filled_text(text, languages) for option, text in stated["texts"].items()}
    for text in texts.values():
        text |= {tag: f"{said} {ODDS}" for tag, said in text.items() if said.count(ODDS) != 1}
    return {EXPLANATIONS: {**stated, "texts": texts}}
