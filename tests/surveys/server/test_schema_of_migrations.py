"""The schema that migrations make, part by part."""

import dataclasses

import pytest
from django.db import connection

from surveys.server.schema import differences
from surveys.server.schema_of_database import facts_of_database
from surveys.server.schema_of_migrations import facts_of_migrations, facts_of_models, known_migrations, labels


@pytest.mark.django_db
def test_models_and_migrations_make_the_same_schema() -> None:
    every = facts_of_migrations(known_migrations(), connection.vendor, tuple(labels()))
    assert every == facts_of_models()
    with connection.cursor() as cursor:
        found = facts_of_database(cursor, connection.vendor)
    assert differences(every, found, prefixes=["surveys_", "anonymisation_"]) == []
    # Otherwise the next test would try nothing.
    assert {fact.kind for fact in every} >= {"column", "index", "reference", "trigger", "unique", "check"}


@pytest.mark.django_db
def test_each_missing_or_different_part_of_the_schema_is_named() -> None:
    with connection.cursor() as cursor:
        found = facts_of_database(cursor, connection.vendor)
    prefixes = ["surveys_", "anonymisation_"]
    for fact in facts_of_models():
        if fact.kind == "index" and any(
            (other.table, other.name) == (fact.table, fact.name) and other != fact for other in found
        ):
            # Another index has the same columns.
            continue
        other = dataclasses.replace(fact, detail="another")
        for changed in (found - {fact}, found - {fact} | {other}):
            said = differences(facts_of_models(), changed, prefixes=prefixes)
            if fact.kind == "index" and changed is not None and other in changed:
                continue
            assert said, fact
            assert (fact.table or fact.name) in said[0]
