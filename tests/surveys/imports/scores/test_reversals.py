"""Items are reversed by a sign that the text explains, or by their names in a rule; the rest is noted."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.pasted_text import read_paste

HEAD = "Home\n1 = never, 2 = often, 3 = always\n\n"
SCORE = "\nTotal score: 3-5 low, 6-9 high"
PLAIN, TURNED = [1, 2, 3], [3, 2, 1]


def points(text: str) -> list[list[int]]:
    return [points_of(question) for question in read_paste(text).questions]


@pytest.mark.parametrize(
    ("items", "rule"),
    [
        ("1. I cook.\n2. I sing. (i)\n3. I rest.\n", "(i): inverse item."),
        ("1. I cook.\n2. I sing. *\n3. I rest.\n", "Items with * are turned round before adding."),
        ("1. I cook.\n2. (–) I sing.\n3. I rest.\n", "(–) = negativ gepoltes Item"),
        ("1. I cook.\n2. I sing. #\n3. I rest.\n", "# re-coded"),
        ("1. I cook.\n2. I sing.\n3. I rest.\n", "Scored 1 to 3, with item 2 reversed (1 = 3, 3 = 1)."),
        ("1. I cook.\n2. I sing.\n3. I rest.\n", "Reverse-scored: 2 (4 minus the answer)."),
        ("1. I cook.\n2. I sing.\n3. I rest.\n", "The second statement is scored backwards."),
        ("a. I cook.\nb. I sing.\nc. I rest.\n", "Item b is reversed."),
    ],
)
def test_one_item_is_reversed(items: str, rule: str) -> None:
    assert points(f"{HEAD}{items}\n{rule}{SCORE}") == [PLAIN, TURNED, PLAIN]


def test_a_sign_is_not_part_of_the_item() -> None:
    survey = read_paste(f"{HEAD}1. I cook.\n2. I sing. (i)\n3. I rest.\n\n(i): inverse item.{SCORE}")
    assert [next(iter(each.texts.values())) for each in survey.questions] == ["I cook.", "I sing.", "I rest."]


@pytest.mark.parametrize(
    ("items", "rule", "said"),
    [
        ("1. I cook.\n2. I sing. (i)\n3. I rest.\n", "(i): see the manual.", "have the sign (i)"),
        ("1. I cook.\n2. I sing.\n3. I rest.\n", "Positive items are reversed: see page 9.", "item 9"),
        (
            "1. I cook.\n2. I sing.\n3. I rest.\n",
            "Score 1 to 3; pleasant items are reversed.",
            "not clear which",
        ),
    ],
)
def test_the_report_asks_about_unclear_reversals(items: str, rule: str, said: str) -> None:
    survey = read_paste(f"{HEAD}{items}\n{rule}{SCORE}")
    assert any(said in note.message for note in survey.notes)
    assert {note.line for note in survey.notes if note.effect in ("uncertain", "wrong")} >= {4, 5, 6}


RULES = (
    "Add the points of items 1 to 3 (item 2 is reverse-scored).",
    "Sum of all items (reverse item 2).",
    "Reverse item 2, then add items 1-3.",
    "Add items 1 to 3 after reversing item 2.",
    "Sum of items 1, 2 (reversed), 3.",
    "Item 2 umpolen, dann die Punkte von 1 bis 3 addieren:",
    "Additionner les items 1 à 3 après inversion de l'item 2.",
    "Sume los ítems 1 a 3 (el ítem 2 se puntúa al revés).",
    "1至3题相加，其中第2题反向计分。",
    "Сумма баллов по пунктам 1–3 (пункт 2 — обратный).",
)


@pytest.mark.parametrize("rule", RULES)
def test_numbers_of_items_that_are_added_up_and_of_levels_reverse_nothing(rule: str) -> None:
    items = "1. I cook.\n2. I sing.\n3. I rest.\n"
    survey = read_paste(f"{HEAD}{items}\n{rule} 3-5 low, 6-9 high")
    assert [points_of(question) for question in survey.questions] == [PLAIN, TURNED, PLAIN]
    (score,) = survey.scores
    assert score.levels == [(None, "low"), (6, "high")]
    (said,) = [note.message for note in survey.notes if note.asks == "score"]
    assert "reversed: “I sing.”" in said


def test_a_statement_about_marked_items_reverses_no_others() -> None:
    items = "1. I cook.\n2. I sing. (R)\n3. I rest.\n"
    rule = "Items marked (R) are reversed before items 1 to 3 are added."
    assert points(f"{HEAD}{items}\n{rule}{SCORE}") == [PLAIN, TURNED, PLAIN]


def test_a_name_that_no_item_has_reverses_none_and_is_noted() -> None:
    survey = read_paste(f"{HEAD}1. I cook.\n2. I sing.\n3. I rest.\n\nItems 2 and 7 are reversed.{SCORE}")
    assert [points_of(question) for question in survey.questions] == [PLAIN, PLAIN, PLAIN]
    assert any("reverses item 7" in note.message for note in survey.notes)


def test_a_clause_may_begin_with_a_word_of_one_sign() -> None:
    items = "①您是否炒股？（是 / 否）\n②您是否借钱？（是 / 否）\n③您是否按计划卖出？（是 / 否）\n"
    text = f"自测\n\n{items}\n答“是”得1分，答“否”得0分；③相反，答“否”得1分。\n总分2分以上请注意"
    assert points(text) == [[0, 1], [0, 1], [1, 0]]


def test_the_formula_of_a_reversal_names_no_items() -> None:
    items = "1. I cook ..... 1 2 3\n2. I sing* ..... 1 2 3\n3. I rest ..... 1 2 3\n"
    assert points(f"{HEAD}{items}\n* inverse item (1 counts 3, 3 counts 1).{SCORE}") == [PLAIN, TURNED, PLAIN]


def test_items_with_points_printed_in_reverse_are_already_reversed() -> None:
    rows = "1. I cook.     1     2     3\n2. I sing.     3     2     1\n3. I rest.     1     2     3\n"
    text = f"Home\nHow often ...   never   often   always\n\n{rows}\nItem 2 is already reversed.{SCORE}"
    assert points(text) == [PLAIN, TURNED, PLAIN]


def test_an_instruction_above_the_items_may_say_which_are_reversed() -> None:
    items = "".join(
        f"{n}. {text}？    是（ ） 否（ ）\n"
        for n, text in enumerate(("你做饭吗", "你唱歌吗", "你休息吗"), 1)
    )
    rule = "答“是”计1分，答“否”计0分（第2题相反，答“否”计1分）。"
    found = points(f"自测\n\n{rule}\n\n{items}\n总分2分及以上者，建议求助。")
    assert found == [[0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("All items except 1 and 3 are reversed.", [[0, 1], [1, 0], [0, 1], [1, 0]]),
        ("Reverse all items but 2.", [[1, 0], [0, 1], [1, 0], [1, 0]]),
    ],
)
def test_items_that_are_not_reversed_may_be_named(rule: str, points: list[list[int]]) -> None:
    items = "".join(f"{number}. I {verb}\n" for number, verb in enumerate(("cook", "sing", "dig", "rest"), 1))
    survey = read_paste(
        f"Home\nAnswer each line (0 = never, 1 = often)\n\n{items}\n{rule}\nSum: 0-1 low; 2-4 high"
    )
    assert [points_of(question) for question in survey.questions] == points


def test_each_item_with_a_sign_that_is_not_understood_is_noted() -> None:
    items = "1. I cook.\n2. I sing. (i)\n3. I rest.\n4. I dig. (i)"
    rule = "(i): see the manual.\nSum: 0-1 low; 2-4 high"
    survey = read_paste(f"Home\nAnswer each line (0 = never, 1 = often)\n\n{items}\n\n{rule}")
    assert [note.line for note in survey.notes if "it has the sign (i)" in note.message] == [5, 7]


def test_a_sign_after_a_number_in_a_list_of_items_reverses_this_item() -> None:
    verbs = enumerate(("rest", "lie", "steal", "cook", "sing", "hide"), start=1)
    items = "".join(f"{number}. I {verb}.   ( ) never (0)   ( ) often (1)\n" for number, verb in verbs)
    survey = read_paste(f"Check\n\n{items}\nScoring\nHiding: 2, 3*, 6\nCalm: 1, 4*, 5\n* reversed")
    assert [points_of(each) for each in survey.questions] == [[0, 1], [0, 1], [1, 0], [1, 0], [0, 1], [0, 1]]


@pytest.mark.parametrize(
    "rule",
    ["Item 2 has already been reversed.", "Frage 2 ist bereits umgepolt.", "La frase 2 ya está invertida."],
)
def test_points_that_are_printed_reversed_stay(rule: str) -> None:
    points = ("0 1", "1 0", "0 1", "0 1")
    rows = [f"{n}. Item: never ({own[0]}) often ({own[2]})" for n, own in enumerate(points, start=1)]
    survey = read_paste("School\n" + "\n".join(rows) + f"\nAdd up the points. {rule}")
    assert [points_of(each) for each in survey.questions] == [[0, 1], [1, 0], [0, 1], [0, 1]]


@pytest.mark.parametrize(
    "rule",
    [
        "算分：答“是”得1分，答“否”得0分；③反过来，“否”得1分，“是”得0分。",
        "Yes scores 1, no scores 0; item 3 is the other way round, “no” scores 1, “yes” scores 0.",
        "Ja zählt 1, Nein 0; Frage 3 wird umgedreht, „Nein“ zählt 1, „Ja“ 0.",
    ],
)
def test_points_in_quotes_behind_reversed_items_are_no_items(rule: str) -> None:
    items = "① Do you cook?\n② Do you sing?\n③ Do you rest?\n④ Do you read?"
    text = f"Home\nAnswer each question with “yes” or “no”.\n\n{items}\n\n{rule}\n0-1 low, 2-4 high"
    assert points(text) == [[0, 1], [0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("I sing. (-)", "Items marked (-) and item 3 are reversed."),
        ("I sing. *", "Items marked * as well as 3 are reverse scored."),
        ("I sing. (-)", "Mit (-) gekennzeichnete Items sowie Item 3 sind umzupolen."),
        ("I sing. (-)", "Les items marqués (-) ainsi que l'item 3 sont inversés."),
        ("I sing. *", "带*的题目和第3题反向计分。"),
    ],
)
def test_an_item_may_be_joined_to_those_with_a_sign(marked: str, rule: str) -> None:
    assert points(f"{HEAD}1. I cook.\n2. {marked}\n3. I rest.\n{rule}{SCORE}") == [PLAIN, TURNED, TURNED]


def test_items_that_are_added_up_are_not_joined_to_those_with_a_sign() -> None:
    rule = "Reverse (R) items and sum items 1 to 3."
    assert points(f"{HEAD}1. I cook.\n2. I sing. (R)\n3. I rest.\n{rule}{SCORE}") == [PLAIN, TURNED, PLAIN]


@pytest.mark.parametrize(
    "mark",
    [
        "(reverse item)",
        "(scored in reverse)",
        "[ítem inverso]",
        "(invers)",
        "– umgepolt",
        "INVERSO",
        "(反向题)",
    ],
)
def test_a_mark_may_have_several_words_or_a_dash(mark: str) -> None:
    survey = read_paste(f"{HEAD}1. I cook.\n2. I sing. {mark}\n3. I rest.\n{SCORE}")
    assert [points_of(each) for each in survey.questions] == [PLAIN, TURNED, PLAIN]
    assert next(iter(survey.questions[1].texts.values())) == "I sing."


@pytest.mark.parametrize("item", ["I help her (and vice versa).", "I help her – and the other way round"])
def test_words_that_go_on_are_no_mark(item: str) -> None:
    survey = read_paste(f"{HEAD}1. I cook.\n2. {item}\n3. I rest.\n{SCORE}")
    assert next(iter(survey.questions[1].texts.values())) == item


@pytest.mark.parametrize(
    ("sign", "rule"),
    [("R", "R items: 4 minus the answer."), ("R", "R = punteggio capovolto"), ("*", "*用4减去原分")],
)
def test_a_letter_or_a_difference_may_reverse(sign: str, rule: str) -> None:
    assert points(f"{HEAD}1. I cook.\n2. I sing. {sign}\n3. I rest.\n\n{rule}{SCORE}") == [
        PLAIN,
        TURNED,
        PLAIN,
    ]


@pytest.mark.parametrize("rule", ["Points from 3 to 1 for 2.", "Points de 3 à 1 pour 2."])
def test_points_that_fall_reverse_the_items_that_a_rule_names(rule: str) -> None:
    assert points(f"{HEAD}1. I cook.\n2. I sing.\n3. I rest.\n\n{rule}{SCORE}") == [PLAIN, TURNED, PLAIN]


def test_points_of_reversed_items_are_no_numbers_of_items() -> None:
    rule = "Reversed items are scored 3, 2, 1."
    assert points(f"{HEAD}1. I cook.\n2. I sing. (R)\n3. I rest.\n\n{rule}{SCORE}") == [PLAIN, TURNED, PLAIN]


@pytest.mark.parametrize(
    "rule",
    [
        "Item 2: 4 − answer.",
        "Subtract the answer to item 2 from 4.",
        "Bei 2 den Wert von 4 abziehen.",
        "L'item 2 est à retourner.",
        "La 2 va girata.",
        "El 2 se corrige restando la respuesta a 4.",
        "2 va capovolta.",
    ],
)
def test_verbs_and_differences_reverse_the_items_that_they_name(rule: str) -> None:
    assert points(f"{HEAD}1. I cook.\n2. I sing.\n3. I rest.\n\n{rule}{SCORE}") == [PLAIN, TURNED, PLAIN]


@pytest.mark.parametrize("sign", ["▲", "★", "◆"])
def test_a_drawn_sign_may_mark_reversed_items(sign: str) -> None:
    text = f"{HEAD}1. I cook.\n2. I sing. {sign}\n3. I rest.\n\n{sign} reversed{SCORE}"
    assert points(text) == [PLAIN, TURNED, PLAIN]


@pytest.mark.parametrize("head", ["\tnever (0)\tseldom (1)\toften (2)", "\tnever\tseldom\toften\n\t0\t1\t2"])
def test_a_row_may_print_the_points_of_its_header_in_the_opposite_order(head: str) -> None:
    rows = "1) I eat.\t0\t1\t2\n2) I cry.\t2\t1\t0\n3) I go.\t0\t1\t2\n"
    survey = read_paste(f"Home\n\n{head}\n{rows}\nTotal: 0-2 low, 3-6 high")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


@pytest.mark.parametrize(
    "rule",
    [
        "The last two items are reversed.",
        "Die letzten beiden Fragen werden umgepolt.",
        "“I go to bed late” and “I go alone” are reversed.",
        "后两题反向计分。",
    ],
)
def test_a_line_without_a_digit_may_reverse_items(rule: str) -> None:
    items = "1. I eat late.\n2. I go to bed late.\n3. I go alone.\n"
    survey = read_paste(
        f"Home\n0 = never, 1 = seldom, 2 = often\n\n{items}\n{rule}\n\nTotal: 0-2 low, 3-6 high"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [2, 1, 0]]


@pytest.mark.parametrize(
    "said", ["Turn the points round for 2.", "En 2 dé la vuelta a los puntos.", "Per 2 rovesciare i punti."]
)
def test_points_may_be_turned(said: str) -> None:
    items = "1. I eat late.\n2. I go to bed late.\n3. I go alone.\n"
    survey = read_paste(
        f"Home\n0 = never, 1 = seldom, 2 = often\n\n{items}\nTotal: 0-2 low, 3-6 high\n{said}"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]
