"""Maps and their regions: shares of known answers, steps and replicates."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from privacy.scales.area import Area
from privacy.scales.em import MOST_STEPS, Fit
from privacy.scales.planar_mechanisms import grid_response, square_mechanism
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import Operator
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from surveys.runs import places
from surveys.runs.places import Density, regions_of, windows_of
from surveys.runs.scale_question import scale_of
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def test_parts_of_tiled_maps_are_whole_tiles() -> None:
    area = Area(west=0, south=0, east=97 * 18_000, north=101 * 18_000, columns=97, rows=101)
    windows = grid_response(area, 3.0, tile=(10, 9))
    parts = regions_of(windows).parts
    assert len(parts) == 9
    times = np.zeros((101, 97), dtype=int)
    for ((left, low, width, height),) in parts:
        times[low : low + height, left : left + width] += 1
    assert (times == 1).all()
    assert all(windows.is_retention_channel(part) for part in parts)
    # With expected counts, each share has exactly the true expectation and its interval the nominal coverage.
    y, x = np.mgrid[:101, :97]
    shares = np.exp(-((x - 20) ** 2 + (y - 30) ** 2) / 200)
    shares /= shares.sum()
    sent = Operator(windows).forward(shares).ravel()
    n, off = 1000, []
    for part in parts:
        inside = paint_cells(part, 97, 101).ravel()
        truth = shares.ravel()[inside].sum()
        assert region_share(windows, scale_groups(windows, sent * 1e7), part).value == pytest.approx(
            truth, abs=1e-6
        )
        chance = sent[inside].sum()
        counts = np.arange(n + 1)
        chances = binom.pmf(counts, n, chance)
        decoy = (1 - float(windows.levels[0].truth)) * float(windows.levels[0].share_of(part))
        value = (counts / n - decoy) / float(windows.levels[0].truth)
        error = np.sqrt(counts / n * (1 - counts / n) / n) / float(windows.levels[0].truth)
        off.append(chances[np.abs(value - truth) <= 1.96 * error].sum())
    assert min(off) > 0.93


def test_larger_maps_stop_after_fewer_steps() -> None:
    """15 million steps times cells, at least 50 steps, and at most as many as any reconstruction."""
    found = [
        places.most_steps(SimpleNamespace(inputs=cells)) for cells in (1, 15_000, 300_000, 299_999, 10**6)
    ]  # type: ignore[arg-type]
    assert found == [min(MOST_STEPS, 15_000_000), min(MOST_STEPS, 1_000), 50, 50, 50]


@pytest.mark.parametrize(
    ("cells", "fitted", "steps", "replicates"),
    [
        (100, 40, 180, 100),  # 90 million / (40 * 2,100) is more than 100
        (18_000, 100, 300, 45),  # 90 million / (100 * 20,000)
        (18_000, 400, 833, 11),  # 15 million / 18,000 is less than 2 * 400 + 100
        (98_000, 150, 153, 8),
        (100, 0, 100, 100),
    ],
)
def test_replicates_fill_the_time_that_a_map_may_take(
    monkeypatch: pytest.MonkeyPatch, cells: int, fitted: int, steps: int, replicates: int
) -> None:
    windows = SimpleNamespace(inputs=cells)
    reports = SimpleNamespace(protected="protected", direct="direct")
    fit = Fit(shares=np.ones((1, 1)), steps=fitted, gain=0.0, reason="gain")
    seen: dict[str, Any] = {}

    def errors(reconstruct: Any, *counts: Any, rng: Any, **own: Any) -> str:
        reconstruct("again", "light")
        seen.update(own, counts=counts, drawn=int(rng.integers(1 << 30)))
        return "spread"

    def refit(_windows: Any, _reports: Any, counts: Any, direct: Any, most: int) -> Fit:
        seen.update(fitted=(counts, direct), steps=most)
        return fit

    monkeypatch.setattr(places, "drawn_density", lambda *_: Density(fit=fit, spread=None))  # type: ignore[arg-type]
    monkeypatch.setattr(places, "density_errors", errors)
    monkeypatch.setattr(places, "_fit_density", refit)
    found = places.made_density(windows, reports, seed=3)  # type: ignore[arg-type]
    assert (found.fit, found.spread) == (fit, "spread")
    assert (seen["steps"], seen["replicates"]) == (min(steps, MOST_STEPS), replicates)
    assert (seen["counts"], seen["fitted"]) == (("protected", "direct"), ("again", "light"))
    assert seen["drawn"] == int(np.random.default_rng(3).integers(1 << 30))


def test_a_map_without_replicates_has_no_errors() -> None:
    area = Area(west=0, south=0, east=4_000, north=3_000, columns=4, rows=3)
    windows = square_mechanism(area, 2.0)
    law = Operator(windows).forward(np.full((3, 4), 1 / 12)).ravel()
    counts = np.round(120_000 * law).astype(np.int64)
    reports = places.SentCounts(direct=np.zeros_like(counts), protected=counts)
    found = places.drawn_density(windows, reports)
    assert found.spread.replicates == 0
    assert all((table == 0).all() for table in found.spread.by_side)
    assert found.fit.shares == pytest.approx(np.full((3, 4), 1 / 12), abs=1e-3)
    assert (places.place_shares(windows, reports) == found.fit.shares).all()
    (figure,) = places.place_regions(windows, reports, [((0, 0, 2, 3),)], found.fit.shares)
    assert figure.total == pytest.approx(0.5, abs=1e-3)


def test_a_map_and_its_replicates_are_not_smoothed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = scale_of(mined_run(scale_answered(600), SINGLES), "care", "place")
    given: dict[str, Any] = {}
    monkeypatch.setattr(places, "mixed_fit", lambda _windows, _groups, **how: given.update(how))
    reports = asked.reports
    places._fit_density(windows_of(asked), reports, reports.protected, reports.direct, 7)
    assert given == {"smooth": False, "most_steps": 7}
