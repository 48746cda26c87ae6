"""What findings call questions, answers and lists: by their texts, since the program makes most keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privacy.survey.question import Question
from surveys.formats.joints import short_text
from surveys.questionnaire.languages import text_in


def entry_name(entry: Mapping[str, Any]) -> str:
    """Return the text of a question, an option or a stem, cut for a sentence, or else its key.

    A question that an experiment words differently has no text of its own.

    >>> entry_name({"key": "option-1", "text": {"en": "Never"}}), entry_name({"key": "never", "text": {}})
    ('Never', 'never')
    """
    return short_text(text_in(entry.get("text") or {})) or str(entry["key"])


def item_names(entry: Mapping[str, Any], question: Question) -> dict[str, str]:
    """Return what the items of a question are called, by key: its answers, or itself if it is yes or no."""
    options = entry.get("options") or ()
    if len(options) != len(question.item_keys):
        return dict.fromkeys(question.item_keys, entry_name(entry))
    return dict(zip(question.item_keys, map(entry_name, options), strict=True))
