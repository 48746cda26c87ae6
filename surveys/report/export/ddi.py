"""The DDI codebook of a run, for archives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final
from xml.etree import ElementTree as ET

from privacy.survey.design import Block, Design
from surveys.errors.error import in_sentences
from surveys.models import Run
from surveys.report.export.codebook import Entry
from surveys.report.export.disguise_laws import laws_of
from surveys.report.export.file_notes import WARNING
from surveys.report.export.row_columns import lists_of
from surveys.report.export.variables import Variable
from surveys.report.run_facts import english_rules
from surveys.runs.look import look_of
from surveys.runs.look_words import look_text

NAMESPACE: Final = "ddi:codebook:2_6"
_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_FILE: Final = "rows"
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
    """Return the codebook of a run's rows as XML.

    Parameters
    ----------
    run : Run
    design : Design
        Design of the rows.
    entries : tuple of Entry
        The values of each column, with their texts in all languages.
    variables : tuple of Variable
        The columns' names and labels in SPSS and Stata.
    rows : int
        Number of rows.
    now : datetime

    Notes
    -----
    The disguise is described three times: as data processing (the design of each block), as a disclaimer
    on the use of the data, and in each variable, which refers to its design. Frequencies are left out,
    because those of disguised answers do not describe the respondents.

    References
    ----------
    DDI Codebook 2.6.
    """
    columns = {
        column: tuple(lines) for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
    }
    root = ET.Element("codeBook", {"xmlns": NAMESPACE, "version": "2.6", _LANGUAGE: "en"})
    citation = _child(_child(root, "docDscr"), "citation")
    _child(_child(citation, "titlStmt"), "titl", f"Codebook of run {run.pk} of {run.survey.slug}")
    production, day = _child(citation, "prodStmt"), now.date().isoformat()
    _child(production, "prodDate", day, date=day)
    _child(production, "software", "Sottovoce", **({"version": run.code_version} if run.code_version else {}))
    _study(root, run, design)
    text = _child(_child(root, "fileDscr", ID=_FILE), "fileTxt")
    _child(text, "fileName", "rows.csv")
    _child(
        text,
        "fileCont",
        in_sentences("One line for each device that answered, sorted by content.", look_text(look_of(run))),
    )
    dimensions = _child(text, "dimensns")
    _child(dimensions, "caseQnty", str(rows))
    _child(dimensions, "varQnty", str(len(columns)))
    _child(text, "fileType", "CSV", charset="UTF-8")
    _data(root, run, design, columns, {variable.column: variable for variable in variables})
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _study(root: ET.Element, run: Run, design: Design) -> None:
    """Add the study: title, researchers, dates, and each block's design."""
    survey, about = run.survey, run.version.wording.get("about", {})
    element = _child(root, "stdyDscr")
    citation = _child(element, "citation")
    title = _child(citation, "titlStmt")
    for position, (language, text) in enumerate(survey.title.items()):
        _child(title, "parTitl" if position else "titl", text, **_language(language))
    _child(title, "IDNo", survey.slug, agency="Sottovoce")
    _texts(_child(citation, "rspStmt"), "AuthEnty", about.get("researcher"))
    _texts(_child(citation, "distStmt"), "contact", about.get("contact"))
    version = _child(citation, "verStmt")
    for kind, digest in (
        ("design", run.design_id),
        ("wording", run.version.wording_id),
        ("snapshot", run.snapshot_digest),
    ):
        _child(version, "version", f"SHA-256 of the {kind}: {digest}", type=kind)
    information = _child(element, "stdyInfo")
    _texts(information, "abstract", about.get("purpose"))
    summary = _child(information, "sumDscr")
    for event, moment in (("start", survey.opened_at), ("end", survey.closed_at)):
        if moment is not None:
            _child(
                summary, "collDate", moment.date().isoformat(), date=moment.date().isoformat(), event=event
            )
    _child(summary, "anlyUnit", "Individual")
    _texts(summary, "universe", about.get("population"))
    disguised = "; answers disguised by randomised response" if design.protects else ""
    _child(summary, "dataKind", f"Survey data{disguised}")
    method = _child(element, "method")
    collection = _child(method, "dataColl")
    _texts(collection, "sampProc", about.get("frame"))
    _child(collection, "collMode", "Self-administered questionnaire on a web page")
    for name, (mark, law) in _numbered_disguises(design).items():
        _child(method, "dataProcessing", f"Part {name}: {law}", ID=mark, type="randomised response")
    for key, rule in english_rules(run.version, design).items():
        _child(method, "dataProcessing", f"Column {key}: {' '.join(rule.lines)}", type="computed on devices")
    for block in design.blocks:
        if not block.protected:
            _child(method, "dataProcessing", f"Part {block.key}: answers are stored as given.")
    use = _child(_child(element, "dataAccs"), "useStmt")
    _child(use, "restrctn", "Unprotected answers can identify a person: treat the rows as personal data.")
    _texts(use, "conditions", about.get("retention"))
    if design.protects:
        _child(use, "disclaimer", WARNING)
    if survey.practice:
        _child(use, "disclaimer", "Practice data: none of it may be published.")


def _data(
    root: ET.Element,
    run: Run,
    design: Design,
    columns: Mapping[str, tuple[Entry, ...]],
    variables: Mapping[str, Variable],
) -> None:
    """Add the blocks with their columns, and each column with its values."""
    data = _child(root, "dataDscr")
    marks = {column: f"V{number}" for number, column in enumerate(columns, start=1)}
    for block, part in zip(design.blocks, run.version.wording["blocks"], strict=True):
        column_marks = " ".join(
            marks[column] for column, lines in columns.items() if lines[0].block == block.key
        )
        element = _child(data, "varGrp", name=block.key, type="section", var=column_marks)
        _texts(element, "labl", part.get("title"))
        for universe in universes(design, block):
            _child(element, "universe", universe)
    for stem, listed in lists_of(lines[0].source for lines in columns.values()):
        element = _child(
            data,
            "varGrp",
            name=stem["key"],
            type="multipleResp",
            var=" ".join(marks[column.name] for column in listed),
        )
        _texts(element, "labl", stem["text"])
    disguise_ids = _disguise_ids(design)
    for column, lines in columns.items():
        attributes = {"ID": marks[column], "name": column, "files": _FILE}
        if lines[0].stored_as == "disguised" and lines[0].block in disguise_ids:
            attributes["methrefs"] = " ".join(disguise_ids[lines[0].block])
        _column(_child(data, "var", **attributes), lines, design, variables.get(column))


def _column(node: ET.Element, lines: tuple[Entry, ...], design: Design, variable: Variable | None) -> None:
    first, asked = lines[0], lines[0].source.question
    _texts(node, "labl", first.question)
    if asked is not None and any(first.question.values()):
        _texts(_child(node, "qstn"), "qstnLit", first.question)
    for block in design.blocks:
        for universe in universes(design, block) if block.key == first.block else ():
            _child(node, "universe", universe)
    _child(
        node,
        "txt",
        "Disguised by chance: its plain frequencies are not those of the people."
        if first.stored_as == "disguised"
        else "As it was sent.",
    )
    if first.source.kind == "asked":
        _child(node, "varFormat", type="character")
    elif asked is not None and asked.is_scale:
        _child(node, "varFormat", type="numeric")
    else:
        values = [(line.value, line.meaning) for line in lines]
        if asked is not None and asked.is_several:
            values.append(("0", {"": "not chosen"}))
        for value, meaning in values:
            element = _child(node, "catgry")
            _child(element, "catValu", value)
            _texts(element, "labl", meaning)
    if variable is not None:
        _child(node, "notes", f"In SPSS and Stata: {variable.name}", type="name")


def _texts(parent: ET.Element, tag: str, texts: Mapping[str, str] | None) -> None:
    """Add a text in each of its languages; the empty key stands for English, the codebook's language."""
    for language, text in (texts or {}).items():
        if text:
            _child(parent, tag, text, **_language(language))


def _language(language: str) -> dict[str, str]:
    return {_LANGUAGE: language} if language else {}


def _child(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, tag, attributes)
    child.text = None if text is None else _without_control_characters(text)
    return child


def _without_control_characters(text: str) -> str:
    """Remove control characters, which XML does not allow."""
    return "".join(sign for sign in text if sign >= " " or sign in "\t\n")


def _disguise_ids(design: Design) -> dict[str, tuple[str, ...]]:
    """Return by block the IDs of the processing steps that disguise its answers."""
    marks: dict[str, tuple[str, ...]] = {}
    for name, (mark, _text) in _numbered_disguises(design).items():
        part = name.split(", ")[0]
        marks[part] = (*marks.get(part, ()), mark)
    return marks


def _numbered_disguises(design: Design) -> dict[str, tuple[str, str]]:
    return {name: (f"law-{number}", text) for number, (name, text) in enumerate(laws_of(design), start=1)}


def universes(design: Design, block: Block) -> Iterator[str]:
    """Describe who was asked a block, and which draw decided it."""
    if block.asked_if is not None:
        answers = (
            f"{' or '.join(term.options)} to the question {term.question}" for term in block.asked_if.terms
        )
        yield f"Those who answered {_JOINTS[block.asked_if.joined].join(answers)}."
    if block.is_rotating:
        probabilities = {
            str(design.drawn_together([number]))
            for number, question in enumerate(design.questions)
            if question in block.questions
        }
        yield (
            f"Each device drew {block.most_asked} of the {len(block.questions)} questions of part "
            f"{block.key} before any answer; each question with chance {' or '.join(sorted(probabilities))}. "
            "The row shows which ones."
        )
    elif design.in_rotation(block.key):
        number = next(
            number for number, question in enumerate(design.questions) if question in block.questions
        )
        yield (
            f"Each device drew before any answer which parts it asks; part {block.key} with chance "
            f"{design.drawn_together([number])}."
        )
