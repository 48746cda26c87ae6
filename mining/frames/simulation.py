"""Simulate a planned survey: what an analysis would report, before anyone has answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from mining.frames.answer_kinds import option_names
from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.shown_tables import data_frame
from privacy.planning.plan import PlannedDesign

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

MOST_SURVEYS: Final = 10_000
"""Largest number of simulated surveys."""


class Simulated(Protocol):
    """What a simulation needs of `mining.frames.survey.Survey`."""

    def disguise(self, frame: Any, *, seed: int) -> DataFrame:
        """Return the reports of these true answers."""

    def on(self, frame: Any) -> Any:
        """Read reports."""


class Planned(Protocol):
    """What a simulation needs of `mining.frames.plan.Plan`."""

    @property
    def planned(self) -> PlannedDesign:
        """The design, and the people and guesses that it was made for."""

    @property
    def survey(self) -> Any:
        """The survey, with the names of its questions."""


def simulate(
    survey: Simulated,
    people: Callable[[np.random.Generator], DataFrame] | DataFrame,
    analysis: Callable[[Any], Any],
    *,
    n: int,
    rng: np.random.Generator,
    surveys: int = 200,
    against: float = 0.0,
    level: float = 0.95,
    progress: Callable[[int, int], object] | None = None,
) -> DataFrame:
    """Return what an analysis reports in simulated surveys of true answers.

    Parameters
    ----------
    survey : Survey
    people : DataFrame or callable
        True answers of a population, from which `n` people are drawn with replacement; or a function of a
        generator that returns the answers of one sample.
    analysis : callable
        Returns what will be reported of reports: a result with ``interval`` and ``value``, or a DataFrame
        with the columns low and high, such as ``fit.to_frame()``.
    n : int, 1 to 1,000,000
        Number of people in each survey.
    rng : numpy.random.Generator
        Such as ``numpy.random.default_rng(1)``; it decides people and coins.
    surveys : int, 2 to 10,000
    against : float
        The value that an interval must exclude to show an effect: 0 for differences and coefficients, 1 for
        ratios.
    level : float, in (0, 1)
        Level of the intervals of results.
    progress : callable, optional
        Called with the number of surveys done and their total after each.

    Returns
    -------
    DataFrame
        One row per figure. ``median`` is that of the estimates, of which 95 in 100 lie from ``low`` to
        ``high``. ``half_width`` is the median half of the intervals. ``shows`` is the share of surveys whose
        interval excludes `against`: the power. ``too_few`` is the share of surveys without a figure.

    Raises
    ------
    PrivacyError
        ``simulate``: wrong numbers or kinds, no rows, or an analysis without intervals. Errors of the
        analysis count as surveys without a figure, unless no survey has one.
    """
    n = validation.whole_number(n, "n", low=1, high=1_000_000, code="simulate")
    for name, given, is_right in (
        ("analysis", analysis, callable(analysis)),
        ("rng", rng, isinstance(rng, np.random.Generator)),
        ("people", people, callable(people) or (hasattr(people, "iloc") and len(people) > 0)),
    ):
        if not is_right:
            raise PrivacyError("simulate.kind", type(given).__name__, name=name)
    surveys = validation.whole_number(surveys, "surveys", low=2, high=MOST_SURVEYS, code="simulate")
    found: dict[Any, list[tuple[float, float, float]]] = {}
    refused: PrivacyError | None = None
    for number in range(surveys):
        truth = people(rng) if callable(people) else people.iloc[rng.integers(0, len(people), n)]
        truth = truth.reset_index(drop=True)
        sent = survey.disguise(truth, seed=int(rng.integers(1 << 62)))
        others = truth[[name for name in truth.columns if name not in sent.columns]]
        try:
            figures = _figures(analysis(survey.on(sent.join(others))), level)
        except PrivacyError as error:
            refused, figures = error, {}
        for name, figure in figures.items():
            found.setdefault(name, []).append(figure)
        if progress is not None:
            progress(number + 1, surveys)
    if not found:
        raise PrivacyError("simulate.refused", surveys, what=str(refused))
    rows = [_row(np.array(own), surveys, against) for own in found.values()]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return data_frame(columns, index=list(found), name="figure")


def guessed_people(plan: Planned) -> Callable[[np.random.Generator], DataFrame]:
    """Return a function that draws the true answers of a plan's people from its guesses, independently.

    Numbers are evenly spread over their range.

    Parameters
    ----------
    plan : Plan

    Raises
    ------
    PrivacyError
        ``simulate``: the plan asks for something that guesses do not describe, such as a place.
    """
    design, names, n = plan.planned.design, plan.survey.names, plan.planned.aim.people
    for question in design.questions:
        is_number = question.has_mean and question.disguise.range.decimals == 0  # type: ignore[union-attr]
        if question.is_scale and not is_number:
            raise PrivacyError("simulate.people", question.key)

    def draw(rng: np.random.Generator) -> DataFrame:
        columns: dict[str, Any] = {}
        for question in design.questions:
            name = names.get(question.key, question.key)
            if question.has_mean:
                values = question.disguise.range  # type: ignore[union-attr]
                columns[name] = rng.integers(int(values.low), int(values.high) + 1, n)
                continue
            shares = np.array([float(share) for share in plan.planned.aim.shares_of(question)])
            if question.is_exhaustive:
                columns[name] = rng.choice(option_names(question, names), n, p=shares / shares.sum())
                continue
            for key, share in zip(question.columns, shares, strict=True):
                columns[names.get(key, key)] = (rng.random(n) < share).astype(int)
        return data_frame(columns)

    return draw


def _row(figures: Array, surveys: int, against: float) -> Mapping[str, float]:
    """Return the row of one figure from its (value, low, high) in the surveys that have it."""
    value, low, high = figures.T
    has_point = np.isfinite(value)
    ends = np.percentile(value[has_point], [50, 2.5, 97.5]) if has_point.any() else np.full(3, np.nan)
    return {
        "median": float(ends[0]),
        "low": float(ends[1]),
        "high": float(ends[2]),
        "half_width": float(np.median((high - low) / 2)),
        "shows": float(((low > against) | (high < against)).sum() / surveys),
        "too_few": float(1 - has_point.sum() / surveys),
        "surveys": surveys,
    }


def _figures(found: Any, level: float) -> dict[Any, tuple[float, float, float]]:
    """Return value, low and high of each figure of a result."""
    if hasattr(found, "columns") and {"low", "high"} <= set(found.columns):
        first = "odds_ratio" if "odds_ratio" in found.columns else str(found.columns[0])
        table = found[[first, "low", "high"]].to_numpy(dtype=np.float64)
        return dict(zip(found.index.tolist(), map(tuple, table.tolist()), strict=True))
    if hasattr(found, "interval") and hasattr(found, "value"):
        low, high = found.interval(level)
        return {getattr(found, "name", "value"): (float(found.value), float(low), float(high))}
    raise PrivacyError("simulate.result", type(found).__name__)
