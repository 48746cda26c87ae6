"""The page for a utility matrix proposes one, accepts text and files, refuses with a reason, and counts."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from anonymisation.models import Release
from surveys.models import AuditEvent
from tests.anonymisation.releases.test_views import (
    BOUNDS,
    address,
    finished,
    made,
    people,
    proposed,
    stepped,
    unzipped,
)
from tests.fixtures.releases import plan_write

pytestmark = pytest.mark.django_db

# Age matters for flu and cough, work for the others.
WRITTEN = {"cold": "0.1,1", "cough": "1,0", "flu": "1,0", "ulcer": "0,0.9"}


def numbers(rows: dict[str, str] = WRITTEN) -> dict[str, str]:
    """Return the form data with this matrix."""
    lines = (f"{value},{cells}\n" for value, cells in rows.items())
    return {"matrix": "disease,age,work\n" + "".join(lines)}


def test_matrices_are_proposed_from_the_table_then_saved_or_deleted(researcher: Client) -> None:
    stepped(researcher)
    page = researcher.get(address("matrix"))
    assert f'href="{address("bounds")}">Back' in page.content.decode()
    draft = page.context["draft"]
    head, *rows = (line.split(",") for line in draft.text.splitlines())
    assert (head, [row[0] for row in rows]) == (["disease", "age", "work"], sorted(WRITTEN))
    assert all(0 < float(cell) <= 1 for row in rows for cell in row[1:])
    assert researcher.post(address("matrix"), numbers()).status_code == 302
    assert researcher.get(address("matrix")).context["draft"].text == numbers()["matrix"]
    assert "There is an expert’s matrix" in researcher.get(address("bounds")).content.decode()
    removed = researcher.post(address("matrix"), {"forget": "1"}, follow=True).content.decode()
    assert "It no longer decides the weights" in removed
    assert not researcher.get(address("matrix")).context["draft"].is_saved
    assert not any(value in repr(list(AuditEvent.objects.values())) for value in WRITTEN)


def test_invalid_matrices_are_rejected_and_the_input_is_kept(researcher: Client) -> None:
    stepped(researcher)
    for sent, said in (
        (numbers(WRITTEN | {"flu": "1.2,0"}), "at “flu” and “age” the matrix contains “1.2”"),
        (numbers(WRITTEN | {"flu": ",1"}), "at “flu” and “age” the matrix contains “”"),
        (
            numbers(WRITTEN | {"ulcer": "0,0"}),
            "for the value “ulcer” of “disease” the matrix contains only 0",
        ),
        ({"matrix": "disease,age\nflu,1"}, "does not say how much “work” reveals"),
        ({"matrix": "debt,age,work\nyes,1,1"}, "the matrix is about “debt”"),
    ):
        response = researcher.post(address("matrix"), sent)
        assert response.status_code == 422
        assert said in response.context["problem"].lower()
        assert response.context["form"]["matrix"].value() == sent["matrix"]
        assert not researcher.get(address("matrix")).context["draft"].is_saved


def test_a_matrix_excludes_weights_and_a_second_protected_column(researcher: Client) -> None:
    """With weights the matrix would have no effect, but weights by each person's own value go with it."""
    stepped(researcher)
    typed = {**BOUNDS, "weight_0": "3", "matrix": "1"}
    # Opening the page keeps the typed values.
    response = researcher.post(address("bounds"), typed)
    assert response.headers["Location"] == address("matrix")
    assert Release.objects.get().bounds["weights"] == {"age": 3.0}
    researcher.post(address("matrix"), numbers())
    del typed["matrix"]
    response = researcher.post(address("bounds"), typed)
    assert response.status_code == 422
    assert "an expert’s matrix would have no effect" in response.content.decode()
    roles = proposed(researcher)
    names = [column["name"] for column in Release.objects.get().columns]
    roles[f"role_{names.index('disease')}"] = "quasi_identifier"
    researcher.post(address("columns"), roles)
    response = researcher.post(address("bounds"), {"k": 4, "algorithm": "tight", "max_suppressed": 0})
    assert response.status_code == 422
    for page in (response, researcher.get(address("matrix"))):
        assert "he matrix is about “disease”" in page.content.decode()


def test_the_matrix_page_needs_a_protected_column(researcher: Client) -> None:
    stepped(researcher, b"age,work\n" + b"".join(b"%d,own\n" % age for age in range(20, 60)))
    assert "No column is protected" in researcher.get(address("matrix")).content.decode()


@pytest.mark.soak
def test_the_page_and_the_command_apply_a_matrix_identically(researcher: Client, tmp_path: Path) -> None:
    """Records, codebook and figures are identical; only the random order of the records differs."""
    plain = made(researcher)
    stepped(researcher)
    researcher.post(address("matrix"), numbers())
    finished(researcher, BOUNDS)
    files = unzipped(researcher.get(address("files")))
    (tmp_path / "people.csv").write_bytes(people())
    rows = "".join(f"{value},{cells}\n" for value, cells in WRITTEN.items())
    (tmp_path / "expert.csv").write_text("disease,age,work\n" + rows)
    (tmp_path / "work.csv").write_text("".join(f"{one};*\n" for one in ("", "city", "firm", "own", "state")))
    plan_write(
        tmp_path / "plan.json",
        """
[release]
k = 4
ground = "ordered"
multi_attribute = false
utility_matrix = "expert.csv"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
missing = "drop"
[columns.work]
role = "quasi_identifier"
hierarchy = "work.csv"
missing = "value"
[columns.disease]
role = "sensitive"
missing = "value"
l = 3
[columns.debt]
role = "sensitive"
missing = "value"
l = 2
""",
    )
    call_command(
        "release",
        tmp_path / "people.csv",
        plan=tmp_path / "plan.json",
        out=tmp_path / "out",
        stdout=io.StringIO(),
    )
    inside = tmp_path / "out" / "deposit"
    theirs = {path.name: path.read_bytes() for path in inside.iterdir()}
    assert sorted(files["data.csv"].splitlines()) == sorted(theirs["data.csv"].splitlines())
    assert files["codebook.json"] == theirs["codebook.json"]
    ours, other = (json.loads(one["manifest.json"]) for one in (files, theirs))
    for manifest in (ours, other):
        del manifest["files"]
    assert ours == other
    assert ours["utility_matrix"]["rows"]["ulcer"] == {"age": 0.0, "work": 0.9}
    # The matrix had an effect: the release differs from the one without it.
    assert ours["content_digest"] != json.loads(_manifest(researcher, plain))["content_digest"]
    report = unzipped(researcher.get(address("report")))["report.html"].decode()
    assert "Expert’s rating of how much each column reveals" in report
    assert "The weights come from an expert’s matrix" in researcher.get(address("release")).content.decode()


def _manifest(client: Client, release: Release) -> bytes:
    return unzipped(client.get(reverse("releases:files", args=[release.pk])))["manifest.json"]
