import pytest
from django.db import IntegrityError, transaction

from surveys.models import Batch, RuleRow, Survey
from surveys.runs.fan_out import columns_insert
from tests.fixtures.runs import answered, asked

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

    names = [field.attname for field in RuleRow._meta.concrete_fields if field.attname != "id"]
    columns_insert(RuleRow, {name: [getattr(row, name) for row in rows(run)] for name in names})
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
    columns_insert(RuleRow, {"run_id": []})
    row = {"antecedent": ",1,", "consequent": ",2,", "antecedent_size": 1, "consequent_size": 1, "n": 1}
    twice = {name: [value, value] for name, value in {"run_id": run.pk, **row}.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        columns_insert(RuleRow, twice)
    assert RuleRow.objects.count() == 0


@pytest.mark.parametrize("model", [Survey, Batch])
def test_it_refuses_columns_that_need_a_translation(model: type) -> None:
    with pytest.raises(TypeError, match="is no plain column; use bulk_create"):
        columns_insert(model, {})


def test_what_is_left_out_has_its_default_and_what_is_unknown_is_refused() -> None:
    run = asked(answered())
    row = {"antecedent": ",1,", "consequent": ",2,", "antecedent_size": 1, "consequent_size": 1, "n": 1}
    columns_insert(RuleRow, {name: [value] for name, value in {"run_id": run.pk, **row}.items()})
    found = RuleRow.objects.get()
    assert (found.few_rows, found.lift) == (False, None)
    with pytest.raises(TypeError, match="RuleRow has no column run"):
        columns_insert(RuleRow, {"run": [run]})
