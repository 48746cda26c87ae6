"""A cell of a file or a data frame as text."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np

from privacy.numeric_text import number_text


def cell_text(value: Any) -> str:
    """Return a cell of a file or a data frame as text; empty if it is missing.

    Parameters
    ----------
    value : object

    Examples
    --------
    >>> cell_text(7.0), cell_text(None), cell_text(True), cell_text(datetime.datetime(2021, 3, 4))
    ('7', '', 'yes', '2021-03-04')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, np.floating) and value.dtype != np.float64:
        # The shortest decimal of a number with fewer digits.
        value = float(str(value))
    if isinstance(value, float) and math.isfinite(value):
        return number_text(float(value))
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()
