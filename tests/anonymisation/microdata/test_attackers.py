"""Beliefs and utility matrices as text are read, refused by value and line, and checked against a table."""

import numpy as np
import pytest

from anonymisation.microdata.attackers import attacker_audit, attacker_check, attacker_read
from anonymisation.microdata.config import plan_load
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.requirements import Requirement
from surveys.errors.error import SurveyError
from tests.fixtures.releases import CONFIG, config_write
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
        # Age gives the same groups here, because everyone below thirty is in the north.
        'age,flu,belief\n"[20,30)",yes,75\n"[20,30)",no,25\n*,yes,1\n*,no,9\n',
    ],
)
def test_proportions_are_normalised_and_the_first_matching_group_wins(text):
    attacker = attacker_read("flu", text)
    attacker_check(attacker, TABLE)
    found = attacker_audit(attacker, TABLE, CLASS, Requirement(k=2, rho1=0.2, rho2=0.3))
    assert found.truth_before == pytest.approx((3 / 4 + 3 / 4 + 1 / 10 + 9 / 10) / 4)
    assert (found.breached, found.rho2) == (2, 0.3)


def test_beliefs_without_a_header_apply_to_all_people():
    found = attacker_audit(attacker_read("flu", "yes, 1\nno, 3"), TABLE, CLASS, Requirement(k=2))
    assert (found.strongest_before, found.strongest_after, found.rho1) == (0.75, 0.75, 0.1)


def test_beliefs_ignore_values_that_only_omitted_people_had():
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
        ("yes,1\nno", "line 2 .* has the wrong number of cells: 1"),
        ("yes,1\nno,much", "line 2 .* ends in “much”"),
        ("yes,1\nno,-1", "ends in “-1”"),
        ("yes,1\nyes,2", "line 2 .* repeats “yes”"),
        ("ill,flu,belief\na,yes,1\na,no,1", "depend on “ill”"),
        ("yes,1\nno,1\nperhaps,1", "no one has the value “perhaps”"),
        ("yes,1", "the belief about the value “no”"),
        ("yes,0\nno,0", "all beliefs about “flu” are 0"),
        (
            "region,flu,belief\nnorth,yes,1\nnorth,no,1",
            "for people with “south”, beliefs about “flu” are missing",
        ),
    ],
)
def test_invalid_beliefs_are_refused_by_line_and_value(text, message):
    with pytest.raises(SurveyError, match=message):
        attacker_check(attacker_read("flu", text), TABLE)


TEXT = "disease,age,work\nflu,very high,0.3\ncold,0.8,Low\n"


def test_a_utility_matrix_loads_from_a_file_and_rejects_weights(tmp_path):
    (tmp_path / "expert.csv").write_text(TEXT, encoding="utf-8")
    named = CONFIG.replace("l = 2", 'l = 2\nutility_matrix = "expert.csv"')
    found = plan_load(config_write(tmp_path, named))[0].matrix
    assert found is not None
    assert (found.sensitive, found.rows["flu"]) == ("disease", {"age": "very high", "work": "0.3"})
    weighed = named.replace('hierarchy = "flat"', 'hierarchy = "flat"\nweight = 2')
    with pytest.raises(PrivacyError, match="“sex” has a weight"):
        plan_load(config_write(tmp_path, weighed))
    both = weighed.replace("l = 2", "l = 2\nown_values = true")
    assert plan_load(config_write(tmp_path, both))[0].matrix is not None
    with pytest.raises(PrivacyError, match="cannot be read"):
        plan_load(config_write(tmp_path, named.replace("expert.csv", "nobody.csv")))
