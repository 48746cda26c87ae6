"""Words in the names of columns say what a column is about."""

import pytest

from privacy.tables.names import KNOWN, identifies, is_about, says, words_of


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Patient ID", True),
        ("respondentNumber", True),
        ("学号", True),
        ("video", False),
        ("width", False),
        ("age", False),
    ],
)
def test_names_that_identify_people_are_recognised_as_whole_words(name: str, found: bool) -> None:
    assert identifies(name) == found


def test_the_subject_of_a_name_is_its_last_word() -> None:
    assert is_about("sex_at_birth", KNOWN)
    assert not is_about("two_year_recid", KNOWN)
    assert says("two_year_recid", KNOWN)
    assert words_of("zipCode") == {"zip", "code"}
