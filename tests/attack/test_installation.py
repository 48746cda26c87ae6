"""Attacks on an installation only read, and detect planted leaks."""

import secrets

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from surveys.intake import mix as mixer
from surveys.intake.mix import mix
from surveys.models import Inbox, MixerKey
from tests.attack.installation import attack_installation
from tests.attack.learnt import Learnt
from tests.attack.respondents import Respondents, publish, wide_definition
from tests.fixtures.planted_leaks import LEAKS
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.traces import statements

pytestmark = pytest.mark.django_db(transaction=True)


def found() -> dict[str, Learnt]:
    return {each.attack: each for each in attack_installation()}


def test_a_sound_installation_leaks_nothing_in_its_tables() -> None:
    respondents = Respondents(publish(wide_definition("wide", questions=90)))
    respondents.answer(100)
    mix(now=timezone.now())
    respondents.answer(5)
    seen = found()
    assert seen["rows that wait, read in the database"].tried == "55 rows"
    assert not any(each.beyond_chance for each in seen.values())
    assert len(seen) == (3 if connection.vendor == "sqlite" else 5)


def test_an_unsealed_waiting_row_is_detected() -> None:
    """The naive target, which must be broken: a row that is not sealed."""
    respondents = Respondents(publish(wide_definition("wide", questions=90)))
    key = MixerKey.objects.get(current=True)
    Inbox.objects.create(
        key=secrets.token_bytes(16), version=respondents.version, sealed_under=key.name, box=respondents.row()
    )
    assert found()["rows that wait, read in the database"].beyond_chance


def test_plain_rows_as_long_as_boxes_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS["plain rows as long as boxes"].plant(monkeypatch.setattr)
    Respondents(publish(wide_definition("wide", questions=90))).answer(40)
    assert found()["rows that wait, read in the database"].beyond_chance


@pytest.mark.parametrize("questions", [3, 90])
@pytest.mark.few("3", why="the fewest rows")
def test_boxes_derived_from_their_rows_are_detected(questions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows of a small design are resealed; for a large one, only the rows of its batches."""
    respondents = Respondents(publish(wide_definition("wide", questions=questions)))
    LEAKS["boxes follow from their rows"].plant(monkeypatch.setattr)
    row = respondents.row()
    for _ in range(16):
        respondents.send(row if questions == 90 else respondents.row())
    if questions == 90:
        monkeypatch.setattr(mixer, "LEAST_WAITING", 16)
        monkeypatch.setattr(mixer, "POOL", 8)
        mix(now=timezone.now())
    seen = found()["rows that wait, sealed again from every row that there can be"]
    waiting = Inbox.objects.count()
    assert seen.beyond_chance
    assert seen.learnt == f"{waiting} boxes that sealing gives again"
    # The bits look random, so no other attack detects the leak.
    if questions == 3:
        assert not found()["rows that wait, read in the database"].beyond_chance


def test_inbox_ciphertexts_look_random() -> None:
    """Forty boxes of 568 bits each; a false alarm has a probability of one in a million."""
    Respondents(publish(wide_definition("wide", questions=90))).answer(40)
    assert not found()["rows that wait, read in the database"].beyond_chance


@pytest.mark.parametrize("leak", ["a body in a file", "a receipt's key beside its row in another table"])
def test_planted_keys_and_rows_are_found_in_tables_and_files(
    leak: str, batches_of_one: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    respondents = Respondents(publish(wide_definition("wide", questions=90)))
    LEAKS[leak].plant(monkeypatch.setattr)
    try:
        respondents.answer(10)
        mix(now=timezone.now())
        seen = found()["keys and rows in every table and file"]
    finally:
        (settings.SOTTOVOCE_HOME / "spool").unlink(missing_ok=True)
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS notes")
    assert seen.beyond_chance
    assert "row in notes.body" in seen.learnt or "/spool (" in seen.learnt


@pytest.mark.only("postgresql")
def test_receipts_in_arrival_order_are_detected() -> None:
    respondents = Respondents(publish(wide_definition("wide", questions=90)))
    respondents.answer(100)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE surveys_receipt SET fresh = false WHERE digest IS NOT NULL")
    seen = found()
    assert seen["the order in which receipts lie (ctid)"].beyond_chance
    # One transaction wrote all receipts, so it does not distinguish them.
    assert not seen["the transactions that wrote receipts (xmin)"].beyond_chance
    respondents.answer(1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE surveys_receipt SET fresh = false WHERE fresh AND digest IS NOT NULL")
    assert found()["the transactions that wrote receipts (xmin)"].beyond_chance


@pytest.mark.soak
def test_attacks_on_live_runs_only_read() -> None:
    run = mined_run(answered_version(300, n_direct=100))
    with statements() as noted:
        seen = found()
    disguised = seen["share of true answers among those that the server disguises"]
    assert disguised.tried.startswith(f"habits, run {run.pk}: 100 people")
    assert not disguised.beyond_chance
    assert seen["subtraction of figures: open answers"].tried.startswith(f"habits, run {run.pk}: 300 people")
    assert {sql.lstrip("( ").split()[0] for sql, _values in noted} == {"SELECT"}
