"""Facts that the papers report, and findings about them, as statements that come out or not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from django.utils.translation import gettext as _

from trials.pages.paper import Fact, Parameters, Row, Tables

__all__ = ["LEAST_VALUES", "Point", "grouping_facts", "location_facts", "release_facts"]

LEAST_VALUES: Final = 3
"""L of the source's algorithm."""

_AS_LARGE_AS_ADULT: Final = 30_000
_ALGORITHMS: Final = ("bottom-up", "ilp", "kacluk")
_MOST_STANDARD_ERRORS: Final = 6.0
"""Of 42 points with at least ten repetitions one is as far off by chance once in a hundred runs."""
_EQUAL: Final = 4.0
"""So many standard errors of a difference lie between two of 40 equal points once in a hundred runs."""


def grouping_facts(tables: Tables, _parameters: Parameters) -> tuple[Fact, ...]:
    """Judge what Kan and Cao report of the error W, and what they do not report."""
    by_p, by_k = _by_reading(tables["sweep-p"]), _by_reading(tables["sweep-k"])
    points = [row for name in ("sweep-p", "sweep-k") for row in tables[name] if row["error_se"]]
    furthest = max(abs(row["error"] - row["expected"]) / row["error_se"] for row in points)
    leaks = {row["p"]: row["recognised"] for row in tables["leak"]}
    largest = max(row["n"] for row in tables["mechanisms"])
    compared = {
        row["mechanism"]: row["error"]
        for row in tables["mechanisms"]
        if row["n"] == largest and row["size"] == 3
    }
    whole, blocks, bits = (compared[name] for name in ("gamma-diagonal", "unrelated", "mask"))
    return (
        Fact(
            name=_("the error falls as p rises (figure 1), in both readings of k"),
            holds=all(_falls(rows) for rows in by_p.values()),
            figure=_ends(by_p["direct"], "p"),
        ),
        Fact(
            name=_("the error is close to 0 where p is close to 1"),
            holds=all(abs(rows[-1]["error"]) < 1e-9 for rows in by_p.values()),
            figure=f"p = 1: {by_p['direct'][-1]['error']:.2g}",
        ),
        Fact(
            name=_("the older grouping model gives rows away with certainty"),
            holds=all(share > 0 for p, share in leaks.items() if p > 0),
            figure=", ".join(f"p = {p:g}: {100 * leaks[p]:.1f} %" for p in (0.3, 0.7)),
        ),
        Fact(
            name=_(
                "not in the source: the error falls with k as equations read it, and rises as section 4 does"
            ),
            holds=_falls(by_k["direct"]) and _falls(by_k["disguised"][::-1]),
            figure=f"{_ends(by_k['direct'], 'k')}; {_ends(by_k['disguised'], 'k')}",
        ),
        Fact(
            name=_("not in the source: its formulas give the error (furthest point, in standard errors)"),
            holds=furthest <= _MOST_STANDARD_ERRORS,
            figure=f"{furthest:.1f}",
        ),
        Fact(
            name=_(
                "not in the source: at equal privacy one coin for the row errs less than one for each answer"
            ),
            holds=whole < blocks < bits,
            figure=f"n = {largest:,}: {whole:.2g} < {blocks:.2g} < {bits:.2g}",
        ),
    )


def _by_reading(rows: Sequence[Row]) -> dict[str, list[Row]]:
    known = [row for row in rows if not row["problem"]]
    return {reading: list(own) for reading, own in groupby(known, key=lambda row: str(row["reading"]))}


def _falls(rows: Sequence[Row]) -> bool:
    """Whether no error is above the one before, by more than chance gives two that are equal."""
    return all(
        after["error"] - before["error"]
        <= _EQUAL * math.hypot(before["error_se"] or 0.0, after["error_se"] or 0.0) + 1e-12
        for before, after in pairwise(rows)
    )


def _ends(rows: Sequence[Row], name: str) -> str:
    return " → ".join(f"{name} = {row[name]:g}: {row['error']:.2g}" for row in (rows[0], rows[-1]))


def location_facts(tables: Tables, _parameters: Parameters) -> tuple[Fact, ...]:
    """Judge what Feng and Zhu report of the square mechanism and its utility-optimised form."""
    widths = [row["width"] for row in tables["width"]]
    centre, corners, scattered = (
        [row for name, rows in tables.items() if name.startswith(kind) for row in rows]
        for kind in ("central-", "corners-", "random-")
    )
    even = tables["central-uniform"]
    return (
        Fact(
            name=_("the best width falls as the privacy budget grows (figure 2)"),
            holds=all(later < earlier for earlier, later in pairwise(widths)),
            figure=f"ε = 1: {widths[0]:.0f} m → ε = 20: {widths[-1]:.0f} m",
        ),
        _smaller(
            _("a region in the centre: the utility-optimised form errs less (figures 3 and 4)"),
            centre, "utility_square", "square",
        ),
        _smaller(
            _("a region in a corner: the utility-optimised form errs less (figure 5)"),
            corners, "utility_square", "square",
        ),
        _smaller(
            _("2, 4 and 6 regions at random: the utility-optimised form errs less (figure 6)"),
            scattered, "utility_square", "square",
        ),
        _smaller(
            _("it errs less than the planar Laplace mechanism"), centre, "utility_square", "planar_laplace"
        ),
        _smaller(
            _("not in the source: even places, over all ε, the response on tiles errs less than the square"),
            even, "grid", "square", on_average=True,
        ),
        _smaller(
            _("not in the source: a width of its own makes the utility-optimised form better"),
            even, "utility_square_own_width", "utility_square", on_average=True,
        ),
    )  # fmt: skip


def _smaller(name: str, rows: Sequence[Row], less: str, more: str, *, on_average: bool = False) -> Fact:
    """Compare the errors of two mechanisms where all else is equal, at each point or on average."""
    errors: dict[str, list[float]] = {less: [], more: []}
    for row in rows:
        if row["mechanism"] in errors:
            errors[row["mechanism"]].append(row["error"])
    ratios = [low / high for low, high in zip(errors[less], errors[more], strict=True)]
    judged = sum(ratios) / len(ratios) if on_average else max(ratios)
    return Fact(name=name, holds=judged < 1, figure=f"× {min(ratios):.2f} – {max(ratios):.2f}")


@dataclass(frozen=True, kw_only=True)
class Point:
    """One algorithm at one k.

    Parameters
    ----------
    algorithm : str
        ``bottom-up``, ``ilp``, ``ilp after L`` or ``kacluk``.
    k : int
        Asked for; the ILP-based algorithm uses max(k, L).
    seconds, ilp, discernibility, one_value_share, changed_share, information_bits
        As the source's figures, and I(S; class) beside them.
    first_round_pairs : int
        Pair evaluations of a plain scan in the first round: the share of work that clustering saves, by count
        and not by clock.
    odd_classes : int
        Classes of another size than 2^ceil(log2 k), with max(k, L) for k where the algorithm uses it.
    clusters : int
        Parts of the table that are matched each by itself.
    """

    algorithm: str
    k: int
    ilp: float
    discernibility: int
    one_value_share: float
    changed_share: float
    information_bits: float
    first_round_pairs: int
    odd_classes: int
    clusters: int
    seconds: float


Points = Mapping[tuple[str, int], Point]
"""By algorithm and k."""


def release_facts(tables: Tables, parameters: Parameters) -> tuple[Fact, ...]:
    """Judge what Zhu et al. report, as far as it can be checked, and what they do not report."""
    points = [Point(**row) for row in tables["points"]]
    at = {(point.algorithm, point.k): point for point in points}
    sizes = sorted({point.k for point in points})
    comparable = [k for k in sizes if k >= LEAST_VALUES]
    return (
        _loss(at, comparable),
        *_discernibility(at, comparable, parameters["rows"]),
        *_diversity(at, sizes),
        _work(at, sizes[-1]),
        _information(at, comparable),
    )


def _loss(at: Points, sizes: Sequence[int]) -> Fact:
    ilp = {k: [at[name, k].ilp for name in _ALGORITHMS] for k in sizes}
    return Fact(
        name=_("information loss: bottom-up < ILP-based < KACLUK at every comparable k"),
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
        name=_(
            "discernibility: classes of one size, but for at most ceil(log2 k) a cluster (how many; how far "
            "the penalties lie apart)"
        ),
        holds=all(
            at[name, k].odd_classes <= at[name, k].clusters * (k - 1).bit_length()
            for name in _ALGORITHMS
            for k in sizes
        ),
        figure=", ".join(
            f"k={k}: {' / '.join(str(at[name, k].odd_classes) for name in _ALGORITHMS)} "
            f"({100 * spread[k]:.3f} %)"
            for k in sizes
        ),
    )
    if n >= _AS_LARGE_AS_ADULT:
        yield Fact(
            name=_("discernibility equal within 1 part in 200 at the same class size"),
            holds=all(share <= 0.005 for share in spread.values()),
            figure=", ".join(f"k={k}: {100 * share:.3f} %" for k, share in spread.items()),
        )


def _diversity(at: Points, sizes: Sequence[int]) -> Iterator[Fact]:
    large = [k for k in sizes if k >= 20]
    yield Fact(
        name=_("fewer than 1 class in 200 with one value, from k = 20 on"),
        holds=all(at[name, k].one_value_share < 0.005 for name in _ALGORITHMS for k in large),
        figure=", ".join(f"k={k}: {100 * at['ilp', k].one_value_share:.3f} %" for k in large),
    )
    yield Fact(
        name=_("no class with one value after the L step"),
        holds=all(at["ilp after L", k].one_value_share == 0 for k in sizes),
        figure=", ".join(f"k={k}: {at['ilp after L', k].one_value_share}" for k in sizes),
    )
    changed = [at["ilp after L", k].changed_share for k in sizes]
    yield Fact(
        name=_("the share of changed records falls with k"),
        holds=all(later <= earlier for earlier, later in pairwise(changed)),
        figure=", ".join(f"{100 * share:.2f} %" for share in changed),
    )


def _work(at: Points, k: int) -> Fact:
    pairs = at["ilp", k].first_round_pairs / at["bottom-up", k].first_round_pairs
    return Fact(
        name=_("clustering saves pair evaluations in the first round"), holds=pairs < 1, figure=f"{pairs:.3f}"
    )


def _information(at: Points, sizes: Sequence[int]) -> Fact:
    bits = {k: (at["ilp", k].information_bits, at["bottom-up", k].information_bits) for k in sizes}
    return Fact(
        name=_("not in the source: ILP-based classes tell more about the sensitive value (bits)"),
        holds=all(clustered > merged for clustered, merged in bits.values()),
        figure=", ".join(f"k={k}: {plain:.2f} > {two:.2f}" for k, (plain, two) in bits.items()),
    )
