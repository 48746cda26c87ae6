"""A place's page: density, regions and mean place of known answers, hidden values, and files."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import Settings

from privacy.scales.area import Area
from privacy.scales.planar_density_errors import Spread, blocks_of
from privacy.scales.planar_mechanisms import square_mechanism
from privacy.scales.planar_parts import map_parts
from privacy.scales.planar_pieces import pieces_of
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from surveys.celery import app as celery
from surveys.errors.error import SurveyError
from surveys.formats.density_map import density_svg, step_bounds, tile_side
from surveys.formats.disguise_bounds import gamma_text
from surveys.models import CutPoints, Run
from surveys.report.results.places import place_context
from surveys.report.sentences.fit_endings import ended_text
from surveys.runs import density_cache
from surveys.runs.density_cache import density_of
from surveys.runs.density_task import keep_map
from surveys.runs.places import place_mean, windows_of
from surveys.runs.releasable_map import releasable_map
from surveys.runs.scale_question import ScaleQuestion, scale_of
from surveys.templatetags.figures import measured_degrees
from tests.fixtures.runs import SINGLES, find_run, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def asked_in(run: Run) -> ScaleQuestion:
    return scale_of(run, "care", "place")


@pytest.mark.soak
def test_the_page_explains_the_privacy_of_places(reader: Client) -> None:
    run = mined_run(scale_answered(600), SINGLES)
    text = reader.get(f"/en/staff/runs/{run.pk}/places/care/").content.decode()
    page = place_context(asked_in(run))
    for words in (
        "Exact outside the sensitive places, disguised inside.",
        "so it is never added to other values of ε",
        "those with fewer than 10 people, and enough others to prevent computing them from the rest",
        ended_text(page["density"].fit).capitalize(),
        gamma_text(windows_of(asked_in(run))),
        "At least 95 in 100 such intervals contain the true value",
        "No number of answers can distinguish these places",
    ):
        assert words in text
    assert len(page["darkest"]) == page["seen"]
    pieces = releasable_map(asked_in(run), density_of(asked_in(run))).pieces
    assert page["seen"] + page["hidden"] == len(pieces)
    assert "It is not a measurement, so it has no standard errors." in text
    assert "±" not in text.split("scale-regions")[0]


def test_cells_with_few_people_are_hidden_in_charts_and_files(reader: Client) -> None:
    run = mined_run(scale_answered(600), SINGLES)
    asked = asked_in(run)
    found = density_of(asked)
    here = f"/en/staff/runs/{run.pk}/places/care/"
    rows = list(csv.DictReader(io.StringIO(b"".join(reader.get(here + "cells.csv")).decode())))
    seen = {(int(row["row"]), int(row["column"]), int(row["side"])) for row in rows}
    pieces = releasable_map(asked, found).pieces
    assert seen == {
        (int(row), int(column), int(side))
        for row, column, side, share in zip(pieces.row, pieces.column, pieces.side, pieces.share, strict=True)
        if share * 600 >= 10
    }
    assert 0 < len(seen) < found.fit.shares.size
    collection = json.loads(b"".join(reader.get(here + "map.geojson")))
    cells = [feature for feature in collection["features"] if feature["properties"]["is"] != "region"]
    mean = collection["about"]["mean_place"]
    assert mean["off_east_metres"] > 0
    assert (mean["longitude_basis"], mean["level"], mean["n"]) == ("estimate", 0.95, 600)
    assert mean["longitude_low"] < mean["longitude"] == mean["longitude_unclipped"] < mean["longitude_high"]
    assert collection["about"]["replicates"] == found.spread.replicates
    assert collection["about"]["exact_outside_the_sensitive_places"] is True
    ring = cells[0]["geometry"]["coordinates"][0]
    assert ring[0] == ring[-1]
    assert 118.7 <= ring[0][0] <= 118.72
    assert 32.0 <= ring[0][1] <= 32.02
    regions = list(csv.DictReader(io.StringIO(b"".join(reader.get(here + "regions.csv")).decode())))
    assert [row["region"] for row in regions] == ["care=river", "sensitive-1"]


def test_a_mean_place_off_the_map_is_printed_as_bounds() -> None:
    run = mined_run(scale_answered(600), SINGLES)
    found = place_mean(asked_in(run))
    assert found is not None
    assert found.longitude.origin.look == "final"
    west, east = found.longitude.possible
    assert (west, east) == (118.7, 118.72)
    inside = replace(found.longitude, value=118.71, low=118.702, high=118.718)
    outside = replace(found.longitude, value=west - 0.01, low=west - 0.02, high=west + 0.004)
    assert measured_degrees(inside, 84.2) == '118.71000 <span class="pm">± 84 m</span>'
    assert measured_degrees(outside, 84.2) == (
        'at most 118.70400 <span class="tag tag--warn">too few to say</span>'
    )


def test_a_large_map_is_drawn_in_tiles_with_the_same_total() -> None:
    shares = np.zeros((250, 300))
    shares[249, 299], shares[0, 0], shares[0, 1], shares[100, 100] = 0.5, 0.2, 0.25, 0.05
    area = Area(west=0, south=0, east=3_000_000, north=2_500_000, columns=300, rows=250)
    assert tile_side(area) == 4
    none = Spread(by_side=tuple(np.zeros_like(table) for table in blocks_of(shares)), replicates=9)
    pieces = pieces_of(shares, none, 100, least=10, smallest=4)
    assert len(pieces) == 63 * 75
    assert pieces.share[0] == pytest.approx(0.45)
    assert np.count_nonzero(~pieces.hidden) == 2
    # The corner tile is cut off, so its people are on 8 of 16 cells.
    assert step_bounds(pieces, area)[-1] == pytest.approx((0.5, 1))
    drawing = density_svg(
        pieces,
        area,
        title="Where?",
        steps=["a", "b", "c", "d", "e"],
        hidden="few",
        sensitive=[(0, 0, 10, 10)],
        sensitive_word="sensitive",
        outline=[[[0, 0], [3_000_000, 0], [0, 2_500_000]]],
    )
    # The last tile of a side has the remaining size, and no tile leaves the map.
    assert "M296 248h4v2h-4z" in drawing
    assert "M0 0h4v4h-4z" in drawing
    assert drawing.count("<polygon") == 1


def test_a_large_map_appears_at_once_and_a_worker_adds_its_errors(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path, reader: Client
) -> None:
    """Only if its cells need no minimum: see the next test."""
    run = mined_run(scale_answered(600, practice=True), SINGLES)
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(density_cache, "LARGE", 10)
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(celery, "send_task", lambda _name, arguments, **_: sent.append(arguments))
    here = f"/en/staff/runs/{run.pk}/places/care/"
    words = "Sottovoce is still computing the replicates for this large map"
    assert words in reader.get(here).content.decode()
    reader.get(here)
    assert sent == [(run.pk, asked_in(run).number)]
    rows = csv.DictReader(io.StringIO(b"".join(reader.get(here + "cells.csv")).decode()))
    assert {row["side"] for row in rows} == {"1"}
    keep_map(*sent[0])
    text = reader.get(here).content.decode()
    assert words not in text
    assert "replicates" in text


@pytest.mark.soak
def test_a_large_map_with_exact_places_appears_with_its_final_cells(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path, reader: Client
) -> None:
    """Cells that are not combined yet, subtracted from the combined ones, would show a few people."""
    run = mined_run(scale_answered(600), SINGLES)
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(density_cache, "LARGE", 10)
    here = f"/en/staff/runs/{run.pk}/places/care/"
    assert "Cells are not combined yet" not in reader.get(here).content.decode()
    (cuts,) = CutPoints.objects.all()
    rows = csv.DictReader(io.StringIO(b"".join(reader.get(here + "cells.csv")).decode()))
    assert {int(row["side"]) for row in rows} <= set(cuts.cuts["side"])


@pytest.mark.soak
def test_map_parts_appear_on_the_page_and_in_files(reader: Client) -> None:
    run = mined_run(scale_answered(2_000, everywhere=True), SINGLES)
    asked = asked_in(run)
    windows = windows_of(asked)
    parts = map_parts(windows)
    assert len(parts) == 9
    here = f"/en/staff/runs/{run.pk}/places/care/"
    text = reader.get(here).content.decode()
    assert "part 9 of the map, from the south-west" in text
    assert "The design alone divides the map into regions" in text
    assert "No region has a share" not in text
    lines = list(csv.DictReader(io.StringIO(b"".join(reader.get(here + "regions.csv")).decode())))
    by_key = {line["region"]: line for line in lines}
    assert set(by_key) == {"care=river"} | {f"part-{place}" for place in range(1, 10)}
    features = json.loads(b"".join(reader.get(here + "map.geojson")))["features"]
    drawn = {feature["properties"]["region"] for feature in features if "region" in feature["properties"]}
    assert drawn == set(by_key)
    shown = 0
    for place, part in enumerate(parts, 1):
        line, found = (
            by_key[f"part-{place}"],
            region_share(windows, scale_groups(windows, asked.reports.protected), part),
        )
        # Parts from which small cells could be derived are also hidden.
        shown += line["hidden"] == "0"
        if line["hidden"] == "1":
            assert line["share"] == line["share_se"] == ""
            continue
        assert line["summed"] == "0"
        assert float(line["share"]) == pytest.approx(found.value, abs=1e-3)
        assert float(line["share_se"]) == pytest.approx(found.standard_error, rel=0.01)
    assert shown >= 5


@pytest.mark.soak
def test_the_page_explains_when_windows_are_too_large_for_parts() -> None:
    asked = asked_in(mined_run(scale_answered(600, everywhere=True), SINGLES))
    assert place_context(asked)["parts"] == 9
    area = windows_of(asked).area
    side = min(area.columns, area.rows) - 1
    large = replace(square_mechanism(area, 0.1, side=side), regions=windows_of(asked).regions)
    asked = replace(asked, question=replace(asked.question, disguise=large))
    page = place_context(asked)
    assert (page["parts"], page["says_nothing"]) == (0, False)
    assert [region.name for region in page["regions"]] == ["By the river"]
    shown = {"scale": asked, "disguise": large, "run": asked.run, "skips": None}
    assert "No region has a share with a standard error" in render_to_string(
        "report/results/scales/place.html", page | shown
    )


def test_a_map_with_exact_places_waits_until_the_survey_is_settled() -> None:
    run = mined_run(scale_answered(600), SINGLES)
    open_run = find_run(run.pk)
    open_run.survey.settled = False
    with pytest.raises(SurveyError) as refused:
        asked_in(open_run)
    assert refused.value.code == "waits"
