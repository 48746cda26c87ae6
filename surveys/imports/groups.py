"""Experiments in a pasted text: groups that devices draw, with the texts that each of them reads.

``Group a: …`` above the first question is what the group reads before it begins, ``Group a: …`` below a
question that question in other words. ``(30 %)`` behind the name says how many of 100 people are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from privacy.coins import SCALE
from surveys.questionnaire.arms import ARM, EXPLANATIONS, ODDS, WORDINGS
from surveys.questionnaire.languages import said_in

__all__ = ["PastedGroup", "arm_part", "explanations_of", "group_line", "wordings_of"]

KEY: Final = "explanation"
"""Of the question of arms and its part, as the builder calls it."""

_GROUP: Final = re.compile(
    r"(?:(?:group|arm)\s|(?:组别|组)\s?)(?P<name>[a-z0-9][a-z0-9_-]{0,30})\s?"
    r"(?:[(（]\s?(?P<share>\d{1,2}(?:\.\d{1,2})?)\s?[%％]\s?[)）]\s?)?[:：]\s?(?P<text>.*)",
    re.IGNORECASE,
)


@dataclass(kw_only=True)
class PastedGroup:
    """One group of an experiment.

    Parameters
    ----------
    line : int
    name : str
        Its key.
    share : int or None
        Ten-thousandths; None where the text does not say it.
    texts : dict of str to str
        What it reads before the first question.
    """

    line: int
    name: str
    share: int | None
    texts: dict[str, str]


def group_line(text: str) -> tuple[str, int | None, str] | None:
    """Return name, share and text of a line that is of a group; None for any other line.

    Examples
    --------
    >>> group_line("Group A (30 %): A coin decides."), group_line("组 b：硬币决定。")
    (('a', 3000, 'A coin decides.'), ('b', None, '硬币决定。'))
    >>> group_line("Groups: two") is None
    True
    """
    match = _GROUP.fullmatch(text)
    if match is None:
        return None
    share = None if match["share"] is None else int(Decimal(match["share"]) * SCALE / 100)
    return match["name"].lower(), share, match["text"].strip()


def arm_part(groups: Sequence[PastedGroup], languages: Sequence[str]) -> dict[str, Any]:
    """Return the part of a draft in which devices draw a group; those without a share have equal ones."""
    stated = [group.share for group in groups if group.share is not None]
    rest = iter(_even(max(SCALE - sum(stated), 0), len(groups) - len(stated)))
    options = [
        {"key": group.name, "share": next(rest) if group.share is None else group.share} for group in groups
    ]
    return {
        "key": KEY,
        "protected": False,
        "title": {tag: said_in(_("Groups drawn by chance"), tag) for tag in languages},
        "questions": [{"key": KEY, "kind": ARM, "options": options}],
    }


def explanations_of(groups: Sequence[PastedGroup], languages: Sequence[str]) -> dict[str, Any]:
    """Return what the groups read first, the odds last where they are not said; nothing without texts."""
    if not any(text for group in groups for text in group.texts.values()):
        return {}
    texts = {
        group.name: {tag: _with_odds(group.texts.get(tag, ""), tag) for tag in languages} for group in groups
    }
    return {EXPLANATIONS: {"question": KEY, "texts": texts}}


def wordings_of(
    groups: Sequence[PastedGroup], own: Mapping[str, str], worded: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Return a question in the words of each group; a group without its own reads those of the question."""
    if not worded:
        return {}
    texts = {group.name: dict(worded.get(group.name, own)) for group in groups}
    return {WORDINGS: {"question": KEY, "texts": texts}}


def _even(left: int, count: int) -> list[int]:
    return [left * (position + 1) // count - left * position // count for position in range(count)]


def _with_odds(text: str, tag: str) -> str:
    if not text or ODDS in text:
        return text
    return f"{text}{'' if tag.startswith('zh') else ' '}{ODDS}"
