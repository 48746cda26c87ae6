"""Pages and command copy the labels of an SPSS file to the codebook and the files for SPSS and Stata."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from anonymisation.models import Release
from surveys.accounts.roles import Role
from surveys.report.export.ddi import NAMESPACE
from tests.anonymisation.releases.test_views import WISH, address, finished, proposed, unzipped
from tests.fixtures.releases import plan_write
from tests.fixtures.staff import member

NAMES = {"ddi": NAMESPACE}
SEX, DEBT = {1: "男", 2: "女"}, {1: "none", 2: "some", 3: "much"}
CONFIG = """
[release]
k = 4
l = 2
[columns.patient]
role = "identifier"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
[columns.sex]
role = "quasi_identifier"
hierarchy = "flat"
[columns.debt]
role = "sensitive"
"""


@pytest.fixture
def spss(tmp_path: Path) -> Path:
    n = 120
    frame = pd.DataFrame(
        {
            "patient": [f"patient {number}" for number in range(n)],
            "age": [20 + number % 30 for number in range(n)],
            "sex": [1 + number % 2 for number in range(n)],
            # The file declares -9 as missing.
            "debt": [[1, 2, 3, -9][number % 4] for number in range(n)],
        }
    )
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(
        frame,
        path,
        column_labels={"age": "Age in years", "sex": "性别", "debt": "What somebody owes"},
        variable_value_labels={"sex": SEX, "debt": DEBT},
        missing_ranges={"debt": [-9]},
    )
    return path


def assert_labelled(files: dict[str, bytes], tmp_path: Path) -> None:
    for name in ("data.sav", "data.dta"):
        (tmp_path / name).write_bytes(files[name])
    _, about = pyreadstat.read_sav(tmp_path / "data.sav")
    assert about.column_names_to_labels["sex"] == "性别"
    assert about.column_names_to_labels["debt"] == "What somebody owes"
    # The command publishes missing codes as they are, declared as missing.
    labels = {code: text for code, text in about.variable_value_labels["debt"].items() if code > 0}
    assert labels == DEBT
    assert set(SEX.values()) >= set(about.variable_value_labels["sex"].values()) - {"*"}
    stata = pd.read_stata(tmp_path / "data.dta")
    # Values that were missing in the input are missing here.
    assert set(stata["debt"].dropna()) == set(DEBT.values())
    assert stata["debt"].isna().sum() == 30


@pytest.mark.soak
@pytest.mark.django_db
def test_file_labels_are_kept_through_the_pages(client: Client, spss: Path, tmp_path: Path) -> None:
    client.force_login(member("rosa", Role.RESEARCHER))
    file = SimpleUploadedFile("people.sav", spss.read_bytes())
    assert client.post(reverse("releases:begin"), {"file": file}).status_code == 302
    columns = [column["name"] for column in Release.objects.get().columns]
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "debt": "sensitive"}
    chosen = proposed(client) | {f"role_{columns.index(name)}": role for name, role in roles.items()}
    assert client.post(address("columns"), chosen).status_code == 302
    trees: Any = client.get(address("trees")).context["form"]
    client.post(address("trees"), {name: trees[name].value() for name in trees.fields})
    finished(client, WISH | {"k": 4})
    assert_labelled(unzipped(client.get(address("files"))), tmp_path)


def test_file_labels_are_kept_through_the_command(spss: Path, tmp_path: Path) -> None:
    plan_write(tmp_path / "plan.json", CONFIG + 'missing = "value"\n')
    out = tmp_path / "out"
    call_command("release", str(spss), "--plan", str(tmp_path / "plan.json"), "--out", str(out))
    assert_labelled({path.name: path.read_bytes() for path in (out / "deposit").iterdir()}, tmp_path)
