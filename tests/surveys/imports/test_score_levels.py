"""Levels are read from ranges, in the words of several languages, and from cut-offs."""

import pytest

from surveys.imports.score_levels import levels_in


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("low: 0-4, high: 5-9", [(None, "low"), (5, "high")]),
        ("0-4, 5-9", [(None, "0–4"), (5, "5–9")]),
        ("at least 7", [(None, ""), (7, "")]),
        ("0-4 low, 6-9 high", []),
        ("3 or more of 7 or more", [(None, ""), (3, "")]),
        ("nothing", []),
    ],
)
def test_levels_follow_each_other_or_there_is_no_rule(
    text: str, levels: list[tuple[int | None, str]]
) -> None:
    assert levels_in(text) == levels


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("0-4 low, 5-9 middle, 10 or more high", [(None, "low"), (5, "middle"), (10, "high")]),
        (
            "0 bis 3 Punkte: gut – 4 bis 8 Punkte: mittel – ab 9 Punkten: schlecht",
            [(None, "gut"), (4, "mittel"), (9, "schlecht")],
        ),
        (
            "de 0 à 4, rien ; de 5 à 9, un entretien ;\n10 et plus, un médecin",
            [(None, "rien"), (5, "un entretien"), (10, "un médecin")],
        ),
        ("0–3 – норма; 4 балла и более – врач", [(None, "норма"), (4, "врач")]),
    ],
)
def test_the_last_range_may_be_open(text: str, levels: list[tuple[int | None, str]]) -> None:
    assert levels_in(text) == levels


def test_ranges_in_words_are_levels() -> None:
    text = "Interpretación: entre 0 y 4, carga baja; entre 5 y 8, carga media; entre 9 y 12, carga alta"
    assert levels_in(text) == [(None, "carga baja"), (5, "carga media"), (9, "carga alta")]
    assert levels_in("0-4 means low; 5-9 means high") == [(None, "low"), (5, "high")]
