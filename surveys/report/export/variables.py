"""The variables of a file for SPSS or Stata: names valid in both, codes, and labels in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import override
from numpy.typing import NDArray

from mining.frames.survey import reported_columns
from privacy.arrays import Codes, Flags
from privacy.survey.design import Block, Design, Question, asked_name, group_name, skipped_name
from privacy.survey.layout import Layout
from surveys.models import Version
from surveys.questionnaire.labels import part_titles
from surveys.questionnaire.languages import text_in


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column.

    Attributes
    ----------
    name : str
    kind : str
        The kind of its question; or "group", the group of a row; "skipped", whether a block was skipped;
        "asked", which of its questions a device drew.
    block : Block or None
        None for the column of the group.
    question : Question or None
    option : int
        Index of the option, for a question with several answers.
    wording : mapping
        The researcher's wording of the question, or else of the block; empty if none was passed.
    """

    name: str
    kind: str
    block: Block | None = None
    question: Question | None = None
    option: int = 0
    wording: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stored_as(self) -> str:
        """How its values are stored: "disguised" or "as answered"."""
        is_protected = self.block is not None and self.block.protected
        return "disguised" if is_protected and self.kind != "asked" else "as answered"

    @property
    def arrow_type(self) -> str:
        """Arrow type of its values: texts, sent numbers or places, or 0 and 1."""
        if self.question is None:
            return "int8" if self.kind == "skipped" else "string"
        return "int64" if self.question.is_scale else "int8" if self.question.is_binary else "string"


def columns_of(
    design: Design, wording: Mapping[str, Any] | None = None, *, with_group: bool
) -> Iterator[Column]:
    """Yield the columns: one for each question, or for each option if several answers are allowed."""
    if with_group:
        yield Column(name=group_name(design), kind="group")
    for number, block in enumerate(design.blocks):
        part = wording["blocks"][number] if wording else {}
        for position, question in enumerate(block.questions):
            own = part["questions"][position] if wording else {}
            for option, name in enumerate(question.columns):
                yield Column(
                    name=name, kind=question.kind, block=block, question=question, option=option, wording=own
                )
        if block.refusal is not None:
            yield Column(name=skipped_name(block.key, design), kind="skipped", block=block, wording=part)
        if block.is_rotating:
            yield Column(name=asked_name(block.key, design), kind="asked", block=block, wording=part)


NOT_ASKED: Final = -9
SKIPPED: Final = -8
NOT_ANSWERED: Final = -7
NOT_DRAWN: Final = -6
STATA_CODES: Final = {NOT_ASKED: "a", SKIPPED: "b", NOT_ANSWERED: "c", NOT_DRAWN: "d"}
"""Stata's extended missing values (.a to .d); the SPSS file declares the numbers as missing."""

LONGEST_NAME: Final = 31
"""Most characters of a name in Stata; SPSS allows twice as many."""

# Reserved words of SPSS and Stata, which ignore case.
_RESERVED: Final = re.compile(
    r"all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|str\d+|strl|using",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Variable:
    """One column of the file of rows, as SPSS and Stata store it.

    Attributes
    ----------
    name : str
        Valid in both programs, and unique if case is ignored.
    column : str
        Its name in the file of rows.
    label : str
        The full question; programs show only its beginning.
    values : dict of int to str
        Meanings of the codes of answers.
    keys : dict of int to str
        Values in the file of rows, by code.
    missing : dict of int to str
        Meanings of the codes of missing answers.
    stored_as : str
        "disguised" or "as answered".
    """

    name: str
    column: str
    label: str
    values: dict[int, str] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)
    stored_as: str = "as answered"

    @property
    def marked_label(self) -> str:
        """The label. It starts with "Disguised" where that applies, because programs cut off its end."""
        return f"Disguised: {self.label}" if self.stored_as == "disguised" else self.label


def variables_of(
    version: Version, design: Design, *, with_group: bool, language: str
) -> tuple[Variable, ...]:
    """Return the variables in the order of the file of rows.

    Notes
    -----
    Codes of missing answers replace the column ``<block>.asked`` of that file.
    """
    columns = [
        column
        for column in columns_of(design, version.wording, with_group=with_group)
        if column.kind != "asked"
    ]
    names = valid_names([column.name for column in columns])
    titles = part_titles(version, language)
    # Sottovoce's own texts exist in the languages of its pages; in any other language they are English.
    with override(language):
        return tuple(
            _variable(name, column, design, titles, language)
            for name, column in zip(names, columns, strict=True)
        )


def valid_names(columns: Iterable[str]) -> tuple[str, ...]:
    """Return a name for each column that is valid in both SPSS and Stata.

    Examples
    --------
    >>> valid_names(["age", "Age", "took=pens", "2nd", "with", "a" * 40])
    ('age', 'Age_2', 'took_pens', 'v_2nd', 'v_with', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
    """
    used_names: set[str] = set()
    return tuple(_valid_name(column, used_names) for column in columns)


def _valid_name(column: str, names: set[str]) -> str:
    name = re.sub(r"[^A-Za-z0-9_]", "_", column)
    if not name[0].isalpha() or _RESERVED.fullmatch(name):
        name = f"v_{name}"
    # SPSS warns about a trailing "_".
    name = start = name[:LONGEST_NAME].rstrip("_")
    number = 2
    while name.lower() in names:
        name = f"{start[: LONGEST_NAME - 1 - len(str(number))]}_{number}"
        number += 1
    names.add(name.lower())
    return name


def _variable(
    name: str, column: Column, design: Design, titles: Mapping[str, str], language: str
) -> Variable:
    values, keys = {0: _("no"), 1: _("yes")}, {0: "0", 1: "1"}
    options = [text_in(option["text"], language) for option in column.wording.get("options") or ()]
    block, question = column.block, column.question
    if block is None:
        label, keys = _("Group of the row"), {1: "direct", 2: "protected"}
        strengths = design.has_two_strengths
        values = {
            1: _("lightly disguised") if strengths else _("sent as it is"),
            2: _("strongly disguised") if strengths else _("disguised"),
        }
    elif question is None:
        label = _("Skipped: %(part)s") % {"part": titles[block.key]}
    else:
        label = text_in(column.wording["text"], language)
        if question.is_several:
            label = f"{label} – {options[column.option]}"
        elif question.is_exhaustive:
            values, keys = dict(enumerate(options, start=1)), dict(enumerate(question.options, start=1))
        elif question.is_scale:
            values, keys = {}, {}
            if question.disguise is None or not question.disguise.sends_the_answer:
                label = _("Code, not the answer: %(question)s") % {"question": label}
    return Variable(
        name=name,
        column=column.name,
        label=label,
        values=values,
        keys=keys,
        missing=_missing(block, design) if block and question else {},
        stored_as=column.stored_as,
    )


def _missing(block: Block, design: Design) -> dict[int, str]:
    """Return the reasons why an answer of a block can be missing, by code."""
    reasons = {}
    if block.asked_if is not None:
        reasons[NOT_ASKED] = _("Not asked")
    if block.refusal is not None:
        reasons[SKIPPED] = _("Skipped")
    if not block.protected:
        reasons[NOT_ANSWERED] = _("Not answered")
    elif block.is_rotating or design.in_rotation(block.key):
        reasons[NOT_DRAWN] = _("Not drawn by the device")
    return reasons


ROWS_AT_A_TIME: Final = 65_536
LINES_AT_A_TIME: Final = 4_096
"""Fewer lines than `ROWS_AT_A_TIME`, because every cell of a CSV file is a string, which uses more memory."""

Packed: TypeAlias = NDArray[np.uint8]
Bits: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class ExportRows:
    """Rows of an export.

    Attributes
    ----------
    rows : uint8 array, shape (n, bytes of a row)
    with_group : bool
        Whether the rows include their group.
    """

    rows: Packed
    with_group: bool


def sorted_rows(rows: bytes, design: Design) -> ExportRows:
    """Return the rows of a snapshot in the order of their bytes.

    The same rows always have the same order, whoever exports them. So the order does not reveal arrival
    times, and the digest of the file depends only on the rows.

    Parameters
    ----------
    rows : bytes
        All rows of the snapshot, in any order.
    design : Design
        Design of the rows.
    """
    width = Layout(design).n_bytes
    in_order = np.sort(np.frombuffer(rows, dtype=np.dtype((np.void, width))))
    matrix = in_order.view(np.uint8).reshape(-1, width)
    return ExportRows(rows=matrix, with_group=design.group.policy != "protected")


def row_lines(export: ExportRows, design: Design) -> Iterator[str]:
    """Yield the file of rows as CSV: its header, then some thousand lines at a time.

    A question has one column (a multi-select one per option) with 1 and 0, the key of the option, or a
    number. A cell is empty if the question was not asked or not answered, or its block was skipped. A
    separate column marks skipped blocks. For a rotating block, another column names the questions that were
    asked, skipped or not.
    """
    names = [column.name for column in columns_of(design, with_group=export.with_group)]
    yield ",".join(f'"{name}"' for name in names) + "\n"
    for chunk in _chunks(export, LINES_AT_A_TIME):
        columns = reported_columns(chunk.tobytes(), design).values()
        cells = (_texts(values, missing) for values, missing in columns)
        yield "".join(f"{','.join(line)}\n" for line in zip(*cells, strict=True))


def _texts(values: NDArray[Any], missing: Flags) -> list[str]:
    """Format cells for CSV: numbers, and keys in quotation marks. Keys never contain quotation marks."""
    if values.dtype == object:
        texts = '"' + values + '"'
    else:
        distinct, which = np.unique(values, return_inverse=True)
        texts = distinct.astype(str).astype(object)[which]
    return np.where(missing, "", texts).tolist()


def rows_as_parquet(export: ExportRows, design: Design, path: Path) -> None:
    """Write the rows as Parquet; pyarrow must be installed."""
    # Imported here because a web process must not load pyarrow at its start.
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {
        column.name: pa.type_for_alias(column.arrow_type)
        for column in columns_of(design, with_group=export.with_group)
    }
    with ParquetWriter(path, pa.schema(types), compression="zstd") as writer:
        for chunk in _chunks(export, ROWS_AT_A_TIME):
            columns = reported_columns(chunk.tobytes(), design).items()
            arrays = {
                name: pa.array(values, types[name], mask=missing) for name, (values, missing) in columns
            }
            writer.write_table(pa.table(arrays))


def _chunks(export: ExportRows, rows: int) -> Iterator[Packed]:
    for start in range(0, max(1, len(export.rows)), rows):
        yield export.rows[start : start + rows]


def coded_rows(export: ExportRows, design: Design) -> dict[str, Codes]:
    """Return the codes by column, in the order of the file of rows; negative codes mean missing answers.

    Notes
    -----
    An answer can be missing for four reasons, which the row shows: its open answers do not lead to the block
    (not asked); the device drew other questions (not drawn); the block was skipped, truly or at random
    (skipped); an open question was left empty (not answered).
    """
    chunks = [
        _code_columns(np.unpackbits(chunk, axis=1), design, export.with_group)
        for chunk in _chunks(export, ROWS_AT_A_TIME)
    ]
    return {column: np.concatenate([chunk[column] for chunk in chunks]) for column in chunks[0]}


def _code_columns(bits: Bits, design: Design, with_group: bool) -> dict[str, Codes]:
    layout = Layout(design)
    columns: dict[str, Codes] = {}
    if with_group:
        columns[group_name(design)] = np.where(bits[:, 0] == 1, 1, 2).astype(np.int32)
    for number, block in enumerate(design.blocks):
        refusal_bit = layout.refusal_bit(number)
        skipped = np.zeros(len(bits), dtype=bool) if refusal_bit is None else bits[:, refusal_bit] == 1
        is_asked = _routed_to(bits, design, layout, number)
        absent = NOT_DRAWN if block.protected else NOT_ANSWERED
        for position, question in enumerate(block.questions, design.first_questions[number]):
            present = bits[:, layout.presence_bit(position)] == 1
            for column, codes in _answers(bits, layout.value_bits(position), question).items():
                reasons = np.where(is_asked, np.where(present, SKIPPED, absent), NOT_ASKED)
                columns[column] = np.where(present & ~skipped, codes, reasons).astype(np.int32)
        if refusal_bit is not None:
            columns[skipped_name(block.key, design)] = skipped.astype(np.int32)
    return columns


def _routed_to(bits: Bits, design: Design, layout: Layout, block: int) -> Flags:
    """Return which rows have open answers that lead to a block."""
    route = design.routes[block]
    if route is None:
        return np.ones(len(bits), dtype=bool)
    columns = []
    for step in route.steps:
        question = design.first_questions[step.block] + step.question
        present = bits[:, layout.presence_bit(question)] == 1
        columns.append(present & np.isin(_number(bits, layout.value_bits(question)), sorted(step.values)))
    routed: Flags = np.all(columns, axis=0) if route.joined == "all" else np.any(columns, axis=0)
    return routed


def _answers(bits: Bits, where: tuple[int, int], question: Question) -> dict[str, Codes]:
    start, width = where
    if question.is_several:
        own = bits[:, start : start + width].astype(np.int32)
        return dict(zip(question.columns, own.T, strict=True))
    # Number the options of a single choice from 1, as SPSS and Stata users expect.
    return {question.key: _number(bits, where) + question.is_exhaustive}


def _number(bits: Bits, where: tuple[int, int]) -> Codes:
    start, width = where
    weights = 1 << np.arange(width, dtype=np.int32)[::-1]
    return bits[:, start : start + width].astype(np.int32) @ weights
