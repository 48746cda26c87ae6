"""Lines about scores are told from answers."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.lines.source_lines import read_line
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.rule_texts import is_scoring
from surveys.imports.scores.scoring_lines import mark_scoring


def test_rows_of_ranges_count_only_below_a_heading_about_scores() -> None:
    def signs(text: str) -> list[bool]:
        lines = [read_line(number, line, has_gap=False) for number, line in enumerate(text.split("\n"))]
        return [bool(line.role) for line in mark_scoring(lines)]

    assert signs("1. Age?\n18-29\n30-49\n50-99") == [False] * 4
    assert signs("Sum of the points\n0-1 low\n2-4 high") == [True] * 3


@pytest.mark.parametrize("second", ["10 or more see a doctor.", "10 et plus voir un médecin."])
def test_a_rule_may_go_on_below(second: str) -> None:
    texts = ["1. Sad?", "Total score: 0-4 low, 5-9 middle,", second, "Thank you."]
    lines = mark_scoring([read_line(number, text, has_gap=False) for number, text in enumerate(texts)])
    assert [line.role for line in lines] == ["", "scoring", "scoring", ""]


@pytest.mark.parametrize(
    ("yes", "no", "levels"),
    [
        ("Yes", "No", "0 - 1  low risk\n2 - 3  medium risk\n4 - 6  high risk"),
        ("Ja", "Nein", "0 - 1: kein Risiko\n2 - 3: wiederholen\n4 - 6: informieren"),
    ],
)
def test_ranges_with_names_of_their_own_are_levels(yes: str, no: str, levels: str) -> None:
    questions = "\n".join(f"{n}. Item {n}?   ☐ {yes} (2)   ☐ {no} (0)" for n in (1, 2, 3))
    survey = read_paste(f"Check\n\n{questions}\n\n{levels}")
    assert [[start for start, _label in score.levels] for score in survey.scores] == [[None, 2, 4]]


@pytest.mark.parametrize(
    "text",
    ["0-10 / 11-20 / more", "0-10; 11-20; more than 20", "0-10 | 11-20 | 21-30", "5-9 km / 10-19 km / far"],
)
def test_ranges_to_choose_from_are_not_a_rule(text: str) -> None:
    assert not is_scoring(text)
    survey = read_paste(f"Work\n1. How many hours a week?\n{text}\n2. Do you like it?")
    assert [question.kind for question in survey.questions] == ["single", "yes_no"]


def test_items_by_number_with_points_for_their_letters_are_a_rule_and_not_a_question() -> None:
    texts = ["1. I lie.   T   F", "2. I rest.   T   F", "Items 1: T = 1, F = 0.", "Item 2: T = 0, F = 1."]
    lines = mark_scoring([read_line(n, text, has_gap=False) for n, text in enumerate(texts, 1)])
    assert [line.role for line in lines] == ["", "", "scoring", "scoring"]


@pytest.mark.parametrize(
    "levels",
    [
        "| Total | Level |\n|---|---|\n| up to 2 | fine |\n| 3 – 4 | watch |\n| 5 and more | refer |",
        "MENOS DE 3    BIEN\nDE 3 A 4    MIRAR\nMÁS DE 4    AVISAR",
        "Sum:\n  0-2   fine\n  3-4   watch\n  5-6   refer to a doctor",
    ],
)
def test_levels_may_be_rows_with_words_before_their_sums(levels: str) -> None:
    rows = "".join(f"{n}. {text}  0  1  2\n" for n, text in enumerate(("I lie.", "I steal.", "I cheat."), 1))
    survey = read_paste(f"Honesty\n0 = never, 1 = often, 2 = always\n{rows}\n## Scoring\n{levels}")
    assert [[start for start, _label in score.levels] for score in survey.scores] == [[None, 3, 5]]


def test_answers_with_points_behind_dots_are_no_levels() -> None:
    answers = (
        "over 15 minutes ........ 0 points\n5 to 15 minutes ........ 1 point\n"
        "under 5 minutes ........ 2 points"
    )
    survey = read_paste(
        f"Bladder\n1) How long can you wait?\n{answers}\n2) Do you leak?\n"
        "no ........ 0 points\nyes ........ 2 points"
    )
    assert len(survey.questions[0].options) == 3


def test_levels_do_not_continue_in_the_line_below() -> None:
    rows = "".join(f"{n}. {text}  4  3  2  1\n" for n, text in enumerate(("Me gusta.", "Me oyen."), 1))
    rule = (
        "2-4 malestar bajo      5-8 malestar alto, con aviso al servicio médico\n"
        "Los ítems 1 y 2 no están invertidos."
    )
    survey = read_paste(
        f"Escala\nnunca = 4, poco = 3, mucho = 2, siempre = 1\n{rows}\nSuma total (2 a 8): ____\n{rule}"
    )
    assert [[start for start, _label in score.levels] for score in survey.scores] == [[None, 5]]


@pytest.mark.parametrize("answers", ["1) SI    2) NO (pase a la 3)", "1) yes   2) no (go to 3)"])
def test_answers_with_their_numbers_and_a_jump_are_no_key(answers: str) -> None:
    """Before, they said in silence which answers score points, and the question had none."""
    text = f"T\n1. ¿Tiene deudas?\n{answers}\n2. ¿Con quién?\n1) Banco  2) Amigos\n3. ¿Juega?\n1) SI    2) NO"
    assert [each.kind for each in read_paste(text).questions] == ["yes_no", "single", "yes_no"]


@pytest.mark.parametrize(
    "question",
    ["4. Do you take pills? yes / no", "4. Wie alt sind Sie? ____ Jahre", "4. Pills  ( ) yes  ( ) no"],
)
def test_a_question_with_its_answers_is_no_rest_of_a_rule(question: str) -> None:
    """Such questions below a scoring line without a full stop used to be lost."""
    texts = ["1. I sleep badly", "2. I wake early", "Score: 0-4 none, 5-9 some", question]
    lines = mark_scoring(
        [read_line(number, text, has_gap=False) for number, text in enumerate(texts, start=1)]
    )
    assert [line.role for line in lines] == ["", "", "scoring", ""]


@pytest.mark.parametrize("points", [(0, 1, 2), (3, 2, 1), (1, 2, 3)])
def test_ranges_with_points_below_a_question_are_its_answers(points: tuple[int, ...]) -> None:
    labels = ("0到1小时", "2到3小时", "4到5小时")
    pairs = zip("ABC", labels, points, strict=True)
    answers = "  ".join(f"{letter}. {label}（{point}分）" for letter, label, point in pairs)
    survey = read_paste(f"手机测试\n\n1、你看多久？\n{answers}\n2、你玩多久？\n{answers}\n\n总分：0-2分正常")
    assert [points_of(each) for each in survey.questions] == [[*points]] * 2


@pytest.mark.parametrize(
    ("levels", "gaps"),
    [
        ("0-1 fine\n2-4 unwell", "Unanswered items score 0"),
        ("0-1 gut\n2-4 krank", "Nicht beantwortete Fragen zählen 0"),
        ("0-1 bien\n2-4 mal", "Las preguntas sin respuesta valen 0"),
        ("0-1分 正常\n2-4分 受影响", "漏答的题目按0分计算"),
    ],
)
def test_levels_between_a_scale_and_a_rule_about_gaps_are_read(levels: str, gaps: str) -> None:
    survey = read_paste(
        f"Noise\nno = 0, yes, often = 1\n1. I wake up.\n2. I shout.\n3. I cry.\n4. I run.\n{levels}\n{gaps}"
    )
    assert [score.rule["missing"]["as"] for score in survey.scores] == ["no_points"]


def test_answers_with_points_in_brackets_are_no_rules() -> None:
    assert not any(map(is_scoring, ["[ASK IF D1 = 1]", "Menos de 1 ano"]))
    survey = read_paste(
        "测验\n1. 你偷过钱吗？\nA. 没有（0分）\nB. 有（2分）\n2. 你骗过人吗？\nA. 没有（0分）\nB. 有（2分）"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 2], [0, 2]]


@pytest.mark.parametrize("gap", ["  ", "   ", "\t"])
def test_boxes_with_points_behind_their_answers_are_no_rules(gap: str) -> None:
    answers = f"( ) nein{gap}0 Punkte\n( ) ja{gap}2 Punkte\n"
    survey = read_paste(
        f"Trinken\n\n1. Trinken Sie allein?\n{answers}2. Lügen Sie?\n{answers}\nAb 2 Punkten: Hilfe"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 2], [0, 2]]


@pytest.mark.parametrize(
    "levels",
    [
        ("Até 6 pontos: você manda.", "De 7 a 9 pontos: empate.", "De 10 a 12 pontos: o café. E uma folga?"),
        ("Up to 6 points: you rule.", "7 to 9 points: a draw.", "10 to 12 points: coffee rules. A break?"),
        ("10 à 12 points : le café. Une pause ?", "7 à 9 points : égalité.", "4 à 6 points : vous."),
        ("4–6分：你说了算。", "7–9分：平手。", "10–12分：咖啡说了算。要不要休息？"),
    ],
)
def test_a_level_may_ask_its_reader_something(levels: tuple[str, ...]) -> None:
    items = "\n\n".join(f"{n}. Item {n}?\na) Tea (1)\nb) Milk (2)\nc) Rum (3)" for n in range(1, 5))
    survey = read_paste(f"Coffee\n\n{items}\n\n" + "\n".join(levels))
    assert [[start for start, _label in score.levels] for score in survey.scores] == [[None, 7, 10]]
    assert len(survey.questions) == len(levels) + 1


@pytest.mark.parametrize(
    "answers",
    [
        "A. None (0 points)  B. 1 to 2 days (1 point)  C. 3 to 4 days (2 points)  D. 5 or more (4 points)",
        "A. 没有（0分）　B. 1至2天（1分）　C. 3至4天（2分）　D. 5天及以上（4分）",
        "a) 0 Tage (0)   b) 1 bis 2 Tage (1)   c) 3 bis 4 Tage (2)   d) mehr als 4 Tage (4)",
    ],
)
def test_answers_behind_letters_with_points_and_ranges_are_answers(answers: str) -> None:
    second = "2. Are you paid?\nA. All (0)  B. Part (1)  C. None (3)"
    often, paid = read_paste(f"Quiz\n1. How often do you work late?\n{answers}\n{second}").questions
    assert (often.kind, points_of(often)) == ("single", [0, 1, 2, 4])
    assert points_of(paid) == [0, 1, 3]


@pytest.mark.parametrize("rule", ["Q2 and Q3 are flipped.", "Q2, Q3: reversed", "Q2 & Q3 in reverse order"])
def test_items_at_the_beginning_of_a_rule_are_no_mark(rule: str) -> None:
    items = "1 = never, 2 = often, 3 = always\nQ1 I cook\nQ2 I sing\nQ3 I rest"
    text = f"Home\n{items}\n\n{rule}\nSum 3-5 low, 6-9 high"
    assert [points_of(each) for each in read_paste(text).questions] == [[1, 2, 3], [3, 2, 1], [3, 2, 1]]


@pytest.mark.parametrize(
    "first", ["Below 3: low", "Moins de 3 : faible", "Unter 3: niedrig", "Meno di 3: basso"]
)
def test_a_limit_in_words_below_a_rule_is_no_question(first: str) -> None:
    items = "Home\n0 = never, 1 = often, 2 = always\n1. I cook\n2. I sing\n3. I rest"
    survey = read_paste(f"{items}\n\nThe score goes from 0 to 6.\n{first}\n3 to 6: high")
    assert len(survey.questions) == 3
    assert [start for start, _name in survey.scores[0].levels] == [None, 3]


@pytest.mark.parametrize(
    "rule", ["In items 1 and 3, never counts 2, rarely 1 and often 0.", "第1、3题：从不计2分，经常计0分。"]
)
def test_points_of_named_items_below_a_legend_are_no_second_legend(rule: str) -> None:
    legend = "0 = never, 1 = rarely, 2 = often" if rule.isascii() else "0 = 从不，2 = 经常"
    lines = [
        read_line(n, each, has_gap=False) for n, each in enumerate((legend, "1. I eat", "2. I cry", rule))
    ]
    assert [line.role for line in mark_scoring(lines)][-1] == "scoring"


_ITALIAN = "1. Sento i vicini.\n2. Dormo bene.\n3. Uso i tappi.\n4. Penso di traslocare."
_CHINESE = "1、我听到邻居\n2、我睡得好\n3、我戴耳塞\n4、我想搬家"


@pytest.mark.parametrize(
    ("items", "legend", "rule"),
    [
        (
            _ITALIAN,
            "0 mai, 1 raramente, 2 spesso, 3 sempre",
            "Negli item 2 e 4, mai vale 3, raramente 2, spesso 1 e sempre 0.",
        ),
        (
            _ITALIAN,
            "0 = jamais, 1 = rarement, 2 = souvent",
            "Aux items 2 et 4, jamais compte 2, rarement 1 et souvent 0.",
        ),
        (_ITALIAN, "0 = nie, 1 = selten, 2 = oft", "Für 2 und 4 gilt: nie 2, selten 1, oft 0."),
        (_CHINESE, "0=从不 1=很少 2=经常", "第2、4题：从不计2分，很少计1分，经常计0分。"),
    ],
)
def test_a_sentence_with_points_of_some_items_is_no_legend_of_all(items: str, legend: str, rule: str) -> None:
    for above, below in ((f"{legend}\n\n", ""), ("", f"\n\n{legend}")):
        survey = read_paste(f"Casa\n\n{above}{items}{below}\n\n{rule}\n0-4: a, 5-8: b")
        usual = points_of(survey.questions[0])
        assert usual == [*range(len(usual))]
        assert [points_of(each) for each in survey.questions] == [usual, usual[::-1]] * 2


def test_points_of_some_items_below_a_table_are_no_legend_of_all() -> None:
    head = "\t从不 (0)\t很少 (1)\t经常 (2)\t总是 (3)"
    rows = "\n".join(f"- {item}\t[ ]\t[ ]\t[ ]\t[ ]" for item in ("我听到邻居", "我睡得好", "我戴耳塞"))
    rule = "第2题：从不计3分，很少计2分，经常计1分，总是计0分。"
    survey = read_paste(f"家庭噪音\n\n{head}\n{rows}\n\n{rule}\n总分 0-4：轻；5-9：重")
    assert [points_of(each)[0] for each in survey.questions] == [0, 3, 0]
