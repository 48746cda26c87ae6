from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def simulate(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("simulate", *arguments, "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def test_each_itemset_stands_beside_its_truth_and_errors() -> None:
    report = simulate(
        "--n", "2000", "--items", "3", "--k", ".2", "--p", ".3", "--theta", ".6", "--seed", "11"
    )
    assert [row["items"] for row in report["itemsets"]] == [
        ["item1"], ["item2"], ["item3"], ["item1", "item2"], ["item1", "item3"], ["item2", "item3"],
        ["item1", "item2", "item3"],
    ]  # fmt: skip
    for row in report["itemsets"]:
        assert row["W"] == pytest.approx(abs(row["true"] - row["estimated"]), abs=1e-12)
        assert row["W"] < 6 * row["standard_error"]
        assert 0 <= row["observed"] <= 1
    assert report["n_direct"] + report["n_protected"] == report["n"] == 2000
    assert (report["p"], report["theta"], report["blocks"]) == (0.3, 0.6, [3])
    assert len(report["design_id"]) == 64


def test_one_seed_gives_the_same_figures_and_another_one_others() -> None:
    first, again, other = (simulate("--n", "300", "--seed", seed) for seed in ("7", "7", "8"))
    assert first == again
    assert first["itemsets"] != other["itemsets"]


def test_a_seed_that_was_drawn_is_printed_and_can_be_used_again() -> None:
    drawn = simulate("--n", "300")
    assert simulate("--n", "300", "--seed", str(drawn["seed"])) == drawn


def test_questions_can_be_spread_over_blocks() -> None:
    one = simulate("--n", "300", "--blocks", "2,2", "--max-size", "2", "--seed", "3")
    assert one["blocks"] == [2, 2]
    assert one == simulate("--n", "300", "--items", "3", "--blocks", "2,2", "--max-size", "2", "--seed", "3")
    assert len(one["itemsets"]) == 4 + 6
    assert one["design_id"] != simulate("--n", "300", "--items", "4", "--seed", "3")["design_id"]


def test_where_everybody_answers_directly_nothing_is_lost() -> None:
    report = simulate("--n", "300", "--k", "1", "--p", "0", "--seed", "3")
    assert all(row["W"] == pytest.approx(0, abs=1e-12) for row in report["itemsets"])


def test_one_prevalence_serves_all_items() -> None:
    report = simulate("--n", "300", "--prevalence", "1", "--seed", "3")
    assert {row["true"] for row in report["itemsets"]} == {1.0}
    assert report["prevalence"] == [1.0, 1.0, 1.0]


def test_without_json_it_prints_a_table_for_people() -> None:
    out = StringIO()
    call_command("simulate", "--n", "300", "--seed", "3", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[1].split() == ["itemset", "true", "observed", "estimate", "SE", "W"]
    assert len(lines) == 1 + 1 + 7 + 1
    assert lines[-1].startswith("mean W ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--p", ".33333"], "at most four decimals"),
        (["--p", "1.2"], "give one from 0 to 1"),
        (["--p", "many"], "is not a number"),
        (["--p", "nan"], "give one from 0 to 1"),
        (["--theta", "0"], "Unrelated probability of item1 = 0 is outside 1..9999"),
        (["--p", "0"], "p = 0 carries no information"),
        (["--blocks", "3,0"], "holds an empty block"),
        (["--blocks", "3,x"], "no list of whole numbers"),
        (["--items", "0"], "--items 0 is out of range. Give at least 1"),
        (["--n", "0"], "--n 0 is out of range. Give at least 1 and at most 5000000"),
        (["--max-size", "0"], "--max-size 0 is out of range. Give at least 1"),
        (["--k", "1.5"], "--k 1.5 is no probability"),
        (["--prevalence", ".1,.2"], "names 2 shares for 3 items"),
        (["--prevalence", "1.5"], "Prevalence = 1.5 is outside [0, 1]"),
        (["--prevalence", "half"], "no list of numbers"),
        (["--dependence", "2"], "Dependence = 2.0 is outside [0, 1]"),
        (["--seed", "-1"], "--seed -1 is negative"),
        (["--items", "90", "--max-size", "3"], "90 items have 121575 itemsets"),
    ],
)
def test_it_refuses_what_cannot_be_simulated_and_says_what_can(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("simulate", "--n", "20", *arguments) if "--n" not in arguments else call_command(
            "simulate", *arguments
        )
    assert message in str(refusal.value)


def test_the_help_names_every_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_code:
        call_command("simulate", "--help")
    assert exit_code.value.code == 0
    shown = capsys.readouterr().out
    assert all(f"--{name}" in shown for name in ("n", "items", "blocks", "k", "p", "theta", "seed", "json"))
