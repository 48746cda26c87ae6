"""Sentences on the steps in which a number or a date is sent, and the answers that they merge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.number_statement import stated_number


def step_sentence(number: Mapping[str, Any]) -> str:
    """Say in which steps the answers are sent, and which answers cannot be told apart.

    Parameters
    ----------
    number : mapping
        Definition of a number or a date; it may be incomplete.

    Returns
    -------
    str
        Empty if each answer is sent as such, or if the definition cannot be read.

    Examples
    --------
    >>> step_sentence({"low": 0, "high": 99, "bin": 5})
    'Answers are sent in steps of 5: 0 and 1 to 4 cannot be told apart.'
    >>> step_sentence({"low": 0, "high": 1.9, "bin": 0.2, "decimals": 1})
    'Answers are sent in steps of 0.2: 0.0 and 0.1 cannot be told apart.'
    >>> step_sentence({"low": 0, "high": 30, "bin": 1}), step_sentence({"low": 0})
    ('', '')
    """
    scale = _range_of(number)
    if scale is None or scale.bin == 1:
        return ""
    step = number["bin"]
    first, following, last = (scale.text(scale.low + tick) for tick in (0, 1, scale.bin - 1))
    values = {"step": f"{step:g}", "first": first, "next": following, "last": last}
    if scale.bin == 2:
        pair = _("Answers are sent in steps of %(step)s: %(first)s and %(last)s cannot be told apart.")
        return pair % values
    return (
        _("Answers are sent in steps of %(step)s: %(first)s and %(next)s to %(last)s cannot be told apart.")
        % values
    )


def steps_by_key(document: Mapping[str, Any]) -> dict[str, str]:
    """Return `step_sentence` for each question of a valid document that devices send in steps, by its key.

    Numbers that are stored as answered can have steps, too. A computed answer is not sent in steps, because
    its components are exact.
    """
    found = {
        question["key"]: step_sentence(question["number"])
        for block in document["blocks"]
        for question in block["questions"]
        if question.get("number") and "computed" not in question
    }
    return {key: sentence for key, sentence in found.items() if sentence}


def _range_of(number: Mapping[str, Any]) -> NumberRange | None:
    members = ("low", "high", "bin", "decimals", "calendar")
    try:
        stated = stated_number({name: number[name] for name in members if name in number})
    except PrivacyError:
        return None
    return stated.disguise.range
