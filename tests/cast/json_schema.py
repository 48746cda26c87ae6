"""What of JSON Schema (2020-12) the interface's document uses, checked without a library for all of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

KNOWN = frozenset(
    {"$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "minimum", "maximum"}
    | {"format", "description", "default"}
)
_TYPES: dict[str, Any] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


def wrong_in(value: Any, schema: dict[str, Any], document: dict[str, Any], where: str = "$") -> Iterator[str]:
    """Yield what of a value does not meet a schema.

    Raises
    ------
    AssertionError
        The schema uses a word that is not checked here: nothing is let through unseen.
    """
    assert schema.keys() <= KNOWN, f"{where}: {schema.keys() - KNOWN} is not checked"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        yield from wrong_in(value, document["components"]["schemas"][name], document, where)
        return
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[one](value) for one in types):
        yield f"{where}: {value!r} is none of {types}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if value is not None and not _formed(value, schema.get("format", "")):
        yield f"{where}: {value!r} is no {schema['format']}"
    if isinstance(value, int | float) and value < schema.get("minimum", value):
        yield f"{where}: {value} is below {schema['minimum']}"
    if isinstance(value, dict):
        yield from _members(value, schema, document, where)
    if isinstance(value, list) and "items" in schema:
        for place, entry in enumerate(value):
            yield from wrong_in(entry, schema["items"], document, f"{where}[{place}]")


def _members(
    value: dict[str, Any], schema: dict[str, Any], document: dict[str, Any], where: str
) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where}: {name} is missing"
    properties = schema.get("properties", {})
    for name, entry in value.items():
        if name in properties:
            yield from wrong_in(entry, properties[name], document, f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where}: {name} is not in the schema"


def _formed(value: Any, wanted: str) -> bool:
    readers: dict[str, Any] = {"date": date.fromisoformat, "date-time": datetime.fromisoformat}
    try:
        found = readers[wanted](value) if wanted in readers else None
    except (TypeError, ValueError):
        return False
    return wanted != "date-time" or found.tzinfo is not None
