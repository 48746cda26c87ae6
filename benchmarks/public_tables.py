"""Measure the coverage of printed figures in surveys of people drawn from a table.

    python -m benchmarks.public_tables --data uci_drugs18.csv [--people 200 500] [--surveys 100] [--seed 1]
        [--kinds shares groups regressions numbers]

The table has a header and columns of numbers; above 0 counts as yes. Its rows are the population. Each survey
draws people from it with replacement, asks up to eight questions in pairs, each pair with its own coin, and
analyses the reports with the library. The questions are the four rarest with at least 1% and the four closest
to 30%. Columns with six values or more are also asked as numbers. The last line counts points outside
their own interval or outside the possible values.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas
from numpy.typing import NDArray

from benchmarks.public_models import Analysis, analyses, figures, in_pairs, number_columns
from mining.frames.reports import Reports
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.policy import SURE_EFFECTIVE_ROWS

P = 0.7
LEAST_SUPPORT = 0.03
RAREST, COMMON = 0.01, 0.3
EACH = 4
"""Number of rare questions and of common ones."""
KINDS = ("shares", "groups", "regressions", "numbers")
FEWEST_SURVEYS = 20
"""Rows of fewer surveys are left out."""


def questions_of(binary: pandas.DataFrame) -> list[str]:
    """Return the names of rare and common columns in turn.

    Parameters
    ----------
    binary : DataFrame
        Columns of 0 and 1.
    """
    shares = binary.mean()[lambda own: (own >= RAREST) & (own <= 1 - RAREST)].sort_values()
    rare = list(shares.index[:EACH])
    common = list((shares.drop(rare) - COMMON).abs().sort_values().index[:EACH])
    return [name for pair in zip(rare, common, strict=False) for name in pair]


def figures_of(reports: Reports, weighted: Reports, people: pandas.DataFrame) -> Iterator[pandas.DataFrame]:
    """Yield figures of one survey: columns kind, value, low, high, true and weight."""
    names = list(people.columns)
    truth = people.to_numpy(dtype=np.float64)
    both = truth.T @ truth / len(truth)
    share = dict(zip(names, np.diag(both).tolist(), strict=True))
    for kind, own in (("share", reports), ("weighted share", weighted)):
        for name in names:
            table = own.share(name).to_frame().assign(true=share[name])
            if kind == "weighted share":
                table = table[table.effective_n >= SURE_EFFECTIVE_ROWS]
            yield figures(table, kind, "estimate", table.true, (0, 1))
    for i, j in itertools.combinations(range(len(names)), 2):
        having, others = both[i, j] / both[i, i], (both[j, j] - both[i, j]) / (1 - both[i, i])
        table = reports.compare(names[j], by=names[i]).to_frame()
        table["true"] = [having, others, having - others, having / both[j, j]]
        for position, kind in enumerate(("having", "others", "difference", "lift")):
            possible = {"difference": (-1, 1), "lift": (0, np.inf)}.get(kind, (0, 1))
            row = table.iloc[[position]]
            yield figures(row, f"Compare: {kind}", "estimate", row.true, possible)
    listed = reports.supports(min=LEAST_SUPPORT, size=2)
    listed = listed[[" & " in name for name in listed.index]]
    places = [[names.index(item) for item in name.split(" & ")] for name in listed.index]
    listed = listed.assign(true=[both[tuple(own)] for own in places])
    yield figures(listed, "supports(): pairs, plain", "support", listed.true, (0, 1))
    adjusted = listed.assign(low=listed.picked_low, high=listed.picked_high)
    yield figures(adjusted, "supports(): pairs, adjusted", "support", listed.true, (0, 1))


def shares(people: pandas.DataFrame) -> Analysis:
    """Return the analysis of shares, comparisons and listed pairs of these questions."""
    survey = Survey(blocks=in_pairs(list(people.columns)), p=P)

    def analysis(drawn: pandas.DataFrame, rng: np.random.Generator) -> Iterator[pandas.DataFrame]:
        sent = survey.disguise(drawn[list(people.columns)], seed=int(rng.integers(1 << 31)))
        sent["weight"] = rng.lognormal(0, 0.7, len(drawn))
        yield from figures_of(survey.on(sent), survey.on(sent, weights="weight"), people)

    return analysis


def measured(
    people: pandas.DataFrame, analysis: Analysis, n: int, surveys: int, rng: np.random.Generator
) -> tuple[pandas.DataFrame, int]:
    """Return the figures of all surveys of n people, with the number of each, and the refused surveys."""
    tables, refused = [], 0
    for number in range(surveys):
        drawn = people.sample(n, replace=True, random_state=rng).reset_index(drop=True)
        try:
            own = list(analysis(drawn, rng))
        except PrivacyError:  # a false alarm of the fit check, 1 in 10,000
            refused += 1
            continue
        tables.append(pandas.concat(own).assign(survey=number))
    return pandas.concat(tables), refused


def held(figures: pandas.DataFrame) -> NDArray[np.bool_]:
    """Return whether each interval contains the truth."""
    found = (figures.low <= figures.true + 1e-12) & (figures.true <= figures.high + 1e-12)
    return found.to_numpy()


def outside(figures: pandas.DataFrame) -> int:
    """Return the number of printed points outside their intervals or the possible values."""
    value, slack = figures.value, 1e-9
    is_out = (value < figures.low - slack) | (value > figures.high + slack)
    is_out |= (value < figures.least - slack) | (value > figures.most + slack)
    return int((is_out & value.notna()).sum())


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How often the intervals of one kind of figure hold in one setting.

    Parameters
    ----------
    printed : float
        Share of the figures with a printed point; a refused figure has none.
    held : float
        Mean over surveys of the share of intervals that contain the truth.
    error : float
        Standard error of `held`; surveys are independent, the figures of one survey are not.
    setting : str
    """

    printed: float
    held: float
    error: float
    setting: str


def coverage(figures: pandas.DataFrame, surveys: int, setting: str) -> dict[str, Coverage]:
    """Return the coverage of each kind; "point printed" counts only figures with a point, if some have none.

    Parameters
    ----------
    figures : DataFrame
        From `measured`.
    surveys : int
        Number of surveys, with or without figures.
    setting : str
    """
    figures = figures.assign(held=held(figures), printed=figures.value.notna())
    found = {}
    for kind, own in figures.groupby("kind", sort=False):
        printed = float(own.printed.mean()) * own.survey.nunique() / surveys
        for name, counted in ((str(kind), own), (f"{kind}, point printed", own[own.printed])):
            by_survey = counted.groupby("survey").held.mean()
            if len(by_survey) < FEWEST_SURVEYS or (counted is not own and own.printed.all()):
                continue
            error = float(by_survey.std()) / math.sqrt(len(by_survey))
            found[name] = Coverage(
                printed=printed, held=float(by_survey.mean()), error=error,
                setting=f"{setting}, {len(by_survey)} surveys",
            )  # fmt: skip
    return found


def lines_of(rows: Mapping[str, Sequence[Coverage]]) -> Iterator[str]:
    """Yield the lines of a table: for each row, its average and its worst setting."""
    yield "| figure | settings | printed | coverage | lowest | in the setting |"
    yield "|---|---|---|---|---|---|"
    for name, own in rows.items():
        printed, average = [one.printed for one in own], np.mean([one.held for one in own])
        worst = min(own, key=lambda one: one.held)
        yield (
            f"| {name} | {len(own)} | {min(printed):.2f}–{max(printed):.2f} | {average:.3f} "
            f"| {worst.held:.3f} ± {worst.error:.3f} | {worst.setting} |"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--people", type=int, nargs="+", default=[200, 500, 2000])
    parser.add_argument("--surveys", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    rows: dict[str, list[Coverage]] = {}
    points_outside = refused = 0
    for path in options.data:
        table = pandas.read_csv(path)
        table.columns = [f"c{number}" for number in range(len(table.columns))]
        binary = (table > 0).astype(int)
        questions = questions_of(binary)
        people = binary.join(number_columns(table.drop(columns=questions)))
        every = {"shares": {"": shares(binary[questions])}, **analyses(people, questions)}
        for n, kind in itertools.product(options.people, options.kinds):
            rng = np.random.default_rng([options.seed, n])
            for added, analysis in every[kind].items():
                found, own_refused = measured(people, analysis, n, options.surveys, rng)
                refused += own_refused
                points_outside += outside(found)
                for name, own in coverage(found, options.surveys, f"{path.stem}, {n} people{added}").items():
                    rows.setdefault(name, []).append(own)
    for line in lines_of(rows):
        print(line)
    print(f"\nPoints outside their interval: {points_outside}. Refused surveys: {refused}.")


if __name__ == "__main__":
    main()
