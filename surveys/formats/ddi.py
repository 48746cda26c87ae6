"""Write a codebook in the format of data archives: DDI Codebook 2.6, as XML.

The content of a codebook is given in plain classes, which the caller fills in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from xml.etree import ElementTree as ET

__all__ = [
    "NAMESPACE",
    "Category",
    "Codebook",
    "Described",
    "Group",
    "Processing",
    "Study",
    "codebook_xml",
]

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
        What it measures, and the wording of the question.
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
