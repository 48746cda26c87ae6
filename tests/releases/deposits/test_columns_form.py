"""The form of columns: what is asked about, and what stays where nothing is sent."""

from __future__ import annotations

import numpy as np
import pytest

from releases.deposits.columns_form import ColumnsForm, people_sentence
from releases.deposits.proposals import propose
from releases.microdata.people import People
from surveys.tables.table import ReadTable

COLUMNS = [
    propose(column).plain()
    for column in ReadTable.of_rows(["age", "x"], [["30", "a"], ["NA", "b"], ["99", "a"]]).columns
]
SENT = {"role_0": "quasi_identifier", "kind_0": "categorical", "policy_0": "value", "role_1": "sensitive"}


@pytest.mark.parametrize(
    ("sent", "missing"),
    [
        ({}, ["NA", "99"]),
        ({"missing_0_0": "missing", "missing_0_1": "value"}, ["NA"]),
        ({"missing_0_0": "value", "missing_0_1": "value"}, []),
    ],
)
def test_what_is_not_sent_of_a_question_stays_as_it_is_proposed(
    sent: dict[str, str], missing: list[str]
) -> None:
    form = ColumnsForm(COLUMNS, SENT | sent)
    assert form.is_valid(), form.errors
    assert form.chosen()[0]["missing_texts"] == missing
    labels = [str(field.label) for field in next(form.lines)["missing"]]
    assert [label for label in labels if label.startswith("“")] == ["“NA”, in 1 record", "“99”, in 1 record"]


@pytest.mark.parametrize("people", [None, "id", ""])
def test_a_sentence_says_whom_the_table_tells_apart(people: str | None) -> None:
    counted = None if people is None else People(column=people, number=np.array([0, 1, 0]))
    said = people_sentence(counted, 3)
    assert said.startswith({None: "Nothing in the table", "id": "“id” has 2", "": "Of 3 records 2"}[people])
