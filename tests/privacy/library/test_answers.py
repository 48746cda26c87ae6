"""Reading answers and counts of them: accepted spellings, and refusals that name the value and a remedy."""

import numpy as np
import pandas as pd
import pytest

from privacy.library.answers import _text_index, answer_counts, column_answers, has_counts
from privacy.library.designs import crosswise, generalised_rr, warner
from privacy.library.one_sample import design_shares
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


@pytest.mark.parametrize("strange", ["2", 2, -1, 0.5, "", "truth"])
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


SPELLINGS = [("no", "yes"), (False, True), (0, 1), ("No", "YES"), ("0", "1"), ("FALSE", "TRUE"), (0.0, 1.0)]


@pytest.mark.parametrize(("no", "yes"), SPELLINGS, ids=str)
def test_columns_counts_and_the_wanted_value_accept_the_same_spellings(no: object, yes: object) -> None:
    column = pd.Series([yes, no, yes, yes], name="affair")
    assert answer_counts(column, YES_NO)[1].tolist() == [1, 3]
    assert answer_counts({yes: 3, no: 1}, YES_NO)[1].tolist() == [1, 3]
    assert answer_counts(column.value_counts(), YES_NO)[1].tolist() == [1, 3]
    assert answer_counts(column.value_counts().sort_index(), YES_NO)[1].tolist() == [1, 3]
    wanted, plain = (prevalence(column, warner(0.7), value=value) for value in (yes, "yes"))
    assert (wanted.value, wanted.name) == (plain.value, plain.name)
    assert design_shares(column.value_counts(), warner(0.7))["share"].value == pytest.approx(plain.value)


def test_reports_of_other_designs_ignore_capitals_too() -> None:
    counts = {"Same": 713, "Different": 287}
    assert prevalence(counts, crosswise(0.15)).value == prevalence(
        {"same": 713, "different": 287}, crosswise(0.15)
    ).value  # fmt: skip
    # Levels that differ only in capitals are different levels.
    assert answer_counts({"a": 1, "A": 2}, ("a", "A"))[1].tolist() == [1, 2]


def test_two_people_are_not_counts() -> None:
    """Row labels that happen to be numbers of reports do not turn answers into counts."""
    assert not has_counts(pd.Series([1, 0]), YES_NO)
    assert not has_counts(pd.Series([1, 0], index=[1, 0]), YES_NO)
    assert has_counts(pd.Series([1, 0], index=["yes", "no"]), YES_NO)
    with refused("answers", "unknown answer 2", "row 0"):
        answer_counts(pd.Series([2, 1]), YES_NO)


@pytest.mark.parametrize("count", [10**12 + 1, 2**62, 2**63, 2**70])
def test_counts_beyond_the_largest_number_of_rows_are_refused(count: int) -> None:
    """2**62 twice gave n = -9,223,372,036,854,775,808; 2**70 an OverflowError."""
    for estimate in (prevalence, design_shares):
        with refused("answers", "'yes'", count):
            estimate({"yes": count, "no": count}, warner(0.7))


def test_shares_and_second_counts_are_refused() -> None:
    column = pd.Series([1, 0, 1])
    with refused("answers", "the count of 1 is 0.66"):
        answer_counts(column.value_counts(normalize=True), YES_NO)
    with refused("answers", "'yes' is a second count of 'yes'"):
        answer_counts({1: 3, "yes": 2, "no": 1}, YES_NO)
    with refused("designs", "[1]"):
        prevalence(column, warner(0.7), value=[1])


def test_messages_show_plain_numbers() -> None:
    design = generalised_rr(list(np.array([1, 2, 3])), p=0.5)
    for ask in (
        lambda: prevalence(pd.Series([1, 7, 2]), design, value=1),
        lambda: prevalence({1: 5, 2: 6, 3: 7}, design, value=np.int64(9)),
        lambda: prevalence({1: 5, 2: 6, 3: np.float64(1.5)}, design, value=1),
    ):
        with pytest.raises(ValueError, match="1, 2, 3") as caught:
            ask()
        assert "np." not in str(caught.value)


def test_the_answers_of_a_column_are_in_the_order_of_its_categories() -> None:
    kinds = pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"])
    assert column_answers(pd.Series(kinds)) == ("c", "b", "a")
    assert column_answers(pd.Series(["b", "a", None, "b"])) == ("a", "b")
    assert column_answers(pd.Series([3, 1, 2, 1])) == (1, 2, 3)
    for answers in (["yes", "no"], ["No"], [0, 1]):
        assert column_answers(pd.Series(answers)) is None


def test_whole_floats_are_read_as_the_text_of_a_report() -> None:
    reports = ("1", "2", "1.5")
    assert [_text_index(value, reports) for value in (2.0, 1, 1.5, 3.0, "2", 2.5)] == [1, 0, 2, None, 1, None]
