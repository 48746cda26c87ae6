"""What is shown and hidden of a map, and what later maps keep."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privacy.scales.em import Fit
from privacy.scales.planar_density_errors import Spread, blocks_of
from privacy.scales.planar_pieces import Pieces
from surveys.errors.error import SurveyError
from surveys.models import CutPoints, Run
from surveys.runs import releasable_map as maps
from surveys.runs.density_cache import density_of
from surveys.runs.places import Density, regions_of, windows_of
from surveys.runs.releasable_map import NamedRegion, named_regions, releasable_map
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


def test_later_maps_have_the_pieces_of_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked_in(mined_run(scale_answered(600), SINGLES))
    found = density_of(first)
    shown = releasable_map(first, found)
    (cuts,) = CutPoints.objects.all()
    assert cuts.cuts["side"] == shown.pieces.side.tolist()
    # Another release may decide otherwise which cells to merge.
    monkeypatch.setattr(maps, "pieces_of", lambda *_args, **_options: pytest.fail("made anew"))
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
    assert [ends.tolist() for ends in maps._ends(own, shape)] == [[2, 4, 5, 5], [2, 6, 7, 7]]
    assert [ends.tolist() for ends in maps._middles(own, shape)] == [[1, 2, 4.5, 4.5], [1, 4, 6.5, 5.5]]
    region = ((1, 1, 3, 2), (6, 4, 1, 1))
    inside = {
        (x, y) for left, low, w, h in region for x in range(left, left + w) for y in range(low, low + h)
    }
    expected = []
    for left, low, side in ((0, 0, 2), (2, 0, 4), (6, 4, 2), (4, 4, 4)):
        cells = {(x, y) for x in range(left, min(left + side, 7)) for y in range(low, min(low + side, 5))}
        expected.append(len(cells & inside) / len(cells))
    assert maps._share_inside(own, region, shape).tolist() == expected


def test_a_region_with_exact_places_and_few_people_is_hidden() -> None:
    scale = SimpleNamespace(reports=SimpleNamespace(people=100), least_people=10)

    def hidden(total: float, share: float | None, *, outside: bool = True) -> bool:
        figure = SimpleNamespace(
            total=total, share=share if share is None else SimpleNamespace(value=share), outside=outside
        )
        return maps._has_few_exact(scale, figure)  # type: ignore[arg-type]

    assert [hidden(0.5, share) for share in (0.0999, 0.1, 0.5)] == [True, False, False]
    assert [hidden(total, None) for total in (0.0999, 0.1)] == [True, False]
    assert not hidden(0.01, 0.01, outside=False)


@pytest.mark.parametrize(("is_exact", "is_exempt"), [(False, False), (False, True), (True, True)])
def test_a_region_is_hidden_if_it_has_few_people_or_others_would_follow_from_it(
    is_exact: bool, is_exempt: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pieces are stored only for exact places of real respondents."""
    figure: Any = None
    regions = [
        NamedRegion(key=key, name=key, region=figure, figure=figure, hidden=key == "few")
        for key in ("few", "beside", "shown")
    ]
    monkeypatch.setattr(maps, "is_exact_map", lambda _design, _number: is_exact)
    monkeypatch.setattr(maps, "is_exempt", lambda _survey: is_exempt)
    monkeypatch.setattr(maps, "named_regions", lambda *_given: regions)
    monkeypatch.setattr(maps, "_released", lambda *_given: ("pieces", [regions[1]]))
    scale: Any = SimpleNamespace(run=SimpleNamespace(design=None, survey=None), number=0)
    density: Any = SimpleNamespace(spread=SimpleNamespace(replicates=0))
    found = releasable_map(scale, density)
    assert found.pieces == "pieces"
    assert [(region.key, region.hidden) for region in found.regions] == [
        ("few", True), ("beside", True), ("shown", False),
    ]  # fmt: skip
