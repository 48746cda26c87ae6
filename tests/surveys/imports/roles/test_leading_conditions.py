"""A clause with a colon above questions is their condition, and none of the answers above it."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste


def asked_after(text: str) -> list[bool]:
    return [bool(question.condition) for question in read_paste(text).questions]


@pytest.mark.parametrize(
    "text",
    [
        "T\n1) Fumez-vous ?\n☐ Oui   ☐ Non\nSi oui :\n   1a) Combien ? ____\n"
        "   1b) Où ?   ☐ ici   ☐ ailleurs\n2) Buvez-vous ?\n☐ Oui   ☐ Non",
        "T\n\n¿Fuma?  ○ Sí  ○ No\n↳ Si has marcado «Sí»:\n     ¿Dónde?  ○ aquí  ○ allí\n"
        "     ¿Cuántos?  ____\n¿Bebe?  ○ Sí  ○ No",
        "T\n3、您抽烟吗？ □是 □否\n如果抽烟：\n3.1 每天几支？____支\n3.2 抽了几年？____年\n"
        "4、您喝酒吗？ □是 □否",
        "T\n1. Você fuma? ( ) Sim ( ) Não\nSe sim:\na) Quantos? ____\nb) Há quantos anos? ____\n"
        "2. Você bebe? ( ) Sim ( ) Não",
        "T\n\nDo you smoke?\n- Yes\n- No\n\nIf yes:\nHow many? ____\nSince when? ____\n\n"
        "Do you drink?\n- Yes\n- No",
    ],
)
def test_a_clause_with_a_colon_concerns_the_questions_set_in_below_it(text: str) -> None:
    """Before, the clause was an answer of the question above, and nothing was noted below."""
    assert asked_after(text) == [False, True, True, False]
    assert not any("Si" in label for question in read_paste(text).questions for label in labels_of(question))


def test_a_question_like_the_one_that_is_limited_is_asked_about() -> None:
    text = "T\nFuma?\n( ) sì\n( ) no\nSe sì:\nQuante? ____\nDa quando? ____\nBeve?\n( ) sì\n( ) no"
    survey = read_paste(text)
    assert asked_after(text)[:2] == [False, True]
    assert any(note.line == 7 and "line 5" in note.message for note in survey.notes)


@pytest.mark.parametrize(
    "lead",
    [
        "Répondre à cette question seulement si les conditions suivantes sont réunies :",
        "Sólo conteste esta pregunta si se cumplen las siguientes condiciones:",
        "Rispondere solo se le seguenti condizioni sono rispettate:",
        "Beantworten Sie diese Frage nur, wenn folgende Bedingungen erfüllt sind:",
    ],
)
def test_a_line_that_leads_to_a_condition_is_no_question(lead: str) -> None:
    asked = "Haben Sie gut geschlafen?"
    text = f"T\n1. {asked}\n○ Ja\n○ Nein\n2. Bcdef?\n{lead}\n'Ja' bei Frage 1 ({asked})\n○ x\n○ y"
    survey = read_paste(text)
    assert [labels_of(question) for question in survey.questions] == [(), ("x", "y")]
