"""Waves as a definition states them."""

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.stated_waves import in_layout
from tests.fixtures.checked_surveys import document_of, protected, yes_no


def part(*keys: str, p: int = 5000, refusal: int | None = 2500) -> dict[str, Any]:
    return protected("b", *(yes_no(key) for key in keys), p=p, refusal=refusal)


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"waves": 2}, "waves", "the survey belongs to no series"),
        *(
            ({"series": "panel", "waves": waves}, "waves", "is not a number of waves")
            for waves in (0, 1, 25, -2, 2.0, "2", True, [2])
        ),
        ({"series": "panel", "waves": 2, "each_wave": "half"}, "each_wave", "unknown protection of a wave"),
        ({"each_wave": 1}, "each_wave", "unknown protection of a wave"),
    ],
)
def test_impossible_waves_are_reported_with_value_and_remedy(
    changes: dict[str, Any], path: str, message: str
) -> None:
    (problem,) = definition_read(document_of(part("lie"), **changes)).problems
    assert problem.path == path
    assert message in problem.message
    assert problem.remedy


def test_a_definition_states_waves_and_their_protection() -> None:
    plain = definition_parse(document_of(part("lie")))
    assert (plain.waves, plain.rooted_waves) == (None, 1)
    rooted = definition_parse(document_of(part("lie"), series="panel", waves=3))
    assert (rooted.waves, rooted.each_wave, rooted.rooted_waves) == (3, "root", 3)
    whole = definition_parse(document_of(part("lie"), series="panel", waves=3, each_wave="whole"))
    assert (whole.waves, whole.rooted_waves) == (3, 1)


def test_another_protection_of_the_waves_is_written_whole() -> None:
    document = document_of(part("lie"), series="panel", waves=2, rotations=[])
    turned = in_layout(document, "rotate")
    assert (turned["each_wave"], turned["wave"]) == ("rotate", 1)
    assert "rotations" not in turned
    assert in_layout({**turned, "wave": 2}, "rotate")["wave"] == 2
    assert "wave" not in in_layout(turned, "root")
