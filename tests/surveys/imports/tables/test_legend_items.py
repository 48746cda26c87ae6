"""Answers stated once serve the items above or below, and no questions that have their own."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of, text_of
from surveys.imports.pasted_text import read_paste


def read(text: str) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    return [
        (
            next(iter(each.texts.values())),
            tuple(next(iter(option.texts.values())) for option in each.options),
            tuple(points_of(each)) if each.points or each.options else (),
        )
        for each in read_paste(text).questions
    ]


SCALE = ("never", "sometimes", "often")


@pytest.mark.parametrize(
    "text",
    [
        "Stress\n0 = never, 1 = sometimes, 2 = often\n\n1. I sleep badly\n2. I cry",
        "Stress\n\n1. I sleep badly\n2. I cry\n\nAnswers: 0 = never; 1 = sometimes; 2 = often",
        "Stress\n0: never\n1: sometimes\n2: often\n\n1. I sleep badly\n2. I cry",
        "Stress\nCircle one: never (0), sometimes (1), often (2)\n\n- I sleep badly  0 1 2\n- I cry  0 1 2",
    ],
)
def test_a_legend_serves_the_items_beside_it(text: str) -> None:
    assert read(text) == [("I sleep badly", SCALE, (0, 1, 2)), ("I cry", SCALE, (0, 1, 2))]


def test_each_part_has_its_own_legend() -> None:
    text = "Part 1 (never / sometimes / often)\n1.1 I eat alone.\n1.2 I hide food.\n\n"
    text += "Part 2 (mine / ours / theirs)\n2.1 The key is\n2.2 The house is"
    assert [options for _text, options, _points in read(text)] == [
        SCALE,
        SCALE,
        *[("mine", "ours", "theirs")] * 2,
    ]


def test_items_that_continue_on_the_next_line_are_joined() -> None:
    text = "S\n1 = no, 2 = perhaps, 3 = yes\n\n(1) people speak\n    to me as to a child.\n(2) I can say no."
    assert [asked for asked, _options, _points in read(text)] == [
        "people speak to me as to a child.",
        "I can say no.",
    ]


def test_questions_with_their_own_answers_are_left_alone() -> None:
    text = (
        "T\n1. How do you go?\nby bus, on foot, by car\n2. Where?\n- home\n- abroad\n3. Why?\n- work\n- fun"
    )
    assert [options for _text, options, _points in read(text)] == [
        ("by bus", "on foot", "by car"),
        ("home", "abroad"),
        ("work", "fun"),
    ]


def test_items_with_the_sign_of_reversed_ones_are_reversed() -> None:
    text = "T\n0 = no, 1 = perhaps, 2 = yes\n1. I am sad. (-)\n2. I am glad.\n\nItems with (-) are reversed."
    assert [(asked, points) for asked, _options, points in read(text)] == [
        ("I am sad.", (2, 1, 0)),
        ("I am glad.", (0, 1, 2)),
    ]


@pytest.mark.parametrize("mark", ["- ", "• ", "2.{} ", "({}) "])
@pytest.mark.parametrize(
    "answers",
    [
        "   never – rarely – often",
        "   ☐ никогда   ☐ редко   ☐ часто",
        "   ☐ nie\n   ☐ selten\n   ☐ oft",
        "   jamais ........ 0\n   parfois ........ 1\n   souvent ........ 2",
    ],
)
def test_marked_lines_above_the_same_answers_are_questions(mark: str, answers: str) -> None:
    items = ["I talk to worms.", "I dig at night.", "I sing to beans."]
    listed = "\n".join(f"{mark.format(n)}{item}\n{answers}" for n, item in enumerate(items, start=1))
    found = read(f"Garden\n1. Do you dig?\n☐ Yes\n☐ No\n\n{listed}\n\n2. Why?\n____")
    assert [(asked, len(options)) for asked, options, _points in found if asked in items] == [
        (item, 3) for item in items
    ]


@pytest.mark.parametrize(
    ("key", "points"),
    [
        ("Key: a = 0 points, b = 1 point, c = 3 points", (0, 1, 3)),
        ("Schlüssel: a=2; b=1; c=0", (2, 1, 0)),
        ("CLAVE: a) → 0, b) → 1, c) → 2", (0, 1, 2)),
    ],
)
@pytest.mark.parametrize("is_above", [True, False])
def test_letters_in_front_of_answers_have_the_points_that_a_key_states(
    key: str, points: tuple[int, ...], is_above: bool
) -> None:
    asked = "\n".join(f"{n}. In garden {n} I ...\n   a) dig\n   b) sing\n   c) sleep\n" for n in (1, 2, 3))
    found = read(f"Garden\n\n{key}\n\n{asked}" if is_above else f"Garden\n\n{asked}\n{key}")
    assert [(options, own) for _text, options, own in found] == [(("dig", "sing", "sleep"), points)] * 3


@pytest.mark.parametrize(
    ("legend", "labels"),
    [
        ("Tick one box. Never = 0, At times = 1, Often = 3", ("Never", "At times", "Often")),
        ("Отметьте (никогда – 0, редко – 1, часто – 3).", ("никогда", "редко", "часто")),
    ],
)
def test_a_table_without_numbers_has_the_points_that_a_legend_states(
    legend: str, labels: tuple[str, ...]
) -> None:
    rows = "\n".join(f"{n}. {text:30}☐        ☐        ☐" for n, text in enumerate(("I dig", "I sing"), 1))
    found = read(f"Garden\n{legend}\n\n{' ' * 33}{'     '.join(labels)}\n{rows}")
    assert [(options, points) for _text, options, points in found] == [(labels, (0, 1, 3))] * 2


@pytest.mark.parametrize("answers", ["1 = figs, 2 = leeks, 3 = beans", "1: Feigen\n2: Lauch\n3: Bohnen"])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_codes_below_a_numbered_question_are_its_answers(answers: str, gap: str) -> None:
    found = read(
        f"Garden\n(1) Who digs?\n\n(2) What grows?{gap}\n{answers}\n\n(3) Who sings?\n\n(4) Who eats?"
    )
    assert [len(options) for _text, options, _points in found] == [0, 3, 0, 0]


@pytest.mark.parametrize("legend", ["(0 = never, 1 = often)", "(0 = nie, 1 = oft)"])
def test_items_with_spaces_below_a_question_have_the_answers_of_the_legend_below(legend: str) -> None:
    found = read(f"Garden\n\nHow often do you ...?\n- dig at night  ___\n- sing to beans  ___\n\n{legend}")
    assert [(asked, points) for asked, _options, points in found] == [
        ("dig at night", (0, 1)),
        ("sing to beans", (0, 1)),
    ]


ITEMS = "1. I cook\n2. I clean\n3. I sing\n"


@pytest.mark.parametrize(
    ("above", "purpose", "help_text"),
    [
        ("Please think of the last four weeks.\n\n", None, "Please think of the last four weeks."),
        (
            "We ask about chores. Answers are anonymous.\n\nThink of last week.\n",
            "We ask about chores. Answers are anonymous.",
            "Think of last week.",
        ),
        (
            "We ask about chores. Answers are anonymous.\n\n",
            "We ask about chores. Answers are anonymous.",
            None,
        ),
    ],
)
def test_the_sentence_above_a_scale_explains_it_and_is_not_the_purpose(
    above: str, purpose: str | None, help_text: str | None
) -> None:
    items = "".join(
        f"{number}. I {verb}?\n- never\n- often\n" for number, verb in enumerate(("cook", "sing", "dig"), 1)
    )
    survey = read_paste(f"Home\n{above}{items}")
    assert survey.about.get("purpose", {}).get("en") == purpose
    assert survey.parts[0].help.get("en") == help_text
    assert len(survey.questions) == 3


def test_the_sentence_above_questions_with_answers_of_their_own_stays_the_purpose() -> None:
    survey = read_paste(
        "Home\nWe ask about chores.\n\n1. Do you cook?\n2. How old are you?\n3. Do you sing?\n"
    )
    assert survey.about["purpose"] == {"en": "We ask about chores."}


def test_two_scales_with_the_same_legend_are_both_read() -> None:
    legend = "Answer each line (0 = never, 1 = often)"
    found = read(f"Home\n{legend}\n\n{ITEMS}\nWork\n{legend}\n\n{ITEMS}")
    assert [(options, points) for _asked, options, points in found] == [(("never", "often"), (0, 1))] * 6


def test_the_same_list_below_several_lines_without_marks_makes_questions() -> None:
    """Before, the whole text was an introduction: the cells of a table, each pasted on its line."""
    answers = "very\nsomewhat\nnot at all\n"
    text = (
        f"How satisfied are you with\nYour marriage\n{answers}Your sex life\n{answers}Your income\n{answers}"
    )
    questions = read_paste(text).questions
    assert [text_of(question) for question in questions] == ["Your marriage", "Your sex life", "Your income"]
    assert {labels_of(question) for question in questions} == {("very", "somewhat", "not at all")}


@pytest.mark.parametrize(
    ("greeting", "items"),
    [
        (
            "大家好,统计一下团建的事,麻烦今天回复哈",
            "①你参加吗？ 参加/不参加/还不确定\n②想去哪里？ 爬山/海边\n③带几个家属？\n④有没有忌口？ 有/没有",
        ),
        (
            "Hello all, quick poll, reply soon",
            "1) Are you coming? yes/no/maybe\n2) How many guests?\n3) How many cars?\n4) Allergies? yes/no",
        ),
    ],
)
def test_a_greeting_above_a_question_with_answers_is_no_scale(greeting: str, items: str) -> None:
    survey = read_paste(f"{greeting}\n{items}")
    assert [question.kind for question in survey.questions][-2:] == ["number", "yes_no"]


def test_a_scale_above_items_may_be_followed_by_a_question_with_answers() -> None:
    survey = read_paste("Never, sometimes, often\n1) I run.\n2) I swim.\n3) I climb.\n4) Are you ill? yes/no")
    assert [len(question.options) for question in survey.questions] == [3, 3, 3, 0]


@pytest.mark.parametrize("letters", ["N  F  W", "N F W", "N   F   W"])
def test_items_below_letters_have_points_of_their_own(letters: str) -> None:
    text = (
        f"Anger\n\nLast month:   N = never   F = sometimes   W = often\n\n{' ' * 30}{letters}\n"
        "1. I shout ................... 0  1  2\n2. I hit things .............. 0  2  4\n"
    )
    assert read(text) == [("I shout", SCALE, (0, 1, 2)), ("I hit things", SCALE, (0, 2, 4))]


def test_a_list_below_a_lettered_question_is_no_legend_of_fields_above() -> None:
    text = (
        "家长问卷\n\n（一）孩子姓名：______\n（二）孩子今年几岁？ ____\n"
        "（三）孩子受洗了吗？\n  1. 是\n  2. 否\n"
        "（四）您希望上课的时间是\n  1. 周六下午\n  2. 周日上午\n  3. 周日下午\n"
    )
    found = read(text)
    assert [(words, labels) for words, labels, _points in found if labels] == [
        ("您希望上课的时间是", ("周六下午", "周日上午", "周日下午"))
    ]


def test_letters_above_items_with_other_marks_are_their_answers() -> None:
    found = read("Room\n\nA. yes, often  B. sometimes  C. no\n\n1. They take my things\n2. We eat together")
    assert [labels for _text, labels, _points in found] == [("yes, often", "sometimes", "no")] * 2


def test_items_below_a_question_that_states_points_are_no_answers() -> None:
    asked = "How often? (never = 1 … always = 4; between: seldom = 2, often = 3)"
    found = read(
        f"Work\n\n{asked}\n\na) I work at night.\nb) I weep at work.\nc) I rest.\n\nItem c is reversed."
    )
    assert [labels for _text, labels, _points in found] == [("never", "seldom", "often", "always")] * 3


def test_a_star_leaves_the_empty_cells_of_its_row() -> None:
    rows = "1\tI cook\t\t\n2\tI sing*\t\t\n3\tI rest\t\t\n"
    found = read(f"No.\tItem\tNever (0)\tOften (1)\n{rows}\n* reversed\nSum 0-1 low, 2-3 high")
    assert [points for _text, _labels, points in found] == [(0, 1), (1, 0), (0, 1)]


def test_a_question_with_yes_and_no_below_items_is_no_legend_of_these() -> None:
    """All items were asked as yes or no."""
    items = "\n".join(f"{each}          1   2   3   4   5" for each in ("I feel safe.", "I am glad."))
    text = f"Please rate (1 = not at all, 5 = very):\n\n{items}\n\nHave you ever left early?   Yes / No"
    assert [(each.kind, len(each.options)) for each in read_paste(text).questions] == [
        ("single", 5),
        ("single", 5),
        ("yes_no", 0),
    ]


@pytest.mark.parametrize(
    ("greeting", "questions"),
    [
        ("Hola, te paso las preguntas, gracias", "1. ¿Reza usted? sí / no\n2. ¿Qué echa de menos?"),
        ("Anna, here are the questions, thanks", "1. Do you pray? yes / no\n2. What do you miss?"),
        (
            "阿弥陀佛，禅修营的问卷，麻烦您设置一下",
            "1. 您每天打坐多少分钟？ ____分钟\n2. 您的收获是什么？ ____",
        ),
    ],
)
def test_clauses_of_a_greeting_are_no_answers_of_questions_with_their_own(
    greeting: str, questions: str
) -> None:
    survey = read_paste(f"{greeting}\n{questions}")
    assert len(survey.questions) == 2
    assert not any(question.options for question in survey.questions)


def test_answers_on_the_line_below_a_question_with_an_instruction_are_no_legend() -> None:
    """They became those of the questions further down."""
    asked = "1) What bothers you? Tick all.\n1. Noise 2. Rubbish 3. Dogs\n2) How many rooms?\n"
    text = f"T\n\n{asked}3) Is it cold?\n1. Yes 2. No"
    assert [question.kind for question in read_paste(text).questions] == ["several", "number", "yes_no"]


def test_answers_below_statements_are_no_items_of_a_key_below_them() -> None:
    """Each answer became a question with all answers, and each statement a heading."""
    answers = "( ) never\n( ) rarely\n( ) often"
    keys = "Items 1, 3: never 1, rarely 2, often 3\nItems 2, 4: never 3, rarely 2, often 1"
    items = [
        f"{number}. {text}\n{answers}"
        for number, text in enumerate(("I rest.", "I rush.", "I read.", "I run."), 1)
    ]
    found = read("Week\n\n" + "\n\n".join(items) + f"\n\n{keys}\nTotal from 4 to 12. From 9 points on, rest.")
    labels = ("never", "rarely", "often")
    forward, backward = (1, 2, 3), (3, 2, 1)
    assert found == [
        ("I rest.", labels, forward),
        ("I rush.", labels, backward),
        ("I read.", labels, forward),
        ("I run.", labels, backward),
    ]


@pytest.mark.parametrize(
    ("legend", "labels", "points"),
    [
        ("-1 worse, 0 same, +1 better", ("worse", "same", "better"), (-1, 0, 1)),
        ("Bewertung: −1 = dagegen; 0 = neutral; 1 = dafür", ("dagegen", "neutral", "dafür"), (-1, 0, 1)),
        ("+2 yes +1 rather yes -1 rather no -2 no", ("yes", "rather yes", "rather no", "no"), (2, 1, -1, -2)),
        ("contre (-1), neutre (0), pour (+1)", ("contre", "neutre", "pour"), (-1, 0, 1)),
        ("-1 变差 0 不变 1 变好 -9 拒绝回答", ("变差", "不变", "变好", "拒绝回答"), (-1, 0, 1, 0)),
        ("never -0, seldom -1, often -2", ("never", "seldom", "often"), (0, 1, 2)),
    ],
)
def test_codes_with_signs_are_points(legend: str, labels: tuple[str, ...], points: tuple[int, ...]) -> None:
    """Before, answers with a negative code were left out."""
    text = f"{legend}\n1. Debts\n2. Money"
    assert [own for _text, *own in read(text)] == [[labels, points]] * 2


@pytest.mark.parametrize(
    "legend",
    [
        "0 never, 1 often, 2 always, X skipped",
        "0 = never; 1 = often; 2 = always; NA = skipped",
        "0 = never, 1 = often, 2 = always, - = skipped",
        "never = 0, often = 1, always = 2, skipped = X",
        "0 = never, 1 = often, 2 = always, n.a. = skipped",
        "never [0] often [1] always [2] skipped [-9]",
        "0: never; 1: often; 2: always; NA: skipped",
        "never = 0 / often = 1 / always = 2 / skipped = R",
        "0 - never, 1 - often, 2 - always, ? - skipped",
    ],
)
def test_answers_whose_codes_are_no_points_are_answers(legend: str) -> None:
    """Before, they were left out."""
    labels = ("never", "often", "always", "skipped")
    assert [own for _text, *own in read(f"{legend}\n1. I lie\n2. I steal")] == [[labels, (0, 1, 2, 0)]] * 2


def test_commas_within_answers_end_none() -> None:
    """Before, the last answer was *no*."""
    text = "1 = no, never, 2 = yes, once, 3 = no, I am alone\n1. He hits me\n2. I hit him"
    assert [labels for _text, labels, _points in read(text)] == [
        ("no, never", "yes, once", "no, I am alone")
    ] * 2


@pytest.mark.parametrize(
    "text",
    [
        "1 = no, 3 = partly, 5 = yes\n1. I trust him\n2. I trust her",
        "no (1), partly (3), yes (5)\n1. I trust him\n2. I trust her",
        "1 = no, 3 = partly, 5 = yes\n1. I trust him  1 2 3 4 5\n2. I trust her  1 2 3 4 5",
    ],
)
def test_steps_without_words_are_steps_of_a_scale(text: str) -> None:
    """Before, the scale had three answers, or no words."""
    labels = ("1 – no", "2", "3 – partly", "4", "5 – yes")
    assert [own for _text, *own in read(text)] == [[labels, (1, 2, 3, 4, 5)]] * 2


def test_letters_in_brackets_in_front_of_answers_explain_all() -> None:
    """Before, the last answer was left out."""
    text = "Trust\n(A) never (B) often (C) skipped\n1. I trust him\n2. I trust her"
    assert [labels for _text, labels, _points in read(text)] == [("never", "often", "skipped")] * 2


def test_a_code_behind_items_that_is_not_explained_is_an_answer() -> None:
    """Before, the codes became a part of the items."""
    text = "1. I lie   N  S  O  DK\n2. I steal   N  S  O  DK\nN = never, S = sometimes, O = often"
    assert read(text) == [(item, (*SCALE, "DK"), (0, 0, 0, 0)) for item in ("I lie", "I steal")]


def test_roman_numbers_in_front_of_answers_are_codes() -> None:
    """Before, they were parts of the answers."""
    text = "Lies\nI never, II sometimes, III often\n1. I lie\n2. I steal"
    assert [labels for _text, labels, _points in read(text)] == [SCALE] * 2


@pytest.mark.parametrize(
    ("legend", "labels", "points"),
    [
        ("0 = jamais, 1 = oui, NSP = ne sait pas, NR = refus", "jamais oui ne·sait·pas refus", (0, 1, 0, 0)),
        ("从不=0，有时=1，经常=2，不适用=X", "从不 有时 经常 不适用", (0, 1, 2, 0)),
        ("1（从不）、2（有时）、3（经常）或X（不适用）", "从不 有时 经常 不适用", (1, 2, 3, 0)),
        ("1 = never; 2 = often; 7 = skipped; 8 = refused", "never often skipped refused", (1, 2, 7, 8)),
    ],
)
def test_codes_of_two_kinds_explain_all_answers(legend: str, labels: str, points: tuple[int, ...]) -> None:
    """Before, only the last answers were read, or all but the last."""
    found = tuple(label.replace("·", " ") for label in labels.split())
    assert [own for _text, *own in read(f"{legend}\n1. A\n2. B")] == [[found, points]] * 2


def test_a_legend_above_and_a_rule_with_the_same_answers_below_a_table_are_read() -> None:
    codes = "0 = nie\n1 = selten\n2 = oft\n3 = immer"
    items = ("Nachbarn durch die Wand hören", "Bei offenem Fenster schlafen", "Nachts Ohrstöpsel tragen")
    rows = "\n".join(f"{number}\t{item}\t0\t1\t2\t3" for number, item in enumerate(items, 1))
    rule = "Auswertung:\nBei den Items 1 und 2 zählt nie 3, selten 2, oft 1 und immer 0."
    survey = read_paste(f"Lärm\n\n{codes}\n\n{rows}\n\n{rule}")
    assert [points_of(each) for each in survey.questions] == [[3, 2, 1, 0], [3, 2, 1, 0], [0, 1, 2, 3]]


def test_points_of_some_items_are_no_legend() -> None:
    """Before, all items had the answers and points of this sentence."""
    items = "1. I cook alone.\n2. I sing alone.\n3. I rest alone."
    rule = "In items 1 and 3, never counts 2, rarely 1 and often 0."
    survey = read_paste(
        f"Home\n\n{items}\n\n0 never   1 rarely   2 often\n\n{rule}\nScore 0-3: low, 4-6: high"
    )
    assert [labels_of(each) for each in survey.questions] == [("never", "rarely", "often")] * 3
    assert [points_of(each) for each in survey.questions] == [[2, 1, 0], [0, 1, 2], [2, 1, 0]]


def test_plain_items_above_a_legend_have_its_answers() -> None:
    items = "I cook alone.\nI sing alone.\nI rest alone."
    survey = read_paste(f"Home\n\nHow often do you do this?\n\n{items}\n\n0 = never, 1 = rarely, 2 = often\n")
    assert [labels_of(each) for each in survey.questions] == [("never", "rarely", "often")] * 3
