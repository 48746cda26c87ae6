"""The smallest difference that a comparison's number of answers finds 8 times in 10, as plans state it."""

from __future__ import annotations

import math
from dataclasses import replace

from privacy.estimation.comparison import Comparison
from privacy.estimation.composed_parts import Side
from privacy.planning.power import detectable_difference
from privacy.planning.use import Goal, pair_of
from privacy.survey.design import Design


def found_8_in_10(design: Design, by: Side, outcome: Side, found: Comparison) -> float | None:
    """Return the smallest difference detected 8 times in 10 by as many answers, with the estimated shares.

    Parameters
    ----------
    design : Design
        The design of the rows.
    by, outcome : Side
    found : Comparison
        Its shares replace the guesses of a plan; shares outside 0 to 1 count as 0 or 1.

    Returns
    -------
    float or None
        None if these shares do not allow a difference that large.

    Notes
    -----
    For two answers it is what the plan of the survey states (`privacy.planning.power.detectable_difference`),
    for the number of people who were asked both; with weights, for the effective number. Other sides, such as
    means and ranges, are not planned: for them it is 2.8 standard errors of the difference found.
    """
    is_planned = all(len(side.items) == 1 and not (side.parts or side.at_least_one) for side in (by, outcome))
    people = math.floor(found.effective_n)
    if not is_planned or people < 1:
        return found.detectable
    keys = tuple(design.items[side.items[0]].key for side in (by, outcome))
    asked = pair_of(design, Goal(people=people, wanted=keys))
    shares = (min(max(share, 0.0), 1.0) for share in (found.share, found.everybody))
    first, second = (replace(item, share=share) for item, share in zip(asked.items, shares, strict=True))
    return detectable_difference(replace(asked, first=first, second=second, together=1.0), people)
