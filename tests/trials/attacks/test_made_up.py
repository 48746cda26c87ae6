"""All attacks on made-up surveys, a hundredth of them; the command makes a database of its own for them."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from surveys.models import Survey
from trials.attacks.learnt import Learnt
from trials.attacks.made_up import Effort, attack_made_up
from trials.attacks.respondents import publish, wide_definition

pytestmark = pytest.mark.django_db(transaction=True)

EFFORT = Effort(
    batches=2,
    nights=30,
    people=200,
    devices=200,
    floods=500,
    rules=1,
    codes=10,
    half_sent=8,
    drawn_rows=300,
    sought=60,
    polled=1,
    lives=120,
)


def by_name(found: list[Learnt]) -> dict[str, list[Learnt]]:
    names: dict[str, list[Learnt]] = {}
    for each in found:
        names.setdefault(each.attack.partition(":")[0], []).append(each)
    return names


@pytest.mark.soak
def test_every_attack_says_what_it_learnt_beside_what_chance_gives(tmp_path: Path) -> None:
    found = list(attack_made_up(tmp_path, effort=EFFORT, seed=3))
    names = by_name(found)
    linked = names[f"whose row is whose, {connection.vendor}"]
    assert len(linked) == 5
    assert [each.beyond_chance for each in linked] == [False] * 5
    nightly = names[f"whose row is whose, 2 answers a day, {connection.vendor}"]
    assert [each.beyond_chance for each in nightly] == [False] * (5 if connection.vendor == "sqlite" else 3)
    assert all(each.tried == "60 rows, a backup in each of 30 nights" for each in nightly)
    kept = names[f"keys of today beside log and old copies, {connection.vendor}"]
    assert [each.beyond_chance for each in kept] == [False, False, None]
    assert [
        each.beyond_chance for each in names["which codes were used, by taking all back and trying each"]
    ] == [False]
    assert [each.beyond_chance for each in names["half-sent bodies against availability"]] == [False]
    assert [each.beyond_chance for each in names["one question asked in several wordings, the label"]] == [
        False,
        False,
    ]
    assert [each.beyond_chance for each in names["forged rows make a rule of nothing, open link"]] == [False]
    assert [each.beyond_chance for each in names["questions to a deposit, subtracted"]] == [False]
    assert [
        each.beyond_chance
        for each in names["which group somebody is of, by reading a page with quotas after each person"]
    ] == [False]
    by_questions = names["whose row is whose, by the questions that were asked"]
    assert [each.beyond_chance for each in by_questions] == [False, None]
    judged = names["share of true answers among those that the server disguises"]
    assert [each.beyond_chance for each in judged] == [False]
    assert [
        each.beyond_chance
        for each in names["share of true answers among the stored reports, by part and strength"]
    ] == [False]
    # Where nothing is hidden figures are solved, and where a flood is large enough a row is alone.
    naive = names["subtraction of figures"][1]
    assert "hides nothing" in naive.tried
    assert not naive.learnt.startswith("0 people")
    assert {each.beyond_chance for each in names["all rows but one are forged, open link"]} == {None}
    assert all(each.chance and each.learnt and each.tried for each in found)


@pytest.mark.soak
def test_the_command_attacks_in_a_database_of_its_own_and_leaves_this_one_as_it_is() -> None:
    publish(wide_definition("mine"))
    said = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("attack", "--made-up", "--share", ".01", "--json", stdout=said)
    found = [Learnt(**each) for each in json.loads(said.getvalue())["attacks"]]
    assert len(by_name(found)) == 23
    assert ended.value.code == int(any(each.beyond_chance for each in found))
    assert [survey.slug for survey in Survey.objects.all()] == ["mine"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--share", "0"], "no share"),
        (["--seed", "-1"], "negative"),
        (["--made-up-here"], "This database has surveys"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(arguments: list[str], words: str) -> None:
    publish(wide_definition("mine"))
    with pytest.raises(CommandError, match=words):
        call_command("attack", *arguments)


def test_an_installation_is_attacked_in_words(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("attack", "--installation")
    assert ended.value.code == 0
    assert "holds  rows that wait, read in the database (0 rows)" in capsys.readouterr().out


def test_a_share_of_the_effort_is_a_share_of_each() -> None:
    assert Effort().part(0.5) == Effort(
        batches=10,
        nights=50,
        people=500,
        devices=10_000,
        floods=5_000,
        rules=10,
        codes=1_000,
        half_sent=25,
        drawn_rows=1_000,
        sought=500,
        polled=2,
        lives=150,
    )
    least = vars(Effort().part(1e-9))
    fewest = [least.pop(name) for name in ("people", "nights", "drawn_rows", "sought", "lives")]
    assert fewest == [400, 30, 200, 60, 120]
    assert set(least.values()) == {1}
