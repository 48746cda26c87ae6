"""The codebook of a deposit for data archives: its published columns as variables of DDI Codebook.

It is read from what is published, never from the original records: whoever has the file can count the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.labels import Domain, Interval, Prefix
from privacy.sdc.table import Column, number_text
from releases.microdata.config import ReleaseConfig
from releases.microdata.description import Description
from releases.microdata.expert_matrix import matrix_lines
from releases.microdata.made import Made
from releases.microdata.methods import methods_sentences
from releases.microdata.open_answers import SKIPPED, UNANSWERED
from releases.microdata.writing import codebook_of
from surveys.formats.csv_cells import text_or_number
from surveys.formats.ddi import Category, Codebook, Described, Processing, Study, codebook_xml
from surveys.tables.table import ReadTable

__all__ = [
    "Background",
    "Wording",
    "archive_codebook",
    "categories_of",
    "numbers_of",
]

_ROLES: Final = {
    "quasi_identifier": "quasi-identifier",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
    "disguised": "disguised",
}
_MOST_NUMBERS_LISTED: Final = 20
"""Of a column that is published as it was: of more numbers the statistics are given, not each count."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What a survey says of one column.

    Parameters
    ----------
    question, label : dict of str to str
        By language; a question is its column's label, too.
    answers : dict of str to dict of str to str
        The texts of each value.
    universes : tuple of str
        Who was asked.
    processing : tuple of str
        Marks of the laws that disguised it.
    """

    question: Mapping[str, str] = field(default_factory=dict)
    label: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    universes: tuple[str, ...] = ()
    processing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Background:
    """What is known of a table beside its records: the study, and what survey or file say of its columns."""

    study: Study
    columns: Mapping[str, Wording] = field(default_factory=dict)
    description: Description | None = None

    def labelled(self, table: ReadTable) -> Background:
        """Return it with the labels of the file that was read; a survey's words come before them."""
        said = {
            column.name: Wording(
                label={"": column.label} if column.label else {},
                answers={value: {"": label} for value, label in column.value_labels.items()},
            )
            for column in table.columns
        }
        return replace(self, columns={**said, **self.columns})

    def wording(self, column: str) -> Wording:
        """Return what is known of a column."""
        return self.columns.get(column, Wording())

    @classmethod
    def titled(cls, title: str) -> Background:
        """Return the background of a table of which nothing but its name is known."""
        return cls(study=Study(title={"": title}, data_kind=""))


def archive_codebook(made: Made, background: Background, *, day: str, digest: str) -> str:
    """Return the codebook of a deposit as DDI Codebook.

    Parameters
    ----------
    made : Made
    background : Background
    day : str
        As ISO 8601 writes it.
    digest : str
        SHA-256 of the records without their order.

    Notes
    -----
    Each category has the number of published records with that label. A column that a disguise drew has no
    counts: they are nobody's answers.
    """
    study = background.study
    if background.description is not None:
        study = background.description.study(study)
    meanings = {entry["name"]: entry["meaning"] for entry in codebook_of(made)["columns"]}
    return codebook_xml(
        Codebook(
            title=f"Codebook of a deposit: {next(iter(study.title.values()))}",
            day=day,
            study=replace(
                study,
                data_kind="Microdata, generalised",
                versions=(*study.versions, ("records", f"SHA-256 of the records without order: {digest}")),
                processing=(*study.processing, *_processing(made)),
                disclaimers=(
                    *study.disclaimers,
                    "The table is generalised against those who know the columns called quasi-identifier. "
                    "It is not differentially private.",
                ),
            ),
            file="data.csv",
            order="One line for each record, in an order that was drawn anew.",
            records=len(made.released),
            variables=tuple(
                _described(
                    column,
                    made.domains.get(column.name),
                    background.wording(column.name),
                    meanings[column.name],
                    made.config,
                )
                for column in made.released.columns
            ),
        )
    )


def _processing(made: Made) -> Iterator[Processing]:
    control = "statistical disclosure control"
    for sentence in methods_sentences(made):
        yield Processing(text=sentence, kind=control)
    for value, row in matrix_lines(made.config.matrix, made.source, made.released).items():
        utilities = ", ".join(f"{name} {utility:g}" for name, utility in row.items())
        about = made.source.sensitive[0].name
        yield Processing(
            text=f"Loss was weighed by an expert's utility matrix (0 to 1). {about} = {value}: {utilities}.",
            kind=control,
        )


def _described(
    column: Column, domain: Domain | None, wording: Wording, meaning: str, config: ReleaseConfig
) -> Described:
    missing = missing_of(column, config)
    numbers = numbers_of(column)
    counted = column.role != "disguised"
    listed = numbers is None or len(numbers) <= _MOST_NUMBERS_LISTED
    return Described(
        name=column.name,
        label=wording.question or wording.label or {"": column.name},
        question=wording.question,
        universes=wording.universes,
        text=f"{meaning[0].upper()}{meaning[1:]}.",
        categories=tuple(categories_of(column, domain, wording, missing, counted=counted)) if listed else (),
        statistics=tuple(_statistics(numbers, column)) if numbers is not None and counted else (),
        format="character" if numbers is None else "numeric",
        processing=wording.processing if column.role == "disguised" else (),
        weight=column.name == config.weight_column,
        notes=(("role", _ROLES[column.role]),),
    )


def missing_of(column: Column, config: ReleaseConfig) -> set[str]:
    """Return the published texts of a column that say that a value is missing."""
    rule = next(rule for rule in config.rules if rule.name == column.name)
    return {*rule.missing_texts, "", SKIPPED, UNANSWERED}


def numbers_of(column: Column, missing: Collection[str] = ()) -> dict[str, float] | None:
    """Return the number of each value that is not missing; None where one of them is no number.

    Of a generalised column an interval could stand for a number: it has none.
    """
    if column.role == "quasi_identifier":
        return None
    try:
        numbers = {value: float(value) for value in column.values if value not in missing}
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers.values())) else None


def _statistics(numbers: Mapping[str, float], column: Column) -> Iterator[tuple[str, str]]:
    held = np.array(list(numbers.values()))[column.codes]
    yield "vald", str(len(held))
    for kind, figure in (
        ("min", held.min()),
        ("max", held.max()),
        ("mean", held.mean()),
        # Of a sample, as other programs print it.
        *((("stdev", held.std(ddof=1)),) if len(held) > 1 else ()),
    ):
        yield kind, f"{float(figure):.10g}"


def categories_of(
    column: Column, domain: Domain | None, wording: Wording, missing: set[str], *, counted: bool
) -> Iterator[Category]:
    """Yield the published values of a column in their order, with what they mean and how many have each."""
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    ends = []
    for value, count in zip(column.values, counts, strict=True):
        if not count:
            continue
        position, label, text = (math.inf, math.inf), "", ""
        if value in missing:
            label = value.strip("()") or "missing"
        elif domain is not None:
            position, label, text = _meaning(value, domain)
        category = Category(
            value=text_or_number(value),
            label=wording.answers.get(value) or ({"": label} if label else {}),
            text=text,
            count=count if counted else None,
            missing=value in missing,
        )
        ends.append((position, category))
    # Intervals stand in the order of their numbers, other values in that of the alphabet.
    yield from (category for _position, category in sorted(ends, key=lambda end: end[0]))


def _meaning(label: str, domain: Domain) -> tuple[tuple[float, float], str, str]:
    """Return where a published label stands among numbers, what it means, and the values it stands for."""
    leaves = domain.leaves.get(label, ())
    text = f"Stands for: {', '.join(leaves)}." if len(leaves) > 1 and label != SUPPRESSED else ""
    meaning = domain.meaning(label)
    if label == SUPPRESSED:
        return (math.inf, 0.0), "any value", text
    if isinstance(meaning, Interval):
        return (meaning.low, meaning.high), _interval_words(meaning), text
    if isinstance(meaning, Prefix):
        return (math.inf, 0.0), f"begins with {meaning.start}", text
    return (math.inf, 0.0), "", text


def _interval_words(interval: Interval) -> str:
    """Write an interval in words; of a single number there is nothing to say.

    Examples
    --------
    >>> _interval_words(Interval(low=18, high=25, high_closed=False))
    'from 18 to below 25'
    >>> _interval_words(Interval(low=65, high=math.inf, high_closed=False))
    '65 and above'
    """
    if interval.low == interval.high:
        return ""
    if math.isinf(interval.low) and math.isinf(interval.high):
        return "any value"
    if math.isinf(interval.low):
        return f"{'up to' if interval.high_closed else 'below'} {number_text(interval.high)}"
    low = number_text(interval.low)
    if math.isinf(interval.high):
        return f"{low} and above" if interval.low_closed else f"above {low}"
    start = f"from {low}" if interval.low_closed else f"above {low}"
    return f"{start} to {'' if interval.high_closed else 'below '}{number_text(interval.high)}"
