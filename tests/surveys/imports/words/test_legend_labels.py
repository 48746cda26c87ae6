import pytest

from surveys.imports.words.legend_labels import is_label, labels_before, labels_behind, yes_and_no


@pytest.mark.parametrize(
    ("pieces", "labels"),
    [
        ([" = never, ", " = often"], ["never", "often"]),
        ([") nie; ", ") immer) ankreuzen"], ["nie", "immer"]),
        (["=mai ", "=sempre. Poi sommate."], ["mai", "sempre"]),
        (["＝从不，", "＝总是。"], ["从不", "总是"]),
    ],
)
def test_labels_behind_codes_end_where_a_sentence_goes_on(pieces: list[str], labels: list[str]) -> None:
    assert labels_behind(pieces) == labels


def test_the_words_before_the_first_code_lose_their_stem() -> None:
    before, labels = labels_before("Please answer: never = ", [" often = "])
    assert (before.strip(), labels) == ("Please answer:", ["never", "often"])


@pytest.mark.parametrize(
    ("label", "is_one"), [("never", True), ("Do you lie?", False), ("a" * 61, False), ("3", False)]
)
def test_a_label_has_letters_is_short_and_asks_nothing(label: str, *, is_one: bool) -> None:
    assert is_label(label) == is_one


@pytest.mark.parametrize(
    ("before", "first"),
    [
        ("Please answer never", "never"),
        ("Antwortet mit nie", "nie"),
        ("On répond jamais", "jamais"),
        ("Se contesta nunca", "nunca"),
        ("Responde nunca", "nunca"),
        ("Si risponde mai", "mai"),
        ("回答从不", "从不"),
        ("Answered by me", "Answered by me"),
    ],
)
def test_words_that_ask_to_answer_are_no_part_of_the_first_label(before: str, first: str) -> None:
    assert labels_before(f"{before} (", ["), often ("])[1] == [first, "often"]


def test_only_two_labels_are_yes_and_no() -> None:
    assert yes_and_no(["never", "often"]) == []
