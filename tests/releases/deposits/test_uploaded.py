"""Columns of an uploaded table: each is sealed by itself, and comes back as it was read."""

from __future__ import annotations

import numpy as np
import pytest
from django.utils import timezone

from releases.deposits.drafts import upload_begin
from releases.deposits.uploaded import alike_held, table_held, table_take
from releases.models import DepositColumn
from surveys.errors.error import SurveyError
from tests.cast.runs import alice

pytestmark = pytest.mark.django_db
RAW = b"age,sex,note\n31,f,x\n45,m,y\n31,f,x\n"


def test_a_column_that_is_not_asked_for_stays_closed_and_alike_records_are_known() -> None:
    deposit = upload_begin(owner=alice(), name="people.csv", raw=RAW, now=timezone.now())
    assert list(table_held(deposit).rows()) == list(table_take("people.csv", RAW).rows())
    DepositColumn.objects.filter(number=2).delete()
    assert list(table_held(deposit, ["age", "sex"]).rows()) == [("31", "f"), ("45", "m"), ("31", "f")]
    with pytest.raises(SurveyError, match="no longer here"):
        table_held(deposit)
    assert len(np.unique(alike_held(deposit))) == 2


@pytest.mark.parametrize(
    ("raw", "case"),
    [(b"age,age\n1,2\n", "study_file.several"), (b"age,\n1,2\n", "deposit_file.name")],
)
def test_columns_have_names_of_their_own(raw: bytes, case: str) -> None:
    with pytest.raises(SurveyError) as caught:
        table_take("people.csv", raw)
    assert caught.value.case == case
