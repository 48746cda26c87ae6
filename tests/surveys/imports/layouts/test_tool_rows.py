"""Scales copied from tables, exports and appendices."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of, text_of
from surveys.imports.layouts.tool_rows import without_kind_cells
from surveys.imports.pasted_text import read_paste


def test_quoted_rows_of_a_sheet_are_read_with_their_points() -> None:
    rows = (
        '"id";"item";"inverse";"no";"so-so";"yes"\n"P1";"I vote always";"yes";2;1;0\n'
        '"P2";"They lie to us";"no";0;1;2\n"P3";"Voting changes nothing";"no";0;1;2'
    )
    survey = read_paste(f"{rows}\n\nTotal = sum of the points. low < 3; high 3-6")
    assert [points_of(each) for each in survey.questions] == [[2, 1, 0], [0, 1, 2], [0, 1, 2]]


def test_rows_between_bars_need_no_header() -> None:
    rows = "".join(
        f"| {n}. | {text} | D | A | TA |\n"
        for n, text in enumerate(("Me gritan.", "Me oyen.", "Me pegan."), 1)
    )
    text = (
        f"ESCALA\nD = En desacuerdo\nA = De acuerdo\nTA = Muy de acuerdo\n\n{rows}\n"
        "CORRECCIÓN: D = 1, A = 2, TA = 3."
    )
    survey = read_paste(text)
    assert [text_of(each) for each in survey.questions] == ["Me gritan.", "Me oyen.", "Me pegan."]
    assert {labels_of(each) for each in survey.questions} == {
        ("En desacuerdo", "De acuerdo", "Muy de acuerdo")
    }
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3]] * 3


def test_means_and_correlations_are_no_answers() -> None:
    rows = (
        "No.\tItem\tM (SD)\tr(it)\n1\tI hide it.\t2.94 (1.21)\t.61\n"
        "2\tI lie.\t2.12 (1.09)\t.44\n3\tI speak. (R)\t3.35 (1.17)\t.58"
    )
    survey = read_paste(
        f"Response format: 1 (never), 2 (often), 3 (always)\n\n{rows}\n\n"
        "(R) = reversed. Total 3-5 low, 6-9 high."
    )
    assert [text_of(each) for each in survey.questions] == ["I hide it.", "I lie.", "I speak."]
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [1, 2, 3], [3, 2, 1]]


def test_a_table_may_name_subscales_and_directions() -> None:
    rows = (
        "code\titem\tscale\tkeyed\nI1\tI tell what I like.\topen\t+\n"
        "I2\tI pretend a lot.\tavoid\t+\nI3\tI can say no.\tavoid\t-\n"
        "I4\tI find words.\topen\t+"
    )
    survey = read_paste(
        f"{rows}\n\nAnswers: 1 = never, 2 = often, 3 = always\nkeyed “-” = reverse. Total 4-7 low, 8-12 high."
    )
    assert [text_of(each) for each in survey.questions][:2] == ["I tell what I like.", "I pretend a lot."]
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [1, 2, 3], [3, 2, 1], [1, 2, 3]]


@pytest.mark.parametrize("frame", [">> {} <<", ">>> {} <<<", "» {} «", "> {} <"])
def test_arrows_around_a_rule_are_no_part_of_it(frame: str) -> None:
    items = "".join(f"{at}. I {word}.   0   1\n" for at, word in enumerate(("lie", "steal", "cheat"), 1))
    rule = frame.format("Score: 2 or more means trouble.")
    survey = read_paste(f"Scale\n\n0 = no, 1 = yes\n\n{items}\n{rule}")
    assert [[start for start, _name in score.levels] for score in survey.scores] == [[None, 2]]


def test_rows_with_the_kind_of_the_answer_are_questions() -> None:
    rows = "F1 | Smoker? | Art: ja/nein\nF2 | Where? | Art: Einfachauswahl\n- town\n- camp\n"
    rows += "F3 | Why? | Art: mehrere"
    survey = read_paste(
        f"Poll\n\n{rows}\n- tea\n- wine\nF4 | Years here | Art: numerisch (0 bis 50)", ("en",)
    )
    assert [question.kind for question in survey.questions] == ["yes_no", "single", "several", "number"]
    assert survey.questions[3].range == "0-50"


def test_other_rows_between_bars_stay() -> None:
    rows = ["1 | home | work: yes", "2 | here | there: no", "3 | all | none"]
    assert without_kind_cells(rows) == rows
