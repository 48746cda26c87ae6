"""Reading pandas objects: accepted answers, and refusals that name the value and a remedy."""

import subprocess
import sys

import pandas as pd
import pytest

from privacy.library.frames import aligned, column_weights, level_groups, pick, read_column
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


def test_values_of_columns_form_groups_up_to_twenty_values() -> None:
    few = pd.Series(["x", "y", "x"], name="town")
    many = pd.Series(range(21), name="street")
    assert set(level_groups([few])) == {"town = x", "town = y"}
    assert level_groups([many]) == {}
    assert len(level_groups([many[:20]])) == 20
    assert len(level_groups([many], most=21)) == 21


def test_values_given_for_each_row_belong_to_its_label_or_place() -> None:
    rows = pd.Series(["yes", "no", "yes"], index=["ann", "bob", "cy"])
    labelled = pd.Series([1.0, 2.0, 3.0, 9.0], index=["cy", "ann", "bob", "dee"])
    assert aligned(labelled, rows, "weights").tolist() == [2.0, 3.0, 1.0]
    assert aligned((5, 6, 7), rows, "weights").tolist() == [5, 6, 7]
    assert aligned(labelled, rows, "weights").name == "weights"
    for wrong, code in (
        ([1, 2], "answers"),
        (5, "answers"),
        ({"ann": 1}, "answers"),
        ("abc", "answers"),
        ([[1, 2, 3]], "answers"),
        (pd.Series([1.0, 2.0], index=["ann", "bob"]), "answers"),
        (pd.Series([1.0, 2.0, 3.0], index=["ann", "ann", "bob"]), "answers"),
    ):
        with refused(code):
            aligned(wrong, rows, "weights")


def test_weights_from_a_millionth_of_a_millionth_to_its_inverse_are_read() -> None:
    frame = pd.DataFrame({"w": [1e-12, 1.0, 1e12], "text": ["a", "b", "c"]}, index=["x", "y", "z"])
    assert column_weights(frame, "w").tolist() == [1e-12, 1.0, 1e12]
    for weight in (0.9e-12, 1.1e12, 0.0, -1.0):
        with refused("regression", "'z'"):
            column_weights(frame.assign(w=[1.0, 2.0, weight]), "w")
    with refused("regression", "text"):
        column_weights(frame, "text")
