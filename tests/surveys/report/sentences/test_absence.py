"""Pages say that nothing was found only if something could have been found."""

import html
import re
from unittest import mock

import pytest

from mining.thresholds import Thresholds
from surveys.models import Run
from surveys.report.sentences import absence
from surveys.report.sentences.absence import absence_of_links, people_asked_pairs
from tests.fixtures.pages import report_page
from tests.fixtures.rotating_exports import rotating_version, three_of_eight
from tests.fixtures.runs import LOOSE, answered_version, mined_run

pytestmark = pytest.mark.django_db
CLAIM = re.compile(
    "No (other )?link (was found|between)|No (other )?association was statistically|No rules were found"
)
PAGES = ("results", "printed", "paper")


def without_links(run: Run, *, listed: bool) -> Run:
    """Let no test of a run pass; keep its rules if `listed`."""
    for rule in run.rules.all():
        rule.inference.passes = False
        rule.inference.save()
    if not listed:
        run.rules.all().delete()
        run.summary["rules"] = 0
    run.summary["results"]["rules"] = []
    run.summary["inference"]["passing"] = 0
    run.save()
    return run


def text_of(page: str) -> str:
    """Return the words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def all_texts(run: Run) -> str:
    return " ".join(text_of(report_page(run, page)) for page in PAGES)


@pytest.mark.soak
@pytest.mark.parametrize("n", [1, 2, 12, 99])
def test_too_few_answers_rule_no_link_out(n: int) -> None:
    """A practice survey shows its results from the first answer on."""
    run = without_links(mined_run(answered_version(n, n_direct=0, practice=True), LOOSE), listed=True)
    text = all_texts(run)
    assert not CLAIM.search(text)
    assert text.count("Too few answers to find links") == 2
    assert f"because at most {n} people were asked the same two questions, and a test needs 100." in text
    assert not absence_of_links(run).is_finding
    # The run lists rules, but none of them says anything.
    assert run.summary["rules"] > 0
    assert "Show all" not in text_of(report_page(run, "results"))


@pytest.mark.soak
def test_five_people_who_were_each_asked_some_questions_are_not_said_to_be_none() -> None:
    """The expected number of people who were asked both questions was printed as 0."""
    run = without_links(mined_run(answered_version(5, n_direct=0, practice=True), LOOSE), listed=True)
    with mock.patch.object(absence, "people_asked_pairs", return_value=[0, 0]):
        assert "Here it was at most 1." in absence_of_links(run).detail


@pytest.mark.soak
def test_a_finding_of_no_link_needs_rules_that_were_tested() -> None:
    run = mined_run(answered_version(200, n_direct=0, policy="protected"), LOOSE)
    assert run.summary["rules"] > 0
    text = all_texts(without_links(run, listed=True))
    assert "No link is clear" in text
    assert "With 200 answers, only strong links can be told from chance." in text
    assert "No association was statistically significant after correction" in text
    text = all_texts(without_links(run, listed=False))
    assert not CLAIM.search(text)
    assert "No link was tested" in text
    assert f"met the thresholds of the analysis (support from {100 * LOOSE.support:g}%)" in text


@pytest.mark.soak
def test_an_analysis_of_single_answers_tests_no_link() -> None:
    run = mined_run(
        answered_version(200, n_direct=0, policy="protected"), Thresholds(support=0.01, max_size=1)
    )
    text = all_texts(run)
    assert not CLAIM.search(text)
    assert "This analysis had no two answers to compare." in text
    assert "Associations were not tested." in text


def test_pairs_that_too_few_people_were_asked_are_counted() -> None:
    """Of 600 people, 225 are asked each of eight protected questions, and 64 each pair: 3/8 * 2/7 of them."""
    run = without_links(mined_run(rotating_version(three_of_eight("many"), 600), LOOSE), listed=True)
    asked = people_asked_pairs(run)
    assert sorted(set(asked)) == [64, 225]
    assert (asked.count(64), asked.count(225)) == (28, 16)
    text = text_of(report_page(run, "results"))
    assert "28 of the 44 pairs of questions were asked of fewer than 100 people" in text
    run.n = 200
    assert not absence_of_links(run).is_finding
