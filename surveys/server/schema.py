"""The schema of a database as facts, and what migrations make, for comparison.

A fact says one thing about one table: a column with its type, a key, a constraint, an index or a trigger.
Names that Django generates differ between versions, so keys, constraints and indexes are compared by their
columns. The facts that migrations make come from Django's models as these migrations leave them, and from the
triggers and functions of their SQL. Defaults, and the conditions of checks and partial indexes, are not
compared.
"""

from __future__ import annotations

import hashlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.constraints import CheckConstraint, UniqueConstraint

from surveys.extension import extensions
from surveys.migrations._by_vendor import RunSQLByVendor

Migration = tuple[str, str]
"""Label of the application and name of the migration."""


@dataclass(frozen=True, order=True)
class Fact:
    """One thing about one table.

    Parameters
    ----------
    table : str
        Empty for a function.
    kind : str
        "table", "column", "primary key", "unique", "index", "reference", "check", "trigger" or "function".
    name : str
        Of the column, constraint, trigger or function; of a key or an index, its columns with commas.
    detail : str
        What else must agree: type, target or normalised text.
    """

    table: str
    kind: str
    name: str = ""
    detail: str = ""


Facts = frozenset[Fact]


def differences(expected: Facts, found: Facts, *, prefixes: Sequence[str]) -> list[str]:
    """Return in words how a database differs from what its migrations make, missing things first.

    Additional indexes are no difference, nor are additional tables without one of these prefixes.
    """
    # An index with the same columns is as good, whatever made it.
    indexed = {(fact.table, fact.name) for fact in found if fact.kind in {"index", "unique", "primary key"}}
    tables = {fact.table for fact in found if fact.kind == "table"}
    ours = {fact.table for fact in expected}
    by_name = {(fact.table, fact.kind, fact.name): fact for fact in found}
    expected_names = {(fact.table, fact.kind, fact.name) for fact in expected}
    missing, changed, added = [], [], []
    for fact in sorted(expected - found):
        if fact.table and fact.table not in tables:
            if fact.kind == "table":
                missing.append(f"the table {fact.table} is missing")
        elif fact.kind == "index" and (fact.table, fact.name) in indexed:
            continue
        elif (other := by_name.get((fact.table, fact.kind, fact.name))) is not None:
            changed.append(_changed(fact, other))
        else:
            missing.append(f"{_called(fact)} is missing")
    for fact in sorted(found):
        if fact.kind == "table" and fact.table not in ours and fact.table.startswith(tuple(prefixes)):
            added.append(f"the table {fact.table} is additional")
        elif (
            fact.kind in {"column", "trigger"}
            and fact.table in ours
            and (fact.table, fact.kind, fact.name) not in expected_names
        ):
            added.append(f"{_called(fact)} is additional")
    return missing + changed + added


def _called(fact: Fact) -> str:
    if fact.kind == "column":
        return f"the column {fact.table}.{fact.name}"
    if fact.kind in {"table", "function"}:
        return f"the {fact.kind} {fact.table or fact.name}"
    if fact.kind == "rows":
        return f"the WITHOUT ROWID of {fact.table}"
    names = {"unique": "uniqueness", "reference": "foreign key", "check": "constraint"}
    where = f" of {fact.table}" if fact.table else ""
    return f"the {names.get(fact.kind, fact.kind)} {fact.name}{where}"


def _changed(expected: Fact, found: Fact) -> str:
    if expected.kind in {"trigger", "function"}:
        return f"{_called(expected)} has other contents"
    return f"{_called(expected)} is {found.detail or 'different'} instead of {expected.detail or 'that'}"


def digest_of(facts: Iterable[Fact], label: str) -> str:
    """Return the SHA-256 of the facts about an application's tables, as 64 hex digits."""
    lines = [
        f"{fact.table}|{fact.kind}|{fact.name}|{fact.detail}\n"
        for fact in sorted(facts)
        if (fact.table or fact.name).startswith(f"{label}_")
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def labels() -> list[str]:
    """Return the labels of `surveys` and of the enabled applications."""
    return ["surveys", *(config.label for config in extensions())]


# --- What migrations make ---


def facts_of_models(link: BaseDatabaseWrapper | None = None) -> Facts:
    """Return what all migrations of this program make, from the models as they are."""
    vendor = (link or connection).vendor
    return _facts_of_models(vendor, tuple(labels()))


@lru_cache(maxsize=8)
def _facts_of_models(vendor: str, _labels: tuple[str, ...]) -> Facts:
    return frozenset(_model_facts(apps, connection)) | frozenset(_sql_facts(own_migrations(), vendor))


@lru_cache(maxsize=8)
def facts_of_migrations(applied: frozenset[Migration], vendor: str, _labels: tuple[str, ...]) -> Facts:
    """Return what some migrations of this program make.

    Building their models takes a quarter of a second, so this is for databases that wait for migrations.
    """
    # Imported here because few processes need it: most databases wait for no migration.
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(None)
    applied_here = frozenset(loader.graph.nodes) & applied
    state = loader.project_state(sorted(applied_here))
    return frozenset(_model_facts(state.apps, connection)) | frozenset(_sql_facts(applied_here, vendor))


def _model_facts(registry: Any, link: BaseDatabaseWrapper) -> Iterator[Fact]:
    for model in registry.get_models(include_auto_created=True):
        meta = model._meta
        if meta.managed and not meta.proxy and not meta.swapped:
            yield Fact(meta.db_table, "table")
            yield from _field_facts(meta, link)
            yield from _constraint_facts(meta)


def _field_facts(meta: Any, link: BaseDatabaseWrapper) -> Iterator[Fact]:
    table = meta.db_table
    yield Fact(table, "primary key", _columns(meta, [field.name for field in meta.pk_fields]))
    for field in meta.local_concrete_fields:
        kind = field.db_parameters(link)["type"]
        if kind is None:
            continue
        yield Fact(table, "column", field.column, _type_text(kind, nullable=field.null))
        if field.unique and not field.primary_key:
            yield Fact(table, "unique", field.column)
        elif field.db_index and not field.primary_key:
            yield Fact(table, "index", field.column)
        if field.remote_field is not None and field.db_constraint:
            target = field.target_field
            yield Fact(table, "reference", field.column, f"{target.model._meta.db_table}.{target.column}")


def _constraint_facts(meta: Any) -> Iterator[Fact]:
    table = meta.db_table
    for fields in meta.unique_together:
        yield Fact(table, "unique", _columns(meta, fields))
    for constraint in meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.fields:
            partial = "partial" if constraint.condition else ""
            yield Fact(table, "unique", _columns(meta, constraint.fields), partial)
        elif isinstance(constraint, CheckConstraint):
            yield Fact(table, "check", constraint.name)
    for index in meta.indexes:
        if index.fields:
            names = [name.lstrip("-") for name in index.fields]
            yield Fact(table, "index", _columns(meta, names), "partial" if index.condition else "")


def _columns(meta: Any, names: Iterable[str]) -> str:
    return ", ".join(meta.get_field(name).column for name in names)


_CREATED: Final = re.compile(r"CREATE (TRIGGER|FUNCTION|TABLE) \W?(\w+)", re.IGNORECASE)
_DROPPED: Final = re.compile(r"DROP (TRIGGER|FUNCTION|TABLE) (?:IF EXISTS )?\W?(\w+)", re.IGNORECASE)
_ON_TABLE: Final = re.compile(r" ON \W?(\w+)", re.IGNORECASE)
_BODY: Final = re.compile(r"\$(\w*)\$(.*)\$\1\$", re.DOTALL)


def _sql_facts(applied: Iterable[Migration], vendor: str) -> Iterator[Fact]:
    """Yield the triggers, functions and tables without row numbers that the SQL of migrations makes."""
    made: dict[tuple[str, str], Fact] = {}
    for statement in _statements(applied, vendor):
        for kind, name in _DROPPED.findall(statement):
            made.pop((kind.upper(), name), None)
        if (created := _CREATED.search(statement)) is None:
            continue
        kind, name = created[1].upper(), created[2]
        if kind == "TRIGGER":
            on = _ON_TABLE.search(statement)
            made[kind, name] = Fact(on[1] if on else "", "trigger", name, _trigger_text(statement))
        elif kind == "FUNCTION":
            body = _BODY.search(statement)
            made[kind, name] = Fact("", "function", name, _bare(body[2] if body else ""))
        elif _without_row_numbers(statement):
            made[kind, name] = Fact(name, "rows", "numbering", "none")
    yield from made.values()


def _statements(applied: Iterable[Migration], vendor: str) -> Iterator[str]:
    """Yield the SQL of migrations of `surveys` and its applications, in the order of their numbers."""
    applied = set(applied)
    for label in labels():
        for _label, name in sorted(each for each in applied & own_migrations() if each[0] == label):
            module = import_module(f"{apps.get_app_config(label).name}.migrations.{name}")
            for operation in module.Migration.operations:
                for each in getattr(operation, "database_operations", [operation]):
                    if isinstance(each, RunSQLByVendor):
                        yield from each.forwards_sql[vendor]


def own_migrations() -> frozenset[Migration]:
    """Return the migrations of `surveys` and the enabled applications."""
    return frozenset(each for each in known_migrations() if each[0] in labels())


def known_migrations() -> frozenset[Migration]:
    """Return the migrations of this program and its libraries."""
    return _known_migrations(tuple(config.name for config in apps.get_app_configs()))


@lru_cache(maxsize=4)
def _known_migrations(_names: tuple[str, ...]) -> frozenset[Migration]:
    """Return the names of each application's migrations, from their file names."""
    found: set[Migration] = set()
    for config in apps.get_app_configs():
        try:
            migrations = import_module(f"{config.name}.migrations")
        except ModuleNotFoundError:
            continue
        # Like Django's loader, skip names with these prefixes, which are not migrations.
        names = (module.name for module in pkgutil.iter_modules(migrations.__path__))
        found |= {(config.label, name) for name in names if not name.startswith(("_", "~"))}
    return frozenset(found)


# --- What a database contains ---

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
        yield Fact(table, "column", column, _type_text(kind, nullable=bool(nullable and not in_key)))
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
            yield Fact(table, "trigger", name, _trigger_text(text))
            continue
        for constraint in re.findall(r'CONSTRAINT "(\w+)" CHECK', text):
            yield Fact(table, "check", constraint)
        if _without_row_numbers(text):
            yield Fact(table, "rows", "numbering", "none")


def _postgresql_facts(cursor: Any) -> Iterator[Fact]:
    found = {name: _rows(cursor, _HERE + statement) for name, statement in _POSTGRESQL.items()}
    for (table,) in found["tables"]:
        yield Fact(table, "table")
    for table, column, kind, nullable in found["columns"]:
        yield Fact(table, "column", column, _type_text(kind, nullable=nullable))
    for table, primary, unique, partial, columns in found["indexes"]:
        kind = "primary key" if primary else "unique" if unique else "index"
        yield Fact(table, kind, columns or "?", "partial" if partial else "")
    for table, column, target in found["references"]:
        yield Fact(table, "reference", column, target)
    for table, name in found["checks"]:
        yield Fact(table, "check", name)
    for table, name, text in found["triggers"]:
        yield Fact(table, "trigger", name, _trigger_text(text))
    for name, body in found["functions"]:
        yield Fact("", "function", name, _bare(body))


# --- The same words for both ---


def _type_text(kind: str, *, nullable: bool) -> str:
    """Return a column's type as both databases and Django spell it.

    >>> _type_text("varchar(150)", nullable=False), _type_text("character varying(150)", nullable=True)
    ('varchar(150)', 'varchar(150) or null')
    """
    text = kind.lower().replace("character varying", "varchar")
    return f"{text} or null" if nullable else text


# PostgreSQL prints a condition with types and parentheses that its author did not write.
_CAST: Final = re.compile(r"::(?:character varying|timestamp with time zone|double precision|\w+)(?:\[\])?")


def _trigger_text(text: str) -> str:
    """Return a trigger's text without what a database adds to it or leaves out.

    >>> _trigger_text("CREATE TRIGGER a WHEN (OLD.b <> 'c')") == _trigger_text(
    ...     "CREATE TRIGGER a WHEN (old.b::text <> 'c'::text)")
    True
    """
    return _bare(re.sub(r"[()]", " ", _CAST.sub("", text)).replace('"', "").replace("public.", ""))


def _bare(text: str) -> str:
    """Return a text in lower case with single blanks.

    >>> _bare(" BEGIN\\n  RAISE;")
    'begin raise;'
    """
    return " ".join(text.lower().split()).rstrip("; ") + (";" if text.rstrip().endswith(";") else "")


def _without_row_numbers(text: str) -> bool:
    return "WITHOUT ROWID" in text.upper()
