"""What is known of a deposit's table: its survey where it has one, the name of its file where not."""

from __future__ import annotations

from anonymisation.deposits.background import deposit_background
from anonymisation.models import Deposit


def test_an_uploaded_table_is_known_by_the_name_of_its_file_alone() -> None:
    """`test_of_survey.py` reads the files that were made of a survey."""
    found = deposit_background(Deposit(name="ward.2026.sav"))
    assert (found.title, found.columns, found.description) == ("ward.2026", {}, None)
