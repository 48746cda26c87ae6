"""Attacks on the minimum of ten people: subtracting two runs, forging rows, and bars of single people."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.open_floor import SHOW_ALL, OpenFloor
from mining.thresholds import Thresholds
from privacy.survey.layout import Layout, Record
from surveys.accounts.page_sharing import page_share
from surveys.models import Chapter, Run, SharedPage, Version
from surveys.questionnaire.labels import labels_of
from surveys.report.export.rule_columns import itemsets_as_csv
from surveys.report.rules.itemset_query import ItemsetQuery, itemsets_matching
from surveys.runs.chapters import chapters_cut
from tests.attack.respondents import Respondents, open_part, publish, text, wide_definition
from tests.fixtures.devices import closed, stored
from tests.fixtures.runs import alice, audited_run, mined_run
from tests.fixtures.staff import seen_by
from tests.site.test_all_kinds import pages_of

pytestmark = pytest.mark.django_db

EVERYTHING = Thresholds(support=1e-6, confidence=1e-6, max_size=3)
FEW = range(1, 10)
END = datetime(2090, 1, 1, tzinfo=UTC)


def yes_no(key: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "kind": "yes_no", "text": text(f"{key}?"), **more}


def hours(ranges: Sequence[tuple[int, int]] = ()) -> dict[str, Any]:
    options = [
        {"key": f"r{low}", "from": low, "to": high, "text": text(f"{low} to {high}")} for low, high in ranges
    ]
    return {
        "key": "time",
        "protected": False,
        "title": text("Time"),
        "questions": [
            {
                "key": "hours",
                "kind": "number",
                "text": text("How many hours?"),
                "number": {"low": 0, "high": 99, "bin": 1, "unit": text("hours")},
                **({"options": options} if options else {}),
            }
        ],
    }


def survey(
    slug: str, *, practice: bool = False, number: bool = False, ranges: Sequence[tuple[int, int]] = ()
) -> Version:
    """Publish a survey of two open questions, perhaps an open number, and a protected one."""
    return publish(document(slug, practice=practice, number=number, ranges=ranges))


def document(
    slug: str, *, practice: bool = False, number: bool = False, ranges: Sequence[tuple[int, int]] = ()
) -> dict[str, Any]:
    """Return the definition of such a survey."""
    protected = {
        "key": "work",
        "protected": True,
        "truth_probability": 6000,
        "no_skip": "Made for a test.",
        "title": text("Work"),
        "questions": [yes_no("late", unrelated=[5000], prevalence=[3000])],
    }
    return {
        "sotto": 1,
        "slug": slug,
        "title": text("Profiles"),
        "practice": practice,
        "about": wide_definition()["about"],
        "group": {"policy": "protected"},
        "blocks": [
            open_part([yes_no("old"), yes_no("night")]),
            *([hours(ranges)] if number else []),
            protected,
        ],
    }


def answer(version: Version, cells: Sequence[int], numbers: Iterable[int] = ()) -> None:
    """Store a batch with this many people of each combination of the two open answers."""
    respondents = Respondents(version, seed=sum(cells))
    people = [(number >> 1, number & 1) for number, count in enumerate(cells) for _ in range(count)]
    rows, hours_of = [], iter(numbers)
    for old, night in people:
        answers: dict[str, Any] = {"you": {"old": old, "night": night}, "work": {"late": 0}}
        if (value := next(hours_of, None)) is not None:
            answers["time"] = {"hours": value}
        rows.append(respondents.row(answers))
    stored(version, rows)


def cells_of(run: Run) -> dict[tuple[str, ...], int]:
    """Return the number of people behind each share of open answers in the file of itemsets."""
    labels = labels_of(run.version, run.design)
    lines = itemsets_as_csv(itemsets_matching(run, ItemsetQuery()), labels, run)
    return {
        tuple(sorted(line["items"].lstrip("'").split(" & "))): round(float(line["support"]) * int(line["n"]))
        for line in csv.DictReader("".join(lines).splitlines())
        if "late" not in line["items"]
    }


def crosses(cells: dict[tuple[str, ...], int]) -> dict[tuple[str, ...], int]:
    return {items: count for items, count in cells.items() if len(items) > 1}


def subtracted(first: Run, second: Run) -> Iterator[int]:
    """Yield the people between two runs who have each combination, and by subtraction each complement."""
    before, after = cells_of(first), cells_of(second)
    for items in before.keys() & after.keys():
        yield after[items] - before[items]


def two_looks(*, practice: bool) -> tuple[Run, Run]:
    version = survey("looks", practice=practice)
    answer(version, (60, 60, 60, 60))
    if not practice:
        answer(version, (36, 6, 6, 2))
    first = mined_run(version, EVERYTHING, anew=True)
    answer(version, (36, 6, 6, 2) if practice else (20, 20, 20, 20))
    return first, mined_run(version, EVERYTHING, anew=True)


def test_the_attack_finds_the_cells_of_an_unprotected_survey() -> None:
    """The planted target: a practice survey hides nothing."""
    first, second = two_looks(practice=True)
    assert crosses(cells_of(second))
    assert set(subtracted(first, second)) & set(FEW)


def test_two_runs_of_an_open_survey_subtracted_give_no_small_cell() -> None:
    first, second = two_looks(practice=False)
    assert (first.n, second.n) == (240, 290)
    assert crosses(cells_of(first)) == crosses(cells_of(second)) == {}
    # The shares of single questions appear, because each answer has ten people or none.
    assert set(cells_of(first)) == {("old",), ("night",)}
    # Eight of the next fifty people are old, so the second look waits with that question.
    assert cells_of(second) == {}
    assert not set(subtracted(first, second)) & set(FEW)


def test_a_settled_survey_shows_the_cross_in_every_run() -> None:
    version = survey("settled")
    answer(version, (60, 60, 60, 60))
    answer(version, (36, 6, 6, 2))
    interim = mined_run(version, EVERYTHING, anew=True)
    version = closed(version)
    runs = [mined_run(version, EVERYTHING, anew=True) for _ in range(2)]
    assert crosses(cells_of(interim)) == {}
    assert [crosses(cells_of(run)) for run in runs] == [{("night", "old"): 62}] * 2
    assert set(subtracted(*runs)) == {0}


def test_numbers_stored_as_answered_have_no_bar_of_one_person() -> None:
    """Twelve people have hours that no one else has, and the file says that cells below ten are hidden."""
    version = survey("hours", number=True)
    unique = [60 + 3 * number for number in range(12)]
    common = [int(value) for value in np.random.default_rng(3).integers(10, 30, 228)]
    answer(version, (60, 60, 60, 60), numbers=[*unique, *common])
    run = mined_run(closed(version), EVERYTHING, anew=True)
    reader = Client()
    reader.force_login(seen_by(User.objects.create_superuser("dora")))
    here = reverse("report:number", args=[run.pk, "hours"])
    assert reader.get(here).status_code == 200
    told = json.loads(reader.get(here + "figures.json").content)
    assert told["cells_hidden_below"] == 10
    people = [round(bar["share"] * told["n_of_the_question"]) for bar in told["histogram"]]
    assert sum(people) == 240
    assert not set(people) & set(FEW)
    # The mean does not give the sum of the answers, so it cannot give the last one.
    exact = np.mean([*unique, *common])
    assert told["mean"]["value"] != pytest.approx(exact)


HEX = re.compile(rb"[0-9a-f]{12,}")
ONE_TIME = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]+"|"csrf": "[^"]+"|\d\d:\d\d(:\d\d)?|[\d.]+ (ms|s)\b'
    rb'|"(started|ended|seconds|duration_seconds)": [^,}]+'
    # The second world may be made after midnight.
    rb"|20\d\d-\d\d-\d\d|\d\d? [A-Z][a-z]+\.? 20\d\d|[A-Z][a-z]+\.? \d\d?, 20\d\d"
)


def reports(version: Version, cells: Sequence[int]) -> Iterator[bytes]:
    """Yield rows in which one in five of each combination reports the protected answer, as by chance."""
    layout = Layout(version.to_design())
    people = [(number >> 1, number & 1, at) for number, count in enumerate(cells) for at in range(count)]
    for old, night, at in people:
        answers = ((old, night), (at % 40,), (int(at % 5 == 0),))
        yield layout.pack(Record(direct=False, answers=answers, refused=(False,) * 3))


def pages_in(cells: Sequence[int]) -> dict[str, bytes]:
    """Return every page and file of a reviewer in a world with these cells, and undo the world."""
    with transaction.atomic():
        version = survey("worlds", number=True)
        for some in (cells, (20, 20, 20, 20)):
            stored(version, list(reports(version, some)))
        pages = all_pages(audited_run(mined_run(version, EVERYTHING, anew=True)))
        transaction.set_rollback(True)
    return pages


def all_pages(run: Run) -> dict[str, bytes]:
    """Return every page and file of a run of a survey of hours for a reviewer, without random parts."""
    pages: dict[str, bytes] = {}
    reader = Client()
    reader.force_login(alice())
    addresses = pages_of(run)
    for name, keys in (("number", ["hours"]), ("number_file", ["hours", "figures.json"])):
        addresses[name] = reverse(f"report:{name}", args=[run.pk, *keys])
    for ending in ("csv", "json"):
        addresses[f"rules.{ending}"] = reverse("report:rules_file", args=[run.pk, ending])
        address = reverse("report:compare_file", args=[run.pk, ending])
        addresses[f"compare.{ending}"] = f"{address}?outcome=old&by=night"
    addresses["compared"] = reverse("report:compare", args=[run.pk]) + "?outcome=old&by=night"
    addresses["weighted"] = reverse("report:practice", args=[run.pk]) + "?margins=night:yes=0.5,no=0.5"
    _shared, secret = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="dora", now=timezone.now()
    )
    for name in ("shared:results", "shared:printed"):
        addresses[name] = reverse(name, args=[secret])
    for name, address in addresses.items():
        response = reader.get(address)
        if response.status_code == 200 or response.status_code >= 422:
            content = b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]
            pages[name] = ONE_TIME.sub(b"", HEX.sub(b"", content.replace(secret.encode(), b"")))
    return pages


# On PostgreSQL a rollback keeps the sequences, so the second world's rows have other numbers.
@pytest.mark.only("sqlite")
def test_no_page_of_an_open_survey_depends_on_combinations_of_open_answers() -> None:
    """In two worlds each question has the same shares, and everyone sends the same disguised answers."""
    first, second = pages_in((60, 60, 60, 60)), pages_in((90, 30, 30, 90))
    assert first.keys() == second.keys()
    assert len(first) > 15
    assert [name for name in first if first[name] != second[name]] == []
    assert {"audit:run_json", "shared:results", "shared:printed", "report:weights_csv"} <= first.keys()


BY_AGE: Any = {"question": "old", "options": ["yes"]}
BY_BOTH: Any = {"all": [{"question": key, "options": ["yes"]} for key in ("old", "night")]}


def asked_because(version: Version, cells: Sequence[int], condition: Any) -> Iterator[bytes]:
    """Yield rows of a survey with a part for some people; all other columns are the same in any world."""
    layout = Layout(version.to_design())
    people = [(number >> 1, number & 1, at) for number, count in enumerate(cells) for at in range(count)]
    for place, (old, night, at) in enumerate(people):
        is_asked = old if condition is BY_AGE else old and night
        cared = (at % 2,) if is_asked else (None,)
        answers = ((old, night), (place % 40,), (int(place % 5 == 0),), cared)
        yield layout.pack(Record(direct=False, answers=answers, refused=(False,) * 4))


def publish_with_part(condition: Any) -> Version:
    """Publish a survey with a protected part that is asked because of open answers."""
    definition = document("waits", number=True)
    part = {
        "key": "care", "protected": True, "truth_probability": 6000, "no_skip": "Made for a test.",
        "title": text("Care"), "asked_if": condition,
        "questions": [yes_no("cared", unrelated=[5000], prevalence=[3000])],
    }  # fmt: skip
    return publish(definition | {"blocks": [*definition["blocks"], part]})


def waiting_in(cells: Sequence[int]) -> dict[str, bytes]:
    """Return the pages of a run in a world with these cells since an earlier run, and undo the world."""
    with transaction.atomic():
        version = publish_with_part(BY_AGE)
        for some in ((60, 60, 60, 60), cells):
            stored(version, list(asked_because(version, some, BY_AGE)))
        mined_run(version, EVERYTHING, anew=True)
        stored(version, list(asked_because(version, (20, 20, 20, 20), BY_AGE)))
        pages = all_pages(audited_run(mined_run(version, EVERYTHING, anew=True)))
        transaction.set_rollback(True)
    return pages


def withheld_in(cells: Sequence[int]) -> dict[str, bytes]:
    """Return the pages of a final run in a world with these cells, and undo the world."""
    with transaction.atomic():
        version = publish_with_part(BY_BOTH)
        stored(version, list(asked_because(version, cells, BY_BOTH)))
        pages = all_pages(audited_run(mined_run(closed(version), EVERYTHING, anew=True)))
        transaction.set_rollback(True)
    return pages


@pytest.mark.only("sqlite")
@pytest.mark.soak
def test_no_page_depends_on_a_question_that_waits() -> None:
    """Eight or seven of fifty people are old: no page may say which, nor who was asked the part for them."""
    first, second = waiting_in((36, 6, 6, 2)), waiting_in((37, 6, 5, 2))
    assert first.keys() == second.keys()
    assert len(first) > 15
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.only("sqlite")
@pytest.mark.soak
def test_no_page_depends_on_the_people_of_a_withheld_combination() -> None:
    """Five or four people are old and work at night, and only they are asked a part."""
    first, second = withheld_in((100, 100, 35, 5)), withheld_in((99, 101, 36, 4))
    assert first.keys() == second.keys()
    assert len(first) > 15
    assert [name for name in first if first[name] != second[name]] == []


def whole_in(cells: Sequence[int]) -> dict[str, bytes]:
    """Return the pages of a final run of all chapters in a world with these cells, and undo the world."""
    with transaction.atomic():
        version = survey("chapters", number=True)
        stored(version, list(reports(version, cells)))
        Chapter.objects.create(survey=version.survey, ends_at=END)
        chapters_cut(now=END)
        stored(version, list(reports(version, cells)))
        pages = all_pages(audited_run(mined_run(closed(version), EVERYTHING, anew=True)))
        transaction.set_rollback(True)
    return pages


@pytest.mark.only("sqlite")
@pytest.mark.soak
def test_no_page_of_all_chapters_together_depends_on_any_open_answer() -> None:
    """The chapters' runs show them, so those of everything would give the difference of two chapters."""
    first, second = whole_in((60, 60, 60, 60)), whole_in((80, 60, 60, 40))
    assert first.keys() == second.keys()
    assert len(first) > 15
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.only("sqlite")
@pytest.mark.parametrize("place", ["surveys.runs.audit", "surveys.runs.mining_job"])
@pytest.mark.soak
def test_the_attack_finds_a_page_that_counts_combinations(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted targets: an audit that counts unique people, and a run that lists crosses."""
    if place.endswith("audit"):
        monkeypatch.setattr(f"{place}.floor_of", lambda _run: SHOW_ALL)
    else:
        monkeypatch.setattr(f"{place}.decide", lambda *_args, **_options: OpenFloor(least=10))
        monkeypatch.setattr("surveys.runs.shown_of_run.is_of_the_ledger", lambda _run: True)
    first, second = pages_in((60, 60, 60, 60)), pages_in((90, 30, 30, 90))
    found = {name for name in first.keys() & second.keys() if first[name] != second[name]}
    assert ("audit:run_json" if place.endswith("audit") else "report:itemsets_csv") in found
