"""A single line below a question is not taken for its only answer."""

import pytest

from surveys.imports.pasted_text import read_paste

ITALIAN = (
    "Turni\n1. Quante ore lavora di notte?\n   circa ______ ore\n2. Con chi vive?\n- da solo\n- in coppia"
)
POLISH = (
    "Praca\n1. Ile godzin pracuje Pan w nocy?\n   (proszę wpisać)\n2. Z kim Pan mieszka?\n- sam\n- z rodziną"
)


def _kinds(text: str, language: str) -> list[str]:
    return [question.kind for question in read_paste(text, (language,)).questions]


@pytest.mark.parametrize(
    ("text", "language", "unit"),
    [
        (ITALIAN, "it", "ore"),
        (
            "加班\n1. 您每周加班多少小时？\n   约 ______ 小时\n2. 您住在哪里？\n- 城市\n- 农村",
            "zh-hans",
            "小时",
        ),
        (
            "Trabajo\n1. ¿Cuántas horas trabaja?\n   [____|____] horas\n2. ¿Dónde?\n- aquí\n- allí",
            "es",
            "horas",
        ),
    ],
)
def test_a_space_behind_words_asks_for_a_number_with_its_unit(text: str, language: str, unit: str) -> None:
    first = read_paste(text, (language,)).questions[0]
    assert (first.kind, first.options) == ("number", [])
    assert first.own["number"]["unit"] == {language: unit}


def test_a_remark_below_a_question_explains_it() -> None:
    survey = read_paste(POLISH, ("pl",))
    assert [question.kind for question in survey.questions] == ["number", "single"]
    assert survey.questions[0].help == {"pl": "(proszę wpisać)"}


@pytest.mark.parametrize(
    ("above", "below", "ends"),
    [
        ("How old are you?", "Enter a whole number between 18 and 65", (18, 65)),
        ("Quel est votre âge ?", "Saisissez un nombre entre 15 et 99", (15, 99)),
        ("Сколько вам лет?", "укажите возраст от 14 до 90 лет", (14, 90)),
        ("您的年龄？", "请填写16到60之间的整数", (16, 60)),
    ],
)
def test_a_line_with_a_range_limits_the_number(above: str, below: str, ends: tuple[int, int]) -> None:
    text = f"Work\n1. {above}\n{below}\n\n2. {above[:-1].strip()} x?\n- Yes\n- No"
    first = read_paste(text).questions[0]
    assert first.kind == "number"
    assert (first.own["number"]["low"], first.own["number"]["high"]) == ends


@pytest.mark.parametrize(
    "below",
    ["[12.03., 19:42] Ben: see below", "Ends at 9:30, see page 12", "bis 12.11.2024"],
)
def test_times_and_dates_are_no_range(below: str) -> None:
    text = f"Work\n1. How many people come?\n{below}\n\n2. Do you lie?\n- Yes\n- No"
    first = read_paste(text, ("en",)).questions[0]
    assert first.own.get("number", {}).get("low") in (None, 0)


@pytest.mark.parametrize(
    ("below", "kind", "n"),
    [
        ("1 ★ molto basso … 5 ★ molto alto", "single", 5),
        ("0 (not worried at all)  ---  4 (extremely worried)   [slider]", "single", 5),
        ("0 (gar nicht) ........ 100 (völlig)", "number", 0),
        ("1 完全没有 …… 7 非常强烈", "single", 7),
    ],
)
def test_two_ends_below_a_question_are_a_scale(below: str, kind: str, n: int) -> None:
    text = f"Work\n1. How tired are you?\n{below}\n\n2. Do you lie?\n- Yes\n- No"
    first = read_paste(text, ("en",)).questions[0]
    assert (first.kind, len(first.options)) == (kind, n)


def test_a_marked_line_directly_above_the_next_question_is_a_heading() -> None:
    text = (
        "Linha de apoio\n- Está seguro?\n- Que idade tem?\n■ Situação\n- Pensou em morrer?\n- Tem um plano?"
    )
    survey = read_paste(text, ("pt",))
    assert [question.kind for question in survey.questions][:2] == ["yes_no", "number"]
    assert {line.line: line.role for line in survey.lines}[4] == "heading"


def test_remarks_behind_the_last_question_are_no_answer_to_it() -> None:
    text = (
        "Bewohner\n1. Schmeckt das Essen? (immer / selten / nie)\n2. Hat Sie jemand angefasst? (ja / nein)\n"
        "\nHerr Demir druckt die Bögen."
    )
    assert _kinds(text, "de") == ["single", "yes_no"]


@pytest.mark.parametrize(
    "text", ["T\n1. How many hours?\n0-79 hours", "T\n1. Where?\n- At home\n2. When?\n- Now\n- Later"]
)
def test_ranges_and_answers_with_the_mark_of_others_stay(text: str) -> None:
    assert {line.line: line.role for line in read_paste(text, ("en",)).lines}[3] == "answer"


def test_a_chosen_answer_stays_an_answer() -> None:
    text = "T\n1. With whom?\nRead out!\n2. Do you lie?\n- Yes\n- No"
    assert {line.line: line.role for line in read_paste(text, ("en",), {3: "answer"}).lines}[3] == "answer"


@pytest.mark.parametrize("total", ["合计", "Somma", "Всего баллов"])
def test_a_row_of_empty_cells_above_the_scoring_rule_is_no_item(total: str) -> None:
    rows = "\n".join(f"{item}\t0\t1\t2" for item in ("I drink", "I smoke", "I lie"))
    survey = read_paste(
        f"Item\tnever\tsometimes\toften\n{rows}\n{total}\t\t\t\n3 points or more: see a doctor"
    )
    assert [question.line for question in survey.questions] == [2, 3, 4]


def test_a_jump_in_a_cell_is_cut_from_the_answer() -> None:
    rows = [
        "| 1 | Do you smoke? | ☐ yes ☐ no → question 3 |",
        "| 2 | Since when? | ____ |",
        "| 3 | Where? | ____ |",
    ]
    survey = read_paste("\n".join(["| No. | Question | Answer |", *rows]), ("en",))
    assert survey.questions[0].kind == "yes_no"


def test_an_instruction_in_brackets_behind_answers_is_no_answer() -> None:
    text = "T\n\nWhich languages?\nFrench\nDutch\nOther\n(tick all that apply)\n\nWhich town?\nParis\nLille"
    first = read_paste(text, ("en",)).questions[0]
    assert (first.kind, len(first.options)) == ("several", 3)
