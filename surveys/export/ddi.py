"""The codebook of a run's rows for data archives: what `surveys.export.ddi` writes as DDI Codebook."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias
from xml.etree import ElementTree as ET

from privacy.survey.design import Block, Design
from surveys.export.codebook import WARNING, Entry, laws_of
from surveys.export.variables import Variable
from surveys.models import Run, Survey, Version

NAMESPACE: Final = "ddi:codebook:2_6"
_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_FILE: Final = "rows"

Texts: TypeAlias = Mapping[str, str]
"""A text by its language; the empty key is the codebook's own language, English."""


@dataclass(frozen=True, kw_only=True)
class Processing:
    """A processing step of the data.

    Parameters
    ----------
    text : str
    mark : str
        Identifier by which variables refer to it; empty if none does.
    kind : str
    """

    text: str
    mark: str = ""
    kind: str = ""


@dataclass(frozen=True, kw_only=True)
class Study:
    """The source of the data, and their processing.

    Parameters
    ----------
    title : dict of str to str
        The first language's title is the main one, the others are parallel titles.
    identifier : str
        Identifier of the study.
    about : dict of str to dict of str to str
        ``researcher``, ``contact``, ``purpose``, ``population``, ``frame`` and ``retention``, as a survey's
        wording has them.
    versions : tuple of (str, str)
        Kind of version, and its identifier.
    collected : tuple of (str, str)
        Event (``start``, ``end``) and day.
    data_kind, collection : str
        Kind of the data, and how they were collected.
    processing : tuple of Processing
    restriction : str
    disclaimers : tuple of str
    """

    title: Texts
    data_kind: str
    identifier: str = ""
    about: Mapping[str, Texts] = field(default_factory=dict)
    versions: tuple[tuple[str, str], ...] = ()
    collected: tuple[tuple[str, str], ...] = ()
    collection: str = ""
    processing: tuple[Processing, ...] = ()
    restriction: str = ""
    disclaimers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Category:
    """One value of a variable, as it appears in the file.

    Parameters
    ----------
    value : str
    label : dict of str to str
        Meaning of the value.
    """

    value: str
    label: Texts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Described:
    """A variable: one column of the file.

    Parameters
    ----------
    name : str
    label, question : dict of str to str
        The label, and the wording of the question.
    text : str
        How its values were produced.
    universes : tuple of str
        People who have a value.
    categories : tuple of Category
    format : {"", "numeric", "character"}
        For a variable whose values are more than its categories.
    processing : tuple of str
        Marks of its processing steps.
    notes : tuple of (str, str)
        Kind and text.
    """

    name: str
    label: Texts = field(default_factory=dict)
    question: Texts = field(default_factory=dict)
    text: str = ""
    universes: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    format: Literal["", "numeric", "character"] = ""
    processing: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Group:
    """Variables that belong together, by their names."""

    name: str
    variables: tuple[str, ...]
    label: Texts = field(default_factory=dict)
    universes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Codebook:
    """A codebook: title, day and program version; study, file and variables.

    Parameters
    ----------
    title : str
    day : str
        In ISO 8601 format.
    version : str
        Version of the program; empty if nothing depends on it.
    study : Study
    file, order : str
        Name of the file; meaning and order of its lines.
    records : int
    variables : tuple of Described
    groups : tuple of Group
    """

    title: str
    day: str
    study: Study
    file: str
    order: str
    records: int
    variables: tuple[Described, ...]
    version: str = ""
    groups: tuple[Group, ...] = ()


def codebook_xml(codebook: Codebook) -> str:
    """Return a codebook as XML.

    References
    ----------
    DDI Codebook 2.6.
    """
    root = ET.Element("codeBook", {"xmlns": NAMESPACE, "version": "2.6", _LANGUAGE: "en"})
    citation = _child(_child(root, "docDscr"), "citation")
    _child(_child(citation, "titlStmt"), "titl", codebook.title)
    production = _child(citation, "prodStmt")
    _child(production, "prodDate", codebook.day, date=codebook.day)
    _child(production, "software", "Sottovoce", **({"version": codebook.version} if codebook.version else {}))
    _study(root, codebook.study)
    text = _child(_child(root, "fileDscr", ID=_FILE), "fileTxt")
    _child(text, "fileName", codebook.file)
    _child(text, "fileCont", codebook.order)
    dimensions = _child(text, "dimensns")
    _child(dimensions, "caseQnty", str(codebook.records))
    _child(dimensions, "varQnty", str(len(codebook.variables)))
    _child(text, "fileType", "CSV", charset="UTF-8")
    _data(root, codebook)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _study(root: ET.Element, study: Study) -> None:
    about = study.about
    element = _child(root, "stdyDscr")
    citation = _child(element, "citation")
    title = _child(citation, "titlStmt")
    first, *others = study.title
    _child(title, "titl", study.title[first], **_language(first))
    for language in others:
        _child(title, "parTitl", study.title[language], **_language(language))
    if study.identifier:
        _child(title, "IDNo", study.identifier, agency="Sottovoce")
    responsible = _child(citation, "rspStmt")
    _texts(responsible, "AuthEnty", about.get("researcher"))
    distribution = _child(citation, "distStmt")
    _texts(distribution, "contact", about.get("contact"))
    version = _child(citation, "verStmt")
    for kind, text in study.versions:
        _child(version, "version", text, type=kind)
    information = _child(element, "stdyInfo")
    _texts(information, "abstract", about.get("purpose"))
    summary = _child(information, "sumDscr")
    for event, day in study.collected:
        _child(summary, "collDate", day, date=day, event=event)
    _child(summary, "anlyUnit", "Individual")
    _texts(summary, "universe", about.get("population"))
    _child(summary, "dataKind", study.data_kind)
    method = _child(element, "method")
    collection = _child(method, "dataColl")
    _texts(collection, "sampProc", about.get("frame"))
    if study.collection:
        _child(collection, "collMode", study.collection)
    for step in study.processing:
        attributes = {"ID": step.mark, "type": step.kind}
        _child(method, "dataProcessing", step.text, **{key: text for key, text in attributes.items() if text})
    access = _child(element, "dataAccs")
    use = _child(access, "useStmt")
    if study.restriction:
        _child(use, "restrctn", study.restriction)
    _texts(use, "conditions", about.get("retention"))
    for text in study.disclaimers:
        _child(use, "disclaimer", text)


def _data(root: ET.Element, codebook: Codebook) -> None:
    data = _child(root, "dataDscr")
    marks = {variable.name: f"V{number}" for number, variable in enumerate(codebook.variables, start=1)}
    for group in codebook.groups:
        own = " ".join(marks[name] for name in group.variables)
        element = _child(data, "varGrp", name=group.name, type="section", var=own)
        _texts(element, "labl", group.label)
        for universe in group.universes:
            _child(element, "universe", universe)
    for variable in codebook.variables:
        attributes = {"methrefs": " ".join(variable.processing)} if variable.processing else {}
        _variable(
            _child(data, "var", ID=marks[variable.name], name=variable.name, files=_FILE, **attributes),
            variable,
        )


def _variable(said: ET.Element, described: Described) -> None:
    _texts(said, "labl", described.label)
    if any(described.question.values()):
        _texts(_child(said, "qstn"), "qstnLit", described.question)
    for universe in described.universes:
        _child(said, "universe", universe)
    if described.text:
        _child(said, "txt", described.text)
    for category in described.categories:
        element = _child(said, "catgry")
        _child(element, "catValu", category.value)
        _texts(element, "labl", category.label)
    if described.format:
        _child(said, "varFormat", type=described.format)
    for kind, text in described.notes:
        _child(said, "notes", text, type=kind)


def _texts(parent: ET.Element, tag: str, texts: Texts | None) -> None:
    """Add a text in each language that has it."""
    for language, text in (texts or {}).items():
        if text:
            _child(parent, tag, text, **_language(language))


def _language(language: str) -> dict[str, str]:
    return {_LANGUAGE: language} if language else {}


def _child(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, tag, attributes)
    child.text = None if text is None else _in_xml(text)
    return child


def _in_xml(text: str) -> str:
    """Remove control characters, which XML cannot contain."""
    return "".join(sign for sign in text if sign >= " " or sign in "\t\n")


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
        Design of the rows.
    entries : tuple of Entry
        The values of each column, with their texts in all languages.
    variables : tuple of Variable
        The columns' names and labels in SPSS and Stata.
    rows : int
        How many there are.
    now : datetime

    Notes
    -----
    The disguise is described three times: as processing of the data (the design of each block), as a
    disclaimer of their use, and at each variable, which points to its design. Frequencies are left out,
    because those of disguised answers describe no one.
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
    """Return the study description for an archive: title, people behind it, days, and each block's design."""
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
