"""*Compare* states the share of people with at least one of several answers of one part, and its files."""

import csv
import html
import io
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from privacy.survey.layout import Layout, Record
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.report.opened_run import OpenedRun
from surveys.report.results.share_text import united_answers
from surveys.runs.withheld import withheld_of
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.composite_drafts import composite_document, screened_bodies, screening_document
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run
from tests.fixtures.violence_survey import FORMS, true_forms, violence_answered
from tests.surveys.report.results.test_results import text_of

pytestmark = pytest.mark.django_db
ALL = "&".join(f"any_of={form}" for form in FORMS)
TRUTH = sum(
    person["violence"] != "skipped" and any(any(acts.values()) for acts in person["violence"].values())
    for person in true_forms(400)
)


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(alice())
    return client


def page_of(reader: Client, run: Run, query: str) -> str:
    return text_of(reader.get(f"{reverse('report:compare', args=[run.pk])}?{query}").content.decode())


def file_of(reader: Client, run: Run, ending: str, query: str) -> str:
    answer = reader.get(f"{reverse('report:compare_file', args=[run.pk, ending])}?{query}")
    assert answer.status_code == 200
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode("utf-8-sig")


@pytest.mark.soak
def test_at_least_one_of_three_forms_is_estimated_for_everyone(reader: Client) -> None:
    run = mined_run(violence_answered(), SINGLES)
    page = page_of(reader, run, f"{ALL}&by=everyone")
    assert "at least one of physical, sexual, psychological" in page
    assert "400 people were asked all of these questions." in page
    (line,) = csv.DictReader(io.StringIO(file_of(reader, run, "csv", f"{ALL}&by=everyone")))
    assert (line["outcome"], line["group"], line["n"]) == ("physical|sexual|psychological", "everyone", "400")
    assert float(line["low"]) < TRUTH / 400 < float(line["high"])
    assert float(line["high"]) - float(line["low"]) < 0.2
    read = json.loads(file_of(reader, run, "json", f"{ALL}&by=everyone"))
    assert read["outcomes"][0]["share"] == pytest.approx(float(line["share"]))
    assert "under one coin" in read["method"]
    assert (line["share_shift"], read["outcomes"][0]["share_shift"]) == ("", None)


@pytest.mark.soak
def test_the_results_lead_to_it(reader: Client) -> None:
    run = mined_run(violence_answered(), SINGLES)
    page = reader.get(reverse("report:results", args=[run.pk])).content.decode()
    (address,) = re.findall(r'href="([^"]*any_of=[^"]*)"', page)
    forms = ", ".join(f"“{text}” yes" for text, _acts in FORMS.values())
    assert f"At least one of {forms}: the share of everyone" in page, "in words, not in keys"
    assert (
        "400 people were asked all of these questions." in reader.get(html.unescape(address)).content.decode()
    )


@pytest.mark.soak
def test_a_placebo_index_and_halves_are_not_united() -> None:
    for name in ("index and placebo", "two halves"):
        version = published(composite_document(name, slug=name.replace(" ", "-")))
        run = Run(version=version, survey=version.survey)
        assert list(united_answers(OpenedRun(run, labels_of(version, version.to_design())))) == []


@pytest.mark.soak
def test_it_can_be_compared_by_an_open_and_by_a_disguised_answer(reader: Client) -> None:
    run = mined_run(violence_answered(), SINGLES)
    page = page_of(reader, run, "any_of=physical&any_of=sexual&by=psychological")
    assert "answered at least one of “Physical violence by a partner in the last 12 months” yes" in page
    assert "forged answers that are all the same would change this verdict." in page
    query = "any_of=physical&any_of=sexual&by=age%3Dold"
    having, others = csv.DictReader(io.StringIO(file_of(reader, run, "csv", query)))
    assert (having["outcome_label"], having["by"]) == ("at least one of physical, sexual", "age=old")
    assert having["flips"]
    assert others["group"] == "others"
    assert query in html.unescape(page_of(reader, run, query)), "the link keeps every answer"


def test_forged_rows_shift_it_as_they_shift_any_share(reader: Client) -> None:
    run = mined_run(violence_answered(forged=150), SINGLES)
    assert withheld_of(run).rows > 0
    page = page_of(reader, run, f"{ALL}&by=everyone")
    (line,) = csv.DictReader(io.StringIO(file_of(reader, run, "csv", f"{ALL}&by=everyone")))
    assert float(line["share_shift"]) > 0
    assert f"forged answers: up to ±{100 * float(line['share_shift']):.1f} points" in page


@pytest.mark.soak
def test_weights_apply_to_it(reader: Client) -> None:
    run = mined_run(violence_answered(), SINGLES)
    shares = {}
    for old in ("0.1", "0.9"):
        query = f"{ALL}&by=everyone&margins=age:young={1 - float(old):.1f},old={old}"
        (line,) = csv.DictReader(io.StringIO(file_of(reader, run, "csv", query)))
        shares[old] = float(line["share"])
        assert (line["weighted"], line["few_rows"]) == ("1", "0")
    assert shares["0.1"] != shares["0.9"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("any_of=physical&by=age%3Dold", "Tick at least two answers, or none."),
        ("any_of=physical&any_of=sexual&by=physical", "Choose a different answer from the one you compare."),
        ("outcome=physical&by=everyone", "The results page shows this share."),
        (
            "any_of=physical&any_of=age%3Dold&by=everyone",
            "“age=old” cannot be chosen here. Choose one of these.",
        ),
    ],
)
def test_choices_without_a_figure_are_refused_next_to_the_field(
    reader: Client, query: str, words: str
) -> None:
    run = mined_run(violence_answered(), SINGLES)
    assert words in page_of(reader, run, query)
    file = reader.get(f"{reverse('report:compare_file', args=[run.pk, 'json'])}?{query}")
    assert file.status_code == 422


@pytest.mark.soak
def test_upper_levels_of_one_question_can_be_united(reader: Client) -> None:
    version = published(screening_document())
    stored(version, screened_bodies(version.to_design(), 200))
    run = mined_run(closed(version), SINGLES)
    page = page_of(reader, run, "any_of=bribe%3Dcontact&any_of=bribe%3Dbribe&by=everyone")
    assert "200 people were asked all of these questions." in page
    assert "at least one of bribe: contact?, bribe: bribe?" in page


@pytest.mark.soak
def test_answers_of_two_parts_have_no_joint_figure(reader: Client) -> None:
    parts = [protected(part, yes_no(f"{part}1"), yes_no(f"{part}2")) for part in ("a", "b")]
    version = published(document_of(*parts, slug="parts"))
    rows = [
        Layout(version.to_design()).pack(
            Record(
                direct=False, answers=((n & 1, n >> 1 & 1), (n >> 2 & 1, n >> 3 & 1)), refused=(False,) * 2
            )
        )
        for n in range(320)
    ]
    stored(version, rows)
    run = mined_run(closed(version), SINGLES)
    assert "These answers were not sent together" in page_of(reader, run, "any_of=a1&any_of=b1&by=everyone")
    assert "at least one of a1, a2" in page_of(reader, run, "any_of=a1&any_of=a2&by=everyone")


@pytest.mark.soak
def test_a_survey_without_several_answers_under_one_coin_does_not_offer_it(reader: Client) -> None:
    run = mined_run(violence_answered(), SINGLES)
    assert "Or at least one of several answers" in page_of(reader, run, "")
    run = mined_run(answered_version(400), SINGLES)
    work = page_of(reader, run, "any_of=late&any_of=drink&by=everyone")
    assert "“drink” cannot be chosen here." in work
