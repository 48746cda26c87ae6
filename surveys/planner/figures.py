"""The figures of a plan beside what the page says of several of them at once."""

from __future__ import annotations

from typing import Any

from privacy.coins import SCALE
from privacy.risk.planning import PlanFigures
from surveys.charts.planner_frontier import frontier_svg


def plan_page(figures: PlanFigures) -> dict[str, Any]:
    """Return what the planner shows: the figures, the part that tells most, other ways to ask, the frontier.

    `truth` is the chance that a row is true, at most, and `reidentified` the share of truthful rows that are
    recognised with more than 95 %; `errors` has for each size of itemset the errors of the plan, of a coin
    for each question at the same epsilon, and of asking directly.
    """
    blocks = figures.audit.blocks
    other = {alternative.name: alternative for alternative in figures.alternatives}
    independent, direct = other["independent_coins"], other["direct"]
    chosen = figures.survey.truth_probability / SCALE
    return {
        "plan": figures,
        "worst": max(blocks, key=lambda block: block.epsilon),
        "truth": max(block.likeliest.coin for block in blocks),
        "reidentified": max(block.unmixing.truthful[-1] for block in blocks),
        "independent": independent,
        "errors": list(zip(figures.errors, independent.errors, direct.errors, strict=True)),
        "chosen": chosen,
        "picture": frontier_svg(figures.frontier, chosen=chosen),
    }
