"""Text for a paper: methods and results in both languages, the finding, and references."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.html import escape

from surveys.questionnaire.aim import Aim
from surveys.report.opened_run import with_results
from surveys.report.results.answer_shares import answers_of
from surveys.report.results.paper import (
    bibliography_of,
    checklist_of,
    method_sentences,
    result_sentences,
)
from surveys.report.results.planned_question import your_question
from surveys.report.results.results import clearest_rules_of, questions_of
from surveys.runs.opening_figures import stored_pair
from tests.fixtures.devices import closed, version_of
from tests.fixtures.pages import report_page
from tests.fixtures.runs import (
    SINGLES,
    answer,
    answered_version,
    definition,
    mined_run,
    open_version,
    planned_version,
)
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_methods_texts_have_150_to_250_words_or_the_chinese_equivalent() -> None:
    versions = answered_version(), answered_version(slug="light", light=True), scale_answered(400)
    for opened in (with_results(mined_run(version)) for version in versions):
        with translation.override("en"):
            text = " ".join(method_sentences(opened))
        assert 150 <= len(text.split()) <= 250, text
        with translation.override("zh-hans"):
            chinese = "".join(method_sentences(with_results(opened.run)))
        characters = len(re.findall(r"[\u4e00-\u9fff]", chinese))
        assert 250 <= characters <= 500, chinese
        # All of Sottovoce's own text is translated.
        assert "the" not in re.findall(r"[a-z]+", chinese)
        for part in (opened.run.code_version, opened.run.snapshot_digest[:16], str(opened.run.pk)):
            assert part in text
            assert part in chinese


def test_results_name_numbers_by_their_short_name_in_each_language() -> None:
    run = mined_run(scale_answered(1_500), SINGLES)
    names = {"en": "Working time", "zh-hans": "工作时长"}
    run.version.aim = {"people": 1_500, "wanted": ["hours"], "labels": {"hours": names}}
    text = "How many hours did you work?"
    for language, name in names.items():
        with translation.override(language):
            opened = with_results(run)
            said = result_sentences(opened)
        # The starred number, and the share of its declared answer; the list of numbers does not repeat it.
        assert sum(name in sentence for sentence in said) == 2, language
        assert text not in " ".join(said), language
        assert names["zh-hans" if language == "en" else "en"] not in " ".join(said)


@pytest.mark.soak
def test_the_methods_text_distinguishes_direct_and_disguised_respondents() -> None:
    opened = with_results(mined_run(answered_version()))
    assert opened.run.design.sends_undisguised
    said = method_sentences(opened)
    assert "160 respondents were in the direct group: their devices sent their answers undisguised." in said
    assert "Before any analysis, the server randomised these answers." in said
    assert any(
        each.startswith("In the protected group, each respondent’s device randomised") for each in said
    )
    assert not any(each.startswith("Each respondent’s device") for each in said)
    everyone = method_sentences(
        with_results(mined_run(answered_version(slug="everyone", policy="protected", n_direct=0)))
    )
    assert any(each.startswith("Each respondent’s device randomised") for each in everyone)
    assert not any("direct group" in each for each in everyone)


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_results_start_with_the_planned_finding_even_for_long_questions(language: str) -> None:
    document = definition("planned")
    long_text = "Have you, in the last twelve months, ever been late for a thing that you should do? " * 4
    document["blocks"][1]["questions"][0]["text"] = {"en": long_text.strip()}
    run = mined_run(planned_version(Aim(people=900, wanted=("late", "cheat")), document=document))
    with translation.override(language):
        opened = with_results(run)
        yours = your_question(opened)
        assert yours is not None
        assert yours.comparison is not None
        assert long_text.strip() in yours.sentences[0]
        said = result_sentences(opened)
        assert said[:3] == yours.sentences
        assert yours.sentences[2] == yours.comparison.denial.sentence
        assert {text.sentence for text in list(clearest_rules_of(opened))[:3]} <= set(said)


def test_results_explain_brackets_only_if_there_are_some(monkeypatch: pytest.MonkeyPatch) -> None:
    run = mined_run(planned_version(Aim(people=900, wanted=("late", "cheat"))))
    # Rules explain their brackets themselves.
    monkeypatch.setattr("surveys.report.results.paper.clearest_rules_of", lambda _opened: ())
    explained = "The numbers in brackets are 95% confidence intervals."
    assert explained in result_sentences(with_results(run))
    pair = stored_pair(run)
    few = replace(pair, having=replace(pair.having, estimable=False))
    monkeypatch.setattr("surveys.report.results.planned_question.stored_pair", lambda _run: few)
    assert explained not in result_sentences(with_results(run))


def test_results_read_the_answers_of_a_run_once() -> None:
    opened = with_results(mined_run(answered_version()))
    result_sentences(opened)
    with CaptureQueriesContext(connection) as queries:
        result_sentences(opened)
    assert sum('"size" = 1' in query["sql"] for query in queries.captured_queries) == 1


@pytest.mark.soak
def test_without_a_plan_the_results_list_shares_and_the_strongest_rules(client: Client) -> None:
    opened = with_results(mined_run(answered_version()))
    assert your_question(opened) is None
    said = result_sentences(opened)
    assert said[0].startswith(
        "The estimated shares, with 95% confidence intervals, were: “Are you often late?”"
    )
    assert next(clearest_rules_of(opened)).sentence in said


@pytest.mark.soak
def test_results_include_the_mean_and_median_of_numbers() -> None:
    opened = with_results(mined_run(scale_answered(400), SINGLES))
    numbers = [one for one in questions_of(opened, [*answers_of(opened)]) if one.number and one.protected]
    assert numbers
    said = result_sentences(opened)
    for one in numbers:
        assert f"“{one.text}” (ranges are 95% confidence intervals): {one.number.sentence}" in said


@pytest.mark.soak
def test_all_cited_references_are_included_and_shown(reader: Client) -> None:
    opened = with_results(mined_run(answered_version()))
    entries = bibliography_of(opened.run)
    assert re.findall(r"@\w+\{(\w+),", entries) == ["sottovoce", "warner1965", "kancao", "owen2001"]
    assert entries.count("{") == entries.count("}")
    text = reader.get(f"/en/staff/runs/{opened.run.pk}/paper/").content.decode()
    for part in ('lang="zh-hans"', "@article{warner1965", *(what for what, _ in checklist_of(opened.run))):
        assert escape(part) in text or part in text


@pytest.mark.soak
def test_the_text_of_an_interim_run_does_not_pass_it_off_as_the_survey() -> None:
    version = open_version(200, policy="protected")
    run = mined_run(version, SINGLES)
    answer(version, 1_000, batches=3, seed=5)
    closed(version)
    day = run.job.created_at.date().isoformat()
    page = unescape(report_page(run, "paper"))
    assert "In total" not in page
    assert (
        f"The figures are those of an interim look at the answers (look 1 of 1, on {day}): 200 people had "
        "responded. Since then, 1,050 more have responded and are not in these figures."
    ) in page
    # The paragraph of results says so by itself, because people copy it alone.
    assert "<strong>Results.</strong> These figures are from an interim look, with 200 answers." in page
    assert f"This is interim look 1 ({day}), with 200 answers. 1,050 more have arrived since." in page
    assert "interim look with 200 answers}" in page
    assert "以下数字来自期中分析" in page
    final = mined_run(version_of(version.pk), SINGLES)
    page = unescape(report_page(final, "paper"))
    assert "In total, 1,250 people responded. We looked at the answers 2 times." in page
    assert "Analysis 2 of 2 of this survey. This is look 2 of 2 at the answers." in page


def test_the_printed_report_of_an_interim_run_says_so_at_its_head() -> None:
    version = open_version(200, policy="protected")
    run = mined_run(version, SINGLES)
    head = report_page(run, "printed").partition("<h2")[0]
    assert "This is interim look 1" in head
    assert "The survey still accepts answers." in head
