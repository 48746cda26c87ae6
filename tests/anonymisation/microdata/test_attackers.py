"""Beliefs as text: read, refused by value and line, and held against a table."""

import numpy as np
import pytest

from anonymisation.microdata.attackers import attacker_audit, attacker_check, attacker_read, belief_line
from privacy.sdc import Classes, Requirement
from surveys.errors.error import SurveyError
from tests.fixtures.tables import table_of

TABLE = table_of(
    ["age", "region", "flu"],
    [("21", "north", "yes"), ("29", "north", "yes"), ("30", "south", "yes"), ("44", "south", "no")],
    sensitive=["flu"],
    numeric=["age"],
)
CLASS = Classes.from_numbers([0, 0, 0, 0])
BY_REGION = "region,flu,belief\nnorth,yes,3\nnorth,no,1\n*,yes,10 %\n*,no,90 %\n"


@pytest.mark.parametrize(
    "text",
    [
        BY_REGION,
        BY_REGION.replace(",", "，"),
        BY_REGION.replace(",", ";").replace("\n", "\r\n\r\n"),
        # The age says the same here: below thirty is the north.
        'age,flu,belief\n"[20,30)",yes,75\n"[20,30)",no,25\n*,yes,1\n*,no,9\n',
    ],
)
def test_only_proportions_count_and_the_first_group_that_fits(text):
    attacker = attacker_read("flu", text)
    attacker_check(attacker, TABLE)
    found = attacker_audit(attacker, TABLE, CLASS, Requirement(k=2, rho1=0.2, rho2=0.3))
    assert found.truth_before == pytest.approx((3 / 4 + 3 / 4 + 1 / 10 + 9 / 10) / 4)
    assert (found.breached, found.rho2) == (2, 0.3)
    assert ": 4 records, 2 breached (0.2 to 0.3)" in belief_line("flu", found)


def test_without_a_header_the_same_is_believed_of_everybody():
    found = attacker_audit(attacker_read("flu", "yes, 1\nno, 3"), TABLE, CLASS, Requirement(k=2))
    assert (found.strongest_before, found.strongest_after, found.rho1) == (0.75, 0.75, 0.1)


def test_a_value_that_only_left_out_people_had_is_believed_of_nobody():
    kept = TABLE.take(np.array([0, 1, 2]))
    found = attacker_audit(
        attacker_read("flu", BY_REGION), kept, Classes.from_numbers([0, 0, 0]), Requirement(k=2)
    )
    assert found.truth_after == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "have 0 lines"),
        ("flu", "the first line .* is “flu”"),
        ("region,ill,belief\nnorth,yes,1", "the first line"),
        ("yes,1\nno", "line 2 .* has 1 cells"),
        ("yes,1\nno,much", "line 2 .* ends in “much”"),
        ("yes,1\nno,-1", "ends in “-1”"),
        ("yes,1\nyes,2", "line 2 .* repeats “yes”"),
        ("ill,flu,belief\na,yes,1\na,no,1", "depend on “ill”"),
        ("yes,1\nno,1\nperhaps,1", "no one has the value “perhaps”"),
        ("yes,1", "there is no belief about the value “no”"),
        ("yes,0\nno,0", "all beliefs about “flu” are 0"),
        ("region,flu,belief\nnorth,yes,1\nnorth,no,1", "for people with “south” there are no beliefs"),
    ],
)
def test_what_does_not_fit_is_refused_by_line_and_value(text, message):
    with pytest.raises(SurveyError, match=message):
        attacker_check(attacker_read("flu", text), TABLE)
