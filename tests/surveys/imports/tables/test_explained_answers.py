from surveys.imports.pasted_text import read_paste


def test_numbers_in_boxes_have_the_words_of_a_legend_which_is_not_asked() -> None:
    items = "".join(
        f"{number}. I {verb}.  ( ) 1 ( ) 2 ( ) 3\n" for number, verb in enumerate(("cook", "sing", "dig"), 1)
    )
    survey = read_paste(f"Home\n\nMark: 1 – never, 2 – often, 3 – always\n\n{items}")
    assert [[option.texts["en"] for option in question.options] for question in survey.questions] == [
        ["never", "often", "always"]
    ] * 3


def test_letters_to_circle_are_named_by_words_for_right_and_wrong() -> None:
    survey = read_paste("Casa\n\nRisponda Vero o Falso.\n\n1. Cucino bene.  V  F\n2. Canto male.  V  F")
    assert [
        [next(iter(option.texts.values())) for option in question.options] for question in survey.questions
    ] == [["Vero", "Falso"]] * 2
