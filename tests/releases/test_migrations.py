"""A database of before deposits were an application of their own: the same schema, and every row is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from tests.operations.test_backup import Machine, another_machine

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

LAST = "0057_keys_of_designs"
"""The last migration of surveys with deposits among its models."""

OF_SQLITE = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
OF_POSTGRESQL = (
    "SELECT table_name, column_name, data_type, is_nullable, column_default, ''"
    " FROM information_schema.columns WHERE table_schema = 'public'",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(pg_constraint.oid)"
    " FROM pg_constraint JOIN pg_namespace ON pg_namespace.oid = connamespace WHERE nspname = 'public'",
    "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(pg_trigger.oid)"
    " FROM pg_trigger WHERE NOT tgisinternal",
)
FILL = (
    "INSERT INTO auth_user (id, username, password, is_superuser, first_name, last_name, email, is_staff,"
    " is_active, date_joined) VALUES (7, 'ana', '', {no}, '', '', '', {yes}, {yes}, '2026-01-01')",
    "INSERT INTO surveys_deposit (id, name, made_at, records, columns, bounds, result, questions_each,"
    " owner_id) VALUES (3, 'people.csv', '2026-01-01', 12, '[]', '{{}}', '{{}}', 0, 7)",
    "INSERT INTO surveys_depositquestion (id, asked_at, text, asker_id, deposit_id)"
    " VALUES (5, '2026-01-02', 'count', 7, 3)",
)
GRANT = (
    "INSERT INTO auth_user_user_permissions (user_id, permission_id) SELECT 7, auth_permission.id"
    " FROM auth_permission JOIN django_content_type ON content_type_id = django_content_type.id"
    " WHERE codename = 'view_deposit' AND app_label = 'surveys'"
)
READ = """
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from releases.models import Deposit
deposit = Deposit.objects.get()
ana = User.objects.get()
print([deposit.name, deposit.owner.username, [question.text for question in deposit.questions.all()]])
print(sorted(ana.get_user_permissions()))
print(sorted(ContentType.objects.filter(model__startswith="deposit").values_list("app_label", "model")))
"""


def schema(machine: Machine) -> set[tuple[str, ...]]:
    queries = [OF_SQLITE] if connection.vendor == "sqlite" else OF_POSTGRESQL
    return {tuple(map(str, row)) for query in queries for row in machine.ask(query)}


def migrated(machine: Machine, *to: str) -> None:
    code, said = machine.types("migrate", *to)
    assert code == 0, said


EARLIER = f"""
from django.core.management import call_command
from tests.fixtures.earlier import without_squashed
with without_squashed():
    call_command("migrate", "surveys", {LAST!r}, verbosity=0)
"""


def at_the_last_with_deposits(machine: Machine) -> None:
    """Migrate there as a release did that had no squashed migration."""
    code, said = machine.types("shell", "--no-imports", "-c", EARLIER)
    assert code == 0, said


def test_an_upgraded_database_is_a_new_one_and_keeps_its_rows(tmp_path: Path) -> None:
    words = {"yes": "1", "no": "0"} if connection.vendor == "sqlite" else {"yes": "TRUE", "no": "FALSE"}
    with another_machine(tmp_path / "new") as machine:
        migrated(machine)
        wanted = schema(machine)
        assert any("surveys_depositquestion" in row for row in wanted)
    with another_machine(tmp_path / "old") as machine:
        at_the_last_with_deposits(machine)
        migrated(machine, "auth")
        for statement in FILL:
            machine.ask(statement.format(**words))
        machine.ask(GRANT)
        migrated(machine)
        assert schema(machine) == wanted
        code, said = machine.types("shell", "--no-imports", "-c", READ)
        assert code == 0, said
        assert said.splitlines() == [
            "['people.csv', 'ana', ['count']]",
            "['releases.view_deposit']",
            "[('releases', 'deposit'), ('releases', 'depositcolumn'), ('releases', 'depositpart'), "
            "('releases', 'depositquestion'), ('releases', 'deposittable')]",
        ]
        # And back, as an older release wants it.
        migrated(machine, "releases", "zero")
        at_the_last_with_deposits(machine)
        labels = machine.ask(
            "SELECT DISTINCT app_label FROM django_content_type WHERE model IN ('deposit', 'deposittable')"
        )
        assert labels == [("surveys",)]
        assert machine.ask("SELECT COUNT(*) FROM surveys_deposit") == [(1,)]
