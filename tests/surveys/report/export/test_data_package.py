"""The ZIP file: its contents, its script that reproduces the run's estimates, and refusals."""

import ast
import io
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.csv
import pyarrow.parquet
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from mining.interest import WITH_INTERVALS
from mining.thresholds import Sides, Thresholds
from surveys.accounts.people import account_change
from surveys.accounts.roles import Role, roles_keep
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Run, Survey, Version
from surveys.questionnaire.ready_parts import ready_parts
from surveys.report.export import data_package, rows
from surveys.report.export.data_package import data_export
from surveys.report.export.reproduction import reproduction_script
from surveys.report.export.rule_columns import PREDICTED
from surveys.report.run_facts import RUN_COLUMNS
from surveys.runs.draw_facts import draw_facts
from tests.fixtures.exports import (
    everything,
    lightly,
    move_a_figure_by_a_millionth,
    nearly_random,
    records,
    script,
    skipping,
    unpacked,
)
from tests.fixtures.rotating_exports import (
    four_of_ten,
    parts_in_turn,
    rotating_version,
    three_of_eight,
    two_parts,
)
from tests.fixtures.runs import (
    LOOSE,
    alice,
    answered_version,
    find_run,
    mined_run,
    open_version,
    requested_run,
)
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.scenes import scene
from tests.surveys.report.results.test_arm_effects import in_english, run_of
from tests.surveys.runs.test_margin_weights import in_city, numbers

pytestmark = pytest.mark.django_db


@pytest.mark.soak
@pytest.mark.parametrize(
    ("made", "thresholds"),
    [
        (answered_version, Thresholds(support=0.05, confidence=0.1, sides=Sides(consequent=(2, 3, 4)))),
        (everything, Thresholds(support=0.08, max_size=2)),
    ],
    ids=["rules of three", "rules of two"],
)
def test_the_python_script_reproduces_every_figure(
    tmp_path: Path, made: Callable[[], Version], thresholds: Thresholds
) -> None:
    run = mined_run(made(), thresholds)
    done = script(unpacked(run, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    # Compare with all digits of the database's values.
    rules = records(tmp_path / "run" / "rules.csv")
    stored = run.rules.select_related("inference").order_by("pk")
    assert [float(rule["lift_high"]) for rule in rules] == [rule.lift_high for rule in stored]
    assert [float(rule["p_adjusted"]) for rule in rules] == [rule.inference.p_adjusted for rule in stored]
    assert len(rules) > 10
    compared = set(re.findall(r"^rules +(\w+)", done.stdout, re.MULTILINE))
    assert compared == set(rules[0]) - NOT_FIGURES


@pytest.mark.soak
def test_the_zip_contains_rows_as_csv_and_parquet_with_a_codebook(tmp_path: Path) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.05, max_size=2))
    where = unpacked(run, tmp_path)
    text = pd.read_csv(where / "rows.csv")
    assert len(text) == run.n
    assert text.equals(pd.read_parquet(where / "rows.parquet").astype(text.dtypes.to_dict()))
    codebook = records(where / "codebook.csv")
    assert {line["column"] for line in codebook} == set(text.columns)
    line = next(line for line in codebook if line["column"] == "cheat" and line["value"] == "1")
    assert (line["kept"], line["truth_probability"], line["unrelated_share"]) == ("disguised", "0.6", "0.4")
    assert line["question_en"] == "Have you cheated?"
    assert "Have you cheated?" in (where / "codebook.csv").read_text(encoding="utf-8")
    readme = (where / "README.md").read_text(encoding="utf-8")
    assert run.snapshot_digest in readme
    assert "Not computed again" in readme
    assert "| ethics | Made for a test. |" in readme
    assert not (where / "run" / "arms.csv").exists()
    event = AuditEvent.objects.get(action="data_export")
    assert (event.actor, event.target) == ("alice", f"habits run {run.pk}")
    assert event.detail == {"snapshot": run.snapshot_digest, "groups": True, "file": "zip"}


@pytest.mark.parametrize(
    "made",
    [everything, lambda: rotating_version(parts_in_turn(), 300), lambda: scale_answered(300, skips=0.2)],
    ids=["all kinds", "drawn parts", "numbers and places"],
)
@pytest.mark.soak
def test_csv_and_parquet_hold_the_same_cells_for_all_kinds(
    made: Callable[[], Version], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CSV file equals pyarrow's conversion of the Parquet file, byte for byte."""
    run = mined_run(made(), Thresholds(support=0.1, max_size=1))
    monkeypatch.setattr(rows, "LINES_AT_A_TIME", 97)
    monkeypatch.setattr(rows, "EXPORTED_AT_A_TIME", 101)
    where = unpacked(run, tmp_path)
    table = pyarrow.parquet.read_table(where / "rows.parquet")
    assert {str(kind) for kind in table.schema.types} <= {"int8", "int64", "string"}
    assert any(column.null_count for column in table.columns)
    expected = io.BytesIO()
    pyarrow.csv.write_csv(table, expected, pyarrow.csv.WriteOptions(quoting_style="needed"))
    assert (where / "rows.csv").read_bytes() == expected.getvalue()


def test_without_pyarrow_the_zip_leaves_out_parquet_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = mined_run(everything(), Thresholds(support=0.1, max_size=1))
    whole, without = unpacked(run, tmp_path / "whole"), tmp_path / "without"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    unpacked(run, without)
    named, left = (
        {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        for folder in (whole, without)
    )
    assert named.keys() - left.keys() == {"rows.parquet"}
    assert left["rows.csv"].read_bytes() == named["rows.csv"].read_bytes()
    # Neither README nor signed list of files names it.
    assert not [name for name, path in left.items() if b"parquet" in path.read_bytes().lower()]
    assert "`rows.parquet`" in named["README.md"].read_text(encoding="utf-8")
    assert "rows.parquet" in named["snapshot.json"].read_text(encoding="utf-8")


@pytest.mark.soak
def test_the_readme_describes_the_mechanism_of_each_part(tmp_path: Path) -> None:
    run = mined_run(everything(), Thresholds(support=0.1, max_size=1))
    readme = (unpacked(run, tmp_path) / "README.md").read_text(encoding="utf-8")
    laws = dict(re.findall(r"^- `(work|took|time)`: (.*)$", readme, re.MULTILINE))
    assert laws["work"].startswith("60 times in 100, the device sends the true answers of this part.")
    assert "15 in 100 are “skipped”" in laws["took"]
    assert laws["time"].startswith("a number in one of 8 bins.")
    assert "true answers of this part" not in laws["time"]


@pytest.mark.soak
def test_the_readme_of_made_up_rows_first_says_that_some_are_true_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.1, max_size=1))
    monkeypatch.setattr(Version, "holds_undisguised", False)
    readme = (unpacked(run, tmp_path) / "README.md").read_text(encoding="utf-8")
    assert "**Some\nrows are true answers" in readme


@pytest.mark.soak
@pytest.mark.parametrize("made", [answered_version, lambda: scale_answered(300)])
def test_the_readme_says_which_places_are_exact(made: Callable[[], Version], tmp_path: Path) -> None:
    run = mined_run(made(), Thresholds(support=0.1, max_size=1))
    readme = (unpacked(run, tmp_path) / "README.md").read_text(encoding="utf-8")
    has_places = "care" in {question.key for question in run.version.to_design().questions}
    assert ("except that places outside the\nsensitive areas of a map are exact." in readme) is has_places


@pytest.mark.soak
def test_the_script_reproduces_figures_at_the_smallest_truth_probability(tmp_path: Path) -> None:
    where = unpacked(mined_run(nearly_random(), Thresholds(support=0.001, max_size=3)), tmp_path)
    done = script(where)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    # Each figure is still compared strictly, also those of estimates that are too inexact to print.
    move_a_figure_by_a_millionth(where, "support_unclipped")
    assert re.search(r"support +1\.00e-06 +DIFFERS", script(where).stdout)


def test_the_package_is_refused_for_runs_that_cannot_be_exported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    version = answered_version()
    with pytest.raises(SurveyError) as refusal:
        data_export(requested_run(version), io.BytesIO(), by=None, now=timezone.now())
    assert refusal.value.code == "not_finished"
    run = mined_run(version)
    Run.objects.filter(pk=run.pk).update(n=99)
    run.refresh_from_db()
    with pytest.raises(SurveyError) as refusal:
        data_export(run, io.BytesIO(), by=None, now=timezone.now())
    assert refusal.value.code == "too_few"
    Run.objects.filter(pk=run.pk).update(n=800)
    run.refresh_from_db()
    monkeypatch.setattr(data_package, "MOST_PACKAGE_BYTES", 100)
    with pytest.raises(SurveyError) as refusal:
        data_export(run, io.BytesIO(), by=None, now=timezone.now())
    assert refusal.value.code == "too_large"
    monkeypatch.undo()
    with (tmp_path / "export.zip").open("wb") as unread, pytest.raises(ValueError, match="read"):
        data_export(run, unread, by=None, now=timezone.now())
    assert not AuditEvent.objects.filter(action="data_export").exists()


def test_downloading_rows_needs_a_separate_permission(client: Client) -> None:
    run = mined_run(answered_version())
    path = "/en/staff/surveys/habits/export-data/"
    client.force_login(alice())
    page = client.get(path).content.decode()
    assert "reviewers who can download answers" in page
    assert 'value="xml"' in page
    assert not any(f'value="{kind}"' in page for kind in ("zip", "sav", "dta"))
    for kind in ("zip", "sav", "dta", ""):
        assert client.post(path, {"run": run.pk, "kind": kind}).status_code == 403
    assert not AuditEvent.objects.filter(action="data_export").exists()
    assert client.post(path, {"run": run.pk, "kind": "xml"}, follow=True).status_code == 200
    # The role alone gives no access.
    rose = User.objects.create(username="rose", is_staff=True)
    roles_keep(rose, [Role.ROWS])
    client.force_login(rose)
    assert client.get(path).status_code == client.post(path, {"run": run.pk}).status_code == 403
    reviewer = alice()
    account_change(reviewer, full_name="", email="", roles=[Role.REVIEWER, Role.ROWS], by="adam")
    assert AuditEvent.objects.get(action="account_change").detail["roles"] == ["reviewer", "rows"]
    client.force_login(reviewer)
    assert client.post(path, {"run": run.pk}, follow=True).status_code == 200
    assert AuditEvent.objects.filter(action="data_export", actor="alice").count() == 2


def test_users_with_the_rows_permission_receive_the_file(client: Client) -> None:
    run = mined_run(answered_version())
    reviewer = alice()
    roles_keep(reviewer, [Role.REVIEWER, Role.ROWS])
    path = "/en/staff/surveys/habits/export-data/"
    assert client.get(path).status_code == 302
    client.force_login(reviewer)
    page = client.get(path).content.decode()
    assert f'<option value="{run.pk}"' in page
    chinese = client.get(path.replace("/en/", "/zh-hans/"))
    assert chinese.context["form"]["language"].value() == "zh-hans"
    answer = client.post(path, {"run": run.pk}, follow=True)
    assert (
        answer.headers["Content-Disposition"] == f'attachment; filename="sottovoce-habits-run-{run.pk}.zip"'
    )
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:  # type: ignore[arg-type]
        assert {"rows.csv", "rows.parquet", "reproduce.py", "run/settings.json"} < set(archive.namelist())
        # There is no script for regressions, which have their own page.
        scripts = [name for name in archive.namelist() if name.endswith((".py", ".R"))]
        assert scripts == ["reproduce.py", "sottovoce.R"]
    for kind, first in (("sav", b"$FL2"), ("dta", b"<stata_dta>"), ("xml", b"<?xml")):
        answer = client.post(path, {"run": run.pk, "kind": kind, "language": "en"}, follow=True)
        name = f"sottovoce-habits-run-{run.pk}.{kind}"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert b"".join(answer).startswith(first)  # type: ignore[arg-type]
    assert client.post(path, {"run": run.pk, "kind": "exe"}).status_code == 422
    assert client.post(path, {"run": run.pk, "kind": "sav", "language": "fr"}).status_code == 422
    assert client.post(path, {"run": run.pk + 1}).status_code == 422
    rachel = User.objects.create(username="rachel", is_staff=True)
    roles_keep(rachel, [Role.RESEARCHER])
    client.force_login(rachel)
    assert client.get(path).status_code == client.post(path, {"run": run.pk}).status_code == 404
    Survey.objects.update(owner=rachel)
    assert client.get(path).status_code == 200


@pytest.mark.soak
def test_the_page_explains_a_missing_export(client: Client) -> None:
    reviewer = alice()
    roles_keep(reviewer, [Role.REVIEWER, Role.ROWS])
    client.force_login(reviewer)
    version = open_version(light=True)
    path = "/en/staff/surveys/open/export-data/"
    assert "Create results first" in client.get(path).content.decode()
    requested_run(version)
    assert "This survey has no run with a result" in client.get(path).content.decode()
    mined_run(version, Thresholds(support=0.2))
    assert "Download ZIP file" in client.get(path).content.decode()


MOST_LINES = 680

# Item numbers start at 0; in most of these surveys, 0 to 2 are open.
ABOUT_ONE, ABOUT_ANOTHER = Sides(consequent=(4,)), Sides(consequent=(9,))
NOT_FIGURES = {
    *("items", "antecedent", "consequent", "antecedent_label", "consequent_label", "shown_because_estimable"),
    *("error", "error_is", "redundant_by", "maximal", "flips", "support_shift"),
    *(f"{part}{name}{end}" for name in WITH_INTERVALS for part, end in (("true_", ""), ("", "_basis"))),
    *PREDICTED,
    *RUN_COLUMNS,
}
"""Columns that the script does not compute."""
PLANTED = """
import math, runpy
assert runpy.run_path("../rotation/reproduce.py", run_name="script")["main"]() == 0
print("without rotation")
parts = runpy.run_path("reproduce.py", run_name="script")
rows = parts["Rows"](parts["read"]("rows.csv"))
for name in ("itemsets", "rules"):
    lines = parts["read"](f"run/{name}.csv").to_dict("records")
    figures = parts["itemset_figures" if name == "itemsets" else "rule_figures"]
    computed = [figures(rows, line) for line in lines]
    if name == "rules":
        parts["add_tests"](lines, computed)
    assert parts["compare"](name, lines, computed)
    for column in parts["figures_in"](name, lines[0]):
        # Of the largest figure: a p-value of 1e-30 is as good as 0.
        values = [float(line[column] or "nan") for line in lines]
        sizes = [abs(value) if math.isfinite(value) else -1 for value in values]
        at = sizes.index(max(sizes))
        value, changed = values[at], [dict(line) for line in lines]
        changed[at][column] = repr(value * (1 + 1e-6) or 1e-6)
        print("planted", name, column)
        assert not parts["compare"](name, changed, computed)
kept = {"rows.csv": -1, "run/itemsets.csv": 2, "run/rules.csv": 2}
for name, end in kept.items():
    path = parts["HERE"] / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:end]), encoding="utf-8")
print("without a row")
assert parts["main"]() == 1
"""
"""Script: check an export with rotation; change a figure in each column of another one; omit its last row."""


@pytest.mark.soak
def test_tables_of_the_archive_have_the_columns_of_the_page(client: Client, tmp_path: Path) -> None:
    run = mined_run(answered_version(), LOOSE)
    unpacked(run, tmp_path)
    client.force_login(alice())
    for name in ("rules", "itemsets"):
        response = client.get(f"/en/staff/runs/{run.pk}/{name}.csv")
        header = b"".join(response.streaming_content).decode().splitlines()[0].removeprefix("\ufeff")  # type: ignore[attr-defined]
        text = (tmp_path / "run" / f"{name}.csv").read_text(encoding="utf-8")
        assert text.splitlines()[0] == header


@pytest.mark.soak
def test_the_script_reproduces_figures_with_skips(tmp_path: Path) -> None:
    done = script(unpacked(mined_run(skipping(), Thresholds(support=0.1, max_size=2)), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    assert done.stderr == ""
    assert len(records(tmp_path / "run" / "rules.csv")) > 5


@pytest.mark.soak
def test_the_script_reproduces_figures_with_rotation_and_detects_tiny_changes_and_missing_rows(
    tmp_path: Path,
) -> None:
    wanted = Thresholds(support=0.1, max_size=2, sides=ABOUT_ONE)
    rotation = unpacked(mined_run(rotating_version(three_of_eight(), 1_200), wanted), tmp_path / "rotation")
    assert len(records(rotation / "run" / "rules.csv")) > 5
    wanted = Thresholds(support=0.05, max_size=2, confidence=0.1, sides=Sides(consequent=(3, 4)))
    run = mined_run(lightly(), wanted)
    where = unpacked(run, tmp_path / "planted")
    command = [sys.executable, "-I", "-c", PLANTED]
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Every figure is the same." in done.stdout.partition("without rotation")[0]
    planted = {tuple(line.split()[1:]) for line in done.stdout.splitlines() if line.startswith("planted")}
    differs = {tuple(line.split()[:2]) for line in done.stdout.splitlines() if line.endswith("DIFFERS")}
    columns = {
        (name, column)
        for name in ("itemsets", "rules")
        for column in records(where / "run" / f"{name}.csv")[0].keys() - NOT_FIGURES
        if (name, column) != ("itemsets", "few_rows")
    }
    assert planted == columns <= differs
    without = done.stdout.partition("without a row")[2]
    assert re.search(r"^itemsets +n .*DIFFERS$", without, re.MULTILINE)
    assert without.endswith("Some figures differ.\n")


@pytest.mark.soak
def test_the_script_is_one_short_file_that_needs_only_numpy_and_pandas() -> None:
    text = reproduction_script()
    assert len(text.splitlines()) <= MOST_LINES
    assert max(map(len, text.splitlines())) <= 110
    tree = ast.parse(text, feature_version=(3, 9))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
        )
    }
    assert imported - sys.stdlib_module_names == {"numpy", "pandas"}


@scene(find_run)
def with_everything() -> Run:
    """Return a run with arms, two strengths, a mean with skips, anchors, and ready-made questions."""
    parts, city = in_english(ready_parts()), in_city()
    told, you, work, both = numbers()
    work["questions"][0]["number"]["epsilon"] = 2
    anchors = [part | {"truth_probability": 6000} for part in parts["anchors"]]

    def more(arm: int, rng: random.Random) -> dict[str, Any]:
        return {
            **city(arm, rng),
            "understood": {"understood": rng.randrange(3)},
            "trust-item": {"trust-item": rng.randrange(4)},
            "trust": {"trust": rng.randrange(3)} if rng.random() < 0.9 else {},
            "anchor-nobody": {"anchor-nobody": int(rng.random() < 0.05)},
            "anchor-everybody": {"anchor-everybody": 1},
        }

    blocks = [told, *parts["before"], you, work, both, *anchors, *parts["after"]]
    group = {"policy": "assigned", "direct_share": 5000, "light": True}
    return run_of(1_600, more=more, blocks=blocks, group=group)


def test_the_package_contains_every_comparison_of_arms_shown_on_the_page(tmp_path: Path) -> None:
    lines = records(unpacked(with_everything(), tmp_path) / "run" / "arms.csv")
    assert {line["by"] for line in lines} == {"told", "group", "told × group"}
    roles = {
        role: {line["outcome"] for line in lines if line["role"] == role} for role in ("answer", "check")
    }
    assert "copied" in roles["answer"]
    assert roles["check"] == {"anchor-nobody", "anchor-everybody"}
    understood = [line for line in lines if line["role"] == "understanding" and line["by"] == "told"]
    assert [line["outcome"] for line in understood] == ["understood=nothing"] * 2 + ["trust=yes"] * 2
    assert all(line["share"] and not line["p_value"] for line in understood)


Document = Callable[[], dict[str, Any]]
CASES: dict[str, tuple[Document, int, Thresholds]] = {
    "3 of 8": (three_of_eight, 0, Thresholds(support=0.04, max_size=3, confidence=0.3, sides=ABOUT_ONE)),
    "4 of 10, two strengths": (four_of_ten, 1_000, Thresholds(support=0.04, max_size=3, sides=ABOUT_ONE)),
    "two parts": (two_parts, 500, Thresholds(support=0.04, max_size=3, confidence=0.2, sides=ABOUT_ONE)),
    "parts in turn": (parts_in_turn, 700, Thresholds(support=0.04, max_size=3, sides=ABOUT_ANOTHER)),
}


def drawn_run(case: str, *, avoided: str | None = None) -> Run:
    document, n_direct, thresholds = CASES[case]
    run = mined_run(rotating_version(document(), 2_800, n_direct=n_direct, avoided=avoided), thresholds)
    facts = draw_facts(run)
    assert facts is not None
    assert facts.all_rows == (avoided is None)
    return run


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES)
def test_the_script_reproduces_every_figure(tmp_path: Path, case: str) -> None:
    done = script(unpacked(drawn_run(case), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    rules = records(tmp_path / "run" / "rules.csv")
    assert len(rules) > 10
    assert max(line["items"].count("&") for line in records(tmp_path / "run" / "itemsets.csv")) == 2
    # A rule lacks an error if all people are on one side; other rules are still compared.
    compared = set(re.findall(r"^rules +(\w+)", done.stdout, re.MULTILINE))
    assert compared == set(rules[0]) - NOT_FIGURES


@pytest.mark.soak
def test_only_complete_rows_count_where_respondents_avoid_a_question(tmp_path: Path) -> None:
    done = script(unpacked(drawn_run("3 of 8", avoided="q3"), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout


@pytest.mark.soak
def test_complete_rows_alone_give_different_figures(tmp_path: Path) -> None:
    where = unpacked(drawn_run("3 of 8"), tmp_path)
    settings = where / "run" / "settings.json"
    text = settings.read_text(encoding="utf-8")
    assert text.count('"parts_count": true') == 1
    settings.write_text(text.replace('"parts_count": true', '"parts_count": false'), encoding="utf-8")
    done = script(where)
    assert done.returncode == 1
    differs = set(re.findall(r"^itemsets +(\w+) .*DIFFERS$", done.stdout, re.MULTILINE))
    assert {"support", "support_se", "support_low", "support_high"} <= differs
    assert "n" not in differs
