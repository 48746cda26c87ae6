"""The codebook: the meaning of each column in every language of the survey."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from privacy.coins import SCALE
from privacy.survey.design import Block, Design
from privacy.tables.formula_texts import safe_text
from surveys.formats.numbers import count_text
from surveys.models import Version
from surveys.questionnaire.part_names import own_title, part_number
from surveys.report.export.disguise_laws import sent_text
from surveys.report.export.row_columns import RowColumn, columns_of
from surveys.report.export.variables import Variable
from surveys.report.run_facts import english_rules


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One value of one column.

    Attributes
    ----------
    column, value : str
        As in the file of rows.
    meaning, question : dict of str to str
        Texts by language. Sottovoce's own are in the languages of its pages.
    source : RowColumn
        The column in the design.
    stored_as : str
        "disguised" or "as answered".
    truth_probability, light_truth_probability : float or None
        p of the block under the strong and the light disguise; None if there is no such disguise.
    unrelated_share, skip_share : float or None
        The share of this value among decoys that are not skipped, and the share of skipped decoys; None if
        nothing is disguised.
    computed : str
        How devices computed the answer from components that they never sent, in English; empty for questions
        that respondents answered.
    """

    column: str
    value: str
    block: str
    source: RowColumn
    stored_as: str
    question: dict[str, str]
    meaning: dict[str, str]
    truth_probability: float | None = None
    light_truth_probability: float | None = None
    unrelated_share: float | None = None
    skip_share: float | None = None
    computed: str = ""


def entries_of(version: Version, design: Design, *, with_group: bool) -> tuple[Entry, ...]:
    """Return an entry for each possible value of every column."""
    rules = english_rules(version, design)
    return tuple(
        replace(entry, computed=" ".join(rules[key].lines)) if (key := _key_of(column)) in rules else entry
        for column in columns_of(design, version.wording, with_group=with_group)
        for entry in _entries(column, version, design)
    )


def _key_of(column: RowColumn) -> str:
    return column.question.key if column.question else ""


def codebook_csv(
    entries: tuple[Entry, ...], languages: tuple[str, ...], variables: tuple[Variable, ...]
) -> str:
    """Return the codebook as CSV, with the variable names and codes of the SPSS and Stata files."""
    by_column = {variable.column: variable for variable in variables}
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        [
            "column", "value", "spss_stata_name", "spss_stata_code", "block", "kind", "kept",
            *_numbers(entries),
            *(("computed",) if any(entry.computed for entry in entries) else ()),
            *_list_names(entries, languages),
            *(f"question_{language}" for language in languages),
            *(f"meaning_{language}" for language in languages),
        ]
    )  # fmt: skip
    for entry in entries:
        numbers = [getattr(entry, name) for name in _numbers(entries)]
        writer.writerow(
            [
                entry.column, entry.value, *_name_and_code(entry, by_column),
                entry.block, entry.source.kind, entry.stored_as,
                *("" if number is None else number for number in numbers),
                *((safe_text(entry.computed),) if any(each.computed for each in entries) else ()),
                *_list_cells(entry, entries, languages),
                *(safe_text(_text_in(entry.question, language)) for language in languages),
                *(safe_text(_text_in(entry.meaning, language)) for language in languages),
            ]
        )  # fmt: skip
    return out.getvalue()


def _list_names(entries: tuple[Entry, ...], languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the codebook's columns about lists; none without a list."""
    has_lists = any(entry.source.stem for entry in entries)
    return ("list", *(f"list_{language}" for language in languages)) if has_lists else ()


def _list_cells(entry: Entry, entries: tuple[Entry, ...], languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the key of an entry's list and the text above its lines, for the columns of `_list_names`."""
    if not _list_names(entries, languages):
        return ()
    stem = entry.source.stem
    texts = (safe_text(_text_in(stem.get("text", {}), language)) for language in languages)
    return stem.get("key", ""), *texts


def _text_in(texts: Mapping[str, str], language: str) -> str:
    """Return a text in a language; in English if Sottovoce's pages do not have that language."""
    return texts.get(language) or texts.get("en", "")


def _name_and_code(entry: Entry, variables: Mapping[str, Variable]) -> tuple[str, str]:
    """Return an entry's variable name and code in SPSS and Stata; empty texts if there are none."""
    variable = variables.get(entry.column)
    if variable is None:
        return "", ""
    code_of = {key: code for code, key in variable.keys.items()}
    return variable.name, str(code_of.get(entry.value, ""))


def _numbers(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """Return the names of the codebook's numeric columns; one more if there are two strengths."""
    has_light = any(entry.light_truth_probability is not None for entry in entries)
    light = ("light_truth_probability",) if has_light else ()
    return ("truth_probability", *light, "unrelated_share", "skip_share")


def _entries(column: RowColumn, version: Version, design: Design) -> Iterator[Entry]:
    block = column.block
    has_channel = block is not None and column.kind != "asked"
    for value, meaning, share in _values(column, version, design):
        yield Entry(
            column=column.name,
            value=value,
            block=block.key if block else "",
            source=column,
            stored_as=column.stored_as,
            question=_question(column, design),
            meaning=meaning,
            truth_probability=_truth(block.in_group(direct=False)) if block and has_channel else None,
            light_truth_probability=_truth(block.in_group(direct=True)) if block and has_channel else None,
            unrelated_share=share,
            skip_share=(block.refusal or 0) / SCALE if block and has_channel and block.protected else None,
        )


def _product_text(describe: Callable[[], str]) -> dict[str, str]:
    """Return one of Sottovoce's own texts in each language of its pages."""
    texts = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            texts[language] = describe()
    return texts


def _question(column: RowColumn, design: Design) -> dict[str, str]:
    """Return the subject of a column by language: its question, or the name of its block."""
    if column.block is None:
        return _product_text(lambda: _("Group of the row"))
    if column.question:
        text: dict[str, str] = column.wording["text"]
        return text
    number = design.blocks.index(column.block) + 1
    return own_title(column.wording) or _product_text(lambda: part_number(number))


def _values(
    column: RowColumn, version: Version, design: Design
) -> Iterator[tuple[str, dict[str, str], float | None]]:
    """Yield each value, its meaning by language, and its share among decoys."""
    block, question = column.block, column.question
    if block is None:
        yield "direct", _product_text(lambda: _direct_text(version, design)), None
        yield "protected", _product_text(lambda: _protected_text(design)), None
    elif column.kind == "skipped":
        yield "1", _product_text(lambda: _("skipped these questions")), None
        yield "0", _product_text(lambda: _("did not skip these questions")), None
    elif question is None:
        keys = " ".join(block.questions[position].key for position in block.booklet(0))
        yield keys, _product_text(lambda: _drawn_text(block)), None
    elif question.is_scale:
        yield "number", _product_text(lambda: sent_text(question)), None
    else:
        shares: list[float | None] = [None] * max(1, len(question.options))
        if block.protected:
            shares = [share / SCALE for share in question.unrelated]
        if question.is_several:
            yield "1", column.wording["options"][column.option]["text"], shares[column.option]
        elif question.is_binary:
            yield "1", _product_text(lambda: _("yes")), shares[0]
            yield "0", _product_text(lambda: _("no")), None if shares[0] is None else 1 - shares[0]
        else:
            for position, key in enumerate(question.options):
                yield key, column.wording["options"][position]["text"], shares[position]


def _direct_text(version: Version, design: Design) -> str:
    if not design.has_two_strengths:
        return _("answers sent as they are")
    if version.holds_undisguised:
        return _("answers lightly disguised by the server")
    return _("answers lightly disguised by the respondent's device")


def _protected_text(design: Design) -> str:
    if design.has_two_strengths:
        return _("answers strongly disguised by the respondent's device")
    return _("answers disguised by the respondent's device")


def _drawn_text(block: Block) -> str:
    return _("the questions that the device drew, %(asked)s of %(all)s; for instance") % {
        "asked": count_text(block.most_asked),
        "all": count_text(len(block.questions)),
    }


def _truth(block: Block | None) -> float | None:
    """Return p; for a number or place that may be skipped, the probability that the row depends on it."""
    if block is None:
        return None
    return block.truth_probability / SCALE if block.skipping is None else float(block.skipping.truth)
