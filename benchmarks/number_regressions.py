"""Coverage of linear regressions and group means of a disguised number, for the table of `benchmarks.shown`.

People are drawn from one made-up population of 100,000, so its least squares are the truth. A group of 8% and
a log-normal predictor are skewed on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas

from mining.frames.answer_kinds import number
from mining.frames.reports import Reports
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.regression.formula_linear import LinearRegression

_POPULATION = 100_000
_MECHANISMS = ("square_wave", "hybrid", "keep")


def population(rng: np.random.Generator) -> pandas.DataFrame:
    """Return hours of work, with a rare group, a skewed predictor and a sensitive answer.

    Parameters
    ----------
    rng : numpy.random.Generator
    """
    people = pandas.DataFrame(
        {
            "rare": (rng.random(_POPULATION) < 0.08).astype(int),
            "pay": rng.lognormal(0, 1, _POPULATION),
            "cheat": (rng.random(_POPULATION) < 0.2).astype(int),
        }
    )
    hours = 20 + 8 * people.rare + 2 * people.pay.clip(upper=8) + 6 * people.cheat
    hours += rng.gamma(2, 5, _POPULATION)
    return people.assign(hours=np.clip(hours // 5 * 5 + 2, 0, 79))


def least_squares(people: pandas.DataFrame, names: list[str]) -> dict[str, float]:
    """Return the coefficients of hours on these columns.

    Parameters
    ----------
    people : DataFrame
    names : list of str
    """
    x = np.column_stack([np.ones(len(people)), people[names].to_numpy(dtype=float)])
    found = np.linalg.lstsq(x, people.hours.to_numpy(), rcond=None)[0]
    return dict(zip(["Intercept", *names], found.tolist(), strict=True))


def number_regressions(
    rng: np.random.Generator, surveys: int
) -> Iterator[tuple[str, tuple[float, float, str]]]:
    """Yield how often coefficients and means are printed, and how often their intervals hold the truth.

    Parameters
    ----------
    rng : numpy.random.Generator
    surveys : int
        Simulated surveys of each setting.
    """
    people = population(rng)
    known = least_squares(people, ["rare", "pay"])
    truths = {
        "number regression: group of 8%": known["rare"],
        "number regression: log-normal predictor": known["pay"],
        "number regression: disguised predictor": least_squares(people, ["cheat"])["cheat"],
        "number: mean of a group of 8%": float(people.hours[people.rare == 1].mean()),
        "number: mean of a disguised group": float(people.hours[people.cheat == 1].mean()),
    }
    for mechanism in _MECHANISMS:
        for n in (250, 2000):
            for skip in (None, 0.4):
                hours = number(low=0, high=79, bin=5, epsilon=2, mechanism=mechanism)
                options = {} if skip is None else {"skip": {"hours": skip}}
                survey = Survey(blocks={"hours": hours, "work": ["cheat"]}, p=0.7, **options)
                held: dict[str, list[bool]] = {name: [] for name in truths}
                for _ in range(surveys):
                    sample = people.iloc[rng.integers(0, _POPULATION, n)].reset_index(drop=True)
                    if skip is not None:
                        skipped = rng.random(n) < 0.1
                        sample["hours.skipped"] = skipped
                        sample["hours"] = sample.hours.mask(skipped)
                    sent = survey.disguise(sample, seed=int(rng.integers(1 << 60)))
                    reports = survey.on(sent.assign(rare=sample.rare, pay=sample.pay))
                    for name, (low, high) in _intervals(reports).items():
                        held[name].append(low <= truths[name] <= high)
                setting = f"{n} people, {mechanism}" + (", 10% skip" if skip else "")
                for name, own in held.items():
                    # Fewer than one in twenty surveys say nothing about a coverage.
                    if len(own) >= max(surveys // 20, 1):
                        yield name, (len(own) / surveys, float(np.mean(own)), setting)


def _intervals(reports: Reports) -> dict[str, tuple[float, float]]:
    """Return the intervals that one survey prints, by name."""
    found = {}
    for formula, terms in (
        ("hours ~ rare + pay", {"group of 8%": "rare", "log-normal predictor": "pay"}),
        ("hours ~ cheat", {"disguised predictor": "cheat"}),
    ):
        try:
            fit = reports.regression(formula)
        except PrivacyError:
            continue
        assert isinstance(fit, LinearRegression)
        table = fit.to_frame()
        for name, term in terms.items():
            # A coefficient with the label "one row" is no finding of this table.
            if table.basis[term] != "too few" and table.largest_row[term] <= 0.1:
                found[f"number regression: {name}"] = (table.low[term], table.high[term])
    for name, by, group in (("a group of 8%", "rare", 1), ("a disguised group", "cheat", "cheat")):
        try:
            means = reports.means("hours", by)
        except PrivacyError:
            continue
        if group in means.index and means.basis[group] != "too few":
            found[f"number: mean of {name}"] = (means.low[group], means.high[group])
    return found
