"""What a reader decided about a table, in sentences, so that nothing is guessed in silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from privacy.filled_text import fill_fields

_: Final = str
"""Marks a text for translators without importing a translation library."""

TEXTS: Final = {
    "above": _("Lines above the header that were left out: %(count)s. The first one is “%(text)s”."),
    "below": _("Lines below the table that were left out: %(count)s. The first one is “%(text)s”."),
    "headers": _("Lines that repeat the header were left out: %(count)s."),
    "joined": _("The header has two lines. They were joined, for example to “%(name)s”."),
    "number": _(
        "The first line contains the number %(text)s, and was read as the names of the columns. If it is a "
        "record, add a line with names above it."
    ),
    "unnamed": _("The file gives no name to “%(name)s”."),
    "again": _("“%(name)s” has the same name as an earlier column in the file."),
    "encoding": _("The file is not in UTF-8. It was read as %(name)s."),
    "composed": _(
        "Some texts in “%(name)s” look the same, but consist of different characters. They were joined."
    ),
    "rows": _("“%(name)s” numbers the rows."),
    "missing": _("“%(name)s”: %(text)s means a missing value (%(count)s records)."),
    "spelling": _("“%(name)s”: “%(text)s” was read as “%(value)s” (%(count)s records)."),
    "numbers": _("“%(name)s”: “%(text)s” was read as the number %(value)s."),
    "mixed": _(
        "“%(name)s” contains numbers written in two ways, such as “%(one)s” and “%(other)s”, so it was "
        "read as categories. Write all of them in one way."
    ),
    "merged": _(
        "Merged cells of the sheet were filled with their value, for example “%(text)s” (%(count)s cells)."
    ),
    "dates": _("“%(name)s” has dates. “%(text)s” was read as %(value)s."),
    "order": _("“%(name)s”: it is not certain whether the day or the month comes first in “%(text)s”."),
    "codes": _("“%(name)s” has codes such as “%(text)s”, which would change if read as numbers."),
    "kept": _(
        "“%(name)s”: %(text)s looks like a code for a missing value (%(count)s records), but was kept as a "
        "number. Replace it if no number is meant."
    ),
    "person": _(
        "“%(name)s” seems to identify people: “%(one)s” and “%(other)s” are constant within each "
        "of its values."
    ),
}
"""Sentence of each decision, by key."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One decision about a table or one of its columns.

    Parameters
    ----------
    key : str
        Key of `TEXTS`.
    fields : mapping of str
        Values for the sentence; ``name`` is the column.

    Examples
    --------
    >>> print(Decision(key="rows", fields={"name": "column 1"}))
    “column 1” numbers the rows.
    """

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, key: str, /, **fields: Any) -> Decision:
        """Return a decision with the fields of its sentence."""
        return cls(key=key, fields=fields)

    def __str__(self) -> str:
        return fill_fields(TEXTS[self.key], self.fields)

    @property
    def document(self) -> list[Any]:
        """The decision as JSON."""
        return [self.key, dict(self.fields)]


class Decisions(tuple[Decision, ...]):
    """Decisions about a table; printing them gives one sentence per line.

    Examples
    --------
    >>> print(Decisions([Decision.of("rows", name="x"), Decision.of("unnamed", name="column 2")]))
    “x” numbers the rows.
    The file gives no name to “column 2”.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    __repr__ = __str__

    @property
    def documents(self) -> list[list[Any]]:
        """The decisions as JSON."""
        return [each.document for each in self]

    @classmethod
    def of_documents(cls, documents: Iterable[Any]) -> Decisions:
        """Return the decisions that `documents` stored."""
        return cls(Decision(key=key, fields=fields) for key, fields in documents)
