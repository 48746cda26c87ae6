"""Scoring rules name items by number, code, letter or place."""

import pytest

from surveys.imports.drafts.questionnaire import Question, points_of
from surveys.imports.lines.source_lines import read_line
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.item_names import ItemNames, nth_in, numbers_in


def names(*lines: str) -> ItemNames:
    source = [read_line(number, text, has_gap=False) for number, text in enumerate(lines, start=1)]
    return ItemNames([Question(line=line.number, texts={"en": line.body}) for line in source], source)


@pytest.mark.parametrize(
    ("lines", "text", "found", "unknown"),
    [
        (("1. One", "2. Two", "3. Three"), "items 1 and 3", [1, 3], []),
        (("11. One", "12. Two", "13. Three"), "12", [2], []),
        (("PC01 One", "PC02 Two", "PC03 Three"), "PC02-PC03", [2, 3], []),
        (("a. One", "b. Two", "c. Three"), "Item c is", [3], []),
        (("a. One", "b. Two", "c. Three"), "a, c and b", [1, 3, 2], []),
        (("a. One", "b. Two", "c. Three"), "Take a break", [], []),
        (("– One", "– Two", "– Three"), "Второе и третье", [2, 3], []),
        (("– One", "– Two", "– Three"), "the fourth", [], ["4"]),
        (("1. One", "2. Two", "3. Three"), "items 2 and 9", [2], ["9"]),
    ],
)
def test_items_are_found_by_their_names(
    lines: tuple[str, ...], text: str, found: list[int], unknown: list[str]
) -> None:
    items, left = names(*lines).named_in(text)
    assert ([item.line for item in items], left) == (found, unknown)


def test_places_in_words_are_read_in_several_languages() -> None:
    assert [nth_in(each) for each in ("die dritte Aussage", "la quinta frase", "le septième énoncé")] == [
        [3],
        [5],
        [7],
    ]


def test_codes_of_other_parts_are_not_the_numbers_of_items() -> None:
    one = names("A1  I lie.", "A2  I steal.")
    for said in ("A2, B1", one.with_numbers("A2, B1")):
        items, unknown = one.named_in(said)
        assert [item.line for item in items] == [2]
        assert unknown == ["B1"]


@pytest.mark.parametrize("codes", [("Q4_1", "Q4_2", "Q4_3"), ("B.1", "B.2", "B.3"), ("V4.1", "V4.2", "V4.3")])
def test_a_code_of_several_numbers_is_one_name(codes: tuple[str, ...]) -> None:
    """The number of the table in a code is not the number of an item."""
    items = "\n".join(
        f"{code}  I {verb} alone." for code, verb in zip(codes, ("cook", "sing", "eat"), strict=True)
    )
    rule = f"Scoring: recode {codes[1]} (new = 4 - old). Total: 3-5 low, 6-9 high."
    survey = read_paste(f"Home\n1 = never, 2 = often, 3 = always\n\n{items}\n\n{rule}")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]


def test_capital_letters_and_roman_numbers_name_items() -> None:
    lettered = names("A. I cook", "B. I sing", "C. I rest")
    assert lettered.with_numbers("B est coté en sens inverse.") == "2 est coté en sens inverse."
    rule = "I and III are reversed. Sum 0-1 low, 2-3 high"
    text = f"Home: never (0), often (1)\n\nI. I cook.\nII. I sing.\nIII. I rest.\n\n{rule}"
    assert [points_of(each) for each in read_paste(text).questions] == [[1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("The even items are reversed.", [2, 4]),
        ("Even-numbered items count backwards.", [2, 4]),
        ("Die ungeraden Fragen", [1, 3]),
        ("Die geraden Fragen", [2, 4]),
        ("les items impairs", [1, 3]),
        ("los ítems pares", [2, 4]),
        ("gli item dispari", [1, 3]),
        ("其中偶数题反向计分", [2, 4]),
        ("The last two items", [3, 4]),
        ("Die letzten beiden Fragen", [3, 4]),
        ("les deux derniers items", [3, 4]),
        ("los tres últimos ítems", [2, 3, 4]),
        ("le prime due domande", [1, 2]),
        ("最后两题", [3, 4]),
        ("the last two weeks", []),
    ],
)
def test_a_rule_may_name_items_by_their_places(said: str, numbers: list[int]) -> None:
    one = names("1. I cook", "2. I sing", "3. I rest", "4. I read")
    assert numbers_in(one.with_numbers(said)) == numbers


def test_a_letter_with_an_apostrophe_is_a_word() -> None:
    one = names("a) I cook", "b) I sing", "l) I rest")
    assert numbers_in(one.with_numbers("pour a et b, l'ordre des points est inversé")) == [1, 2]


def test_a_sentence_ends_behind_the_code_of_an_item() -> None:
    """A blank in front of the full stop hid it, and the total of the next sentence became an item."""
    items = ("Q1 Is it cold? Y / N", "Q2 Is it warm? Y / N", "Q3 Is it damp? Y / N", "Q4 Is it dark? Y / N")
    key = "One point for every Yes to Q1, Q3 and Q4, and one point for every No to Q2."
    survey = read_paste("T\n\n" + "\n".join(items) + f"\n\n{key} A total of 3 or more: call us.")
    assert [[*points_of(question)] for question in survey.questions] == [[0, 1], [1, 0], [0, 1], [0, 1]]
    assert [start for start, _name in survey.scores[0].levels] == [None, 3]


def test_only_the_items_of_a_scale_without_numbers_count() -> None:
    """A question for the age above them used to count as the first item."""
    rows = "\n".join(f"{text} | O | O" for text in ("I lie", "I rest", "I cheat", "I sleep well"))
    key = "never = 0, often = 1. The second and fourth items are reversed.\n0-1: low\n2-4: high"
    survey = read_paste(f"Calm\nAge: ____\n\nStatement | never | often\n{rows}\n\n{key}")
    assert [points_of(each) for each in survey.questions[1:]] == [[0, 1], [1, 0], [0, 1], [1, 0]]


def test_the_number_of_an_item_may_have_two_parts() -> None:
    """Before, items 1 and 2 were meant by *1.2*."""
    items = "\n".join(f"1.{n} I {verb}.  1 2 3" for n, verb in enumerate(("cook", "sing", "rest", "walk"), 1))
    rule = "Add up the points; items 1.2 and 1.4 are reversed. 4-7 low, 8-12 high"
    survey = read_paste(f"Home\n\n1 = no\n2 = perhaps\n3 = yes\n\n{items}\n\nScoring: {rule}")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1]] * 2
