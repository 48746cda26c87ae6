"""Tests of the draws of a run."""

import csv
import io
import re
from pathlib import Path

import pytest
import scipy
from django.template.loader import render_to_string
from django.test import Client

from mining.thresholds import Thresholds
from privacy.policy import DRAW_TEST_SIZE
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.runs.draw_facts import DrawFacts, complete_only, counts_all_rows, draw_facts
from tests.fixtures.exports import script, unpacked
from tests.fixtures.rotating_survey import SHARES, rotating
from tests.fixtures.runs import answered_version, mined_run
from tests.privacy.estimation.test_required_counts import ROUTED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ROUTED)
def test_parts_that_count_only_complete_rows_are_named(name: str) -> None:
    design, all_rows = ROUTED[name]
    assert complete_only(design) == (() if all_rows else ("b",))
    named = DrawFacts(lines=(), complete_only=complete_only(design))
    said = render_to_string("report/rules/partials/draws.html", {"draws": named})
    assert ("The same applies to b." in said) is not all_rows


def test_all_rows_count_if_draws_were_tested_and_none_was_rejected() -> None:
    assert DrawFacts(lines=({"rejects": False}, {"rejects": False})).all_rows
    assert not DrawFacts(lines=({"rejects": False}, {"rejects": True})).all_rows
    assert not counts_all_rows(Run(summary={}))
    assert draw_facts(Run(summary={"draws": None})) is None


PAIRS = Thresholds(support=0.05, max_size=2, confidence=0.1)


WARNED = "The questions that people were asked may not be random"


@pytest.mark.soak
def test_partly_asked_respondents_count_if_draws_look_random(reader: Client, tmp_path: Path) -> None:
    run = mined_run(rotating(), PAIRS)
    (draw, skip) = run.summary["draws"]
    assert (draw["about"], skip["about"], draw["key"], draw["n"]) == ("draw", "skip", "habits", 3_000)
    assert min(draw["p_value"], skip["p_value"]) > DRAW_TEST_SIZE
    about = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert "Respondents who were asked only part of an itemset also count for it." in about
    assert "Each question was asked about as often as expected." in about
    assert (
        "With more than six parts that are drawn separately, only people who were asked every question count"
        in about
    )
    assert "Too many different answers lead there." not in about
    results = reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    assert WARNED not in results
    # Each question shows how many people were asked it, each rule how many were asked all of it.
    for row in ItemsetRow.objects.filter(run=run, size=1):
        assert f"{row.n:,} people were asked." in results
    tests = reader.get(f"/en/staff/runs/{run.pk}/tests/").content.decode()
    numbers = dict(RuleRow.objects.filter(run=run).values_list("pk", "n"))
    shown = dict(re.findall(r'/rules/(\d+)/.*?<td class="num">([\d,]+)</td>', tests, re.S))
    assert {int(rule): int(n.replace(",", "")) for rule, n in shown.items()} == numbers
    beside = re.findall(r'([\d,]+) people were asked.</span>\s*<a href="[^"]*/rules/(\d+)/', results)
    assert beside
    assert all(numbers[int(rule)] == int(n.replace(",", "")) for n, rule in beside)
    with_tests = reader.get(f"/en/staff/runs/{run.pk}/rules.csv").getvalue().decode()
    listed = [int(row["n"]) for row in csv.DictReader(io.StringIO(with_tests))]
    assert sorted(listed) == sorted(numbers.values())
    # n is the number of people who were asked all of it: three of five questions, three of ten pairs.
    for row in ItemsetRow.objects.filter(run=run):
        assert abs(row.n - 3_000 * (0.6 if row.size == 1 else 0.3)) < 6 * (3_000 * 0.25) ** 0.5
    # Estimates are within five standard errors of the truth.
    singles = {row.items: row for row in ItemsetRow.objects.filter(run=run, size=1)}
    assert len(singles) == len(SHARES)
    for number, share in enumerate(SHARES):
        row = singles[f",{number},"]
        assert abs(row.support - share) < 5 * row.support_se
    where = unpacked(run, tmp_path)
    with (where / "rows.csv").open(encoding="utf-8") as file:
        asked = [row["habits.asked"].split() for row in csv.DictReader(file)]
    assert {len(questions) for questions in asked} == {3}
    done = script(where)
    assert "15 itemsets" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_the_page_warns_about_avoided_questions_and_counts_complete_rows(
    reader: Client, tmp_path: Path
) -> None:
    run = mined_run(rotating(6_000, slug="avoided", avoided=0.4), PAIRS)
    assert run.summary["draws"][0]["rejects"]
    about = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert "Only respondents who were asked the whole itemset count for it." in about
    assert WARNED in reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    # The script uses complete rows and gets the same estimates.
    done = script(unpacked(run, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout


def test_surveys_without_rotation_omit_the_draws(reader: Client) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.2))
    assert run.summary["draws"] is None
    assert "Who was asked what" not in reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()


def test_the_survey_page_says_how_many_people_every_rotating_question_needs(reader: Client) -> None:
    """With 190 people and three of five questions each, fewer than 100 are asked one in 2% of surveys."""
    assert scipy.stats.binom.cdf(99, [180, 190], 0.6) == pytest.approx([0.098, 0.0165], abs=5e-4)
    version = rotating(120, slug="few")
    assert (version.people_needed, answered_version().people_needed) == (190, 100)
    sentence = "After about 190 people, every question has the 100 answers that a result needs."
    assert sentence in reader.get("/en/staff/surveys/few/").content.decode()
    rotating(200, slug="many")
    assert sentence not in reader.get("/en/staff/surveys/many/").content.decode()
