"""SQL that differs between SQLite and PostgreSQL; the only module of ours that migrations import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import RunPython
from django.db.utils import NotSupportedError


class RunSQLByVendor(RunPython):
    """Run the statements that belong to the database in use.

    Django's SQLite backend rebuilds a table when a column of it is altered or removed, and the rebuilt table
    has neither triggers nor WITHOUT ROWID: a migration that does so must run these statements again. A test
    of the fully migrated schema notices when one does not.

    Parameters
    ----------
    forwards, backwards : dict of str to sequence of str
        Statements per vendor, ``"sqlite"`` and ``"postgresql"``.
    """

    def __init__(self, forwards: dict[str, Sequence[str]], backwards: dict[str, Sequence[str]]) -> None:
        self.forwards_sql, self.backwards_sql = forwards, backwards
        super().__init__(_runner(forwards), _runner(backwards))

    def deconstruct(self) -> tuple[str, Sequence[Any], dict[str, Any]]:
        return (type(self).__qualname__, [self.forwards_sql, self.backwards_sql], {})


def _runner(statements: dict[str, Sequence[str]]) -> Any:
    def run(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
        vendor = schema_editor.connection.vendor
        if vendor not in statements:
            raise NotSupportedError(f"Sottovoce keeps its rows in sqlite or postgresql, not in {vendor}.")
        for statement in statements[vendor]:
            # Without parameters the statement reaches the database as it is: a % in it is no placeholder.
            schema_editor.execute(statement, params=None)

    return run
