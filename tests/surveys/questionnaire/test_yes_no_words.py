"""The import and the rules of one answer read the same words as yes and no."""

import pytest

from surveys.imports.words.cues import is_yes_no
from surveys.questionnaire.yes_no_answers import yes_or_no
from surveys.questionnaire.yes_no_words import NO, YES


@pytest.mark.parametrize(
    ("tag", "yes", "no"),
    [
        ("hu", "Igen", "Nem"),
        ("fi", "Kyllä", "Ei"),
        ("el", "Ναι", "Όχι"),
        ("cs", "Ano", "Ne"),
        ("da", "Jo", "Nej"),
        ("no", "Ja", "Nei"),
        ("sw", "Ndio", "Hapana"),
        ("zh-hant", "有", "沒有"),
    ],
)
def test_an_answer_means_the_same_to_the_import_and_to_rules(tag: str, yes: str, no: str) -> None:
    """Each had a list of its own, so the import read Hungarian answers that the builder called unclear."""
    assert is_yes_no((yes, no))
    assert (yes_or_no({tag: yes}), yes_or_no({tag: no})) == ("yes", "no")


def test_no_word_means_both() -> None:
    assert not {*YES} & {*NO}
