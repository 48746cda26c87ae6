"""The admin is read-only, and shows no disguised rows."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import translation

from surveys.accounts.roles import Role
from surveys.models import AuditEvent, Batch, Inbox, ItemsetRow, Receipt, RuleRow, Run, Survey, Version
from tests.fixtures.counted_runs import both
from tests.fixtures.runs import answered_version, mined_run, open_version, published
from tests.fixtures.staff import member

READ = (Survey, Version, Run, ItemsetRow, RuleRow)

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def name(model: type) -> str:
    return f"admin:surveys_{model._meta.model_name}"


@pytest.mark.soak
def test_records_can_be_listed_and_opened(root: Client) -> None:
    mined_run(answered_version())
    for model in READ:
        listed = root.get(reverse(f"{name(model)}_changelist"))
        assert listed.status_code == 200, model
        first = model._default_manager.order_by("pk")[0]
        opened = root.get(reverse(f"{name(model)}_change", args=[first.pk]))
        assert opened.status_code == 200, model
        assert 'type="submit"' not in opened.content.decode().split("<main")[-1], model


@pytest.mark.soak
@pytest.mark.parametrize("model", [ItemsetRow, RuleRow])
def test_lists_name_the_runs_of_which_they_have_few_rows(root: Client, model: type) -> None:
    rows, counts = both(answered_version())
    page = root.get(reverse(f"{name(model)}_changelist")).content.decode()
    assert f"{counts}: this list has only its single items and judged rules." in page
    assert f"{rows}: this list" not in page


@pytest.mark.parametrize("model", READ)
@pytest.mark.parametrize("action", ["add", "change", "delete"])
def test_superusers_cannot_change_records(root: Client, model: type, action: str) -> None:
    mined_run(answered_version())
    first = model._default_manager.order_by("pk")[0]
    path = reverse(f"{name(model)}_{action}", args=[] if action == "add" else [first.pk])
    assert root.post(path, {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=first.pk).exists()


@pytest.mark.soak
def test_each_run_and_row_links_to_its_report(root: Client) -> None:
    run = mined_run(answered_version())
    for model in (Run, ItemsetRow, RuleRow):
        text = root.get(reverse(f"{name(model)}_changelist")).content.decode()
        assert f"/en/staff/runs/{run.pk}/" in text


@pytest.mark.soak
@pytest.mark.parametrize("model", READ)
def test_records_and_columns_have_chinese_names(root: Client, model: type) -> None:
    mined_run(answered_version())
    first = model._default_manager.order_by("pk")[0]
    with translation.override("zh-hans"):
        listed = root.get(reverse(f"{name(model)}_changelist")).content.decode()
        opened = root.get(reverse(f"{name(model)}_change", args=[first.pk])).content.decode()
    columns = re.findall(r'<th scope="col" class="[^"]*column-.*?</th>', listed, re.DOTALL)
    labels = re.findall(r"<label[^>]*>(.*?)</label>", opened, re.DOTALL)
    assert columns
    assert labels
    for heading in [*columns, *labels, *re.findall(r"<h1>.*?</h1>", listed + opened, re.DOTALL)]:
        said = re.sub(r"<[^>]*>", " ", heading).strip()
        assert said == "ID" or re.search("[一-鿿]", said), said


@pytest.mark.parametrize("model", [Receipt, Inbox, Batch, AuditEvent])
def test_rows_inbox_and_receipts_are_not_in_the_admin(model: type) -> None:
    assert not admin.site.is_registered(model)


def test_no_admin_url_names_disguised_rows() -> None:
    names = [str(key) for key in get_resolver().namespace_dict["admin"][1].reverse_dict]
    assert any("surveys_run_" in each for each in names)
    assert not any(word in each for each in names for word in ("inbox", "batch", "receipt"))


def test_no_admin_page_shows_row_bytes(root: Client) -> None:
    version = answered_version()
    mined_run(version)
    packed = bytes(Batch.objects.order_by("pk")[0].packed).hex()
    for model in READ:
        text = root.get(reverse(f"{name(model)}_changelist")).content.decode()
        first = model._default_manager.order_by("pk")[0]
        text += root.get(reverse(f"{name(model)}_change", args=[first.pk])).content.decode()
        assert packed[:40] not in text


@pytest.mark.soak
def test_rows_of_runs_without_publishable_results_are_not_listed(root: Client) -> None:
    run = mined_run(answered_version())
    Run.objects.filter(pk=run.pk).update(n=99)
    row = RuleRow.objects.order_by("pk")[0]
    listed = root.get(reverse(f"{name(RuleRow)}_changelist"))
    assert listed.context["cl"].result_count == 0
    assert root.get(reverse(f"{name(RuleRow)}_change", args=[row.pk])).status_code == 302


@pytest.mark.soak
def test_more_runs_need_no_more_queries_each_for_versions_and_jobs(root: Client) -> None:
    run = mined_run(answered_version())
    address = reverse(f"{name(RuleRow)}_changelist")

    def loads() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert root.get(address).status_code == 200
        alone = (
            'FROM "surveys_version" WHERE "surveys_version"."id" =',
            'FROM "surveys_job" WHERE "surveys_job"."id" =',
        )
        return sum(any(part in query["sql"] for part in alone) for query in queries.captured_queries)

    before = loads()
    mined_run(run.version)
    assert loads() == before


@pytest.mark.soak
def test_administrators_can_use_the_admin_without_superuser_rights(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    published()
    assert client.get(reverse("admin:index")).status_code == 200
    assert client.get(reverse(f"{name(Survey)}_changelist")).status_code == 200


@pytest.mark.parametrize("roles", [(), (Role.RESEARCHER,), (Role.REVIEWER,)], ids=str)
def test_other_staff_cannot_use_the_admin(client: Client, roles: tuple[Role, ...]) -> None:
    client.force_login(member("rita", *roles))
    for page in ("index", "login", f"{name(Survey).removeprefix('admin:')}_changelist"):
        assert client.get(reverse(f"admin:{page}")).status_code == 403


def test_accounts_can_be_changed_only_on_their_own_pages(root: Client) -> None:
    for model in ("user", "group"):
        with pytest.raises(NoReverseMatch):
            reverse(f"admin:auth_{model}_changelist")
    assert root.get(reverse("admin:password_change")).headers["Location"] == reverse("accounts:account")


def test_the_admin_uses_the_staff_login_page() -> None:
    """A second log-in page would not count password guesses."""
    for page in ("login", "index"):
        led = Client().get(reverse(f"admin:{page}"))
        assert (led.status_code, led["Location"]) == (302, "/en/staff/log-in/?next=/en/admin/")
    posted = Client().post(reverse("admin:login"), {"username": "root", "password": "x"})
    assert (posted.status_code, posted["Location"]) == (302, "/en/staff/log-in/?next=/en/admin/")


def test_lists_cannot_be_filtered_by_hidden_or_rounded_values(root: Client) -> None:
    """If lists could be filtered by n0, an attacker would find n0 after a few tries."""
    run = mined_run(open_version(613, n_direct=7, light=True))
    assert run.n_direct == 7
    for model, lookup in (
        (Run, "n_direct"),
        (Run, "n_protected__gte"),
        (Run, "n"),
        (ItemsetRow, "direct__gt"),
        (ItemsetRow, "run__n_direct"),
        (RuleRow, "n__gte"),
        (Survey, "known_truth__contains"),
    ):
        answered_to = root.get(reverse(f"{name(model)}_changelist"), {lookup: "7"})
        assert answered_to.status_code == 400, lookup


@pytest.mark.soak
def test_lists_can_be_filtered_by_their_offered_filters(root: Client) -> None:
    run = mined_run(answered_version())
    for model, lookup, value in (
        (Run, "survey__id__exact", run.survey_id),
        (Run, "job__state__exact", "finished"),
        (RuleRow, "run__survey__id__exact", run.survey_id),
        (Survey, "practice__exact", "0"),
    ):
        listed = root.get(reverse(f"{name(model)}_changelist"), {lookup: value})
        assert listed.status_code == 200
        assert listed.context["cl"].result_count > 0
