"""The form of bounds has only the fields that a table needs, and stores what was chosen."""

from typing import Any

import pytest

from anonymisation.releases.bounds_form import BoundsForm

COLUMNS = [
    {"name": "age", "role": "quasi_identifier"},
    {"name": "ill", "role": "sensitive"},
    {"name": "wgt", "role": "weight"},
]
DATA = {"k": 5, "algorithm": "tight", "max_suppressed": 0, "l_0": 2}


def form(columns: list[dict[str, str]], bounds: dict[str, Any] | None = None, **data: Any) -> BoundsForm:
    return BoundsForm(columns, bounds or {}, {}, {**DATA, **data} if data else None, with_matrix=False)


def test_sampling_weights_are_asked_about_only_if_there_are_any() -> None:
    assert "weights_as" in form(COLUMNS).fields
    assert "weights_as" not in form(COLUMNS[:2]).fields
    assert "multi_attribute" not in form(COLUMNS).fields


@pytest.mark.parametrize(("chosen", "stored"), [("", "mean"), ("mean", "mean"), ("rounded", "rounded")])
def test_the_choice_is_stored_and_shown_again(chosen: str, stored: str) -> None:
    filled = form(COLUMNS, weights_as=chosen)
    assert filled.is_valid(), filled.errors
    assert filled.bounds()["weights_as"] == stored
    again = form(COLUMNS, filled.bounds())
    assert again["weights_as"].value() == stored


def test_other_ways_are_refused() -> None:
    assert "weights_as" in form(COLUMNS, weights_as="exact").errors
