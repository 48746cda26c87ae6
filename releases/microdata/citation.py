"""Metadata of a deposit in the forms that catalogues take: DataCite, Dataverse, CITATION.cff and BibTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from releases.microdata.description import LICENCES, Description
from surveys.formats.ddi import Person

__all__ = ["FORMATS", "bibtex", "citation_cff", "datacite", "dataverse"]

FORMATS: Final = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
}
"""Media types by the end of a file's name."""

_ORCID: Final = "https://orcid.org/"
_TEX: Final = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def datacite(described: Description, *, day: str, records: int, formats: Sequence[str]) -> dict[str, Any]:
    """Return the metadata of a deposit as DataCite takes them.

    References
    ----------
    DataCite 4.5.
    """
    methods = described.sampling and {"description": described.sampling, "descriptionType": "Methods"}
    document: dict[str, Any] = {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Anonymised microdata"},
        "creators": [_creator(person) for person in described.creators],
        "titles": [{"title": described.title}],
        "publisher": {"name": described.publisher},
        "publicationYear": day[:4],
        "version": str(described.version),
        "subjects": [{"subject": word} for word in dict.fromkeys((described.subject, *described.keywords))],
        "dates": [{"date": day, "dateType": "Created"}],
        "descriptions": [
            {"description": described.abstract, "descriptionType": "Abstract"},
            *([methods] if methods else []),
        ],
        "sizes": [f"{records} records"],
        "formats": list(formats),
    }
    if described.start or described.end:
        period = f"{described.start}/{described.end}"
        document["dates"].append({"date": period, "dateType": "Collected"})
    if described.licence:
        name, address = LICENCES[described.licence]
        rights = {"rights": name, "rightsUri": address, "rightsIdentifier": described.licence}
        document["rightsList"] = [{**rights, "rightsIdentifierScheme": "SPDX"}]
    if described.funding:
        document["fundingReferences"] = [
            {"funderName": funder, **({"awardNumber": grant} if grant else {})}
            for funder, grant in described.funding
        ]
    if described.replaces:
        before = {"relatedIdentifier": described.replaces, "relatedIdentifierType": "DOI"}
        document["relatedIdentifiers"] = [before | {"relationType": "IsNewVersionOf"}]
    return document | ({"doi": described.doi} if described.doi else {})


def _creator(person: Person) -> dict[str, Any]:
    said: dict[str, Any] = {"name": person.name, "nameType": "Organizational"}
    if person.given:
        said |= {"nameType": "Personal", "givenName": person.given, "familyName": person.family}
    if person.affiliation:
        said["affiliation"] = [{"name": person.affiliation}]
    if person.orcid:
        said["nameIdentifiers"] = [
            {
                "nameIdentifier": _ORCID + person.orcid,
                "nameIdentifierScheme": "ORCID",
                "schemeUri": _ORCID,
            }
        ]
    return said


def dataverse(described: Description, *, day: str) -> dict[str, Any]:
    """Return the metadata of a deposit as Dataverse's interface for programs takes a new data set.

    References
    ----------
    Dataverse.
    """
    fields = [
        _field("title", described.title),
        _compound(
            "author",
            [
                {
                    "authorName": person.name,
                    "authorAffiliation": person.affiliation,
                    **({"authorIdentifier": person.orcid} if person.orcid else {}),
                }
                for person in described.creators
            ],
        ),
        _compound("datasetContact", [{"datasetContactEmail": described.contact}]),
        _compound("dsDescription", [{"dsDescriptionValue": described.abstract, "dsDescriptionDate": day}]),
        _field("subject", [described.subject], "controlledVocabulary"),
        _compound("keyword", [{"keywordValue": word} for word in described.keywords]),
        _compound(
            "grantNumber",
            [{"grantNumberAgency": funder, "grantNumberValue": grant} for funder, grant in described.funding],
        ),
        _compound(
            "dateOfCollection",
            [{"dateOfCollectionStart": described.start, "dateOfCollectionEnd": described.end}],
        ),
        _field("kindOfData", ["Anonymised microdata"]),
    ]
    social = [
        _field("universe", [described.universe] if described.universe else []),
        _field("samplingProcedure", described.sampling),
    ]
    blocks = {
        name: {"displayName": title, "fields": said}
        for name, title, given in (
            ("citation", "Citation Metadata", fields),
            ("socialscience", "Social Science and Humanities Metadata", social),
        )
        if (said := [field for field in given if field["value"]])
    }
    version: dict[str, Any] = {"metadataBlocks": blocks}
    if described.licence:
        name, address = LICENCES[described.licence]
        # Every installation knows these licences by their names, and others as terms only.
        is_known = described.licence.startswith("CC")
        version |= (
            {"license": {"name": name, "uri": address}} if is_known else {"termsOfUse": f"{name}, {address}"}
        )
    return {"datasetVersion": version}


def _field(name: str, value: Any, kind: str = "primitive") -> dict[str, Any]:
    return {"typeName": name, "typeClass": kind, "multiple": isinstance(value, list), "value": value}


def _compound(name: str, entries: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    said = [{part: _field(part, text) for part, text in entry.items() if text} for entry in entries]
    for entry in said:
        if "authorIdentifier" in entry:
            entry["authorIdentifierScheme"] = _field(
                "authorIdentifierScheme", "ORCID", "controlledVocabulary"
            )
    return _field(name, [entry for entry in said if entry], "compound")


def citation_cff(described: Description, *, day: str) -> str:
    """Return a CITATION.cff of the deposit; every value is written as JSON, which YAML reads.

    References
    ----------
    Citation File Format 1.2.0.
    """
    said: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them.",
        "type": "dataset",
        "title": described.title,
        "authors": [_author(person) for person in described.creators],
        "abstract": described.abstract,
        "keywords": list(described.keywords),
        "license": described.licence,
        "doi": described.doi,
        "version": str(described.version),
        "date-released": day,
    }
    return "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in said.items() if value
    )


def _author(person: Person) -> dict[str, str]:
    names = (
        {"family-names": person.family, "given-names": person.given}
        if person.given
        else {"name": person.family}
    )
    more = {
        "affiliation": person.affiliation if person.given else "",
        "orcid": person.orcid and _ORCID + person.orcid,
    }
    return names | {key: text for key, text in more.items() if text}


def bibtex(described: Description, *, day: str) -> str:
    """Return the entry of a deposit for BibTeX.

    Examples
    --------
    >>> print(bibtex(Description(title="Debts & ages", creators=(Person(family="Li", given="Na"),),
    ...     abstract="", publisher="Archive", contact=""), day="2026-11-24"), end="")
    @misc{li2026debts,
      author = {{Li}, Na},
      title = {{Debts \\& ages}},
      publisher = {Archive},
      year = {2026},
      version = {1},
      howpublished = {Data set}
    }
    """
    first, year = described.creators[0], day[:4]
    words = re.findall(r"\w+", described.title.lower())
    key = re.sub(r"\W", "", f"{first.family.lower()}{year}{next(iter(words), '')}")
    authors = " and ".join(
        f"{{{_tex(person.family)}}}" + (f", {_tex(person.given)}" if person.given else "")
        for person in described.creators
    )
    said = {
        "author": authors,
        "title": f"{{{_tex(described.title)}}}",
        "publisher": _tex(described.publisher),
        "year": year,
        "version": str(described.version),
        "howpublished": "Data set",
        "doi": described.doi,
    }
    lines = ",\n".join(f"  {name} = {{{text}}}" for name, text in said.items() if text)
    return f"@misc{{{key},\n{lines}\n}}\n"


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in " ".join(text.split()))
