"""The same question asked twice: true answers agree, and drawn ones reveal that they were drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.checks.looks import as_read


def check_repeated(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Find each question that one person is asked twice, if one of the two is protected.

    A warning if both are protected; if the other one is sent undisguised, it reveals the answer and is
    refused.
    """
    before: list[tuple[set[tuple[Any, ...]], str, Mapping[str, Any]]] = []
    for number, block in enumerate(document["blocks"]):
        for position, question in enumerate(block["questions"]):
            own = _readings(question)
            for other, key, earlier in before:
                protected = block["protected"] + earlier["protected"]
                if not protected or not own & other or _exclude(block, earlier):
                    continue
                words = {"key": question["key"], "other": key}
                both = protected == 2
                yield Finding(
                    level=Level.WARN if both else Level.REFUSE,
                    code="asked_twice",
                    path=f"blocks[{number}].questions[{position}]",
                    message=(
                        _(
                            "%(key)s asks the same as %(other)s: whoever compares the two answers sees which "
                            "rows were drawn"
                        )
                        if both
                        else _(
                            "%(key)s asks the same as %(other)s, one of them is disguised and the other is "
                            "not: the same person is asked both, and the second answer tells the first"
                        )
                    )
                    % words,
                    remedy=_("ask it once")
                    if both
                    else _("ask it once, or let each part depend on another group of an experiment"),
                )
                break
            before.append((own, question["key"], block))


def _exclude(*blocks: Mapping[str, Any]) -> bool:
    """Return whether two parts depend on different answers to one question, so that no one gets both."""
    first, second = (_needed(block.get("asked_if")) for block in blocks)
    return any(not first[key] & second[key] for key in first.keys() & second.keys())


def _needed(condition: Mapping[str, Any] | None) -> dict[str, set[str]]:
    """Return by question the answers of which every respondent who is asked gave one."""
    terms = [] if condition is None else condition.get("all", [condition])
    return {term["question"]: set(term["options"]) for term in terms if "question" in term}


def _readings(question: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Return all texts of a question in each language, including its help and options, in all wordings."""
    options = question.get("options", ())
    worded = question.get(WORDINGS, {"texts": {}})["texts"].values()
    return {
        (
            language,
            as_read(text).casefold(),
            as_read((question.get("help") or {}).get(language, "")),
            *(as_read(option.get("text", {}).get(language, "")) for option in options),
        )
        for texts in (question.get("text", {}), *worded)
        for language, text in texts.items()
    }
