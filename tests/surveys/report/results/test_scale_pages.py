"""Permissions for the pages of numbers and places, and the requests that they refuse."""

import json

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from privacy.estimation.withheld import NOTHING
from surveys.accounts.roles import Role
from surveys.models import Run, Survey
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.results.scale_record import skips_json
from surveys.runs import mining_job
from surveys.runs.numbers import band_of, number_figures
from surveys.runs.places import place_mean, place_regions, regions_of, windows_of
from surveys.runs.scale_question import ScaleQuestion, scale_of, skips_of
from tests.fixtures.runs import SINGLES, alice, mined_run
from tests.fixtures.scale_runs import scale_answered, true_rows
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db
PAGES = ("numbers/hours/", "numbers/wage/", "places/care/")
COMPARED = "outcome=hours%3Arange&outcome_from=50&by=care%3Driver"
FILES = (
    "numbers/wage/histogram.csv",
    "numbers/wage/figures.json",
    "places/care/cells.csv",
    "places/care/regions.csv",
    "places/care/map.geojson",
)


@pytest.mark.soak
def test_pages_and_files_open_only_for_readers_of_the_report(client: Client) -> None:
    run = mined_run(scale_answered(400), SINGLES)
    here = f"/en/staff/runs/{run.pk}/"
    assert client.get(here + PAGES[0]).status_code == 302
    owner, other = member("owner", Role.RESEARCHER), member("other", Role.RESEARCHER)
    Survey.objects.filter(pk=run.survey_id).update(owner=owner)
    for who, status in ((owner, 200), (alice(), 200), (other, 404)):
        client.force_login(who)
        for path in PAGES + FILES:
            assert client.get(here + path).status_code == status, path
    client.force_login(alice())
    tabs = client.get(f"{here}itemsets/").content.decode()
    assert all(f'href="{here}{path}"' in tabs for path in PAGES)


def test_unknown_questions_and_wrong_kinds_are_refused_with_a_message(reader: Client) -> None:
    run = mined_run(scale_answered(400), SINGLES)
    here = f"/en/staff/runs/{run.pk}/"
    for path, words in (
        ("numbers/rent/", "This survey has no question “rent”."),
        ("numbers/care/", "“care” is not a number question."),
        ("places/late/", "“late” is not a place question."),
    ):
        response = reader.get(here + path)
        assert (response.status_code, words in response.content.decode()) == (404, True)
    for path in ("numbers/care/histogram.csv", "numbers/hours/cells.csv", "places/care/histogram.csv"):
        assert reader.get(here + path).status_code in (404, 422)


def test_too_few_disguised_answers_hide_all_figures(reader: Client) -> None:
    run = mined_run(scale_answered(180, hours_of_the_old=True), SINGLES)
    response = reader.get(f"/en/staff/runs/{run.pk}/numbers/hours/")
    text = response.content.decode()
    assert "Too few people sent a disguised answer to hours." in text
    assert "<svg" not in text
    assert reader.get(f"/en/staff/runs/{run.pk}/numbers/hours/figures.json").status_code == 422


@pytest.mark.soak
def test_a_number_that_everyone_skips_has_too_few_answers(reader: Client) -> None:
    run = mined_run(scale_answered(1_500, skips=1.0), SINGLES)
    text = reader.get(f"/en/staff/runs/{run.pk}/numbers/wage/").content.decode()
    assert text.count("There are too few answers to estimate the mean, shares or quantiles.") == 2
    assert "Under this mechanism" not in text
    assert "do not distinguish the bins" not in text
    page = reader.get(f"/en/staff/runs/{run.pk}/numbers/hours/")
    assert page.context["figures"].mean is None
    assert "Too few people to show the mean or the median." in page.content.decode()


@pytest.mark.soak
@pytest.mark.parametrize(("n", "status"), [(1, 422), (2, 200)])
def test_a_single_practice_answer_shows_no_figures(reader: Client, n: int, status: int) -> None:
    run = mined_run(scale_answered(n, practice=True), SINGLES)
    for path in ("numbers/hours/figures.json", "places/care/cells.csv"):
        assert reader.get(f"/en/staff/runs/{run.pk}/{path}").status_code == status
    page = reader.get(f"/en/staff/runs/{run.pk}/numbers/hours/").content.decode()
    assert ("With a single disguised answer, no error can be computed." in page) == (n == 1)
    assert ("once there are 2 protected answers" in page) == (n == 1)


def test_identical_answers_are_not_called_exact(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # Skip the fit check, which would withhold figures, because everyone sends the same outside cell and bin.
    monkeypatch.setattr(mining_job, "find_withheld", lambda *_rows: NOTHING)
    run = mined_run(scale_answered(200, alike=True), SINGLES)
    here = f"/en/staff/runs/{run.pk}/"
    number, place, comparison = (
        reader.get(here + path).content.decode() for path in (PAGES[0], PAGES[2], f"compare/?{COMPARED}")
    )
    assert "All answers carry the same value for it, so its standard error cannot be estimated." in number
    # Shares of regions would be below 0 and above 1.
    assert place.count('<span class="ends">[') == 0
    assert place.count(">too few to say<") == 2
    assert "exact</" not in number + place + comparison
    assert reader.get(here + "numbers/hours/figures.json").json()["mean"]["standard_error"] is None
    outcomes = reader.get(here + f"compare/comparison.json?{COMPARED}").json()["outcomes"]
    assert [line["n"] for line in outcomes] == [200] * len(outcomes) != []


N, SKIPS = 1_500, 0.3


def asked_in(run: Run, key: str, kind: str) -> ScaleQuestion:
    return scale_of(run, key, kind)


@pytest.mark.soak
def test_figures_and_files_separate_skips_from_answers(client: Client) -> None:
    # One run for all tests, because disguising, mining and reconstructing need seconds.
    run = mined_run(scale_answered(N, skips=SKIPS), Thresholds(support=0.02, max_size=2))
    _figures_are_of_those_who_answer(run)
    _rules_count_a_skip_as_no_item(run)
    _pages_and_files_name_the_share(run, client)


def _figures_are_of_those_who_answer(run: Run) -> None:
    for key, kind in (("hours", "number"), ("wage", "number"), ("care", "place")):
        asked = asked_in(run, key, kind)
        found = skips_json(asked)["share_who_skip"]
        assert abs(found["value"] - SKIPS) < 5 * found["standard_error"] < 0.2
        assert asked.reports.n == N
        assert asked.reports.people == pytest.approx(N * (1 - found["value"]))
        assert skips_of(asked) is not None
    wage = asked_in(run, "wage", "number")
    figures = number_figures(band_of(wage), wage.reports)
    assert figures.mean is not None
    truth = [5 * row["pay"]["wage"] + 2 for row in true_rows(N)]
    assert abs(figures.mean.value - sum(truth) / N) < 5 * figures.mean.standard_error < 5
    assert figures.bins is not None
    assert figures.bins.shape.shares.sum() == pytest.approx(1)
    assert figures.bins.bars.value.sum() == pytest.approx(1)
    care = asked_in(run, "care", "place")
    windows = windows_of(care)
    regions = regions_of(windows)
    (river,) = list(place_regions(windows, care.reports, regions.declared, care.reports.protected[:-1]))
    assert river.share is not None
    share = sum(row["places"]["care"] == "river" for row in true_rows(N)) / N
    assert abs(river.share.value - share) < 5 * river.share.standard_error < 0.2
    assert place_mean(care) is not None


def _rules_count_a_skip_as_no_item(run: Run) -> None:
    keys = {item.key: item.index for item in run.version.to_design().items}
    rows = {unpack_items(row.items): row for row in run.itemsets.all()}
    long = sum(row["time"]["hours"] >= 5 for row in true_rows(N)) / N
    both = sum(row["time"]["hours"] >= 5 and row["life"]["drink"] for row in true_rows(N)) / N
    # Shares are of all people asked, and skips are independent of answers.
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
