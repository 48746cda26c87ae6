"""Texts in which something of another program is left over, such as a reference to an earlier answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.questionnaire.checks.finding import Finding, Level

__all__ = ["check_leftovers", "leftovers"]

_LEFT: Final = re.compile(
    r"[$#]\{[^{}]{0,100}\}|\{\{[^{}]{0,100}\}\}|<[^\s<>]{1,100}>|\[(?:Field|QID|Q\d)[^\[\]]{0,60}\]"
)


def leftovers(text: str) -> tuple[str, ...]:
    """Return what another program would put something else in place of.

    Examples
    --------
    >>> leftovers("You said ${hit}. Are you sure?")
    ('${hit}',)
    """
    return tuple(_LEFT.findall(text))


def check_leftovers(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Refuse texts that respondents would read with a placeholder in them.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    """
    for number, block in enumerate(document["blocks"]):
        path = f"blocks[{number}]"
        yield from _found(path, block.get("title"), block.get("help"))
        for position, question in enumerate(block["questions"]):
            options = (option.get("text") for option in question.get("options") or ())
            yield from _found(
                f"{path}.questions[{position}]", question.get("text"), question.get("help"), *options
            )


def _found(path: str, *texts: object) -> Iterator[Finding]:
    said = [
        text for each in texts if isinstance(each, dict) for text in each.values() if isinstance(text, str)
    ]
    found = next((left for text in said for left in leftovers(text)), None)
    if found is not None:
        yield Finding(
            level=Level.REFUSE,
            code="leftover",
            path=path,
            message=_("%(text)s is left over from another program: respondents would read it as it is")
            % {"text": found},
            remedy=_("reword the text without it"),
        )
