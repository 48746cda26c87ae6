"""Pages say whether people or records are counted, and why."""

import numpy as np
import pytest

from anonymisation.releases.counted import people_sentence
from privacy.sdc.unit import ALIKE, NAMED, UNREPEATED, Counting, People


@pytest.mark.parametrize(
    ("why", "columns", "begins"),
    [
        (UNREPEATED, None, "No omitted column has repeated values"),
        (NAMED, ("id",), "“id” has 2 values in 3 records"),
        (NAMED, ("home", "member"), "“home + member” has 2 values"),
        (ALIKE, (), "2 of 3 records"),
    ],
)
def test_the_page_states_how_many_people_are_distinguished(
    why: str, columns: tuple[str, ...] | None, begins: str
) -> None:
    people = None if columns is None else People(columns=columns, number=np.array([0, 1, 0]))
    assert people_sentence(Counting(why=why, people=people), 3).startswith(begins)
