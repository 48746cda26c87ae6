"""Forged rows remove the figures of the question that they are forged in, and no others.

400 people answered a survey by an open link. Someone sends 30 rows that report one wage, more often than any
devices do, and the survey closes. No page and no file may then read the wages: another set of reports that is
equally unlikely changes no byte. And each figure of the other questions is there.

The naive target, which must be broken, is a server that forgets what it withheld.
"""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from privacy.estimation.withheld import Withheld
from surveys.accounts.page_sharing import page_share
from surveys.accounts.roles import Role
from surveys.models import Run, SharedPage
from surveys.report import urls
from surveys.runs import density_cache, scale_question
from surveys.runs.withheld import withheld_of
from tests.fixtures.forged_rows import FORGED, HONEST, forged_answered
from tests.fixtures.runs import mined_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

NOT_FIGURES: Final = {"share", "rule_verdicts", "progress", "cancel", "answer"}
"""Addresses of a run that show no figures, or that need a request of their own below."""

BY_NUMBER: Final = ("hours", "wage")
COMPARED: Final = (
    "outcome=late&by=drink", "outcome=hours:mean&by=late", "outcome=care%3Driver&by=age%3Dold",
    "outcome=wage:mean&by=late", "outcome=late&by=wage:range&by_from=20", "outcome=wage:mean&by=care%3Driver",
)  # fmt: skip
WEIGHTS: Final = "margins=age:young=.4,old=.6"

ADDRESSES: Final[dict[str, tuple[tuple[dict[str, Any], str], ...]]] = {
    "run": (({}, ""), ({}, "measures=all"), ({}, "predicted=yes")),
    "results": (({}, ""),),
    "itemsets": (({}, ""),),
    "rule_tests": (({}, ""),),
    "printed": (({}, ""),),
    "paper": (({}, ""),),
    "about": (({}, ""),),
    "rule": (({}, ""),),
    "compare": tuple(({}, query) for query in (*COMPARED, f"{COMPARED[0]}&{WEIGHTS}")),
    "compare_file": tuple(({"ending": ending}, query) for query in COMPARED for ending in ("csv", "json")),
    "number": tuple(({"question": key}, "") for key in BY_NUMBER),
    "number_file": tuple(
        ({"question": key, "file": file}, "")
        for key in BY_NUMBER
        for file in ("histogram.csv", "figures.json")
    ),
    "place": (({"question": "care"}, ""),),
    "place_file": tuple(
        ({"question": "care", "file": file}, "") for file in ("cells.csv", "regions.csv", "map.geojson")
    ),
    "regression": (({}, ""), ({}, "response=2&by=0"), ({}, "response=4&disguised=2&by=0")),
    "practice": (({}, ""), ({}, WEIGHTS)),
    "weights_csv": (({}, WEIGHTS),),
    "rules_file": (({"ending": "csv"}, ""), ({"ending": "json"}, "")),
    "itemsets_csv": (({}, ""),),
}
"""Every address of a run with the parameters to try, by name."""

# What differs with the rows or the moment: digests and the signature, codes of pages, times and durations.
OF_THE_ROWS: Final = re.compile(
    r"\b([0-9a-f]{128}|[0-9a-f]{64})\b"
    r'|/shared/[\w-]+|csrf\w+" value="\w+"|\d+(\.\d+)? (ms|s)\b|\d\d:\d\d(:\d\d)?'
)


def test_each_address_of_a_run_is_tried() -> None:
    """A new page or file must enter the table above."""
    names = {
        own.name
        for own in urls.urlpatterns
        if isinstance(own, URLPattern) and "<int:run_id>" in str(own.pattern)
    }
    assert names == ADDRESSES.keys() | NOT_FIGURES


def text_of(response: HttpResponseBase) -> str:
    content = response.getvalue() if isinstance(response, StreamingHttpResponse) else response.content  # type: ignore[attr-defined]
    return content.decode()


def pages_of(run: Run, client: Client) -> dict[str, str]:
    """Return every page and file of a run, without what names its rows."""
    rule = run.rules.order_by("antecedent", "consequent").first()
    assert rule is not None
    found = {}
    for name, variants in ADDRESSES.items():
        for fields, query in variants:
            more = {"rule_id": rule.pk} if name == "rule" else {}
            address = reverse(f"report:{name}", kwargs={"run_id": run.pk, **fields, **more})
            response = client.get(f"{address}?{query}")
            found[f"{name} {fields} {query}"] = f"{response.status_code} {text_of(response)}"
    found["review"] = text_of(client.get(reverse("report:review")))
    _, secret = page_share(run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="ana", now=timezone.now())
    for name in ("results", "printed"):
        found[f"shared {name}"] = text_of(client.get(reverse(f"shared:{name}", args=[secret])))
    archive = client.get(reverse("export:rows", args=[run.pk, "zip"]))
    with zipfile.ZipFile(io.BytesIO(archive.getvalue())) as files:  # type: ignore[attr-defined]
        for name in files.namelist():
            if not re.match(r"rows\.|snapshot|codebook", name):
                found[f"zip {name}"] = files.read(name).decode()
    named = re.compile("|".join(run.snapshot_digest[:length] for length in (64, 16, 12)))
    return {key: OF_THE_ROWS.sub("", named.sub("", text)) for key, text in found.items()}


World = tuple[int, dict[str, str]]
Worlds = tuple[int, dict[str, str], dict[str, str]]


def researcher(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return the browser that opens the pages of the worlds."""
    # Replicates of a map start from the digest of the rows.
    for module in (scale_question, density_cache):
        monkeypatch.setattr(module, "seed_of", lambda run, key: 1)
    client = Client()
    client.force_login(member("ana", Role.ADMINISTRATOR, Role.REVIEWER, Role.ROWS))
    return client


def world(client: Client, *, mirror: bool) -> World:
    """Return how many rows the run says were forged, and its pages."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(sql)
    with transaction.atomic():
        run = mined_run(forged_answered(mirror=mirror))
        found = withheld_of(run).rows, pages_of(run, client)
        transaction.set_rollback(True)
    return found


def two_worlds(monkeypatch: pytest.MonkeyPatch) -> Worlds:
    """Return how many rows the run says were forged, and the pages of both worlds."""
    client = researcher(monkeypatch)
    return *world(client, mirror=False), world(client, mirror=True)[1]


@pytest.fixture(scope="module")
def kept() -> dict[bool, World]:
    """Hold the worlds of the product as it is, once a test has made them."""
    return {}


@pytest.fixture
def honest(kept: dict[bool, World], monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], World]:
    """Return a function that returns a world of the product as it is; the other world is its mirror."""

    client = researcher(monkeypatch)

    def one(mirror: bool) -> World:
        if mirror not in kept:
            kept[mirror] = world(client, mirror=mirror)
        return kept[mirror]

    return one


@pytest.mark.soak
def test_no_page_and_no_file_depends_on_the_withheld_answers(honest: Callable[[bool], World]) -> None:
    pages, others = honest(False)[1], honest(True)[1]
    assert [name for name in pages if pages[name] != others[name]] == []


def test_each_figure_of_the_other_questions_is_shown(honest: Callable[[bool], World]) -> None:
    rows, pages = honest(False)
    said = f"At least {rows} of {HONEST + FORGED} answers are forged: the survey’s page did not send them."
    silent = [name for name in pages if said not in pages[name]]
    # Files carry the number in a column or a member.
    silent = [name for name in silent if "<html" in pages[name] and not pages[name].startswith("422")]
    assert [name for name in silent if name != "review"] == []
    assert said in pages["zip README.md"]
    for name in (
        "rules_file {'ending': 'json'} ",
        "number_file {'question': 'hours', 'file': 'figures.json'} ",
    ):
        assert f'"forged": {{"rows": {rows}, "questions": ["wage"], "pairs": []}}' in " ".join(
            pages[name].split()
        )
    for name in ("rules_file {'ending': 'csv'} ", "itemsets_csv {} ", f"weights_csv {{}} {WEIGHTS}"):
        assert "late" in pages[name]
        assert "wage" not in pages[name]
    results = pages["results {} "]
    for shown in ("late", "cheat", "drink", "hours=50-up", "care=river"):
        assert f'{shown}"' in results or shown in pages["itemsets_csv {} "]
    assert results.count("No figure of “wage” is shown") == 1
    assert "hours a week" in results
    refused = {name for name in pages if "No figure of “wage” is shown" in pages[name]}
    refused |= {name for name in pages if pages[name].startswith("422")}
    assert {name.partition(" ")[0] for name in refused} == {
        "compare", "compare_file", "number", "number_file", "printed", "results", "shared",
    }  # fmt: skip
    assert all("wage" in name for name in refused if not re.match("(shared )?(results|printed)", name))
    assert all(page.startswith("200") for name, page in pages.items() if name not in refused and " {" in name)


@pytest.mark.soak
def test_a_server_that_reads_withheld_answers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Withheld, "reason", lambda *_: None)
    monkeypatch.setattr(Withheld, "allowed", lambda _, design, itemsets: np.ones(len(itemsets), dtype=bool))
    _, pages, others = two_worlds(monkeypatch)
    found = {name.partition(" ")[0] for name in pages if pages[name] != others[name]}
    assert found >= {
        "results",
        "printed",
        "paper",
        "compare",
        "compare_file",
        "number",
        "number_file",
        "shared",
    }
