"""Title, wording and notes of a release that comes from a survey or a file."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from django.db.models import Sum
from django.utils.translation import override

from anonymisation.microdata.background import Background, Wording
from anonymisation.microdata.description import description_read
from anonymisation.models import Release
from privacy.survey.design import Design
from surveys.formats.shown_counts import rounded_count
from surveys.models import Survey, Version
from surveys.report.export.codebook import Entry, entries_of
from surveys.report.export.disguise_laws import law_text
from surveys.report.export.file_notes import WARNING, list_notes
from surveys.report.export.row_columns import columns_of
from surveys.runs.snapshot import batches_open_to_mining

# The codebook has digits for yes/no columns, but tables of answers have words.
_WORDS: Final = {"1": "yes", "0": "no"}


def release_background(release: Release) -> Background:
    """Return the background of a release's table."""
    published = {column["name"] for column in release.columns if column["role"] != "identifier"}
    background = (
        Background(title=PurePath(release.name).stem)
        if release.survey is None
        else survey_background(release.survey, published)
    )
    return replace(background, description=description_read(release.description))


def survey_background(survey: Survey, published: Collection[str]) -> Background:
    """Return the title of a survey, the wording of its columns, and how the published ones were disguised."""
    version = survey.versions.latest("number")
    design = Design.from_json(version.design)
    # Files are in English, as readers may not share the requester's language. Questions are in all languages.
    with override("en"):
        entries = entries_of(version, design, with_group=False)
        notes = tuple(_notes(version, design, published))
    return Background(
        title=next(iter(survey.title.values())),
        notes=notes,
        columns={
            column: _wording(list(lines))
            for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
        },
    )


def _notes(version: Version, design: Design, published: Collection[str]) -> Iterator[str]:
    """Yield notes on how to read the published columns of protected questions, and on missing rows."""
    columns = {
        block: [name for question in block.questions for name in question.columns if name in published]
        for block in design.blocks
        if block.protected
    }
    if any(columns.values()):
        yield WARNING
    for block, names in columns.items():
        if names:
            yield f"{', '.join(names)}: {law_text(block.in_group(direct=False) or block)}"
    yield from list_notes(
        columns_of(design, version.wording, with_group=False), {name: name for name in published}
    )
    direct = batches_open_to_mining(version).aggregate(Sum("n_direct"))["n_direct__sum"]
    if left_out := rounded_count(direct or 0):
        how = "with light disguise" if design.has_two_strengths else "directly"
        yield f"About {left_out} people answered {how}. Their rows were left out."


def _wording(lines: list[Entry]) -> Wording:
    first = lines[0]
    asked = first.source.question
    is_binary = asked is not None and asked.is_binary
    answers = {_WORDS[line.value] if is_binary else line.value: line.meaning for line in lines}
    if asked is not None and asked.is_several:
        answers["no"] = {"": "not chosen"}
    shares = {value: line.unrelated_share for value, line in zip(answers, lines, strict=False)}
    if asked is not None and asked.is_several and first.unrelated_share is not None:
        shares["no"] = 1 - first.unrelated_share
    disguise: dict[str, object] = {"truth_probability": first.truth_probability, "random_shares": shares}
    block = first.source.block
    if block is not None and block.is_scale:
        disguise = {
            "values": first.meaning["en"],
            "disguise": law_text(block.in_group(direct=False) or block),
        }
    is_disguised = first.stored_as == "disguised"
    stem = first.source.stem
    return Wording(
        question=first.question,
        answers=answers,
        disguise=disguise if is_disguised else {},
        listed={"key": stem["key"], "text": dict(stem["text"])} if stem else {},
        line=dict(first.source.line),
    )
