"""Tables of disabled applications: count their rows, and delete those of a survey.

`SOTTOVOCE_APPS` can leave out an application whose tables the database still has. None of that application's
code runs, so deleting a survey must delete its rows there by following the foreign keys of the database."""

from __future__ import annotations

from typing import Final

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from surveys.extension import installed

_SURVEYS: Final = "surveys_survey"

# Only quoted names of tables and columns from the database are inserted, never user input.
_COUNT: Final = "SELECT COUNT(*) FROM {0}"
_DEPENDS_ON: Final = "{0} IN (SELECT {1} FROM {2} WHERE {3})"
_DELETE: Final = "DELETE FROM {0} WHERE {1}"


def absent_tables() -> list[str]:
    """Return the tables of applications that migrated this database and are disabled now."""
    return _tables_of(_absent_applications())


def unclaimed_tables() -> list[str]:
    """Return the tables of applications that migrated this database and are no longer installed.

    Nothing here says what their rows are, so a backup contains none of them.
    """
    return _tables_of(_absent_applications() - {each.name for each in installed()})


def _absent_applications() -> set[str]:
    active_apps = {config.label for config in apps.get_app_configs()}
    return {app for app, _name in MigrationRecorder(connection).applied_migrations()} - active_apps


def _tables_of(labels: set[str]) -> list[str]:
    off = tuple(f"{app}_" for app in labels)
    with connection.cursor() as cursor:
        return sorted(name for name in connection.introspection.table_names(cursor) if name.startswith(off))


def absent_rows() -> dict[str, int]:
    """Count the rows of each table of a disabled application; leave out empty tables."""
    counts = {}
    with connection.cursor() as cursor:
        for table in absent_tables():
            cursor.execute(_COUNT.format(connection.ops.quote_name(table)))
            counts[table] = cursor.fetchone()[0]
    return {table: count for table, count in counts.items() if count}


def absent_rows_delete(survey_id: int) -> None:
    """Delete the rows of disabled applications that depend on a survey, dependent tables first."""
    quote = connection.ops.quote_name
    left, conditions = absent_tables(), {_SURVEYS: f"{quote('id')} = %s"}
    with connection.cursor() as cursor:
        keys = {table: connection.introspection.get_relations(cursor, table) for table in left}
        has_grown = True
        while has_grown:
            has_grown = False
            for table in set(left) - conditions.keys():
                for column, (referenced_column, above) in keys[table].items():
                    # One path to the survey is enough, and a table may also refer to itself.
                    if above in conditions and table not in conditions:
                        columns = (quote(column), quote(referenced_column), quote(above))
                        conditions[table] = _DEPENDS_ON.format(*columns, conditions[above])
                        has_grown = True
        for table in reversed(list(conditions)[1:]):
            cursor.execute(_DELETE.format(quote(table), conditions[table]), [survey_id])
