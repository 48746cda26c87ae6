"""Microdata with a role for every column, encoded once; all modules of this package read it.

A cell is text, as in a CSV file. A column stores its distinct texts and one code per record, so that a cell
takes four bytes and all later steps work on integers.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Codes, Flags, Whole
from privacy.errors import PrivacyError
from privacy.numeric_text import finite_number, number_text, rounds_integer
from privacy.sdc.column_rule import ROLES, ColumnRule
from privacy.sdc.unsafe_columns import refuse_unsafe


@dataclass(frozen=True, kw_only=True, eq=False)
class Column:
    """One encoded column: ``values[codes[r]]`` is the text of record ``r``.

    Parameters
    ----------
    name, role, kind : str
        As in `ColumnRule`.
    values : tuple of str
        Distinct observed texts; numbers in ascending order, other texts in alphabetical order.
    codes : int32 array, shape (n,)
        Position of each record's text in `values`.
    numbers : float64 array, shape (len(values),), or None
        The numbers written in `values`; None for categorical columns.
    missing : frozenset of str
        Values of a sensitive column that mean "missing". No model counts them as a value.
    """

    name: str
    role: str
    kind: str
    values: tuple[str, ...]
    codes: Codes
    numbers: Array | None = None
    missing: frozenset[str] = frozenset()

    @property
    def whole(self) -> Column:
        """The column with "missing" as an ordinary value."""
        return replace(self, missing=frozenset()) if self.missing else self

    @property
    def is_real(self) -> Flags:
        """Mask of the `values` that are not missing."""
        return np.array([value not in self.missing for value in self.values], dtype=np.bool_)

    @property
    def real(self) -> tuple[str, ...]:
        """The values that are not missing."""
        return tuple(value for value in self.values if value not in self.missing)

    @property
    def texts(self) -> list[str]:
        """The texts of all records, in order."""
        return [self.values[code] for code in self.codes.tolist()]

    def take(self, rows: Whole) -> Column:
        """Return the column for the given records only; values that no longer occur are dropped."""
        value_ids, codes = np.unique(self.codes[rows], return_inverse=True)
        return replace(
            self,
            values=tuple(self.values[code] for code in value_ids.tolist()),
            codes=codes.astype(np.int32),
            numbers=None if self.numbers is None else self.numbers[value_ids],
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Records of several columns, each with a role.

    Parameters
    ----------
    columns : tuple of Column
        Columns in the order of the header, without identifiers.
    source_rows : int64 array, shape (n,)
        Position of each record, from 0, among the records that were read.
    dropped : int
        Number of records left out because a value was missing.
    """

    columns: tuple[Column, ...]
    source_rows: Whole
    dropped: int = 0

    @classmethod
    def from_rows(
        cls, header: Sequence[str], rows: Iterable[Sequence[str]], rules: Sequence[ColumnRule]
    ) -> Table:
        """Read texts row by row; `rows` may be a generator, since it is iterated only once.

        Parameters
        ----------
        header : sequence of str
            Column names.
        rows : iterable of sequences of str
            The records.
        rules : sequence of ColumnRule
            Exactly one per column of the header.

        Raises
        ------
        PrivacyError
            If a column is repeated or has no rule, rows differ in length, a value is missing under
            ``refuse``, a numeric column has other text, a column is free text or time stamps, or no record is
            left.

        Examples
        --------
        >>> rule = ColumnRule(name="age", role="quasi_identifier", kind="numeric")
        >>> table = Table.from_rows(["age"], [["30"], ["25"], ["30"]], [rule])
        >>> table.column("age").values, table.column("age").codes.tolist()
        (('25', '30'), [1, 0, 1])
        """
        code_maps: list[defaultdict[str, int]] = [defaultdict(count().__next__) for _ in header]
        codes = [array("i") for _ in header]
        for number, row in enumerate(rows):
            if len(row) != len(header):
                raise PrivacyError("ragged", len(row), number=number + 1, width=len(header))
            for numbers, texts, text in zip(codes, code_maps, row, strict=True):
                numbers.append(texts[text])
        columns = [
            (list(texts), np.frombuffer(numbers, dtype=np.int32) if numbers else np.empty(0, dtype=np.int32))
            for texts, numbers in zip(code_maps, codes, strict=True)
        ]
        return cls.from_codes(header, columns, rules)

    @classmethod
    def from_codes(
        cls,
        header: Sequence[str],
        columns: Sequence[tuple[Sequence[str], npt.NDArray[np.integer]]],
        rules: Sequence[ColumnRule],
        *,
        lenient: bool = False,
    ) -> Table:
        """Read columns that are already encoded as distinct texts and the position of each record's text.

        Parameters
        ----------
        header, rules
            As in `from_rows`.
        columns : sequence of (sequence of str, integer array of shape (n,))
            Columns in the order of the header, all of equal length.
        lenient : bool
            Whether to accept free text and time stamps, for checking an already published table.

        Raises
        ------
        PrivacyError
            As in `from_rows`.

        Examples
        --------
        >>> rule = ColumnRule(name="age", role="quasi_identifier", kind="numeric")
        >>> Table.from_codes(["age"], [(["30", "25"], np.array([0, 1, 0]))], [rule]).column("age").codes
        array([1, 0, 1], dtype=int32)
        """
        ordered = _rules_in_order(header, rules)
        n = len(columns[0][1]) if columns else 0
        is_whole = np.ones(n, dtype=np.bool_)
        first: tuple[int, ColumnRule, str] | None = None
        for rule, (texts, codes) in zip(ordered, columns, strict=True):
            absent = np.array([text in rule.missing_texts for text in texts], dtype=np.bool_)
            if rule.role == "identifier" or rule.missing == "value" or not absent.any():
                continue
            missing = absent[codes]
            if rule.missing == "drop":
                is_whole &= ~missing
            elif missing.any() and (first is None or missing.argmax() < first[0]):
                first = int(missing.argmax()), rule, texts[codes[missing.argmax()]]
        if first is not None:
            record, rule, text = first
            case = "missing.record" if lenient else "missing.rule"
            raise PrivacyError(case, text, column=rule.name, record=record + 1)
        used = np.flatnonzero(is_whole)
        if not len(used):
            raise PrivacyError("empty", n)
        encoded = []
        for rule, (texts, codes) in zip(ordered, columns, strict=True):
            if rule.role != "identifier":
                values, number = np.unique(codes[used], return_inverse=True)
                labels = [texts[code] for code in values.tolist()]
                encoded.append(_encode_column(rule, labels, number.astype(np.int32), lenient))
        return cls(columns=tuple(encoded), source_rows=used.astype(np.int64), dropped=n - len(used))

    def __len__(self) -> int:
        return len(self.source_rows)

    def column(self, name: str) -> Column:
        """Return one column by its name.

        Raises
        ------
        PrivacyError
            If no column has that name.
        """
        for column in self.columns:
            if column.name == name:
                return column
        names = ", ".join(column.name for column in self.columns)
        raise PrivacyError("unknown_column.name", name, names=names)

    def with_role(self, role: str) -> tuple[Column, ...]:
        """Return the columns of one role, in the order of the header."""
        return tuple(column for column in self.columns if column.role == role)

    @property
    def quasi_identifiers(self) -> tuple[Column, ...]:
        """The columns that are generalised."""
        return self.with_role("quasi_identifier")

    @property
    def sensitive(self) -> tuple[Column, ...]:
        """The columns that the models protect."""
        return self.with_role("sensitive")

    def take(self, rows: Whole) -> Table:
        """Return a table of the given records, in the order given."""
        return Table(
            columns=tuple(column.take(rows) for column in self.columns),
            source_rows=self.source_rows[rows],
            dropped=self.dropped,
        )


def without_sensitive(n: int) -> Column:
    """Return a placeholder for the sensitive column of a table that has none.

    Parameters
    ----------
    n : int
        Number of records.
    """
    return Column(
        name="(none)", role="sensitive", kind="categorical", values=("",), codes=np.zeros(n, dtype=np.int32)
    )


def _rules_in_order(header: Sequence[str], rules: Sequence[ColumnRule]) -> list[ColumnRule]:
    seen: set[str] = set()
    for name in header:
        if name in seen:
            raise PrivacyError("duplicate_column", name)
        seen.add(name)
    by_name: dict[str, ColumnRule] = {}
    for rule in rules:
        if rule.name in by_name:
            raise PrivacyError("duplicate_rule", rule.name)
        if rule.name not in seen:
            raise PrivacyError("unknown_column.name", rule.name, names=", ".join(header))
        by_name[rule.name] = rule
    for name in header:
        if name not in by_name:
            raise PrivacyError("no_role", name, roles=", ".join(ROLES))
    return [by_name[name] for name in header]


def _encode_column(rule: ColumnRule, texts: list[str], codes: Codes, lenient: bool) -> Column:
    if not lenient:
        refuse_unsafe(rule, texts, len(codes))
    if rule.kind == "numeric":
        return _encode_numbers(rule, texts, codes)
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank = np.empty(len(texts), dtype=np.int32)
    rank[order] = np.arange(len(texts), dtype=np.int32)
    return Column(
        name=rule.name,
        role=rule.role,
        kind=rule.kind,
        values=tuple(texts[position] for position in order),
        codes=rank[codes],
        missing=frozenset(rule.missing_texts) & frozenset(texts) if rule.role == "sensitive" else frozenset(),
    )


def _encode_numbers(rule: ColumnRule, texts: list[str], codes: Codes) -> Column:
    numbers = np.empty(len(texts))
    for position, text in enumerate(texts):
        number = finite_number(text)
        if number is None:
            raise PrivacyError("not_a_number.column", text, rule=rule.name)
        if rounds_integer(text):
            raise PrivacyError("not_a_number.long", text, rule=rule.name)
        if rule.bottom is not None:
            number = max(number, rule.bottom)
        if rule.top is not None:
            number = min(number, rule.top)
        numbers[position] = number
    distinct, rank = np.unique(numbers, return_inverse=True)
    return Column(
        name=rule.name,
        role=rule.role,
        kind=rule.kind,
        values=tuple(number_text(number) for number in distinct.tolist()),
        codes=rank.astype(np.int32)[codes],
        numbers=distinct,
    )
