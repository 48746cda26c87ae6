import pytest
from django.db import IntegrityError, transaction

from surveys.models import RuleRow
from surveys.runs.bulk_insert import columns_insert
from tests.fixtures.runs import answered_version, requested_run

pytestmark = pytest.mark.django_db


def test_rows_are_stored_as_bulk_create_would_store_them() -> None:
    run, other = requested_run(answered_version()), requested_run(answered_version(slug="other"))

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


def test_inserting_no_rows_works_and_duplicate_rows_are_rejected() -> None:
    run = requested_run(answered_version())
    columns_insert(RuleRow, {"run_id": []})
    row = {"antecedent": ",1,", "consequent": ",2,", "antecedent_size": 1, "consequent_size": 1, "n": 1}
    twice = {name: [value, value] for name, value in {"run_id": run.pk, **row}.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        columns_insert(RuleRow, twice)
    assert RuleRow.objects.count() == 0
    columns_insert(RuleRow, {name: values[:1] for name, values in twice.items()})
    found = RuleRow.objects.get()
    # Omitted columns have their defaults.
    assert (found.few_rows, found.lift) == (False, None)
