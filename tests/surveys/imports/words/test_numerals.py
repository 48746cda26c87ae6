"""Number words of scoring rules become digits only where they are limits of a sum."""

import pytest

from surveys.imports.words.numerals import in_digits


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Score of ten or more: at risk", "Score of 10 or more: at risk"),
        ("Fewer than four points: low", "Fewer than 4 points: low"),
        ("I have two dogs.", "I have two dogs."),
    ],
)
def test_limits_are_written_in_digits(text: str, read: str) -> None:
    assert in_digits(text) == read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two yes or more: refer", "2 points or more: refer"),
        ("Three “yes” answers or more: call", "3 points or more: call"),
        ("Two or more ticks: see a doctor", "2 points or more: see a doctor"),
        ("yes three times or more, refer", "3 points or more, refer"),
        ("0 or 1 yes: fine", "0 or 1 points: fine"),
        ("Ab zwei „Ja“: Termin", "Ab 2 points: Termin"),
        ("Zweimal ja oder öfter: Beratung", "2 points oder öfter: Beratung"),
        ("Deux « oui » ou plus : entretien", "2 points ou plus : entretien"),
        ("Dos «sí» o más: cita", "2 points o más: cita"),
        ("Due «sì» o più: colloquio", "2 points o più: colloquio"),
        ("两个“是”及以上：咨询", "2分及以上：咨询"),
        ("Два «да» и более: помощь", "2 points и более: помощь"),
    ],
)
def test_a_number_of_answers_is_one_of_points(text: str, found: str) -> None:
    assert in_digits(text) == found


@pytest.mark.parametrize("text", ["Items 1, 3 yes; 2 no", "Menos de 1 ano", "Tick two boxes", "2 si no"])
def test_other_numbers_next_to_yes_stay(text: str) -> None:
    assert in_digits(text) == text


def test_items_before_a_verb_are_no_number_of_answers() -> None:
    assert in_digits("Bei 2 und 3 zählt Ja einen Punkt.") == "Bei 2 und 3 zählt Ja 1 Punkt."
