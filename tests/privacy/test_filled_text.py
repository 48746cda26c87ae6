"""Fields are filled in as the catalogue writes them, and a percent sign that begins no field stays."""

import pytest

from privacy.filled_text import fill_fields


@pytest.mark.parametrize(
    ("text", "counts", "filled"),
    [
        ("%(n)s of 100%", (), "12000 of 100%"),
        ("%(n)s", ("n",), "12,000"),
        ("%(n)s", None, "12,000"),
        # Only whole numbers are grouped; a truth value is no count, and a text keeps its digits.
        ("%(yes)s %(text)s %(share).1f", None, "True 12000 12000.5"),
        ("%(n)d", None, "12000"),
        ("%(year)s, port %(port)s, run %(run)s", None, "2026, port 8000, run 1200"),
        ("100%% and %(n)s", (), "100%% and 12000"),
    ],
)
def test_a_field_is_filled_in_as_it_says(text: str, counts: tuple[str, ...] | None, filled: str) -> None:
    values = {
        "n": 12_000,
        "yes": True,
        "text": "12000",
        "share": 12_000.5,
        "year": 2026,
        "port": 8000,
        "run": 1200,
    }
    assert fill_fields(text, values, counts=counts) == filled


def test_a_text_with_a_field_that_has_no_value_is_a_fault_of_the_catalogue() -> None:
    with pytest.raises(KeyError, match="most"):
        fill_fields("at most %(most)s", {"n": 1})
