"""One page of the table of rules: its rows, columns, and predicted itemsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from surveys.formats.pagination import Pages
from surveys.formats.pagination import pages as pages_of
from surveys.formats.sort_links import SortColumn, column
from surveys.models import RuleRow, Run, Verdict
from surveys.questionnaire.packed_items import pack_items
from surveys.report.rules.measures import MAIN, TESTED, Measure, further_measures
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import itemset_of, rules_by_key
from surveys.report.rules.verdicts import newest_verdicts
from surveys.runs.predictions import Prediction, predicted_of

_FIRST = 3
"""Support, confidence and lift, which most readers need."""


@dataclass(frozen=True, kw_only=True)
class RulePage:
    """One page of the table.

    Attributes
    ----------
    lines : tuple of (RuleRow, Verdict or None, Prediction or None)
        Rules, each with its newest verdict and the predicted support of its itemset.
    measures : tuple of Measure
        Measures that the table shows.
    unlisted : tuple of Prediction
        Predicted itemsets that the run does not list; only on the first page without a filter.
    """

    lines: tuple[tuple[RuleRow, Verdict | None, Prediction | None], ...]
    columns: tuple[SortColumn, ...]
    measures: tuple[Measure, ...]
    matching: int
    all: int
    pages: Pages
    shows_n: bool
    unlisted: tuple[Prediction, ...] = ()

    @property
    def has_rare(self) -> bool:
        """Whether the page shows a prediction of rare answers by an older version."""
        return any(prediction.rare for prediction in self._predictions)

    @property
    def has_undetermined(self) -> bool:
        """Whether the page shows predictions that only intervals say something about."""
        return any(prediction.method == "not determined" for prediction in self._predictions)

    @property
    def _predictions(self) -> list[Prediction]:
        return [
            *(prediction for _row, _verdict, prediction in self.lines if prediction is not None),
            *self.unlisted,
        ]

    @property
    def rest(self) -> int:
        """Number of columns that a row of `unlisted` leaves empty: all except name, n and prediction."""
        return len(self.columns) - 2 - self.shows_n


def rule_page(run: Run, query: RuleQuery) -> RulePage:
    """Return one page of the rules that match a query; the last page if the number is too large."""
    listing = listing_of(run)
    count = listing.count(query)
    pages = pages_of(query, count=count, size=query.size)
    first = (pages.page - 1) * query.size
    rows = rules_by_key(run, listing.keys(query, first, first + query.size))
    verdicts = newest_verdicts([row.pk for row in rows if row.pk])
    shows_n = any(row.n != rows[0].n for row in rows)
    further = further_measures().get(query.measures)
    measures = MAIN if query.measures == "all" else (*MAIN[:_FIRST], *([further] if further else []))
    predicted = predicted_of(run) if query.predicted else []
    index = {pack_items(prediction.items): prediction for prediction in predicted}
    unlisted: list[Prediction] = []
    if predicted and not query.filters and pages.page == 1:
        found = listing.listed(index)
        unlisted = [prediction for items, prediction in index.items() if items not in found]
    return RulePage(
        lines=tuple((row, verdicts.get(row.pk), index.get(itemset_of(row))) for row in rows),
        columns=_columns(query, measures, shows_n=shows_n, truth=run.summary.get("truth") is not None),
        measures=measures,
        matching=count,
        all=run.summary.get("rules", count) if query.filters else count,
        pages=pages,
        shows_n=shows_n,
        unlisted=tuple(unlisted),
    )


def _columns(
    query: RuleQuery, measures: Sequence[Measure], *, shows_n: bool, truth: bool
) -> tuple[SortColumn, ...]:
    error, p_adjusted, fragility = TESTED
    heads = [
        column(
            query, "order", gettext_lazy("Rule"), numeric=False,
            hint=gettext_lazy("in the order of the questionnaire, shorter ones first"),
        )
    ]  # fmt: skip
    if shows_n:
        hint = gettext_lazy("answers from people who were asked every item of the rule")
        heads.append(column(query, "n", "n", hint=hint))
    if query.predicted:
        hint = gettext_lazy("support of the itemset, from the shares and what all pairs have in common")
        heads.append(SortColumn(label=gettext_lazy("predicted"), numeric=True, hint=hint))
    in_full = query.measures == "all"
    visible = [*measures, *([error] if in_full or truth else [])]
    visible += [p_adjusted, fragility] if in_full else [p_adjusted]
    for measure in visible:
        rising_first = measure.name in ("p_adjusted", "error")
        heads.append(
            column(query, measure.name, measure.label, hint=measure.hint, rising_first=rising_first)
            if measure.column
            else SortColumn(label=measure.label, numeric=True, hint=measure.hint)
        )
    return tuple(heads)
