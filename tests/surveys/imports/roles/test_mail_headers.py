"""The head of a mail is left out, in any language; lines of a survey in this form stay."""

import pytest

from surveys.imports.pasted_text import read_paste

QUESTIONS = "1. Did you ever cheat in an exam?\n- Yes\n- No\n2. Do you sleep badly?\n- Yes\n- No"
HEADS = [
    "From: Ada Roe <ada@example.org>\nTo: me\nDate: Tue, 24 Nov 2026 09:12\nSubject: Re: Fwd: some questions",
    "Von: Ada Roe [mailto:ada@example.org]\nGesendet: 24. November 2026 09:12\nAn: Bo\nBetreff: Fragen?",
    "De : ada@example.org\nEnvoyé : mardi 24 novembre 2026 09:12\nObjet : questions",
    "发件人：ada@example.org\n发送时间：2026年11月24日 9:12\n主题：问卷",
    "From: Ada\nSent: 24.11.26, 09:12\nTo: Bo",
    "To: ada@example.org, bo@example.org,\n   cy@example.org\nCc: di@example.org",
    "> From: Ada Roe <ada@example.org>\n> Subject: some questions",
]


@pytest.mark.parametrize("head", HEADS)
def test_the_head_of_a_mail_and_its_greeting_are_left_out_with_a_note(head: str) -> None:
    survey = read_paste(f"{head}\n\nHello all,\n\nWork and sleep\n\n{QUESTIONS}", ("en",))
    first = head.count("\n") + 3
    roles = {line.line: line.role for line in survey.lines}
    left = [line for line, role in roles.items() if role == "left"]
    assert left == [*range(1, first - 1), first]
    assert set(left) == {note.line for note in survey.notes if note.cause == "left"}
    assert survey.title == {"en": "Work and sleep"}
    assert not survey.about
    assert len(survey.questions) == 2


def test_the_line_above_a_quoted_mail_is_left_out() -> None:
    text = f"Work and sleep\n\nOn Tue, 24 Nov 2026, Ada Roe <ada@example.org> wrote:\n\n{QUESTIONS}"
    assert {line.line: line.role for line in read_paste(text, ("en",)).lines}[3] == "left"


@pytest.mark.parametrize(
    "opening",
    [
        "Title: Work and sleep\nLength: ten minutes",
        "Work: last year\nSleep: this year\nHome: always",
        "Survey: 2026\nWave: 2",
    ],
)
def test_lines_of_a_survey_in_this_form_stay(opening: str) -> None:
    roles = [line.role for line in read_paste(f"{opening}\n\n{QUESTIONS}", ("en",)).lines]
    assert "left" not in roles[: opening.count("\n") + 1]


def test_a_form_below_the_first_question_stays_and_a_chosen_role_wins() -> None:
    form = "1. About you\nName: ____\nBorn: ____ (such as 24.11.1990)"
    assert "left" not in [line.role for line in read_paste(f"{form}\n{QUESTIONS}", ("en",)).lines][:3]
    chosen = read_paste(f"{HEADS[0]}\n\n{QUESTIONS}", ("en",), {4: "title"})
    assert [line.role for line in chosen.lines][:4] == ["left", "left", "left", "title"]
