"""Rules as Parquet, written while they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from mining.interest import INTEREST
from surveys.models import RuleRow, Run
from surveys.report.labels import Labels
from surveys.report.outcome import RunPage
from surveys.report.tables import RULE_COLUMNS, rule_record, run_record

ROWS_OF_A_GROUP: Final = 5_000
_TEXTS: Final = {
    "antecedent", "consequent", "antecedent_label", "consequent_label", "error_is", "redundant_by",
}  # fmt: skip
_WHOLE: Final = {"n", "flips"}
_TRUTHS: Final = {"few_rows", "passes", "maximal"}
_SHARES: Final = ("support", "confidence", "true_support", "true_confidence", "p_")


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


def rules_as_parquet(rows: Iterable[RuleRow], labels: Labels, page: RunPage, run: Run) -> Iterator[bytes]:
    """Yield the parts of a Parquet file of rules, 5,000 to a group.

    Its key "sotto" holds what `surveys.report.tables.run_record` says of the run, as JSON; the unit of each
    column is in the column's own keys.
    """
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    record = json.dumps(run_record(page, run), ensure_ascii=False, allow_nan=False)
    schema = pyarrow.schema(
        [pyarrow.field(name, _type(name), metadata={"unit": unit_of(name)}) for name in RULE_COLUMNS],
        metadata={"sotto": record},
    )
    sink, rest = _Sink(), iter(rows)
    with ParquetWriter(pyarrow.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        while group := list(islice(rest, ROWS_OF_A_GROUP)):
            records = [rule_record(row, labels, page) for row in group]
            writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
            yield sink.taken()
    yield sink.taken()


def unit_of(name: str) -> str:
    """Say what a column counts in.

    >>> unit_of("support_low"), unit_of("lift"), unit_of("n"), unit_of("antecedent")
    ('share', 'ratio', 'rows', 'keys joined by &')
    """
    if name in ("antecedent", "consequent", "redundant_by"):
        return "keys joined by &"
    if name in _TEXTS:
        return "text"
    if name in _WHOLE:
        return "rows"
    if name in _TRUTHS:
        return "true or false"
    if name in INTEREST:
        return INTEREST[name]
    if name.startswith(_SHARES) or name == "error":
        return "share"
    return "difference of shares" if "leverage" in name else "ratio"


def _type(name: str) -> Any:
    import pyarrow

    if name in _TEXTS:
        return pyarrow.string()
    if name in _TRUTHS:
        return pyarrow.bool_()
    return pyarrow.int64() if name in _WHOLE else pyarrow.float64()
