"""Certainty that a design allows, as pages for staff and boards write it: whole percent, rounded up."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from privacy.channels.amplification import posterior_at
from privacy.planning.layouts import MEDIUM, PROTECTIONS
from privacy.risk.budget import block_budget, question_odds, skip_odds
from privacy.risk.promise import Promise, once_in, percent, promise
from privacy.survey.design import Block, Design

__all__ = [
    "about",
    "at_most",
    "certainty_at",
    "certainty_of",
    "certainty_of_all",
    "certainty_of_answer",
    "certainty_of_one",
    "certainty_of_skip",
    "promise_in_words",
    "promise_sentence",
    "promise_texts",
    "promise_to",
    "usual_promise",
]

_NEAR_CERTAIN: Final = 0.99
"""Above it a percentage would read as a certainty."""


def at_most(share: float) -> str:
    """Write a limit of certainty, never as a certainty that it is not.

    Examples
    --------
    >>> at_most(0.8012), at_most(0.5), at_most(0.9951), at_most(1)
    ('at most 81 %', 'at most 50 %', 'more than 99 %', 'more than 99 %')
    """
    if share > _NEAR_CERTAIN:
        return _("more than 99 %")
    # What is 50 % but for rounding is 50 %.
    return _("at most %(share)s %%") % {"share": math.ceil(100 * share - 1e-9)}


def about(share: float) -> str:
    """Write a chance that rests on guessed shares: no limit, and so never "at most".

    Examples
    --------
    >>> about(0.8012), about(0.0003), about(0.9951)
    ('about 80 %', 'less than 1 %', 'more than 99 %')
    """
    if share > _NEAR_CERTAIN:
        return _("more than 99 %")
    if share < 1 - _NEAR_CERTAIN:
        return _("less than 1 %")
    return _("about %(share)s %%") % {"share": math.floor(100 * share + 0.5)}


def promise_texts() -> dict[str, str]:
    """Return the one sentence of the promise by key, translated: M up to 99 %, above it, and K above it too.

    Every promise is put in this sentence, on the device and on paper.
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
    """Write the promise of a design as its respondents read it, and what it leaves out."""
    key = "promise" if made.of_100 else "promise_rare" if made.one_of_100 else "promise_rare_one"
    rare = {"n": made.once_in, "l": once_in(made.answer)}
    numbers = {name: f"{number:,}" for name, number in rare.items() if number is not None}
    texts = promise_texts()
    said = texts[key].format(m=made.of_100, k=made.one_of_100, **numbers)
    return f"{said} {texts['odds_whole_anchors']}" if made.anchors else said


def promise_in_words(design: Design) -> str:
    """Write the promise to those who are strongly disguised; empty where no protected part has a bound."""
    made = promise_to(design, direct=False)
    return "" if made is None else promise_sentence(made)


def usual_promise() -> str:
    """Write the promise of a draft that is laid out at the protection which is proposed."""
    usual = PROTECTIONS[MEDIUM]
    return promise_sentence(
        Promise(everything=usual.everything, answer=usual.answer, skip=None, parts=1, not_composed=False)
    )


def certainty_at(epsilon: float) -> str:
    """Write what an even chance becomes at most, 1 / (1 + exp(-epsilon)).

    Examples
    --------
    >>> certainty_at(0), certainty_at(math.log(4))
    ('at most 50 %', 'at most 80 %')
    """
    return at_most(posterior_at(epsilon))


def certainty_of(block: Block | None) -> str:
    """Write what an even chance becomes by one part; empty without a bound and without a disguise."""
    return "" if block is None else _sure_at(block_budget(block).amplification)


def certainty_of_one(block: Block | None) -> str:
    """Write what an even chance becomes by one answer to a part of several; empty without a bound."""
    if block is None or block.is_scale or len(block.questions) == 1:
        return ""
    return _sure_at(question_odds(block))


def certainty_of_skip(block: Block | None) -> str:
    """Write what an even chance that a part was skipped becomes; empty where no skip is offered."""
    return "" if block is None else _sure_at(skip_odds(block))


def certainty_of_all(design: Design, *, direct: bool) -> str:
    """Write what an even chance becomes by all disguised answers of one person; empty without a bound."""
    made = promise_to(design, direct=direct)
    return _sure_at(None if made is None else made.everything)


def certainty_of_answer(design: Design, *, direct: bool) -> str:
    """Write what an even chance becomes by the answer that tells most, without the others; empty as above."""
    made = promise_to(design, direct=direct)
    return _sure_at(None if made is None else made.answer)


def promise_to(design: Design, *, direct: bool) -> Promise | None:
    """Return the promise to the people of a group; None without such people, and without a bound."""
    own = design.in_group(direct=direct)
    return None if own is None else promise(own)


def _sure_at(odds: Fraction | None) -> str:
    """Write what odds make of an even chance; as a fraction, which no rounding of floats moves."""
    if odds is None:
        return ""
    share = percent(odds)
    return at_most(1.0 if share is None else share / 100)
