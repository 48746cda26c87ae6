import pytest
from django.db import IntegrityError, transaction

from surveys.models import Batch, RuleRow, Survey
from surveys.report.insert import rows_insert
from tests.surveys.report.cast import answered, asked

pytestmark = pytest.mark.django_db


def test_rows_are_stored_as_bulk_create_stores_them() -> None:
    run, other = asked(answered()), asked(answered(slug="other"))

    def rows(of: object) -> list[RuleRow]:
        return [
            RuleRow(
                run=of, antecedent=f",{number},", consequent=",9,", antecedent_size=1, consequent_size=1,
                n=5 + number, few_rows=number == 1, support=0.1 * number, lift=None,
            )
            for number in range(3)
        ]  # fmt: skip

    rows_insert(RuleRow, rows(run))
    RuleRow.objects.bulk_create(rows(other))
    ours, theirs = (
        [
            {name: value for name, value in row.items() if name not in {"id", "run_id"}}
            for row in RuleRow.objects.filter(run=of).order_by("pk").values()
        ]
        for of in (run, other)
    )
    assert ours == theirs
    assert len(ours) == 3


def test_no_row_is_no_trouble_and_a_row_twice_is_refused() -> None:
    run = asked(answered())
    rows_insert(RuleRow, [])
    row = {"antecedent": ",1,", "consequent": ",2,", "antecedent_size": 1, "consequent_size": 1, "n": 1}
    with pytest.raises(IntegrityError), transaction.atomic():
        rows_insert(RuleRow, [RuleRow(run=run, **row), RuleRow(run=run, **row)])
    assert RuleRow.objects.count() == 0


@pytest.mark.parametrize("model", [Survey, Batch])
def test_it_refuses_columns_that_need_a_translation(model: type) -> None:
    with pytest.raises(TypeError, match="is no plain column; use bulk_create"):
        rows_insert(model, [])
