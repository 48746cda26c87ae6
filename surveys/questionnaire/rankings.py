"""Rankings in a definition: things to put in order, asked and disguised as one choice among their orders."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.estimation.rankings import orders
from privacy.validation import LONGEST_KEY
from surveys.questionnaire.node import Node

__all__ = ["LEAST_THINGS", "MOST_THINGS", "RANKING", "is_ranking", "order_options", "things_of"]

RANKING: Final = "ranking"
"""The kind of a question that asks for an order. Its design is that of a single choice."""

LEAST_THINGS: Final = 3
"""Two things have two orders: that is a question with one answer of two."""

MOST_THINGS: Final = 4
"""Five things have 120 orders: at p = 1/2 one report is up to 121 times likelier from one of them than from
another, and each figure has the error of a share of one person in 120."""

BETWEEN: Final = "."
"""Between the keys of things in the key of an order: ``pay.hours.team``."""


def is_ranking(document: object) -> bool:
    """Return whether a question of a definition asks for an order."""
    return isinstance(document, dict) and document.get("kind") == RANKING


def things_of(wording: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the things that a question's wording puts in order, each with key and text; none of others."""
    return list(wording.get(RANKING) or ())


def order_options(things: Sequence[Mapping[str, Any]], stated: Node) -> list[dict[str, Any]]:
    """Return an option for each order of some things, or none after noting why there is none.

    Parameters
    ----------
    things : sequence of dict
        Each with its key and its text by language.
    stated : Node
        The list in the definition.

    Examples
    --------
    >>> things = [{"key": key, "text": {"en": key.title()}} for key in ("pay", "hours", "team")]
    >>> options = order_options(things, Node(value=things, path="options"))
    >>> len(options), options[0]
    (6, {'key': 'pay.hours.team', 'text': {'en': '1. Pay 2. Hours 3. Team'}})
    """
    if len(things) < LEAST_THINGS:
        stated.wrong(
            _("%(count)s things are too few to be put in order"),
            _("give %(least)s or %(most)s; of two things ask which one comes first"),
            count=len(things),
            least=LEAST_THINGS,
            most=MOST_THINGS,
        )
    elif len(things) > MOST_THINGS:
        stated.wrong(
            _("%(count)s things have %(orders)s orders, too many to disguise and to count")
            % {"count": len(things), "orders": math.factorial(len(things)) if len(things) < 10 else "…"},
            _("give at most %(most)s, which have %(orders)s; or ask which one comes first"),
            most=MOST_THINGS,
            orders=math.factorial(MOST_THINGS),
        )
    for number, thing in enumerate(things):
        if isinstance(thing["key"], str) and BETWEEN in thing["key"]:
            stated.at(number).at("key").wrong(
                _("%(key)s has a point in it, which stands between the things of an order"),
                _("leave it out"),
                key=thing["key"],
            )
    length = sum(len(str(thing["key"])) + 1 for thing in things) - 1
    if length > LONGEST_KEY:
        stated.wrong(
            _("the names of the things have %(count)s characters together"),
            _("use at most %(most)s: an order is named after all of them"),
            count=length,
            most=LONGEST_KEY,
        )
    if stated.has_problems():
        return []
    return [
        {
            "key": BETWEEN.join(str(things[index]["key"]) for index in order),
            "text": _joined([things[index]["text"] for index in order]),
        }
        for order in orders(len(things))
    ]


def _joined(texts: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the text of an order in each language that all its things have."""
    return {
        language: " ".join(f"{position}. {text[language]}" for position, text in enumerate(texts, start=1))
        for language in texts[0]
        if all(language in text for text in texts)
    }
