"""The page of a number: what it tells of known answers, what it hides, and that its files say the same."""

import csv
import io
import json
from collections import Counter

import numpy as np
import pytest
from django.test import Client

from privacy.numbers import quantiles
from surveys.audit.storing import audit_store
from surveys.models import Run
from surveys.report.figures import NORMAL
from surveys.report.lone.asked import Asked, asked_of
from surveys.report.lone.number_figures import QUANTILES
from surveys.report.lone.number_page import number_page
from surveys.report.lone.number_told import band_of, figures_of, hidden_bars
from surveys.report.outcome import run_page
from tests.surveys.report.cast import alice, mined
from tests.surveys.report.lone.cast import lone_answered, true_rows

pytestmark = pytest.mark.django_db


def asked_in(run: Run, key: str) -> Asked:
    return asked_of(run, run_page(run, run.version.to_design()), key, "number")


@pytest.mark.parametrize("mechanism", ["square_wave", "shift_or_any"])
def test_histogram_mean_and_quantiles_come_back_from_known_answers(mechanism: str) -> None:
    n = 3_000
    asked = asked_in(mined(lone_answered(n, wage=mechanism)), "wage")
    figures = figures_of(asked)
    wages = sorted(row["pay"]["wage"] for row in true_rows(n))
    # Five to a bin, bins from 0: the middle of bin b is 5 b + 2.
    assert figures.mean is not None
    assert abs(figures.mean.value - (5 * sum(wages) / n + 2)) < 5 * figures.mean.standard_error
    assert figures.quantiles == quantiles(
        band_of(asked), asked.sent.protected, QUANTILES, rng=np.random.default_rng(asked.seed)
    )
    median = 5 * wages[n // 2] + 2
    found = next(one for one in figures.quantiles if one.share == 0.5)
    assert found.low - 5 < median < found.high + 5
    counted = Counter(wages)
    distance = sum(abs(counted[place] / n - share) for place, share in enumerate(figures.smooth.shares)) / 2
    assert distance < 0.12
    assert abs(figures.smooth.shares.sum() - 1) < 1e-9


def test_the_same_rows_give_the_same_figures_and_the_page_states_seed_and_stop(client: Client) -> None:
    run = mined(lone_answered(500))
    asked = asked_in(run, "hours")
    again = Asked(**{name: getattr(asked, name) for name in Asked.__dataclass_fields__})
    assert again.seed == asked.seed
    assert asked_in(run, "wage").seed != asked.seed
    page = number_page(asked, plain=False)
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/numbers/hours/").content.decode()
    for shown in (str(asked.seed), page.ended_smooth, page.ended_plain, "200 replicates", page.epsilon):
        assert shown in text
    assert "share who skip it" not in text
    assert "hours a week" in text
    assert text.count("<rect") == 8


def test_picture_table_and_files_say_the_same(client: Client) -> None:
    run = mined(lone_answered(500))
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/numbers/hours/"
    told = client.get(here + "figures.json").json()
    sent = b"".join(client.get(here + "histogram.csv")).decode()
    rows = list(csv.DictReader(io.StringIO(sent)))
    page = number_page(asked_in(run, "hours"), plain=False)
    assert [f"{row['from']} – {row['to']}" for row in rows] == [bar.name for bar in page.bars]
    for row, bar, entry in zip(rows, page.bars, told["histogram"], strict=True):
        assert float(row["share"]) == entry["share"]
        assert abs(float(row["share"]) - float(bar.smooth)) < 6e-5
        said = f"{bar.name}: {bar.smooth} ± "
        assert said in page.drawing
    assert told["seed"] == asked_in(run, "hours").seed
    assert told["epsilon_of_the_question"] == page.epsilon
    drawing = client.get(here + "histogram.svg?smoothing=off").content.decode()
    assert drawing.startswith("<svg")
    assert drawing != page.drawing


def test_where_answers_are_direct_a_bin_of_few_people_is_not_told() -> None:
    asked = asked_in(mined(lone_answered(2_000, n_direct=200)), "wage")
    hidden = hidden_bars(asked, figures_of(asked))
    assert hidden[19]
    assert not hidden[8]
    page = number_page(asked, plain=False)
    assert page.bars[19].smooth == page.bars[19].plain == ""
    assert page.n_direct == "200"
    assert page.hidden == sum(hidden)
    assert "95 – 99" not in page.drawing


@pytest.mark.parametrize("key", ["hours", "wage"])
def test_no_hidden_bar_follows_from_anything_that_is_told(client: Client, key: str) -> None:
    run = mined(lone_answered(2_000, n_direct=200))
    asked = asked_in(run, key)
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/numbers/{key}/"
    told = client.get(here + "figures.json").json()
    bars = told["histogram"]
    hidden = np.array([bar["hidden"] for bar in bars], dtype=bool)
    assert 3 <= hidden.sum() <= len(bars) / 2
    # Everybody, the mean, and the bands that rules tell: no hidden bar is a combination of them.
    middles = [(int(bar["from"]) + int(bar["to"])) / 2 for bar in bars]
    bands = [[float(int(bar["from"]) >= 50) for bar in bars]] if key == "hours" else []
    known = np.array([np.ones(len(bars)), middles, *bands])[:, hidden]
    for place in range(known.shape[1]):
        more = np.vstack([known, np.eye(known.shape[1])[place]])
        assert np.linalg.matrix_rank(more) > np.linalg.matrix_rank(known)
    for curve in (figures_of(asked).smooth, figures_of(asked).plain):
        assert curve.shares[hidden].sum() * asked.sent.people >= 10
    # Where in its bin a quantile lies would tell how many people are below it.
    assert told["quantiles_in_whole_bins"] is True
    band = band_of(asked)
    size = float(band.range.middle(1) - band.range.middle(0))
    all_middles = {float(band.range.middle(place)) for place in range(band.inputs)}
    for one, exact in zip(told["quantiles"], figures_of(asked).quantiles, strict=True):
        assert {one["value"], one["low"] + size / 2, one["high"] - size / 2} <= all_middles
        assert one["low"] <= exact.low <= exact.high <= one["high"]
        assert abs(one["value"] - exact.value) <= size / 2
    # Page, picture, table and both files hide the same.
    page = client.get(here).content.decode()
    assert f"{hidden.sum()} bars are not shown: those of fewer than 10 people" in page
    assert page.count('colspan="4">not shown') == hidden.sum()
    rows = list(csv.DictReader(io.StringIO(b"".join(client.get(here + "histogram.csv")).decode())))
    assert [row["hidden"] == "1" for row in rows] == hidden.tolist()
    assert [row["share"] == "" for row in rows] == hidden.tolist()
    drawing = client.get(here + "histogram.svg").content.decode()
    for bar in bars:
        assert (f"{bar['from']} – {bar['to']}: " in drawing) is not bool(bar["hidden"])


def test_few_direct_answers_are_not_told_apart(client: Client) -> None:
    run = mined(lone_answered(1_000, n_direct=20))
    asked = asked_in(run, "wage")
    assert number_page(asked, plain=False).n_direct == ""
    client.force_login(alice())
    told = client.get(f"/en/staff/runs/{run.pk}/numbers/wage/figures.json").json()
    assert all(len(str(bar["share"]).strip("0.")) <= 8 for bar in told["histogram"] if bar["share"])
    assert told["mean"]["value"] == float(f"{figures_of(asked).mean.value:.3g}")  # type: ignore[union-attr]


def test_an_error_bar_reaches_as_far_as_the_error_says() -> None:
    page = number_page(asked_in(mined(lone_answered(800)), "hours"), plain=True)
    bar = page.bars[2]
    reach = float(page.drawing.split(f"{bar.name}: {bar.plain} ± ")[1].split("<")[0])
    assert abs(reach - NORMAL * float(bar.plain_error)) < 2e-4


def test_bands_and_regions_stand_in_rules_in_words(client: Client) -> None:
    run = mined(lone_answered(3_000))
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/").content.decode()
    assert "hours: 50 and more" in text
    assert "care: By the river" in text
    rules = client.get(f"/en/staff/runs/{run.pk}/rules.json")
    found = json.loads(b"".join(rules))["rules"]  # type: ignore[arg-type]  # a stream of bytes
    joint = next(
        rule for rule in found if rule["antecedent"] == ["hours=50-up"] and rule["consequent"] == ["drink"]
    )
    rows = list(true_rows(3_000))
    both = sum(row["time"]["hours"] >= 5 and row["life"]["drink"] for row in rows) / len(rows)
    assert abs(joint["support"] - both) < 5 * joint["support_se"]
    assert joint["lift_low"] > 1


def test_the_audit_of_a_run_counts_numbers_and_places(client: Client) -> None:
    run = mined(lone_answered(500))
    audit_store(run.job_id)
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert "what is sent for hours multiplies the odds of anything by at most 20.1" in text
    assert "among the sensitive places of care odds change by at most 20.1" in text
    audit = client.get(f"/en/staff/runs/{run.pk}/audit.json").json()["audit"]
    assert [entry["key"] for entry in audit["lone"]] == ["time", "pay", "places"]
    head = client.get(f"/en/staff/runs/{run.pk}/").content.decode()
    assert "places ε 3.00 inside the sensitive areas, exact outside them, apart" in head
