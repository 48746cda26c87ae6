"""The same question asked twice: true answers agree, and drawn ones show that they were drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.checks.looks import as_read


def check_repeated(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Give a warning for each question that was asked before, where one of the two is protected."""
    before: list[tuple[set[tuple[Any, ...]], str, bool]] = []
    for number, block in enumerate(document["blocks"]):
        for position, question in enumerate(block["questions"]):
            own = _readings(question)
            for other, key, is_protected in before:
                if own & other and (block["protected"] or is_protected):
                    yield Finding(
                        level=Level.WARN,
                        code="asked_twice",
                        path=f"blocks[{number}].questions[{position}]",
                        message=_(
                            "%(key)s asks the same as %(other)s: whoever compares the two answers sees which "
                            "rows were drawn"
                        )
                        % {"key": question["key"], "other": key},
                        remedy=_("ask it once"),
                    )
                    break
            before.append((own, question["key"], block["protected"]))


def _readings(question: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Return what is read of a question in each language, its help and its options too."""
    options = question.get("options", ())
    return {
        (
            language,
            as_read(text).casefold(),
            as_read((question.get("help") or {}).get(language, "")),
            *(as_read(option.get("text", {}).get(language, "")) for option in options),
        )
        for language, text in question.get("text", {}).items()
    }
