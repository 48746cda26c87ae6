"""Certainty that a design allows, as pages for staff and ethics boards show it: whole percent, rounded up."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from privacy.channels.amplification import posterior_at
from privacy.planning.layouts import MEDIUM, PROTECTIONS
from privacy.risk.promise import Promise, once_in, percent, promise
from privacy.survey.design import Design

__all__ = [
    "certainty_at",
    "promise_sentence",
    "promise_texts",
    "promise_to",
    "promises_in_words",
    "sure_at",
    "usual_promise",
]

_NEAR_CERTAIN: Final = 0.99
"""A larger percentage would read as certainty."""


def _at_most(share: float) -> str:
    """Format a limit of certainty, without calling it certain.

    Examples
    --------
    >>> _at_most(0.8012), _at_most(0.5), _at_most(0.9951), _at_most(1)
    ('at most 81%', 'at most 50%', 'more than 99%', 'more than 99%')
    """
    if share > _NEAR_CERTAIN:
        return _("more than 99%")
    # A value that is 50% except for rounding errors is 50%.
    return _("at most %(share)s%%") % {"share": math.ceil(100 * share - 1e-9)}


def promise_texts() -> dict[str, str]:
    """Return the sentence of the promise by key, translated: M up to 99%, M above it, and M and K above it.

    Every promise is written in this sentence, on the device and on paper.
    """
    return {
        "promise": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers could make them at most {k}% sure. Everything your "
            "device sends, taken together: at most {m}%."
        ),
        "promise_rare": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers could make them at most {k}% sure. Everything your "
            "device sends, taken together, could make them nearly sure: wrong once in {n} times."
        ),
        "promise_rare_one": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers could make them nearly sure: wrong once in {l} times. "
            "Everything your device sends, taken together: wrong once in {n} times."
        ),
        "odds_whole_anchors": _(
            "The check questions are not counted, because everyone knows the true answer to them."
            " The limits hold if you answer them truthfully."
        ),
    }


def promise_sentence(made: Promise) -> str:
    """Write the promise of a design as its respondents read it, and what it does not cover."""
    key = "promise" if made.of_100 else "promise_rare" if made.one_of_100 else "promise_rare_one"
    rare = {"n": made.once_in, "l": once_in(made.answer)}
    numbers = {name: f"{number:,}" for name, number in rare.items() if number is not None}
    texts = promise_texts()
    said = texts[key].format(m=made.of_100, k=made.one_of_100, **numbers)
    return f"{said} {texts['odds_whole_anchors']}" if made.anchors else said


def promises_in_words(design: Design) -> list[str]:
    """Write the promise to respondents of each strength; empty if no protected part has a bound."""
    found = [(direct, promise_to(design, direct=direct)) for direct in (False, True)]
    said = [(direct, promise_sentence(made)) for direct, made in found if made is not None]
    if len(said) < 2:
        return [sentence for _direct, sentence in said]
    names = {False: _("Strongly disguised:"), True: _("Lightly disguised:")}
    return [f"{names[direct]} {sentence}" for direct, sentence in said]


def usual_promise() -> str:
    """Write the promise of a draft that is laid out with the proposed protection."""
    usual = PROTECTIONS[MEDIUM]
    return promise_sentence(
        Promise(everything=usual.everything, answer=usual.answer, skip=None, parts=1, not_composed=False)
    )


def certainty_at(epsilon: float) -> str:
    """Write the largest certainty that an attacker who starts at 50:50 can reach, 1 / (1 + exp(-epsilon)).

    Examples
    --------
    >>> certainty_at(0), certainty_at(math.log(4))
    ('at most 50%', 'at most 80%')
    """
    return _at_most(posterior_at(epsilon))


def promise_to(design: Design, *, direct: bool) -> Promise | None:
    """Return the promise to the respondents of a group; None without such respondents or a bound."""
    own = design.in_group(direct=direct)
    return None if own is None else promise(own)


def sure_at(odds: Fraction) -> str:
    """Write the certainty that odds give an attacker who starts at 50:50; computed exactly, as a fraction."""
    share = percent(odds)
    return _at_most(1.0 if share is None else share / 100)
