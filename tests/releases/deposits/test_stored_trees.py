"""Groups kept under a name: taken for another table, brought, downloaded, replaced, deleted, and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from releases.deposits.stored_trees import source_text, sources_of, tree_keep, tree_matching, tree_opened
from releases.deposits.written import written_of
from releases.microdata.reading import hierarchy_read
from releases.microdata.trees import tree_of_file
from releases.models import Deposit, StoredTree
from surveys.access.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent
from tests.cast.deposits import begun_deposit
from tests.cast.staff import member

pytestmark = pytest.mark.django_db

GROUPS = "public\n  state\n  city\nprivate\n  own\n  firm"


def keep(client: Client, name: str, text: str | bytes, file: str = "groups.txt", **more: str) -> Any:
    raw = text.encode() if isinstance(text, str) else text
    sent = {"name": name, "file": SimpleUploadedFile(file, raw), **more}
    return client.post(reverse("deposits:stored_trees"), sent, follow=True)


@pytest.fixture
def rosa(client: Client) -> Client:
    client.force_login(member("rosa", Role.RESEARCHER))
    return client


def groups_page(client: Client, deposit: Deposit, **sent: str) -> Any:
    address = reverse("deposits:trees", args=[deposit.pk])
    return client.post(address, sent) if sent else client.get(address)


def owned() -> Deposit:
    return begun_deposit(StoredTree.objects.get().owner)


def test_groups_of_one_table_are_proposed_for_another_whose_column_is_named_like_them(rosa: Client) -> None:
    first = begun_deposit(member("rosa", Role.RESEARCHER))
    sent = {"tree_0": GROUPS, "ends_0": "", "name_0": "work, four kinds"}
    assert groups_page(rosa, first, **sent).status_code == 302
    tree = StoredTree.objects.get()
    assert (tree.name, tree.values, tree_opened(tree)) == ("work, four kinds", 4, GROUPS)
    second = begun_deposit(member("rosa", Role.RESEARCHER))
    page = groups_page(rosa, second)
    assert page.context["form"]["tree_0"].value() == GROUPS
    assert "Taken: kept: work, four kinds." in page.content.decode()
    # What a table took is its own: the kept groups can go.
    groups_page(rosa, second, tree_0=GROUPS, ends_0="")
    answer = rosa.post(reverse("deposits:stored_tree_erase", args=[tree.pk]), follow=True)
    assert "keep their own copy" in answer.content.decode()
    assert written_of(second).trees == {"work": GROUPS}
    assert groups_page(rosa, second).context["form"]["tree_0"].value() == GROUPS


def test_a_source_is_filled_in_when_it_is_asked_for_and_says_what_it_lacks(rosa: Client) -> None:
    keep(rosa, "elsewhere", "public\n  city")
    deposit = owned()
    assert "elsewhere" not in groups_page(rosa, deposit).context["form"]["tree_0"].value()
    source = f"tree {StoredTree.objects.get().pk}"
    page = groups_page(rosa, deposit, fill="0", source_0=source, tree_0="mine", ends_0="1, 2", name_0="")
    form = page.context["form"]
    assert form["tree_0"].value() == "public\n  city\nown\nstate"
    assert form["ends_0"].value() == "1, 2"
    assert "2 values stand in no group: own, state." in page.content.decode()
    assert written_of(deposit).trees == {}
    # A source that nobody has is what is proposed.
    page = groups_page(rosa, deposit, fill="0", source_0="tree 0", tree_0="mine", ends_0="")
    assert page.context["form"]["tree_0"].value() == "city\nown\nstate"


@pytest.mark.parametrize(
    ("name", "values", "source", "lines"),
    [
        ("born", ["2021-05"], "dates", ["2020s", "  2021", "    2021 Q2", "      2021-05"]),
        ("x", ["France", "Atlantis"], "countries", ["Atlantis", "Europe", "  Western Europe", "    France"]),
        ("x", ["J45.0"], "icd", ["J00-J99", "  J45…", "    J45.0"]),
    ],
)
def test_classifications_stand_among_the_sources_where_they_know_a_value(
    name: str, values: list[str], source: str, lines: list[str]
) -> None:
    assert source in dict(sources_of(name, values, ()))
    assert source not in dict(sources_of(name, ["none of them"], ()))
    text, absent = source_text(source, name, values, ())
    assert (text.splitlines(), absent) == (lines, [value for value in values if value == "Atlantis"])


@pytest.mark.parametrize(
    ("header", "name", "values", "matches"),
    [
        ("work", "Work in the city", ["city", "own"], True),
        ("职业", "职业分组", ["city", "own"], True),
        ("患者职业", "职业", ["city", "own"], True),
        ("work", "Work in the city", ["city", "x"], False),
        ("job", "Work in the city", ["city", "own"], False),
    ],
)
def test_kept_groups_are_proposed_by_a_word_of_the_header_and_most_of_its_values(
    header: str, name: str, values: list[str], matches: bool
) -> None:
    tree = tree_keep(name, GROUPS, replace=False, by=member("rosa", Role.RESEARCHER), now=timezone.now())
    assert (tree_matching(header, values, [tree]) == f"tree {tree.pk}") is matches


def test_a_name_is_taken_once_unless_it_is_replaced(rosa: Client) -> None:
    keep(rosa, "work", GROUPS)
    refused = keep(rosa, "work", "own\ncity")
    assert refused.status_code == 422
    assert "under the name “work” already" in refused.content.decode()
    assert tree_opened(StoredTree.objects.get()) == GROUPS
    keep(rosa, "work", "own\ncity", replace="on")
    assert (tree_opened(StoredTree.objects.get()), StoredTree.objects.get().values) == ("own\ncity", 2)
    # Of the page of a table the refusal keeps what was typed.
    page = groups_page(rosa, owned(), tree_0=GROUPS, ends_0="", name_0="work")
    assert page.status_code == 422
    assert page.context["form"]["tree_0"].value() == GROUPS


def test_of_two_names_that_are_given_at_once_both_are_kept_or_none(rosa: Client) -> None:
    keep(rosa, "second", GROUPS)
    owner = StoredTree.objects.get().owner
    raw = "work,town,age,ill\n" + "".join(f"{'ab'[n % 2]},{'xy'[n % 2]},{n},no\n" for n in range(9))
    deposit = begun_deposit(owner, raw.encode())
    columns = [one | {"role": "quasi_identifier"} for one in deposit.columns[:3]] + deposit.columns[3:]
    Deposit.objects.filter(pk=deposit.pk).update(columns=columns)
    sent = {"tree_0": "a\nb", "tree_1": "x\ny", "name_0": "first", "name_1": "second", "ends_0": ""}
    assert groups_page(rosa, deposit, **sent).status_code == 422
    assert [tree.name for tree in StoredTree.objects.all()] == ["second"]
    assert written_of(deposit).trees == {}
    assert groups_page(rosa, deposit, **sent, replace_1="on").status_code == 302
    assert [tree.name for tree in StoredTree.objects.all()] == ["first", "second"]


@pytest.mark.parametrize(
    ("file", "raw", "said"),
    [
        ("groups.txt", b"a\n    b", "Line 2 of"),
        ("groups.txt", b"a\n  b\nc\n  b", "stands twice"),
        ("groups.txt", b"\xff\xfe\x00", "no text that can be read"),
        ("groups.txt", b" \n", "no text that can be read"),
        ("groups.csv", b"a;g;*\nb;*", "groups.csv"),
        ("groups.txt", b"a" * 200_001, "200001 bytes"),
    ],
)
def test_a_file_that_holds_no_groups_is_refused(rosa: Client, file: str, raw: bytes, said: str) -> None:
    answer = keep(rosa, "groups.csv", raw, file)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not StoredTree.objects.exists()


def test_rows_of_ancestors_and_indented_text_say_the_same(rosa: Client, tmp_path: Path) -> None:
    rows = "state;public;*\ncity;public;*\nown;own;*\n"
    keep(rosa, "work", rows, "groups.csv")
    tree = StoredTree.objects.get()
    assert tree_opened(tree) == "own\npublic\n  city\n  state"
    answer = rosa.get(reverse("deposits:stored_tree_text", args=[tree.pk]))
    assert answer.content.decode() == tree_opened(tree)
    assert answer["Content-Type"].startswith("text/plain")
    # What is downloaded the command reads, as it does rows.
    for file, text in (("groups.txt", answer.content.decode()), ("groups.csv", rows)):
        (tmp_path / file).write_text(text, encoding="utf-8")
        read = hierarchy_read("work", tmp_path / file).for_values(["city", "own", "state"])
        assert read.rows() == [("city", "public", "*"), ("own", "own", "*"), ("state", "public", "*")]
    with pytest.raises(SurveyError, match="line 2"):
        tree_of_file("work", "x.TXT", b"a\n    b")


def test_nobody_else_sees_uses_or_deletes_them_but_an_administrator(rosa: Client) -> None:
    keep(rosa, "work", GROUPS)
    tree = StoredTree.objects.get()
    other, administrator = Client(), Client()
    other.force_login(member("otto", Role.RESEARCHER))
    administrator.force_login(member("ada", Role.ADMINISTRATOR))
    addresses = [
        reverse(f"deposits:{page}", args=[tree.pk]) for page in ("stored_tree_text", "stored_tree_erase")
    ]
    assert other.get(addresses[0]).status_code == 404
    assert other.post(addresses[1]).status_code == 404
    assert "work" not in [name for _key, name in sources_of("work", ["city"], other_trees(other))]
    assert "Download “work”" not in other.get(reverse("deposits:stored_trees")).content.decode()
    assert "Download “work”" in administrator.get(reverse("deposits:stored_trees")).content.decode()
    # The same name of somebody else is another one, and an administrator reads whose each is.
    keep(other, "work", "city")
    assert StoredTree.objects.count() == 2
    named = [name for _key, name in sources_of("work", ["city"], other_trees(administrator))]
    assert named[1:] == ["kept: work (rosa)", "kept: work (otto)"]
    assert administrator.post(addresses[1]).status_code == 302
    assert list(StoredTree.objects.values_list("owner__username", flat=True)) == ["otto"]


def test_groups_that_open_no_more_are_named_and_stop_no_page(rosa: Client) -> None:
    keep(rosa, "work", GROUPS)
    tree = StoredTree.objects.get()
    StoredTree.objects.update(sealed=bytes(tree.sealed[:-1]) + b"?")
    deposit = owned()
    assert groups_page(rosa, deposit).context["form"]["tree_0"].value() == "city\nown\nstate"
    page = groups_page(rosa, deposit, fill="0", source_0=f"tree {tree.pk}", tree_0="mine", ends_0="")
    assert page.status_code == 422
    assert page.context["form"]["tree_0"].value() == "mine"
    assert "The groups “work” do not open." in page.content.decode()
    assert rosa.get(reverse("deposits:stored_tree_text", args=[tree.pk])).status_code == 404
    assert "Delete" in rosa.get(reverse("deposits:stored_trees")).content.decode()


def other_trees(client: Client) -> list[StoredTree]:
    return list(client.get(reverse("deposits:stored_trees")).context["trees"])


def test_the_database_shows_no_value_the_log_says_who_and_they_go_with_their_owner(rosa: Client) -> None:
    keep(rosa, "work", GROUPS)
    tree = StoredTree.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed FROM surveys_storedtree")
        assert b"public" not in bytes(cursor.fetchone()[0])
    # One that is moved to another owner or name does not open.
    for owner, name in ((tree.owner_id + 1, "work"), (tree.owner_id, "job")):
        with pytest.raises(SurveyError, match="do not open"):
            tree_opened(StoredTree(owner_id=owner, name=name, sealed=tree.sealed))
    rosa.post(reverse("deposits:stored_tree_erase", args=[tree.pk]))
    events = AuditEvent.objects.filter(action__startswith="deposit_tree_").order_by("pk")
    assert [(event.action, event.actor, event.target) for event in events] == [
        ("deposit_tree_keep", "rosa", "work"),
        ("deposit_tree_erase", "rosa", "work"),
    ]
    assert "city" not in json.dumps([event.detail for event in events])
    keep(rosa, "work", GROUPS)
    StoredTree.objects.get().owner.delete()
    assert not StoredTree.objects.exists()
