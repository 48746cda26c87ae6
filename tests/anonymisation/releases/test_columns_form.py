"""The form for columns: which questions it asks, and which defaults it keeps."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from anonymisation.releases.columns_form import ColumnsForm
from anonymisation.releases.drafts import table_open
from anonymisation.releases.new_release import upload_begin
from privacy.sdc.proposals import propose
from privacy.tables.columns import ReadTable
from surveys.accounts.roles import Role
from tests.fixtures.staff import member

COLUMNS = [
    propose(column)
    for column in ReadTable.of_rows(["age", "x"], [["30", "a"], ["NA", "b"], ["99", "a"]]).columns
]
SENT = {"role_0": "quasi_identifier", "kind_0": "categorical", "policy_0": "value", "role_1": "sensitive"}


@pytest.mark.parametrize(
    ("sent", "missing"),
    [
        ({}, ["NA", "99"]),
        ({"missing_0_0": "missing", "missing_0_1": "value"}, ["NA"]),
        ({"missing_0_0": "value", "missing_0_1": "value"}, []),
    ],
)
def test_settings_missing_from_the_form_keep_their_proposals(
    sent: dict[str, str], missing: list[str]
) -> None:
    form = ColumnsForm(COLUMNS, SENT | sent)
    assert form.is_valid(), form.errors
    assert form.choices()[0]["missing_texts"] == missing
    labels = [str(field.label) for field in next(form.lines)["missing"]]
    assert [label for label in labels if label.startswith("“")] == ["“NA”, in 1 record", "“99”, in 1 record"]


@pytest.mark.django_db
def test_ambiguous_dates_ask_for_their_order_and_follow_it(client: Client) -> None:
    rosa = member("rosa", Role.RESEARCHER)
    client.force_login(rosa)
    raw = "visit,age,ill\n" + "".join(
        f"{1 + n % 3}/{4 + n % 2}/2021,{30 + n},{'nN'[n % 2]}o\n" for n in range(12)
    )
    release = upload_begin(owner=rosa, name="visits.csv", raw=raw.encode(), now=timezone.now())
    address = reverse("releases:columns", args=[release.pk])
    page = client.get(address)
    form, said = page.context["form"], page.content.decode()
    assert form.fields["order_0"].choices == [
        ("day", "day first: 2021-04-01"),
        ("month", "month first: 2021-01-04"),
    ]
    assert "“1/4/2021” can be two different dates, and the column does not show which." in said
    assert said.count("is read as") == 1
    assert "“No” is read as “no”." in said
    assert form.fields["spelling_2"].initial == "joined"
    chosen = {name: form[name].value() for name in form.fields if name != "ledgers"} | {"kind_0": "month"}
    months = {"day": ("2021-04", "2021-05"), "month": ("2021-01", "2021-02", "2021-03")}
    for order in ("month", "day", "month"):
        assert client.post(address, chosen | {"order_0": order}).status_code == 302
        release.refresh_from_db()
        assert sorted(table_open(release).table.column("visit").values) == list(months[order])
        # The form shows the saved choices and the column's values on return.
        again = client.get(address).context["form"]
        assert again["order_0"].value() == order
        assert next(again.lines)["examples"].startswith(months[order][0])
    decided = raw.replace("1/4/2021", "25/4/2021")
    release = upload_begin(owner=rosa, name="visits.csv", raw=decided.encode(), now=timezone.now())
    assert "order_0" not in client.get(reverse("releases:columns", args=[release.pk])).context["form"].fields
