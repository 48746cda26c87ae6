"""Groups, regressions and numbers in surveys of people drawn from a table, for `benchmarks.public_tables`.

Each kind prepares its survey and the truths from a table once, and returns the analysis of one survey.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas
import scipy
from numpy.typing import NDArray

from mining.frames.answer_kinds import number
from mining.frames.reports import Reports
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.scales.numeric_mechanisms import BY_EPSILON

Analysis = Callable[[pandas.DataFrame, np.random.Generator], Iterator[pandas.DataFrame]]
"""Figures of a survey of these people: columns kind, value, low, high, true, least and most."""

P, EPSILON = 0.7, 2
GROUP_SHARES = (0.1, 0.5)
"""Shares of the rare and of the common group, as close as the table has them."""
LARGEST_ROW = 0.1
"""A coefficient of which one row holds more has a label, and is not counted."""
BINS = 16
NUMBER = "number_"
"""Prefix of columns of numbers."""
FEWEST_VALUES = 6
"""A column with fewer different values is no number."""
MOST_NUMBERS = 2
TAIL = 0.001
"""Share of people above the range of a number, and smallest cell of a regression."""
QUANTILES = (0.25, 0.5, 0.9)


def figures(
    table: pandas.DataFrame, kind: str, value: str, true: object, possible: tuple[float, float]
) -> pandas.DataFrame:
    """Return the figures of a table with the columns `value`, low and high, next to their truths.

    Parameters
    ----------
    table : DataFrame
    kind, value : str
    true : float or sequence of float
    possible : tuple of float
        Smallest and largest possible value.
    """
    ends = {end: table[end].to_numpy(dtype=np.float64) for end in ("low", "high")}
    printed = {"kind": kind, "value": table[value].to_numpy(dtype=np.float64), **ends}
    least, most = possible
    return pandas.DataFrame({**printed, "true": np.asarray(true), "least": least, "most": most})


def in_pairs(names: Sequence[str]) -> dict[str, list[str]]:
    """Return blocks of two questions each, which share a coin."""
    return {f"part{at}": list(names[at : at + 2]) for at in range(0, len(names), 2)}


def open_groups(binary: pandas.DataFrame, questions: Sequence[str]) -> list[str]:
    """Return the columns that are no questions and whose shares are closest to `GROUP_SHARES`."""
    shares, found = binary.drop(columns=list(questions)).mean(), list[str]()
    for wanted in GROUP_SHARES:
        found.append(str((shares.drop(found) - wanted).abs().idxmin()))
    return found


def with_constant(table: pandas.DataFrame, predictors: Sequence[str]) -> NDArray[np.float64]:
    """Return the columns of a regression, shape (n, 1 + predictors)."""
    return np.column_stack([np.ones(len(table)), table[list(predictors)].to_numpy(dtype=np.float64)])


def logistic(table: pandas.DataFrame, outcome: str, predictors: Sequence[str]) -> NDArray[np.float64]:
    """Return the coefficients of a logistic regression on true answers, by Newton's method."""
    x, found = with_constant(table, predictors), np.zeros(1 + len(predictors))
    for _ in range(50):
        share = scipy.special.expit(x @ found)
        gradient = x.T @ (table[outcome].to_numpy(dtype=np.float64) - share)
        found = found + np.linalg.solve((x.T * (share * (1 - share))) @ x, gradient)
    return found


def has_all_cells(binary: pandas.DataFrame, outcome: str, predictors: Sequence[str]) -> bool:
    """Return whether some people have each pair of outcome and predictor.

    If no one has a pair, for example two ages, the true coefficient is infinite.
    """
    cells = (pandas.crosstab(binary[outcome], binary[own], normalize=True) for own in predictors)
    return all(own.shape == (2, 2) and own.to_numpy().min() >= TAIL for own in cells)


def groups(binary: pandas.DataFrame, questions: Sequence[str]) -> Analysis:
    """Compare undisguised groups in all disguised answers.

    Parameters
    ----------
    binary : DataFrame
        Columns of 0 and 1.
    questions : sequence of str
        Disguised columns, in turn rare and common.
    """
    names, survey = list(questions), Survey(blocks=in_pairs(questions), p=P)
    by_names = dict(zip(("rare group", "common group"), open_groups(binary, names), strict=True))
    shares = {by: binary.groupby(by)[names].mean() for by in by_names.values()}

    def analysis(drawn: pandas.DataFrame, rng: np.random.Generator) -> Iterator[pandas.DataFrame]:
        sent = survey.disguise(drawn[names], seed=int(rng.integers(1 << 31)))
        reports = survey.on(sent.join(drawn[list(by_names.values())]))
        for size, by in by_names.items():
            if drawn[by].nunique() < 2:
                continue
            found = reports.arms(by).droplevel(1)
            inside = shares[by].loc[1]
            true = inside - shares[by].loc[0]
            for word, chosen in (("rare", names[0::2]), ("common", names[1::2])):
                rows, kind = found.loc[chosen], f"{size}, {word} answer"
                yield figures(rows, f"groups: difference, {kind}", "difference", true[chosen], (-1, 1))
                rows = rows.assign(low=rows.share_low, high=rows.share_high)
                yield figures(rows, f"groups: share, {kind}", "share", inside[chosen], (0, 1))
            errors = (found.unclipped / found.standard_error).abs()
            if errors.notna().any():
                named = found.loc[[errors.idxmax()]]
                named = named.assign(low=named.named_low, high=named.named_high)
                kind = f"groups: largest difference, {size}"
                yield figures(named, kind, "difference", true[named.index], (-1, 1))

    return analysis


def regressions(binary: pandas.DataFrame, questions: Sequence[str]) -> Analysis:
    """Fit logistic regressions of which the outcome, a predictor, or both are disguised.

    Parameters
    ----------
    binary : DataFrame
        Columns of 0 and 1.
    questions : sequence of str
        As for `groups`; a rare answer shares its coin with the next common one.
    """
    names, survey = list(questions), Survey(blocks=in_pairs(questions), p=P)
    rare, common = names[0::2], names[1::2]
    few, many = open_groups(binary, names)
    possible: dict[str, Iterator[tuple[str, list[str]]]] = {
        "rare outcome": ((outcome, [many]) for outcome in reversed(rare)),
        "common outcome": ((outcome, [many, few]) for outcome in common),
        "rare predictor": ((many, [own]) for own in reversed(rare)),
        "common predictor": ((many, [own, few]) for own in common),
        "outcome and predictor with one coin": zip(common, ([own] for own in rare), strict=False),
        "outcome and predictor with two coins": ((a, [b]) for a, b in itertools.permutations(common, 2)),
    }
    models = []
    for kind, candidates in possible.items():
        wanted = next((own for own in candidates if has_all_cells(binary, *own)), None)
        if wanted is not None:
            models.append((kind, *wanted, logistic(binary, *wanted)))

    def analysis(drawn: pandas.DataFrame, rng: np.random.Generator) -> Iterator[pandas.DataFrame]:
        sent = survey.disguise(drawn[names], seed=int(rng.integers(1 << 31)))
        reports = survey.on(sent.join(drawn[[few, many]]))
        for kind, outcome, predictors, truth in models:
            try:
                found = reports.regression(f"{outcome} ~ {' + '.join(predictors)}").to_frame()
            except PrivacyError:
                continue
            counted = (found.largest_row <= LARGEST_ROW).to_numpy()
            with np.errstate(divide="ignore"):  # log odds without a lower end
                ends = {end: np.log(found[end]) for end in ("low", "high")}
            rows = found.assign(value=found.coefficient.where(found.basis == "estimate"), **ends)
            kind = f"regression: {kind}"
            yield figures(rows[counted], kind, "value", truth[counted], (-np.inf, np.inf))

    return analysis


def number_columns(table: pandas.DataFrame) -> pandas.DataFrame:
    """Return the most skewed numbers of a table, in `BINS` bins of equal width.

    The upper bins of a skewed number contain few people, or no one.
    """
    wide = table.loc[:, table.nunique() >= FEWEST_VALUES]
    wide = wide[wide.skew().sort_values(ascending=False).index[:MOST_NUMBERS]]
    low, high = wide.min(), wide.quantile(1 - TAIL)
    bins = np.floor((wide - low) / (high - low) * BINS).clip(0, BINS - 1).astype(int)
    return bins.add_prefix(NUMBER)


def quantile(values: pandas.Series, share: float) -> float:
    """Return a quantile of numbered bins, in which people are spread evenly.

    >>> round(quantile(pandas.Series([0, 0, 1, 1]), .75), 6)  # the middle of bin 1
    1.0
    """
    running = np.concatenate([[0.0], np.bincount(values, minlength=BINS).cumsum() / len(values)])
    at = int(np.argmax(running >= share))
    return float(at - 1.5 + (share - running[at - 1]) / (running[at] - running[at - 1]))


def numbers(people: pandas.DataFrame, questions: Sequence[str], *, mechanism: str) -> Analysis:
    """Estimate means, quantiles, histograms, group means and regressions of numbers.

    Parameters
    ----------
    people : DataFrame
        Columns of 0 and 1, and those of `number_columns`.
    questions : sequence of str
        The second one is disguised, too.
    mechanism : str
    """
    names, item = [name for name in people if name.startswith(NUMBER)], questions[1]
    few, many = open_groups(people.drop(columns=names), questions)
    asked = number(low=0, high=BINS - 1, epsilon=EPSILON, mechanism=mechanism)
    survey = Survey(blocks={**dict.fromkeys(names, asked), "part": [item]}, p=P)

    def analysis(drawn: pandas.DataFrame, rng: np.random.Generator) -> Iterator[pandas.DataFrame]:
        sent = survey.disguise(drawn[[*names, item]], seed=int(rng.integers(1 << 31)))
        reports = survey.on(sent.join(drawn[[few, many]]))
        for name in names:
            yield from _of_number(reports, people, name, (few, many, item))

    return analysis


def _of_number(
    reports: Reports, people: pandas.DataFrame, name: str, by_names: Sequence[str]
) -> Iterator[pandas.DataFrame]:
    """Yield the figures of one number."""
    true, possible, everything = people[name], (-0.5, BINS - 0.5), (-np.inf, np.inf)
    few, many, item = by_names
    yield figures(reports.mean(name).to_frame(), "number: mean", "estimate", true.mean(), possible)
    for share in QUANTILES:
        found = reports.quantile(name, share)
        row = pandas.DataFrame(
            {"value": [found.value if found.estimable else np.nan], "low": found.low, "high": found.high}
        )
        kind = f"number: quantile {share}"
        yield figures(row, kind, "value", quantile(true, share), possible)
    bars = reports.histogram(name)
    if len(bars):
        inside = [true.between(*map(int, str(bar).split("–"))).mean() for bar in bars.index]
        yield figures(bars, "number: bars", "share", inside, (0, 1))
    for by, word in ((few, "a rare group"), (many, "a common group"), (item, "a disguised group")):
        means = reports.means(name, by).iloc[[0 if by == item else -1]]
        if by == item or means.index[0] == 1:
            inside = people[name][people[by] == 1].mean()
            yield figures(means, f"number: mean of {word}", "mean", inside, possible)
    for predictors, word in (([many, few], "two groups"), ([item], "a disguised predictor")):
        try:
            fit = reports.regression(f"{name} ~ {' + '.join(predictors)}").to_frame()
        except PrivacyError:
            continue
        counted = (fit.largest_row <= LARGEST_ROW).to_numpy()
        rows = fit.assign(value=fit.coefficient.where(fit.basis == "estimate"))[counted]
        truth = np.linalg.lstsq(with_constant(people, predictors), true, rcond=None)[0][counted]
        yield figures(rows, f"number regression: {word}", "value", truth, everything)


def analyses(people: pandas.DataFrame, questions: Sequence[str]) -> dict[str, dict[str, Analysis]]:
    """Return the analyses of each kind for which the people have columns, by what to add to the setting.

    Parameters
    ----------
    people : DataFrame
        Columns of 0 and 1, and those of `number_columns`.
    questions : sequence of str
        Disguised columns, in turn rare and common.
    """
    has_number = people.columns.str.startswith(NUMBER)
    binary = people.loc[:, ~has_number]
    of_number = {f", {name}": numbers(people, questions, mechanism=name) for name in BY_EPSILON}
    return {
        "groups": {"": groups(binary, questions)},
        "regressions": {"": regressions(binary, questions)},
        "numbers": of_number if has_number.any() else {},
    }
