"""The experiment of a paper, run again: what is asked of a run, and how it is written into files.

A run gives tables. Pictures, facts and files are made of these alone.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Final, TypeAlias

from django.utils.safestring import SafeString

from surveys.charts.page_figures import pictures_in

__all__ = [
    "BAR", "Fact", "Number", "Paper", "Parameters", "Progress", "Row", "Tables", "counted", "markdown_table",
    "row_of", "table_csv",
]  # fmt: skip

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with stage, done and total, as `surveys.jobs.lease.Report`; what it raises ends the run."""

Row: TypeAlias = dict[str, Any]
Tables: TypeAlias = dict[str, list[Row]]
"""Rows of each table, as JSON can hold them: None stands for a figure that there is not."""

Parameters: TypeAlias = Mapping[str, int]

BAR: Final = 1.96
"""Standard errors of half an error bar."""


@dataclass(frozen=True, kw_only=True)
class Number:
    """A whole number that a run takes.

    Attributes
    ----------
    name : str
        The command's option.
    full : int
        What the command takes unless it is told otherwise, as in the documents.
    least, most : int
    """

    name: str
    full: int
    least: int
    most: int


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A statement of the source, or our finding about it, and whether it came out."""

    name: str
    holds: bool
    figure: str


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper and its experiment.

    Attributes
    ----------
    name : str
        Of the command, and in addresses.
    title, claim, source : str
        What the experiment is about; what the paper claims, in a sentence; the paper.
    numbers : tuple of Number
    run : callable
        Takes parameters and progress, and returns tables: the same for the same parameters, but for seconds.
    pictures, facts : callable
        Take tables and parameters. Pictures are by the name of their file, the most telling first; with
        ``paper`` they have background and title on them, to be saved.
    """

    name: str
    title: Any
    claim: Any
    source: Any
    numbers: tuple[Number, ...]
    run: Callable[[Parameters, Progress], Tables]
    pictures: Callable[[Tables, Parameters, bool], dict[str, SafeString]]
    facts: Callable[[Tables, Parameters], Sequence[Fact]]

    def command(self, parameters: Parameters) -> str:
        """Return the command that runs the experiment again."""
        options = (f"--{number.name} {parameters[number.name]}" for number in self.numbers)
        return f"manage.py {self.name} {' '.join(options)}"

    def files(self, tables: Tables, parameters: Parameters, data: str = "") -> dict[str, str]:
        """Return a run, also one with a file of data, as files: tables, pictures, JSON, a page of them."""
        facts = self.facts(tables, parameters)
        pictures = self.pictures(tables, parameters, True)
        document = {"parameters": parameters, "facts": [asdict(fact) for fact in facts], "tables": tables}
        lines = [f"# {self.title}", "", str(self.claim), "", f"Source: {self.source}.", ""]
        lines += [f"Written by `{self.command(parameters)}{data and f' --data {data}'}`.", ""]
        for name, picture in pictures.items():
            lines += [f"![{next(pictures_in(picture))[0]}]({name}.svg)", ""]
        judged = [(fact.name, "yes" if fact.holds else "no", fact.figure) for fact in facts]
        lines += [markdown_table(("reported, or seen here", "comes out", "figures"), judged)]
        lines += ["", "Tables: " + ", ".join(f"[{name}]({name}.csv)" for name in tables) + "."]
        return {
            "README.md": "\n".join(lines) + "\n",
            f"{self.name}.json": json.dumps(document, indent=1, allow_nan=False) + "\n",
            **{f"{name}.csv": table_csv(rows) for name, rows in tables.items()},
            **{f"{name}.svg": f"{picture}\n" for name, picture in pictures.items()},
        }


def table_csv(rows: Sequence[Row]) -> str:
    """Write a table as CSV, fractions with six digits.

    >>> table_csv([{"p": 0.25, "error": 1 / 3}, {"p": 1, "error": None}])
    'p,error\\n0.25,0.333333\\n1,\\n'
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow([f"{value:.6g}" if isinstance(value, float) else value for value in row.values()])
    return file.getvalue()


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table in Markdown.

    >>> print(markdown_table(("p", "error"), [(1, 0)]))
    | p | error |
    |---|---|
    | 1 | 0 |
    """
    rule = "|" + "---|" * len(head)
    first, *lines = ("| " + " | ".join(map(str, cells)) + " |" for cells in (head, *rows))
    return "\n".join((first, rule, *lines))


def row_of(point: Any) -> Row:
    """Return a point as a row of a table; None for what is not finite."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in asdict(point).items()
    }


def counted(progress: Progress, total: int) -> Callable[[], None]:
    """Return what tells `progress` of one more step of `total`, each time that it is called."""
    done = count(1)
    return lambda: progress("computing", next(done), total)
