"""The codebook in the format of data archives: DDI Codebook 2.6, as XML."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final
from xml.etree import ElementTree as ET

from privacy.survey.design import Block, Design
from surveys.export.codebook import Entry
from surveys.export.file_notes import WARNING
from surveys.export.laws import laws_of
from surveys.export.variables import Variable
from surveys.models import Run

__all__ = ["NAMESPACE", "ddi_codebook", "universes"]

NAMESPACE: Final = "ddi:codebook:2_6"
_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"
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

    References
    ----------
    DDI Codebook 2.6.
    """
    root = ET.Element("codeBook", {"xmlns": NAMESPACE, "version": "2.6", _LANGUAGE: "en"})
    _document(root, run, now)
    laws = {name: (f"law-{number}", law) for number, (name, law) in enumerate(laws_of(design), start=1)}
    _study(root, run, design, laws)
    columns = {
        column: tuple(lines) for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
    }
    text = _child(_child(root, "fileDscr", ID="rows"), "fileTxt")
    _child(text, "fileName", "rows.csv")
    _child(text, "fileCont", "One line for each device that answered, in an order that was drawn anew.")
    dimensions = _child(text, "dimensns")
    _child(dimensions, "caseQnty", str(rows))
    _child(dimensions, "varQnty", str(len(columns)))
    _child(text, "fileType", "CSV", charset="UTF-8")
    _data(root, run, design, columns, laws, {variable.column: variable for variable in variables})
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _document(root: ET.Element, run: Run, now: datetime) -> None:
    citation = _child(_child(root, "docDscr"), "citation")
    _child(_child(citation, "titlStmt"), "titl", f"Codebook of run {run.pk} of {run.survey.slug}")
    production = _child(citation, "prodStmt")
    day = now.date().isoformat()
    _child(production, "prodDate", day, date=day)
    _child(production, "software", "Sotto", version=run.code_version)


def _study(root: ET.Element, run: Run, design: Design, laws: Mapping[str, tuple[str, str]]) -> None:
    about: dict[str, dict[str, str]] = run.version.wording.get("about", {})
    study = _child(root, "stdyDscr")
    citation = _child(study, "citation")
    title = _child(citation, "titlStmt")
    first, *others = run.survey.title
    _child(title, "titl", run.survey.title[first], **{_LANGUAGE: first})
    for language in others:
        _child(title, "parTitl", run.survey.title[language], **{_LANGUAGE: language})
    _child(title, "IDNo", run.survey.slug, agency="Sotto")
    _texts(_child(citation, "rspStmt"), "AuthEnty", about.get("researcher"))
    _texts(_child(citation, "distStmt"), "contact", about.get("contact"))
    version = _child(citation, "verStmt")
    for kind, digest in (
        ("design", run.design_id),
        ("wording", run.version.wording_id),
        ("snapshot", run.snapshot_digest),
    ):
        _child(version, "version", f"SHA-256 of the {kind}: {digest}", type=kind)
    information = _child(study, "stdyInfo")
    _texts(information, "abstract", about.get("purpose"))
    summary = _child(information, "sumDscr")
    for event, moment in (("start", run.survey.opened_at), ("end", run.survey.closed_at)):
        if moment is not None:
            day = moment.date().isoformat()
            _child(summary, "collDate", day, date=day, event=event)
    _child(summary, "anlyUnit", "Individual")
    _texts(summary, "universe", about.get("population"))
    _child(summary, "dataKind", "Survey data; answers disguised by randomised response")
    method = _child(study, "method")
    collection = _child(method, "dataColl")
    _texts(collection, "sampProc", about.get("frame"))
    _child(collection, "collMode", "Self-administered questionnaire on a web page")
    _method(method, design, laws)
    use = _child(_child(study, "dataAccs"), "useStmt")
    _child(use, "restrctn", "Open answers can point to a person: treat the rows as personal data.")
    _texts(use, "conditions", about.get("retention"))
    _child(use, "disclaimer", WARNING)
    if run.survey.practice:
        _child(use, "disclaimer", "Practice data: nothing of it may be published.")


def _method(method: ET.Element, design: Design, laws: Mapping[str, tuple[str, str]]) -> None:
    for name, (mark, law) in laws.items():
        _child(method, "dataProcessing", f"Part {name}: {law}", ID=mark, type="randomised response")
    for block in design.blocks:
        if not block.protected:
            _child(method, "dataProcessing", f"Part {block.key}: answers are as they were given.")


def _data(
    root: ET.Element,
    run: Run,
    design: Design,
    columns: Mapping[str, tuple[Entry, ...]],
    laws: Mapping[str, tuple[str, str]],
    named: Mapping[str, Variable],
) -> None:
    data = _child(root, "dataDscr")
    marks = {column: f"V{number}" for number, column in enumerate(columns, start=1)}
    blocks = {block.key: block for block in design.blocks}
    said = {block.key: part for block, part in zip(design.blocks, run.version.wording["blocks"], strict=True)}
    for block in design.blocks:
        own = " ".join(marks[column] for column, lines in columns.items() if lines[0].block == block.key)
        group = _child(data, "varGrp", name=block.key, type="section", var=own)
        _texts(group, "labl", said[block.key].get("title"))
        for universe in universes(design, block):
            _child(group, "universe", universe)
    for column, lines in columns.items():
        first = lines[0]
        own_laws = [mark for name, (mark, _law) in laws.items() if name.split(", ")[0] == first.block]
        attributes = {"methrefs": " ".join(own_laws)} if own_laws and first.kept == "disguised" else {}
        variable = _child(data, "var", ID=marks[column], name=column, files="rows", **attributes)
        _variable(variable, lines, blocks.get(first.block), design)
        if column in named:
            _child(variable, "notes", f"In SPSS and Stata: {named[column].name}", type="name")


def _variable(variable: ET.Element, lines: tuple[Entry, ...], block: Block | None, design: Design) -> None:
    first = lines[0]
    _texts(variable, "labl", first.question)
    if any(first.question.values()) and first.kind not in ("group", "skipped", "asked"):
        _texts(_child(variable, "qstn"), "qstnLit", first.question)
    for universe in () if block is None else universes(design, block):
        _child(variable, "universe", universe)
    disguised = first.kept == "disguised"
    _child(
        variable,
        "txt",
        "Disguised by chance: its plain frequencies are not those of the people."
        if disguised
        else "As it was sent.",
    )
    if first.kind in ("number", "place", "asked"):
        _child(variable, "varFormat", type="character" if first.kind == "asked" else "numeric")
        return
    for line in lines:
        category = _child(variable, "catgry")
        _child(category, "catValu", line.value)
        _texts(category, "labl", line.meaning)
    if first.kind == "multi":
        category = _child(variable, "catgry")
        _child(category, "catValu", "0")
        _child(category, "labl", "not chosen")


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


def _texts(parent: ET.Element, tag: str, texts: Mapping[str, str] | None) -> None:
    """Add a text in each language that has it."""
    for language, text in (texts or {}).items():
        if text:
            _child(parent, tag, text, **{_LANGUAGE: language})


def _child(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, tag, attributes)
    child.text = None if text is None else _in_xml(text)
    return child


def _in_xml(text: str) -> str:
    """Leave out control characters, which no XML file can hold."""
    return "".join(sign for sign in text if sign >= " " or sign in "\t\n")
