"""The page of a place: density, regions and mean place of known answers, what is hidden, and its files."""

import csv
import io
import json

import numpy as np
import pytest
from django.test import Client

from privacy.disguise.area import Area
from surveys.models import Run
from surveys.report.lone.asked import Asked, asked_of
from surveys.report.lone.density_map import density_svg, step_bounds, tiles_of
from surveys.report.lone.place_figures import place_density, regions_of
from surveys.report.lone.place_page import named_regions, place_page, windows_of
from surveys.report.outcome import run_page
from tests.surveys.report.cast import alice, mined
from tests.surveys.report.lone.cast import lone_answered, true_rows

pytestmark = pytest.mark.django_db


def asked_in(run: Run) -> Asked:
    return asked_of(run, run_page(run, run.version.to_design()), "care", "place")


def test_a_region_has_its_true_share_within_its_error() -> None:
    asked = asked_in(mined(lone_answered(3_000)))
    fit = place_density(windows_of(asked), asked.sent, smooth=False)
    river, hill = named_regions(asked, fit)
    truth = sum(row["places"]["care"] == "river" for row in true_rows(3_000)) / 3_000
    assert river.name == "By the river"
    assert hill.name == "sensitive place 1"
    assert river.figure.share is not None
    assert hill.figure.share is not None
    assert abs(river.figure.share.value - truth) < 5 * river.figure.share.standard_error
    # Nobody is there, so the unbiased share lies on either side of 0.
    assert abs(hill.figure.share.value) < 5 * hill.figure.share.standard_error
    assert len(regions_of(windows_of(asked)).sensitive) == 1


def test_the_page_says_what_people_must_be_told(client: Client) -> None:
    run = mined(lone_answered(600))
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/places/care/").content.decode()
    page = place_page(asked_in(run), smooth=False)
    for words in (
        "Exact outside the sensitive places; disguised inside.",
        "it stands apart, and is never summed with others",
        "fewer than 10 people: not shown",
        page.ended,
        page.gamma,
        "standard error to the north",
    ):
        assert words in text
    assert len(page.tiles) == page.seen
    assert page.seen + page.hidden == asked_in(run).question.disguise.inputs  # type: ignore[union-attr]


def test_cells_of_few_people_are_in_no_picture_and_in_no_file(client: Client) -> None:
    run = mined(lone_answered(600))
    asked = asked_in(run)
    fit = place_density(windows_of(asked), asked.sent, smooth=False)
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/places/care/"
    rows = list(csv.DictReader(io.StringIO(b"".join(client.get(here + "cells.csv")).decode())))
    seen = {(int(row["row"]), int(row["column"])) for row in rows}
    assert seen == {tuple(map(int, place)) for place in np.argwhere(fit.shares * 600 >= 10)}
    assert 0 < len(seen) < fit.shares.size
    collection = json.loads(b"".join(client.get(here + "map.geojson")))
    cells = [feature for feature in collection["features"] if feature["properties"]["is"] == "cell"]
    assert len(cells) == len(seen)
    assert collection["about"]["exact_outside_the_sensitive_places"] is True
    ring = cells[0]["geometry"]["coordinates"][0]
    assert ring[0] == ring[-1]
    assert 118.7 <= ring[0][0] <= 118.72
    assert 32.0 <= ring[0][1] <= 32.02
    regions = list(csv.DictReader(io.StringIO(b"".join(client.get(here + "regions.csv")).decode())))
    assert [row["region"] for row in regions] == ["care=river", "sensitive-1"]


def test_a_region_that_direct_answers_are_in_is_hidden_when_few_people_are() -> None:
    asked = asked_in(mined(lone_answered(1_000, n_direct=100)))
    page = place_page(asked, smooth=True)
    assert page.n_direct == "100"
    river, hill = page.regions
    assert river.figure is not None
    fit = place_density(windows_of(asked), asked.sent, smooth=True)
    share = list(named_regions(asked, fit))[1].figure.share
    assert share is not None
    assert (hill.figure is None) == (share.value * 1_000 < 10)


def test_a_large_map_is_drawn_in_tiles_that_hold_the_same_people() -> None:
    shares = np.zeros((250, 300))
    shares[249, 299], shares[0, 0], shares[0, 1], shares[100, 100] = 0.5, 0.2, 0.25, 0.05
    tiles = tiles_of(shares, 100, 10)
    assert tiles.size == 3
    assert tiles.shares.shape == (84, 100)
    assert tiles.shares[0, 0] == pytest.approx(0.45)
    assert np.count_nonzero(~tiles.hidden) == 2
    assert step_bounds(tiles)[-1] == pytest.approx((0.25, 0.5))
    area = Area(west=0, south=0, east=3_000_000, north=2_500_000, columns=300, rows=250)
    drawing = density_svg(
        tiles,
        area,
        title="Where?",
        steps=["a", "b", "c", "d", "e"],
        hidden="few",
        sensitive=[(0, 0, 10, 10)],
        sensitive_word="sensitive",
        outline=[[[0, 0], [3_000_000, 0], [0, 2_500_000]]],
    )
    # The last tile of a side is as large as what is left of it, and none leaves the map.
    assert "M297 249h3v1h-3z" in drawing
    assert "M0 0h3v3h-3z" in drawing
    assert drawing.count("<polygon") == 1
