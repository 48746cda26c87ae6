"""How to cite a release, in DataCite's format and as CITATION.cff."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from anonymisation.microdata.description import LICENCES, Description, Person

FORMATS: Final = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
}
"""Media types by file name extension."""
_ORCID: Final = "https://orcid.org/"


def datacite(study: Description, *, day: str, size: str, formats: Sequence[str]) -> dict[str, Any]:
    """Return the metadata of a release in DataCite's format.

    References
    ----------
    DataCite 4.5.
    """
    more = (("Methods", study.sampling), ("Other", study.universe))
    document: dict[str, Any] = {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Anonymised microdata"},
        "creators": [_creator_entry(person) for person in study.creators],
        "titles": [{"title": study.title}],
        "publisher": {"name": study.publisher},
        "publicationYear": day[:4],
        "subjects": [{"subject": word} for word in dict.fromkeys((study.subject, *study.keywords))],
        "dates": [{"date": day, "dateType": "Created"}],
        "descriptions": [
            {"description": study.abstract, "descriptionType": "Abstract"},
            *({"description": text, "descriptionType": kind} for kind, text in more if text),
        ],
        "sizes": [size],
        "formats": list(formats),
    }
    if study.start or study.end:
        period = f"{study.start}/{study.end}"
        document["dates"].append({"date": period, "dateType": "Collected"})
    if study.licence:
        name, address = LICENCES[study.licence]
        rights = {"rights": name, "rightsUri": address, "rightsIdentifier": study.licence}
        document["rightsList"] = [{**rights, "rightsIdentifierScheme": "SPDX"}]
    if study.funding:
        document["fundingReferences"] = [
            {"funderName": funder, **({"awardNumber": grant} if grant else {})}
            for funder, grant in study.funding
        ]
    return document | ({"doi": study.doi} if study.doi else {})


def _creator_entry(person: Person) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": person.name, "nameType": "Organizational"}
    if person.given:
        entry |= {"nameType": "Personal", "givenName": person.given, "familyName": person.family}
    if person.affiliation:
        entry["affiliation"] = [{"name": person.affiliation}]
    if person.orcid:
        entry["nameIdentifiers"] = [
            {"nameIdentifier": _ORCID + person.orcid, "nameIdentifierScheme": "ORCID", "schemeUri": _ORCID}
        ]
    return entry


def citation_cff(study: Description, *, day: str) -> str:
    """Return the CITATION.cff of a deposit; values are written as JSON, which is valid YAML.

    References
    ----------
    Citation File Format 1.2.0.
    """
    citation: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them.",
        "type": "dataset",
        "title": study.title,
        "authors": [_author(person) for person in study.creators],
        "contact": [_author(study.creators[0]) | {"email": study.contact}],
        "abstract": study.abstract,
        "keywords": list(study.keywords),
        "license": study.licence,
        "doi": study.doi,
        "date-released": day,
    }
    return "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in citation.items() if value
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
