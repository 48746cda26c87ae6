"""Compare the precision of the estimators with each other and with the Cramer-Rao bound, over a grid.

Run ``python -m benchmarks.estimators``; ``--repetitions`` sets the samples per point (default 400).
"""

from __future__ import annotations

import argparse
import math
from itertools import product

import numpy as np
import scipy

from benchmarks.machine import machine
from benchmarks.simulation import study_design
from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimates import estimate

N = 4_000


def combined(direct: int, yes: tuple[int, int], p: float, theta: float) -> float:
    """Return the maximum likelihood estimate of the share from both groups."""
    n = direct, N - direct

    def loss(share: float) -> float:
        probabilities = share, p * share + (1 - p) * theta
        return -sum(
            scipy.special.xlogy(count, probability) + scipy.special.xlog1py(rows - count, -probability)
            for rows, count, probability in zip(n, yes, probabilities, strict=True)
        )

    best = scipy.optimize.minimize_scalar(loss, bounds=(0, 1), method="bounded", options={"xatol": 1e-9})
    return float(best.x)


def rmse(
    share: float, k: float, p: float, theta: float, repetitions: int, rng: np.random.Generator
) -> list[float]:
    """Return root mean square errors of pooled, stratified and combined, and the Cramer-Rao bound."""
    design = study_design([1], truth_probability=round(10_000 * p), unrelated=round(10_000 * theta))
    shown = p * share + (1 - p) * theta
    errors = []
    for _ in range(repetitions):
        direct = int(rng.binomial(N, k))
        yes = int(rng.binomial(direct, share)), int(rng.binomial(N - direct, shown))
        counts = SupportCounts({(): (direct, N - direct), (0,): yes})
        pooled = estimate(counts, (0,), design, estimator="pooled").value
        stratified = estimate(counts, (0,), design).value
        errors.append((pooled - share, stratified - share, combined(direct, yes, p, theta) - share))
    information = N * (k / (share * (1 - share)) + (1 - k) * p**2 / (shown * (1 - shown)))
    return [*np.sqrt((np.array(errors) ** 2).mean(axis=0)).tolist(), 1 / math.sqrt(information)]


def main() -> None:
    """Print the grid as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print(f"{machine()}; n = {N:,}, {options.repetitions} repetitions, seed {options.seed}; one item")
    print("RMSE relative to pooled; combined also relative to the Cramer-Rao bound")
    print("| P | k | p | theta | pooled RMSE | stratified | combined | combined/bound |")
    print("|---|---|---|---|---|---|---|---|")
    for share, k, p, theta in product((0.1, 0.3), (0.1, 0.2, 0.5), (0.3, 0.6), (0.3, 0.6)):
        pooled, stratified, most_likely, bound = rmse(share, k, p, theta, options.repetitions, rng)
        print(
            f"| {share} | {k} | {p} | {theta} | {pooled:.4f} | {stratified / pooled:.2f} | "
            f"{most_likely / pooled:.2f} | {most_likely / bound:.2f} |"
        )


if __name__ == "__main__":
    main()
