"""Maps, their pieces and regions: shares of known answers, what is hidden, and what later maps keep."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from privacy.scales.area import Area
from privacy.scales.em import MOST_STEPS, Fit
from privacy.scales.planar_density_errors import Spread, blocks_of
from privacy.scales.planar_mechanisms import grid_response, square_mechanism
from privacy.scales.planar_pieces import Pieces
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import Operator
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from surveys.errors.error import SurveyError
from surveys.models import CutPoints, Run
from surveys.runs import places
from surveys.runs.density_cache import density_of
from surveys.runs.places import Density, named_regions, regions_of, releasable_map, windows_of
from surveys.runs.scale_question import ScaleQuestion, scale_of
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import scale_answered, true_rows

pytestmark = pytest.mark.django_db


def asked_in(run: Run) -> ScaleQuestion:
    return scale_of(run, "care", "place")


def test_estimated_region_shares_match_the_true_shares() -> None:
    asked = asked_in(mined_run(scale_answered(1_500), SINGLES))
    river, hill = named_regions(asked, density_of(asked))
    truth = sum(row["places"]["care"] == "river" for row in true_rows(1_500)) / 1_500
    assert river.name == "By the river"
    assert hill.name == "sensitive place 1"
    assert river.figure.share is not None
    assert hill.figure.share is not None
    assert abs(river.figure.share.value - truth) < 5 * river.figure.share.standard_error
    # No one is in the cell, so the unbiased share may be on either side of 0.
    assert abs(hill.figure.share.value) < 5 * hill.figure.share.standard_error
    assert len(regions_of(windows_of(asked)).sensitive) == 1


def test_hiding_one_sparse_cell_hides_others_too() -> None:
    asked = asked_in(mined_run(scale_answered(600), SINGLES))
    windows = windows_of(asked)
    shape = (windows.area.rows, windows.area.columns)
    shares = np.full(shape, 1.0)
    river = windows.item_values(0).reshape(shape)
    shares[np.nonzero(river)[0][0], np.nonzero(river)[1][0]] = 0.001
    shares *= 2 / shares.sum()
    none = Spread(by_side=tuple(np.zeros_like(table) for table in blocks_of(shares)), replicates=9)
    # Pretend that there are twice as many people, so that each other cell has ten.
    told = releasable_map(
        asked, Density(fit=Fit(shares=shares, steps=1, gain=0.0, reason="gain"), spread=none)
    )
    hidden = told.pieces.hidden
    assert set(told.pieces.side) == {1}
    # The page shows the number of people, both coordinates of the mean place, and the region.
    inside = river[told.pieces.row, told.pieces.column]
    assert hidden[inside].sum() >= 3
    assert hidden.sum() < len(hidden) / 4
    places = np.array([told.pieces.row, told.pieces.column])
    known = np.vstack([np.ones(len(hidden)), places, inside])[:, hidden]
    for place in range(known.shape[1]):
        more = np.vstack([known, np.eye(known.shape[1])[place]])
        assert np.linalg.matrix_rank(more) > np.linalg.matrix_rank(known)


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


def test_later_maps_have_the_pieces_of_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked_in(mined_run(scale_answered(600), SINGLES))
    found = density_of(first)
    shown = releasable_map(first, found)
    (cuts,) = CutPoints.objects.all()
    assert cuts.cuts["side"] == shown.pieces.side.tolist()
    # Another release may decide otherwise which cells to merge.
    monkeypatch.setattr(places, "pieces_of", lambda *_args, **_options: pytest.fail("made anew"))
    again = releasable_map(first, found)
    for name in ("column", "row", "side", "share", "standard_error", "hidden"):
        assert getattr(again.pieces, name).tolist() == getattr(shown.pieces, name).tolist()
    assert [region.hidden for region in again.regions] == [region.hidden for region in shown.regions]
    with pytest.raises(SurveyError) as refused:
        releasable_map(first, replace(found, spread=replace(found.spread, replicates=0)))
    assert refused.value.case == "waits.map"


def pieces(*squares: tuple[int, int, int]) -> Pieces:
    """Return pieces from their columns, rows and sides."""
    column, row, side = (np.array(values) for values in zip(*squares, strict=True))
    zeros = np.zeros(len(side))
    return Pieces(
        column=column, row=row, side=side, share=zeros, standard_error=zeros, hidden=zeros.astype(bool)
    )


def test_pieces_end_at_the_edge_and_lie_partly_in_regions() -> None:
    """A map of 5 rows and 7 columns; the last piece of each side is cut off."""
    shape, own = (5, 7), pieces((0, 0, 2), (2, 0, 4), (6, 4, 2), (4, 4, 4))
    assert [ends.tolist() for ends in places._ends(own, shape)] == [[2, 4, 5, 5], [2, 6, 7, 7]]
    assert [ends.tolist() for ends in places._middles(own, shape)] == [[1, 2, 4.5, 4.5], [1, 4, 6.5, 5.5]]
    region = ((1, 1, 3, 2), (6, 4, 1, 1))
    inside = {
        (x, y) for left, low, w, h in region for x in range(left, left + w) for y in range(low, low + h)
    }
    expected = []
    for left, low, side in ((0, 0, 2), (2, 0, 4), (6, 4, 2), (4, 4, 4)):
        cells = {(x, y) for x in range(left, min(left + side, 7)) for y in range(low, min(low + side, 5))}
        expected.append(len(cells & inside) / len(cells))
    assert places._share_inside(own, region, shape).tolist() == expected


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


def test_a_region_with_exact_places_and_few_people_is_hidden() -> None:
    scale = SimpleNamespace(reports=SimpleNamespace(people=100), least_people=10)

    def hidden(total: float, share: float | None, *, outside: bool = True) -> bool:
        figure = SimpleNamespace(
            total=total, share=share if share is None else SimpleNamespace(value=share), outside=outside
        )
        return places._has_few_exact(scale, figure)  # type: ignore[arg-type]

    assert [hidden(0.5, share) for share in (0.0999, 0.1, 0.5)] == [True, False, False]
    assert [hidden(total, None) for total in (0.0999, 0.1)] == [True, False]
    assert not hidden(0.01, 0.01, outside=False)


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


@pytest.mark.parametrize(("is_exact", "is_exempt"), [(False, False), (False, True), (True, True)])
def test_a_region_is_hidden_if_it_has_few_people_or_others_would_follow_from_it(
    is_exact: bool, is_exempt: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pieces are stored only for exact places of real respondents."""
    figure: Any = None
    regions = [
        places.NamedRegion(key=key, name=key, region=figure, figure=figure, hidden=key == "few")
        for key in ("few", "beside", "shown")
    ]
    monkeypatch.setattr(places, "is_exact_map", lambda _design, _number: is_exact)
    monkeypatch.setattr(places, "is_exempt", lambda _survey: is_exempt)
    monkeypatch.setattr(places, "named_regions", lambda *_given: regions)
    monkeypatch.setattr(places, "_released", lambda *_given: ("pieces", [regions[1]]))
    scale: Any = SimpleNamespace(run=SimpleNamespace(design=None, survey=None), number=0)
    density: Any = SimpleNamespace(spread=SimpleNamespace(replicates=0))
    found = releasable_map(scale, density)
    assert found.pieces == "pieces"
    assert [(region.key, region.hidden) for region in found.regions] == [
        ("few", True), ("beside", True), ("shown", False),
    ]  # fmt: skip


def test_a_map_and_its_replicates_are_not_smoothed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_in(mined_run(scale_answered(600), SINGLES))
    given: dict[str, Any] = {}
    monkeypatch.setattr(places, "mixed_fit", lambda _windows, _groups, **how: given.update(how))
    reports = asked.reports
    places._fit_density(windows_of(asked), reports, reports.protected, reports.direct, 7)
    assert given == {"smooth": False, "most_steps": 7}
