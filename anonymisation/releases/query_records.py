"""Queries of a release as JSON: an open release, its columns, and answers."""

from __future__ import annotations

from typing import Any

from anonymisation.models import Release
from anonymisation.releases.release_queries import PublishedTable, TableAnswer
from privacy.sdc.query_language import query_text


def release_record(release: Release, *, left: int) -> dict[str, Any]:
    """Return an open release as JSON."""
    return {
        "id": release.pk,
        "name": release.name,
        "owner": release.owner.get_username(),
        "records": release.result["records"],
        "people": release.result.get("people"),
        "people_asked": not release.is_unasked,
        "questions_left": left,
    }


def answer_record(answer: TableAnswer, *, left: int) -> dict[str, Any]:
    """Return an answer as JSON."""
    query = answer.query
    return {
        "question": query_text(query),
        "kind": query.kind,
        "answers": [
            {
                "group": line.group[0] if line.group else None,
                "groups": list(line.group),
                "lower": line.lower,
                "likely_lower": line.likely_lower,
                "expected": line.expected,
                "likely_upper": line.likely_upper,
                "upper": line.upper,
                "least_records": line.least,
                "most_records": line.most,
            }
            for line in answer.lines
        ],
        "records": answer.records,
        "left_out": answer.left_out,
        "disguised": list(answer.disguised_names),
        "questions_left": left,
    }


def columns_record(source: PublishedTable) -> list[dict[str, Any]]:
    """Return the columns of a release as JSON."""
    return [
        {
            "name": column.name,
            "role": column.role,
            "numeric": source.is_numeric(column.name),
            "labels": list(column.values),
            "values": [] if source.is_numeric(column.name) else list(source.values_of(column.name)),
        }
        for column in source.table.columns
    ]
