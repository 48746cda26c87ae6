"""Association rules from disguised answers: the experiment of Kan and Cao.

Kan Yingying and Cao Tianjie, "Privacy-preserving algorithm based on grouping unrelated-question model". Each
respondent belongs to one of two groups. The direct group, a share k of all, sends true answers. Everyone else
sends the true row with probability p; otherwise, they send "yes" to each question with probability theta. No
single row proves anything, yet the supports of all itemsets can be estimated, and association rules found.

The paper measures the error W = |S - S'| of the supports of frequent itemsets, for 10,000 rows with 3
attributes (section 4, figure 1). This script repeats this by p (k = .2) and by k (p = .3), with theta = .6.
The paper does not state how frequent its attributes are or the minimum support; `PREVALENCES` and
`LEAST_SUPPORT` are our choices. It also uses k in two ways: k is the direct share in its equations 3 to 16,
and the disguised share in its section 4. The script plots both readings.

From the root of a checkout:

    .venv/bin/python -m examples.grouping --seed 5 --out figures

It writes error-by-p.svg, error-by-k.svg and errors.csv. It prints how many rows the older grouping model
(section 2) reveals, and rules found in disguised rows.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import sottovoce
from benchmarks.curves import Series, curves_svg
from mining.mlxtend_search import frequent_itemsets
from privacy.arrays import Array, Flags

PREVALENCES = (0.3, 0.4, 0.5)
DEPENDENCE = 0.3
LEAST_SUPPORT = 0.1
THETA = 0.6
STEPS = tuple(step / 10 for step in range(11))
P_FIXED, K_FIXED = 0.3, 0.2
READINGS = ("direct", "disguised")


def draw_truth(n: int, rng: np.random.Generator) -> Flags:
    """Draw true answers, with one row per respondent and one column per attribute (section 4, step 1)."""
    together = rng.random(n) < DEPENDENCE
    uniform = rng.random((n, len(PREVALENCES)))
    # One random number determines all attributes of these rows, which makes them dependent.
    uniform[together] = rng.random((int(together.sum()), 1))
    return np.less(uniform, PREVALENCES)


def disguise(truth: Flags, direct: Flags, p: float, rng: np.random.Generator) -> Flags:
    """Disguise the rows outside the direct group by the improved model (section 3).

    Each row has one coin: with probability p, the whole row stays true. Otherwise, every question gets an
    independent random answer.
    """
    stays_true = direct | (rng.random(len(truth)) < p)
    random_answers = rng.random(truth.shape) < THETA
    return np.where(stays_true[:, None], truth, random_answers)


def disguise_by_old_model(truth: Flags, p: float, rng: np.random.Generator) -> Flags:
    """Disguise all rows by the older model (section 2): a random row is all "yes" or all "no"."""
    stays_true = rng.random(len(truth)) < p
    same_answer = rng.random(len(truth)) < THETA
    return np.where(stays_true[:, None], truth, same_answer[:, None])


def share_given_away(truth: Flags, p: float, rng: np.random.Generator) -> float:
    """Return the share of rows that the older model reveals.

    A row with both "yes" and "no" cannot be a random one, so it must be true.
    """
    sent = disguise_by_old_model(truth, p, rng)
    return float((sent.any(axis=1) & ~sent.all(axis=1)).mean())


def estimated_support(observed: float, size: int, p: float, k: float) -> float:
    """Estimate a true support from the observed one (equation 14).

    Parameters
    ----------
    observed : float
        Share of sent rows that contain the itemset, P*(E).
    size : int
        Number of items in the itemset.
    p, k : float
        Retention probability, and share of rows in the direct group.
    """
    chance_of_random = (1 - k) * (1 - p) * THETA**size
    return (observed - chance_of_random) / (k + (1 - k) * p)


def expected_error(support: float, size: int, p: float, k: float, n: int) -> float:
    """Return the expectation of W for one itemset; the paper does not have this formula.

    The estimate is approximately normal with variance v, so |S - S'| has mean sqrt(2 v / pi). The variance
    comes from the random answers of people with and without the itemset, and from the assignment to groups.
    """
    q = THETA**size
    with_itemset, without = p + (1 - p) * q, (1 - p) * q
    noise = support * with_itemset * (1 - with_itemset) + (1 - support) * without * (1 - without)
    grouping = k * (1 - k) * (1 - p) ** 2 * support * (1 - support)
    variance = ((1 - k) * noise + grouping) / (n * (k + (1 - k) * p) ** 2)
    return math.sqrt(2 * variance / math.pi)


@dataclass(frozen=True, kw_only=True)
class Point:
    """The mean error W at one p and k, its standard error, and what `expected_error` predicts."""

    along: str
    reading: str
    p: float
    k: float
    error: float
    standard_error: float
    expected: float


def one_error(n: int, p: float, direct_share: float, rng: np.random.Generator) -> tuple[float, float]:
    """Draw, disguise and estimate once; return the mean W of frequent itemsets, and its prediction."""
    truth = draw_truth(n, rng)
    direct = rng.random(n) < direct_share
    sent = disguise(truth, direct, p, rng)
    k = float(direct.mean())
    errors, expected = [], []
    for items, support in frequent_itemsets(truth, support=LEAST_SUPPORT, max_size=3).items():
        observed = float(sent[:, items].all(axis=1).mean())
        errors.append(abs(support - estimated_support(observed, len(items), p, k)))
        expected.append(expected_error(support, len(items), p, direct_share, n))
    return float(np.mean(errors)), float(np.mean(expected))


def sweep(along: str, reading: str, n: int, repetitions: int, rng: np.random.Generator) -> list[Point]:
    """Measure W at p = 0, .1, ..., 1 (k fixed) or at k = 0, .1, ..., 1 (p fixed).

    No point has both p = 0 and an empty direct group, where nothing could be estimated.
    """
    points = []
    for step in STEPS:
        p, k = (step, K_FIXED) if along == "p" else (P_FIXED, step)
        direct_share = k if reading == "direct" else 1 - k
        drawn = np.array([one_error(n, p, direct_share, rng) for _ in range(repetitions)])
        errors = drawn[:, 0]
        points.append(
            Point(
                along=along,
                reading=reading,
                p=p,
                k=k,
                error=float(errors.mean()),
                standard_error=float(errors.std(ddof=1) / math.sqrt(repetitions)),
                expected=float(drawn[:, 1].mean()),
            )
        )
    return points


def figure(points: Sequence[Point], along: str) -> str:
    """Plot W by p (figure 1 of the paper) or by k, with marks for measured and lines for expected values."""
    names = {"direct": "k is the direct share", "disguised": "k is the disguised share"}
    fixed = f"k = {K_FIXED}" if along == "p" else f"p = {P_FIXED}"
    series = []
    for reading in READINGS:
        own = [point for point in points if (point.along, point.reading) == (along, reading)]
        series.append(
            Series(
                label=names[reading],
                x=[getattr(point, along) for point in own],
                y=[point.error for point in own],
                errors=[1.96 * point.standard_error for point in own],
                expected=[point.expected for point in own],
            )
        )
    return curves_svg(
        series,
        title=f"Error of the supports by {along}: {fixed}, theta = {THETA}; lines: formula",
        x_label="retention probability p" if along == "p" else "share k",
        y_label="mean error W of a support, with 95% intervals",
    )


def rules_of_disguised_rows(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Find association rules with the library: the same model, with intervals and tests."""
    truth = draw_truth(n, rng)
    direct = rng.random(n) < K_FIXED
    sent = disguise(truth, direct, P_FIXED, rng)
    table = pd.DataFrame(sent.astype(int), columns=["A", "B", "C"])
    table["group"] = np.where(direct, "direct", "protected")
    survey = sottovoce.Survey(blocks={"attributes": ["A", "B", "C"]}, p=P_FIXED, theta=THETA, direct=True)
    return survey.on(table).rules(min=LEAST_SUPPORT, size=2)


def rows_given_away(n: int, rng: np.random.Generator) -> Array:
    """Return pairs of p and the share of rows that the older model reveals."""
    truth = draw_truth(n, rng)
    return np.array([(p, share_given_away(truth, p, rng)) for p in STEPS])


def main(argv: Sequence[str] | None = None) -> None:
    """Run the experiment, write figures and table, and print the other results."""
    parser = argparse.ArgumentParser(description="Repeat the experiment of Kan and Cao.")
    parser.add_argument("--seed", type=int, default=5, help="the same seed gives the same figures")
    parser.add_argument("--rows", type=int, default=10_000, help="respondents (default: 10000)")
    parser.add_argument("--repetitions", type=int, default=20, help="surveys per point (default: 20)")
    parser.add_argument("--out", type=Path, default=Path("figures"), help="folder (default: figures)")
    options = parser.parse_args(argv)
    rng = np.random.default_rng(options.seed)
    points = [
        point
        for along in ("p", "k")
        for reading in READINGS
        for point in sweep(along, reading, options.rows, options.repetitions, rng)
    ]
    options.out.mkdir(parents=True, exist_ok=True)
    for along in ("p", "k"):
        (options.out / f"error-by-{along}.svg").write_text(figure(points, along) + "\n", encoding="utf-8")
    with (options.out / "errors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, asdict(points[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(point) for point in points)
    print("Rows that the older grouping model reveals with certainty:")
    for p, share in rows_given_away(options.rows, rng):
        print(f"  p = {p:.1f}: {share:.1%}")
    print(f"Rules in disguised rows, p = {P_FIXED}, k = {K_FIXED}:")
    rules = rules_of_disguised_rows(options.rows, rng)
    print(rules[["support", "confidence", "lift", "lift_low", "lift_high", "adjusted"]].round(3).to_string())


if __name__ == "__main__":
    main()
