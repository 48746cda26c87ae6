import io
import json

import pyarrow.parquet
import pytest

from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.report.downloads import rule_columns, rule_records, rules_as_parquet
from surveys.report.rule_rows import RuleQuery, all_rules
from tests.fixtures.runs import answered, mined

pytestmark = pytest.mark.django_db


def file_of(run: Run, query: RuleQuery, **changes: int) -> pyarrow.parquet.ParquetFile:
    parts = rules_as_parquet(all_rules(run, query), labels_of(run.version, run.design), run)
    return pyarrow.parquet.ParquetFile(io.BytesIO(b"".join(parts)))


def test_the_file_holds_the_records_their_units_and_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surveys.report.downloads.ROWS_OF_A_GROUP", 7)
    run = mined(answered())
    query = RuleQuery(limits=(("lift_from", 1.0),))
    file = file_of(run, query)
    table = file.read()
    assert tuple(table.column_names) == rule_columns()
    labels = labels_of(run.version, run.design)
    expected = list(rule_records(all_rules(run, query), labels, run))
    assert table.to_pylist() == expected
    assert file.num_row_groups == -(-len(expected) // 7) > 1
    about = json.loads(file.schema_arrow.metadata[b"sottovoce"])
    assert (about["run"], about["design_id"]) == (run.pk, run.design_id)
    assert about["snapshot"]["sha256"] == run.snapshot_digest
    assert about["tests"]["family"] == run.summary["inference"]["family"]
    assert file.schema_arrow.field("lift").metadata[b"unit"] == b"ratio"


def test_nothing_is_a_file_too() -> None:
    run = mined(answered())
    table = file_of(run, RuleQuery(limits=(("lift_from", 1e9),))).read()
    assert (table.num_rows, tuple(table.column_names)) == (0, rule_columns())
