"""How many people are alone with their open answers, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from django.utils.translation import gettext as _

from privacy.risk.unique_combinations import most_unique_of_design, unique_share_of_design
from privacy.survey.design import Design
from surveys.formats.numbers import count_text


def people_text(count: float) -> str:
    """Format a number of people: an integer as it is, an estimate with "about"."""
    if isinstance(count, int):
        return count_text(count)
    return _("fewer than 1") if count < 1 else _("about %(count)s") % {"count": f"{count:,.0f}"}


def most_unique_text(design: Design, people: int) -> str:
    """Format the bound of the expected number of unique people, rounded up so that it holds."""
    return count_text(math.ceil(most_unique_of_design(design, people) - 1e-9))


def unique_sentence(design: Design, people: int) -> str:
    """Say how many people would be unique by unprotected answers and asked questions; empty if none can be.

    Parameters
    ----------
    design : Design
    people : int
        Expected number of respondents, 1 or more.
    """
    has_open = any(not block.protected for block in design.blocks)
    if not has_open and not design.rotates:
        return ""
    words = {
        "n": count_text(people),
        "alone": people_text(float(people * unique_share_of_design(design, people))),
    }
    if not has_open:
        return asked_alone_sentence(words)
    words["most"] = most_unique_text(design, people)
    return (
        _(
            "If all these answers were equally common, %(alone)s of %(n)s people would have a unique "
            "combination of unprotected answers and questions asked. Whatever people answer, at most "
            "%(most)s of them would have one, on average."
        )
        if design.rotates
        else _(
            "If all these answers were equally common, %(alone)s of %(n)s people would have unique "
            "unprotected answers. Whatever people answer, at most %(most)s of them would, on average."
        )
    ) % words


def asked_alone_sentence(words: Mapping[str, str]) -> str:
    """Say how many people are alone with their questions, if devices draw them and store nothing open.

    Parameters
    ----------
    words : mapping of str to str
        ``n``, the number of respondents, and ``alone``, the expected number of unique ones, as texts.
    """
    sentence = _(
        "On average, it happens to %(alone)s of %(n)s people that no one else is asked the same questions."
    )
    return sentence % words


def unique_figure(design: Design, people: int) -> str:
    """Say in a few words how many people would be unique, next to other figures; empty if none can be."""
    has_open = any(not block.protected for block in design.blocks)
    if not has_open and not design.rotates:
        return ""
    words = {
        "n": count_text(people),
        "alone": people_text(float(people * unique_share_of_design(design, people))),
    }
    if not has_open:
        return _("Unique people: %(alone)s of %(n)s.") % words
    words["most"] = most_unique_text(design, people)
    return _("Unique people: %(alone)s of %(n)s, on average at most %(most)s.") % words
