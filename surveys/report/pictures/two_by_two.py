"""The reconstructed 2x2 table of a rule, each cell with its interval."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.estimation import Columns, SupportCounts, asked_columns
from privacy.estimation.design_index import index_of
from privacy.estimation.expression import Expression, Tree
from privacy.estimation.expressions import expression_interval, expression_terms
from privacy.estimation.measures import Measured
from privacy.survey.design import Design
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import unpack_items
from surveys.rows.releasable_rows import rows_behind


@dataclass(frozen=True, kw_only=True)
class TwoByTwo:
    """Shares of those asked everything in a rule.

    Attributes
    ----------
    cells : dict of str to Measured
        "both", "before" (the left side only), "after" (the right side only), "neither"; and the margins
        "all_before", "not_before", "all_after", "not_after".
    by_likelihood : bool
        Whether intervals invert the empirical-likelihood test; else one with the variance at the hypothesis.
    complete : int or None
        The rows of the table, where the rule's own figures count also those that were asked some of it.
    """

    cells: dict[str, Measured]
    by_likelihood: bool
    complete: int | None

    @property
    def total(self) -> float:
        """Sum of the four cells: 1, or the share of those who skipped no part of it."""
        return sum(self.cells[name].value for name in ("both", "before", "after", "neither"))


def two_by_two(run: Run, row: RuleRow) -> TwoByTwo:
    """Reconstruct the table from the rows behind the run's figures, with its estimator and its target.

    Raises
    ------
    SurveyError
        The database holds other batches than the run read.
    """
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    rows = rows_behind(run)
    design, count_cache = rows.design, rows.count_cache
    within = asked_columns(tuple(sorted(before + after)), design)
    # A cell without an item is no itemset: only of complete rows is it known who is in it.
    all_rows = count_cache.all_rows and bool(index_of(design).is_drawn[[*before, *after]].any())
    wanted = _expressions(before, after)
    counts = count_cache.need(
        [
            within,
            *(
                terms
                for expression in wanted.values()
                for terms in expression_terms(expression, design, within=within)
            ),
        ]
    )
    cells = {name: _cell(counts, expression, design, run, within) for name, expression in wanted.items()}
    # What the run says of the rule's own support stands in the table too: by the same test, about its target.
    low, high = row.support_low, row.support_high
    if not all_rows and row.support is not None and low is not None and high is not None:
        cells["both"] = Measured(
            value=row.support, low=low, high=high, standard_error=row.support_se, estimable=True
        )
    return TwoByTwo(
        cells=cells,
        by_likelihood=_by_likelihood(run),
        complete=sum(counts[within]) if all_rows else None,
    )


def _by_likelihood(run: Run) -> bool:
    """Whether intervals invert the empirical-likelihood test, as the run's own do."""
    return (run.parameters["estimator"], run.parameters["target"]) == ("stratified", "population")


def _cell(
    counts: SupportCounts, expression: Expression, design: Design, run: Run, within: Columns
) -> Measured:
    """Estimate the share of a cell with the run's estimator, about its target."""
    return expression_interval(
        counts,
        expression,
        design,
        estimator=run.parameters["estimator"],
        target=run.parameters["target"],
        within=within,
    )


def _expressions(before: Columns, after: Columns) -> dict[str, Expression]:
    first, other = _all_of(before), _all_of(after)
    items = tuple(sorted(before + after))
    trees: dict[str, tuple[Columns, Tree]] = {
        "both": (items, ("and", first, other)),
        "before": (items, ("and", first, ("not", other))),
        "after": (items, ("and", ("not", first), other)),
        "neither": (items, ("and", ("not", first), ("not", other))),
        "all_before": (before, first),
        "not_before": (before, ("not", first)),
        "all_after": (after, other),
        "not_after": (after, ("not", other)),
    }
    return {name: Expression(text=name, items=part, tree=tree) for name, (part, tree) in trees.items()}


def _all_of(items: Columns) -> Tree:
    tree: Tree = items[0]
    for item in items[1:]:
        tree = ("and", tree, item)
    return tree
