"""The codebook of a run's rows for data archives: what `surveys.formats.ddi` writes as DDI Codebook."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from privacy.survey.design import Block, Design
from surveys.export.codebook import Entry
from surveys.export.file_notes import WARNING
from surveys.export.laws import laws_of
from surveys.export.variables import Variable
from surveys.formats.ddi import Category, Codebook, Described, Group, Processing, Study, codebook_xml
from surveys.models import Run, Survey, Version

__all__ = ["ddi_codebook", "universes"]

_JOINTS: Final = {"all": ", and ", "any": ", or "}


def ddi_codebook(
    run: Run,
    design: Design,
    entries: tuple[Entry, ...],
    variables: tuple[Variable, ...],
    *,
    rows: int,
    now: datetime,
) -> str:
    """Return the codebook of a run's rows as DDI Codebook.

    Parameters
    ----------
    run : Run
    design : Design
        What the rows follow.
    entries : tuple of Entry
        The values of each column, with their texts in all languages.
    variables : tuple of Variable
        What the columns are called in SPSS and Stata.
    rows : int
        How many there are.
    now : datetime

    Notes
    -----
    The disguise stands three times: as processing of the data (the law of each part), as a disclaimer of
    their use, and at each variable, which points to its law. Frequencies are left out: those of disguised
    answers are nobody's.
    """
    by_column = {variable.column: variable for variable in variables}
    columns = {
        column: tuple(lines) for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
    }
    marks = _marks_of(design)
    practice = ("Practice data: nothing of it may be published.",) if run.survey.practice else ()
    return codebook_xml(
        Codebook(
            title=f"Codebook of run {run.pk} of {run.survey.slug}",
            day=now.date().isoformat(),
            version=run.code_version,
            study=_study_of(
                run.survey,
                run.version,
                design,
                versions=(
                    ("design", f"SHA-256 of the design: {run.design_id}"),
                    ("wording", f"SHA-256 of the wording: {run.version.wording_id}"),
                    ("snapshot", f"SHA-256 of the snapshot: {run.snapshot_digest}"),
                ),
                restriction="Open answers can point to a person: treat the rows as personal data.",
                disclaimers=(WARNING, *practice),
            ),
            file="rows.csv",
            order="One line for each device that answered, in an order that was drawn anew.",
            records=rows,
            variables=tuple(
                _described(column, lines, design, marks, by_column) for column, lines in columns.items()
            ),
            groups=tuple(_groups(run.version, design, columns)),
        )
    )


def _study_of(
    survey: Survey,
    version: Version,
    design: Design,
    *,
    versions: tuple[tuple[str, str], ...],
    restriction: str,
    disclaimers: tuple[str, ...],
) -> Study:
    """Return what an archive asks about a survey: title, people behind it, days, and the law of each part."""
    moments = (("start", survey.opened_at), ("end", survey.closed_at))
    return Study(
        title=survey.title,
        identifier=survey.slug,
        about=version.wording.get("about", {}),
        versions=versions,
        collected=tuple(
            (event, moment.date().isoformat()) for event, moment in moments if moment is not None
        ),
        data_kind="Survey data; answers disguised by randomised response",
        collection="Self-administered questionnaire on a web page",
        processing=(
            *(
                Processing(text=f"Part {name}: {text}", mark=mark, kind="randomised response")
                for name, (mark, text) in _laws(design).items()
            ),
            *(
                Processing(text=f"Part {block.key}: answers are as they were given.")
                for block in design.blocks
                if not block.protected
            ),
        ),
        restriction=restriction,
        disclaimers=disclaimers,
    )


def _marks_of(design: Design) -> dict[str, tuple[str, ...]]:
    """Return by part the marks of the laws that its answers went through."""
    marks: dict[str, tuple[str, ...]] = {}
    for name, (mark, _text) in _laws(design).items():
        part = name.split(", ")[0]
        marks[part] = (*marks.get(part, ()), mark)
    return marks


def _laws(design: Design) -> dict[str, tuple[str, str]]:
    return {name: (f"law-{number}", text) for number, (name, text) in enumerate(laws_of(design), start=1)}


def _groups(version: Version, design: Design, columns: Mapping[str, tuple[Entry, ...]]) -> Iterator[Group]:
    wording_by_block = {
        block.key: part for block, part in zip(design.blocks, version.wording["blocks"], strict=True)
    }
    for block in design.blocks:
        yield Group(
            name=block.key,
            variables=tuple(column for column, lines in columns.items() if lines[0].block == block.key),
            label=wording_by_block[block.key].get("title") or {},
            universes=tuple(universes(design, block)),
        )


def _described(
    column: str,
    lines: tuple[Entry, ...],
    design: Design,
    marks: Mapping[str, tuple[str, ...]],
    named: Mapping[str, Variable],
) -> Described:
    first = lines[0]
    disguised = first.stored_as == "disguised"
    block = next((block for block in design.blocks if block.key == first.block), None)
    is_answer = first.kind not in ("group", "skipped", "asked")
    has_categories = first.kind not in ("number", "place", "asked")
    categories = [Category(value=line.value, label=line.meaning) for line in lines]
    if first.kind == "multi":
        categories.append(Category(value="0", label={"": "not chosen"}))
    return Described(
        name=column,
        label=first.question,
        question=first.question if is_answer else {},
        universes=() if block is None else tuple(universes(design, block)),
        text="Disguised by chance: its plain frequencies are not those of the people."
        if disguised
        else "As it was sent.",
        categories=tuple(categories) if has_categories else (),
        format="" if has_categories else "character" if first.kind == "asked" else "numeric",
        processing=marks.get(first.block, ()) if disguised else (),
        notes=(("name", f"In SPSS and Stata: {named[column].name}"),) if column in named else (),
    )


def universes(design: Design, block: Block) -> Iterator[str]:
    """Yield who was asked a block, and by which draw."""
    if block.asked_if is not None:
        answers = (
            f"{' or '.join(term.options)} to the question {term.question}" for term in block.asked_if.terms
        )
        yield f"Those who answered {_JOINTS[block.asked_if.joined].join(answers)}."
    if block.is_rotating:
        chances = {
            str(design.drawn_together([number]))
            for number, question in enumerate(design.questions)
            if question in block.questions
        }
        yield (
            f"Each device drew {block.most_asked} of the {len(block.questions)} questions of part "
            f"{block.key} before any answer; each question with chance {' or '.join(sorted(chances))}. "
            "Which ones, the row says."
        )
    elif design.in_rotation(block.key):
        number = next(
            number for number, question in enumerate(design.questions) if question in block.questions
        )
        yield (
            f"Each device drew before any answer which parts it asks; part {block.key} with chance "
            f"{design.drawn_together([number])}."
        )
