"""A look in words."""

from dataclasses import replace

import pytest

from surveys.models import Run
from surveys.runs.look import Look, look_columns, look_record
from surveys.runs.look_words import (
    file_mark,
    look_finding,
    look_note,
    look_text,
    looks_sentence,
    newest_results_text,
    paper_sentences,
    title_mark,
)
from tests.fixtures.looks import CHAPTER, INTERIM, look_with

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("found", "title", "mark", "columns"),
    [
        (None, "", "", (None, None, None, None)),
        (look_with(), "", "", ("final", None, 0, False)),
        (INTERIM, "Interim. ", "-interim", ("interim", None, 38, True)),
        (CHAPTER, "Chapter 2. ", "-chapter-2", ("final", 2, 0, False)),
    ],
)
def test_titles_file_names_and_columns_name_the_look(
    found: Look | None, title: str, mark: str, columns: tuple[object, ...]
) -> None:
    run = Run()
    run.__dict__["_look"] = found
    assert (title_mark(run), file_mark(run)) == (title, mark)
    names = ("look", "chapter", "rows_since", "accepts_answers")
    assert look_columns(run) == dict(zip(names, columns, strict=True))
    assert look_record(run) == (None if found is None else found.to_json())


IN_CHAPTER = "This is the final analysis of chapter 2, until 2027-01-01, with 1,234 answers."


ACCEPTS = "The survey still accepts answers."


def test_the_text_of_a_chapter_counts_the_answers_beyond_it_unless_they_may_not_be_stated() -> None:
    assert look_text(CHAPTER) == f"{IN_CHAPTER} 57 answers in other chapters are not in this analysis."
    assert look_text(replace(CHAPTER, beyond=1)).endswith(
        " 1 answer in another chapter is not in this analysis."
    )
    assert look_text(replace(CHAPTER, beyond=0)) == IN_CHAPTER
    growing = replace(CHAPTER, accepts=True, is_rounded=True)
    assert look_text(growing).endswith(" ≈ 60 answers in other chapters are not in this analysis.")
    assert look_text(growing, shared=True) == (
        f"{IN_CHAPTER} Answers in other chapters are not in this analysis."
    )
    assert look_text(replace(growing, beyond=0), shared=True) == IN_CHAPTER
    assert look_text(CHAPTER, shared=True) == look_text(CHAPTER), "a settled survey hides no counts"


def test_the_newest_results_of_a_survey_are_a_chapter_or_an_interim_look() -> None:
    assert newest_results_text(CHAPTER) == "The newest results are those of chapter 2, until 2027-01-01."
    assert newest_results_text(INTERIM) == (
        "The newest results are from an interim look, with 1,234 answers. ≈ 40 more have arrived since."
    )
    assert newest_results_text(replace(INTERIM, n=1, since=0)) == (
        "The newest results are from an interim look, with 1 answer."
    )


def test_notes_and_findings_say_which_answers_were_analysed() -> None:
    interim = "This is interim look 2 (2027-01-02), with 1,234 answers."
    assert look_note(CHAPTER) == IN_CHAPTER
    assert [look_note(one) for one in (INTERIM, replace(INTERIM, accepts=False), look_with(), None)] == [
        f"{interim} {ACCEPTS}",
        interim,
        "",
        "",
    ]
    assert look_finding(CHAPTER) == [
        "These figures are those of chapter 2, until 2027-01-01, with 1,234 answers."
    ]
    assert [look_finding(one) for one in (INTERIM, replace(INTERIM, n=1), look_with(), None)] == [
        ["These figures are from an interim look, with 1,234 answers."],
        ["These figures are from an interim look, with 1 answer."],
        [],
        [],
    ]
    assert [looks_sentence(one) for one in (INTERIM, look_with(), None)] == [
        "This is look 2 of 3 at the answers.",
        "",
        "",
    ]


WROTE = "The survey still accepted answers when this text was written."


def test_a_paper_states_the_look_its_answers_and_the_looks_before() -> None:
    of_interim = (
        "The figures are those of an interim look at the answers (look 2 of 3, on 2027-01-02): 1,234 people "
        "had responded."
    )
    since = "Since then, ≈ 40 more have responded and are not in these figures."
    assert paper_sentences(INTERIM) == [of_interim, since, WROTE]
    assert paper_sentences(replace(INTERIM, since=0, accepts=False)) == [of_interim]
    of_chapter = (
        "The survey was cut into chapters at times that were stated in advance. The figures are those of "
        "chapter 2, until 2027-01-01: 1,234 people responded in it."
    )
    other = "Another 57 responded in other chapters and are not in these figures."
    looked = (
        "We looked at these answers 3 times, alone or with those of other chapters. The figures are those of "
        "look 2."
    )
    assert paper_sentences(CHAPTER) == [of_chapter, other]
    assert paper_sentences(replace(CHAPTER, beyond=0, accepts=True, number=2, looks=3)) == [
        of_chapter,
        WROTE,
        looked,
    ]


def test_a_paper_says_that_the_answers_of_a_chapter_were_analysed_twice() -> None:
    assert "We looked at these answers 2 times" in paper_sentences(replace(CHAPTER, looks=2))[-1]
    assert "times" not in paper_sentences(replace(CHAPTER, looks=1))[-1]
