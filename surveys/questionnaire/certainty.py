"""Certainty that a design allows, as pages for staff and boards write it: whole percent, rounded up."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from privacy.channels.amplification import posterior_at, posterior_bound
from privacy.risk.budget import block_budget, question_odds, skip_odds
from privacy.risk.promise import promise
from privacy.survey.design import Block, Design

__all__ = [
    "at_most",
    "certainty_at",
    "certainty_of",
    "certainty_of_all",
    "certainty_of_one",
    "certainty_of_skip",
]

_EVEN: Final = Fraction(1, 2)
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
    bound = None if block is None else block_budget(block)
    if bound is None or bound.amplification is None:
        return ""
    return at_most(float(posterior_bound(bound.amplification, _EVEN)))


def certainty_of_one(block: Block | None) -> str:
    """Write what an even chance becomes by one answer to a part of several; empty without a bound."""
    if block is None or block.is_scale or len(block.questions) == 1:
        return ""
    odds = question_odds(block)
    return "" if odds is None else at_most(float(posterior_bound(odds, _EVEN)))


def certainty_of_skip(block: Block | None) -> str:
    """Write what an even chance that a part was skipped becomes; empty where no skip is offered."""
    odds = None if block is None else skip_odds(block)
    return "" if odds is None else at_most(float(posterior_bound(odds, _EVEN)))


def certainty_of_all(design: Design, *, direct: bool) -> str:
    """Write what an even chance becomes by all disguised answers of one person; empty without a bound."""
    own = design.in_group(direct=direct)
    odds = None if own is None else promise(own)
    if odds is None:
        return ""
    # The respondents' own figure, exact as it is.
    return at_most(1.0 if odds.of_100 is None else odds.of_100 / 100)
