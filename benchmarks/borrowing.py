"""What borrowing strength gains: top itemsets, errors of pairs, coverage, and tests of three items.

    python -m benchmarks.borrowing --data uci_drugs18.csv [--draws 40] [--part f1|pairs|three|time]
    python -m benchmarks.borrowing --part rare|rare-three [--draws 200] [--seed 1]

Data are a table of 0 and 1 with a header. Each draw resamples people, draws questions, and disguises them.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
import scipy
import scipy.optimize
import scipy.stats
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.frames.survey import Survey
from mining.itemsets import count_and_estimate
from mining.pipeline import find_itemsets
from mining.predicted_itemsets import LONGEST_COMPLETED, borrowed_itemsets, pair_figures
from mining.three_way import three_way
from mining.thresholds import Thresholds
from privacy.estimation import borrowed_pairs
from privacy.estimation.borrowed_pairs import (
    FIRST_READ,
    BorrowedPairs,
    PairFigures,
    PooledCorrelation,
    borrow,
    publishable_pairs,
)
from privacy.estimation.completion import complete_supports, largest_sets
from privacy.levels import normal_quantile
from privacy.survey.design import Design

Rows = NDArray[np.bool_]
Supports = dict[tuple[int, ...], float]
World = Callable[[int, np.random.Generator], Rows]

TOP = 32
ASKED = {1: 2, 2: 3, 4: 5}
"""Questions a person by epsilon: as many that the answers number about e^epsilon."""

RARE = 1 / 8
"""Answers below this share are rare."""
LISTED = 0.02
"""Pairs with this prediction are listed."""

YES_TO_ALL = ((0.08, 0.01, 0.1), (0.08, 0.01, 0.4), (0.08, 0.15, 0.5), (0.04, 0.01, 0.1), (0.15, 0.01, 0.1))
"""Share of people who say yes to everything, and the range of the shares of the others."""

NEAR_UNIVERSAL = ("Alcohol", "Caff", "Choc")


def design_of(n_items: int, epsilon: float, asked: int | None = None) -> Design:
    """Return a block of which each person is asked some questions, with the p that uses up epsilon."""
    asked = asked or ASKED[round(epsilon)]
    odds = math.expm1(epsilon)
    p = math.floor(10_000 * odds / (odds + 2**asked)) / 10_000
    names = [f"q{number}" for number in range(n_items)]
    return Survey(blocks={"b": names}, p=p, questions_per_person={"b": asked}).design


def disguised(truth: Rows, design: Design, rng: np.random.Generator) -> CountCache:
    """Draw the questions of each person, disguise the answers, and count them."""
    (block,) = design.blocks
    asked = rng.random(truth.shape).argsort(axis=1) < block.questions_per_person
    is_true = rng.random(len(truth)) < float(block.truth)
    reports = np.where(is_true[:, None], truth, rng.random(truth.shape) < 0.5) & asked
    direct = np.zeros(len(truth), dtype=bool)
    return CountCache(BitMatrix.from_booleans(design, reports, direct, is_asked=asked))


@cache
def pairs_alone(n_items: int) -> tuple[Rows, NDArray[np.float64]]:
    """Return all answers and their running law: log odds are linear in other answers, so nothing of three."""
    cells = np.array(list(itertools.product((False, True), repeat=n_items)))
    yes = cells.sum(axis=1)
    alone = cells @ (2 * np.linspace(0, 1, n_items) - 2.5)
    return cells, np.exp(alone + yes * (yes - 1) / n_items).cumsum()


def made_up(name: str, n: int, rng: np.random.Generator, n_items: int = 18) -> Rows:
    """Return true answers of a world that was made up."""
    steps = np.linspace(0, 1, n_items)
    if name == "independent":
        return rng.random((n, n_items)) < 0.05 + 0.55 * steps
    if name == "one factor":
        loading = 0.3 + 0.6 * np.random.default_rng(5).permutation(steps)
        noise = rng.normal(size=(n, n_items)) * np.sqrt(1 - loading**2)
        return loading * rng.normal(size=(n, 1)) + noise < 2 * steps - 1.6
    if name == "two clusters":
        low = 0.1 + 0.3 * steps
        other = np.where(np.arange(n_items) % 2 == 0, low + 0.35, np.maximum(low - 0.08, 0.02))
        return rng.random((n, n_items)) < np.where(rng.random((n, 1)) < 0.3, other, low)
    if name == "pairs alone":
        cells, law = pairs_alone(n_items)
        return cells[np.searchsorted(law, law[-1] * rng.random(n))]
    truth = rng.random((n, n_items)) < 0.25
    if name == "one item with all":
        truth[:, 1:] &= truth[:, :1] | (rng.random((n, n_items - 1)) < 0.5)
        return truth
    truth[:, :3] |= rng.random((n, 1)) < 0.08
    return truth


MADE_UP = ("independent", "one factor", "two clusters", "one strong triple", "one item with all")


def populations(path: Path) -> dict[str, tuple[World, Rows]]:
    """Return each population: a function that draws people from it, and its people."""
    table = np.loadtxt(path, delimiter=",", skiprows=1) > 0
    names = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    kept = [at for at, name in enumerate(names) if name not in NEAR_UNIVERSAL]
    found: dict[str, tuple[World, Rows]] = {}
    for name, rows in (("data, all items", table), ("data, 15 items", table[:, kept])):
        found[name] = (lambda n, rng, rows=rows: rows[rng.integers(0, len(rows), n)]), rows  # type: ignore[misc]
    for name in MADE_UP:
        people = made_up(name, 400_000, np.random.default_rng(99))
        found[name] = (lambda n, rng, name=name: made_up(name, n, rng)), people  # type: ignore[misc]
    return found


def supports_of(rows: Rows, longest: int) -> Supports:
    """Return the true supports of all itemsets."""
    return {
        items: float(rows[:, items].all(axis=1).mean())
        for size in range(1, longest + 1)
        for items in itertools.combinations(range(rows.shape[1]), size)
    }


def top(supports: Mapping[tuple[int, ...], float]) -> list[tuple[int, ...]]:
    """Return the itemsets with the largest supports."""
    return sorted(supports, key=lambda items: (-supports[items], items))[:TOP]


def f1_ncr(found: Mapping[tuple[int, ...], float], wanted: list[tuple[int, ...]]) -> tuple[float, float]:
    """Return F1 and the normalised cumulative rank of the top itemsets."""
    listed = set(top(found))
    rank = {items: TOP - at for at, items in enumerate(wanted)}
    return len(listed & set(wanted)) / TOP, sum(rank.get(items, 0) for items in listed) / sum(rank.values())


def completed_supports(figures: PairFigures, values: NDArray[np.float64], least: float) -> Supports:
    """Return shares, pairs and what completes them."""
    shares = np.clip(figures.shares, 0, 1)
    table = np.zeros((len(shares),) * 2)
    first, second = figures.pairs.T
    values = np.clip(
        values, np.maximum(0, shares[first] + shares[second] - 1), np.minimum(shares[first], shares[second])
    )
    table[first, second] = table[second, first] = values
    known = {(item,): float(share) for item, share in enumerate(shares)}
    level = dict(zip(map(tuple, figures.pairs.tolist()), values.tolist(), strict=True))
    for _ in range(LONGEST_COMPLETED - 1):
        known |= level  # type: ignore[arg-type]
        sets = largest_sets(table, level, least)  # type: ignore[arg-type]
        if not len(sets):
            break
        found = complete_supports(shares, table, sets)
        level = dict(zip(map(tuple, sets.tolist()), found.tolist(), strict=True))
    return known | level  # type: ignore[return-value]


def frequency_oracle(
    values: NDArray[np.int64], size: int, pad: int, epsilon: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Estimate counts of padded, sampled values: randomised response while that is better, else hashing."""
    n, counts = len(values), np.bincount(values[values < size], minlength=size)
    larger = math.log(pad * math.expm1(epsilon) + 1)
    if size + pad < pad * (4 * pad - 1) * math.exp(epsilon) + 1:
        keep = math.exp(larger) / (math.exp(larger) + size + pad - 1)
        other = (1 - keep) / (size + pad - 1)
        moved = rng.integers(0, size + pad - 1, n)
        moved += moved >= values
        sent = np.where(rng.random(n) < keep, values, moved)
        seen = np.bincount(sent[sent < size], minlength=size)
    else:
        hashes = round(math.exp(epsilon)) + 1
        keep, other = math.exp(epsilon) / (math.exp(epsilon) + hashes - 1), 1 / hashes
        seen = rng.binomial(counts, keep) + rng.binomial(n - counts, other)
    return (seen - n * other) / (keep - other)


def padded(owned: Rows, epsilon: float, sizes: Rows, rng: np.random.Generator) -> NDArray[np.float64]:
    """Estimate shares by padding and sampling; the length is learnt from other people."""
    size = owned.shape[1]
    lengths = frequency_oracle(sizes.sum(axis=1), size + 1, 1, epsilon, rng).clip(0)
    share = lengths[1:].cumsum() / max(lengths[1:].sum(), 1e-9)
    pad = int(np.argmax(share >= 0.9)) + 1
    slots = np.maximum(owned.sum(axis=1), pad)
    order = np.where(owned, rng.random(owned.shape), 2).argsort(axis=1)
    chosen = rng.integers(0, slots)
    value = np.where(
        chosen < owned.sum(axis=1),
        np.take_along_axis(order, np.minimum(chosen, size - 1)[:, None], axis=1)[:, 0],
        size + chosen % pad,
    )
    # People with more than the length lose some: corrected by the sizes that were learnt.
    beyond = np.arange(1, size + 1) - pad
    lost = (lengths[1:] * beyond.clip(0)).sum() / max((lengths[1:] * np.arange(1, size + 1)).sum(), 1e-9)
    counts = frequency_oracle(value, size, pad, epsilon, rng) * pad
    return counts / len(owned) / (1 - lost)


def svsm(truth: Rows, epsilon: float, rng: np.random.Generator) -> Supports:
    """Find frequent itemsets by SVSM (Wang, Li and Jha 2018); a person reports once, with all of epsilon."""
    n = len(truth)
    people = np.split(rng.permutation(n), [n // 15, 2 * n // 5, n // 2])
    alone = padded(truth[people[1]], epsilon, truth[people[0]], rng)
    guess = 0.9 * alone.clip(1e-6) / alone.max()
    guessed = {
        items: math.prod(guess[list(items)])
        for size in range(2, LONGEST_COMPLETED + 1)
        for items in itertools.combinations(range(truth.shape[1]), size)
    }
    candidates = sorted(guessed, key=lambda items: -guessed[items])[: 2 * TOP]
    owned = np.stack([truth[:, items].all(axis=1) for items in candidates], axis=1)
    both = padded(owned[people[3]], epsilon, owned[people[2]], rng)
    singles = {(item,): float(share) for item, share in enumerate(alone)}
    return singles | dict(zip(candidates, both.tolist(), strict=True))


def mean_and_error(values: list[float] | NDArray[np.float64]) -> str:
    """Return a mean with its standard error."""
    values = np.asarray(values)
    return f"{values.mean():.3f} ± {values.std(ddof=1) / math.sqrt(len(values)):.3f}"


def pooled_alone(kept: PairFigures) -> NDArray[np.float64]:
    """Return every pair as its shares and the pooled association predict it."""
    assert kept.pool is not None
    return borrowed_pairs._predict(kept, kept.pool.rho)[0]


def top_itemsets(path: Path, draws: int) -> Iterator[str]:
    """Compare the top itemsets of each method with the true ones."""
    for name, (draw, rows) in list(populations(path).items())[:2]:
        wanted_all = supports_of(rows, LONGEST_COMPLETED)
        wanted = top(wanted_all)
        least = 0.6 * wanted_all[wanted[-1]]
        for n, epsilon in ((2000, 2), (2000, 4), (10_000, 2), (10_000, 4)):
            rng, design = np.random.default_rng(3), design_of(rows.shape[1], epsilon)
            scores: dict[str, list[tuple[float, float]]] = {}
            for _ in range(draws):
                truth = draw(n, rng)
                cache = disguised(truth, design, rng)
                _, _, listed = find_itemsets(cache, Thresholds(support=least, max_size=LONGEST_COMPLETED))
                figures = pair_figures(cache)
                assert figures is not None
                kept = publishable_pairs(figures)
                shrunk = borrow(kept)
                assert shrunk is not None
                product = np.clip(figures.shares, 0, 1)[figures.pairs].prod(axis=1)
                every: dict[str, Supports] = {
                    "current": dict(zip(listed.itemsets, listed.estimates.value.tolist(), strict=True)),
                    "SVSM": svsm(truth, epsilon, rng),
                    "direct pairs": completed_supports(figures, figures.estimates, least),
                    "product": completed_supports(figures, product, least),
                    "pooled": completed_supports(figures, pooled_alone(kept), least),
                    "borrowed": completed_supports(figures, shrunk.value, least),
                }
                for method, found in every.items():
                    scores.setdefault(method, []).append(f1_ncr(found, wanted))
            table = {method: np.array(own) for method, own in scores.items()}
            gain = table["borrowed"][:, 0] - table["product"][:, 0]
            yield (
                f"{name}, n {n}, epsilon {epsilon}: F1 "
                + ", ".join(
                    f"{method} {mean_and_error(own[:, 0])} (NCR {own[:, 1].mean():.2f})"
                    for method, own in table.items()
                )
                + f"; borrowed less product {mean_and_error(gain)}"
            )


def errors_of_pairs(path: Path, draws: int) -> Iterator[str]:
    """Compare squared errors (times 10,000) of pairs and triples, coverage and width.

    An interval around the pooled prediction alone is what `borrow` returns where no pair has enough rows.
    """
    for name, (draw, rows) in populations(path).items():
        true = rows.T.astype(float) @ rows / len(rows)
        triples = np.array(list(itertools.combinations(range(rows.shape[1]), 3)))
        of_three = np.array([rows[:, own].all(axis=1).mean() for own in triples])
        for n, epsilon in itertools.product((2000, 10_000), (1, 2, 4)):
            rng, design = np.random.default_rng(7), design_of(rows.shape[1], epsilon)
            lines: dict[str, list[float]] = {}
            for _ in range(draws):
                cache = disguised(draw(n, rng), design, rng)
                figures = pair_figures(cache)
                assert figures is not None
                kept = publishable_pairs(figures)
                pairs = borrow(kept)
                alone = borrow(replace(kept, estimates=np.full(len(figures.pairs), np.nan)))
                assert pairs is not None
                assert alone is not None
                wanted = true[figures.pairs[:, 0], figures.pairs[:, 1]]
                product = pairs.shares[figures.pairs].prod(axis=1)
                covered = (pairs.low <= wanted) & (wanted <= pairs.high)
                ten = np.argsort(-pairs.value)[:10]
                own = replace(figures, pool=PooledCorrelation(0, 0, 0, 0))
                own_error = np.sqrt(
                    borrowed_pairs._errors_by_design(own, borrowed_pairs._inner_shares(own), product).ee
                )
                estimates = {
                    "direct": figures.estimates,
                    "clipped": np.clip(figures.estimates, 0, 1),
                    "product": product,
                    "pooled": pooled_alone(kept),
                    "borrowed": pairs.value,
                }
                for method, values in estimates.items():
                    lines.setdefault(method, []).append(1e4 * np.square(values - wanted).mean())
                table = np.zeros_like(true)
                table[tuple(figures.pairs.T)] = pairs.value
                threes = {
                    "product": pairs.shares[triples].prod(axis=1),
                    "borrowed": complete_supports(pairs.shares, table + table.T, triples),
                }
                if ASKED[epsilon] >= 3:
                    threes["direct"] = count_and_estimate(cache, design, triples).value
                for method, values in threes.items():
                    error = 1e4 * np.nanmean(np.square(values - of_three))
                    lines.setdefault(f"three items, {method}", []).append(error)
                widths, widths_alone = pairs.high - pairs.low, alone.high - alone.low
                wider = widths > widths_alone + 1e-9
                shorter = np.where(wider, (alone.low <= wanted) & (wanted <= alone.high), covered)
                intervals = {
                    "coverage": covered.mean(),
                    "of the ten largest": covered[ten].mean(),
                    "of the ten largest, if each had the shorter interval": shorter[ten].mean(),
                    "width by direct": widths.mean() / (2 * 1.959964 * own_error.mean()),
                    "width by pooled alone": widths.mean() / widths_alone.mean(),
                    "wider than pooled alone": wider.mean(),
                }
                for key, figure in intervals.items():
                    lines.setdefault(key, []).append(figure)
                lines.setdefault("shrunk", []).append(pairs.is_shrunk.mean())
            yield f"{name}, n {n}, epsilon {epsilon}: " + ", ".join(
                f"{key} {mean_and_error(own)}" for key, own in lines.items()
            )


def rare_world(low: float, high: float, rho: float, n_items: int = 18) -> tuple[World, NDArray[np.float64]]:
    """Return people of whom the model of predictions is exactly true, and the true share of each pair.

    Answers are normal variables with one correlation, below the quantiles of shares from `low` to `high`.
    """
    ends = scipy.special.ndtri(np.linspace(low, high, n_items))

    def draw(n: int, rng: np.random.Generator) -> Rows:
        own = math.sqrt(1 - rho) * rng.normal(size=(n, n_items))
        return np.asarray(math.sqrt(rho) * rng.normal(size=(n, 1)) + own < ends)

    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    given = scipy.special.ndtr((ends[:, None] - math.sqrt(rho) * nodes) / math.sqrt(1 - rho))
    return draw, (given * weights / weights.sum()) @ given.T


def two_classes(
    share: float, inside: NDArray[np.float64], outside: NDArray[np.float64]
) -> tuple[World, NDArray[np.float64]]:
    """Return people of two classes in which answers are independent, and the true share of each pair.

    Parameters
    ----------
    share : float
        Share of people in the first class.
    inside, outside : ndarray of float, shape (m,)
        Share of each answer in the first and in the second class.
    """

    def draw(n: int, rng: np.random.Generator) -> Rows:
        return np.asarray(
            rng.random((n, len(inside))) < np.where(rng.random((n, 1)) < share, inside, outside)
        )

    return draw, share * np.outer(inside, inside) + (1 - share) * np.outer(outside, outside)


def worlds_of_rare_answers() -> dict[str, tuple[World, NDArray[np.float64]]]:
    """Return worlds where the model is exactly true, a small class, and people who say yes to everything."""
    ranges, rhos = ((0.01, 0.05), (0.02, 0.1), (0.02, 0.3), (0.15, 0.5)), (0.0, 0.2, 0.5, 0.7)
    found = {
        f"shares {low} to {high}, correlation {rho}": rare_world(low, high, rho)
        for (low, high), rho in itertools.product(ranges, rhos)
    }
    order = np.random.default_rng(5).permutation(14) / 13
    found["14 acts, a class of 5%"] = two_classes(0.05, 0.2 + 0.6 * order, 0.005 + 0.055 * np.arange(14) / 13)
    yes_to_all = (
        (0.08, 0.01, 0.1),
        (0.08, 0.01, 0.4),
        (0.08, 0.15, 0.5),
        (0.04, 0.01, 0.1),
        (0.15, 0.01, 0.1),
    )
    for share, low, high in yes_to_all:
        others = np.linspace(low, high, 18)
        found[f"{share:.0%} say yes to all, others {low} to {high}"] = two_classes(share, np.ones(18), others)
    for share in (0.1, 0.3):
        found[f"equal shares {share}, correlation 0.3"] = rare_world(share, share, 0.3)
    return found


def table_world(path: Path) -> tuple[World, NDArray[np.float64]]:
    """Return the people of a table of 0 and 1 with a header, and the share of each pair."""
    rows = np.loadtxt(path, delimiter=",", skiprows=1) > 0
    true = rows.T.astype(float) @ rows / len(rows)
    return (lambda n, rng: rows[rng.integers(0, len(rows), n)]), true


def ends_from_slopes(figures: PairFigures) -> BorrowedPairs | None:
    """Predict pairs with intervals of 1.96 errors to either side, without steps and without selection."""
    with patch.multiple(
        borrowed_pairs,
        _errors_below=lambda value: np.full(len(value), normal_quantile(0.95)),
        _largest_rise=lambda shares, _errors, _rho, _rho_error: np.zeros(shares.shape[1]),
    ):
        return borrow(figures)


def narrowest(pairs: int, largest: int, coverage: float) -> float:
    """Return the least width, in plain 95% widths, of intervals that hold for the largest and for lone pairs.

    If all pairs are equal, their errors independent, and an interval ends b errors below its estimate, the
    number of estimates more than b errors too high is binomial, and these are the largest: b follows by
    enumeration. If pairs differ so much that none is selected by chance, an interval that ends t errors above
    misses at both ends: t follows from b.

    >>> [round(narrowest(153, largest, .95), 2) for largest in (10, 1)], round(narrowest(153, 10, .93), 2)
    ([1.12, 1.29], 1.05)
    """
    number = np.arange(pairs + 1)

    def missed(below: float) -> float:
        share = scipy.stats.binom.pmf(number, pairs, scipy.special.ndtr(-below))
        return float(share @ np.minimum(number, largest)) / largest

    low = float(scipy.optimize.brentq(lambda below: missed(below) - (1 - coverage), 0.5, 8))
    high = -float(scipy.special.ndtri(1 - coverage - scipy.special.ndtr(-low)))
    return (low + high) / (2 * normal_quantile(0.95))


RARE_SETTINGS = ((500, 4), (2000, 2), (2000, 4), (10_000, 2), (10_000, 4))
"""Number of people and epsilon."""


def rare_answers(path: Path | None, draws: int, seed: int) -> Iterator[str]:
    """Measure coverage and width of pairs where answers are rare, or some people say yes to everything.

    A table that is named is measured alone. Settings have a random order, so that the first ones are a random
    part of them. "Not determined" is the share of draws in which the association is. Widths are compared with
    `ends_from_slopes`, for pairs with a share that is really below 1 in 8, and for the others.
    """
    worlds = worlds_of_rare_answers() if path is None else {path.stem: table_world(path)}
    settings = list(itertools.product(worlds, RARE_SETTINGS))
    for at in np.random.default_rng(seed).permutation(len(settings)).tolist():
        name, (n, epsilon) = settings[at]
        draw, true = worlds[name]
        rng, design = np.random.default_rng([seed, at]), design_of(len(true), epsilon)
        lines: dict[str, list[float]] = {}
        for _ in range(draws):
            figures = pair_figures(disguised(draw(n, rng), design, rng))
            kept = None if figures is None else publishable_pairs(figures)
            pairs, plain = (None, None) if kept is None else (borrow(kept), ends_from_slopes(kept))
            if kept is None or pairs is None or plain is None:
                continue
            first, second = kept.items[kept.pairs].T
            wanted = true[first, second]
            covered = (pairs.low <= wanted) & (wanted <= pairs.high)
            is_rare = (pairs.shares < RARE)[kept.pairs].any(axis=1)
            is_really_rare = np.minimum(true[first, first], true[second, second]) < RARE
            rank = np.argsort(np.argsort(-pairs.value, kind="stable"), kind="stable")
            ten = rank < FIRST_READ
            groups = {
                "all": np.ones(len(wanted), dtype=bool),
                "listed": pairs.value >= LISTED,
                "ten largest": ten,
                "largest": rank == 0,
                "rare": is_rare,
                "others": ~is_rare,
            }
            for key, chosen in groups.items():
                if chosen.any():
                    lines.setdefault(key, []).append(covered[chosen].mean())
            lines.setdefault("above", []).append((wanted > pairs.high).mean())
            lines.setdefault("below, ten largest", []).append((wanted < pairs.low)[ten].mean())
            widths, plain_widths = pairs.high - pairs.low, plain.high - plain.low
            lines.setdefault("width", []).append(widths.mean())
            for key, chosen in (
                ("width by slopes, really rare", is_really_rare),
                ("width by slopes, really common", ~is_really_rare),
                ("width by slopes, really common, not among ten", ~is_really_rare & ~ten),
            ):
                if chosen.any():
                    lines.setdefault(key, []).append(widths[chosen].mean() / plain_widths[chosen].mean())
            lines.setdefault("not determined", []).append(1.0 - pairs.is_determined)
        yield f"{name}, n {n}, epsilon {epsilon}: " + ", ".join(
            f"{key} {mean_and_error(own)} ({len(own)})" for key, own in lines.items() if len(own) > 1
        )


def tests_of_three(path: Path, draws: int) -> Iterator[str]:
    """Say how often the tests reject where nothing is to be found, and from which n they find a triple.

    Where items are independent or have pairs alone, ten times as many draws as elsewhere: of 400 a share of
    .05 has an error of .011.
    """
    for name in ("independent", "pairs alone", "one factor", "two clusters"):
        for n, items in ((10_000, 18), (2000, 10)):
            rng, rejected = np.random.default_rng(11), []
            for _ in range(10 * draws if name in ("independent", "pairs alone") else draws):
                found = three_way(disguised(made_up(name, n, rng, items), design_of(items, 4), rng))
                assert found is not None
                smallest = min((p for _, p in found.tested.values()), default=1.0)
                rejected.append((found.p_value < 0.05, smallest < 0.05))
            mean, single = np.array(rejected, dtype=float).T
            yield f"{name}, n {n}, {items} items: mean {mean_and_error(mean)}, Holm {mean_and_error(single)}"
    for asked in (250, 500, 1000, 2000, 4000):
        # Of 10 questions 5 each: a triple is asked of one person in twelve.
        rng, detected = np.random.default_rng(13), []
        for _ in range(draws):
            truth = made_up("one strong triple", 12 * asked, rng, 10)
            found = three_way(disguised(truth, design_of(10, 4), rng))
            assert found is not None
            detected.append(found.tested[(0, 1, 2)][1] < 0.05)
        yield f"strong triple asked of {asked}: found {mean_and_error(np.array(detected, dtype=float))}"


def rare_tests_of_three(_path: Path | None, draws: int, seed: int) -> Iterator[str]:
    """Say how often the mean test rejects where items are independent and rare; few surveys have a test."""
    for at, ((low, high), (n, items)) in enumerate(
        itertools.product(((0.02, 0.1), (0.05, 0.2), (0.1, 0.3)), ((10_000, 10), (2000, 18)))
    ):
        rng, rejected, shares = np.random.default_rng([seed, at]), [], np.linspace(low, high, items)
        for _ in range(5 * draws):
            found = three_way(disguised(rng.random((n, items)) < shares, design_of(items, 4), rng))
            if found is not None and not math.isnan(found.p_value):
                rejected.append(found.p_value < 0.05)
        size = mean_and_error(np.array(rejected, dtype=float)) if len(rejected) > 1 else "none"
        yield (
            f"independent, shares {low} to {high}, n {n}, {items} items: tested in {len(rejected)} of "
            f"{5 * draws}, mean {size}"
        )


def cost(path: Path, draws: int) -> Iterator[str]:
    """Time all pairs and the best candidates of 60 items."""
    rng = np.random.default_rng(1)
    cache = disguised(made_up("one factor", 10_000, rng, 60), design_of(60, 4), rng)
    pair_figures(cache)
    started = time.process_time()
    found = borrowed_itemsets(cache, least=0.05, size=3)
    yield f"60 items, {len(found)} itemsets: {time.process_time() - started:.2f} s"


OF_DATA = {"f1": top_itemsets, "pairs": errors_of_pairs, "three": tests_of_three, "time": cost}
"""Parts that need a table, with fixed seeds."""
OF_SEED = {"rare": rare_answers, "rare-three": rare_tests_of_three}
"""Parts that need none, with a seed of your choice."""


def main() -> None:
    """Print the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="needed by all parts except " + " and ".join(OF_SEED))
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1, help="of " + " and ".join(OF_SEED))
    parser.add_argument("--part", choices=[*OF_DATA, *OF_SEED])
    options = parser.parse_args()
    if options.data is None and options.part not in OF_SEED:
        parser.error("name a table with --data")
    found = [
        part(options.data, options.draws) for name, part in OF_DATA.items() if options.part in (None, name)
    ]
    found += [
        part(options.data, options.draws, options.seed)
        for name, part in OF_SEED.items()
        if options.part in (None, name)
    ]
    for line in itertools.chain.from_iterable(found):
        print(line, flush=True)


if __name__ == "__main__":
    main()
