"""People of a table: spellings, missing values and columns that name a person together."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.panels import panel_of
from privacy.sdc.record_owners import owners_of, person_key, person_numbers, repeated_columns, repeated_pair
from privacy.sdc.unit import counting_of
from privacy.tables.columns import ReadTable
from privacy.tables.frames import frame_table


@given(
    number=st.integers(0, 10**20),
    zeros=st.integers(0, 4),
    blanks=st.sampled_from(["", " ", "\u3000", "\u00a0"]),
    end=st.sampled_from(["", ".0", ".00", ".0000", ".000000"]),
)
def test_every_spelling_of_a_number_has_one_key(number: int, zeros: int, blanks: str, end: str) -> None:
    assert person_key(f"{blanks}{'0' * zeros}{number}{end}{blanks}") == str(number)


@given(st.lists(st.integers(0, 10**6), unique=True, min_size=2, max_size=20))
def test_different_numbers_have_different_keys(numbers: list[int]) -> None:
    assert len({person_key(str(number)) for number in numbers}) == len(numbers)
    assert len({person_key(f"P{number:07}x") for number in numbers}) == len(numbers)


def test_a_missing_value_in_any_column_leaves_the_person_unknown() -> None:
    homes, members = ("a", ""), ("1", "2", "")
    codes = np.array([0, 0, 1, 0]), np.array([0, 1, 0, 2])
    number, merged = person_numbers([(homes, codes[0]), (members, codes[1])])
    assert (number.tolist(), merged) == ([0, 1, -1, -1], 0)


def test_numbers_of_a_frame_match_their_texts() -> None:
    frame = pd.DataFrame(
        {"nr": [7.0, 8.0, 7.0], "text": ["7", "8.0", "007"], "x": [1, None, 1], "y": [[], [], 1]}
    )
    for name in ("nr", "text"):
        owners, count = owners_of(frame_table(frame), [name], {})
        assert owners is not None
        assert (owners.tolist(), count) == ([0, 1, 0], 2)
    repeated = repeated_columns(frame_table(frame).columns[1:])
    assert {each.columns[0]: each.values for each in repeated} == {"text": 2, "y": 2}


def test_the_question_gives_the_evidence() -> None:
    rows = [[f"p{n // 6}", "fm"[n // 6 % 2], "aabb"[n // 6 % 4], str(n % 6)] for n in range(240)]
    table = ReadTable.of_rows(["nr", "sex", "born", "wave"], rows)
    found = repeated_columns(table.columns[:1])
    message = (
        "“nr” has 40 values in 240 records, up to 6 records each, and “sex” and “born” are the same in all "
        "records with the same value, so it seems to identify people"
    )
    with pytest.raises(PrivacyError, match=message):
        counting_of(table, found, panel=panel_of(table))
    assert counting_of(table, found, columns=["nr"], panel=panel_of(table)).people is not None


def test_a_pair_of_columns_must_repeat_and_distinguish_more_than_each_alone() -> None:
    def pair(*rows: str) -> tuple[str, ...] | None:
        table = ReadTable.of_rows(["home", "member"], [list(row) for row in rows])
        found = repeated_pair(table, repeated_columns(table.columns))
        return None if found is None else found.columns

    assert pair("a1", "a2", "b1", "a1", "a2", "b1") == ("home", "member")
    # No pair repeats.
    assert pair("a1", "a2", "b1", "b2") is None
    # The number of the member is that of the home.
    assert pair("a1", "a1", "b2", "b2") is None
