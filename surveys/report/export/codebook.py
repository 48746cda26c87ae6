"""The codebook: the meaning of each column in every language of the survey, as CSV and for file notes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from privacy.coins import SCALE
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, Question
from privacy.tables.header import safe_text
from surveys.formats.figures import count_text
from surveys.models import Run, Version
from surveys.questionnaire.rule_words import RuleWords, rules_in_words
from surveys.report.export.variables import (
    NOT_ANSWERED,
    NOT_ASKED,
    NOT_DRAWN,
    SKIPPED,
    STATA_CODES,
    Column,
    Variable,
    columns_of,
)
from surveys.respondent.client_documents import survey_digest
from surveys.runs.look import look_of, look_text


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One value of one column.

    Attributes
    ----------
    column, value : str
        As in the file of rows.
    meaning, question : dict of str to str
        Texts by language. Sottovoce's own are in the languages of its pages.
    source : Column
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
    source: Column
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


def english_rules(version: Version, design: Design) -> dict[str, RuleWords]:
    """Return the rules of composite questions in English, like the whole export."""
    with override("en"):
        return rules_in_words(design, version.wording, "en")


def _key_of(column: Column) -> str:
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
                *(safe_text(_text_in(entry.question, language)) for language in languages),
                *(safe_text(_text_in(entry.meaning, language)) for language in languages),
            ]
        )  # fmt: skip
    return out.getvalue()


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


def _entries(column: Column, version: Version, design: Design) -> Iterator[Entry]:
    block = column.block
    has_channel = block is not None and column.kind != "asked"
    for value, meaning, share in _values(column, version, design):
        yield Entry(
            column=column.name,
            value=value,
            block=block.key if block else "",
            source=column,
            stored_as=column.stored_as,
            question=_question(column),
            meaning=meaning,
            truth_probability=_truth(block.in_group(direct=False)) if block and has_channel else None,
            light_truth_probability=_truth(block.in_group(direct=True)) if block and has_channel else None,
            unrelated_share=share,
            skip_share=(block.refusal or 0) / SCALE if block and has_channel and block.protected else None,
        )


def _own_text(describe: Callable[[], str]) -> dict[str, str]:
    """Return one of Sottovoce's own texts in each language of its pages."""
    texts = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            texts[language] = describe()
    return texts


def _question(column: Column) -> dict[str, str]:
    """Return the subject of a column by language: its question, or the title of its block."""
    if column.kind == "group":
        return _own_text(lambda: _("Group of the row"))
    text: dict[str, str] = column.wording["text"] if column.question else column.wording.get("title", {})
    return text


def _values(
    column: Column, version: Version, design: Design
) -> Iterator[tuple[str, dict[str, str], float | None]]:
    """Yield each value, its meaning by language, and its share among decoys."""
    block, question = column.block, column.question
    if block is None:
        yield "direct", _own_text(lambda: _direct_text(version, design)), None
        yield "protected", _own_text(lambda: _protected_text(design)), None
    elif column.kind == "skipped":
        yield "1", _own_text(lambda: _("skipped these questions")), None
        yield "0", _own_text(lambda: _("did not skip these questions")), None
    elif question is None:
        keys = " ".join(block.questions[position].key for position in block.booklet(0))
        yield keys, _own_text(lambda: _drawn_text(block)), None
    elif question.is_scale:
        yield "number", _own_text(lambda: _sent_text(question)), None
    else:
        shares: list[float | None] = [None] * max(1, len(question.options))
        if block.protected:
            shares = [share / SCALE for share in question.unrelated]
        if question.is_several:
            yield "1", column.wording["options"][column.option]["text"], shares[column.option]
        elif question.is_binary:
            yield "1", _own_text(lambda: _("yes")), shares[0]
            yield "0", _own_text(lambda: _("no")), None if shares[0] is None else 1 - shares[0]
        else:
            for position, key in enumerate(question.options):
                yield key, column.wording["options"][position]["text"], shares[position]


def _sent_text(question: Question) -> str:
    """Describe the values in the column of a number or place question."""
    disguise = question.disguise
    if isinstance(disguise, PlanarWindowChannel):
        return _(
            "the cell that was sent: %(columns)s × its row + its column, counted from 0 in the south-west"
        ) % {"columns": count_text(disguise.area.columns)}
    if not isinstance(disguise, WindowChannel):
        return _("the number that was sent")
    if not disguise.window:
        return _("0 means that “down” was sent, 1 “up”")
    ticks = disguise.range
    facts = {
        "first": ticks.text(ticks.low),
        "second": ticks.text(ticks.low + ticks.bin),
        "last": disguise.window - 1,
        "down": disguise.grid_outputs,
        "up": disguise.grid_outputs + 1,
    }
    if disguise.is_as_answered:
        return _("the bin of the answer: 0 begins at %(first)s, 1 at %(second)s, and so on") % facts
    if disguise.grid_outputs == disguise.inputs:
        text = _("the bin that was sent: 0 begins at %(first)s, 1 at %(second)s, and so on") % facts
    else:
        text = (
            _(
                "the value that was sent: the window of bin b is b to b + %(last)s; "
                "bin 0 begins at %(first)s, 1 at %(second)s, and so on"
            )
            % facts
        )
    return text + _("; %(down)s means “down”, %(up)s “up”") % facts if disguise.coin else text


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


def laws_of(design: Design, titles: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, str]]:
    """Yield the name and the disguise of each protected block, once for each strength.

    The name is the block's key, preceded by its title if `titles` has one.
    """
    for block in design.blocks:
        label = f"“{titles[block.key]}” (`{block.key}`)" if block.key in titles else block.key
        for direct in (False, True) if block.protected and design.has_two_strengths else ():
            if (mine := block.in_group(direct=direct)) is not None:
                name = _("%(part)s, lightly disguised") if direct else _("%(part)s, strongly disguised")
                yield name % {"part": label}, law_text(mine)
        if block.protected and not design.has_two_strengths:
            yield label, law_text(block)


def law_text(block: Block) -> str:
    """Describe the disguise of a protected block; `design.json` has all its numbers.

    A number or a place has a disguise of its own; questions with options share the coin of their block.
    """
    if not block.is_scale:
        return _draw_sentence(block) + _answers_sentence(block)
    disguise = block.disguise
    text = _number(disguise) if isinstance(disguise, WindowChannel) else _location(disguise)
    if (skipping := block.skipping) is not None:
        always = skipping.skip_probability
        text += " " + _(
            "A skip counts as a separate answer: %(answers)s of the answers and %(skips)s of "
            "the skips were sent as “skipped”. All other skips were sent as a random answer. "
            "The probabilities above apply to everything not sent as “skipped”."
        ) % {"answers": _probability(always), "skips": _probability(skipping.truth + always)}
    return text


def _draw_sentence(block: Block) -> str:
    if not block.is_rotating:
        return ""
    return (
        _(
            "before any answer, each device drew %(asked)s of the %(all)s questions, one of "
            "%(sets)s equally likely sets, and sent nothing about the others;"
        )
        % {
            "asked": count_text(block.most_asked),
            "all": count_text(len(block.questions)),
            "sets": count_text(block.n_booklets),
        }
        + " "
    )


def _answers_sentence(block: Block) -> str:
    truth = block.truth_probability
    if block.refusal is None:
        return _(
            "%(truth)s times in 100, the device sends the true answers of this part. Otherwise "
            "it sends random answers."
        ) % {"truth": f"{truth / 100:g}"}
    return _(
        "%(truth)s times in 100, the device sends the true answers of this part. Otherwise it "
        "sends random answers, of which %(skipped)s in 100 are “skipped”."
    ) % {"truth": f"{truth / 100:g}", "skipped": f"{block.refusal / 100:g}"}


def _number(channel: WindowChannel) -> str:
    total = channel.total
    if channel.retention_probability is not None:
        text = _(
            "a number in one of %(bins)s bins. With probability %(chance)s the device sent the "
            "bin of the answer, otherwise a bin drawn uniformly from all."
        ) % {"bins": count_text(channel.inputs), "chance": _probability(channel.retention_probability)}
    elif channel.window:
        text = _(
            "a number in one of %(bins)s bins, sent as one of %(outputs)s values. Each of the "
            "%(window)s values in the window around the bin of the answer was sent with "
            "probability %(inside)s, each other value with probability %(outside)s."
        ) % {
            "bins": count_text(channel.inputs),
            "outputs": count_text(channel.grid_outputs),
            "window": count_text(channel.window),
            "inside": _probability(Fraction(channel.floor + channel.peak, total)),
            "outside": _probability(Fraction(channel.floor, total)),
        }
    else:
        text = _("a number in one of %(bins)s bins, sent as “down” or “up”.") % {
            "bins": count_text(channel.inputs)
        }
    if channel.coin:
        lowest, highest = (
            Fraction(channel.lean + channel.step * position, total) for position in (0, channel.inputs - 1)
        )
        text += " " + _(
            "The probability of “up” rises with the bin from %(low)s to %(high)s. The "
            "probabilities of “down” and “up” add up to %(both)s."
        ) % {
            "low": _probability(lowest),
            "high": _probability(highest),
            "both": _probability(Fraction(channel.coin, total)),
        }
    return text


def _location(windows: PlanarWindowChannel) -> str:
    area, several = windows.area, len(windows.levels) > 1
    parts = [
        _("a place, one of %(columns)s × %(rows)s cells.")
        % {"columns": count_text(area.columns), "rows": count_text(area.rows)},
        *(_level(level, number if several else None) for number, level in enumerate(windows.levels, start=1)),
    ]
    if several:
        parts.append(
            _(
                "At each earlier level, a place of a later level was first replaced, with the "
                "remaining probability, by a place of that level."
            )
        )
    if sum(level.cells for level in windows.levels) < area.columns * area.rows:
        probability = 1 - math.prod((level.truth for level in windows.levels), start=Fraction(1))
        parts.append(
            _(
                "A place outside the sensitive cells was replaced with probability %(chance)s "
                "by one of them, drawn in the same way. Otherwise it was sent as it is."
            )
            % {"chance": _probability(probability)}
        )
    return " ".join(parts)


def _level(level: PlanarLevel, number: int | None) -> str:
    cells = (
        _("sensitive cells")
        if number is None
        else _("sensitive cells of level %(number)s") % {"number": number}
    )
    facts = {"count": level.cells, "cells": cells, "chance": _probability(level.truth)}
    if level.tiles:
        sizes, tiles = [across * up for across, up in level.sizes], sum(map(math.prod, level.tiles))
        return _(
            "The %(count)s %(cells)s are divided into %(tiles)s tiles of %(least)s to %(most)s cells. A "
            "place in them was sent with probability %(chance)s as a cell of its own tile, otherwise as a "
            "cell of any tile, each equally likely. Within a tile, all cells were equally likely."
        ) % {
            **facts,
            "tiles": count_text(tiles),
            "least": count_text(min(sizes)),
            "most": count_text(max(sizes)),
        }
    return _(
        "A place in the %(count)s %(cells)s was sent with probability %(chance)s as a cell drawn uniformly "
        "from the window of %(window)s around it, otherwise as a cell drawn uniformly from all %(cells)s."
    ) % {
        **facts,
        "window": ngettext("%(size)s cell", "%(size)s cells", level.window)
        % {"size": count_text(level.window)},
    }


def _probability(share: Fraction) -> str:
    return f"{float(share):.6g}"


FileKind: TypeAlias = Literal["zip", "sav", "dta", "xml"]

WARNING: Final = (
    "The answers to protected questions in this file are randomly disguised. A share, mean or table computed "
    "directly from them does not describe the respondents. Sottovoce's report and its Python package correct "
    "for the disguise and give each figure with its error."
)


_REASONS: Final = {
    NOT_ASKED: "not asked",
    SKIPPED: "skipped",
    NOT_ANSWERED: "not answered",
    NOT_DRAWN: "not drawn by the device",
}


def file_notes(run: Run, design: Design, variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """Return the paragraphs of a file's notes, in English like the whole export."""
    laws = [f"Part {name}: {text}" for name, text in laws_of(design)]
    notes = [
        f"Part {block.key}: not protected. Answers are stored as given."
        for block in design.blocks
        if not block.protected
    ]
    if design.sends_undisguised:
        notes.append("Rows of the group “direct” are stored as given, in protected parts too.")
    practice = ["Practice data: nothing was promised to anyone, and none of it may be published."]
    rules = english_rules(run.version, design)
    return (
        *((WARNING,) if design.protects else ()),
        *(practice if run.survey.practice else ()),
        *filter(None, [look_text(look_of(run))]),
        *laws,
        *(f"Column {key}: {' '.join(rule.lines)}" for key, rule in rules.items()),
        *notes,
        _reasons(variables),
        f"Survey {run.survey.slug}, version {run.version.number}, run {run.pk}.",
        f"Code of the survey, as printed in letters: {survey_digest(run.version)}",
        f"Design {run.design_id}",
        f"Wording {run.version.wording_id}",
        f"Snapshot {run.snapshot_digest}",
        *(
            f"{variable.name} is the column {variable.column}."
            for variable in variables
            if variable.name != variable.column
        ),
    )


def _reasons(variables: tuple[Variable, ...]) -> str:
    codes = sorted({code for variable in variables for code in variable.missing})
    if not codes:
        return "No answer is missing in this file."
    reasons = ", ".join(f"{code} (in Stata .{STATA_CODES[code]}) {_REASONS[code]}" for code in codes)
    skip_note = " “Skipped” of a protected part is disguised too." if SKIPPED in codes else ""
    return f"Why an answer is missing: {reasons}.{skip_note}"
