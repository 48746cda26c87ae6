"""An index with its placebo, two halves and a shared filter, from devices to every page and file."""

import csv
import html
import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from mining.thresholds import Thresholds
from surveys.models import Run
from surveys.report.opened_run import with_results
from surveys.report.results.answer_shares import answers_of
from surveys.report.results.related_figures import related_sentences
from surveys.respondent.client_documents import documents_of
from surveys.runs.opening_figures import stored_placebo, stored_reliability
from tests.fixtures import exports
from tests.fixtures.composite_drafts import related_bodies, related_document, related_people
from tests.fixtures.devices import published, stored
from tests.fixtures.runs import audited_run, mined_run
from tests.fixtures.scenes import scene
from tests.fixtures.staff import seen_by
from tests.site.test_all_kinds import find_run, pages_of
from tests.site.test_composites import unpacked
from tests.surveys.accounts.test_token_requests import DOCUMENT, schema_of, wrong_in

pytestmark = pytest.mark.django_db

N = 600


@scene(find_run)
def analysed(thresholds: Thresholds) -> Run:
    version = published(related_document(practice=True))
    stored(version, related_bodies(version.to_design(), N))
    found = mined_run(version, thresholds)
    audited_run(found)
    return find_run(found.pk)


@pytest.fixture
def run() -> Run:
    return analysed(Thresholds(support=0.05, max_size=2))


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    return client


def page(reader: Client, run: Run, name: str, language: str = "en") -> str:
    address = pages_of(run)[name].replace("/en/", f"/{language}/")
    return html.unescape(re.sub(r"\s+", " ", reader.get(address).content.decode()))


@pytest.mark.soak
def test_the_difference_from_the_placebo_index_is_next_to_the_index(run: Run, reader: Client) -> None:
    (found,) = stored_placebo(run, "placebo").values()
    people = [person["acts"] for person in related_people(N)]
    shares = [sum(any(own[key].values()) for own in people) / N for key in ("index", "placebo")]
    assert found.low < shares[0] - shares[1] < found.high
    assert found.standard_error is not None
    figure = f"Difference: {100 * found.value:.0f} points ({100 * found.low:.0f} to {100 * found.high:.0f})."
    for name in ("report:results", "report:printed", "report:paper"):
        text = page(reader, run, name)
        assert figure in text, name
        assert "Placebo index “placebo?”:" in text
        assert (
            "answered carelessly. So the difference is the part that careless answers do not explain" in text
        )
        assert "“placebo?” is its placebo index." in text
        assert "It is the placebo index of “index?”" in text
    # On the card of the index, not of the placebo.
    text = page(reader, run, "report:results")
    assert text.index(">index?<") < text.index(figure) < text.index(">placebo?<")
    chinese = page(reader, run, "report:results", "zh-hans")
    assert "对照指数" in chinese
    assert "Placebo index" not in chinese


@pytest.mark.soak
def test_composite_questions_are_named_by_their_short_names_in_each_language(run: Run) -> None:
    names = {
        "index": {"en": "Acts", "zh-hans": "行为"},
        "placebo": {"en": "Made-up acts", "zh-hans": "虚构行为"},
        "odd": {"en": "Odd half", "zh-hans": "奇数半"},
        "even": {"en": "Even half", "zh-hans": "偶数半"},
    }
    run.version.aim = {"people": N, "wanted": [], "labels": names}
    for language in ("en", "zh-hans"):
        with override(language):
            said = related_sentences(run, [*answers_of(with_results(run))])
        assert names["placebo"][language] in said["index"][0]
        (halves,) = said["even"]
        assert names["odd"][language] in halves
        assert names["even"][language] in halves
        assert "?" not in halves


@pytest.mark.soak
def test_the_reliability_of_two_halves_is_on_page_and_paper(run: Run, reader: Client) -> None:
    found = stored_reliability(run, "even")
    assert found is not None
    assert found.estimable
    low, value, high = (f"{each:.2f}".removeprefix("0") for each in (found.low, found.value, found.high))
    sentence = f"Reliability of the instrument with the halves “odd?” and “even?”: {value} ({low} to {high})"
    for name in ("report:results", "report:printed"):
        assert page(reader, run, name).count(sentence) == 2, "on both cards"
    # Once in each language.
    assert page(reader, run, "report:paper").count(sentence) == 1
    assert "It is one half of an instrument, and “odd?” is the other half." in page(
        reader, run, "report:results"
    )
    assert "信度" in page(reader, run, "report:results", "zh-hans")


def test_pages_say_what_a_shared_filter_does_to_links(run: Run, reader: Client) -> None:
    for name in ("report:results", "report:paper", "audit:risk"):
        text = page(reader, run, name)
        assert "The question “Component ever?” is asked once, but also affects “kicked?”." in text, name
        assert "So this rule causes part of any link between these answers." in text
    cause = "Part of this link follows from the questionnaire, because both depend on “Component ever?”."
    for name in ("report:results", "report:printed", "report:paper"):
        text = page(reader, run, name)
        assert cause in text, name
        assert not re.search(r"“odd\?”[^.]*[.] Part of this link", text), "halves share no filter"
    assert "一部分" in page(reader, run, "report:results", "zh-hans")


def test_where_a_figure_cannot_be_computed_pages_say_so(run: Run, reader: Client) -> None:
    summary = run.summary
    summary["results"]["halves"]["even"]["reliability"]["estimable"] = False
    summary["results"]["placebos"]["placebo"]["yes"]["estimable"] = False
    run.summary = summary
    run.save()
    text = page(reader, run, "report:results")
    assert "There are too few answers to compute the reliability of the instrument" in text
    assert "There are too few answers to state the difference." in text
    refused = {"refused": "no_rows.asked", "by_service": False, "fields": {"value": 0}}
    summary["results"]["halves"]["even"] = summary["results"]["placebos"]["placebo"] = refused
    run.summary = summary
    run.save()
    text = page(reader, run, "report:results")
    assert "cannot be computed: 0 rows were asked all of these questions." in text
    assert "cannot be compared: 0 rows were asked all of these questions." in text
    summary["results"]["halves"]["even"] = summary["results"]["placebos"]["placebo"] = {}
    run.summary = summary
    run.save()
    text = page(reader, run, "report:results")
    assert "“even?” may not be reported." in text
    assert "The difference from the placebo index “placebo?” may not be reported." in text


@pytest.mark.soak
def test_the_export_holds_both_figures(run: Run, reader: Client) -> None:
    def exported() -> dict[str, str]:
        answer = reader.post(reverse("export:data", args=[run.survey.slug]), {"run": run.pk}, follow=True)
        return unpacked(answer)

    files = exported()
    difference, reliability = csv.DictReader(files["related.csv"].splitlines())
    (found,) = stored_placebo(run, "placebo").values()
    named = [difference[name] for name in ("question", "other", "figure", "answer", "estimable")]
    assert named == ["placebo", "index", "difference", "yes", "1"]
    figures = [float(difference[name]) for name in ("value", "standard_error", "low", "high")]
    assert figures == [found.value, found.standard_error, found.low, found.high]
    assert [reliability[name] for name in ("question", "other", "figure")] == ["even", "odd", "reliability"]
    assert "run/related.csv" in files["README.md"]
    summary = run.summary
    summary["results"]["halves"] = summary["results"]["placebos"] = {}
    run.summary = summary
    run.save()
    files = exported()
    assert "related.csv" not in files
    assert "run/related.csv" not in files["README.md"]


def test_the_audit_counts_rows_that_a_shared_filter_makes_impossible(run: Run, reader: Client) -> None:
    address = reverse("audit:draft", args=[run.survey.slug])
    text = html.unescape(re.sub(r"\s+", " ", reader.get(address).content.decode()))
    # Two of the four kinds of rows with a "never", each .3334 * .6666 of random rows.
    assert "random answers of part violence that cannot be true" in text
    assert "44.4" in text[text.index("random answers of part violence") :][:200]
    documents = documents_of(run.version)
    words = json.loads(documents.words_in("en"))["blocks"]
    assert ["exclusive" in block for block in words] == [False, False, True]
    assert len(words[2]["together"]["sets"]) == 4


def test_json_has_the_difference_and_the_reliability_as_the_description_says(
    run: Run, reader: Client
) -> None:
    read = json.loads(b"".join(reader.get(f"/en/staff/runs/{run.pk}/rules.json").streaming_content))
    assert list(wrong_in(read, schema_of("/runs/{run_id}/rules.{ending}"), DOCUMENT)) == []
    records = {record["figure"]: record for record in read["related"]}
    (difference,) = stored_placebo(run, "placebo").values()
    reliability = stored_reliability(run, "even")
    assert reliability is not None
    for figure, found, pair in (
        ("difference", difference, ("placebo", "index")),
        ("reliability", reliability, ("even", "odd")),
    ):
        record = records[figure]
        assert (record["question"], record["other"]) == pair
        assert [record[name] for name in ("value", "low", "high")] == [found.value, found.low, found.high]
    assert read["of_base"] == []


@pytest.mark.soak
def test_the_script_of_an_export_computes_the_differences_again_but_no_reliability(tmp_path: Path) -> None:
    """Without rules, which other tests compute, the script is quick."""
    folder = exports.unpacked(analysed(Thresholds(support=0.05, max_size=1)), tmp_path)
    file = folder / "run" / "related.csv"
    lines = {line["figure"]: line for line in exports.records(file)}
    assert {*lines} == {"difference", "reliability"}

    def change(figure: str) -> None:
        value = lines[figure]["value"]
        text = file.read_text(encoding="utf-8")
        assert value in text
        file.write_text(text.replace(value, str(float(value) + 1e-6)), encoding="utf-8")

    change("reliability")
    done = exports.script(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"value", "standard_error", "low", "high", "n"} <= {
        *re.findall(r"^related +(\w+)", done.stdout, re.MULTILINE)
    }
    change("difference")
    assert exports.script(folder).returncode == 1
