"""Rules as Parquet, written while they are read."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from surveys.figures.tables import RULE_COLUMNS, rule_record, run_record
from surveys.formats.figures import TEXTS, TRUTHS, WHOLE, unit_of
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import Labels

ROWS_OF_A_GROUP: Final = 5_000


def rules_as_parquet(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[bytes]:
    """Yield the parts of a Parquet file of rules, 5,000 to a group.

    Its key "sottovoce" holds what `surveys.figures.tables.run_record` says of the run, as JSON; the unit of
    each column is in the column's own keys.
    """
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    record = json.dumps(run_record(run), ensure_ascii=False, allow_nan=False)
    schema = pyarrow.schema(
        [pyarrow.field(name, _type(name), metadata={"unit": unit_of(name)}) for name in RULE_COLUMNS],
        metadata={"sottovoce": record},
    )
    written, rest = io.BytesIO(), iter(rows)
    with ParquetWriter(pyarrow.PythonFile(written, mode="w"), schema, compression="zstd") as writer:
        while group := list(islice(rest, ROWS_OF_A_GROUP)):
            records = [rule_record(row, labels, run) for row in group]
            writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
            yield _taken(written)
    yield _taken(written)


def _taken(file: io.BytesIO) -> bytes:
    """Return what was written, and forget it."""
    part = file.getvalue()
    file.seek(0)
    file.truncate()
    return part


def _type(name: str) -> Any:
    import pyarrow

    if name in TEXTS:
        return pyarrow.string()
    if name in TRUTHS:
        return pyarrow.bool_()
    return pyarrow.int64() if name in WHOLE else pyarrow.float64()
