"""Tables of applications that are off: `SOTTO_APPS` leaves them out, the database holds them.

Nothing of such an application runs, also not what deletes its rows on their day. What is promised of a survey
holds nevertheless: with it go the rows that hang on it, found by the foreign keys of the database.
"""

from __future__ import annotations

from typing import Final

from django.apps import apps
from django.db import connection

_SURVEYS: Final = "surveys_survey"
_OURS: Final = "surveys_"

# Filled with names of tables and columns that the database told, quoted, and never with what anybody typed.
_COUNT: Final = "SELECT COUNT(*) FROM {0}"
_HANGS_ON: Final = "{0} IN (SELECT {1} FROM {2} WHERE {3})"
_DELETE: Final = "DELETE FROM {0} WHERE {1}"


def absent_tables() -> list[str]:
    """Return the tables that migrations of `surveys` made and that no application has that is on."""
    known = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
    return sorted(name for name in names if name.startswith(_OURS) and name not in known)


def absent_rows() -> dict[str, int]:
    """Count the rows of each such table, those without rows left out."""
    counted = {}
    with connection.cursor() as cursor:
        for table in absent_tables():
            cursor.execute(_COUNT.format(connection.ops.quote_name(table)))
            counted[table] = cursor.fetchone()[0]
    return {table: count for table, count in counted.items() if count}


def absent_rows_delete(survey_id: int) -> None:
    """Delete what hangs on a survey in such tables, what hangs on another first."""
    quoted = connection.ops.quote_name
    left, chosen = absent_tables(), {_SURVEYS: f"{quoted('id')} = %s"}
    with connection.cursor() as cursor:
        keys = {table: connection.introspection.get_relations(cursor, table) for table in left}
        grown = True
        while grown:
            grown = False
            for table in set(left) - chosen.keys():
                for column, (there, above) in keys[table].items():
                    # One way to the survey is enough; a table may hang on itself besides.
                    if above in chosen and table not in chosen:
                        columns = (quoted(column), quoted(there), quoted(above))
                        chosen[table] = _HANGS_ON.format(*columns, chosen[above])
                        grown = True
        for table in reversed(list(chosen)[1:]):
            cursor.execute(_DELETE.format(quoted(table), chosen[table]), [survey_id])
