"""Skippable numbers and places: how a run, its pages, its files and its audit report them."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.estimates.numbers import Kind, ScaleQuestion, band_of, number_figures, scale_of, skips_of
from surveys.estimates.places import place_mean, place_regions, regions_of, windows_of
from surveys.models import Run
from surveys.questionnaire.labels import unpack_items
from surveys.report.scale_files import skips_json
from tests.fixtures.runs import alice, mined
from tests.fixtures.scale_runs import scale_answered, true_rows

pytestmark = pytest.mark.django_db

N, SKIPS = 1_500, 0.3


def asked_in(run: Run, key: str, kind: Kind) -> ScaleQuestion:
    return scale_of(run, key, kind)


@pytest.mark.soak
def test_figures_pages_files_and_rules_tell_of_those_who_skip_and_of_those_who_answer(client: Client) -> None:
    # One run for all tests, because disguising, mining and reconstructing need seconds.
    run = mined(scale_answered(N, skips=SKIPS), Thresholds(support=0.02, max_size=2))
    _figures_are_of_those_who_answer(run)
    _rules_count_a_skip_as_no_item(run)
    _pages_and_files_name_the_share(run, client)


def _figures_are_of_those_who_answer(run: Run) -> None:
    for key, kind in (("hours", "number"), ("wage", "number"), ("care", "place")):
        asked = asked_in(run, key, kind)
        found = skips_json(asked)["share_who_skip"]
        assert abs(found["value"] - SKIPS) < 5 * found["standard_error"] < 0.2
        assert asked.sent.n == N
        assert asked.sent.people == pytest.approx(N * (1 - found["value"]))
        assert skips_of(asked) is not None
    wage = asked_in(run, "wage", "number")
    figures = number_figures(band_of(wage), wage.sent)
    assert figures.mean is not None
    truth = [5 * row["pay"]["wage"] + 2 for row in true_rows(N)]
    assert abs(figures.mean.value - sum(truth) / N) < 5 * figures.mean.standard_error < 5
    assert figures.bins is not None
    assert figures.bins.shape.shares.sum() == pytest.approx(1)
    assert figures.bins.bars.shares.sum() == pytest.approx(1)
    care = asked_in(run, "care", "place")
    windows = windows_of(care)
    regions = regions_of(windows)
    (river,) = list(place_regions(windows, care.sent, regions.declared, care.sent.protected[:-1]))
    assert river.share is not None
    share = sum(row["places"]["care"] == "river" for row in true_rows(N)) / N
    assert abs(river.share.value - share) < 5 * river.share.standard_error < 0.2
    assert place_mean(windows, care.sent) is not None


def _rules_count_a_skip_as_no_item(run: Run) -> None:
    keys = {item.key: item.index for item in run.version.to_design().items}
    rows = {unpack_items(row.items): row for row in run.itemsets.all()}
    long = sum(row["time"]["hours"] >= 5 for row in true_rows(N)) / N
    both = sum(row["time"]["hours"] >= 5 and row["life"]["drink"] for row in true_rows(N)) / N
    # Shares are of all who were asked; the skips are independent of the answers.
    for items, share in (("hours=50-up",), long), (("drink", "hours=50-up"), both):
        row = rows[tuple(sorted(keys[key] for key in items))]
        assert abs(row.support - (1 - SKIPS) * share) < 5 * row.support_se < 0.25


def _pages_and_files_name_the_share(run: Run, client: Client) -> None:
    client.force_login(alice())
    for address in ("numbers/wage/", "places/care/"):
        response = client.get(f"/en/staff/runs/{run.pk}/{address}")
        assert response.status_code == 200
        text = response.content.decode()
        assert "share of people who skip it" in text
        assert "The figures below describe people who answered." in text
    told = json.loads(client.get(f"/en/staff/runs/{run.pk}/numbers/hours/figures.json").content)
    assert told["shares_are_of"] == "those who answer"
    assert 0.1 < told["share_who_skip"]["value"] < 0.5
