"""What is known of a deposit's table: its survey where it has one, the name of its file where not."""

from __future__ import annotations

from releases.deposits.background import deposit_background
from releases.models import Deposit


def test_an_uploaded_table_is_known_by_the_name_of_its_file_alone() -> None:
    """Of a survey `test_of_survey.py` reads the codebook that was made."""
    found = deposit_background(Deposit(name="ward.2026.sav"))
    assert found.study.title == {"": "ward.2026"}
    assert (found.columns, found.study.about, found.study.processing) == ({}, {}, ())
