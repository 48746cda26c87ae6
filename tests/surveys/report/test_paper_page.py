"""Text for a paper: long enough, short enough, in both languages, with what it cites."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation

from surveys.report.comparison_page import strongest_pair, wanted_pair
from surveys.report.paper_page import bibliography_of, checklist_of, paper_sentences
from surveys.report.results_page import together_of
from surveys.report.run_page import OpenedRun, with_results
from tests.cast.runs import alice, answered, mined
from tests.cast.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def opened_runs() -> list[OpenedRun]:
    return [with_results(mined(answered(light=True))), with_results(mined(scale_answered(400)))]


def test_the_text_has_150_to_250_words_in_english_and_as_much_in_chinese() -> None:
    for opened in opened_runs():
        with translation.override("en"):
            text = " ".join(paper_sentences(opened))
        assert 150 <= len(text.split()) <= 250, text
        with translation.override("zh-hans"):
            chinese = "".join(paper_sentences(with_results(opened.run)))
        characters = len(re.findall(r"[\u4e00-\u9fff]", chinese))
        assert 250 <= characters <= 500, chinese
        # Nothing of the frame is left in English.
        assert "the" not in re.findall(r"[a-z]+", chinese)
        for part in (opened.run.code_version, opened.run.snapshot_digest[:16], str(opened.run.pk)):
            assert part in text
            assert part in chinese


def test_it_says_the_result_that_results_begin_with() -> None:
    opened = with_results(mined(answered(900)))
    pair = strongest_pair((rule for rule, _ in together_of(opened.run)), opened.labels)
    assert pair is not None
    result = wanted_pair(opened, *pair)
    assert result is not None
    said = paper_sentences(opened)
    assert result.sentence in said
    assert result.verdict in said


def test_what_it_cites_is_there_and_the_page_shows_all(client: Client) -> None:
    opened = with_results(mined(answered(400)))
    entries = bibliography_of(opened.run)
    assert re.findall(r"@\w+\{(\w+),", entries) == ["sotto", "warner1965", "kancao", "owen2001"]
    assert entries.count("{") == entries.count("}")
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{opened.run.pk}/paper/").content.decode()
    for part in ('lang="zh-hans"', "@article{warner1965", *(what for what, _ in checklist_of(opened.run))):
        assert part in text
