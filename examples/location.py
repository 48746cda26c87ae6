"""Disguise places in sensitive regions only: the experiment of Feng and Zhu.

Feng Ligang and Zhu Youwen, "The utility-optimised square mechanism". The square mechanism (SM) sends a point
of a square window around the true place with high probability, and otherwise any point of the map. The
utility-optimised form (USM) only protects sensitive regions. A place inside a region gets a window inside
that region. A place outside is sent unchanged, unless it is replaced by a sensitive point.

The paper compares their mean square errors on real maps that are not public. This script repeats figures 2
(best window by epsilon), 3 and 4 (one central region), 5 (a region in each corner) and 6 (random regions)
with places in three clusters. Figure 1, the windows, comes from the library, for two levels of sensitivity.

From the root of a checkout:

    .venv/bin/python -m examples.location --seed 8 --out figures

It writes windows.svg, width.svg, centre.svg, corners.svg, random.svg and location.csv.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from benchmarks.curves import Series, curves_svg, on_paper
from privacy.arrays import Array
from privacy.scales.area import Area
from privacy.scales.planar_mechanisms import build_levels
from privacy.scales.planar_rectangles import Rectangle
from surveys.formats import svg

HALF = 1000.0  # half the side of the map in metres: d1 and d2 in the paper
CLUSTERS = np.array([(-450, -350, 160), (350, 150, 220), (-100, 600, 120)])  # centre, standard deviation
BUDGET = "privacy budget epsilon"

Part = tuple[float, float, float, float]
"""A sensitive rectangle: its centre (m1, m2) and half sides (a1, a2)."""

WHOLE_MAP: tuple[Part, ...] = ((0, 0, HALF, HALF),)
CENTRE: dict[str, tuple[Part, ...]] = {"centre": ((0, 0, HALF / 2, HALF / 2),)}
CORNERS: dict[str, tuple[Part, ...]] = {
    f"{name} corner": ((x * HALF / 2, y * HALF / 2, HALF / 2, HALF / 2),)
    for name, x, y in (("SW", -1, -1), ("NW", -1, 1), ("SE", 1, -1), ("NE", 1, 1))
}

TITLES = {
    "centre": "Figures 3 and 4: one central region",
    "corners": "Figure 5: a region in one corner",
    "random": "Figure 6: random regions",
}


@dataclass(frozen=True, kw_only=True)
class Plane:
    """USM on a map [-d1, d1] x [-d2, d2] with sensitive rectangles; with one that fills the map, it is SM.

    Let A be the sensitive area. From any place, every point of A is sent with density `alpha`. In addition,
    with probability `beta`, a sensitive place sends a point of its window of side w, and any other place is
    sent unchanged.
    """

    parts: tuple[Part, ...]
    epsilon: float
    half_sides: tuple[float, float] = (HALF, HALF)

    @property
    def growth(self) -> float:
        """E = e^epsilon - 1."""
        return math.expm1(self.epsilon)

    @property
    def sensitive_area(self) -> float:
        """S_A, the size of the sensitive area."""
        return sum(4 * a1 * a2 for _, _, a1, a2 in self.parts)

    @property
    def widest(self) -> float:
        """Side of the largest window that fits into every part."""
        return 2.0 * min(min(part[2:]) for part in self.parts)

    def alpha(self, width: float) -> float:
        """Return the density of each sensitive point (equations 3, 9 and 10)."""
        return 1 / (self.growth * width**2 + self.sensitive_area)

    def beta(self, width: float) -> float:
        """Return the probability of sending a point of the window, or the place itself."""
        return self.growth * width**2 * self.alpha(width)

    def errors_at(self, points: Array, width: float) -> Array:
        """Return the mean square error of each place in `points`, shape (n, 2) (equations 5, 12 and 13)."""
        far, near, outside = np.zeros(len(points)), np.zeros(len(points)), np.ones(len(points), dtype=bool)
        for m1, m2, a1, a2 in self.parts:
            off, half_sides = np.abs(points - (m1, m2)), np.array([a1, a2])
            far += 4 * a1 * a2 * ((a1**2 + a2**2) / 3 + (off**2).sum(axis=1))
            inside = outside & (off <= half_sides).all(axis=1)
            outside &= ~inside
            # Near the edge of a part, the centre of the window is moved inwards (equations 2 and 8).
            pushed = np.maximum(off - (half_sides - width / 2), 0)
            near += inside * (width**2 / 6 + (pushed**2).sum(axis=1))
        return np.asarray(self.alpha(width) * (far + self.growth * width**2 * near))

    def moments(self) -> tuple[float, float, float]:
        """Return the probability that a uniform place is sensitive, and two sums for `uniform_error`."""
        d1, d2 = self.half_sides
        share = self.sensitive_area / (4 * d1 * d2)
        far = edge = 0.0
        for m1, m2, a1, a2 in self.parts:
            far += 4 * a1 * a2 * ((d1**2 + d2**2 + a1**2 + a2**2) / 3 + m1**2 + m2**2)
            edge += 4 * a1 * a2 / (4 * d1 * d2) * (1 / a1 + 1 / a2) / 24
        return share, far, edge

    def uniform_error(self, width: float) -> float:
        """Return the mean square error of a place that is uniform on the map (equation 6)."""
        share, far, edge = self.moments()
        near = self.growth * (share * width**4 / 6 + edge * width**5)
        return (far + near) * self.alpha(width)


def best_width(plane: Plane) -> float:
    """Return the side w that minimises `uniform_error`, at most `widest` (equation 7).

    The paper searches for it with COBYLA. Here it is the root of a polynomial with the derivative's sign. All
    coefficients except the constant are positive, so there is one positive root.
    """
    growth, area = plane.growth, plane.sensitive_area
    share, far, edge = plane.moments()
    slope = np.polynomial.Polynomial(
        [-2 * far, 0, 2 / 3 * share * area, 5 * area * edge, growth * share / 3, 3 * growth * edge]
    )
    if slope(plane.widest) <= 0:
        return plane.widest
    return float(brentq(slope, 0.0, plane.widest, xtol=1e-12 * plane.widest, rtol=1e-14))


def clustered_places(n: int, rng: np.random.Generator) -> Array:
    """Draw n places, in metres from the centre of the map."""
    clusters = CLUSTERS[rng.integers(len(CLUSTERS), size=n)]
    places = clusters[:, :2] + rng.normal(size=(n, 2)) * clusters[:, 2:]
    return np.asarray(np.clip(places, -HALF, HALF))


def random_regions(count: int, rng: np.random.Generator) -> tuple[Part, ...]:
    """Draw squares that do not overlap, with an eighth of the map's side."""
    half, regions = HALF / 8, list[Part]()
    while len(regions) < count:
        x, y = rng.uniform(-HALF + half, HALF - half, 2).tolist()
        if all(max(abs(x - m1), abs(y - m2)) >= 2 * half for m1, m2, _, _ in regions):
            regions.append((x, y, half, half))
    return tuple(regions)


def experiment(n: int, repetitions: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return the mean square error by figure, mechanism and epsilon."""
    rows = []
    for _ in range(repetitions):
        points = clustered_places(n, rng)
        scattered = {f"{count} regions": random_regions(count, rng) for count in (2, 4, 6)}
        figures = {"centre": CENTRE, "corners": CORNERS, "random": scattered}
        for figure, regions in figures.items():
            for epsilon in range(10 if figure == "random" else 5, 21):
                square = Plane(parts=WHOLE_MAP, epsilon=epsilon)
                # The paper uses the window of SM for USM. A window optimised for the region is better.
                side = best_width(square)
                rows.append((figure, "SM", epsilon, square.errors_at(points, side).mean()))
                for name, parts in regions.items():
                    plane = Plane(parts=parts, epsilon=epsilon)
                    widths = {f"USM, {name}": min(side, plane.widest)}
                    if figure == "centre":
                        widths["USM, own window"] = best_width(plane)
                    for label, width in widths.items():
                        rows.append((figure, label, epsilon, plane.errors_at(points, width).mean()))
    table = pd.DataFrame(rows, columns=["figure", "mechanism", "epsilon", "error"])
    return table.groupby(["figure", "mechanism", "epsilon"], sort=False).mean().reset_index()


def error_figure(table: pd.DataFrame, figure: str) -> str:
    """Plot the errors of one figure by epsilon."""
    series = [
        Series(label=str(name), x=rows.epsilon.tolist(), y=rows.error.tolist())
        for name, rows in table[table.figure == figure].groupby("mechanism", sort=False)
    ]
    error = "mean square error, m²"
    return curves_svg(series, title=TITLES[figure], x_label=BUDGET, y_label=error, log_y=True)


def width_figure() -> str:
    """Plot figure 2: the best window of SM by epsilon."""
    budgets = range(1, 21)
    widths = [best_width(Plane(parts=WHOLE_MAP, epsilon=epsilon)) for epsilon in budgets]
    series = [Series(label="best window", x=list(budgets), y=widths)]
    return curves_svg(series, title="Figure 2: best window of SM", x_label=BUDGET, y_label="side, m")


def windows_figure() -> str:
    """Draw figure 1 with the library: places in the middle and at the edge of two regions, and outside."""
    area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.018, metres=20)
    clinic, old_town = (60, 62, 24, 24), (12, 10, 60, 44)
    channel = build_levels(area, [([clinic], 2), ([old_town], 5)])  # regions with their epsilons
    drawing = on_paper(400, 440, title="Windows of places in two regions")
    dashed = {"fill": "none", "stroke": svg.WARN, "stroke-dasharray": "5 3"}
    shaded = {"fill": svg.ACCENT, "fill-opacity": ".18", "stroke": svg.INK}

    def box(cells: Rectangle, look: dict[str, str]) -> None:
        left, low, across, up = (4 * side for side in cells)
        corner = {"x": f"{left}", "y": f"{400 - low - up}", "width": f"{across}", "height": f"{up}"}
        drawing.add("rect", corner | look)

    box((0, 0, area.columns, area.rows), {"fill": "none", "stroke": svg.STRONG})
    for region in (clinic, old_town):
        box(region, dashed)
    for number, column, row in ((0, 72, 74), (0, 83, 74), (1, 42, 32), (1, 71, 32), (2, 99, 50)):
        kept = math.prod(level.truth for level in channel.levels[: number + 1])
        if number < 2:
            box(channel.levels[number].window_at(column, row), shaded)
        x, y = 4 * column + 2, 400 - 4 * row - 2
        svg.circle(drawing, x, y, 3, css="node", fill=svg.INK)
        svg.text(drawing, x - 6, y - 6, f"{float(kept):.0%}", text_anchor="end", css="label")
    svg.text(drawing, 4, 416, "dashed: sensitive region; shaded: window of a place")
    svg.text(drawing, 4, 432, "number: probability of the window, or of the place itself")
    return svg.render_svg(drawing)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the experiment, write figures and table, and print the errors at three budgets."""
    parser = argparse.ArgumentParser(description="Repeat the experiment of Feng and Zhu.")
    parser.add_argument("--seed", type=int, default=8, help="the same seed gives the same figures")
    parser.add_argument("--places", type=int, default=2_000, help="places per repetition (default: 2000)")
    parser.add_argument("--repetitions", type=int, default=10, help="default: 10")
    parser.add_argument("--out", type=Path, default=Path("figures"), help="folder (default: figures)")
    options = parser.parse_args(argv)
    table = experiment(options.places, options.repetitions, np.random.default_rng(options.seed))
    figures = {name: error_figure(table, name) for name in TITLES}
    figures |= {"windows": windows_figure(), "width": width_figure()}
    options.out.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        (options.out / f"{name}.svg").write_text(figure + "\n", encoding="utf-8")
    table.to_csv(options.out / "location.csv", index=False, lineterminator="\n")
    shown = table.pivot_table(index=["figure", "mechanism"], columns="epsilon", values="error", sort=False)
    print("Mean square error in m² by epsilon:")
    print(shown[[5, 10, 20]].to_string(float_format="{:,.1f}".format))


if __name__ == "__main__":
    main()
