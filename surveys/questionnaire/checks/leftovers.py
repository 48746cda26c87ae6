"""Check texts for placeholders and marks that another program left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.questionnaire.findings import Finding, Level

_LEFT: Final = re.compile(
    r"[$#]\{[^{}]{0,100}\}|\{\{[^{}]{0,100}\}\}|<[^\s<>]{1,100}>|\[(?:Field|QID|Q\d)[^\[\]]{0,60}\]"
)


def leftovers(text: str) -> tuple[str, ...]:
    """Return the placeholders that another program would have replaced.

    Examples
    --------
    >>> leftovers("You said ${hit}. Are you sure?")
    ('${hit}',)
    """
    return tuple(_LEFT.findall(text))


def check_leftovers(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Refuse texts in which respondents would read a placeholder.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    """
    for number, block in enumerate(document["blocks"]):
        path = f"blocks[{number}]"
        yield from _leftover_findings(path, block.get("title"), block.get("help"))
        for position, question in enumerate(block["questions"]):
            yield from _leftover_findings(f"{path}.questions[{position}]", *_texts_read(question))


def _texts_read(question: Mapping[str, Any]) -> Iterator[object]:
    """Yield every text of a question or component that respondents read."""
    yield from (question.get("text"), question.get("help"))
    yield from (option.get("text") for option in question.get("options") or ())
    rule = question.get("computed") or {}
    for entry in (*rule.get("components", ()), *rule.get("neutral", ())):
        yield from _texts_read(entry)


def _leftover_findings(path: str, *texts: object) -> Iterator[Finding]:
    strings = [
        text for each in texts if isinstance(each, dict) for text in each.values() if isinstance(text, str)
    ]
    found = next((left for text in strings for left in leftovers(text)), None)
    if found is not None:
        yield Finding(
            level=Level.REFUSE,
            code="leftover",
            path=path,
            message=_("%(text)s is left over from another program, and respondents would see it")
            % {"text": found},
            remedy=_("reword the text without it"),
        )
