"""Errors from replicate weights: repeat an analysis with each, as for surveys that publish such weights."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mining.frames.report_columns import number_columns, report_columns
from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.levels import t_quantile
from privacy.library.frames import pick
from privacy.library.shown_tables import data_frame
from privacy.printed import CHECKED, PrintedEstimates
from privacy.tables.estimation import estimation_frame

if TYPE_CHECKING:
    from mining.frames.reports import Reports
    from mining.frames.survey import Survey
    from privacy.library.frames import DataFrame


def replicated(
    survey: Survey,
    frame: Any,
    analysis: Callable[[Reports], Any],
    *,
    weights: Hashable,
    replicates: Sequence[Hashable],
    scale: float,
    factors: Sequence[float] | None = None,
    possible: tuple[float, float] = (-np.inf, np.inf),
    level: float = 0.95,
) -> DataFrame:
    """Return the figures of an analysis, with errors from replicate weights.

    Parameters
    ----------
    survey : Survey
    frame : DataFrame, file, or result of `sottovoce.read_table`
        One row per respondent, as for ``survey.on``.
    analysis : callable
        Returns the figure, or figures, of reports: a number, a result with ``value`` or ``params``, or a
        Series.
    weights : hashable
        Column of weights of the whole sample.
    replicates : sequence of hashable
        Columns of replicate weights; a row of weight 0 is not in the replicate.
    scale : float above 0
        Such as 1 for JKn, (R - 1)/R for JK1, 1/R for balanced repeated replication, 1/(R - 1) for bootstraps.
    factors : sequence of float, optional
        A factor for each replicate, such as (n_h - 1)/n_h for JKn; 1 by default.
    possible : (float, float)
        Bounds of the true values.
    level : float, in (0, 1)

    Returns
    -------
    DataFrame
        One row per figure, with the columns of `privacy.printed.PrintedEstimates`.

    Raises
    ------
    PrivacyError
        ``replicates``: fewer than two, factors that do not fit, weights that are no numbers or below
        0, an analysis without figures, or another number of
        figures in a replicate. ``frame``, and the errors of the analysis.

    Notes
    -----
    The variance is scale sum_r factor_r (t_r - mean of t_r)^2, the interval that of t with one degree of
    freedom less than the rank of the weights. These are the figures of ``svrepdesign`` in the R package
    survey, with its default ``mse=FALSE``.

    References
    ----------
    Lumley 2004; Wolter 2007.
    """
    names = list(replicates)
    if len(names) < 2:
        raise PrivacyError("replicates.few", len(names))
    try:
        times = np.ones(len(names)) if factors is None else np.asarray(factors, dtype=np.float64)
    except (TypeError, ValueError) as wrong:
        raise PrivacyError("replicates.factors", factors, count=len(names)) from wrong
    if times.shape != (len(names),):
        raise PrivacyError("replicates.factors", factors, count=len(names))
    if not callable(analysis):
        raise PrivacyError("replicates.analysis", type(analysis).__name__)
    scale = validation.real_number(scale, "scale", low=0, high=1e6, open_ends=True, code="replicates")
    frame, _said = estimation_frame(
        frame,
        reports=report_columns(survey.design, survey.names),
        kinds=dict.fromkeys(map(str, [weights, *names]), "numeric")
        | number_columns(survey.design, survey.names),
    )
    given = pick(frame, names)
    for column in given:
        if getattr(column.dtype, "kind", "") not in "iuf":
            raise PrivacyError("replicates.weights", column.name)
    columns = np.array([column.to_numpy(dtype=np.float64) for column in given])
    if not np.isfinite(columns).all() or columns.min() < 0:
        worst = names[int(np.argmin(np.where(np.isfinite(columns), columns, -1).min(axis=1)))]
        raise PrivacyError("replicates.weights", worst)
    labels, value = _figures(analysis(survey.on(frame, weights=weights)))
    estimates = []
    for name, column in zip(names, columns, strict=True):
        own, numbers = _figures(analysis(survey.on(frame[column > 0], weights=name)))
        if own != labels:
            raise PrivacyError("replicates.figures", name, count=len(own), wanted=len(labels))
        estimates.append(numbers)
    spread = np.stack(estimates) - np.mean(estimates, axis=0)
    error = np.sqrt(scale * times @ spread**2)
    half = t_quantile(level, max(float(np.linalg.matrix_rank(columns)) - 1, 1)) * error
    mass = pick(frame, [weights])[0].to_numpy(dtype=np.float64)
    rows = PrintedEstimates(
        value=value,
        standard_error=error,
        low=value - half,
        high=value + half,
        n=len(frame),
        effective_n=float(mass.sum() ** 2 / (mass @ mass)),
        level=level,
        possible=possible,
        method="replicates",
        shift=None,
        origin=CHECKED,
    )
    return data_frame(rows.columns("estimate"), index=labels, name="figure", about=rows.about)


def _figures(found: Any) -> tuple[list[Hashable], Array]:
    """Return the labels and values of what an analysis returns."""
    if hasattr(found, "params"):
        found = found.params
    if hasattr(found, "value"):
        return [getattr(found, "name", "value")], np.array([float(found.value)])
    if hasattr(found, "items"):
        pairs = list(found.items())
        return [label for label, _ in pairs], np.array([float(own) for _, own in pairs])
    try:
        numbers: Array = np.atleast_1d(np.asarray(found, dtype=np.float64))
    except (TypeError, ValueError) as wrong:
        raise PrivacyError("replicates.analysis", type(found).__name__) from wrong
    if found is None:
        raise PrivacyError("replicates.analysis", type(found).__name__)
    return list(range(len(numbers))) if len(numbers) > 1 else ["value"], numbers
