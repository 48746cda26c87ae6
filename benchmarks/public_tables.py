"""Measure the coverage of printed figures in surveys of people drawn from a table.

    python -m benchmarks.public_tables --data uci_drugs18.csv [--people 200 500] [--surveys 100] [--seed 1]

The table has a header and columns of 0 and 1; its rows are the population. Each survey draws people from it
with replacement, asks up to eight questions in pairs, each pair with its own coin, and analyses the reports
with the library. The questions are the four rarest with at least 1% and the four closest to 30%. The last
line counts points that are printed outside their own interval or outside the possible values.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas
from numpy.typing import NDArray

from benchmarks.shown import Point, lines_of
from mining.frames.reports import Reports
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.policy import SURE_EFFECTIVE_ROWS

P = 0.7
LEAST_SUPPORT = 0.03
RAREST, COMMON = 0.01, 0.3
EACH = 4
"""Number of rare questions and of common ones."""


def population(path: Path) -> pandas.DataFrame:
    """Return the table's rare and common columns."""
    table = (pandas.read_csv(path) > 0).astype(int)
    shares = table.mean()[lambda own: (own >= RAREST) & (own <= 1 - RAREST)].sort_values()
    rare = list(shares.index[:EACH])
    common = list((shares.drop(rare) - COMMON).abs().sort_values().index[:EACH])
    return table[[name for pair in zip(rare, common, strict=False) for name in pair]]


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
            yield _as_figures(table, kind, "estimate")
    for i, j in itertools.combinations(range(len(names)), 2):
        having, others = both[i, j] / both[i, i], (both[j, j] - both[i, j]) / (1 - both[i, i])
        table = reports.compare(names[j], by=names[i]).to_frame()
        table["true"] = [having, others, having - others, having / both[j, j]]
        for position, kind in enumerate(("having", "others", "difference", "lift")):
            yield _as_figures(table.iloc[[position]], f"Compare: {kind}", "estimate")
    listed = reports.supports(min=LEAST_SUPPORT, size=2)
    listed = listed[[" & " in name for name in listed.index]]
    places = [[names.index(item) for item in name.split(" & ")] for name in listed.index]
    listed = listed.assign(true=[both[tuple(own)] for own in places])
    yield _as_figures(listed, "supports(): pairs, plain", "support")
    adjusted = listed.assign(low=listed.picked_low, high=listed.picked_high)
    yield _as_figures(adjusted, "supports(): pairs, adjusted", "support")


def _as_figures(table: pandas.DataFrame, kind: str, value: str) -> pandas.DataFrame:
    return pandas.DataFrame(
        {
            "kind": kind, "value": table[value], "low": table.low, "high": table.high, "true": table.true,
            "least": -1.0 if kind == "Compare: difference" else 0.0,
            "most": np.inf if kind == "Compare: lift" else 1.0,
        }
    )  # fmt: skip


def measured(
    people: pandas.DataFrame, n: int, surveys: int, rng: np.random.Generator
) -> tuple[pandas.DataFrame, int]:
    """Return the figures of all surveys of n people, with the number of each, and the refused surveys."""
    names = list(people.columns)
    survey = Survey(blocks={f"part{at}": names[at : at + 2] for at in range(0, len(names), 2)}, p=P)
    tables, refused = [], 0
    for number in range(surveys):
        drawn = people.sample(n, replace=True, random_state=rng).reset_index(drop=True)
        sent = survey.disguise(drawn, seed=int(rng.integers(1 << 31)))
        sent["weight"] = rng.lognormal(0, 0.7, n)
        try:
            own = list(figures_of(survey.on(sent), survey.on(sent, weights="weight"), people))
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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--people", type=int, nargs="+", default=[200, 500, 2000])
    parser.add_argument("--surveys", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows: dict[str, list[Point]] = {}
    points_outside = refused = 0
    for path in options.data:
        people = population(path)
        for n in options.people:
            rng = np.random.default_rng([options.seed, n])
            figures, own_refused = measured(people, n, options.surveys, rng)
            refused += own_refused
            points_outside += outside(figures)
            figures["held"] = held(figures)
            figures["printed"] = figures.value.notna()
            for kind, own in figures.groupby("kind", sort=False):
                setting = f"{path.stem}, {n} people"
                every = own.groupby("survey").held.mean()
                often = float(own.printed.mean())
                rows.setdefault(str(kind), []).append((often, float(every.mean()), setting))
                printed = own[own.printed]
                if len(printed) >= options.surveys:
                    rows.setdefault(f"{kind}, point printed", []).append(
                        (often, float(printed.held.mean()), setting)
                    )
    for line in lines_of(rows):
        print(line)
    print(f"\nPoints outside their interval: {points_outside}. Refused surveys: {refused}.")


if __name__ == "__main__":
    main()
