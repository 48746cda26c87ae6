"""Check questions about violence and danger: a survey that asks them says where people get help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.background import harm_words
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.part_names import part_names


def check_harm(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Demand help for respondents where protected questions are about violence or self-harm.

    Every such part needs a help text, its own or that of the survey. A part with composite questions, which
    shows it next to each question, should have its own.

    Parameters
    ----------
    document : mapping
        A complete definition.
    """
    names = part_names(document["blocks"], document=document)
    for number, entry in enumerate(document["blocks"]):
        words = harm_in(entry) if entry["protected"] and not _written(entry.get("help")) else ""
        is_general = _written(document["about"].get("help"))
        is_composed = any(COMPUTED in question for question in entry["questions"])
        if not words or (is_general and not is_composed):
            continue
        message = _(
            "“%(part)s” asks about violence or self-harm (“%(words)s”) and does not say where people get "
            "help. No one can act on these answers, because no one can read them"
        ) % {"part": names[entry["key"]], "words": words}
        yield Finding(
            level=Level.WARN if is_general else Level.REFUSE,
            code="no_help",
            path=f"blocks[{number}].help",
            message=message,
            remedy=_("write into the help text of this part whom people reach at once"),
        )


def harm_in(entry: Mapping[str, Any]) -> str:
    """Return the first words of violence or self-harm in the questions of a part; empty if there are none.

    Parameters
    ----------
    entry : mapping
        A part of a draft, which may be incomplete.
    """
    return harm_words(_texts_in(entry.get("questions")))


def _texts_in(value: object) -> Iterator[dict[str, str]]:
    """Yield the texts of questions, their components and options."""
    for each in value if isinstance(value, list) else ():
        if isinstance(each, dict):
            for name in ("text", "help"):
                if isinstance(texts := each.get(name), dict):
                    yield {tag: text for tag, text in texts.items() if isinstance(text, str)}
            yield from _texts_in(each.get("options"))
            rule = each.get(COMPUTED)
            yield from _texts_in(rule.get(COMPONENTS) if isinstance(rule, dict) else None)


def _written(texts: Mapping[str, str] | None) -> bool:
    """Return whether a text is written in every language that it has."""
    return bool(texts) and all(text.strip() not in ("", "…") for text in (texts or {}).values())
