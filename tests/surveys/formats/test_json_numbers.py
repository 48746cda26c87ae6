"""Infinite numbers are written as JSON, which has none."""

import json
import math

from surveys.formats.json_numbers import finite, for_json


def test_every_number_becomes_strict_json() -> None:
    numbers = (0.5, -2.0, 7, math.inf, -math.inf)
    assert json.dumps([finite(number) for number in numbers], allow_nan=False) == "[0.5, -2.0, 7, null, null]"
    assert json.dumps([for_json(number) for number in numbers], allow_nan=False) == (
        '[0.5, -2.0, 7, "Infinity", "-Infinity"]'
    )
    assert finite(math.nan) is None
    assert for_json("inf") == "inf"
