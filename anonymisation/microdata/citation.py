"""Metadata of a release: DataCite and CITATION.cff."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from anonymisation.microdata.description import LICENCES, Description, Person

__all__ = ["FORMATS", "citation_cff", "datacite"]

FORMATS: Final = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
}
"""Media types by the end of a file's name."""

_ORCID: Final = "https://orcid.org/"


def datacite(described: Description, *, day: str, records: int, formats: Sequence[str]) -> dict[str, Any]:
    """Return the metadata of a deposit as DataCite takes them.

    References
    ----------
    DataCite 4.5.
    """
    more = (("Methods", described.sampling), ("Other", described.universe))
    document: dict[str, Any] = {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Anonymised microdata"},
        "creators": [_creator(person) for person in described.creators],
        "titles": [{"title": described.title}],
        "publisher": {"name": described.publisher},
        "publicationYear": day[:4],
        "subjects": [{"subject": word} for word in dict.fromkeys((described.subject, *described.keywords))],
        "dates": [{"date": day, "dateType": "Created"}],
        "descriptions": [
            {"description": described.abstract, "descriptionType": "Abstract"},
            *({"description": text, "descriptionType": kind} for kind, text in more if text),
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
        "contact": [_author(described.creators[0]) | {"email": described.contact}],
        "abstract": described.abstract,
        "keywords": list(described.keywords),
        "license": described.licence,
        "doi": described.doi,
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
