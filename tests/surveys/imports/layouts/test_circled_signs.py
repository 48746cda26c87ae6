"""Letters O and circled digits become round boxes and plain numbers."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.layouts.circled_signs import draw_boxes, draw_circles, draw_squares
from surveys.imports.pasted_text import read_paste

ITEMS = "1. I lie at work.\n2. I steal pens.\n3. I cheat at games.\n"


def test_a_lone_consonant_before_each_of_three_answers_is_a_box() -> None:
    assert draw_boxes(["D never (0)  D often (1)  D daily (2)"]) == ["☐ never (0)  ☐ often (1)  ☐ daily (2)"]
    for words in ("a veces  a menudo  a diario", "I agree  I disagree  I pass"):
        assert draw_boxes([words]) == [words]


def test_the_letter_o_in_front_of_answers_is_a_round_box() -> None:
    survey = read_paste(
        "Team\n1. How old are you?\nO under 30\nO 30 to 44\nO older\n2. Which unit?\nO Ward\nO Lab\n"
    )
    assert [[option.texts["en"] for option in each.options] for each in survey.questions] == [
        ["under 30", "30 to 44", "older"],
        ["Ward", "Lab"],
    ]


def test_the_letter_o_is_a_box_in_all_questions_of_a_text() -> None:
    """If all answers began with a small letter, they were read as *O ja* and *O nein*."""
    survey = read_paste(
        "Team\n1. Welcher Bereich?\nO Lager\nO Büro\n2. Trinken Sie Alkohol?\nO ja\nO nein\n", ("de",)
    )
    assert [question.kind for question in survey.questions] == ["single", "yes_no"]


@pytest.mark.parametrize("text", ["O chefe grita\nO trabalho cansa", "O Brien called", "Oh\nOften"])
def test_the_letter_o_as_a_word_stays(text: str) -> None:
    lines = text.split("\n")
    assert draw_circles(lines) == lines


def test_capital_o_is_a_box_before_yes_and_no_and_where_other_lists_have_the_same() -> None:
    second, third = "2. Bedroht?\n   O ja (weiter mit 3)\n   O nein\n", "3. Wie?\n   O nie\n   O oft"
    text = f"T\n1. Wo?\n   O Lager\n   O Büro\n{second}{third}"
    labels = [[option.texts["de"] for option in each.options] for each in read_paste(text, ("de",)).questions]
    assert labels[0] == ["Lager", "Büro"]
    assert not any(label.startswith("O") for each in labels for label in each)


def test_capital_o_is_a_box_below_several_questions() -> None:
    survey = read_paste("1. Hur bor du?\nO hyresrätt\nO eget hus\n2. Har du bil?\nO ja\nO nej\n", ("sv",))
    assert labels_of(survey.questions[0]) == ("hyresrätt", "eget hus")


def test_an_article_in_one_list_stays() -> None:
    survey = read_paste("1. Quem manda?\nO pai\nO avô\n2. Gosta?\n( ) muito\n( ) pouco\n", ("pt",))
    assert labels_of(survey.questions[0]) == ("O pai", "O avô")


def test_circled_numbers_are_columns() -> None:
    rows = "".join(f"{each}    ①  ②  ③\n" for each in ITEMS.splitlines())
    questions = read_paste(f"Honesty\n①never ②often ③daily\n{rows}").questions
    assert [points_of(each) for each in questions] == [[1, 2, 3]] * 3


def test_a_rule_gives_points_to_circled_answers_for_some_items() -> None:
    items = "1. 我很累   ①②③\n2. 我很开心   ①②③\n3. 我想走   ①②③"
    rule = "计分：①计1分，②计2分，③计3分。第2题反向计分，①计3分，②计2分，③计1分。3—5分正常，6—9分倦怠。"
    survey = read_paste(f"量表\n\n选项：①从不 ②偶尔 ③经常\n\n{items}\n\n{rule}")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]
    assert labels_of(survey.questions[0]) == ("从不", "偶尔", "经常")


@pytest.mark.parametrize(
    "answers",
    [
        ["q  auf jeden Fall", "q  vielleicht", "q  auf keinen Fall"],
        ["x iFood", "x Rappi", "x 99"],
        ["r  salarié", "r  indépendant", "r  sans emploi"],
        ["q Москва", "q Петербург", "q другое"],
        ["  c  in centro", "  c  in periferia", "  c  fuori città"],
    ],
)
def test_the_same_letter_before_all_answers_is_a_square_box(answers: list[str]) -> None:
    """Before, the letter was a part of each answer, or the question was a heading."""
    question = read_paste("\n".join(["1. Survey?", *answers])).questions[0]
    labels = [text for option in question.options for text in option.texts.values()]
    assert labels == [answer.strip()[1:].strip() for answer in answers]


@pytest.mark.parametrize(
    "text",
    [
        "a veces\na menudo\na diario",
        "a  pay\nb  moving\nc  other",
        "x yes\nno",
        "q  What is it?\nq  Who is it?\nq  When is it?",
        "J ai peur\nJ ai mal\nJ ai faim",
    ],
)
def test_letters_that_may_be_words_or_count_up_stay(text: str) -> None:
    lines = text.split("\n")
    assert draw_squares(lines) == lines


@pytest.mark.parametrize("sign", ["D ", "◦ ", "▫ ", "C "])
def test_signs_like_boxes_begin_answers_if_two_lists_have_them(sign: str) -> None:
    text = f"1. Who?\n   {sign}father\n   {sign}mother\n2. Tired?    {sign}yes    {sign}no\n3. Ill?"
    survey = read_paste(text)
    assert [*labels_of(survey.questions[0])] == ["father", "mother"]
    assert survey.questions[1].kind == "yes_no"


@pytest.mark.parametrize("sign", ["口", "口 ", "囗"])
def test_chinese_signs_like_boxes_begin_answers(sign: str) -> None:
    survey = read_paste(
        f"1. 您和谁住？\n{sign}父亲\n{sign}母亲\n2. 您累吗？    {sign}是    {sign}否\n3. 您几岁？"
    )
    assert [*labels_of(survey.questions[0])] == ["父亲", "母亲"]
    assert survey.questions[1].kind == "yes_no"


def test_answers_that_begin_with_the_same_word_keep_it() -> None:
    survey = read_paste("1. 哪里不舒服？\n口干\n口苦\n口臭\n2. 您抽烟吗？\n是\n否")
    assert [*labels_of(survey.questions[0])] == ["口干", "口苦", "口臭"]
