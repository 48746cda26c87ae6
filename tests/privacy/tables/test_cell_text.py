"""Cells as texts."""

import datetime
from decimal import Decimal

import numpy as np

from privacy.tables.cell_text import cell_text


def test_small_floats_and_decimals_are_written_as_briefly_as_possible() -> None:
    assert cell_text(np.float32(0.1)) == "0.1"
    assert cell_text(Decimal("1.10")) == "1.10"
    assert cell_text(datetime.date(2021, 3, 4)) == "2021-03-04"
