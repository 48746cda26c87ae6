"""Lines between questions: answers without marks, instructions, headings and what ends a text."""

from collections import Counter

import pytest

from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.lines.source_lines import read_line
from surveys.imports.pasted_text import read_paste
from surveys.imports.roles.lines_between import beginning_of, is_instruction


def roles(text: str) -> list[str]:
    return [line.role for line in read_paste(text).lines]


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("Do you lie?\nOften\nNever", ["answer", "answer"]),
        ("Do you lie?\n(Tick one box)\nOften\nNever", ["instruction", "answer", "answer"]),
        ("How often do you lie?\n______", ["field"]),
        (
            "Do you lie about the work that you have done\nfor others?\nYes\nNo",
            ["joined", "answer", "answer"],
        ),
    ],
)
def test_lines_below_a_question_have_the_roles_of_their_places(below: str, expected: list[str]) -> None:
    found = roles(f"Work\n\n1. {below}\n\n2. {below.replace('lie', 'steal')}")
    start = found.index("question") + 1
    assert found[start : start + len(expected)] == expected


def test_thanks_behind_the_last_question_are_left_out() -> None:
    text = (
        "Work\n\n1. Do you lie?\nYes\nNo\n\n2. Do you steal?\nYes\nNo\n\nThank you very much for your help."
    )
    assert roles(text)[-1] == "left"


def test_instructions_recur_or_say_how_many_answers_are_possible() -> None:
    lines = [
        read_line(n, text, has_gap=False) for n, text in enumerate(("Please be honest.", "Often"), start=1)
    ]
    once, twice = Counter([beginning_of(lines[0])]), Counter([beginning_of(lines[0])] * 2)
    assert beginning_of(lines[0]) == "please be"
    assert [is_instruction(lines[0], counts) for counts in (once, twice)] == [False, True]
    assert not is_instruction(lines[1], twice)


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        ("Do you trust it? *\n○ Yes\n○ No", "Your comments"),
        ("¿Confía en ello?\n○ Sí\n○ No", "Explique lo ocurrido (máx. 1000 caracteres)"),
        ("1. Êtes-vous content ?\n○ Oui\n○ Non", "Votre commentaire"),
        ("1. Sind Sie zufrieden?\n○ Ja\n○ Nein", "Was Sie uns noch sagen möchten"),
        ("1. Você confia?\n○ Sim\n○ Não", "Seus comentários"),
    ],
)
def test_a_line_above_a_space_to_write_is_a_question(first: str, asked: str) -> None:
    """Before, it was a heading without a question, or left out."""
    survey = read_paste(f"Survey\n\n{first}\n\n{asked}\n[                         ]\n")
    assert [*survey.questions[-1].texts.values()] == [asked]


def test_a_label_above_a_space_behind_the_last_answers_is_a_question() -> None:
    survey = read_paste("Poll\n\n1. Well?\n- yes\n- no\nFinal comments\n__________\n\nThank you", ("en",))
    assert [question.texts["en"] for question in survey.questions] == ["Well?", "Final comments"]


@pytest.mark.parametrize(("last", "is_asked"), [("Your suggestions", True), ("Thank you!", False)])
def test_a_few_words_at_the_end_that_may_be_a_field_are_asked_about(last: str, *, is_asked: bool) -> None:
    survey = read_paste(f"Poll\n\n1. Well?\n- yes\n- no\n\n{last}", ("en",))
    asking = [
        note for note in survey.notes if note.effect in ("uncertain", "lost") and note.cause != LESS_CERTAIN
    ]
    assert any(note.line == 7 for note in asking) == is_asked


def test_a_small_letter_below_a_short_answer_begins_another_answer() -> None:
    """The lines *yes* and *no* recur, so that the third one was joined to *no*."""
    asked = "Rauchen Sie?\nja\nnein\nweiß ich nicht\n\nTrinken Sie?\nja\nnein\n\nTanzen Sie?\nja\nnein"
    question = read_paste(f"Umfrage unter Gästen\n\n{asked}", ("de",)).questions[0]
    assert labels_of(question) == ("ja", "nein", "weiß ich nicht")


@pytest.mark.parametrize("list_", ["bis 2.000 | 2.001 bis 10.000 | mehr", "1-3 | 4-6 | 7 oder mehr"])
def test_amounts_between_bars_are_answers(list_: str) -> None:
    """They were read as a jump to question 2, or as a number with a unit."""
    survey = read_paste(f"Geld\n\n1. Wie viel?\n   {list_}\n2. Haben Sie ein Konto?  ja | nein", ("de",))
    assert len(survey.questions[0].options) == 3


def test_how_many_answers_may_be_behind_a_question_without_a_sign() -> None:
    """The last question and its answers were left out, or joined."""
    text = "Umfrage\n\nWo?\nhier\ndort\n\nWas stört Sie? Mehrere Antworten erlaubt\nLärm\nHitze\nStaub"
    question = read_paste(text, ("de",)).questions[-1]
    assert (question.kind, labels_of(question)) == ("several", ("Lärm", "Hitze", "Staub"))


def test_commas_within_the_first_of_several_answers_separate_none() -> None:
    """The first of several lines was split, the others were not."""
    text = "Money\n\n1. Could you pay?\nYes, from savings\nYes, with a loan\nNo\n2. Do you save?\nYes\nNo"
    assert labels_of(read_paste(text).questions[0]) == ("Yes, from savings", "Yes, with a loan", "No")


@pytest.mark.parametrize(
    "scale", ["Mala   Regular   Buena", "mala / regular / buena", "mala - regular - buena"]
)
def test_plain_lines_below_a_line_of_answers_are_items(scale: str) -> None:
    """Before, the items were further answers."""
    text = f"Encuesta\n\n¿Cómo califica lo siguiente?\n{scale}\nAlumbrado\nÁreas verdes\n\n¿Reclamó?\nSí   No"
    questions = read_paste(text).questions
    assert [len(question.options) for question in questions] == [3, 3, 0]
    assert [*questions[0].texts.values()] == ["Alumbrado"]


def test_a_jump_in_brackets_below_answers_is_none_of_them() -> None:
    text = (
        "调查\n1. 有孩子吗？\n   □没有\n   □一个\n   （选“没有”的，请直接回答第3题）\n"
        "2. 几岁？____岁\n3. 打算要吗？\n   □是\n   □否"
    )
    survey = read_paste(text)
    assert len(survey.questions[0].options) == 2
    assert survey.questions[1].condition


@pytest.mark.parametrize(
    ("remark", "kind"),
    [
        ("Tick one box only", "single"),
        ("Nota: pode assinalar várias opções.", "several"),
        ("Une seule réponse, merci.", "single"),
        ("注：可多选。", "several"),
    ],
)
@pytest.mark.parametrize("answers", ["   ☐ pay\n   ☐ rest\n   ☐ time", "   ☐ pay   ☐ rest   ☐ time"])
def test_remarks_below_boxes_say_how_many_and_are_no_answers(remark: str, kind: str, answers: str) -> None:
    survey = read_paste(f"1. Why?\n{answers}\n   {remark}\n\n2. Who?\n{answers}")
    assert [*labels_of(survey.questions[0])] == ["pay", "rest", "time"]
    assert survey.questions[0].kind == kind


def test_lines_without_the_mark_of_the_answers_above_are_asked_about() -> None:
    survey = read_paste(
        "1. Why?\n   ☐ pay\n   ☐ rest\n   Bitte nur ein Kreuz machen\n\n2. Who?\n   ☐ I\n   ☐ we"
    )
    assert any(note.line == 4 and note.effect == "uncertain" for note in survey.notes)


def test_only_one_is_an_answer_among_answers_without_marks() -> None:
    survey = read_paste("1. How many friends?\nnone\nonly one\nseveral\n2. Do you smoke?\nyes\nno")
    assert [*labels_of(survey.questions[0])] == ["none", "only one", "several"]
