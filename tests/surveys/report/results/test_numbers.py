"""A number's page: estimates of known answers, hidden values, and files that agree with it."""

import csv
import io
import json
import math
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from django.test import Client

from mining.columns.sent_counts import SentCounts
from privacy.scales.calendars import calendar_text, calendar_tick
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.quantities import quantiles
from privacy.scales.scale_groups import scale_groups
from surveys.formats.disguise_bounds import epsilon_text
from surveys.formats.histogram import bar_text, bars_text
from surveys.formats.numbers import number, percent_text
from surveys.models import Run
from surveys.report.results.numbers import number_context
from surveys.report.sentences.fit_endings import ended_text
from surveys.report.sentences.number_texts import number_text, range_in_unit
from surveys.runs.numbers import QUANTILES, band_of, figures_of, number_figures
from surveys.runs.scale_question import ScaleQuestion, scale_of
from tests.fixtures.devices import closed, published
from tests.fixtures.runs import SINGLES, audited_run, mined_run
from tests.fixtures.scale_runs import scale_answer, scale_answered, scale_definition, true_rows

pytestmark = pytest.mark.django_db


def asked_in(run: Run, key: str) -> ScaleQuestion:
    return scale_of(run, key, "number")


@pytest.mark.soak
@pytest.mark.parametrize("mechanism", ["square_wave", "keep"])
def test_histogram_mean_and_quantiles_recover_known_answers(mechanism: str) -> None:
    n = 3_000
    asked = asked_in(mined_run(scale_answered(n, wage=mechanism), SINGLES), "wage")
    figures = figures_of(asked)
    wages = sorted(row["pay"]["wage"] for row in true_rows(n))
    # Bins of five from 0, so the middle of bin b is 5 b + 2.
    assert figures.mean is not None
    assert figures.bins is not None
    assert abs(figures.mean.value - (5 * sum(wages) / n + 2)) < 5 * figures.mean.standard_error
    of_core = quantiles(band_of(asked), scale_groups(band_of(asked), asked.reports.protected), QUANTILES)
    assert [(one.share, one.value, one.parts) for one in figures.bins.quantiles] == [
        (one.share, one.value, one.parts) for one in of_core
    ]
    median = 5 * wages[n // 2] + 2
    found = next(one for one in figures.bins.quantiles if one.share == 0.5)
    assert found.low - 5 < median < found.high + 5
    counted = Counter(wages)
    truth = np.array([counted[place] / n for place in range(20)])
    shape, bars = figures.bins.shape.shares, figures.bins.bars
    assert np.abs(truth - shape).sum() / 2 < 0.12
    assert abs(shape.sum() - 1) < 1e-9
    assert (np.abs(truth - bars.value) < 5 * bars.standard_error).all()
    assert abs(bars.value.sum() - 1) < 1e-9


@pytest.mark.soak
def test_the_page_describes_bars_and_the_reconstructed_shape(reader: Client) -> None:
    run = mined_run(scale_answered(500), SINGLES)
    asked = asked_in(run, "hours")
    bins = figures_of(asked).bins
    assert bins is not None
    said = ended_text(bins.shape.fit), epsilon_text(band_of(asked))
    text = reader.get(f"/en/staff/runs/{run.pk}/numbers/hours/").content.decode()
    for shown in (*said, "hours a week", "How Sottovoce reconstructed the shape"):
        assert shown in text
    assert "Line: the shape, smoothed." in text
    assert "share of people who skip it" not in text
    assert (text.count("<rect"), text.count("<polyline"), text.count('class="whisker"')) == (8, 1, 8)


@pytest.mark.soak
def test_chart_table_and_files_agree(reader: Client) -> None:
    run = mined_run(scale_answered(400), SINGLES)
    here = f"/en/staff/runs/{run.pk}/numbers/hours/"
    told = reader.get(here + "figures.json").json()
    sent = b"".join(reader.get(here + "histogram.csv")).decode()
    rows = list(csv.DictReader(io.StringIO(sent)))
    asked = asked_in(run, "hours")
    page = number_context(asked)
    text = reader.get(here).content.decode()
    for row, entry in zip(rows, told["histogram"], strict=True):
        for name in ("share_unclipped", "share_se", "share_low", "share_high", "shape"):
            assert float(row[name]) == entry[name]
        assert entry["share_low"] < entry["share_unclipped"] < entry["share_high"]
        # An impossible share is empty in the column of shares.
        is_possible = 0 <= entry["share_unclipped"] <= 1
        assert entry["share"] == (entry["share_unclipped"] if is_possible else None)
        assert (row["share_basis"] == "estimate") == is_possible
    # The files have every bin; a bar of the picture combines some of them.
    drawn = figures_of(asked).bins.chart
    for (first, last), bar in zip(drawn.spans, page["bars"], strict=True):
        inside = told["histogram"][first : last + 1]
        assert bar.name == f"{inside[0]['from']} – {inside[-1]['to']}"
        assert bar.share == pytest.approx(sum(entry["share_unclipped"] for entry in inside))
        assert bar.shape == pytest.approx(sum(entry["shape"] for entry in inside))
        interval = f"[{percent_text(bar.low)}%, {percent_text(bar.high)}%]"
        assert bar_text(bar) in page["drawing"]
        assert f'<td class="num">{interval}</td><td class="num">{percent_text(bar.shape)}%</td>' in text
    for found, entry in zip(page["figures"].bins.quantiles, told["quantiles"], strict=True):
        assert f'<td class="num">{number_text(entry["value"], band_of(asked))}</td>' in text
        hull = " to ".join(number_text(entry[end], band_of(asked)) for end in ("low", "high"))
        assert f'<td class="num">{hull}' in text
        assert (entry["low"], entry["high"]) == (entry["parts"][0][0], entry["parts"][-1][1])
        assert entry["gaps"] is (len(entry["parts"]) > 1)
        assert found.estimable is entry["estimable"]
    assert told["epsilon_of_the_question"] == epsilon_text(band_of(asked))
    assert page["drawing"].startswith("<svg")
    assert all(bar_text(bar) in page["drawing"] for bar in page["bars"])


@pytest.mark.soak
@pytest.mark.parametrize("n", [150, 400, 1_500])
def test_the_number_of_bars_depends_only_on_the_number_of_respondents(n: int) -> None:
    asked = asked_in(mined_run(scale_answered(n), SINGLES), "wage")
    bins = figures_of(asked).bins
    assert bins is not None
    bars = number_context(asked)["bars"]
    if bins.chart is None:
        assert bars == []
        return
    assert sum(bar.share for bar in bars) == pytest.approx(1)
    # The bars depend on the number of people, not on their answers.
    channel, sent = band_of(asked), asked.reports
    other = replace(sent, protected=np.roll(sent.protected, 3), direct=np.roll(sent.direct, 1))
    rolled = number_figures(channel, other).bins
    assert rolled is not None
    assert rolled.chart is not None
    assert rolled.chart.spans == bins.chart.spans


@pytest.mark.soak
def test_more_respondents_allow_more_bars_under_equal_shares() -> None:
    """With n = 2,000 and a small p, a bar of b bins errs by 1.96 sqrt(l (1 - l)/n)/p, l = b/100."""
    channel, counts = generalised_rr(NumberRange(low=0, high=99), 5_000), []
    kept = float(channel.retention_probability or 0)
    for n in (200, 2_000, 20_000):
        sent = SentCounts(direct=np.zeros(100, dtype=int), protected=np.full(100, n // 100))
        bins = number_figures(channel, sent).bins
        assert bins is not None
        counts.append(len(bins.chart.spans) if bins.chart else 0)
        half = {b: 1.959964 * np.sqrt(1 / b * (1 - 1 / b) / n) / kept for b in (2, 4, 5, 10, 20, 25, 50)}
        carried = [b for b, own in half.items() if own <= 1 / (2 * b)]
        assert counts[-1] >= max(carried, default=0)
        assert counts[-1] <= 2 * max(carried, default=1)
    assert counts == sorted(counts)
    assert counts[0] < counts[2]


@pytest.mark.soak
def test_numbers_show_mean_median_and_a_described_histogram(reader: Client) -> None:
    run = mined_run(scale_answered(1_500), SINGLES)
    asked = asked_in(run, "hours")
    text = reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    said = number_context(asked)["sentence"]
    mean = r"On average [\d.]+ hours a week, between [\d.]+ and [\d.]+; "
    assert re.fullmatch(mean + r"the median is [\d.]+ hours a week, between [\d.]+ and [\d.]+\.", said)
    assert said in text
    assert f"<title>{asked.text}</title><desc>{bars_text(number_context(asked)['bars'])}</desc>" in text


@pytest.mark.soak
def test_too_few_people_get_a_range_and_the_number_that_a_picture_needs(reader: Client) -> None:
    """The attack: as many people as stated are asked, and the picture is there; with fewer, it is not."""
    document = {"wage": "keep", "wage_epsilon": 1}
    run = mined_run(scale_answered(150, slug="few", **document), SINGLES)
    text = reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    (n, enough) = re.findall(r"(\d+) people are too few for a picture; about ([\d,]+) would do\.", text)[0]
    assert n == "150"
    people = int(enough.replace(",", ""))
    for many, is_drawn in ((people, True), (round(0.85 * people), False)):
        asked = asked_in(mined_run(scale_answered(many, slug=f"n{many}", **document), SINGLES), "wage")
        page = number_context(asked)
        assert bool(page["drawing"]) is is_drawn
        assert bool(page["picture_words"]) is not is_drawn


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        ((2.5, 1.4, 3.6), ("2.5 drinks", "between 1.4 and 3.6")),
        ((2.6, -1.4, 7.6), ("3 drinks", "between 0 and 8")),
        ((-2.6, -5.1, 7.1), ("", "between 0 and 7 drinks")),
        ((11.0, 3.0, 15.0), ("", "between 3 and 9 drinks")),
    ],
)
def test_a_mean_is_a_range_inside_the_possible_answers(
    figure: tuple[float, float, float], said: tuple[str, str]
) -> None:
    channel = generalised_rr(NumberRange(low=0, high=9), 5_000)
    assert range_in_unit(figure, channel, "drinks") == said


@pytest.mark.soak
def test_indistinguishable_bins_show_no_shares(reader: Client) -> None:
    run = mined_run(scale_answered(500, wage="hybrid", wage_epsilon=0.5), SINGLES)
    here = f"/en/staff/runs/{run.pk}/numbers/wage/"
    text = reader.get(here).content.decode()
    assert "do not distinguish the bins" in text
    assert "<svg" not in text.split('id="scale-title"')[1]
    assert "The mean is unbiased" in text
    told = reader.get(here + "figures.json").json()
    assert (told["histogram"], told["quantiles"], told["shape"]) == ([], [], None)
    assert told["mean"]["low"] < told["mean"]["high"]
    assert len(b"".join(reader.get(here + "histogram.csv")).decode().splitlines()) == 1


@pytest.mark.soak
def test_rules_describe_bands_and_regions_in_words(reader: Client) -> None:
    run = mined_run(scale_answered(1_500))
    text = reader.get(f"/en/staff/runs/{run.pk}/").content.decode()
    assert "hours: 50 and more" in text
    assert "care: By the river" in text
    rules = reader.get(f"/en/staff/runs/{run.pk}/rules.json")
    found = json.loads(b"".join(rules))["rules"]  # type: ignore[arg-type]  # a stream of bytes
    joint = next(
        rule for rule in found if rule["antecedent"] == ["hours=50-up"] and rule["consequent"] == ["drink"]
    )
    rows = list(true_rows(1_500))
    both = sum(row["time"]["hours"] >= 5 and row["life"]["drink"] for row in rows) / len(rows)
    assert abs(joint["support"] - both) < 5 * joint["support_se"]
    assert joint["lift_low"] > 1


@pytest.mark.soak
def test_the_audit_of_a_run_includes_numbers_and_places(reader: Client) -> None:
    run = mined_run(scale_answered(400), SINGLES)
    audited_run(run)
    text = reader.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    table = text.partition('id="scales-title"')[2].partition("</table>")[0]
    bounds = [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row) for row in table.split("</tr>")[1:-1]]
    assert [row[:4] for row in bounds] == [
        ["hours", "every answer", "20.1", "3"],
        ["wage", "every answer", "20.1", "3"],
        ["care", "the sensitive areas only", "20.1", "3"],
    ]
    audit = reader.get(f"/en/staff/runs/{run.pk}/audit.json").json()["audit"]
    assert [entry["key"] for entry in audit["lone"]] == ["time", "pay", "places"]
    # Outside its sensitive areas, a place is known; a place that is disguised everywhere is not.
    known = "A place outside the sensitive areas is sent undisguised, so it is always known."
    whole = audited_run(mined_run(scale_answered(200, slug="whole", everywhere=True), SINGLES))
    assert known in text
    assert known not in reader.get(f"/en/staff/runs/{whole.pk}/audit/").content.decode()
    head = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert "places ε 3.00 inside the sensitive areas, exact outside them, listed separately" in head


@pytest.mark.soak
def test_months_have_the_figures_of_equal_numbers_and_are_shown_as_dates(reader: Client) -> None:
    first = calendar_tick("month", "2018-01")
    asked = {}
    for name in ("number", "month"):
        document = scale_definition(name)
        stated = document["blocks"][4]["questions"][0]["number"]
        if name == "month":
            stated |= {"calendar": "month", "low": "2018-01", "high": "2026-04"}
        version = published(document)
        scale_answer(version, 300)
        asked[name] = asked_in(mined_run(closed(version)), "wage")
    plain, dated = (figures_of(one) for one in asked.values())
    assert plain.mean is not None
    assert dated.mean is not None
    assert plain.bins is not None
    assert dated.bins is not None
    assert math.isclose(dated.mean.value, first + plain.mean.value, rel_tol=0, abs_tol=1e-6)
    assert np.allclose(dated.bins.bars.value, plain.bins.bars.value, rtol=0, atol=1e-12)
    bars = number_context(asked["month"])["bars"]
    assert (bars[0].name[:7], bars[-1].name[-7:]) == ("2018-01", "2026-04")
    mean = calendar_text("month", first + round(plain.mean.value))
    here = f"/en/staff/runs/{asked['month'].run.pk}/numbers/wage/"
    text = reader.get(here).content.decode()
    for value in (mean, *(calendar_text("month", round(first + one.value)) for one in plain.bins.quantiles)):
        assert re.search(rf'<td class="num">{value}\s*</td>', text)
    assert f"Its standard error is {number(plain.mean.standard_error, 1)} months." in text
    told = reader.get(here + "figures.json").json()
    assert told["range"]["calendar"] == "month"
    assert told["mean"]["value"] == mean
    assert told["histogram"][0]["from"] == "2018-01"
