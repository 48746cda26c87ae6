"""Surveys in which forged rows are all there is: every row, the only question, and no row at all.

Each entry point must answer in words: pages, files, the shared link, the exported archive, the command and
the library. None may fail, and none may show a figure of a question that the rows contradict.
"""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any, Final

import pandas
import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.frames.survey import Survey as Design
from privacy.library.designs import grouping
from privacy.regression.formula_regression import logistic_regression
from privacy.survey.layout import Layout, Record
from surveys.accounts.page_sharing import page_share
from surveys.accounts.roles import Role
from surveys.models import Run, SharedPage, Version
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.sentences.forged import forged_of
from surveys.runs.withheld import withheld_of
from tests.attack.test_forged_pages import ADDRESSES
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.forged_rows import town_definition
from tests.fixtures.refusals import refused
from tests.fixtures.runs import LOOSE, mined_run
from tests.fixtures.scale_runs import scale_rows
from tests.fixtures.staff import member


def all_forged() -> Version:
    """Return a closed survey of 400 equal rows: all disguised questions but the place fail."""
    version = published(town_definition("alike"))
    stored(version, [scale_rows(version.to_design(), 400)[0]] * 400)
    return closed(version)


def one_question() -> Version:
    """Return a closed survey of one question to which all 300 rows report "yes"."""
    version = published(document_of(protected("b", yes_no("copied"), p=6000), slug="single"))
    everyone = Record(direct=False, answers=((1,),), refused=(False,))
    stored(version, [Layout(version.to_design()).pack(everyone)] * 300)
    return closed(version)


WORLDS: Final = {"all rows": all_forged, "one question": one_question}

FAILING: Final = {"all rows": ["late", "cheat", "drink", "hours", "wage"], "one question": ["copied"]}


def text_of(response: HttpResponseBase) -> str:
    streamed = isinstance(response, StreamingHttpResponse)
    content: bytes = response.getvalue() if streamed else response.content  # type: ignore[attr-defined]
    return content.decode()


def listed(run: Run) -> set[int]:
    """Return the items of all itemsets and rules of a run."""
    packed = [row.items for row in run.itemsets.all()]
    packed += [row.antecedent + row.consequent for row in run.rules.all()]
    return {item for items in packed for item in unpack_items(items)}


def opened(run: Run, client: Client) -> dict[str, HttpResponseBase]:
    """Return what every address of a run answers."""
    return {
        f"{name} {fields} {query}": client.get(
            f"{reverse(f'report:{name}', kwargs={'run_id': run.pk, **fields})}?{query}"
        )
        for name, variants in ADDRESSES.items()
        for fields, query in variants
        if name != "rule"
    }


@pytest.mark.django_db
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.few("one question", why="the fewest rows")
def test_every_page_and_file_says_how_many_rows_no_device_sent(world: str) -> None:
    run, client = mined_run(WORLDS[world](), LOOSE), Client()
    client.force_login(member("ana", Role.ADMINISTRATOR, Role.REVIEWER, Role.ROWS))
    design, forged = run.design, forged_of(run)
    assert forged is not None
    assert [design.questions[number].key for number in withheld_of(run).questions] == FAILING[world]
    names = re.compile("|".join(FAILING[world]))
    assert not any(names.search(str(design.items[item].key)) for item in listed(run))
    for address, response in opened(run, client).items():
        assert response.status_code in (200, 404, 422), address
        page = text_of(response)
        if response.status_code == 200 and "<html" in page:
            assert forged.headline in page, address
        if response.status_code == 200 and address.startswith(("itemsets_csv", "weights_csv")):
            assert not names.search(page), address
    _, secret = page_share(run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="ana", now=timezone.now())
    for name in ("results", "printed"):
        shared = Client().get(reverse(f"shared:{name}", args=[secret]))
        assert (shared.status_code, forged.headline in text_of(shared)) == (200, True)
    archive = client.get(reverse("export:rows", args=[run.pk, "zip"]))
    assert archive.status_code == 200
    with zipfile.ZipFile(io.BytesIO(archive.getvalue())) as files:  # type: ignore[attr-defined]
        assert forged.headline in files.read("README.md").decode()


@pytest.mark.django_db
@pytest.mark.parametrize("world", WORLDS)
def test_a_page_of_a_failing_question_names_it_and_its_files_refuse(world: str) -> None:
    run, client = mined_run(WORLDS[world](), LOOSE), Client()
    client.force_login(member("ana", Role.ADMINISTRATOR, Role.REVIEWER, Role.ROWS))
    results = text_of(client.get(reverse("report:results", args=[run.pk])))
    assert results.count("No figure of “") == len(FAILING[world])
    if world == "all rows":
        number = text_of(client.get(reverse("report:number", args=[run.pk, "wage"])))
        assert "No figure of “wage” is shown" in number
        file = client.get(reverse("report:number_file", args=[run.pk, "wage", "figures.json"]))
        assert (file.status_code, "No figure of “wage” is shown" in text_of(file)) == (422, True)


@pytest.mark.django_db
@pytest.mark.parametrize("world", WORLDS)
def test_the_command_mines_what_is_left(world: str) -> None:
    version, out, err = WORLDS[world](), io.StringIO(), io.StringIO()
    call_command("mine", version.survey.slug, "--inline", "--max-size", "1", stdout=out, stderr=err)
    assert "answers are forged" in err.getvalue()


@pytest.mark.django_db
def test_a_survey_without_rows_has_no_run_and_says_what_to_do() -> None:
    version, client = closed(published(town_definition("empty"))), Client()
    client.force_login(member("ana", Role.ADMINISTRATOR, Role.REVIEWER, Role.ROWS))
    asked = client.post(reverse("report:mine", args=["empty"]))
    assert (asked.status_code, Run.objects.count()) == (422, 0)
    assert "The survey closed with too few answers" in text_of(asked)
    with pytest.raises(CommandError, match="no answers were received"):
        call_command("mine", "empty", "--inline")
    page = client.get(reverse("report:survey", args=[version.survey.slug]))
    assert page.status_code == 200
    assert client.get(reverse("report:runs_json", args=["empty"])).status_code == 200


ONE: Final = Design(blocks={"q": ["a"]}, p=0.5)
TWO: Final = Design(blocks={"q": ["a", "b"]}, p=0.5)

ASK: Final[dict[str, Callable[[Any], object]]] = {
    "share": lambda reports: reports.share("a"),
    "supports": lambda reports: reports.supports(),
    "rules": lambda reports: reports.rules(),
    "compare": lambda reports: reports.compare("a", by="g", at="x"),
    "arms": lambda reports: reports.arms("g"),
    "regression": lambda reports: reports.regression("a ~ g"),
}


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK.keys())
@pytest.mark.parametrize("design", [ONE, TWO], ids=["one question", "all questions"])
def test_the_library_withholds_everything_of_forged_rows(
    design: Design, ask: Callable[[Any], object]
) -> None:
    """In a researcher's table, one slip makes all figures wrong: whatever is asked, the table is refused."""
    frame = pandas.DataFrame({"a": [1] * 400, "b": [1] * 400, "g": [*"xy"] * 200})
    with refused("misfit"):
        ask(design.on(frame))


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK.keys())
def test_the_library_refuses_a_table_without_rows(ask: Callable[[Any], object]) -> None:
    frame = pandas.DataFrame({"a": pandas.Series([], dtype=int), "g": pandas.Series([], dtype=str)})
    with refused("frame", "no rows"):
        ask(ONE.on(frame))


@pytest.mark.parametrize("rows", [0, 400])
def test_a_regression_of_a_table_refuses_forged_rows_and_no_rows(rows: int) -> None:
    frame = pandas.DataFrame({"a": [0, *[1] * (rows - 1)][:rows], "g": [*"xy"] * (rows // 2)})
    with refused("misfit" if rows else "frame"):
        logistic_regression(frame, "a ~ g", designs=grouping(p=0.5, theta=0.5, block="q"))
