"""Reading pandas objects: accepted answers, and refusals that name the value and a remedy."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from privacy.library.designs import warner
from privacy.library.frames import answer_counts, pick, read_column
from privacy.library.shares import prevalence
from tests.fixtures.refusals import refused

YES_NO = ("no", "yes")


@pytest.mark.parametrize(
    "answers",
    [
        pd.Series([True, False, True]),
        pd.Series([1, 0, 1]),
        pd.Series([1.0, 0.0, 1.0]),
        pd.Series(["yes", "no", "yes"]),
        pd.Series(["yes", "no", "yes"], dtype="category"),
        pd.Series([True, False, True], dtype="boolean"),
        pd.Series([1, 0, 1], dtype="Int64"),
        {"yes": 2, "no": 1},
        {"no": np.int64(1), "yes": np.int64(2)},
    ],
    ids=str,
)
def test_yes_and_no_are_read_in_any_spelling(answers: pd.Series) -> None:
    assert answer_counts(answers, YES_NO)[1].tolist() == [1, 2]


def test_levels_are_read_by_name() -> None:
    answers = pd.Series(["often", "never", "often"])
    assert answer_counts(answers, ("never", "once", "often"))[1].tolist() == [1, 0, 2]
    assert answer_counts(pd.Series([3, 1, 3]), (1, 2, 3))[1].tolist() == [1, 0, 2]
    with refused("answers", "row 1"):
        answer_counts(pd.Series([2, 0, 1]), (1, 2))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_missing_answer_is_refused_with_its_row(missing: object) -> None:
    answers = pd.Series(["yes", missing, "no", missing], index=list("abcd"), name="affair", dtype=object)
    with refused("answers", "affair", "2 of 4", "'b'"):
        answer_counts(answers, YES_NO)


@pytest.mark.parametrize("strange", ["1", 2, -1, 0.5, "", "true"])
def test_unknown_answers_are_rejected_with_their_row(strange: object) -> None:
    answers = pd.Series(["yes", "no", strange], name="affair", dtype=object)
    with refused("answers", "affair", repr(strange), "row 2", "'no', 'yes'"):
        answer_counts(answers, YES_NO)


@pytest.mark.parametrize("value", ["yes", True, 0])
def test_a_constant_column_is_refused_but_constant_counts_are_not(value: object) -> None:
    with refused("answers", "all 3", "affair", repr(value)):
        answer_counts(pd.Series([value] * 3, name="affair"), YES_NO)
    assert answer_counts({"yes": 3, "no": 0}, YES_NO)[1].tolist() == [0, 3]


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ({"yes": 3, "no": -1}, ("'no'", -1)),
        ({"yes": 3, "no": 0.5}, ("'no'", 0.5)),
        ({"yes": 3, "no": True}, ("'no'", True)),
        ({"yes": 3}, ("'no'", None)),
        ({"yes": 3, "no": 1, "perhaps": 1}, ("'perhaps'", 1)),
        ({"yes": 0, "no": 0}, ("no answer",)),
        (pd.Series([], name="affair", dtype=object), ("affair", "no answer")),
    ],
)
def test_impossible_counts_are_refused(counts: dict[str, int], named: tuple[object, ...]) -> None:
    with refused("answers", *named):
        answer_counts(counts, YES_NO)


@pytest.mark.parametrize("answers", [[1, 0], pd.DataFrame({"a": [1, 0]}), "yes", None, 5])
def test_inputs_that_are_not_columns_are_rejected(answers: object) -> None:
    with refused("answers", type(answers).__name__):
        prevalence(answers, warner(0.7))  # type: ignore[arg-type]


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
