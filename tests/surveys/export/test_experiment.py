"""The scripts of an export compute Did it help? again, and notice a figure that is off."""

from __future__ import annotations

import csv
import io
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from surveys.figures.margins import Shares, margins_of
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.ready_parts import ready_parts
from surveys.report.comparison_page import arms_of
from surveys.report.run_page import OpenedRun
from tests.cast.checked_surveys import yes_no
from tests.cast.exports import records, unpacked
from tests.cast.runs import answered, mined
from tests.surveys.report.test_arm_words import definition, run_of
from tests.surveys.report.test_weighted_arms import in_city, numbers

pytestmark = pytest.mark.django_db

COMMANDS = {"python": [sys.executable, "-I", "experiment.py"], "R": ["Rscript", "--vanilla", "experiment.R"]}
BOTH = pytest.mark.parametrize("language", ["python", pytest.param("R", marks=pytest.mark.r)])
HALVES: Shares = {"city": {"no": 0.5, "yes": 0.5}}


def in_english(value: Any) -> Any:
    if isinstance(value, list):
        return [in_english(inner) for inner in value]
    if isinstance(value, dict):
        return {key: in_english(inner) for key, inner in value.items() if key != "zh-hans"}
    return value


def with_everything() -> Run:
    """Arms and two drawn strengths, an average with skips, check questions, who understood and who trusts."""
    parts, city = ready_parts(), in_city()
    told, you, work, both = numbers()
    work["questions"][0]["number"]["epsilon"] = 2
    anchors = [part | {"truth_probability": 6000} for part in in_english(parts["anchors"])]

    def more(arm: int, rng: random.Random) -> dict[str, Any]:
        return {
            **city(arm, rng),
            "understood": {"understood": rng.randrange(3)},
            "trust-item": {"trust-item": rng.randrange(4)},
            "trust": {"trust": rng.randrange(3)} if rng.random() < 0.9 else {},
            "anchor-nobody": {"anchor-nobody": int(rng.random() < 0.05)},
            "anchor-everybody": {"anchor-everybody": 1},
        }

    blocks = [told, *in_english(parts["before"]), you, work, both, *anchors, *in_english(parts["after"])]
    group = {"policy": "assigned", "direct_share": 5000, "light": True}
    return run_of(1_600, more=more, blocks=blocks, group=group)


def some_each() -> Run:
    """One of three questions each."""
    told, both = definition()["blocks"]
    both["questions"].append(yes_no("lent"))
    return run_of(1_800, blocks=[told, both | {"questions_per_person": 1}])


def run_script(where: Path, language: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMANDS[language], *words]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)


COLUMNS = (
    "share",
    "mean",
    "low",
    "difference",
    "p_value",
    "p_holm",
    "joint_statistic",
    "drawn_share_p_value",
)


@BOTH
@pytest.mark.parametrize("made", [with_everything, pytest.param(some_each, marks=pytest.mark.soak)])
def test_a_script_finds_every_figure_the_same(tmp_path: Path, made: Any, language: str) -> None:
    done = run_script(unpacked(made(), tmp_path), language)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    for column in COLUMNS:
        assert f"arms      {column} " in done.stdout or (column == "mean" and made is some_each)


@BOTH
@pytest.mark.soak
def test_a_script_finds_a_figure_that_is_off_and_a_line_that_is_gone(tmp_path: Path, language: str) -> None:
    where = unpacked(with_everything(), tmp_path)
    path = where / "run" / "arms.csv"
    lines = records(path)
    for column in COLUMNS:
        moved = [dict(line) for line in lines]
        off = next(line for line in moved if line[column])
        off[column] = repr(float(off[column]) * (1 + 1e-6) + 1e-8)
        write(path, moved)
        done = run_script(where, language)
        assert done.returncode == 1
        assert [line.split()[1] for line in done.stdout.splitlines() if "DIFFERS" in line] == [column]
    write(path, lines[1:])
    assert run_script(where, language).returncode == 1


def write(path: Path, lines: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)


def test_the_file_holds_what_the_page_has_of_every_division(tmp_path: Path) -> None:
    lines = records(unpacked(with_everything(), tmp_path) / "run" / "arms.csv")
    assert {line["by"] for line in lines} == {"told", "group", "told × group"}
    roles = {
        role: {line["outcome"] for line in lines if line["role"] == role} for role in ("answer", "check")
    }
    assert roles["answer"] == {"copied", "late", "hours.mean"} or "copied" in roles["answer"]
    assert roles["check"] == {"anchor-nobody", "anchor-everybody"}
    understood = [line for line in lines if line["role"] == "understanding" and line["by"] == "told"]
    assert [line["outcome"] for line in understood] == ["understood=nothing"] * 2 + ["trust=yes"] * 2
    assert all(line["share"] and not line["p_value"] for line in understood)


@pytest.mark.parametrize("language", ["python", pytest.param("R", marks=[pytest.mark.r, pytest.mark.soak])])
def test_weighted_figures_are_those_of_the_page(tmp_path: Path, language: str) -> None:
    run = with_everything()
    where = unpacked(run, tmp_path)
    (where / "shares.csv").write_text("question,option,share\ncity,no,0.5\ncity,yes,50 %\n", encoding="utf-8")
    done = run_script(where, language, "--shares", "shares.csv")
    assert done.returncode == 0, done.stdout + done.stderr
    computed = list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))
    text = arms_of(OpenedRun(run, labels_of(run.version, run.design)), "told", margins_of(HALVES, run.design))
    compared = 0
    for record in text.records():
        (line,) = (
            line
            for line in computed
            if all(line[name] == record[name] for name in ("by", "group", "role", "outcome"))
        )
        for column in ("share", "mean", "low", "standard_error", "difference", "p_holm", "joint_statistic"):
            if record[column] is not None:
                assert float(line[column]) == pytest.approx(record[column], rel=1e-9, abs=1e-9)
                compared += 1
    assert compared > 30
    (where / "shares.csv").write_text("town,no,1\n", encoding="utf-8")
    refused = run_script(where, language, "--shares", "shares.csv")
    assert refused.returncode == 1
    assert refused.stdout.startswith("refused\tweights\ttown")


def test_an_export_without_an_experiment_has_no_script_of_one(tmp_path: Path) -> None:
    where = unpacked(mined(answered()), tmp_path)
    assert not list(where.glob("experiment*"))
    assert not (where / "run" / "arms.csv").exists()
