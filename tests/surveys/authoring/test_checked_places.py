"""The import report quotes each place that may be misread, and names the cells of columns."""

import pytest
from django.test import Client

from tests.surveys.authoring.test_import_report import pasted, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

COLUMNS = "Life\n\nDo you drink?\tWhat else?\n( ) yes\t( ) never\n( ) no\t( ) often\n"


def test_a_place_in_columns_is_named_and_quoted(staff: Client) -> None:
    """It used to be the line of an answer in the other column."""
    report = pasted(staff, COLUMNS)
    *_others, group = report.context["misread"]
    ((message, (place,)),) = group["notes"]
    assert message.startswith("the questions of the left-hand column")
    assert (place.where, place.text) == ("Lines 3 to 5, right-hand column", "What else?")
    rows = [
        ("".join(text for text, *_more in row.source), row.question.where) for row in report.context["rows"]
    ]
    assert rows[0] == ("Do you drink?( ) yes( ) no", "Lines 3 to 5, left-hand column")
    assert "left out" not in said(report).split("Every line and its role")[1].split("Another line")[0]


def test_a_protected_question_that_looks_sensitive_says_why_no_press_stores_it(staff: Client) -> None:
    report = pasted(staff, "Life\n1. Did you ever steal?\n2. Do you like tea?\n3. Kind\n- a\nb c?\n")
    assert "It looks sensitive (“steal”). The plan can store it as answered." in said(report)
    assert said(report).count("Store as answered") >= 1
