"""The commands from a researcher's view: files in, files out, exit codes, and nothing half-published."""

import calendar
import csv
import hashlib
import io
import json
import os
import re
import shutil
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow.parquet
import pytest
from django.core.management import CommandError, call_command

from anonymisation.management.commands.release import progress_on
from anonymisation.microdata import construction
from privacy.counted_nouns import counted
from tests.fixtures.releases import CONFIG, HEADER, config_write, plan_write, rows_of, table_write
from tests.fixtures.tables import PATIENTS, VOTERS
from tests.fixtures.workbooks import workbook


def run(capsys, *arguments):
    """Run a command; return (exit code, output)."""
    try:
        call_command(*[str(argument) for argument in arguments])
        code = 0
    except CommandError as error:
        code = error.returncode
        return code, capsys.readouterr().out + str(error)
    return code, capsys.readouterr().out


@pytest.fixture(scope="module")
def first_release(tmp_path_factory):
    """Return the folder of a first release of the small table, with its ledger; made only once."""
    folder = tmp_path_factory.mktemp("first")
    table, plan = table_write(folder), config_write(folder)
    options = {"plan": plan, "out": folder / "one", "ledger": folder / "one.json"}
    call_command("release", table, **options, stdout=io.StringIO())
    return folder


@pytest.fixture
def made(first_release, tmp_path):
    """Return a copy of the first release."""
    shutil.copytree(first_release, tmp_path, dirs_exist_ok=True)
    return tmp_path


def release(capsys, folder, *more, table="people.csv", plan="plan.json", out="two"):
    """Release a folder's table with the folder's plan."""
    wish = ["release", folder / table, "--plan", folder / plan, "--out", folder / out]
    return run(capsys, *wish, *more)


def published(folder):
    with (folder / "deposit" / "data.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_release_and_verify_audit_attackers_beliefs_from_a_file(tmp_path, capsys):
    """An attacker believes that a rare disease is common; the release lowers this belief to class shares."""
    (tmp_path / "beliefs.csv").write_text("flu,1\ncold,1\ncough,1\nulcer,97\n", encoding="utf-8")
    text = CONFIG + 'beliefs = ["beliefs.csv"]\nrho1 = 0.05\nrho2 = 0.9\n'
    wish = ["release", table_write(tmp_path), "--plan", config_write(tmp_path, text), "--out"]
    code, said = run(capsys, *wish, tmp_path / "one", "--json")
    assert code == 0, said
    (found,) = json.loads(said)["beliefs"]
    stated = [found[name] for name in ("people", "strongest_before", "rho1", "rho2")]
    assert stated == [120, 0.97, 0.05, 0.9]
    # Classes have at most seven records, and at least four with two values.
    assert 0.25 < found["strongest_after"] <= 6 / 7
    assert "Beliefs that you supplied" in (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    checked = ["verify", tmp_path / "one" / "deposit" / "data.csv", "--quasi-identifiers", "age,work,sex"]
    checked += ["--sensitive", "disease", "--beliefs", tmp_path / "beliefs.csv"]
    code, said = run(capsys, *checked, "--json")
    # The file's labels agree with the records for every person.
    assert (code, json.loads(said)["beliefs"]["truth_after"]) == (0, pytest.approx(found["truth_after"]))
    code, said = run(capsys, *checked)
    assert "beliefs about disease: 120 records" in said
    (tmp_path / "beliefs.csv").write_text("flu,1\n", encoding="utf-8")
    code, said = run(capsys, *wish, tmp_path / "two")
    assert (code, "the belief about the value “cold”" in said) == (1, True)
    assert not (tmp_path / "two").exists()


@pytest.mark.soak
def test_the_command_reports_information_kept_and_lost_per_column(tmp_path, capsys):
    """Ages 20 and 30 are merged, 40 and 50 too: one bit of two remains, and each age is 5 from its middle."""
    table = tmp_path / "four.csv"
    table.write_text("age,ill\n20,no\n30,yes\n40,no\n50,yes\n", encoding="utf-8")
    text = (
        '[release]\nk = 2\n[columns.age]\nrole = "quasi_identifier"\nkind = "numeric"\n'
        '[columns.ill]\nrole = "sensitive"\n'
    )
    wish = ["release", table, "--plan", config_write(tmp_path, text), "--out"]
    code, said = run(capsys, *wish, tmp_path / "one", "--json")
    assert code == 0, said
    found = json.loads(said)["columns"]
    assert found["age"] == {
        "bits": 2.0,
        "bits_kept": 1.0,
        "mean_square": pytest.approx(25),
        "deviation": pytest.approx(125**0.5),
    }
    assert found["ill"] == {"bits": 1.0, "bits_kept": 1.0, "mean_square": None, "deviation": None}
    code, said = run(capsys, *wish, tmp_path / "two")
    assert "age: 1.000 of 2.000 bits kept, mean square error 25" in said


@pytest.mark.soak
def test_a_release_contains_its_files_and_no_identifiers(made):
    found = sorted(
        str(path.relative_to(made / "one")) for path in (made / "one").rglob("*") if path.is_file()
    )
    pictures = [name for name in found if name.startswith("sottovoce-")]
    # Every picture in the report is also a file in the folder.
    assert {name.rsplit(".", 1)[1] for name in pictures} == {"svg"}
    assert len(pictures) == (made / "one" / "report.html").read_text("utf-8").count("<svg")
    files = [name for name in found if name not in pictures]
    assert files == [
        "deposit/codebook.json",
        "deposit/data.csv",
        "deposit/data.dta",
        "deposit/data.parquet",
        "deposit/data.sav",
        "deposit/manifest.json",
        "deposit/methods.txt",
        "report.css",
        "report.html",
    ]
    rows = published(made / "one")
    assert rows[0] == HEADER[1:]
    assert len(rows) == 121
    assert all(
        "person" not in path.read_bytes().decode("latin-1")
        for path in (made / "one").rglob("*.*")
        if path.is_file()
    )


def test_the_released_table_verifies_and_the_original_does_not(made, capsys):
    wish = ["--quasi-identifiers", "age,work,sex", "--sensitive", "disease", "--k", "4", "--l", "2", "--json"]
    code, text = run(capsys, "verify", made / "one" / "deposit" / "data.csv", *wish)
    found = json.loads(text)
    assert (code, found["holds"], found["records"]) == (0, True, 120)
    code, text = run(capsys, "verify", made / "people.csv", *wish)
    assert code == 1
    assert json.loads(text.split("\n")[0])["holds"] is False


def test_people_can_be_searched_without_a_privacy_model(made, capsys):
    people = made / "list.csv"
    people.write_text("age,work,sex\n31,clerk,f\n", encoding="utf-8")
    for sensitive in ([], ["--sensitive", "disease"]):
        wish = ["--quasi-identifiers", "age,work,sex", *sensitive, "--people", people]
        code, text = run(capsys, "verify", made / "one" / "deposit" / "data.csv", *wish)
        assert (code, "\n1 person: 0 may be in the table" in text) == (0, True), text
        code, text = run(capsys, "verify", made / "one" / "deposit" / "data.csv", *wish, "--json")
        assert json.loads(text)["linking"]["people"] == 1
    code, text = run(capsys, "verify", made / "people.csv", "--quasi-identifiers", "age")
    assert (code, "--people" in text) == (2, True)
    people.write_text("age,work,sex\n31,clerk,f\n40,clerk\n", encoding="utf-8")
    code, text = run(capsys, "verify", made / "one" / "deposit" / "data.csv", *wish)
    assert (code, "list.csv: line 3 has a different number of cells (2)" in text) == (2, True)


def test_verify_suggests_only_remedies_that_verify_offers(made, capsys):
    table = made / "gaps.csv"
    table.write_text("age,pain\n30,1\n31,\n", encoding="utf-8")
    wish = ["--quasi-identifiers", "age", "--sensitive", "pain", "--t", ".5", "--ground", "ordered"]
    code, text = run(capsys, "verify", table, *wish)
    assert code == 2
    assert "Fill it in, or remove the record" in text
    assert "missing =" not in text


def test_parquet_holds_the_same_records_in_the_same_order_as_csv(made):
    table = pyarrow.parquet.read_table(made / "one" / "deposit" / "data.parquet")
    columns = [table.column(name).to_pylist() for name in table.column_names]
    assert [table.column_names, *map(list, zip(*columns, strict=True))] == published(made / "one")


def test_sensitive_and_disguised_values_are_released_unchanged(made):
    rows = published(made / "one")[1:]
    assert sorted(row[4] for row in rows) == sorted(row[5] for row in rows_of())
    assert sorted(row[3] for row in rows) == sorted(row[4] for row in rows_of())


@pytest.mark.soak
def test_each_release_reorders_the_same_records(made, capsys):
    code, _ = release(capsys, made, out="again")
    assert code == 0
    one, again = published(made / "one"), published(made / "again")
    assert one != again
    assert sorted(one) == sorted(again)
    digests = [
        json.loads((made / name / "deposit" / "manifest.json").read_text())["content_digest"]
        for name in ("one", "again")
    ]
    assert digests[0] == digests[1]


def test_the_manifest_lists_files_but_no_values(made):
    deposit = made / "one" / "deposit"
    manifest = json.loads((deposit / "manifest.json").read_text(encoding="utf-8"))
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((deposit / name).read_bytes()).hexdigest() == digest
    text = (deposit / "manifest.json").read_text(encoding="utf-8")
    assert not any(
        re.search(rf'"{value}"', text) for value in ("state", "firm", "flu", "ulcer", "F", "yes", "20")
    )
    assert manifest["models"] == {"k": 4, "distinct_l": 2}


def test_the_codebook_includes_only_public_hierarchies(made):
    codebook = json.loads((made / "one" / "deposit" / "codebook.json").read_text(encoding="utf-8"))
    entries = {entry["name"]: entry for entry in codebook["columns"]}
    assert entries["work"]["labels"]["public"] == ["state", "city"]
    assert "labels" not in entries["sex"]
    assert "disguise" in entries["coin"]["meaning"]


def test_the_ledger_is_owner_only_and_contains_no_identifiers(made):
    path = made / "one.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "person" not in path.read_text(encoding="utf-8")


def test_queries_need_only_the_published_table(made, capsys):
    (made / "people.csv").unlink()
    code, text = run(capsys, "query", made / "one", "count where age < 40 group by disease", "--json")
    assert code == 0
    answers = {one["group"][0]: one for one in json.loads(text)["answers"]}
    for disease in ("flu", "cold", "cough", "ulcer"):
        true = sum(int(row[1]) < 40 and row[5] == disease for row in rows_of())
        assert answers[disease]["lower"] <= true <= answers[disease]["upper"]
    code, text = run(capsys, "query", made / "one" / "deposit", "count")
    assert "120" in text
    code, text = run(capsys, "query", made / "one", "count where age > 59")
    assert text.splitlines()[1].split() == ["0"] * 5


def test_malformed_queries_and_damaged_tables_are_refused(made, capsys):
    code, text = run(capsys, "query", made / "one", "select everything", "--json")
    assert (code, json.loads(text.split("\n")[0])["error"]) == (1, "query")
    data = made / "one" / "deposit" / "data.csv"
    data.write_bytes(data.read_bytes().replace(b"flu", b"cold"))
    code, text = run(capsys, "query", made / "one", "count")
    assert (code, "not the file named in the manifest" in text) == (1, True)
    code, text = run(capsys, "query", made, "count")
    assert (code, "not part of a release" in text) == (1, True)


@pytest.mark.soak
def test_a_coarser_version_of_the_same_table_can_be_released(made, capsys):
    coarser = config_write(made, CONFIG, name="again.json")
    code, text = release(capsys, made, "--earlier", made / "one.json", plan=coarser.name)
    assert code == 0, text


@pytest.mark.soak
def test_releases_that_break_an_earlier_one_are_not_written(made, capsys):
    other = config_write(made, CONFIG.replace("k = 4", "k = 5"), name="other.json")
    code, text = release(capsys, made, "--earlier", made / "one.json", "--json", plan=other.name)
    assert code == 1
    refusal = json.loads(text.split("\n")[0])
    assert refusal["error"] == "earlier_release"
    assert "people" in refusal["message"]
    assert "coarser" in refusal["remedy"]
    assert not (made / "two").exists()
    assert not [path for path in made.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("option", ["--earlier", "--extend", "--coarsen"])
def test_ledgers_that_contain_none_of_the_people_are_refused(made, capsys, option):
    table = table_write(made, [["other-" + row[0], *row[1:]] for row in rows_of()], name="others.csv")
    code, text = release(capsys, made, option, made / "one.json", table=table.name)
    assert (code, "in this table is in ledger 1" in text) == (1, True)


def test_extended_releases_that_ignore_earlier_classes_are_refused(made, capsys, monkeypatch):
    """A planted bug: an extension that ignores earlier classes reveals more in combination with them."""

    def afresh(space, previous_class, group):
        return group(space, construction.np.arange(len(previous_class)))

    monkeypatch.setattr(construction, "_extend_classes", afresh)
    more = [*rows_of(), *([f"new {number}", *row[1:]] for number, row in enumerate(rows_of(seed=9, n=30)))]
    table_write(made, more, name="more.csv")
    code, text = release(capsys, made, "--extend", made / "one.json", table="more.csv")
    assert (code, "would break protection" in text) == (1, True)


@pytest.mark.slow
def test_an_extended_release_keeps_classes_and_withholds_few_new_people(made, capsys):
    more = [*rows_of(), *([f"new {number}", *row[1:]] for number, row in enumerate(rows_of(seed=9, n=30)))]
    table_write(made, more, name="more.csv")
    wish = ["--extend", made / "one.json"]
    code, text = release(capsys, made, *wish, "--ledger", made / "two.json", table="more.csv")
    assert code == 0, text
    assert len(published(made / "two")) == 151
    one = sorted(tuple(row) for row in published(made / "one")[1:])
    two = [tuple(row) for row in published(made / "two")[1:]]
    assert all(two.count(row) >= one.count(row) for row in set(one))
    table_write(made, [*rows_of(), ["late", "33", "city", "F", "yes", "leprosy"]], name="few.csv")
    code, text = release(capsys, made, *wish, table="few.csv", out="three")
    assert code == 0, text
    assert "1 new people are held back" in text
    assert b"leprosy" not in (made / "three" / "deposit" / "data.csv").read_bytes()


def test_coarsening_merges_whole_classes_and_rejects_new_people(made, capsys):
    config = config_write(made, CONFIG.replace("k = 4", "k = 9"), name="coarse.json")
    wish = ["--plan", config, "--coarsen", made / "one.json", "--ledger", made / "two.json"]
    code, text = run(capsys, "release", made / "people.csv", *wish, "--out", made / "two")
    assert code == 0, text
    of_before, of_now = (
        dict(zip(ledger["respondents"], ledger["classes"], strict=True))
        for ledger in (json.loads((made / f"{name}.json").read_text()) for name in ("one", "two"))
    )
    assert of_before.keys() == of_now.keys()
    assert len({(of_before[person], of_now[person]) for person in of_now}) == len(set(of_before.values()))
    assert min(Counter(of_now.values()).values()) >= 9 > min(Counter(of_before.values()).values())
    more = table_write(made, [*rows_of(), ["late", "33", "city", "F", "yes", "flu"]], name="late.csv")
    code, text = run(capsys, "release", more, *wish[:4], "--out", made / "three")
    assert (code, "he earlier release lacks 1 person of this table" in text) == (1, True)


def test_only_algorithms_that_keep_classes_can_extend_a_release(made, capsys):
    config = config_write(made, CONFIG.replace("l = 2", 'l = 2\nalgorithm = "samarati"'), name="global.json")
    code, text = release(capsys, made, "--extend", made / "one.json", plan=config.name)
    assert (code, "cannot keep the classes of an earlier release" in text) == (1, True)


@pytest.mark.parametrize(("rest", "bound"), [(1, ""), (9, "l = 2")])
def test_totals_that_reveal_suppressed_values_are_refused(made, capsys, rest, bound):
    config = config_write(
        made,
        CONFIG.replace("l = 2", 'algorithm = "samarati"\nmax_suppressed = 3').replace("k = 4", "k = 9")
        + bound,
        name="global.json",
    )
    rows = [[f"person {n}", "30", "state", "F", "yes", "flu" if n % 2 else "cold"] for n in range(20)]
    rows.append(["person 20", "59", "firm", "M", "no", "leprosy"])
    table = table_write(made, rows, name="rare.csv")
    totals = made / "totals.csv"
    totals.write_text(f"disease,count\nflu,10\ncold,10\nleprosy,{rest}\n", encoding="utf-8")
    wish = ["release", table, "--plan", config, "--out", made / "rare"]
    code, text = run(capsys, *wish, "--totals", totals)
    assert code == 1
    assert f"leaves {counted(rest, 'person')} of 'disease'" in text
    assert run(capsys, *wish)[0] == 0


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["ilp", "samarati"])
def test_releases_by_every_algorithm_verify_and_report_their_details(tmp_path, capsys, algorithm):
    wish = f'l = 2\nseed = 1\nmax_suppressed = 0.1\nalgorithm = "{algorithm}"'
    table, config = table_write(tmp_path), config_write(tmp_path, CONFIG.replace("l = 2", wish))
    code, text = run(capsys, "release", table, "--plan", config, "--out", tmp_path / "out", "--json")
    assert code == 0, text
    assert json.loads(text)["verdicts"]["disease:k"] >= 4
    code, _ = run(
        capsys,
        "verify",
        tmp_path / "out" / "deposit" / "data.csv",
        "--quasi-identifiers",
        "age,work,sex",
        "--sensitive",
        "disease",
        "--k",
        "4",
        "--l",
        "2",
    )
    assert code == 0
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<svg" in report
    assert "style=" not in report
    assert ("mutual information" in report) == (algorithm == "ilp")
    assert ("Risk and loss of all generalisations" in report) == (algorithm == "samarati")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("k = 4", "k = 121"), "k = 121 is more than the 120 records"),
        (lambda text: text.replace("l = 2", "l = 5"), "l = 5 is more than the 4 values"),
        (lambda text: text.replace("[columns.coin]\nrole", "[columns.penny]\nrole"), "no column 'penny'"),
        (lambda text: text.replace('"work.csv"', '"none.csv"'), "cannot be read"),
        (lambda text: text.replace('respondent = "name"', 'respondent = "mail"'), "no column 'mail'"),
        (
            lambda text: text.replace('role = "disguised"', 'role = "quasi_identifier"'),
            "'coin' is categorical and has no hierarchy",
        ),
    ],
)
def test_invalid_requests_are_rejected_without_writing_files(tmp_path, capsys, change, message):
    table, config = table_write(tmp_path), config_write(tmp_path, change(CONFIG))
    before = sorted(tmp_path.iterdir())
    code, text = run(capsys, "release", table, "--plan", config, "--out", tmp_path / "out")
    assert code == 1
    assert message in text
    assert sorted(tmp_path.iterdir()) == before


def test_ambiguous_dates_are_rejected_until_their_order_is_stated(tmp_path, capsys):
    rows = [[*row[:3], f"{1 + n % 6}/{7 + n % 3}/2021", *row[4:]] for n, row in enumerate(rows_of())]
    table, dates = table_write(tmp_path, rows), 'kind = "month"\nweight = 99\n[columns.coin]'
    asked = CONFIG.replace('hierarchy = "flat"\n[columns.coin]', dates)
    config = config_write(tmp_path, asked)
    code, text = run(capsys, "release", table, "--plan", config, "--out", tmp_path / "out")
    assert (code, "“1/7/2021” in column 'sex' can be two different dates" in text) == (1, True), text
    for month_first, months in (("true", range(1, 7)), ("false", range(7, 10))):
        stated = asked.replace(dates, f"month_first = {month_first}\n{dates}")
        config, out = config_write(tmp_path, stated), tmp_path / month_first
        code, text = run(capsys, "release", table, "--plan", config, "--out", out)
        assert code == 0, text
        labels = {row[2] for row in published(out)[1:]}
        assert all(f"2021-{month:02}" in labels for month in months)
        assert not any(f"2021-{month:02}" in labels for month in set(range(1, 13)) - set(months))


def test_a_release_reports_constant_columns_and_limited_numbers(tmp_path, capsys):
    rows = [[*row[:3], "F", *row[4:]] for row in rows_of()]
    limited = CONFIG.replace('"numeric"', '"numeric"\nbottom = 25\ntop = 50')
    table, config = table_write(tmp_path, rows), config_write(tmp_path, limited)
    code, text = run(capsys, "release", table, "--plan", config, "--out", tmp_path / "out")
    assert code == 0
    assert "sex has a single value" in text
    deposit = tmp_path / "out" / "deposit"
    for said in (text, *((deposit / name).read_text("utf-8") for name in ("methods.txt", "codebook.json"))):
        assert "Numbers below 25 in age became 25" in said
        assert "Numbers above 50 in age became 50" in said


def test_two_records_count_as_one_person_and_refuse_a_ledger(tmp_path, capsys):
    rows = rows_of()
    rows[5][0] = rows[6][0]
    table, config = table_write(tmp_path, rows), config_write(tmp_path)
    wish = ("release", table, "--plan", config, "--out", tmp_path / "out")
    code, text = run(capsys, *wish, "--ledger", tmp_path / "ledger.json")
    assert (code, "“person 6” has two records" in text) == (1, True)
    code, text = run(capsys, *wish)
    assert (code, "119 people have the 120 records" in text) == (0, True)


def test_verify_reports_required_and_reached_levels(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("zip,disease\n1*,flu\n1*,cold\n2*,flu\n2*,flu\n*,*\n", encoding="utf-8")
    wish = ["verify", path, "--quasi-identifiers", "zip", "--sensitive", "disease"]
    code, text = run(capsys, *wish, "--k", "2")
    assert (code, "5 records, 1 suppressed, 2 classes" in text) == (0, True)
    code, text = run(capsys, *wish, "--k", "2", "--l", "2", "--t", "0.9")
    assert code == 1
    assert "distinct_l required 2, reached 1: FAILS" in text
    assert "t required 0.9, reached 0.25: holds" in text
    assert run(capsys, *wish)[0] == 2
    assert run(capsys, *wish, "--k", "0")[0] == 2
    assert run(capsys, "verify", path, "--quasi-identifiers", "zap", "--k", "2")[0] == 2
    assert run(capsys, "verify", path, "--quasi-identifiers", "zip", "--k", "2")[0] == 0
    assert run(capsys, "verify", path, "--quasi-identifiers", "zip", "--l", "2")[0] == 2


@pytest.mark.parametrize(
    ("text", "known", "people"),
    [
        ("age;zip;ill\n<50;8*;flu\n>=50;8*;flu\n<50;8*;cold\n>=50;8*;cold\n*;*;hiv\n", "age,zip", None),
        ("age,zip,ill\n20,*,flu\n20,*,cold\n*,*,hiv\n*,1,flu\n*,1,cold\n", "age,zip", "Anna,30,2"),
        # This also holds if the value is in a column that the command does not name.
        ("age,ill,pay\n20,flu,1\n20,cold,2\n*,,3\n", "age", None),
    ],
)
def test_starred_rows_with_published_values_form_a_class(tmp_path, capsys, text, known, people):
    """Suppression does not hide the person, because someone who matches no other row must be this one."""
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    wish = ["verify", path, "--quasi-identifiers", known, "--sensitive", "ill", "--json"]
    code, said = run(capsys, *wish, "--k", "2")
    found = json.loads(said.split("\n")[0])
    assert (code, found["holds"], found["suppressed"], found["reached"][0]["k"]) == (1, False, 0, 1)
    if people:
        (tmp_path / "people.csv").write_text(f"name,age,zip\n{people}\nBen,20,7\n", encoding="utf-8")
        code, said = run(capsys, *wish, "--people", tmp_path / "people.csv")
        assert (code, json.loads(said)["linking"]["identified"]) == (0, 1)


def test_missing_values_do_not_count_as_class_values(tmp_path, capsys):
    """NA, an empty cell and "." are three strings but not three values."""
    path = tmp_path / "t.csv"
    path.write_text("q,s\nFoo,1\nFoo,1\nFoo,2\nBar,NA\nBar,\nBar,.\n", encoding="utf-8")
    wish = ["verify", path, "--quasi-identifiers", "q", "--sensitive", "s", "--k", "3"]
    code, said = run(capsys, *wish, "--l", "2", "--json")
    found = json.loads(said.split("\n")[0])
    assert (code, found["reached"][0]["k"], found["reached"][0]["distinct_l"]) == (1, 3, 0)
    assert found["missing"] == {"s": {"": 1, ".": 1, "NA": 1}}
    code, said = run(capsys, *wish, "--c", "3", "--recursive-l", "2", "--entropy-l", "1.1")
    assert (code, said.count("FAILS")) == (1, 2)
    assert 's: counted as missing: "" (1), "." (1), "NA" (1)' in said
    path.write_text("q,s\nFoo,1\nFoo,2\nFoo,NA\n", encoding="utf-8")
    assert run(capsys, *wish, "--l", "2")[0] == 0
    assert run(capsys, *wish, "--l", "3")[0] == 1
    path.write_text("q,s\nFoo,NA\nFoo,.\nFoo,\n", encoding="utf-8")
    assert run(capsys, *wish)[0] == 0
    assert run(capsys, *wish, "--l", "1")[0] == 1


def test_verify_can_treat_other_sensitive_columns_as_known(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text(
        "zip,disease,income\na,flu,poor\na,cold,rich\nb,flu,rich\nb,cold,poor\n", encoding="utf-8"
    )
    wish = ["verify", path, "--quasi-identifiers", "zip", "--sensitive", "disease,income", "--l", "2"]
    assert run(capsys, *wish)[0] == 0
    assert run(capsys, *wish, "--multi-attribute")[0] == 1


def test_verify_measures_ordered_and_hierarchical_distances(tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = (
        [("a", salary) for salary in (3, 4, 5)]
        + [("b", salary) for salary in (6, 8, 11)]
        + [("c", salary) for salary in (7, 9, 10)]
    )
    path.write_text(
        "zip,salary\n" + "".join(f"{place},{salary}\n" for place, salary in rows), encoding="utf-8"
    )
    wish = ["verify", path, "--quasi-identifiers", "zip", "--sensitive", "salary", "--ground", "ordered"]
    assert run(capsys, *wish, "--t", "0.375")[0] == 0
    assert run(capsys, *wish, "--t", "0.374")[0] == 1
    tree = tmp_path / "tree.csv"
    tree.write_text(
        "".join(f"{salary};{'low' if salary < 7 else 'high'};*\n" for salary in range(3, 12)),
        encoding="utf-8",
    )
    wish = ["verify", path, "--quasi-identifiers", "zip", "--sensitive", "salary", "--ground", "hierarchical"]
    assert run(capsys, *wish, "--hierarchy", tree, "--t", "0.99")[0] == 0
    assert run(capsys, *wish, "--t", "0.5")[0] == 2


def test_verify_links_a_list_of_known_people_to_the_table(tmp_path, capsys):
    """Zhu et al. 2010, figures 1 and 2: exactly one of five voters is among the six patients."""
    patients, voters = tmp_path / "patients.csv", tmp_path / "voters.csv"
    with patients.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("age", "sex", "zip", "disease"), *PATIENTS])
    with voters.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([tuple(VOTERS), *zip(*VOTERS.values(), strict=True)])
    wish = ["verify", patients, "--quasi-identifiers", "age,sex,zip", "--sensitive", "disease", "--k", "2"]
    code, text = run(capsys, *wish, "--people", voters, "--json")
    found = json.loads(text.split("\n")[0])["linking"]
    assert code == 1
    assert (found["people"], found["in_the_table"], found["identified"], found["identified_lines"]) == (
        5,
        1,
        1,
        [2],
    )
    code, text = run(capsys, *wish, "--people", voters)
    assert "5 people: 1 may be in the table, 1 are identified, values disclosed: 1" in text
    voters.write_text("age,sex,zip\n", encoding="utf-8")
    assert run(capsys, *wish, "--people", voters)[0] == 2
    voters.write_text("age,sex,zip\n25,F\n", encoding="utf-8")
    assert run(capsys, *wish, "--people", voters)[0] == 2


@pytest.mark.soak
@pytest.mark.parametrize("models", ["", "l = 2\n"])
def test_all_minimal_generalisations_are_searched_under_every_model(tmp_path, capsys, models):
    # Hiding sex is one step and loses the whole column; ages in tens are two steps and lose a quarter.
    rows = [("20", "F", "flu"), ("25", "F", "cold"), ("20", "M", "cold"), ("25", "M", "flu")]
    rows += [("58", "F", "flu"), ("58", "F", "cold")]
    people = [[f"person {i}", age, "state", sex, "yes", ill] for i, (age, sex, ill) in enumerate(rows)]
    table, levels = table_write(tmp_path, people), {}
    for search in ("lowest", "all"):
        wish = f'k = 2\n{models}algorithm = "samarati"\nsearch = "{search}"'
        config = config_write(tmp_path, CONFIG.replace("k = 4\nl = 2", wish), name=f"{search}.json")
        code, _ = run(capsys, "release", table, "--plan", config, "--out", tmp_path / search, "--json")
        assert code == 0
        with (tmp_path / search / "deposit" / "data.csv").open(encoding="utf-8", newline="") as file:
            levels[search] = {row["sex"] for row in csv.DictReader(file)}
    assert levels == {"lowest": {"*"}, "all": {"F", "M"}}


@pytest.mark.soak
def test_a_release_that_fails_to_write_leaves_no_ledger(tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    table, config = table_write(tmp_path), config_write(tmp_path)
    before = sorted(tmp_path.iterdir())
    code, text = release(
        capsys, tmp_path, "--ledger", tmp_path / "l.json", table=table.name, plan=config.name, out="out"
    )
    assert (code, "No space left" in text) == (1, True)
    assert sorted(tmp_path.iterdir()) == before


def test_an_interrupted_release_is_completed_with_its_ledger(tmp_path, capsys, monkeypatch):
    wish = ["release", table_write(tmp_path), "--plan", config_write(tmp_path), "--out", tmp_path / "one"]
    wish += ["--ledger", tmp_path / "one.json"]
    before = set(tmp_path.iterdir())

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            run(capsys, *wish)
    assert (tmp_path / "one").exists()
    assert not (tmp_path / "one.json").exists()
    code, text = run(capsys, *wish)
    assert (code, "its ledger is now" in text) == (0, True), text
    assert len(json.loads((tmp_path / "one.json").read_text())["respondents"]) == 120
    assert stat.S_IMODE((tmp_path / "one.json").stat().st_mode) == 0o600
    assert set(tmp_path.iterdir()) - before == {tmp_path / "one", tmp_path / "one.json"}
    code, text = run(capsys, *wish)
    assert (code, "already exists" in text) == (1, True), text


@pytest.mark.soak
def test_an_unpublished_releases_ledger_is_not_reused_by_another(tmp_path, capsys):
    wish = ["release", table_write(tmp_path), "--plan", config_write(tmp_path), "--out", tmp_path / "one"]
    assert run(capsys, *wish)[0] == 0
    (tmp_path / f".one.json-one-{'0' * 16}").write_text("{}", encoding="utf-8")
    code, text = run(capsys, *wish, "--ledger", tmp_path / "one.json")
    assert (code, "already exists" in text) == (1, True), text
    assert not (tmp_path / "one.json").exists()


@pytest.mark.soak
def test_an_unwritable_ledger_path_stops_the_release(tmp_path, capsys):
    wish = ["release", table_write(tmp_path), "--plan", config_write(tmp_path), "--out", tmp_path / "one"]
    code, text = run(capsys, *wish, "--ledger", tmp_path / "nowhere" / "one.json")
    assert (code, "one.json cannot be written" in text) == (1, True), text
    assert not (tmp_path / "one").exists()


def test_a_directory_in_place_of_a_table_is_refused(tmp_path, capsys):
    code, text = run(capsys, "verify", tmp_path, "--quasi-identifiers", "age", "--k", 2)
    assert (code, "Is a directory" in text) == (2, True), text


@pytest.mark.soak
def test_the_manifest_records_the_totals_compared(tmp_path, capsys):
    rows = rows_of()
    counts = {value: sum(row[5] == value for row in rows) for value in {row[5] for row in rows}}
    totals = tmp_path / "totals.csv"
    totals.write_text("disease,count\n" + "".join(f"{one},{two}\n" for one, two in counts.items()))
    wish = ["release", table_write(tmp_path, rows), "--plan", config_write(tmp_path)]
    code, text = run(capsys, *wish, "--out", tmp_path / "one", "--totals", totals)
    assert code == 0, text
    manifest = json.loads((tmp_path / "one" / "deposit" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["totals_compared"] == [hashlib.sha256(totals.read_bytes()).hexdigest()]


@pytest.mark.soak
def test_groups_named_like_formulas_are_found_by_their_original_value(tmp_path, capsys):
    rows = [f"{('=north', '-south')[n % 2]},{('flu', 'cold')[n % 3 == 0]}" for n in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(["region,disease", *rows]) + "\n")
    (tmp_path / "region.csv").write_text("=north;-upper;*\n-south;-upper;*\n")
    plan_write(
        tmp_path / "r.json",
        '[release]\nk = 7\nalgorithm = "samarati"\npeople = "records"\n'
        '[columns.region]\nrole = "quasi_identifier"\nhierarchy = "region.csv"\n'
        '[columns.disease]\nrole = "insensitive"\n',
    )
    out = tmp_path / "out"
    call_command("release", str(tmp_path / "t.csv"), "--plan", str(tmp_path / "r.json"), "--out", str(out))
    assert "'-upper,flu" in (out / "deposit" / "data.csv").read_text()
    capsys.readouterr()
    call_command("query", str(out), "count where region = '=north'", "--json")
    (found,) = json.loads(capsys.readouterr().out)["answers"]
    # Six of the twelve are from there, but readers cannot see which.
    assert found["lower"] <= 6 <= found["upper"] == 12


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_progress_bar_fills_up_and_ends_its_line():
    stream = Terminal()
    with progress_on(stream) as report:
        for done in (0, 2, 2, 4):
            report("grouping", done, 4)
    assert [line.count("#") for line in stream.getvalue().split("\r")[1:]] == [0, 15, 30]
    assert stream.getvalue().endswith("\n")


def test_progress_is_silent_outside_a_terminal():
    stream = io.StringIO()
    with progress_on(stream) as report:
        report("grouping", 1, 2)
    assert stream.getvalue() == ""


def people(n: int = 400) -> list[list[str]]:
    rng = np.random.default_rng(3)
    return [
        [
            str(rng.integers(20, 70)),
            str(rng.choice(["north", "south"])),
            str(rng.choice(["flu", "cold", "refused"], p=[0.2, 0.2, 0.6])),
        ]
        for _ in range(n)
    ]


MISSING_CONFIG = """
[release]
k = 4
l = 2
algorithm = "{algorithm}"
people = "records"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
hierarchy = [10, 20, 60]
{age}
[columns.region]
role = "quasi_identifier"
hierarchy = "flat"
[columns.disease]
role = "sensitive"
missing = "value"
"""


def released(folder: Path, rows: list[list[str]], *, age: str = "", algorithm: str = "tight") -> Any:
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["age", "region", "disease"], *rows])
    plan_write(folder / "r.json", MISSING_CONFIG.format(age=age, algorithm=algorithm))
    out = folder / f"out-{len(list(folder.iterdir()))}"
    call_command("release", str(folder / "people.csv"), "--plan", str(folder / "r.json"), "--out", str(out))
    text = (out / "deposit" / "data.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("algorithm", ["tight", "bottom-up", "samarati"])
def test_refused_answers_do_not_count_as_a_second_value(tmp_path: Path, algorithm: str) -> None:
    """Sixty in a hundred refused, but every class has two real diseases, by a separate count."""
    groups: dict[tuple[str, str], set[str]] = {}
    rows = released(tmp_path, people(), algorithm=algorithm)
    for row in rows:
        groups.setdefault((row["age"], row["region"]), set()).add(row["disease"])
    assert any("refused" in values for values in groups.values())
    assert min(len(values - {"refused"}) for values in groups.values()) == 2


@pytest.mark.soak
def test_the_command_asks_how_to_treat_missing_numbers(tmp_path: Path) -> None:
    """By default the column is refused by name; on request, its missing numbers are dropped or kept."""
    rows = [*people(), ["NA", "north", "flu"], ["-9", "north", "flu"]]
    with pytest.raises(CommandError, match=r"'age' has a missing value \('NA'\).*missing_texts"):
        released(tmp_path, rows)
    assert len(released(tmp_path, rows, age='missing = "drop"')) == 400
    kept = released(tmp_path, rows, age='missing = "drop"\nmissing_texts = ["NA"]')
    assert len(kept) == 401


DATED = """
[release]
k = 3
people = "records"
[columns.born]
role = "quasi_identifier"
kind = "month"
[columns.country]
role = "quasi_identifier"
hierarchy = "countries"
[columns.income]
role = "sensitive"
kind = "numeric"
missing = "drop"
[columns.disease]
role = "sensitive"
missing = "value"
"""


@pytest.mark.soak
def test_the_command_reads_workbooks_with_dates_thousands_and_known_groups(tmp_path: Path) -> None:
    """Months stay or become quarters, years or decades; countries stay or become regions."""
    rng = np.random.default_rng(9)
    rows = []
    for number in range(120):
        year, month = 1990 + number % 3, 1 + int(rng.integers(12))
        born = (f"{year}-{month:02}-05", f"{year}年{month}月5日", f"5 {calendar.month_name[month]} {year}")
        country = str(rng.choice(["France", "Spain", "Germany", "日本"]))
        income = "refused" if number % 20 == 0 else f"{rng.integers(1000, 9000):,}"
        rows.append([born[number % 3], country, income, str(rng.choice(["flu", "cold"]))])
    pandas.DataFrame(rows, columns=["born", "country", "income", "disease"]).to_excel(
        tmp_path / "people.xlsx", index=False
    )
    plan_write(tmp_path / "r.json", DATED)
    out = tmp_path / "out"
    call_command(
        "release", str(tmp_path / "people.xlsx"), "--plan", str(tmp_path / "r.json"), "--out", str(out)
    )
    text = (out / "deposit" / "data.csv").read_text(encoding="utf-8")
    published = list(csv.DictReader(io.StringIO(text)))
    assert len(published) == 114
    groups = "France Spain Germany 日本 Western_Europe Southern_Europe Europe 东亚 亚洲 *".replace(
        "_", "\x20"
    )
    assert {row["country"].replace(" ", "\x20") for row in published} <= set(groups.split())
    for row in published:
        assert re.fullmatch(r"199\d-\d\d|199\d Q[1-4]|199\d|1990s|\*", row["born"])
        assert row["income"].isdecimal()
    sizes = Counter((row["born"], row["country"]) for row in published)
    assert min(sizes.values()) >= 3


def test_the_commands_drop_unnamed_row_numbers(tmp_path, capsys):
    """R and pandas write row numbers by default: `analysis_10`."""
    rows = "".join(f"{n},{20 + n % 3},{'mf'[n % 2]},{('flu', 'cold')[n % 4 // 2]}\n" for n in range(24))
    path = tmp_path / "t.csv"
    path.write_text(f",age,sex,ill\n{rows}")
    known = {name: {"role": "quasi_identifier", "hierarchy": "flat"} for name in ("age", "sex")}
    plan = {"release": {"k": 2, "l": 2}, "columns": {**known, "ill": {"role": "sensitive"}}}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    call_command("release", path, plan=tmp_path / "plan.json", out=tmp_path / "out")
    data = (tmp_path / "out" / "deposit" / "data.csv").read_text().splitlines()
    assert (data[0], len(data)) == ("age,sex,ill", 25)
    call_command("verify", path, quasi_identifiers="age,sex", sensitive="ill", k=4)
    with pytest.raises(CommandError, match="does not hold"):
        call_command("verify", path, quasi_identifiers="column 1,age", sensitive="ill", k=2)


@pytest.mark.soak
def test_commands_read_the_requested_sheet(tmp_path, capsys):
    """The workbook has a sheet of notes and one of data: `analysis_13`."""
    rows = [[20 + n % 2, ("flu", "cold")[n % 4 // 2]] for n in range(8)]
    (tmp_path / "people.xlsx").write_bytes(workbook(Sheet=[["note"]], data=[["age", "ill"], *rows]))
    wish = {"quasi_identifiers": "age", "sensitive": "ill", "k": 4, "l": 2}
    with pytest.raises(CommandError, match="2 sheets of the workbook contain cells: Sheet, data"):
        call_command("verify", tmp_path / "people.xlsx", **wish)
    call_command("verify", tmp_path / "people.xlsx", sheet="data", **wish)
    plan = {"release": {"k": 4}, "columns": {"age": {"role": "quasi_identifier", "hierarchy": "flat"}}}
    plan["columns"]["ill"] = {"role": "sensitive"}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    out = {"plan": tmp_path / "plan.json", "out": tmp_path / "out"}
    call_command("release", tmp_path / "people.xlsx", sheet="data", **out)
    assert (tmp_path / "out" / "deposit" / "data.csv").is_file()
