"""Runs in halves: which rows find, which test, and what is written down before."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from numpy.random import default_rng

from mining.columns.count_cache import CountCache
from mining.split_sample import random_split
from mining.thresholds import Thresholds
from privacy.estimation import estimate, required_counts
from surveys.errors.error import SurveyError
from surveys.figures.estimating import expression_of_run
from surveys.jobs import lease
from surveys.models import AuditEvent, Run
from surveys.questionnaire.labels import unpack_items
from surveys.report.forms import MineForm
from surveys.report.pictures.two_by_two import two_by_two
from surveys.rows.column_cache import cached_columns
from surveys.rows.columns import split_seed
from surveys.rows.releasable_rows import rows_behind
from surveys.rows.snapshot import batches_of
from surveys.runs.mining_job import mine_snapshot
from tests.cast.runs import LOOSE, alice, answered, asked, mined

pytestmark = pytest.mark.django_db(transaction=True)

HALVES = replace(LOOSE, support=0.15, halves=True)


def test_figures_are_of_the_half_that_did_not_list_them() -> None:
    run = mined(answered(1600, n_direct=300, practice=True), HALVES)
    design = run.version.to_design()
    whole = cached_columns(design, run.survey_id, batches_of(run)).matrix
    first, second = random_split(whole, default_rng(split_seed(run.snapshot_digest)))
    assert (run.n, run.n_direct) == (second.n, second.n_direct) == (800, 150)
    for row in run.itemsets.all():
        items = unpack_items(row.items)
        found = estimate(CountCache(second).need(required_counts([items], design)), items, design)
        assert row.support == pytest.approx(found.value, abs=1e-12)
        listing = estimate(CountCache(first).need(required_counts([items], design)), items, design)
        assert listing.value >= HALVES.support - 1e-9
    family = run.summary["inference"]["family"]
    assert family["confidence"] == run.summary["halves"]["rules_listed"] == run.rules.count()
    assert family["lift"] < AuditEvent.objects.get(action="run_request").detail["family"]
    assert run.summary["halves"]["n_listing"] == first.n


def test_what_is_estimated_beside_a_run_in_halves_comes_from_the_half_that_tested() -> None:
    run = mined(answered(1600, n_direct=300), HALVES)
    design = run.version.to_design()
    for row in run.rules.all():
        cells = two_by_two(run, row).cells
        assert cells["both"].value + cells["before"].value == pytest.approx(cells["all_before"].value)
        assert cells["both"].value / cells["all_before"].value == pytest.approx(row.confidence)
    assert rows_behind(run).n == run.n == 800
    for row in run.itemsets.filter(size=1):
        (item,) = unpack_items(row.items)
        found = expression_of_run(run, design.items[item].key).estimate
        assert (found.value, found.n) == (pytest.approx(row.support), row.n)


def test_seed_and_thresholds_are_written_down_before_a_row_is_read(client: Client) -> None:
    run = asked(answered(800), HALVES)
    event = AuditEvent.objects.get(action="run_request")
    assert event.detail["halves_seed"] == str(split_seed(run.snapshot_digest))
    assert event.detail["parameters"]["halves"] is True
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert f"a family of {event.detail['family']} rules: entry {event.pk} of the audit log" in page
    assert "--halves" in page


def test_the_pages_say_which_half_did_what(client: Client) -> None:
    run = mined(answered(1600, n_direct=300), HALVES)
    client.force_login(alice())
    tests = client.get(f"/en/staff/runs/{run.pk}/tests/").content.decode()
    assert "are of the other 800 alone" in tests
    about = client.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert "800 answers found the rules, the other 800 tested them" in about
    assert "2 batches, 1,600 answers" in about


def test_a_half_with_too_few_protected_answers_has_no_result() -> None:
    run = asked(answered(198, n_direct=0), HALVES)
    assert lease.claim(run.job_id, now=run.job.created_at) is not None
    with pytest.raises(SurveyError, match="half of the answers has too few"):
        mine_snapshot(run.job_id, lambda *progress: None)


@pytest.mark.soak
def test_the_command_asks_for_halves_and_repeats_them() -> None:
    answered(1000, n_direct=0)
    documents = []
    for _again in range(2):
        out = StringIO()
        call_command("mine", "habits", "--support", "0.02", "--halves", "--inline", "--json", stdout=out)
        documents.append(json.loads(out.getvalue())["rules"])
    assert documents[0] == documents[1]
    assert all(Thresholds.from_json(run.parameters).halves for run in Run.objects.all())


def test_thresholds_of_an_older_release_are_read_as_one_whole() -> None:
    document = LOOSE.to_json()
    del document["halves"]
    assert Thresholds.from_json(document) == LOOSE


def test_the_form_asks_for_halves() -> None:
    version = answered(200, n_direct=0)
    given = {
        "version": version.pk, "support": 0.05, "confidence": 0, "max_size": 3, "estimator": "stratified",
        "policy": "inclusive", "target": "population",
    }  # fmt: skip
    for more, halves in (({"halves": "on"}, True), ({}, False)):
        form = MineForm([version], given | more)
        assert form.is_valid(), form.errors
        assert form.thresholds().halves is halves
