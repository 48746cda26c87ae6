"""Shares of and/or/not expressions from a survey's answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mining.open_crosses import disguised_rows
from privacy.estimation import Estimate, Estimator
from privacy.estimation.expression import parse
from privacy.estimation.expressions import estimate_expression, expression_interval, expression_terms
from privacy.estimation.measures import Measured
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.policy import LEAST_PROTECTED
from surveys.rows.disclosure import rounded_count
from surveys.rows.releasable_rows import ReleasableRows, rows_behind


@dataclass(frozen=True, kw_only=True)
class ExpressionEstimate:
    """The estimated share of an expression, as it may be shown."""

    text: str
    estimate: Estimate
    interval: Measured
    tells_groups: bool

    def record(self) -> dict[str, Any]:
        """Return plain numbers; those of single groups only where the direct one is large enough."""
        estimate = self.estimate
        record: dict[str, Any] = {
            "value": estimate.value,
            "standard_error": estimate.standard_error,
            "standard_error_respondents": estimate.standard_error_respondents,
            "estimator": estimate.estimator,
            "n": estimate.n,
            "low": self.interval.low,
            "high": self.interval.high,
        }
        if self.tells_groups:
            record |= {
                "observed_share": estimate.observed_share,
                "direct": estimate.direct,
                "protected": estimate.protected,
            }
        return record


def expression_of_run(run: Run, text: str) -> ExpressionEstimate:
    """Estimate an expression from the rows behind a run's figures, with its estimator."""
    design = run.version.to_design()
    parse(text, design)
    return _estimated(rows_behind(run), text, run.parameters["estimator"])


def _estimated(rows: ReleasableRows, text: str, estimator: Estimator) -> ExpressionEstimate:
    design, shown, count_cache = rows.design, rows.shown, rows.count_cache
    expression = parse(text, design)
    if not rows.has_large_crosses(expression.items):
        raise SurveyError("few_alike", expression.text, least=shown.least_cross)
    counts = count_cache.need(expression_terms(expression, design))
    estimate = estimate_expression(counts, expression, design, estimator=estimator)
    # Those asked everything in the expression may be far fewer than all.
    if not shown.results or not rows.is_enough(estimate.n_direct, estimate.n_protected):
        disguised = disguised_rows(design, estimate.n_direct, estimate.n_protected)
        raise SurveyError("too_few", rounded_count(disguised), least=LEAST_PROTECTED)
    return ExpressionEstimate(
        text=expression.text,
        estimate=estimate,
        interval=expression_interval(counts, expression, design, estimator=estimator),
        tells_groups=not 0 < estimate.n_direct < shown.least_direct,
    )
