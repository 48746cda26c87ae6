"""A messy table goes through all pages, and the downloaded file keeps every promise, by a separate count."""

import csv
import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pandas
import pyreadstat
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from anonymisation.models import Release
from privacy.sdc.proposals import propose
from privacy.tables.columns import ReadTable
from surveys.errors.stored_refusals import refusal_text
from surveys.tasks import run_job
from tests.anonymisation.releases.test_views import address, finished, proposed, requested, stepped
from tests.fixtures.messy_table import HEADER, PEOPLE, TWICE, messy_rows, messy_table
from tests.fixtures.workbooks import workbook

pytestmark = pytest.mark.django_db

NUMBER, BORN, SEX, REGION, INCOME, DISEASE, ALIVE, STATE, NOTE = range(len(HEADER))


def begun(client: Client, encoding: str = "gb18030") -> dict[str, dict[str, Any]]:
    return columns_of(client, "messy.csv", messy_table(encoding=encoding))


def filled(client: Client, step: str, **more: str) -> Any:
    return client.post(address(step), proposed(client, step) | more)


@pytest.mark.soak
@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig"])
@pytest.mark.few("utf-8-sig", why="the others execute nothing more")
def test_each_column_of_the_messy_table_is_recognised(researcher: Client, encoding: str) -> None:
    columns = begun(researcher, encoding)
    wanted = {
        HEADER[NUMBER]: ("identifier", "categorical", []),
        HEADER[BORN]: ("quasi_identifier", "year", []),
        HEADER[SEX]: ("quasi_identifier", "categorical", []),
        HEADER[REGION]: ("quasi_identifier", "categorical", ["NA"]),
        HEADER[INCOME]: ("sensitive", "numeric", ["-9", "refused"]),
        HEADER[DISEASE]: ("sensitive", "categorical", ["999", "refused", "不详"]),
        HEADER[ALIVE]: ("sensitive", "categorical", []),
        HEADER[STATE]: ("quasi_identifier", "categorical", []),
        HEADER[NOTE]: ("quasi_identifier", "numeric", []),
    }
    found = {
        name: (each["role"], each["kind"], sorted(each["missing_texts"])) for name, each in columns.items()
    }
    assert found == wanted
    # Years from three date formats, and incomes with commas.
    rows = messy_rows()
    assert columns[HEADER[BORN]]["distinct"] == len({re.search(r"\d{4}", row[BORN])[0] for row in rows})  # type: ignore[index]
    page = researcher.get(address("columns")).content.decode()
    assert f"“{HEADER[NUMBER]}” has {PEOPLE} values in {PEOPLE + TWICE} records" in page
    assert "5 different values" in page
    assert re.search(r"“[\d,]+,\d{3}” is read as a number", page)


def test_the_downloaded_file_keeps_every_promise_of_the_pages(researcher: Client) -> None:
    begun(researcher)
    rows = messy_rows()
    named = {"respondent": HEADER[NUMBER]}
    assert filled(researcher, "columns").status_code == 422
    assert filled(researcher, "columns", **named).status_code == 302
    # The page names a column that determines a protected one.
    assert (
        f"“{HEADER[STATE]}” determines “{HEADER[ALIVE]}”."
        in researcher.get(address("trees")).content.decode()
    )
    page = researcher.get(address("columns")).content.decode()
    assert page.count(f"It determines “{HEADER[ALIVE]}”.") == 1
    filled(researcher, "columns", **{f"role_{STATE}": "identifier", f"role_{NOTE}": "identifier"}, **named)
    assert "It determines" not in researcher.get(address("columns")).content.decode()
    assert filled(researcher, "trees").status_code == 302
    bounds = {
        "max_suppressed": "0",
        "multi_attribute": "off",
        "k": "4",
        "l_0": "2",
        "l_1": "2",
        "l_2": "2",
        "algorithm": "tight",
    }
    release = finished(researcher, bounds)
    lacking = [row for row in rows if row[INCOME] in ("-9", "refused")]
    assert release.result["dropped"] == len(lacking)
    assert release.result["people"] == len({row[NUMBER] for row in rows} - {row[NUMBER] for row in lacking})
    assert release.result["loss"]["weights"] is None  # All columns with equal weights.
    with zipfile.ZipFile(io.BytesIO(researcher.get(address("files")).content)) as archive:
        text = archive.read("data.csv").decode("utf-8-sig")
    published = list(csv.DictReader(io.StringIO(text)))
    assert len(published) == len(rows) - len(lacking)
    assert set(published[0]) == {HEADER[at] for at in (BORN, SEX, REGION, INCOME, DISEASE, ALIVE)}
    cells = {cell for row in published for cell in row.values()}
    assert not cells & {"-9", "999", "NA", "refused", "不详"}
    assert not any(re.search(r"\d\.0\b", cell) for cell in cells)
    assert all(re.fullmatch(r"\d{4}|\[\d{4},\d{4}\]", row[HEADER[BORN]]) for row in published)
    assert all(re.fullmatch(r"\d+", row[HEADER[INCOME]]) for row in published)
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in published:
        groups.setdefault(tuple(row[HEADER[at]] for at in (BORN, SEX, REGION)), []).append(row)
    for group in groups.values():
        # Missing values do not count towards l, and four records belong to four people.
        assert len({row[HEADER[DISEASE]] for row in group} - {""}) >= 2
        assert len({row[HEADER[ALIVE]] for row in group}) == 2
        same = [tuple(row[HEADER[at]] for at in (INCOME, DISEASE, ALIVE)) for row in group]
        assert len(set(same)) >= 4 or len(group) >= 5


@pytest.mark.soak
def test_five_hundred_columns_are_accepted_and_one_more_refused(researcher: Client) -> None:
    header = ",".join(f"c{number}" for number in range(500))
    rows = b"".join(b",".join(b"%d" % ((n * at) % 23) for at in range(500)) + b"\n" for n in range(20))
    wide = SimpleUploadedFile("wide.csv", header.encode() + b"\n" + rows)
    assert researcher.post(reverse("releases:begin"), {"file": wide}).status_code == 302
    assert "c499" in researcher.get(address("columns")).content.decode()
    assert filled(researcher, "columns").status_code == 302
    wider = SimpleUploadedFile("wider.csv", header.encode() + b",more\n" + rows.replace(b"\n", b",1\n"))
    refused = researcher.post(reverse("releases:begin"), {"file": wider})
    assert (refused.status_code, "501 columns" in refused.content.decode()) == (422, True)


def test_labelled_files_show_labels_and_codes(researcher: Client, tmp_path: Path) -> None:
    frame = pandas.DataFrame({"sex": [1.0, 2.0, 9.0] * 20, "ill": [1.0, 2.0] * 30})
    labels = {"sex": {1: "male", 2: "female", 9: "refused"}, "ill": {1: "yes", 2: "no"}}
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, missing_ranges={"sex": [9]})
    sex = columns_of(researcher, "a.sav", path.read_bytes())["sex"]
    assert (sex["kind"], sex["missing"], sex["missing_texts"]) == ("categorical", 20, ["9"])
    assert "1 = male (20); 2 = female (20)" in researcher.get(address("columns")).content.decode()
    assert filled(researcher, "columns").status_code == 302
    assert "1 = male; 2 = female" in researcher.get(address("trees")).content.decode()


def columns_of(client: Client, name: str, raw: bytes, **more: str) -> dict[str, dict[str, Any]]:
    answer = client.post(reverse("releases:begin"), {"file": SimpleUploadedFile(name, raw), **more})
    assert answer.status_code == 302, answer.context["problem"]
    return {column["name"]: column for column in Release.objects.latest("pk").columns}


def test_row_numbers_and_repeated_names_are_read_and_explained(researcher: Client) -> None:
    rows = "".join(f"{n},{20 + n % 5},{'mf'[n % 2]},{n % 7}\n" for n in range(40))
    columns = columns_of(researcher, "people.csv", f",age,sex,age\n{rows}".encode())
    assert list(columns) == ["column 1", "age", "sex", "age (2)"]
    assert (columns["column 1"]["role"], columns["column 1"]["reason"]) == ("identifier", "row_number")
    page = researcher.get(address("columns")).content.decode()
    assert "This column numbers the rows, so it is left out." in page
    # Row numbers do not identify people.
    assert "Almost every person has a different value" not in page


def test_a_text_among_numbers_is_queried(researcher: Client) -> None:
    cells = [str(20 + n % 30) for n in range(99)]
    raw = "\n".join(["age,ill", *(f"{cell},{'yn'[n % 2]}" for n, cell in enumerate([*cells, "about 40"]))])
    age = columns_of(researcher, "people.csv", raw.encode())["age"]
    assert (age["kind"], age["questions"], age["missing_texts"]) == ("numeric", {"about 40": 1}, ["about 40"])
    assert "“about 40”, in 1 record" in researcher.get(address("columns")).content.decode()
    filled(researcher, "columns", missing_0_0="value")
    age = Release.objects.get().columns[0]
    assert (age["kind"], age["questions"], age["missing_texts"]) == ("categorical", {"about 40": 1}, [])


def test_a_workbook_with_several_sheets_asks_which_to_use(researcher: Client) -> None:
    raw = workbook(Sheet=[["note"]], data=[["age", "ill"], *([20 + n, "yn"[n % 2]] for n in range(9))])
    sent = {"file": SimpleUploadedFile("people.xlsx", raw)}
    refused = researcher.post(reverse("releases:begin"), sent)
    assert refused.status_code == 422
    assert "2 sheets of the workbook contain cells: Sheet, data" in refused.content.decode()
    assert list(columns_of(researcher, "people.xlsx", raw, sheet="data")) == ["age", "ill"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("two_year_recid", "sensitive_name"),
        ("age_group", "known_name"),
        ("year_of_birth", "known_name"),
        ("native_country", "known_name"),
        ("job_satisfaction", "sensitive_name"),
        ("所在市", "known_name"),
    ],
)
def test_the_head_noun_of_a_column_name_decides_its_role(name: str, reason: str) -> None:
    column = ReadTable.of_rows([name], ["1", "2", "1", "2", "3"]).columns[0]
    assert propose(column)["reason"] == reason


def test_numbers_too_long_for_exact_calculation_are_refused_by_name(researcher: Client) -> None:
    rows = "".join(f"{20 + n % 5},{10**18 + n % 4 + 1},{'ab'[n % 2]}\n" for n in range(40))
    stepped(researcher, f"age,debt,ill\n{rows}".encode(), role_1="quasi_identifier", kind_1="numeric")
    release = requested(researcher, {"k": 4, "algorithm": "tight", "max_suppressed": 0, "l_0": 2})
    run_job(release.job_id)
    release.job.refresh_from_db()
    assert "'debt' contains '1000000000000000001', which has too many digits" in refusal_text(
        release.job.message
    )
