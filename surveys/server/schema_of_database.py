"""The schema that a database has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from surveys.server.schema import Fact, Facts
from surveys.server.schema_spelling import bare_text, trigger_text, type_text, without_row_numbers

_SQLITE: Final = {
    "tables": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
    "columns": """
        SELECT m.name, t.name, t.type, NOT t."notnull", t.pk
        FROM sqlite_master m, pragma_table_info(m.name) t
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY m.name, t.pk
    """,
    "indexes": """
        SELECT m.name, l.name, l."unique", l.origin, l.partial, x.name
        FROM sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) x
        WHERE m.type = 'table' ORDER BY m.name, l.name, x.seqno
    """,
    "references": """
        SELECT m.name, k."from", k."table" || '.' || k."to"
        FROM sqlite_master m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'
    """,
    "texts": "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('table', 'trigger')",
}


# Tables in the schema where this connection creates tables, without those of extensions such as PostGIS.
_HERE: Final = """
    WITH here AS (
        SELECT oid, relname FROM pg_class
        WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
        AND NOT EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
        )
    )
"""
_POSTGRESQL: Final = {
    "tables": "SELECT relname FROM here",
    "columns": """
        SELECT relname, attname, format_type(atttypid, atttypmod), NOT attnotnull
        FROM here JOIN pg_attribute ON attrelid = here.oid WHERE attnum > 0 AND NOT attisdropped
    """,
    "indexes": """
        SELECT relname, indisprimary, indisunique, indpred IS NOT NULL, (
            SELECT string_agg(attname, ', ' ORDER BY place)
            FROM unnest(indkey::int2[]) WITH ORDINALITY AS keys (number, place)
            LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number
            WHERE place <= indnkeyatts
        )
        FROM here JOIN pg_index ON indrelid = here.oid WHERE indisvalid
    """,
    "references": """
        SELECT here.relname, a.attname, f.relname || '.' || b.attname
        FROM here JOIN pg_constraint ON conrelid = here.oid JOIN pg_class f ON f.oid = confrelid
        JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
        JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = confkey[1]
        WHERE contype = 'f' AND convalidated AND cardinality(conkey) = 1
    """,
    "checks": """
        SELECT relname, conname FROM here JOIN pg_constraint ON conrelid = here.oid
        WHERE contype = 'c' AND convalidated
    """,
    "triggers": """
        SELECT relname, tgname, pg_get_triggerdef(pg_trigger.oid, true)
        FROM here JOIN pg_trigger ON tgrelid = here.oid WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')
    """,
    "functions": """
        SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        AND NOT EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e'
        )
    """,
}


def tables_of_database(cursor: Any, vendor: str) -> frozenset[str]:
    """Return the names of the tables, without those of extensions of PostgreSQL."""
    statement = _SQLITE["tables"] if vendor == "sqlite" else _HERE + _POSTGRESQL["tables"]
    return frozenset(name for (name,) in _rows(cursor, statement))


def facts_of_database(cursor: Any, vendor: str) -> Facts:
    """Return the facts about every table that a cursor of Django or of `sqlite3` sees."""
    return frozenset((_sqlite_facts if vendor == "sqlite" else _postgresql_facts)(cursor))


def _rows(cursor: Any, statement: str) -> list[Any]:
    cursor.execute(statement)
    return list(cursor.fetchall())


def _sqlite_facts(cursor: Any) -> Iterator[Fact]:
    keys: dict[str, list[str]] = {}
    for table, column, kind, nullable, in_key in _rows(cursor, _SQLITE["columns"]):
        keys.setdefault(table, [])
        if in_key:
            keys[table].append(column)
        # SQLite says that the column of an integer key may be null.
        yield Fact(table, "column", column, type_text(kind, nullable=bool(nullable and not in_key)))
    for table, columns in keys.items():
        yield Fact(table, "table")
        yield Fact(table, "primary key", ", ".join(columns))
    indexes: dict[tuple[str, str], list[Any]] = {}
    for table, name, unique, origin, partial, column in _rows(cursor, _SQLITE["indexes"]):
        indexes.setdefault((table, name), [unique, origin, partial]).append(column or "?")
    for (table, _name), (unique, origin, partial, *columns) in indexes.items():
        if origin != "pk":
            kind = "unique" if unique else "index"
            yield Fact(table, kind, ", ".join(columns), "partial" if partial else "")
    for table, column, target in _rows(cursor, _SQLITE["references"]):
        yield Fact(table, "reference", column, target)
    for kind, name, table, text in _rows(cursor, _SQLITE["texts"]):
        if kind == "trigger":
            yield Fact(table, "trigger", name, trigger_text(text))
            continue
        for constraint in re.findall(r'CONSTRAINT "(\w+)" CHECK', text):
            yield Fact(table, "check", constraint)
        if without_row_numbers(text):
            yield Fact(table, "rows", "numbering", "none")


def _postgresql_facts(cursor: Any) -> Iterator[Fact]:
    found = {name: _rows(cursor, _HERE + statement) for name, statement in _POSTGRESQL.items()}
    for (table,) in found["tables"]:
        yield Fact(table, "table")
    for table, column, kind, nullable in found["columns"]:
        yield Fact(table, "column", column, type_text(kind, nullable=nullable))
    for table, primary, unique, partial, columns in found["indexes"]:
        kind = "primary key" if primary else "unique" if unique else "index"
        yield Fact(table, kind, columns or "?", "partial" if partial else "")
    for table, column, target in found["references"]:
        yield Fact(table, "reference", column, target)
    for table, name in found["checks"]:
        yield Fact(table, "check", name)
    for table, name, text in found["triggers"]:
        yield Fact(table, "trigger", name, trigger_text(text))
    for name, body in found["functions"]:
        yield Fact("", "function", name, bare_text(body))
