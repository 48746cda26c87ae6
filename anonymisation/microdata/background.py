"""Background of a table: title, wording of its columns, description of the study, and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from anonymisation.microdata.description import Description
from privacy.tables.columns import ReadTable


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Question, label and answers of a column, from a survey or a file.

    Parameters
    ----------
    question, label : dict of str to str
        Texts by language. A question is also the label of its column.
    answers : dict of str to dict of str to str
        Texts of each value, by language.
    disguise : dict of str to object
        Probabilities of a disguised column, by name in the codebook.
    listed : dict of str to object
        Key and text of the list of yes/no questions that the column is a line of; empty without a list.
    line : dict of str to str
        The column's own text in its list, with which its question ends.
    """

    question: Mapping[str, str] = field(default_factory=dict)
    label: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    disguise: Mapping[str, Any] = field(default_factory=dict)
    listed: Mapping[str, Any] = field(default_factory=dict)
    line: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Background:
    """Title of a table, wording of its columns, description of the study, and notes on the disguise."""

    title: str
    columns: Mapping[str, Wording] = field(default_factory=dict)
    description: Description | None = None
    notes: tuple[str, ...] = ()

    def with_labels(self, table: ReadTable) -> Background:
        """Return the background with the labels of an input file; a survey's wording takes precedence."""
        wordings = {
            column.name: Wording(
                label={"": column.label} if column.label else {},
                answers={value: {"": label} for value, label in column.value_labels.items()},
            )
            for column in table.columns
        }
        return replace(self, columns={**wordings, **self.columns})

    def wording(self, column: str) -> Wording:
        """Return the wording of a column."""
        return self.columns.get(column, Wording())
