"""A number that is stored as answered, from devices through intake and mixing to results."""

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.estimation.composed_parts import Part, Side
from privacy.risk.amplification import promise
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from surveys.errors.error import SurveyError
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch, CutPoints, ItemsetRow, Run, Version
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.packed_items import unpack_items
from surveys.questionnaire.promise_words import promises_in_words
from surveys.report.export.codebook import entries_of
from surveys.report.export.disguise_laws import laws_of
from surveys.report.export.file_notes import file_notes
from surveys.report.opened_run import with_results
from surveys.report.results.results import results_context
from surveys.runs.comparisons import compare_sides
from surveys.runs.numbers import figures_of
from surveys.runs.scale_question import scale_of
from tests.fixtures.devices import closed, published, records_of, request_of, version_of
from tests.fixtures.everyday import THRESHOLDS, everyday_definition, people
from tests.fixtures.runs import LOOSE, answer, audited_run, definition, mined_run
from tests.fixtures.scenes import scene
from tests.fixtures.staff import seen_by
from tests.site.test_all_kinds import pages_of

pytestmark = pytest.mark.django_db

N = 400
HOURS, NUMBER = 3, {"low": 0, "high": 7, "bin": 1, "unit": {"en": "hours", "zh-hans": "小时"}}


def open_definition(**changes: Any) -> dict[str, Any]:
    """Return the survey of every kind of question, with hours stored as answered."""
    document = everyday_definition(**changes)
    part = document["blocks"][HOURS]
    del part["refusal"]
    part["protected"] = False
    (question,) = part["questions"]
    question["number"] = dict(NUMBER)
    for option, ends in zip(question["options"], ((0, 2), (5, 7)), strict=True):
        option["from"], option["to"] = ends
    return document


def bodies(design: Design) -> Iterator[bytes]:
    """Yield devices' rows; every tenth person leaves the hours empty."""
    rng = random.Random(9)
    words = iter(lambda: rng.getrandbits(32), None)
    for number, answers in enumerate(people(N)):
        if number % 10 == 0:
            answers["time"] = {}
        yield Layout(design).pack(disguise(design, answers, direct=False, coins=Coins(words)))


@scene(version_of)
def answered(**changes: Any) -> Version:
    """Return the survey with its answers received and mixed."""
    version = published(open_definition(**changes))
    for body in bodies(version.to_design()):
        assert submission_receive(request_of(version, body=body.hex()), now=timezone.now()).status == 200
    mix(now=timezone.now())
    return closed(version)


def records_in(version: Version) -> list[Record]:
    """Return the mixed rows."""
    batches = Batch.objects.filter(version=version)
    return records_of(version.to_design(), (bytes(batch.packed) for batch in batches))


def hours_in(version: Version) -> np.ndarray:
    """Return the hours in the mixed rows, -1 if empty."""
    design = version.to_design()
    block = design.block_of(design.question_number("hours"))
    values = [record.answers[block][0] for record in records_in(version)]
    return np.array([-1 if value is None else value for value in values])


def run_of(version: Version) -> Run:
    found = mined_run(version, THRESHOLDS)
    audited_run(found)
    return Run.objects.select_related("survey", "version", "job").get(pk=found.pk)


@pytest.fixture
def run() -> Run:
    return run_of(answered())


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    return client


BARS = [0, 1, 2, 3, 5, 6, 7]
"""No one works 3 or 4 hours, and neighbours without people share a bar."""


def test_figures_depend_only_on_bars_of_ten_people(run: Run) -> None:
    hours = hours_in(run.version)
    known = hours[hours >= 0]
    assert len(known) < len(hours) == run.n
    scale = scale_of(run, "hours", "number")
    figures = figures_of(scale)
    assert figures.mean is not None
    assert figures.bins is not None
    assert scale.reports.n == len(known)
    assert scale.spans == ((0, 0), (1, 1), (2, 2), (3, 4), (5, 5), (6, 6), (7, 7))
    counts = np.bincount(known, minlength=8)
    assert figures.bins.bars.value == pytest.approx(np.add.reduceat(counts, BARS) / len(known))
    assert not set(np.add.reduceat(counts, BARS)) & set(range(1, 10))
    assert (figures.bins.bars.low <= figures.bins.bars.value).all()
    # Each value that someone has is a bar, so the mean is that of the answers.
    assert figures.mean.value == pytest.approx(known.mean())
    item = run.design.item("hours=50-up").index
    (row,) = (row for row in ItemsetRow.objects.filter(run=run, size=1) if unpack_items(row.items) == (item,))
    assert (row.support, row.n) == (pytest.approx((known >= 5).mean()), len(known))


@pytest.mark.soak
def test_every_run_uses_the_stored_bars(run: Run) -> None:
    (cuts,) = CutPoints.objects.all()
    assert (cuts.question, cuts.cuts) == (run.design.question_number("hours"), BARS)
    again = mined_run(run.version, Thresholds(support=0.1, max_size=1), anew=True)
    assert CutPoints.objects.get() == cuts
    assert scale_of(again, "hours", "number").spans == scale_of(run, "hours", "number").spans


def test_comparisons_with_a_disguised_answer_accept_ranges_of_whole_bars(run: Run) -> None:
    design, hours = run.design, hours_in(run.version)
    number = design.question_number("hours")
    outcome = Side(items=(design.item("unpaid").index,))
    found = compare_sides(run, Side(parts=(Part(question=number, target=(3, 5)),)), outcome)
    assert found.share == pytest.approx(((hours >= 3) & (hours <= 5)).sum() / (hours >= 0).sum())
    with pytest.raises(SurveyError) as refused:
        compare_sides(run, Side(parts=(Part(question=number, target=(4, 5)),)), outcome)
    assert refused.value.case == "profile.bars"
    assert refused.value.fields["starts"] == "0, 1, 2, 3, 5, 6, 7"
    declared = compare_sides(run, Side(parts=(Part(question=number, target=(5, 7)),)), outcome)
    assert declared.having.value > declared.others.value
    mean = compare_sides(run, outcome, Side(parts=(Part(question=number, target=MEAN),)))
    assert mean.having.value > mean.others.value


@pytest.mark.soak
def test_comparisons_of_open_answers_need_declared_ranges_of_enough_people(run: Run) -> None:
    design, hours = run.design, hours_in(run.version)
    number = design.question_number("hours")
    shifts = Side(items=(design.item("shifts").index,))
    # All shift workers work long hours and no one else does, so other combinations are empty.
    found = compare_sides(run, shifts, Side(parts=(Part(question=number, target=(5, 7)),)))
    assert (found.having.value, found.others.value) == (pytest.approx(1), pytest.approx(0))
    mean = compare_sides(run, shifts, Side(parts=(Part(question=number, target=MEAN),)))
    assert 7 * mean.having.value == pytest.approx(hours[hours >= 5].mean())
    with pytest.raises(SurveyError) as refused:
        compare_sides(run, Side(parts=(Part(question=number, target=(3, 5)),)), shifts)
    assert refused.value.case == "profile.range"
    assert refused.value.remedy


@pytest.mark.soak
def test_an_open_number_does_not_count_as_protected(run: Run) -> None:
    design = run.version.to_design()
    other = definition_parse(everyday_definition()).design
    others = [block for block in other.blocks if block.key != "time"]
    alone = Design(blocks=tuple(others), group=other.group, use="live")
    assert promise(design) == promise(alone)
    assert promises_in_words(design) == promises_in_words(alone)
    assert "time" not in dict(laws_of(design))
    audit = run.summary["audit"]
    assert "hours" in audit["open"]["questions"]
    assert "time" not in json.dumps([audit["blocks"], audit["lone"]])
    # Eight bins, three ways to travel, and shifts or not.
    assert audit["open"]["combinations"] == 8 * 3 * 2
    result = next(
        one for one in results_context(with_results(run))["questions"] if one.question.key == "hours"
    )
    assert not result.protected
    assert result.number is not None


def test_the_codebook_marks_the_number_as_stored_as_answered(run: Run) -> None:
    entries = entries_of(run.version, run.version.to_design(), with_group=False)
    (entry,) = (entry for entry in entries if entry.column == "hours")
    assert (entry.stored_as, entry.truth_probability, entry.skip_share) == ("as answered", None, None)
    assert "0 begins at 0, 1 at 1" in entry.meaning["en"]


@pytest.mark.soak
def test_the_page_shows_no_epsilon_and_files_agree_with_it(run: Run, reader: Client) -> None:
    here = reverse("report:number", args=[run.pk, "hours"])
    text = reader.get(here).content.decode()
    assert "stored as answered" in text
    for gone in ("ε", "γ", "How Sottovoce reconstructed the shape", "share of people who skip it"):
        assert gone not in text.split("scale-title")[1]
    told = reader.get(here + "figures.json").json()
    assert (told["mechanism"], told["amplification"], told["epsilon_of_the_question"]) == (
        "as_answered",
        None,
        None,
    )
    lines = list(csv.DictReader(io.StringIO(b"".join(reader.get(here + "histogram.csv")).decode())))  # type: ignore[call-overload]
    assert [float(line["share"]) for line in lines] == [entry["share"] for entry in told["histogram"]]


@pytest.mark.soak
def test_the_data_export_contains_the_answers(run: Run, reader: Client) -> None:
    response = reader.post(reverse("export:data", args=[run.survey.slug]), {"run": run.pk}, follow=True)
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    table = next(name for name in archive.namelist() if "rows" in name)
    lines = list(csv.DictReader(archive.read(table).decode("utf-8-sig").splitlines()))
    sent = sorted(-1 if line["hours"] == "" else int(float(line["hours"])) for line in lines)
    assert sent == sorted(hours_in(run.version).tolist())


@pytest.mark.soak
def test_every_page_of_its_survey_and_run_opens(reader: Client) -> None:
    run = run_of(answered(practice=True))
    broken = {
        name: status
        for name, address in pages_of(run).items()
        if (status := reader.get(address).status_code) not in (200, 302, 404, 405)
    }
    assert broken == {}


ONLY_OF_DISGUISED = re.compile(
    "share below 0|devices send|mechanism, the values|Line: the shape|reconstructed the shape"
    "|expectation-maximisation"
)


@pytest.mark.soak
def test_a_stored_number_has_no_words_and_no_curve_of_a_disguise(run: Run, reader: Client) -> None:
    """Sentences about noise, smoothing and mechanisms hold only for disguised numbers."""
    page = reader.get(reverse("report:number", args=[run.pk, "hours"])).content.decode()
    assert "95% interval" in page
    assert not ONLY_OF_DISGUISED.search(page)
    assert "<polyline" not in page
    assert ">shape<" not in page
    address = reverse("report:number_file", args=[run.pk, "hours", "histogram.csv"])
    rows = list(csv.DictReader(io.StringIO(body_of(reader.get(address)).decode())))
    assert {row["shape"] for row in rows} == {""}
    address = reverse("report:number_file", args=[run.pk, "hours", "figures.json"])
    figures = json.loads(body_of(reader.get(address)))
    assert (figures["shape"], figures["stops"]) == (None, None)
    assert "stored as given" in figures["method"]
    assert not ONLY_OF_DISGUISED.search(figures["method"])


def stored_version() -> Version:
    """Return the survey of runs with 200 answers and all parts stored as answered."""
    document = definition("stored", policy="protected")
    for block in document["blocks"]:
        block["protected"] = False
        for name in ("truth_probability", "refusal", "no_skip"):
            block.pop(name, None)
        for question in block["questions"]:
            for name in ("unrelated", "prevalence", "known"):
                question.pop(name, None)
    version = published(document)
    answer(version, 200, n_direct=0)
    return closed(version)


def test_a_survey_that_disguises_nothing_is_not_called_disguised(reader: Client) -> None:
    """Pages, files and the text for a paper describe a disguise only if there is one."""
    run = mined_run(stored_version(), LOOSE)
    assert not run.design.protects
    paper = reader.get(reverse("report:paper", args=[run.pk])).content.decode()
    assert "stored the answers as they were given" in paper
    assert not re.search("with randomised|Warner|randomisation prob|randomised data|device randomised", paper)
    page = reader.get(reverse("export:data", args=[run.survey.slug])).content.decode()
    assert "No answer is disguised: treat the file as personal data." in page
    assert not re.search("Answers are disguised in every file|Export disguised answers", page)
    record = json.loads(body_of(reader.get(reverse("report:rules_file", args=[run.pk, "json"]))))
    assert "disguised" not in record["method"]
    files = data_export_files(reader, run)
    assert "no question of this survey is disguised" in files["README.md"]
    assert "disguised the answers" not in files["README.md"]
    assert "randomised response" not in files["codebook.xml"]
    assert "<disclaimer>" not in files["codebook.xml"]
    assert "randomly disguised" not in " ".join(file_notes(run, run.design, ()))


def body_of(response: Any) -> bytes:
    """Return a response's bytes, streamed or not."""
    return b"".join(response.streaming_content) if response.streaming else response.content


def data_export_files(reader: Client, run: Run) -> dict[str, str]:
    """Return the texts of a run's data export."""
    address = reverse("export:data", args=[run.survey.slug])
    response = reader.post(address, {"run": run.pk, "kind": "zip"}, follow=True)
    with zipfile.ZipFile(io.BytesIO(body_of(response))) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
