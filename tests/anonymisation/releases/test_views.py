"""From a table to a release through the pages: steps, refusals, the job, the files, and deletion."""

import csv
import io
import json
import zipfile
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from django.utils import timezone
from pytest_django import Settings

from anonymisation.microdata.config import DRAWN
from anonymisation.microdata.deposit_reader import release_open
from anonymisation.models import Release, ReleaseColumn, ReleaseTable
from anonymisation.policy import LIFETIME, MOST_UNDER_WAY
from anonymisation.releases.deletion import release_erase, releases_step
from anonymisation.releases.drafts import table_open
from anonymisation.releases.jobs import release_job
from anonymisation.releases.new_release import upload_begin
from anonymisation.releases.sealed_documents import document_seal
from privacy.sdc.queries import answer
from privacy.sdc.query_language import parse
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.errors.stored_refusals import refusal_text
from surveys.jobs import lease
from surveys.models import AuditEvent, Job
from surveys.server.backup import backup_make
from surveys.tasks import run_job
from tests.anonymisation.made_releases import made_release
from tests.attack.stored import table_rows, tables
from tests.fixtures.api_clients import program_of
from tests.fixtures.staff import member
from tests.surveys.accounts.test_token_requests import body_of

pytestmark = pytest.mark.django_db

MARK = "Q7-planted-cell"


@cache
def people(n: int = 120) -> bytes:
    """Return a CSV of names, two quasi-identifiers and two sensitive columns; one name is a search marker."""
    rng = np.random.default_rng(8)
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["name", "age", "work", "disease", "debt"])
    for number in range(n):
        writer.writerow(
            [
                MARK if number == 3 else f"person {number}",
                rng.integers(20, 60),
                "" if number % 40 == 9 else rng.choice(["state", "city", "own", "firm"]),
                rng.choice(["flu", "cold", "cough", "ulcer"]),
                rng.choice(["yes", "no"], p=[0.2, 0.8]),
            ]
        )
    return file.getvalue().encode()


def address(step: str) -> str:
    return reverse(f"releases:{step}", args=[Release.objects.latest("pk").pk])


def upload(client: Client, raw: bytes | None = None, name: str = "people.csv") -> Any:
    file = SimpleUploadedFile(name, people() if raw is None else raw)
    return client.post(reverse("releases:begin"), {"file": file})


def proposed(client: Client, step: str = "columns") -> dict[str, Any]:
    """Return the form data that a page proposes to the owner; the page is not rendered."""
    request, found = RequestFactory().get(address(step)), resolve(address(step))
    request.user = Release.objects.latest("pk").owner
    form = found.func(request, **found.kwargs).context_data["form"]
    return {name: form[name].value() for name in form.fields if name != "ledgers"}


BOUNDS = {
    "k": 4, "algorithm": "tight", "max_suppressed": 0, "l_0": 3, "l_1": 2, "multi_attribute": "off",
    "uncompared": "on",
}  # fmt: skip
WISH = {"k": 5, "algorithm": "tight", "max_suppressed": 0, "l_0": 2}


def stepped(client: Client, raw: bytes | None = None, *, trees: Any = None, **columns: Any) -> Any:
    """Upload a table, and take the steps before the bounds with the proposed settings and these."""
    upload(client, raw)
    response = client.post(address("columns"), proposed(client) | columns)
    assert response.status_code == 302, response.context["problem"]
    return client.post(address("trees"), proposed(client, "trees") | (trees or {}))


def requested(client: Client, bounds: dict[str, Any]) -> Release:
    response = client.post(address("bounds"), bounds)
    assert response.status_code == 302, response.context["problem"]
    return Release.objects.latest("pk")


def finished(client: Client, bounds: dict[str, Any]) -> Release:
    """Request a release with these bounds, and run its job."""
    release = requested(client, bounds)
    run_job(release.job_id)
    release.refresh_from_db()
    assert release.finished_at is not None, refusal_text(release.job.message)
    return release


def asked(client: Client, **more: Any) -> Release:
    stepped(client)
    return requested(client, BOUNDS | more)


def made(client: Client, **more: Any) -> Release:
    stepped(client)
    return finished(client, BOUNDS | more)


def unzipped(response: Any) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_plan_of(
    client: Client, folder: Path, table: bytes | None = None
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the files of the latest release, and those that the command makes with its plan."""
    report = unzipped(client.get(address("report")))
    (folder / "plan.json").write_bytes(report["plan.json"])
    (folder / "people.csv").write_bytes(people() if table is None else table)
    call_command(
        "release", folder / "people.csv", plan=folder / "plan.json", out=folder / "out", stdout=io.StringIO()
    )
    theirs = {path.name: path.read_bytes() for path in (folder / "out" / "deposit").iterdir()}
    return unzipped(client.get(address("files"))), theirs


@pytest.mark.soak
@pytest.mark.parametrize(
    "wish",
    [
        {"rho1_1": "0.3", "rho2_1": "0.9"},
        {"algorithm": "bottom-up", "beta_0": "2", "weight_0": "3", "rho1_1": "0.3", "rho2_1": "0.9"},
        {
            "algorithm": "samarati",
            "max_suppressed": "5",
            "enhanced_beta_1": "3",
            "rho1_1": "0.3",
            "rho2_1": "0.9",
        },
        {"other_algorithm": "ilp"},
        {"other_algorithm": "kacluk", "t_0": "0.6"},
    ],
    ids=["tight", "bottom-up", "samarati", "ilp", "kacluk"],
)
def test_the_command_reproduces_the_pages_release_from_its_plan(
    researcher: Client, wish: dict[str, str], tmp_path: Path
) -> None:
    """Records, codebook and figures are equal; only the random order of the records differs."""
    release = made(researcher, **wish)
    ours, theirs = with_plan_of(researcher, tmp_path)
    assert sorted(ours["data.csv"].splitlines()) == sorted(theirs["data.csv"].splitlines())
    assert ours["codebook.json"] == theirs["codebook.json"]
    both = [json.loads(files["manifest.json"]) for files in (ours, theirs)]
    for manifest in both:
        del manifest["files"]
    assert both[0] == both[1]
    algorithm = wish.get("other_algorithm") or wish.get("algorithm", "tight")
    assert release.bounds["algorithm"] == both[0]["algorithm"] == algorithm
    assert ("seed" in release.bounds) == (algorithm in DRAWN)
    if algorithm not in DRAWN:
        check_files(ours, release, tmp_path / "out" / "deposit")
        check_page(researcher.get(address("release")).content.decode(), algorithm)
    assert {"report.html", "report.css"} <= set(unzipped(researcher.get(address("report"))))


def check_files(files: dict[str, bytes], release: Release, deposit: Path) -> None:
    """Assert by a separate count: no names, and classes of 4 or more with three diseases and both debts."""
    assert {"data.csv", "data.parquet", "codebook.json", "manifest.json"} <= set(files)
    rows = list(csv.DictReader(io.StringIO(files["data.csv"].decode())))
    assert set(rows[0]) == {"age", "work", "disease", "debt"}
    groups: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault((row["age"], row["work"]), []).append(row)
    for group in groups.values():
        assert len(group) >= 4
        assert len({row["disease"] for row in group}) >= 3
        assert {row["debt"] for row in group} == {"yes", "no"}
        assert sum(row["debt"] == "yes" for row in group) <= 0.9 * len(group)
    for name, body in files.items():
        (deposit / name).write_bytes(body)
    table, _domains = release_open(deposit)
    assert len(table) == release.result["records"]


def check_page(page: str, algorithm: str) -> None:
    assert "Identified: 0 of " in page
    assert "In the group that reveals most, a guess is right in " in page
    assert "The original records were deleted." in page
    assert page.count("<figure>") == 2 + ("Risk and loss of all generalisations" in page)
    assert page.count("data-png") == page.count("<figure>")
    assert "highest probability" in page
    assert ("Risk and loss of all generalisations" in page) == (algorithm == "samarati")


@pytest.mark.soak
def test_a_plan_includes_ends_years_missing_texts_and_respondents(researcher: Client, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    lines = [
        f"p{number},{'NA' if number % 17 == 0 else rng.integers(20, 60)},{rng.integers(1960, 2000)}-05-05,"
        f"{rng.choice(['flu', 'cold', 'cough', 'ulcer'])}"
        for number in range(160)
    ]
    table = "\n".join(["pid,age,born,disease", *lines]).encode()
    stepped(researcher, table, trees={"ends_0": "30, 40, 50\n40"}, respondent="pid")
    finished(researcher, {name: value for name, value in BOUNDS.items() if name != "l_1"})
    ours, theirs = with_plan_of(researcher, tmp_path, table)
    assert sorted(ours["data.csv"].splitlines()) == sorted(theirs["data.csv"].splitlines())
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    assert plan["release"]["respondent"] == "pid"
    assert plan["columns"]["age"]["ends"] == [[30, 40, 50], [40]]
    assert plan["columns"]["age"]["missing_texts"] == ["NA"]
    assert plan["columns"]["born"]["kind"] == "year"


def test_a_rejected_form_keeps_the_chosen_values_and_the_seed(researcher: Client) -> None:
    """Three values of a column with two are refused immediately, and the form keeps its entries."""
    upload(researcher)
    researcher.post(address("columns"), proposed(researcher))
    wrong = {**BOUNDS, "l_1": 3, "t_0": "0.25", "other_algorithm": "kacluk"}
    refused = researcher.post(address("bounds"), wrong)
    assert refused.status_code == 422
    assert "“debt” has 2 different values" in refused.content.decode()
    form = researcher.get(address("bounds")).context["form"]
    assert (form["l_1"].value(), form["t_0"].value()) == (3, 0.25)
    # Randomised algorithms are under *Details*.
    assert form["other_algorithm"].value() == "kacluk"
    assert form.of_details["open"]
    assert form.seed == Release.objects.latest("pk").bounds["seed"]


def test_a_refusal_lists_all_problems_at_once(researcher: Client) -> None:
    upload(researcher)
    researcher.post(address("columns"), proposed(researcher))
    typed = proposed(researcher, "trees")
    first, second = (name for name in typed if name.startswith(("tree_", "ends_")))
    refused = researcher.post(address("trees"), {**typed, first: "a\n     b", second: "x y"})
    assert refused.status_code == 422
    assert len(refused.context["problem"].split(". ")) >= 3
    assert researcher.post(address("trees"), typed).status_code == 302
    wrong = {**BOUNDS, "k": 5000, "l_1": 3, "rho1_0": "0.5", "beliefs_0": "flu, 1"}
    page = researcher.post(address("bounds"), wrong).content.decode()
    assert "“debt” has 2 different values" in page
    for part in ("5,000", "belief", "rho"):
        assert part in page[page.index('role="alert"') :][:900], part


def test_a_job_refusal_is_shown_where_it_can_be_corrected(researcher: Client) -> None:
    release = asked(researcher, algorithm="samarati", t_0="0", t_1="0", k=30)
    Release.objects.filter(pk=release.pk).update(bounds=release.bounds | {"k": 121})
    run_job(release.job_id)
    response = researcher.get(address("release"), follow=True)
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()
    assert ReleaseTable.objects.filter(release=release).exists()
    finished(researcher, BOUNDS)


def test_stored_records_cannot_be_found_or_read_in_the_database(researcher: Client, tmp_path: Any) -> None:
    """Attacks the page's promise: searches for the marker name in everything the server stores."""
    upload(researcher)

    release = Release.objects.get()
    for table in tables():
        for _columns, rows in table_rows(table):
            assert not any(MARK.encode() in cell for row in rows for cell in row if cell), table
    # The search would find it, because the records can be opened with the installation's key.
    assert any(MARK in column.values for column in table_open(release).table.columns)
    sealed = bytes(ReleaseTable.objects.get().sealed)
    other = upload_begin(owner=release.owner, name="x.csv", raw=b"a,b\n1,2\n", now=timezone.now())
    ReleaseTable.objects.filter(release=other).update(sealed=sealed)
    with pytest.raises(SurveyError, match="cannot be opened"):
        table_open(other)
    ReleaseTable.objects.filter(release=other).update(
        sealed=document_seal({"trees": {}}, release_id=other.pk, kind="table")
    )
    for column in ReleaseColumn.objects.filter(table=release.pk, number__lt=2):
        ReleaseColumn.objects.filter(table=other.pk, number=column.number).update(sealed=column.sealed)
    with pytest.raises(SurveyError, match="cannot be opened"):
        table_open(other)


def test_records_are_deleted_on_release_on_request_or_after_a_day(researcher: Client) -> None:
    release = made(researcher)
    assert not ReleaseTable.objects.exists()
    with pytest.raises(SurveyError, match="no longer stored"):
        table_open(release)
    upload(researcher)
    now = timezone.now()
    releases_step(now=now + LIFETIME - timedelta(minutes=1))
    assert ReleaseTable.objects.count() == 1
    releases_step(now=now + LIFETIME + timedelta(minutes=1))
    assert not ReleaseTable.objects.exists()
    assert list(Release.objects.values_list("pk", flat=True)) == [release.pk]
    at_work = asked(researcher)
    releases_step(now=now + 2 * LIFETIME)
    assert not Release.objects.filter(pk=at_work.pk).exists()
    assert not Job.objects.filter(pk=at_work.job_id).exists()
    upload(researcher)
    researcher.post(address("erase"))
    assert not ReleaseTable.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_backups_do_not_contain_the_records(researcher: Client, tmp_path: Any) -> None:
    upload(researcher)
    # SQLite stores short byte strings in one piece.
    sealed = bytes(ReleaseColumn.objects.first().sealed)
    backup_make(tmp_path / "backup", version="1", now=timezone.now())
    bodies = [path.read_bytes() for path in (tmp_path / "backup").iterdir()]
    assert bodies
    assert not any(sealed[:48] in body or MARK.encode() in body for body in bodies)


def test_a_cancelled_job_stores_no_result_and_keeps_the_table(researcher: Client) -> None:
    release = asked(researcher)
    assert "Cancel" in researcher.get(address("release")).content.decode()
    assert researcher.get(address("progress")).json()["over"] is False
    held = lease.claim(release.job_id, now=timezone.now())
    assert held is not None
    store = release_job(release.job_id, lambda stage, done, total: None)
    researcher.post(address("cancel"))
    with pytest.raises(lease.LostLease):
        lease.finish(held, now=timezone.now(), store=store)
    release.refresh_from_db()
    assert release.files is None
    assert ReleaseTable.objects.filter(release=release).exists()
    assert researcher.get(address("progress")).json() == {"over": True}
    assert researcher.get(address("release"), follow=True).redirect_chain[-1][0] == address("bounds")


def test_a_column_accepts_only_the_roles_offered(researcher: Client) -> None:
    upload(
        researcher, b"age,remark\n" + b"".join(b"%d,%s\n" % (n % 50, b"long text " * 40) for n in range(60))
    )
    assert (
        researcher.post(address("columns"), {**proposed(researcher), "role_1": "insensitive"}).status_code
        == 422
    )
    assert Release.objects.get().columns[1]["role"] == "identifier"
    assert (
        researcher.post(address("columns"), {**proposed(researcher), "role_0": "identifier"}).status_code
        == 422
    )


def test_an_invalid_tree_is_refused_and_keeps_its_text(researcher: Client) -> None:
    upload(researcher)
    researcher.post(address("columns"), proposed(researcher))
    refused = researcher.post(address("trees"), {"tree_0": "public\n  city\n  state"})
    assert refused.status_code == 422
    assert "lack 2 of its values" in refused.content.decode()
    assert "public" in refused.content.decode()
    right = researcher.post(address("trees"), {"tree_0": "public\n  city\n  state\nprivate\n  firm\n  own"})
    assert right.status_code == 302
    finished(researcher, {**BOUNDS, "k": 20})
    rows = list(csv.DictReader(io.StringIO(unzipped(researcher.get(address("files")))["data.csv"].decode())))
    assert {row["work"] for row in rows} <= {"", "state", "city", "own", "firm", "public", "private", "*"}


@pytest.mark.soak
@pytest.mark.parametrize("algorithm", ["tight", "samarati"])
def test_typed_intervals_are_published(researcher: Client, algorithm: str, tmp_path: Any) -> None:
    upload(researcher)
    researcher.post(address("columns"), proposed(researcher))
    tree = {"tree_0": "public\n  city\n  state\nprivate\n  firm\n  own"}
    refused = researcher.post(address("trees"), {**tree, "ends_0": "30, 45\r\n40"})
    assert refused.status_code == 422
    assert "40, which is not on the line above" in refused.content.decode()
    assert refused.context["form"]["ends_0"].value() == "30, 45\n40"
    assert researcher.post(address("trees"), {**tree, "ends_0": "30, 45\r\n45"}).status_code == 302
    assert researcher.get(address("trees")).context["form"]["ends_0"].value() == "30, 45\n45"
    release = finished(researcher, {**BOUNDS, "k": 12, "algorithm": algorithm})
    for name, body in unzipped(researcher.get(address("files"))).items():
        (tmp_path / name).write_bytes(body)
    table, domains = release_open(tmp_path)
    published = set(table.column("age").values)
    fine, coarse = {"(-inf,30)", "[30,45)", "[45,inf)"}, {"(-inf,45)", "[45,inf)"}
    assert len(published & (fine | coarse)) > 1
    assert published <= fine | coarse | {"*"}
    # Knowing all ages identifies no one, and the criteria hold for labels and records.
    assert all(one["identified"] == 0 for one in release.result["attacks"]["linked"])
    (found,) = answer(table, parse("count where age < 30"), domains)
    true = sum(int(row["age"]) < 30 for row in csv.DictReader(io.StringIO(people().decode())))
    assert found.lower <= true <= found.upper


def test_one_protected_column_reveals_another_without_multi_attribute(researcher: Client) -> None:
    """If knowing the debt reveals the disease, the page says so instead of "all holds"."""
    # The strict reading is the default.
    for wish in ("off", ""):
        release = made(researcher, l_0=2, l_1=2, multi_attribute=wish)
        page = researcher.get(address("release")).content.decode()
        assert "who also knows a person’s other protected columns" in page
        assert ("also hold if someone knows all other protected columns" in page) == (wish != "off")
        certain = [one for one in release.result["attacks"]["knowing"] if one["disclosed"]]
        assert bool(certain) == (wish == "off")
        assert ("All requirements are met" in page) != bool(certain)
        assert ("some of its values are certain" in page) == bool(certain)
        figures = page.index("records are in")
        for one in certain:
            said = f"becomes certain of “{one['column']}” in at most {one['disclosed']} of {one['people']}"
            assert f"{said} records. Reason: you assumed that others only know" in page[:figures]


@pytest.mark.soak
def test_columns_have_equal_weights_by_default(researcher: Client) -> None:
    """A continuous first protected column used to give sex a weight of .40 and age .02 by default."""
    rng = np.random.default_rng(4)
    rows = [f"{rng.integers(20, 60)},{rng.choice(['m', 'f'])},{rng.normal():.6f}" for _ in range(200)]
    shares = {}
    for weighing in ("", "table"):
        stepped(researcher, ("age,sex,income\n" + "\n".join(rows)).encode())
        finished(researcher, WISH | {"weighing": weighing})
        losses = researcher.get(address("release")).context["result"]["losses"]
        shares[weighing] = {one["name"]: round(one["weight"], 2) for one in losses}
    assert shares[""] == {"age": 0.5, "sex": 0.5}
    assert shares["table"]["sex"] > 10 * shares["table"]["age"]


@pytest.mark.parametrize(
    ("header", "stated", "said", "counted"),
    [
        ("person,age,work,disease", {"respondent": "person"}, "“person” has 150 values in 180", True),
        ("person,age,work,disease", {"people": "records"}, "“person” has 150 values in 180 records", False),
        (
            ",age,work,disease",
            {"people": "alike"},
            "60 of 180 records equal another record in every column",
            True,
        ),
    ],
    ids=["named", "records", "alike"],
)
@pytest.mark.few("alike", why="equal records are people without a column that names them")
def test_groups_count_five_people_when_people_have_several_records(
    researcher: Client, header: str, stated: dict[str, str], said: str, counted: bool
) -> None:
    """Thirty of 150 people are in the table twice, with or without an identifying column."""
    rng = np.random.default_rng(6)
    rows = [
        [str(n), str(20 + 0.25 * n), rng.choice(["own", "firm"]), rng.choice(["flu", "cold"])]
        for n in range(150)
    ]
    names = header.split(",")
    first = 0 if names[0] else 1
    raw = "\n".join(",".join(row[first:]) for row in [names, *rows, *rows[:30]]).encode()
    upload(researcher, raw)
    assert said in researcher.get(address("columns")).content.decode()
    # If records may be of one person or of several, the page asks, whatever a column is called.
    unsaid = researcher.post(address("columns"), proposed(researcher))
    assert unsaid.status_code == 422
    assert "No column that is left out repeats" not in unsaid.content.decode()
    stated_now = researcher.post(address("columns"), proposed(researcher) | stated)
    assert stated_now.status_code == 302
    researcher.post(address("trees"), proposed(researcher, "trees"))
    release = finished(researcher, WISH)
    published = unzipped(researcher.get(address("files")))["data.csv"].decode()
    people_in: dict[str, int] = dict.fromkeys(
        {row["age"] for row in csv.DictReader(io.StringIO(published))}, 0
    )
    # Ages are unique, so the people in a class are the ages in its interval.
    for label in people_in:
        low, high = (float(end) for end in label.strip("[]").split(","))
        people_in[label] = sum(low <= float(row[1]) <= high for row in rows)
    page = researcher.get(address("release")).content.decode()
    assert ("They belong to 150 people" in page) == counted
    assert ("people in the smallest group (k)" in page) == counted
    assert release.result.get("people") == (150 if counted else None)
    assert release.result["risk"]["after"]["smallest"] >= 5
    assert not counted or min(people_in.values()) >= 5


@pytest.mark.soak
def test_one_missing_age_loses_only_its_own_record(researcher: Client) -> None:
    """One NA among many ages used to turn them into categories, with four times the loss."""
    rng = np.random.default_rng(12)
    rows = [
        f"{n},{rng.integers(18, 80)},{rng.choice(['own', 'firm'])},{rng.choice(['flu', 'cold', 'refused'])}"
        for n in range(1200)
    ]
    losses = []
    for more in ([], ["1200,NA,own,flu"]):
        upload(researcher, "\n".join(["person,age,work,disease", *rows, *more]).encode())
        page = researcher.get(address("columns")).content.decode()
        assert ("“NA”, in 1 record" in page) == bool(more)
        assert "“refused”, in " in page
        # As sent by a program that omits the question.
        sent = {name: value for name, value in proposed(researcher).items() if not name.startswith("missing")}
        researcher.post(address("columns"), sent)
        researcher.post(address("trees"), {})
        release = finished(researcher, WISH)
        assert (release.result["records"], release.result["dropped"]) == (1200, len(more))
        losses.append(release.result["loss"]["ncp"])
        published = unzipped(researcher.get(address("files")))["data.csv"].decode()
        groups: dict[tuple[str, str], set[str]] = {}
        for row in csv.DictReader(io.StringIO(published)):
            groups.setdefault((row["age"], row["work"]), set()).add(row["disease"])
        assert min(len(diseases - {""}) for diseases in groups.values()) >= 2
    assert losses[1] == pytest.approx(losses[0], abs=1e-9)


@pytest.mark.soak
def test_a_missing_code_treated_as_a_value_reclassifies_the_column(researcher: Client) -> None:
    upload(
        researcher, b"age,disease\n" + b"\n".join(b"%d,flu" % (20 + n % 30) for n in range(60)) + b"\nNA,cold"
    )
    wanted = proposed(researcher)
    assert wanted["missing_0_0"] == "missing"
    assert (Release.objects.get().columns[0]["kind"], Release.objects.get().columns[0]["missing"]) == (
        "numeric",
        1,
    )
    researcher.post(address("columns"), wanted | {"missing_0_0": "value"})
    column = Release.objects.get().columns[0]
    assert (column["kind"], column["missing"], column["missing_texts"]) == ("categorical", 0, [])
    researcher.post(address("columns"), proposed(researcher) | {"missing_0_0": "missing"})
    column = Release.objects.get().columns[0]
    assert (column["kinds"], column["missing"], column["missing_texts"]) == (
        ["numeric", "categorical"],
        1,
        ["NA"],
    )
    assert list(table_open(Release.objects.get()).table.rows())[-1] == ("", "cold")


@pytest.mark.soak
def test_a_release_is_tested_against_beliefs_without_storing_them(researcher: Client) -> None:
    stepped(researcher)
    wrong = {**BOUNDS, "beliefs_0": "flu, 1\ncold, 1"}
    refused = researcher.post(address("bounds"), wrong)
    assert refused.status_code == 422
    assert "the belief about the value “cough” of “disease” is missing" in refused.content.decode()
    assert researcher.get(address("bounds")).context["form"]["beliefs_0"].value() == wrong["beliefs_0"]
    right = {**BOUNDS, "rho1_1": "0.3", "rho2_1": "0.9"}
    right["beliefs_0"] = "flu, 1\ncold, 1\ncough, 1\nulcer, 97"
    right["beliefs_1"] = "work,debt,belief\nfirm,yes,80\nfirm,no,20\n*,yes,20\n*,no,80"
    release = finished(researcher, right)
    assert "ulcer" not in repr((release.bounds, release.columns))
    one, other = release.result["beliefs"]
    assert (one["column"], one["known"], one["strongest_before"]) == ("disease", [], 0.97)
    assert one["strongest_after"] < 0.97
    assert (other["column"], other["known"], other["rho2"]) == ("debt", ["work"], 0.9)
    page = researcher.get(address("release")).content.decode()
    assert "Someone with the beliefs you entered" in page
    assert "97 →" in page
    assert not any(word in repr(list(AuditEvent.objects.values())) for word in ("ulcer", "firm"))


@pytest.mark.soak
def test_columns_with_higher_weights_lose_less(researcher: Client) -> None:
    """With weights of 50 to 1 and 1 to 50, the heavier column loses less. The page shows own values."""
    lost = {}
    for place, name in enumerate(("age", "work")):
        weights = {f"weight_{place}": "50", f"weight_{1 - place}": "1"}
        release = made(researcher, l_0=1, l_1=1, **weights)
        lost[name] = release.result["loss"]["columns"]
        assert release.result["loss"]["weights"][name] == 50
        assert release.result["loss"]["own_share"] is None
    assert lost["age"]["age"] < lost["work"]["age"]
    assert lost["work"]["work"] < lost["age"]["work"]
    release = made(researcher, weighing="own")
    assert 0 < release.result["loss"]["own_share"] < 1
    assert sum(release.result["loss"]["weights"].values()) == pytest.approx(1)
    page = researcher.get(address("release")).content.decode()
    assert "the same, by each person’s own value" in page


@pytest.mark.soak
def test_the_page_shows_the_lattice_and_offers_the_lowest_loss(researcher: Client) -> None:
    """The node with the fewest steps may lose more than the best one."""
    seen = {}
    for search in ("lowest", "all"):
        made(researcher, algorithm="samarati", search=search, max_suppressed=10, l_0=1, l_1=1)
        page = researcher.get(address("release"))
        lattice = page.context["result"]["lattice"]
        assert lattice["whole"]
        assert f"all {lattice['size']} generalisations" in page.content.decode()
        assert lattice["looked_at"] == len(lattice["rows"]) + len(lattice["others"]) == lattice["size"]
        (chosen,) = (row for row in lattice["rows"] if row["kind"] == "chosen")
        minimal = [row for row in lattice["rows"] if row["kind"] == "minimal"]
        seen[search] = (chosen, minimal)
    steps = [row["step"] for row in seen["lowest"][1]]
    assert seen["lowest"][0]["step"] == min([seen["lowest"][0]["step"], *steps])
    # Suppressed records count as lost, up to a tenth here.
    least = min(row["place"][0] for row in seen["all"][1])
    assert seen["all"][0]["place"][0] <= least + 0.1


def test_empty_unreadable_and_excess_uploads_are_rejected(researcher: Client) -> None:
    assert researcher.post(reverse("releases:begin"), {}).status_code == 422
    assert upload(researcher, b"\xff\xfe").status_code == 422
    assert "No table was chosen" not in upload(researcher, b"").content.decode()
    for n in range(MOST_UNDER_WAY):
        assert upload(researcher, people(60 + n)).status_code == 302
    assert upload(researcher).status_code == 422
    assert Release.objects.count() == MOST_UNDER_WAY


@pytest.mark.soak
def test_the_audit_log_lists_actions_without_values(researcher: Client) -> None:
    made(researcher)
    researcher.get(address("files"))
    release_erase(Release.objects.get(), by=member("rosa", Role.RESEARCHER))
    assert Release.objects.get().files is None
    actions = list(
        AuditEvent.objects.filter(action__startswith="release")
        .order_by("pk")
        .values_list("action", flat=True)
    )
    assert actions == [
        *("release_begin", "release_columns", "release_trees", "release_request"),
        *("release_finish", "release_download", "release_erase"),
    ]
    assert not any(word in repr(list(AuditEvent.objects.values())) for word in (MARK, "ulcer", "firm"))


def measured_panel(people: int = 60, waves: int = 6) -> bytes:
    """Return a panel whose number of the person has a name that says nothing."""
    rng = np.random.default_rng(4)
    lines = ["lfd,wave,sex,hours,smokes"]
    for person in range(people):
        sex, hours = rng.choice(["f", "m"]), 20 + person % 13
        lines += [f"{person},{wave},{sex},{hours},{rng.choice(['yes', 'no'])}" for wave in range(waves)]
    return "\n".join(lines).encode()


@pytest.mark.soak
def test_a_column_that_looks_like_people_is_left_out_and_asked_about(researcher: Client) -> None:
    upload(researcher, measured_panel())
    values = proposed(researcher)
    assert values["role_0"] == "identifier"
    unsaid = researcher.post(address("columns"), values)
    assert unsaid.status_code == 422
    assert "“lfd” has 60 values in 360 records" in unsaid.content.decode()
    assert researcher.post(address("columns"), values | {"respondent": ["lfd"]}).status_code == 302
    researcher.post(address("trees"), proposed(researcher, "trees"))
    assert "People in each group" in researcher.get(address("bounds")).content.decode()


@pytest.mark.soak
def test_a_published_column_that_looks_like_people_is_asked_about(researcher: Client) -> None:
    upload(researcher, measured_panel())
    values = proposed(researcher) | {"role_0": "quasi_identifier"}
    unsaid = researcher.post(address("columns"), values)
    assert unsaid.status_code == 422
    page = unsaid.content.decode()
    assert "“lfd” is published, but seems to identify people" in page
    assert "no published column seems to identify people" not in page
    assert researcher.post(address("columns"), values | {"people": "records"}).status_code == 302
    researcher.post(address("trees"), proposed(researcher, "trees"))
    assert "Records in each group" in researcher.get(address("bounds")).content.decode()


def test_a_second_number_of_the_same_people_is_left_out_too(researcher: Client) -> None:
    lines = measured_panel().decode().splitlines()
    more = [f"{9000 + int(line.partition(',')[0])},{line}" for line in lines[1:]]
    upload(researcher, "\n".join([f"file,{lines[0]}", *more]).encode())
    values = proposed(researcher)
    assert [values["role_0"], values["role_1"]] == ["identifier", "identifier"]
    assert values["role_3"] == "quasi_identifier"


def test_only_the_owner_can_download_a_release(settings: Settings) -> None:
    owner = member("owner", Role.RESEARCHER)
    release = made_release(owner)
    here = f"/en/staff/releases/{release.pk}/deposit.zip"
    sent = program_of(owner).get(here)
    assert (sent.status_code, sent["Content-Type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(body_of(sent))) as archive:
        assert json.loads(archive.read("manifest.json"))["sotto_release"] == 1
    assert AuditEvent.objects.filter(action="release_download", actor="owner").count() == 1
    assert program_of(member("rosa", Role.RESEARCHER)).get(here).status_code == 404
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    assert program_of(owner).get(here).json()["code"] == "second_factor"
    settings.SECOND_FACTOR_FOR = frozenset()
    release.files = None
    release.save()
    assert program_of(owner).get(here).status_code == 404


def test_a_form_that_is_sent_twice_starts_one_release(researcher: Client) -> None:
    """A second press, or *Back* and a press, started a second release of the same table."""
    raws = (people(), people(), people(60))
    answers = [
        researcher.post("/en/staff/releases/", {"file": SimpleUploadedFile("p.csv", raw)}) for raw in raws
    ]
    first, again, other = (answer["Location"] for answer in answers)
    assert first == again != other
    assert Release.objects.count() == 2
    assert "You started this release before" in researcher.get(again).content.decode()
