"""Names beside the questions' keys give way to a question of that key."""

from __future__ import annotations

from privacy.survey.column_names import asked_name, group_name, skipped_name
from tests.vectors.designs import CHOICE, live, shielded, yes_no


def test_a_key_that_is_taken_gets_another_name() -> None:
    plain = live(shielded("b", 3000, yes_no("a", 6000)), group=CHOICE)
    assert (group_name(plain), skipped_name("b", plain), asked_name("b", plain)) == (
        "group",
        "b.skipped",
        "b.asked",
    )
    taken = live(shielded("b", 3000, yes_no("group", 6000), yes_no("b.skipped", 6000)), group=CHOICE)
    assert (group_name(taken), skipped_name("b", taken)) == ("group_", "b.skipped_")
