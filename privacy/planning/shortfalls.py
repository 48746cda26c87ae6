"""What a design cannot show, or shows less exactly than is useful: one table of limits, and one function.

The plan page, the checks before publishing, the privacy risk page, results and the documentation use these
limits and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import scipy

from privacy.planning.use import Use
from privacy.policy import LEAST_COMPLETE_ROWS, USEFUL_POWER, USEFUL_WIDTH, USELESS_POWER, USELESS_WIDTH

Figure = Literal["asked", "chance", "together", "share", "mean", "difference"]
"""People who are asked a question, the chance that they are too few, and people who are asked both starred
ones; a share; a mean; the power for a starred pair.
"""

_NEAR: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The two limits of one kind of figure.

    Parameters
    ----------
    useless : float
        Beyond it, publishing needs a written reason, and no plan is proposed.
    useful : float or None
        Beyond it, publishing warns; None for no warning.
    is_least : bool
        Whether figures must be at least, instead of at most, the limits.
    """

    useless: float
    useful: float | None = None
    is_least: bool = False

    def is_refused(self, figure: float) -> bool:
        """Return whether a figure stops publishing."""
        return self._is_beyond(figure, self.useless)

    def is_short(self, figure: float) -> bool:
        """Return whether a figure is less exact than is useful, or stops publishing."""
        return self._is_beyond(figure, self.useless if self.useful is None else self.useful)

    def _is_beyond(self, figure: float, limit: float) -> bool:
        return figure < limit - _NEAR if self.is_least else figure > limit + _NEAR


_PEOPLE: Final = Limits(useless=LEAST_COMPLETE_ROWS, is_least=True)
_WIDTH: Final = Limits(useless=USELESS_WIDTH, useful=USEFUL_WIDTH)

LIMITS: Final[dict[Figure, Limits]] = {
    "asked": _PEOPLE,
    "chance": Limits(useless=1, useful=0.05),
    "together": _PEOPLE,
    "share": _WIDTH,
    "mean": _WIDTH,
    "difference": Limits(useless=USELESS_POWER, useful=USEFUL_POWER, is_least=True),
}
"""Limits by kind of figure: numbers of people, half-widths (of a number, as shares of its range), power, and
the probability that too few people are asked a question that devices draw.

Half-widths stop publishing for every figure. Only starred ones cause a warning, or the widest share if
nothing is starred. A starred pair is judged by its power instead. A question that is asked of too few people
shows nothing, so its half-widths are not judged.
"""


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """Figures of one kind that are beyond the same limit.

    Attributes
    ----------
    figure : str
        Key of `LIMITS`.
    keys : tuple of str
        Questions (``asked``, ``chance``), items or numbers, the worst first; for ``together`` and
        ``difference``, the starred pair.
    is_refused : bool
        Whether publishing needs a written reason, instead of causing a warning.
    """

    figure: Figure
    keys: tuple[str, ...]
    is_refused: bool


def shortfalls(use: Use) -> tuple[Shortfall, ...]:
    """Return what stops publishing, or causes a warning, in the expected results of a design.

    Parameters
    ----------
    use : Use

    Examples
    --------
    50 people are too few for any figure; 400 show one yes/no question within 8.2 points at p = .6.

    >>> from privacy.planning.use import Goal, use_of
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> asked = Question(key="a", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=6000, questions=(asked,)),),
    ...                 group=GroupPolicy(), use="live")
    >>> for people in (50, 200, 400):
    ...     found = shortfalls(use_of(design, Goal(people=people)))
    ...     print([(each.figure, each.is_refused) for each in found])
    [('asked', True)]
    [('share', False)]
    []
    """
    return tuple(_shortfalls(use))


def chance_of_few(people: int, asked: float) -> float:
    """Return the probability that fewer than 100 people are asked a question, so that nothing is shown.

    Parameters
    ----------
    people : int
        Number of respondents. Each device draws its questions alone, so the number is binomial.
    asked : float
        Expected number of people who are asked, 0 to `people`.

    Examples
    --------
    >>> [round(chance_of_few(250, asked), 2) for asked in (100, 110, 115, 250)]
    [0.48, 0.09, 0.02, 0.0]
    """
    return float(scipy.special.bdtr(LEAST_COMPLETE_ROWS - 1, people, min(asked / people, 1.0)))


def people_against_chance(people: int, asked: float) -> int:
    """Return with how many people, at the same shares, a question is hardly ever asked of too few.

    Parameters
    ----------
    people, asked
        As for `chance_of_few`; some are asked.

    Examples
    --------
    >>> people_against_chance(250, 100)
    283
    """
    share, least, most = asked / people, people, max(people, LEAST_COMPLETE_ROWS)
    while LIMITS["chance"].is_short(chance_of_few(most, share * most)):
        most *= 2
    while most - least > 1:
        middle = (least + most) // 2
        if LIMITS["chance"].is_short(chance_of_few(middle, share * middle)):
            least = middle
        else:
            most = middle
    return most


def _shortfalls(use: Use) -> Iterator[Shortfall]:
    asked = {key: n for key, n in use.people_asked.items() if LIMITS["asked"].is_refused(n)}
    if asked:
        yield Shortfall(figure="asked", keys=tuple(asked), is_refused=True)
    drawn = {key: n for key, n in use.people_asked.items() if key not in asked and n < use.aim.people - _NEAR}
    if few := [
        key for key, n in drawn.items() if LIMITS["chance"].is_short(chance_of_few(use.aim.people, n))
    ]:
        few.sort(key=drawn.__getitem__)
        yield Shortfall(figure="chance", keys=tuple(few), is_refused=False)
    pair = tuple(key for key in use.aim.wanted if key in use.half_widths)
    together = None if use.asked_together is None else use.asked_together * use.aim.people
    # If no one is asked both, the power is 0 and says so.
    if together and not asked and LIMITS["together"].is_refused(together):
        yield Shortfall(figure="together", keys=pair, is_refused=True)
    figures: tuple[tuple[Figure, dict[str, float]], ...] = (("share", use.half_widths), ("mean", use.numbers))
    for figure, widths in figures:
        shown = (key for key in widths if key.partition("=")[0] not in asked)
        refused = (key for key in shown if LIMITS[figure].is_refused(widths[key]))
        if wide := sorted(refused, key=use.widths.__getitem__, reverse=True):
            yield Shortfall(figure=figure, keys=tuple(wide), is_refused=True)
    if use.power is not None:
        limits = LIMITS["difference"]
        if limits.is_short(use.power):
            yield Shortfall(figure="difference", keys=pair, is_refused=limits.is_refused(use.power))
        return
    widest = sorted(use.half_widths, key=lambda key: -use.half_widths[key])[:1]
    for key in use.aim.wanted or widest:
        if key.partition("=")[0] in asked:
            continue
        of_key: Figure = "mean" if key in use.numbers else "share"
        width = use.widths[key]
        if LIMITS[of_key].is_short(width) and not LIMITS[of_key].is_refused(width):
            yield Shortfall(figure=of_key, keys=(key,), is_refused=False)
