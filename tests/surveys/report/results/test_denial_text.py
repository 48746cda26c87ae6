"""Results say how many denials would make their headline disappear, and earlier results say nothing."""

import csv
import io
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import translation

from privacy.estimation.comparison import Denial
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.aim import Aim
from surveys.report.opened_run import with_results
from surveys.report.results.answer_shares import share_of
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.results.planned_question import PlannedShare
from surveys.report.sentences.verdict import share_finding
from surveys.runs.opening_figures import stored_pair
from tests.fixtures.pages import report_page
from tests.fixtures.runs import SINGLES, mined_run, planned_version
from tests.surveys.report.results.test_compare_form import comparison_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return mined_run(planned_version(Aim(people=900, wanted=("late", "cheat"))), SINGLES)


def _with(text: ComparisonText, tipping: float | None, *, reversed_sign: bool = False) -> ComparisonText:
    denial = Denial(tipping=tipping, bounds=((0.1, -0.05, 0.4), (0.5, -1.0, 1.0)))
    found = replace(text.comparison, denial=denial, p_value=0.001)
    if reversed_sign:
        difference = replace(found.difference, value=-0.3, low=-0.4, high=-0.2)
        found = replace(found, difference=difference)
    else:
        found = replace(found, difference=replace(found.difference, value=0.3, low=0.2, high=0.4))
    return replace(text, comparison=found)


def test_the_sentence_names_the_group_with_less(run: Run) -> None:
    text = comparison_text(run, {"outcome": "cheat", "by": "late"})
    sentence = _with(text, 0.178).denial.sentence
    assert re.fullmatch(
        r"The difference stays clear if, among the others, at most 17 of 100 people to whom "
        r".*cheat.* applies denied it, and no one .*late.* did\.",
        sentence,
        re.IGNORECASE,
    )
    backwards = _with(text, 0.178, reversed_sign=True).denial.sentence
    assert re.fullmatch(
        r"The difference stays clear if, among the people .*late.*, at most 17 of 100 people "
        r"to whom .*cheat.* applies denied it, and no one else did\.",
        backwards,
        re.IGNORECASE,
    )
    assert "even if some" in _with(text, None).denial.sentence
    # At most 0 of 100 would say nothing.
    assert "if 1 of 100 people to whom" in _with(text, 0.004).denial.sentence
    assert "even if some" in _with(text, None, reversed_sign=True).denial.sentence


def test_bounds_are_printed_in_points_and_as_lifts(run: Run) -> None:
    text = _with(comparison_text(run, {"outcome": "cheat", "by": "late"}), 0.2)
    lift = replace(text.comparison.lift, value=1.6, low=1.2, high=2.1, estimable=True)
    found = replace(text, comparison=replace(text.comparison, lift=lift))
    assert list(found.denial.bounds()) == [
        ("10 of 100", "−5.0 to 40.0 points", "1.08 to 2.33"),
        ("50 of 100", "−100.0 to 100.0 points", ".60 to 4.20"),
    ]
    few = replace(text, comparison=replace(text.comparison, lift=replace(lift, estimable=False)))
    assert [ratios for _most, _ends, ratios in few.denial.bounds()] == ["–", "–"]


def test_a_finding_without_a_clear_difference_has_no_tipping_point(run: Run) -> None:
    text = comparison_text(run, {"outcome": "cheat", "by": "late"})
    unclear = replace(text, comparison=replace(text.comparison, p_value=0.4))
    assert unclear.denial.sentence == ""
    assert len(list(unclear.denial.bounds())) == 3


def test_a_mean_has_no_denial(run: Run) -> None:
    text = comparison_text(run, {"outcome": "cheat", "by": "late"})
    mean = replace(text, comparison=replace(text.comparison, denial=None))
    assert (mean.denial.sentence, list(mean.denial.bounds())) == ("", [])


@pytest.mark.soak
def test_results_compare_and_paper_state_the_same_figure(run: Run, reader: Client) -> None:
    stored = stored_pair(run)
    assert stored.denial is not None
    found = comparison_text(run, {"outcome": "cheat", "by": "late"})
    assert found.comparison.denial == stored.denial
    assert found.is_clear
    sentence = found.denial.sentence
    assert sentence
    assert sentence in report_page(run, "results")
    assert sentence in report_page(run, "paper")
    page = reader.get(f"/en/staff/runs/{run.pk}/compare/?outcome=cheat&by=late").content.decode()
    assert "What if some deny it?" in page
    for _most, ends, ratios in found.denial.bounds():
        assert ends in page
        assert ratios in page
    files = reader.get(f"/en/staff/runs/{run.pk}/compare/comparison.csv?outcome=cheat&by=late")
    text = b"".join(files).decode("utf-8-sig")
    having, others = csv.DictReader(io.StringIO(text))
    assert float(having["tipping_denial"]) == pytest.approx(stored.denial.tipping)
    assert having["tipping_denial"] == others["tipping_denial"]


def test_chinese_pages_state_it_too(run: Run) -> None:
    with translation.override("zh-hans"):
        text = comparison_text(run, {"outcome": "cheat", "by": "late"})
        assert text.denial.sentence.endswith("差异就仍然明确。")
        assert "分组" in text.denial.explanation


@pytest.mark.soak
def test_results_of_an_earlier_version_say_nothing_about_denial(run: Run) -> None:
    del run.summary["results"]["pair"]["denial"]
    run.save(update_fields=["summary"])
    page = report_page(run, "results")
    assert "denied it" not in page
    assert "What if some deny it?" not in page


@pytest.mark.parametrize(("protected", "low", "high", "said"), [
    (True, 0.2, 0.3, "the true share is 20 to 40 of 100"),
    (True, -0.02, 0.9, "the true share is 0 to 100 of 100"),
    (False, 0.2, 0.3, ""),
])  # fmt: skip
def test_a_planned_share_states_its_range_under_denial(
    run: Run, protected: bool, low: float, high: float, said: str
) -> None:
    label = next(each for each in with_results(run).labels.items if each.key == "cheat")
    row = ItemsetRow(run=run, items="", size=1, n=900, support=0.25, support_se=0.03)
    row.support_low, row.support_high = low, high
    part = PlannedShare(
        label=replace(label, protected=protected), row=row, finding=share_finding(share_of(row))
    )
    assert said in part.denial_sentence
    assert (part.denial_sentence in part.sentences) is bool(said)
