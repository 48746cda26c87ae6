"""The schema that models and migrations describe.

Its facts come from Django's models as these migrations leave them, and from the triggers and functions of
their SQL.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.constraints import CheckConstraint, UniqueConstraint

from surveys.extension import extensions
from surveys.migrations._by_vendor import RunSQLByVendor
from surveys.server.schema import Fact, Facts
from surveys.server.schema_spelling import bare_text, trigger_text, type_text, without_row_numbers

Migration = tuple[str, str]
"""Label of the application and name of the migration."""


def labels() -> list[str]:
    """Return the labels of `surveys` and of the enabled applications."""
    return ["surveys", *(config.label for config in extensions())]


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
        yield Fact(table, "column", field.column, type_text(kind, nullable=field.null))
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
            made[kind, name] = Fact(on[1] if on else "", "trigger", name, trigger_text(statement))
        elif kind == "FUNCTION":
            body = _BODY.search(statement)
            made[kind, name] = Fact("", "function", name, bare_text(body[2] if body else ""))
        elif without_row_numbers(statement):
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
