"""The page says how a file was read, joins spellings or not, and averages sampling weights."""

import csv
import io
import zipfile
from collections import defaultdict

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from anonymisation.models import Release
from anonymisation.releases.downloads import FILES, release_download
from anonymisation.releases.drafts import columns_save, release_request
from anonymisation.releases.new_release import upload_begin
from anonymisation.releases.sealed_documents import REPORT
from surveys.accounts.roles import Role
from surveys.tasks import run_job
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

ILL = ("flu", "cold", "none")
TABLE = "Survey of 2024,,,\n,,,\nage,sex,wgt,ill\n" + "".join(
    f"{20 + n % 40},{'fmF'[n % 3]},{0.5 + n % 7 / 3:.3f},{ILL[n // 3 % 3]}\n" for n in range(120)
)


def begun() -> Release:
    rosa = member("rosa", Role.RESEARCHER)
    return upload_begin(owner=rosa, name="people.csv", raw=TABLE.encode(), now=timezone.now())


def files_of(release: Release, kind: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(release_download(release, kind, by=release.owner))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.soak
def test_the_page_lists_what_was_decided_when_the_file_was_read(client: Client) -> None:
    release = begun()
    client.force_login(release.owner)
    address = reverse("releases:columns", args=[release.pk])
    page = client.get(address).content.decode()
    assert "Lines above the header that were left out: 1. The first one is “Survey of 2024”." in page
    assert "“F” is read as “f”." in page
    page = client.get(address.replace("/en/", "/zh-hans/")).content.decode()
    assert "列名上方有 1 行未读取。第一行是“Survey of 2024”。" in page


@pytest.mark.soak
@pytest.mark.parametrize(("as_written", "values"), [(False, {"f", "m"}), (True, {"f", "m", "F"})])
def test_a_release_joins_spellings_and_averages_weights(as_written: bool, values: set[str]) -> None:
    release = begun()
    roles = {column["name"]: column["role"] for column in release.columns}
    assert roles == {
        "age": "quasi_identifier",
        "sex": "quasi_identifier",
        "wgt": "weight",
        "ill": "sensitive",
    }
    chosen = [
        {"role": "insensitive" if column["name"] == "sex" else column["role"], "kind": column["kind"]}
        | {"policy": column["policy"], "as_written": as_written, "missing_texts": column["missing_texts"]}
        for column in release.columns
    ]
    columns_save(release, chosen, by=release.owner, people="records")
    release.refresh_from_db()
    bounds = {"k": 4, "algorithm": "tight", "max_suppressed": 0, "columns": {"ill": {"l": 2}}}
    run_job(release_request(release, bounds, by=release.owner, now=timezone.now()).pk)
    release.refresh_from_db()
    assert release.finished_at is not None
    rows = list(csv.DictReader(io.StringIO(files_of(release, FILES)["data.csv"].decode())))
    assert {row["sex"] for row in rows} == values
    weights = defaultdict(set)
    for row in rows:
        weights[row["age"]].add(row["wgt"])
    assert all(len(own) == 1 for own in weights.values())
    total = sum(0.5 + n % 7 / 3 for n in range(120))
    assert sum(float(row["wgt"]) for row in rows) == pytest.approx(total, rel=1e-3)
    plan = files_of(release, REPORT)["plan.json"].decode()
    assert '"role": "weight"' in plan
    assert '"weights_as": "mean"' in plan
    assert ('"as_written": true' in plan) == as_written


def test_the_page_offers_to_round_sampling_weights(client: Client) -> None:
    release = begun()
    client.force_login(release.owner)
    columns_save(
        release,
        [
            {name: column[name] for name in ("kind", "policy", "as_written", "missing_texts")}
            | {"role": "identifier" if column["name"] == "age" else column["role"]}
            for column in release.columns
        ],
        by=release.owner,
        people="records",
    )
    address = reverse("releases:bounds", args=[release.pk])
    assert "How sampling weights are published" in client.get(address).content.decode()
    answer = client.post(
        address, {"k": 4, "algorithm": "tight", "max_suppressed": 0, "l_0": 2, "weights_as": "rounded"}
    )
    assert answer.status_code == 302
    release.refresh_from_db()
    assert release.bounds["weights_as"] == "rounded"
    run_job(release.job_id)
    release.refresh_from_db()
    rows = list(csv.DictReader(io.StringIO(files_of(release, FILES)["data.csv"].decode())))
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        found[row["sex"], row["wgt"]].append(row["ill"])
    assert min(map(len, found.values())) >= 4
    assert min(len(set(own)) for own in found.values()) >= 2
    assert len(found) > len({sex for sex, _weight in found})
    assert '"weights_as": "rounded"' in files_of(release, REPORT)["plan.json"].decode()
