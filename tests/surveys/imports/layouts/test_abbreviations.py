"""Abbreviated answers are written out as the text explains them."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.abbreviations import write_out
from surveys.imports.pasted_text import read_paste

AGREE = ("strongly agree", "agree", "disagree", "strongly disagree")


@pytest.mark.parametrize(
    "legend",
    [
        "SA = strongly agree, A = agree, D = disagree, SD = strongly disagree",
        "Key: SA strongly agree, A agree, D disagree, SD strongly disagree",
        "Please circle SA (strongly agree), A (agree), D (disagree) or SD (strongly disagree).",
        "SD: strongly disagree; D: disagree; A: agree; SA: strongly agree",
    ],
)
@pytest.mark.parametrize("between", [" ", "\n", "   "])
@pytest.mark.parametrize("is_above", [True, False])
def test_letters_behind_or_below_items_become_answers(legend: str, between: str, *, is_above: bool) -> None:
    items = [
        f"{at}. {item}.{between}SA A D SD" for at, item in enumerate(("I lie", "I hide money", "I cheat"), 1)
    ]
    lines = [legend, *items] if is_above else [*items, legend]
    questions = read_paste("\n".join(["Scale", *lines])).questions
    assert [each.texts["en"] for each in questions] == ["I lie.", "I hide money.", "I cheat."]
    assert {labels_of(each) for each in questions} == {AGREE}


def test_signs_are_written_out_too() -> None:
    lines = [
        "I lie. ++ + o - --",
        "I hide. ++ + o - --",
        "-- = no, - = hardly, o = partly, + = mostly, ++ = yes",
    ]
    assert write_out(lines)[0] == "I lie.    ○ yes   ○ mostly   ○ partly   ○ hardly   ○ no"


@pytest.mark.parametrize(
    "lines",
    [
        ["I lie. S A N", "I hide. S A N"],
        ["I lie. S A N", "S = always, A = often, N = never"],
        ["(1) (2) (3)", "(1) (2) (3)", "(1) never (2) often (3) always"],
        ["Do as I do", "Do as I do", "as do I"],
    ],
)
def test_lines_without_an_explanation_stay(lines: list[str]) -> None:
    assert write_out(lines) == lines


def test_points_that_a_rule_states_for_abbreviations_are_those_of_the_answers() -> None:
    items = [f"{at}. {item}.   SD  D  A  SA" for at, item in enumerate(("I lie", "I am calm", "I cheat"), 1)]
    legend = "Circle SD (strongly disagree), D (disagree), A (agree) or SA (strongly agree)."
    rule = "Scoring: SD = 1, D = 2, A = 3, SA = 4. Item 2 is reverse scored.\nTotal 3-6: low, 7-12: high."
    survey = read_paste("\n".join(["Scale", "", legend, "", *items, "", rule]))
    assert [[option.points for option in each.options] for each in survey.questions] == [
        [1, 2, 3, 4],
        [4, 3, 2, 1],
        [1, 2, 3, 4],
    ]
    assert [[start for start, _label in score.levels] for score in survey.scores] == [[None, 7]]


@pytest.mark.parametrize("box", ["( )", "[ ]", "☐", "○"])
def test_boxes_are_no_abbreviations(box: str) -> None:
    """The second question used to become the answers of the others."""
    for answers in (("Yes, all", "Some", "No one"), ("No one", "All", "Some")):
        second = "  ".join(f"{box} {answer}" for answer in answers)
        lines = [f"1. Do you lie?  {box} Yes  {box} No", f"2. Who knows?  {second}"]
        lines.append(f"3. Do you steal?  {box} Yes  {box} No")
        assert write_out(lines) == lines


@pytest.mark.parametrize(
    ("stem", "run"),
    [
        ("Do you agree?", "SD D A"),
        ("¿Está de acuerdo?", "TD D TA"),
        ("Bitte kreuzen Sie für jede Aussage ein Feld an:", "N M O"),
        ("Sur les dernières deux semaines :", "J P S"),
        ("Как часто это бывает?", "Н И Ч"),
    ],
)
def test_a_question_before_abbreviations_is_kept_above_their_items(stem: str, run: str) -> None:
    """Before, it was dropped with the line, without a note."""
    said = ", ".join(f"{key} = answer {at}" for at, key in enumerate(run.split()))
    lines = write_out([f"{stem} ({said})", f"1. I lie.  {run}", f"2. I hide.  {run}"])
    assert lines[0] == stem
    survey = read_paste("\n".join(["Work", f"{stem} ({said})", f"1. I lie.  {run}", f"2. I hide.  {run}"]))
    assert [line.role for line in survey.lines if line.line == 2] != ["joined"]


def test_yes_and_no_behind_a_french_question_mark_are_no_abbreviations() -> None:
    """The answers of another question, *Plutôt oui*, were taken for what they mean."""
    other = "2. En sécurité ?   [ ] Tout à fait [ ] Plutôt oui [ ] Plutôt non [ ] Pas du tout"
    text = ["1. Seul ?  oui / non", other, "3. Volé ?  oui / non"]
    assert write_out(text) == text
