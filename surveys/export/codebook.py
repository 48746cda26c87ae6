"""The codebook: meaning of each column, in every language of the survey, as CSV and as a page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from privacy.coins import SCALE
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Block, Design, Question
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
    return tuple(_entries(version, design, with_group=with_group))


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


def _entries(version: Version, design: Design, *, with_group: bool) -> Iterator[Entry]:
    if with_group:
        nothing = {"en": "Which group the row belongs to"}
        by = "server" if version.holds_undisguised else "respondent's device"
        for value, meaning in (
            (
                ("direct", f"answers lightly disguised by the {by}"),
                ("protected", "answers strongly disguised by the respondent's device"),
            )
            if design.has_two_strengths
            else (
                ("direct", "answers sent as they are"),
                ("protected", "answers disguised by the respondent's device"),
            )
        ):
            yield Entry(
                column=group_name(design), value=value, block="", kind="group", stored_as="as answered",
                question=nothing, meaning={"en": meaning},
            )  # fmt: skip
    for block, said in zip(design.blocks, version.wording["blocks"], strict=True):
        for question, wording in zip(block.questions, said["questions"], strict=True):
            yield from _of_question(block, question, wording)
        if block.refusal is not None:
            for value, meaning in (("1", "skipped these questions"), ("0", "did not")):
                yield _entry(
                    block,
                    skipped_name(block.key, design),
                    value,
                    "skipped",
                    said.get("title", {}),
                    {"en": meaning},
                )
        if block.is_rotating:
            keys = " ".join(block.questions[position].key for position in block.booklet(0))
            meaning = f"the questions that the device drew, {block.most_asked} of {len(block.questions)}"
            yield Entry(
                column=asked_name(block.key, design),
                value=keys,
                block=block.key,
                kind="asked",
                stored_as="as answered",
                question=said.get("title", {}),
                meaning={"en": f"{meaning}; for instance"},
            )


def _of_question(block: Block, question: Question, wording: dict[str, Any]) -> Iterator[Entry]:
    text = wording["text"]
    if question.disguise is not None:
        yield _entry(block, question.key, "number", question.kind, text, {"en": "the number that was sent"})
        return
    shares = [share / SCALE for share in question.unrelated] if block.protected else []
    if question.kind == "yes_no":
        share = shares[0] if shares else None
        yield _entry(block, question.key, "1", "yes_no", text, {"en": "yes"}, share)
        yield _entry(
            block, question.key, "0", "yes_no", text, {"en": "no"}, None if share is None else 1 - share
        )
        return
    for position, (key, option) in enumerate(zip(question.options, wording["options"], strict=True)):
        share = shares[position] if shares else None
        if question.kind == "single":
            yield _entry(block, question.key, key, "single", text, option["text"], share)
        else:
            yield _entry(block, f"{question.key}={key}", "1", "multi", text, option["text"], share)


def _truth(block: Block | None) -> float | None:
    """Return p; of a number or a place that may be skipped, the chance that its row depends on the answer.

    None of a part that sends rows near the true one.
    """
    if block is None or block.near is not None:
        # Of rows near the true one no single chance inverts a row; the law says what does.
        return None
    return block.truth_probability / SCALE if block.skipping is None else float(block.skipping.truth)


def _entry(
    block: Block,
    column: str,
    value: str,
    kind: str,
    question: dict[str, str],
    meaning: dict[str, str],
    share: float | None = None,
) -> Entry:
    return Entry(
        column=column,
        value=value,
        block=block.key,
        kind=kind,
        stored_as="disguised" if block.protected else "as answered",
        question=question,
        meaning=meaning,
        truth_probability=_truth(block.in_group(direct=False)),
        light_truth_probability=_truth(block.in_group(direct=True)),
        unrelated_share=share,
        skip_share=(block.refusal or 0) / SCALE if block.protected else None,
    )
