"""Rules as Parquet, written while they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from surveys.figures.tables import RULE_COLUMNS, rule_record, run_record
from surveys.formats.figures import TEXTS, TRUTHS, WHOLE, unit_of
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import Labels

ROWS_OF_A_GROUP: Final = 5_000


class _Sink:
    """A file that hands on what was written to it."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.closed = False

    def write(self, part: Any) -> int:
        self.parts.append(bytes(part))
        return len(self.parts[-1])

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        self.closed = True

    def taken(self) -> bytes:
        parts, self.parts = self.parts, []
        return b"".join(parts)


def rules_as_parquet(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[bytes]:
    """Yield the parts of a Parquet file of rules, 5,000 to a group.

    Its key "sotto" holds what `surveys.figures.tables.run_record` says of the run, as JSON; the unit of each
    column is in the column's own keys.
    """
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    record = json.dumps(run_record(run), ensure_ascii=False, allow_nan=False)
    schema = pyarrow.schema(
        [pyarrow.field(name, _type(name), metadata={"unit": unit_of(name)}) for name in RULE_COLUMNS],
        metadata={"sotto": record},
    )
    sink, rest = _Sink(), iter(rows)
    with ParquetWriter(pyarrow.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        while group := list(islice(rest, ROWS_OF_A_GROUP)):
            records = [rule_record(row, labels, run) for row in group]
            writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
            yield sink.taken()
    yield sink.taken()


def _type(name: str) -> Any:
    import pyarrow

    if name in TEXTS:
        return pyarrow.string()
    if name in TRUTHS:
        return pyarrow.bool_()
    return pyarrow.int64() if name in WHOLE else pyarrow.float64()
