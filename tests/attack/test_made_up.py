"""All attacks on simulated surveys, at a hundredth of the effort; the command creates a database for them."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from surveys.models import Survey
from tests.attack.__main__ import NAMES, main
from tests.attack.learnt import Learnt
from tests.attack.made_up import ATTACKS, Effort, attack_made_up
from tests.attack.respondents import publish, wide_definition

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
    lives=120,
)


def by_name(found: list[Learnt]) -> dict[str, list[Learnt]]:
    names: dict[str, list[Learnt]] = {}
    for each in found:
        names.setdefault(each.attack.partition(":")[0], []).append(each)
    return names


@pytest.mark.soak
def test_every_attack_reports_its_result_against_chance(tmp_path: Path) -> None:
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
        False
    ]
    assert [each.beyond_chance for each in names["forged rows make a rule of nothing, open link"]] == [False]
    assert [each.beyond_chance for each in names["questions to a release, subtracted"]] == [False]
    by_questions = names["whose row is whose, by the questions that were asked"]
    assert [each.beyond_chance for each in by_questions] == [False, None]
    judged = names["share of true answers among those that the server disguises"]
    assert [each.beyond_chance for each in judged] == [False]
    assert [
        each.beyond_chance
        for each in names["share of true answers among the stored reports, by part and strength"]
    ] == [False]
    # The naive targets are broken: unprotected figures are solved, and a large flood isolates a row.
    naive = names["subtraction of figures"][1]
    assert "hides nothing" in naive.tried
    assert not naive.learnt.startswith("0 people")
    assert {each.beyond_chance for each in names["all rows but one are forged, open link"]} == {None}
    assert all(each.chance and each.learnt and each.tried for each in found)


@pytest.mark.soak
def test_the_command_attacks_only_a_separate_database(capsys: Any) -> None:
    publish(wide_definition("mine"))
    code = main(["--made-up", "--share", ".01", "--json"])
    found = [Learnt(**each) for each in json.loads(capsys.readouterr().out)["attacks"]]
    assert len(by_name(found)) == 24
    assert code == int(any(each.beyond_chance for each in found))
    assert [survey.slug for survey in Survey.objects.all()] == ["mine"]


@pytest.mark.parametrize(
    "arguments", [["--share", "0"], ["--share", "101"], ["--seed", "-1"], ["--only", "x"]]
)
def test_the_command_refuses_invalid_arguments(arguments: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_a_database_with_surveys_is_not_filled_with_made_up_ones(capsys: Any) -> None:
    publish(wide_definition("mine"))
    assert main(["--made-up-here"]) == 2
    assert "this database has surveys" in capsys.readouterr().err


def test_every_attack_on_made_up_surveys_is_named() -> None:
    assert tuple(ATTACKS) == NAMES


def test_the_installation_attack_reports_results_in_words(capsys: Any) -> None:
    assert main(["--installation"]) == 0
    assert "holds  rows that wait, read in the database (0 rows)" in capsys.readouterr().out


def test_a_partial_effort_scales_every_attack() -> None:
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
        lives=150,
    )
    least = vars(Effort().part(1e-9))
    fewest = [least.pop(name) for name in ("people", "nights", "drawn_rows", "sought", "lives")]
    assert fewest == [400, 30, 200, 60, 120]
    assert set(least.values()) == {1}
