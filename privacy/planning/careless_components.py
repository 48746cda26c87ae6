"""Careless answers to the components of a composite question, which add up."""

from __future__ import annotations

from typing import Final

from privacy.survey.composite import Composite
from privacy.survey.composite_parts import level_at

CARELESS_SHARE: Final = 0.01
"""Share of careless answers for which plans state the bias: one in a hundred."""


def careless_share(rule: Composite, careless: float = CARELESS_SHARE) -> float | None:
    """Return the share of people with no points who reach a higher level by careless answers.

    Parameters
    ----------
    rule : Composite
    careless : float, optional
        Probability that someone answers yes instead of no, independently for each component.

    Returns
    -------
    float or None
        None unless all components are yes/no questions that everyone is asked, and there are no steps.

    Examples
    --------
    *At least one of ten*: 1 - .99^10. *At least two of ten*: 1 - .99^10 - 10 * .01 * .99^9.

    >>> from privacy.survey.component import Component
    >>> from privacy.survey.composite_parts import Gaps, Level
    >>> acts = tuple(Component(key=f"act{number}", kind="yes_no", points=(0, 1)) for number in range(10))
    >>> rules = [Composite(components=acts, missing=Gaps(at_most=0, fill="no_points"),
    ...     levels=(Level(option="no"), Level(start=start, option="yes"))) for start in (1, 2)]
    >>> [round(careless_share(rule), 3) for rule in rules], round(careless_share(rules[0], .02), 3)
    ([0.096, 0.004], 0.183)
    """
    counted = [component for component in rule.components if not component.instructed]
    if not rule.levels or rule.steps or rule.uses:
        return None
    if any(component.options or component.bands or component.asked_if for component in counted):
        return None
    sums = {0: 1.0}
    for component in counted:
        if component.n_points != 2:
            return None
        no, yes = component.points
        following: dict[int, float] = {}
        for total, share in sums.items():
            for points, probability in ((no, 1 - careless), (yes, careless)):
                following[total + points] = following.get(total + points, 0.0) + share * probability
        sums = following
    without = level_at(rule.levels, sum(component.points[0] for component in counted)).option
    return sum(share for total, share in sums.items() if level_at(rule.levels, total).option != without)
