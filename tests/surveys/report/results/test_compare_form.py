"""The form of a comparison, and the figures that it asks for."""

import csv
import io
import math
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.test import Client

from privacy.estimation.comparison import Comparison
from privacy.planning.use import use_of
from surveys.models import Run, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.use_words import use_sentences
from surveys.report.opened_run import with_results
from surveys.report.results.compare_form import CompareForm
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.results.planned_question import your_question
from surveys.report.sentences.verdict import about_people
from surveys.runs.comparisons import compare_sides
from surveys.runs.withheld import withheld_of
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run, planned_version
from tests.fixtures.scale_runs import scale_answered, true_rows

pytestmark = pytest.mark.django_db


LONG_HOURS = {"outcome": "hours:range", "outcome_from": "50"}


BY_THE_RIVER = {"by": "care=river"}


def form_of(run: Run, given: Mapping[str, str]) -> CompareForm:
    form = CompareForm(given, with_results(run))
    assert form.is_valid(), form.errors
    return form


@pytest.mark.soak
def test_the_compare_form_uses_questionnaire_wording_and_two_questions() -> None:
    run = mined_run(scale_answered(400), SINGLES)
    opened = with_results(run)
    labels, form = opened.labels, CompareForm(None, opened)
    listed = dict(form.fields["outcome"].choices)  # type: ignore[attr-defined]
    assert {label.text in listed[label.key] for label in labels.items if label.key in listed} == {True}
    assert listed["hours:range"].endswith("from … to …")
    first = form.choices[next(iter(listed))]
    assert form.choices[form["by"].value()].group != first.group


def found_of(run: Run, given: Mapping[str, str]) -> Comparison:
    form = form_of(run, given)
    return compare_sides(run, form.chosen["by"].side, form.chosen["outcome"].side, form.weights)


def comparison_text(run: Run, given: Mapping[str, str]) -> ComparisonText:
    form = form_of(run, given)
    return ComparisonText(
        comparison=found_of(run, given),
        outcome=form.chosen["outcome"],
        by=form.chosen["by"],
        forged=withheld_of(run).rows,
    )


def _held(found: Comparison, having: list[float], others: list[float]) -> None:
    """Assert that both values and their difference are close to the true ones."""
    first, second = (sum(own) / len(own) for own in (having, others))
    for measured, truth in (
        (found.having, first),
        (found.others, second),
        (found.difference, first - second),
    ):
        error = measured.standard_error
        assert error is not None
        assert abs(measured.value - truth) < 5 * error


@pytest.mark.soak
def test_comparisons_of_ranges_regions_and_means_recover_the_true_values() -> None:
    run = mined_run(scale_answered(1_500), SINGLES)
    people = list(true_rows(1_500))
    river = [row for row in people if row["places"]["care"] == "river"]
    rest = [row for row in people if row["places"]["care"] != "river"]
    found = found_of(run, LONG_HOURS | BY_THE_RIVER)
    _held(found, *([row["time"]["hours"] >= 5 for row in part] for part in (river, rest)))
    assert found.lift.low > 1
    # The first bin's middle is 4.5 hours, the last bin's 74.5.
    mean = found_of(run, {"outcome": "hours:mean"} | BY_THE_RIVER)
    _held(mean, *([row["time"]["hours"] / 7 for row in part] for part in (river, rest)))
    drinking = found_of(run, {"outcome": "drink"} | BY_THE_RIVER)
    _held(drinking, *([row["life"]["drink"] for row in part] for part in (river, rest)))


@pytest.mark.parametrize(("n", "n_direct", "few"), [(150, 0, True), (800, 160, False)])
def test_a_comparison_says_that_intervals_of_few_people_hold_less_often(
    client: Client, n: int, n_direct: int, few: bool
) -> None:
    run = mined_run(answered_version(n, n_direct=n_direct), SINGLES)
    given = {"outcome": "cheat", "by": "drink"}
    assert found_of(run, given).having.estimable
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/compare/", given).content.decode()
    assert ("the intervals contain the true value less often" in page) == few
    # One statement of the level, and the true one.
    assert ("The numbers in brackets are 95% confidence intervals." in page) == (not few)


@pytest.mark.soak
def test_the_page_and_its_files_show_the_same_comparison(client: Client) -> None:
    run = mined_run(scale_answered(1_500), SINGLES)
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/compare/"
    assert f'href="{here}"' in client.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    assert "comparison.csv" not in client.get(here).content.decode()
    given = LONG_HOURS | BY_THE_RIVER
    text = client.get(here, given).content.decode()
    ratio = "times the share among everyone who was asked"
    for words in ("hours from 50 to 79 by care: By the river", "Of 100 people who answered", ratio):
        assert words in text
    found = found_of(run, given)
    told = client.get(here + "comparison.json", given).json()
    having, others = told["outcomes"]
    for record in (having, others):
        assert (record["outcome"], record["by"], record["n"]) == ("hours=50..79", "care=river", 1_500)
        assert (record["p_value"], told["run"], told["tests"]) == (found.p_value, run.pk, None)
    assert (having["group"], others["group"]) == ("having", "others")
    for record, one in ((having, found.having), (others, found.others)):
        assert (record["share"], record["low"], record["standard_error"]) == (
            one.value, one.low, one.standard_error,
        )  # fmt: skip
    assert having["group_share_low"] < having["group_share"] == found.share < having["group_share_high"]
    assert having["group_share_low"] + others["group_share_high"] == pytest.approx(1)
    for name in ("difference", "lift"):
        one = getattr(found, name)
        assert (having[name], having[f"{name}_low"], having[f"{name}_standard_error"]) == (
            one.value, one.low, one.standard_error,
        )  # fmt: skip
        assert others[name] is None
    sent = b"".join(client.get(here + "comparison.csv", given)).decode()
    row, _others = csv.DictReader(io.StringIO(sent))
    assert float(row["difference_high"]) == having["difference_high"]
    assert (row["outcome_label"], row["estimator"]) == ("hours from 50 to 79", "stratified")
    assert "hours from 50 to 79" in client.get(told["address"]).content.decode()
    client.logout()
    for path in ("", "comparison.csv", "comparison.json"):
        assert client.get(here + path, given).status_code == 302


@pytest.mark.soak
def test_a_lift_with_only_an_interval_is_labelled_shown_because_estimable(reader: Client) -> None:
    """One pair's lift has an error, the other's only an interval."""
    labelled = set()
    run = mined_run(scale_answered(400), SINGLES)
    for start in ("10", "50", "70"):
        given = {"outcome": "hours:range", "outcome_from": start} | BY_THE_RIVER
        lift = found_of(run, given).lift
        text = reader.get(f"/en/staff/runs/{run.pk}/compare/", given).content.decode()
        is_selected = lift.estimable and lift.standard_error is None
        assert ("shown because estimable" in text) == is_selected, given
        labelled.add(is_selected)
    assert labelled == {False, True}


@pytest.mark.soak
def test_a_mean_is_shown_in_the_unit_of_its_answers(reader: Client) -> None:
    run = mined_run(scale_answered(1_500), SINGLES)
    given = {"outcome": "hours:mean"} | BY_THE_RIVER
    found = found_of(run, given)
    record = reader.get(f"/en/staff/runs/{run.pk}/compare/comparison.json", given).json()["outcomes"][0]
    assert record["mean"] == pytest.approx(4.5 + 70 * found.having.value)
    assert record["difference"] == pytest.approx(70 * found.difference.value)
    assert record["lift"] is None
    sentence = comparison_text(run, given).sentence
    assert f"on average: {4.5 + 70 * found.having.value:.1f} (" in sentence
    assert ") among people who answered" in sentence


def test_weights_change_the_figures_and_are_reported(reader: Client) -> None:
    run = mined_run(answered_version())
    here = f"/en/staff/runs/{run.pk}/compare/"
    given = {"outcome": "cheat", "by": "late"}
    plain = found_of(run, given)
    age = next(question for question in run.design.questions if question.key == "age")
    shares = [0.7, *[0.3 / (len(age.options) - 1)] * (len(age.options) - 1)]
    margins = "\n".join(f"age,{option},{share!r}" for option, share in zip(age.options, shares, strict=True))
    weighted = found_of(run, given | {"margins": margins})
    assert weighted.difference.value != plain.difference.value
    both = reader.get(here, {"outcome": f"age={age.options[0]}", "by": f"age={age.options[1]}"})
    assert "No one can give both answers." in both.content.decode()
    assert "Weighted to the shares" in reader.get(here, given | {"margins": margins}).content.decode()


def test_too_small_samples_state_how_many_people_are_needed() -> None:
    run = mined_run(scale_answered(120), SINGLES)
    told = comparison_text(run, {"outcome": "wage:range", "outcome_to": "49"} | BY_THE_RIVER)
    assert not told.is_clear
    # The aim asks for this difference, so its range is printed for any result.
    ends = [
        told.outcome.gap_text(end)
        for end in (told.comparison.difference.low, told.comparison.difference.high)
    ]
    low, high = ends[0].removesuffix(" points"), ends[1]
    width = told.comparison.difference.high - told.comparison.difference.low
    more = about_people(math.ceil(120 * (width / 0.3) ** 2) - 120)
    assert told.finding.kind == "uncertain"
    assert told.verdict == (
        f"Too uncertain to say: the difference is between {low} and {high}. About {more} more people "
        "would be enough to find a difference of 30 points, or to rule it out."
    )
    # A narrow interval around 0 rules a difference out, and never says that there is none.
    narrow = replace(told.comparison.difference, value=0.01, low=-0.152, high=0.002)
    ruled_out = replace(told, comparison=replace(told.comparison, difference=narrow))
    assert ruled_out.finding.kind == "ruled_out"
    said = "A difference of more than 16 points is ruled out: it is between −15.2 and 0.2 points."
    assert ruled_out.verdict == said
    unknown = [
        replace(told, comparison=replace(told.comparison, detectable=each)) for each in (0.0, math.nan)
    ]
    assert {each.verdict for each in unknown} == {"120 people are too few to find any difference."}


def test_inestimable_figures_are_printed_as_the_whole_range(reader: Client) -> None:
    """Nothing is selected by its result: shares, means and differences always have intervals."""
    run = mined_run(scale_answered(120), SINGLES)
    here, given = f"/en/staff/runs/{run.pk}/compare/", {"outcome": "late", "by": "cheat"}
    found = found_of(run, given)
    assert not found.having.estimable
    text = reader.get(here, given).content.decode()
    assert "brackets" in text
    neither = replace(found, others=found.having, lift=found.having)
    told = {"text": replace(comparison_text(run, given), comparison=neither), "run": run}
    assert "brackets" not in render_to_string("report/results/partials/by_answer.html", told)
    assert text.count("too few to say: 0 to 100") >= 1
    assert text.count("too few to say: 0.0% to 100.0%") >= 1
    assert "too few to say: −100.0 to 100.0" in text
    having, _others = reader.get(here + "comparison.json", given).json()["outcomes"]
    assert (having["share"], having["low"], having["high"], having["standard_error"]) == (None, 0, 1, None)
    assert (having["difference"], having["difference_low"], having["difference_high"]) == (None, -1, 1)
    mean = reader.get(here, {"outcome": "hours:mean", "by": "cheat"}).content.decode()
    assert re.search(r"too few to say: [\d.]+ to [\d.]+", mean)


@pytest.mark.soak
def test_results_start_with_the_planned_comparison_in_its_direction(reader: Client) -> None:
    run = mined_run(planned_version(Aim(people=400, wanted=("late", "cheat"))))
    yours = your_question(with_results(run))
    assert yours is not None
    assert yours.comparison == comparison_text(run, {"outcome": "cheat", "by": "late"})
    run.summary["results"]["pair"] = {
        "refused": "too_few.patterns",
        "by_service": True,
        "fields": {"least": 100},
    }
    refused = your_question(with_results(run))
    assert refused is not None
    assert refused.error is not None
    assert refused.error.case == "too_few.patterns"
    assert "Your question" in reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    # The plan's sentence has the same direction, cheating among people who are late.
    aim = Aim(people=400, wanted=("late", "cheat"))
    planned_sentences = use_sentences(
        use_of(run.design, aim), {"cheat": "cheating", "drink": "drinking", "late": "being late"}
    )
    assert re.search(
        r"if “cheating” is .* more common among people with “being late”", " ".join(planned_sentences)
    )


@pytest.mark.soak
@pytest.mark.parametrize("may_build", [True, False])
def test_too_small_samples_link_builders_to_the_plan(may_build: bool) -> None:
    run = mined_run(scale_answered(120), SINGLES)
    told = comparison_text(run, {"outcome": "wage:range", "outcome_to": "49"} | BY_THE_RIVER)
    context = {"text": told, "run": run, "may_share": may_build}
    page = render_to_string("report/results/partials/comparison.html", context)
    assert "ask more people" in page
    # The plan of a closed survey cannot be changed.
    assert f"/surveys/{run.survey.slug}/plan" not in page
    run.survey.state = Survey.State.OPEN
    page = render_to_string("report/results/partials/comparison.html", context)
    assert (f"/surveys/{run.survey.slug}/plan" in page) is may_build
