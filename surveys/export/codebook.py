"""The codebook: meaning of each column, in every language of the survey, as CSV and as a page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string

from privacy.coins import SCALE
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, Question
from surveys.export.columns import Column, columns_of
from surveys.export.variables import Variable
from surveys.formats.csv_cells import safe_text
from surveys.models import Version


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One value of one column.

    Attributes
    ----------
    column, value : str
        As in the file of rows.
    meaning, question : dict of str to str
        Texts by language.
    stored_as : str
        "disguised" or "as answered".
    truth_probability, light_truth_probability : float or None
        p of the block, and that of those lightly disguised; None where nothing is.
    unrelated_share, skip_share : float or None
        The share of this value among its decoys that are not skipped, the share of skipped decoys; None where
        nothing is disguised.
    """

    column: str
    value: str
    block: str
    kind: str
    stored_as: str
    question: dict[str, str]
    meaning: dict[str, str]
    truth_probability: float | None = None
    light_truth_probability: float | None = None
    unrelated_share: float | None = None
    skip_share: float | None = None


def entries_of(version: Version, design: Design, *, with_group: bool) -> tuple[Entry, ...]:
    """Return the possible values of every column."""
    return tuple(
        entry
        for column in columns_of(design, version.wording, with_group=with_group)
        for entry in _entries(column, version, design)
    )


def codebook_csv(
    entries: tuple[Entry, ...], languages: tuple[str, ...], variables: tuple[Variable, ...]
) -> str:
    """Return the codebook as CSV, with what SPSS and Stata have in place of a column and a value."""
    by_column = {variable.column: variable for variable in variables}
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        [
            "column", "value", "spss_stata_name", "spss_stata_code", "block", "kind", "kept",
            *_numbers(entries),
            *(f"question_{language}" for language in languages),
            *(f"meaning_{language}" for language in languages),
        ]
    )  # fmt: skip
    for entry in entries:
        numbers = [getattr(entry, name) for name in _numbers(entries)]
        writer.writerow(
            [
                entry.column, entry.value, *_labelled(entry, by_column),
                entry.block, entry.kind, entry.stored_as,
                *("" if number is None else number for number in numbers),
                *(safe_text(entry.question.get(language, "")) for language in languages),
                *(safe_text(entry.meaning.get(language, "")) for language in languages),
            ]
        )  # fmt: skip
    return out.getvalue()


def _labelled(entry: Entry, named: Mapping[str, Variable]) -> tuple[str, str]:
    """Return name and code of an entry in SPSS and Stata; nothing where they have no such column or code."""
    variable = named.get(entry.column)
    if variable is None:
        return "", ""
    return variable.name, str(variable.code_of.get(entry.value, ""))


def _numbers(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """Return which numbers the codebook has: those of a second strength only where there is one."""
    has_light = any(entry.light_truth_probability is not None for entry in entries)
    light = ("light_truth_probability",) if has_light else ()
    return ("truth_probability", *light, "unrelated_share", "skip_share")


def codebook_page(
    entries: tuple[Entry, ...], languages: tuple[str, ...], variables: tuple[Variable, ...], *, title: str
) -> str:
    """Return the codebook as one page without scripts, to be read from disk."""
    by_column = {variable.column: variable for variable in variables}
    lines = [
        {
            "entry": entry,
            "labelled": " = ".join(filter(None, _labelled(entry, by_column))),
            "texts": [
                (language, entry.question.get(language, ""), entry.meaning.get(language, ""))
                for language in languages
            ],
        }
        for entry in entries
    ]
    return render_to_string("export/codebook.html", {"lines": lines, "languages": languages, "title": title})


def _entries(column: Column, version: Version, design: Design) -> Iterator[Entry]:
    block = column.block
    has_law = block is not None and column.kind != "asked"
    for value, meaning, share in _values(column, version, design):
        yield Entry(
            column=column.name,
            value=value,
            block=block.key if block else "",
            kind=column.kind,
            stored_as=column.stored_as,
            question=_question(column),
            meaning=meaning,
            truth_probability=_truth(block.in_group(direct=False)) if block and has_law else None,
            light_truth_probability=_truth(block.in_group(direct=True)) if block and has_law else None,
            unrelated_share=share,
            skip_share=(block.refusal or 0) / SCALE if block and has_law and block.protected else None,
        )


def _question(column: Column) -> dict[str, str]:
    """Return what a column is of, by language: what was asked, or the title of a part."""
    if column.kind == "group":
        return {"en": "Which group the row belongs to"}
    text: dict[str, str] = column.wording["text"] if column.question else column.wording.get("title", {})
    return text


def _values(
    column: Column, version: Version, design: Design
) -> Iterator[tuple[str, dict[str, str], float | None]]:
    """Yield each value, what it means by language, and its share among decoys."""
    block, question = column.block, column.question
    if block is None:
        for value, meaning in _groups(version, design):
            yield value, {"en": meaning}, None
    elif question is None:
        for value, meaning in _of_block(column.kind, block):
            yield value, {"en": meaning}, None
    elif question.is_scale:
        yield "number", {"en": _sent_text(question)}, None
    else:
        shares: list[float | None] = [None] * max(1, len(question.options))
        if block.protected:
            shares = [share / SCALE for share in question.unrelated]
        if question.kind == "yes_no":
            yield "1", {"en": "yes"}, shares[0]
            yield "0", {"en": "no"}, None if shares[0] is None else 1 - shares[0]
        elif question.kind == "multi":
            yield "1", column.wording["options"][column.option]["text"], shares[column.option]
        else:
            for position, key in enumerate(question.options):
                yield key, column.wording["options"][position]["text"], shares[position]


def _sent_text(question: Question) -> str:
    """Return what the number in a column of a number or a place is."""
    disguise = question.disguise
    if not isinstance(disguise, WindowChannel) or not disguise.is_as_answered:
        return "the number that was sent"
    ticks = disguise.range
    second = ticks.text(ticks.low + ticks.bin)
    return f"the bin of the answer: 0 begins at {ticks.text(ticks.low)}, 1 at {second}, and so on"


def _groups(version: Version, design: Design) -> tuple[tuple[str, str], tuple[str, str]]:
    if not design.has_two_strengths:
        return (
            ("direct", "answers sent as they are"),
            ("protected", "answers disguised by the respondent's device"),
        )
    by = "server" if version.holds_undisguised else "respondent's device"
    return (
        ("direct", f"answers lightly disguised by the {by}"),
        ("protected", "answers strongly disguised by the respondent's device"),
    )


def _of_block(kind: str, block: Block) -> tuple[tuple[str, str], ...]:
    if kind == "skipped":
        return ("1", "skipped these questions"), ("0", "did not")
    keys = " ".join(block.questions[position].key for position in block.booklet(0))
    drawn = f"{block.most_asked} of {len(block.questions)}"
    return ((keys, f"the questions that the device drew, {drawn}; for instance"),)


def _truth(block: Block | None) -> float | None:
    """Return p; of a number or a place that may be skipped, the chance that its row depends on the answer."""
    if block is None:
        return None
    return block.truth_probability / SCALE if block.skipping is None else float(block.skipping.truth)
