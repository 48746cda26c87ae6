"""Lines with a label say what respondents read about a survey, in every language of respondents."""

import pytest
from django.utils.translation import override

from surveys.imports.pasted_text import read_paste
from surveys.imports.roles.about_lines import labelled
from surveys.questionnaire.languages import respondent_languages
from surveys.respondent.first_texts import FOLDED

QUESTIONS = (
    "# Arbeit\n1. Wie alt sind Sie?\n- unter 30\n- älter\n2. Haben Sie gelogen?\n3. Haben Sie getrunken?"
)


@pytest.mark.parametrize("tag", respondent_languages())
def test_the_headings_that_respondents_read_are_labels_in_each_language(tag: str) -> None:
    """Only English and Chinese ones used to be."""
    with override(tag):
        headings = {
            topic: str(FOLDED[f"about_{topic}"]) for topic in ("purpose", "contact", "ethics", "help")
        }
        headings["retention"] = str(FOLDED["about_retention"])
    for topic, heading in headings.items():
        for written in (heading, heading.upper()):
            assert labelled(f"{written}: a@example.org") == (topic, "a@example.org"), (tag, written)


def test_german_labels_are_left_out_of_their_texts() -> None:
    survey = read_paste(f"Titel: Arbeit\nZweck: Wir fragen,\nwarum.\nKontakt: a@example.org\n{QUESTIONS}")
    assert survey.title == {"de": "Arbeit"}
    assert survey.about == {"purpose": {"de": "Wir fragen, warum."}, "contact": {"de": "a@example.org"}}
    assert [note.line for note in survey.notes if note.effect == "uncertain" and note.line < 5] == []


def test_a_label_that_is_unknown_is_noted_at_its_line() -> None:
    """Such a line used to become part of the purpose silently."""
    survey = read_paste(f"Arbeit\nHinweis: Bitte lesen Sie alles.\nKontakt: a@example.org\n{QUESTIONS}")
    (note,) = (note for note in survey.notes if note.cause == "label")
    assert note.line == 2
    assert "“Hinweis”" in note.message
    assert survey.about["purpose"] == {"de": "Hinweis: Bitte lesen Sie alles."}


def test_nothing_about_the_survey_replaces_something_else_about_it() -> None:
    """The last of two contacts used to replace the first, and a purpose the introduction."""
    text = "Work\nWe thank you for your time.\nPurpose: To learn.\nContact: a@b.example\nContact: c@d.example"
    about = read_paste(f"{text}\n1. Do you lie?").about
    assert about["purpose"] == {"en": "We thank you for your time. To learn."}
    assert about["contact"] == {"en": "a@b.example c@d.example"}


def test_labels_are_also_read_after_the_last_question_and_above_the_title() -> None:
    survey = read_paste("Contact: Ana\nWork\n1. Do you lie?\n- yes\n- no\n\nHelp: call 112.\nEthics: 12/3")
    assert survey.title == {"en": "Work"}
    assert survey.about == {
        "contact": {"en": "Ana"},
        "help": {"en": "call 112."},
        "ethics": {"en": "12/3"},
    }
    assert len(survey.questions) == 1


def test_a_label_may_be_above_its_text() -> None:
    survey = read_paste("Work\nPurpose:\nTo learn.\nContact:\n\n1. Do you lie?")
    assert survey.about["purpose"] == {"en": "To learn."}
    assert [note.line for note in survey.notes if note.cause == "left"] == [4]


@pytest.mark.parametrize("text", ["Contact: ____", "See https://example.org", "Also: this"])
def test_spaces_addresses_and_other_words_are_not_labels(text: str) -> None:
    assert "contact" not in read_paste(f"Work\n{text}\n1. Do you lie?").about


@pytest.mark.parametrize(
    ("flag", "kind"), [("mehrere", "several"), ("una sola", "single"), ("несколько", "several")]
)
def test_flags_are_read_in_the_languages_of_respondents(flag: str, kind: str) -> None:
    (question,) = read_paste(f"A\n1. Welche Mittel nehmen Sie? [{flag}]\n- A\n- B", ["de"]).questions
    assert (question.kind, question.texts) == (kind, {"de": "Welche Mittel nehmen Sie?"})


def test_a_question_is_stored_only_if_its_flag_says_so_explicitly() -> None:
    """The German *offen* usually means that respondents write a text."""
    text = "A\n1. Welche Mittel nehmen Sie? [{}]\n- A\n- B"
    stored = [
        read_paste(text.format(flag), ["de"]).questions[0].is_protected for flag in ("offen", "ungeschützt")
    ]
    assert stored == [True, False]


@pytest.mark.parametrize(
    "line",
    [
        "Ort, Datum ..............   Unterschrift ...............",
        "患者签名：__________　　　　接诊医生：__________",
        "FOR OFFICE USE ONLY   THERAPIST: ________   ROOM: ____",
        "Gracias, señora. Firma o huella: ______________",
    ],
)
def test_fields_for_signatures_dates_and_staff_are_left_out_with_a_note(line: str) -> None:
    survey = read_paste(f"T\n\n1. Do you smoke?\n2. Do you drink?\n\n{line}\n")
    assert len(survey.questions) == 2
    assert any(note.cause == "left" for note in survey.notes)
