"""A limit that a negation turns round keeps its side."""

from __future__ import annotations

import pytest

from surveys.imports.scores.score_levels import FROM_LEAST, spans_in

MORE = (14, None)
UP_TO = (FROM_LEAST, 14)
BELOW = (FROM_LEAST, 13)


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("no más de 14", UP_TO),
        ("no menos de 14", MORE),
        ("nicht mehr als 14", UP_TO),
        ("nicht unter 14", MORE),
        ("pas plus de 14", UP_TO),
        ("ne dépasse pas 14", UP_TO),
        ("n'atteint pas 14", BELOW),
        ("non meno di 14", MORE),
        ("non superiore a 14", UP_TO),
        ("não mais do que 14", UP_TO),
        ("not below 14", MORE),
        ("no llega a 14", BELOW),
        ("不低于14", MORE),
        ("未超过14", UP_TO),
        ("不满14", BELOW),
        ("не больше 14", UP_TO),
        ("mehr als 14", (15, None)),
    ],
)
def test_a_negation_turns_the_limit_of_a_level_round(words: str, limits: tuple[int, int | None]) -> None:
    """*No más de 14* was read as more than 14."""
    assert [(span.low, span.high) for span in spans_in(f"{words}: x")] == [limits]
