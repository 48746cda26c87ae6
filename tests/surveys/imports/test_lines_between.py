"""Lines between questions: spaces to write, and what is above them."""

import pytest

from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        ("Do you trust it? *\n○ Yes\n○ No", "Your comments"),
        ("¿Confía en ello?\n○ Sí\n○ No", "Explique lo ocurrido (máx. 1000 caracteres)"),
        ("1. Êtes-vous content ?\n○ Oui\n○ Non", "Votre commentaire"),
        ("1. Sind Sie zufrieden?\n○ Ja\n○ Nein", "Was Sie uns noch sagen möchten"),
        ("1. Você confia?\n○ Sim\n○ Não", "Seus comentários"),
    ],
)
def test_a_line_above_a_space_to_write_is_a_question(first: str, asked: str) -> None:
    """Before, it was a heading without a question, or left out."""
    survey = read_paste(f"Survey\n\n{first}\n\n{asked}\n[                         ]\n")
    assert [*survey.questions[-1].texts.values()] == [asked]
