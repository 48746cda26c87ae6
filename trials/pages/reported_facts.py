"""Reported facts of Zhu et al. 2010, as statements that are reproduced or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from trials.pages.reproduction import LEAST_VALUES, Point

__all__ = ["Fact", "facts"]


_AS_LARGE_AS_ADULT: Final = 30_000


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A statement of the source (or our finding about it) and whether it came out."""

    name: str
    holds: bool
    figure: str


_ALGORITHMS: Final = ("bottom-up", "ilp", "kacluk")

Points = Mapping[tuple[str, int], Point]
"""By algorithm and k."""


def facts(points: Sequence[Point], n: int) -> tuple[Fact, ...]:
    """Judge what the source reports, as far as it can be checked, and what it does not report."""
    at = {(point.algorithm, point.k): point for point in points}
    sizes = sorted({point.k for point in points})
    comparable = [k for k in sizes if k >= LEAST_VALUES]
    return (
        _loss(at, comparable),
        *_discernibility(at, comparable, n),
        *_diversity(at, sizes),
        _work(at, sizes[-1]),
        _information(at, comparable),
    )


def _loss(at: Points, sizes: Sequence[int]) -> Fact:
    ilp = {k: [at[name, k].ilp for name in _ALGORITHMS] for k in sizes}
    return Fact(
        name="ILP: bottom-up < ILP-based < KACLUK at every comparable k",
        holds=all(least < middle < most for least, middle, most in ilp.values()),
        figure=", ".join(f"k={k}: " + " < ".join(f"{value:.1f}" for value in ilp[k]) for k in sizes),
    )


def _discernibility(at: Points, sizes: Sequence[int], n: int) -> Iterator[Fact]:
    """Judge discernibility, the sum of the squared class sizes.

    It is the same for all as far as all classes have one size, 2^ceil(log2 k). A round joins each odd class
    to another and leaves at most one class over, so it adds at most one odd class to a cluster: after
    ceil(log2 k) rounds no cluster has more odd classes than that, and what follows never adds one. This holds
    at every n and is judged at every n. That the penalties then differ by less than 0.5 % is a statement
    about a table as large as Adult, and judged only there.
    """
    spread = {}
    for k in sizes:
        penalties = [at[name, k].discernibility for name in _ALGORITHMS]
        spread[k] = max(penalties) / min(penalties) - 1
    yield Fact(
        name="discernibility: classes of one size, but for at most ceil(log2 k) a cluster",
        holds=all(
            at[name, k].odd_classes <= at[name, k].clusters * (k - 1).bit_length()
            for name in _ALGORITHMS
            for k in sizes
        ),
        figure=", ".join(
            f"k={k}: {', '.join(str(at[name, k].odd_classes) for name in _ALGORITHMS)} odd, "
            f"penalties {100 * spread[k]:.3f} % apart"
            for k in sizes
        ),
    )
    if n >= _AS_LARGE_AS_ADULT:
        yield Fact(
            name="discernibility equal within 0.5 % at the same class size",
            holds=all(share <= 0.005 for share in spread.values()),
            figure=", ".join(f"k={k}: {100 * share:.3f} %" for k, share in spread.items()),
        )


def _diversity(at: Points, sizes: Sequence[int]) -> Iterator[Fact]:
    large = [k for k in sizes if k >= 20]
    yield Fact(
        name="one-value classes below 0.5 % from k = 20 on",
        holds=all(at[name, k].one_value_share < 0.005 for name in _ALGORITHMS for k in large),
        figure=", ".join(f"k={k}: {100 * at['ilp', k].one_value_share:.3f} %" for k in large),
    )
    yield Fact(
        name="no one-value class after the L step",
        holds=all(at["ilp after L", k].one_value_share == 0 for k in sizes),
        figure=", ".join(f"k={k}: {at['ilp after L', k].one_value_share}" for k in sizes),
    )
    changed = [at["ilp after L", k].changed_share for k in sizes]
    yield Fact(
        name="the share of changed records falls with k",
        holds=all(later <= earlier for earlier, later in pairwise(changed)),
        figure=", ".join(f"{100 * share:.2f} %" for share in changed),
    )


def _work(at: Points, k: int) -> Fact:
    pairs = at["ilp", k].first_round_pairs / at["bottom-up", k].first_round_pairs
    return Fact(
        name="clustering saves pair evaluations in the first round", holds=pairs < 1, figure=f"{pairs:.3f}"
    )


def _information(at: Points, sizes: Sequence[int]) -> Fact:
    bits = {k: (at["ilp", k].information_bits, at["bottom-up", k].information_bits) for k in sizes}
    return Fact(
        name="not in the source: ILP-based classes tell more about the sensitive value (bits)",
        holds=all(clustered > merged for clustered, merged in bits.values()),
        figure=", ".join(f"k={k}: {plain:.2f} against {two:.2f}" for k, (plain, two) in bits.items()),
    )
