"""The figures of a plan as the page prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.planning import Alternative, ItemsetPrecision, PlanFigures
from privacy.risk.sentences import number, percent
from surveys.charts.planner_frontier import frontier_svg


@dataclass(frozen=True, kw_only=True)
class ErrorRow:
    """Standard errors of the support of one itemset size, asked in three ways."""

    size: int
    support: str
    planned: str
    independent: str
    direct: str


@dataclass(frozen=True, kw_only=True)
class FrontierRow:
    """One point of the frontier."""

    p: str
    epsilon: str
    error: str
    chosen: bool


@dataclass(frozen=True, kw_only=True)
class PlanPage:
    """What the planner shows.

    Attributes
    ----------
    epsilon, block_epsilon, gamma : str
        In sum; of the part that tells most.
    truth, known, reidentified : str
        Shares: a row is true, at most; who knows all answers of a part is so sure; truthful rows recognised
        with more than 95 %.
    breaches : tuple of (str, str)
        A prior, and the most that it can become.
    errors : tuple of ErrorRow
    independent_p : str
        The p of a coin for each question, at the same epsilon.
    needed, support, lift : str
        Respondents for the wanted error; smallest support and lift that would be found, empty for none.
    best_p, largest : str
        Below the ceiling; empty for none.
    direct, light_epsilon : str
        Share of rows that are not strongly disguised, and what they tell; empty for none, and without bound.
    picture : SafeString
        The frontier.
    frontier : tuple of FrontierRow
    """

    epsilon: str
    block_epsilon: str
    gamma: str
    truth: str
    known: str
    reidentified: str
    breaches: tuple[tuple[str, str], ...]
    errors: tuple[ErrorRow, ...]
    independent_p: str
    needed: str
    support: str
    lift: str
    best_p: str
    largest: str
    direct: str
    light_epsilon: str
    picture: SafeString
    frontier: tuple[FrontierRow, ...]


def plan_page(figures: PlanFigures) -> PlanPage:
    """Write the figures of a plan."""
    audit = figures.audit
    worst = max(audit.blocks, key=lambda block: block.epsilon)
    other = {alternative.name: alternative for alternative in figures.alternatives}
    chosen = figures.survey.truth_probability / SCALE
    return PlanPage(
        epsilon=number(audit.epsilon),
        block_epsilon=number(worst.epsilon),
        gamma=number(worst.amplification),
        truth=percent(max(block.likeliest.coin for block in audit.blocks)),
        known=percent(float(worst.known[-1].coin)),
        reidentified=percent(max(block.unmixing.truthful[-1] for block in audit.blocks)),
        breaches=tuple((percent(prior), percent(posterior)) for prior, posterior in audit.rho2),
        errors=tuple(_error_rows(figures.errors, other)),
        independent_p=percent(other["independent_coins"].truth_probability),
        needed=f"{figures.needed_n:,}",
        support="" if figures.detectable_support is None else percent(figures.detectable_support),
        lift="" if figures.detectable_lift is None else number(figures.detectable_lift),
        best_p=""
        if figures.best_truth_probability is None
        else percent(figures.best_truth_probability / SCALE),
        largest="" if not figures.largest_block else str(figures.largest_block),
        direct=percent(figures.survey.direct_share) if figures.survey.direct_share else "",
        light_epsilon="" if audit.light is None else number(audit.light.epsilon),
        picture=frontier_svg(
            figures.frontier,
            chosen=chosen,
            title=_("Privacy against error, one point for each p"),
            x_label=_("ε of all parts"),
            y_label=_("largest standard error of an item"),
            curve=_("every p"),
            choice=_("your p"),
        ),
        frontier=tuple(
            FrontierRow(p=percent(p), epsilon=number(epsilon), error=points(error), chosen=p == chosen)
            for p, epsilon, error in figures.frontier
        ),
    )


def _error_rows(planned: Sequence[ItemsetPrecision], other: Mapping[str, Alternative]) -> list[ErrorRow]:
    ways = zip(planned, other["independent_coins"].errors, other["direct"].errors, strict=True)
    return [
        ErrorRow(
            size=one.size,
            support=percent(one.support),
            planned=points(one.standard_error),
            independent=points(coins.standard_error),
            direct=points(direct.standard_error),
        )
        for one, coins, direct in ways
    ]


def points(error: float) -> str:
    """Write a standard error in percentage points.

    Examples
    --------
    >>> points(.02236), points(.3)
    ('2.24', '30')
    """
    return number(100 * error)
