"""Reading pandas objects: accepted answers, and refusals that name the value and a remedy."""

import subprocess
import sys

import pandas as pd
import pytest

from privacy.library.frames import pick, read_column
from tests.fixtures.refusals import refused

YES_NO = ("no", "yes")


def test_missing_or_repeated_columns_of_a_frame_are_refused_by_name() -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "b"])
    assert [column.tolist() for column in pick(frame, ["a"])] == [[1]]
    with refused("frame", "2 columns", "'b'"):
        pick(frame, ["a", "b"])
    with refused("frame", "'c'"):
        pick(frame, ["c"])
    with refused("frame", "no row"):
        pick(frame[:0], ["a"])
    with refused("frame", "list"):
        pick([[1]], ["a"])  # type: ignore[arg-type]


def test_a_record_with_a_missing_value_is_refused_with_its_row() -> None:
    frame = pd.DataFrame({"age": [30, None, 40]}, index=["x", "y", "z"])
    with refused("frame", "'age'", "1 of 3", "'y'"):
        read_column(frame, "age")


@pytest.mark.soak
def test_pandas_is_imported_only_when_needed() -> None:
    program = """
import sys
import privacy
from privacy.risk import risk
assert privacy.prevalence({"yes": 60, "no": 40}, privacy.warner(p=.7)).n == 100
assert risk(privacy.warner(p=.7)).epsilon < 1
assert "pandas" not in sys.modules, "pandas"
privacy.distribution({"yes": 60, "no": 40}, privacy.warner(p=.7))
assert "pandas" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
