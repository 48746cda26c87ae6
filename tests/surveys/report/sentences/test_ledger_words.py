"""What pages, print, paper and files say about open answers: what was shown, what waits, and how often."""

import json
from typing import Any

import pytest
from django.utils import translation

from mining.thresholds import Sides, Thresholds
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.report.export.rule_columns import rules_as_json
from surveys.report.sentences.ledger_words import (
    disclosed_sentences,
    ledger_note,
    ledger_record,
    paper_sentences,
)
from tests.attack.test_open_answers import (
    BY_AGE,
    EVERYTHING,
    answer,
    asked_because,
    publish_with_part,
    survey,
)
from tests.fixtures.devices import closed, stored
from tests.fixtures.pages import report_page
from tests.fixtures.runs import mined_run

pytestmark = pytest.mark.django_db
SHOWN = (
    "The only pair of unprotected questions was shown together, because each combination of its answers had "
    "at least 10 people or none: “old?” × “night?”."
)
WITHHELD = (
    "The only pair of unprotected questions was withheld, because a combination of its answers had fewer "
    "than 10 people."
)
PLACES = ("printed", "paper", "about")


def final_run(cells: tuple[int, int, int, int], **options: Any) -> Run:
    version = survey("words", **options)
    hours = [5 * (number % 12) for number in range(sum(cells))] if options.get("number") else ()
    answer(version, cells, numbers=hours)
    return mined_run(closed(version), EVERYTHING, anew=True)


@pytest.mark.soak
def test_a_shown_pair_is_named_in_print_paper_and_files() -> None:
    run = final_run((60, 60, 60, 60))
    assert disclosed_sentences(run) == [SHOWN]
    record = ledger_record(run)
    assert (record["pairs_shown"], record["pairs_withheld"]) == ([["old", "night"]], [])
    for name in PLACES:
        assert SHOWN in report_page(run, name), name
    document = "".join(rules_as_json([], labels_of(run.version, run.design), run))
    assert json.loads(document)["ledger"] == record


def test_a_withheld_pair_is_counted() -> None:
    run = final_run((100, 100, 35, 5))
    assert disclosed_sentences(run) == [WITHHELD]
    assert ledger_record(run)["pairs_withheld"] == [["old", "night"]]
    for name in PLACES:
        assert WITHHELD in report_page(run, name), name


def test_with_more_questions_both_are_counted() -> None:
    """The hours are a third open question, and their declared ranges are crossed with both others."""
    run = final_run((60, 60, 60, 60), number=True, ranges=[(0, 29), (30, 99)])
    (pairs, bars) = disclosed_sentences(run)
    assert pairs.startswith("3 of 3 pairs of unprotected questions were shown together")
    assert "“old?” × “night?”, “old?” × “How many hours?”, “night?” × “How many hours?”" in pairs
    assert bars.startswith(
        "“How many hours?” is stored as answered and was shown in bars of at least 10 people or none"
    )
    starts = ledger_record(run)["bars"]["hours"]
    assert "begin at " + ", ".join(starts) in bars
    assert {"0", "30"} <= set(starts)


@pytest.mark.soak
def test_an_interim_run_says_how_many_pairs_and_which_questions_wait() -> None:
    version = survey("interim", number=True)
    answer(version, (60, 60, 60, 60), numbers=[5] * 240)
    answer(version, (20, 20, 20, 20), numbers=[5] * 80)
    run = mined_run(version, EVERYTHING, anew=True)
    (pairs, waiting) = disclosed_sentences(run)
    assert pairs.startswith("3 pairs of unprotected questions were not shown together")
    assert waiting == "One unprotected question was not shown yet: “How many hours?”."
    for name in PLACES:
        assert pairs in report_page(run, name), name
    assert ledger_record(run)["pairs_shown"] == []


def test_parts_that_are_asked_because_of_a_waiting_answer_wait_too() -> None:
    version = publish_with_part(BY_AGE)
    for cells in ((60, 60, 60, 60), (36, 6, 6, 2), (20, 20, 20, 20)):
        stored(version, list(asked_because(version, cells, BY_AGE)))
        run = mined_run(version, EVERYTHING, anew=True) if cells != (60, 60, 60, 60) else None
    assert run is not None
    assert ledger_record(run)["open_questions_that_wait"] == ["old", "night", "hours"]
    waiting = "Nor are figures of the parts that are asked because of their answers"
    assert waiting in " ".join(ledger_note(run).waiting)
    assert waiting in report_page(run, "results")


def test_a_survey_that_hides_nothing_or_has_nothing_to_hide_says_nothing() -> None:
    assert disclosed_sentences(final_run((60, 60, 60, 60), practice=True)) == []


def test_a_paper_states_how_often_the_rows_were_analysed_and_the_largest_family() -> None:
    first = final_run((60, 60, 60, 60))
    sides = Sides(antecedent=(0,), consequent=(1,))
    second = mined_run(first.version, Thresholds(support=1e-6, max_size=2, sides=sides), anew=True)
    counted = "These answers were analysed 2 times, for up to 6 possible associations."
    analysed, warning, shown = paper_sentences(second)
    assert (analysed, shown) == (counted, SHOWN)
    assert warning == ledger_note(second).warning != ""
    assert counted in report_page(second, "paper")
    assert counted in report_page(second, "printed")
    assert len(paper_sentences(first)) == 2


@pytest.mark.soak
def test_chinese_sentences_name_the_same_numbers() -> None:
    run = final_run((60, 60, 60, 60))
    with translation.override("zh-hans"):
        (text,) = disclosed_sentences(run)
    assert "10" in text
    assert "“old?” × “night?”" in text
    assert "pair" not in text
