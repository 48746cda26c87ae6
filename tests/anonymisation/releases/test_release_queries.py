"""A release is opened for questions by page and by program, and its owner sees who asked."""

import csv
import io
import re
import zipfile
from statistics import median

import pytest
from django.urls import reverse
from django.utils import timezone

from anonymisation.models import Release, ReleaseQuestion
from anonymisation.releases.deletion import release_erase
from anonymisation.releases.downloads import release_download
from anonymisation.releases.release_queries import (
    published_of,
    queries_allow,
    queries_stop,
    question_answer,
    question_ask,
    question_read,
    questions_left,
)
from privacy.errors import PrivacyError
from privacy.sdc.query_language import parse
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError, in_sentences
from surveys.models import AuditEvent
from tests.anonymisation.made_releases import made_release, opened_release, people_csv
from tests.fixtures.api_clients import asked, program_of
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    return opened_release(member("owner", Role.RESEARCHER))


def address(step: str, release: Release) -> str:
    return reverse(f"releases:{step}", args=[release.pk])


def handed_over(release: Release) -> list[dict[str, str]]:
    """Return the published rows, as a reader of the file sees them."""
    with zipfile.ZipFile(io.BytesIO(release_download(release, "files", by=release.owner))) as archive:
        return list(csv.DictReader(io.StringIO(archive.read("data.csv").decode())))


def test_a_count_on_the_page_matches_the_file_and_bounds_the_truth(release: Release) -> None:
    """Compares with a separate count, in the published file and in the original table."""
    client = browser_of("rosa", Role.RESEARCHER)
    fields = client.get(address("ask", release)).context["form"].fields
    conditions = ["from_0", "to_0", "values_1", "values_2"]
    assert list(fields) == ["what", "by", "by_also", *conditions, *(f"or_{name}" for name in conditions)]
    sent = {"what": "count", "from_0": "22", "to_0": "29", "values_2": ["yes"]}
    response = client.post(address("ask", release), sent, follow=True)
    answer = response.context["answer"]
    sure = possible = 0
    for row in handed_over(release):
        low, high = (
            (int(end) for end in re.findall(r"\d+", row["age"]))
            if "," in row["age"]
            else [int(row["age"])] * 2
        )
        sure += row["debt"] == "yes" and low >= 22 and high <= 29
        possible += row["debt"] == "yes" and low <= 29 and high >= 22
    (line,) = answer["lines"]
    assert (line["lower"], line["upper"]) == (str(sure), str(possible))
    truth = sum(
        22 <= int(age) <= 29 and debt == "yes"
        for age, _work, debt in csv.reader(people_csv().decode().splitlines()[1:])
    )
    assert sure <= truth <= possible
    page = response.content.decode()
    assert f"{line['likely_lower']} – {line['likely_upper']}" in page
    assert "The bounds are certain for the 24 records of the release." in page
    assert "You can ask 19 more questions." in page
    assert "owner can see what you ask" in page
    # The form and the list show the question again.
    assert response.context["form"]["values_2"].value() == ["yes"]
    assert "How many records where “age” is from 22 to 29; “debt” is yes" in page


@pytest.mark.soak
def test_a_mean_split_by_a_column_is_shown_as_a_table(release: Release) -> None:
    response = browser_of("rosa", Role.RESEARCHER).post(
        address("ask", release), {"what": "0", "by": "2"}, follow=True
    )
    answer = response.context["answer"]
    truth: dict[str, list[int]] = {"yes": [], "no": []}
    for age, _work, debt in csv.reader(people_csv().decode().splitlines()[1:]):
        truth[debt].append(int(age))
    assert [line["group"] for line in answer["lines"]] == ["no", "yes"]
    for line in answer["lines"]:
        ages = truth[line["group"]]
        assert float(line["lower"]) <= sum(ages) / len(ages) <= float(line["upper"])
        assert line["records"] == str(len(ages))
    assert "Mean of “age”, by “debt”" in response.content.decode()


def test_medians_split_by_two_columns_match_a_hand_count(release: Release) -> None:
    """There are six cells of work and debt; the median age of each is within its bounds."""
    client = browser_of("rosa", Role.RESEARCHER)
    sent = {"what": "median-0", "by": "1", "by_also": "2"}
    response = client.post(address("ask", release), sent, follow=True)
    answer = response.context["answer"]
    people = list(csv.reader(people_csv().decode().splitlines()[1:]))
    groups = [line["group"] for line in answer["lines"]]
    assert groups == [f"{work} × {debt}" for work in ("city", "own", "state") for debt in ("no", "yes")]
    for line in answer["lines"]:
        ages = [int(age) for age, *rest in people if " × ".join(rest) == line["group"]]
        assert float(line["lower"]) <= median(ages) <= float(line["upper"])
        assert float(line["lower"]) <= float(line["likely_lower"]) <= float(line["likely_upper"])
    page = response.content.decode()
    assert "Median of “age”, by “work” and “debt”" in page
    form = response.context["form"]
    assert [form[name].value() for name in sent] == list(sent.values())
    same = client.post(address("ask", release), {"what": "count", "by": "1", "by_also": "1"})
    assert same.status_code == 422
    assert "Choose a different column from the first one." in same.content.decode()


def test_form_alternatives_become_an_or_and_reappear_in_the_form(release: Release) -> None:
    client = browser_of("rosa", Role.RESEARCHER)
    sent = {"what": "count", "values_1": ["own"], "or_from_0": "30", "or_values_2": ["yes"]}
    response = client.post(address("ask", release), sent, follow=True)
    answer = response.context["answer"]
    assert answer["text"] == "count where work in (own) or age >= 30 and debt in (yes)"
    assert "How many records where “work” is own; or “age” ≥ 30; “debt” is yes" in response.content.decode()
    truth = sum(
        work == "own" or (int(age) >= 30 and debt == "yes")
        for age, work, debt in csv.reader(people_csv().decode().splitlines()[1:])
    )
    assert int(answer["lines"][0]["lower"]) <= truth <= int(answer["lines"][0]["upper"])
    form = response.context["form"]
    assert (form["or_from_0"].value(), form["or_values_2"].value()) == ("30", ["yes"])
    # An alternative without a first condition becomes the condition.
    alone = client.post(address("ask", release), {"what": "count", "or_from_0": "30"}, follow=True)
    assert alone.context["answer"]["text"] == "count where age >= 30"


def test_repeated_questions_are_free_and_new_ones_are_limited(release: Release) -> None:
    owner, rosa, omar = release.owner, member("rosa", Role.RESEARCHER), member("omar", Role.RESEARCHER)
    queries_allow(release, 2, by=owner, now=timezone.now())
    release.refresh_from_db()
    client = browser_of("rosa", Role.RESEARCHER)
    for sent in ({"what": "count"}, {"what": "count"}, {"what": "0"}):
        assert client.post(address("ask", release), sent).status_code == 302
    assert questions_left(release, rosa) == 0
    refused = client.post(address("ask", release), {"what": "count", "from_0": "30"})
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "You have used all 2 questions" in page
    assert "ask owner to allow more" in page
    assert refused.context["form"]["from_0"].value() == "30"
    # Answers remain visible, and other users have their own limit.
    assert client.post(address("ask", release), {"what": "0"}).status_code == 302
    question_ask(release, parse("count"), by=omar, now=timezone.now())
    assert questions_left(release, omar) == 1
    # A question without an answer does not count.
    with pytest.raises(SurveyError, match="no column"):
        question_ask(release, parse("count where height > 3"), by=omar, now=timezone.now())
    assert questions_left(release, omar) == 1
    queries_allow(release, 3, by=owner, now=timezone.now())
    assert client.post(address("ask", release), {"what": "count", "from_0": "30"}).status_code == 302


REFUSED = [
    ("  ", "Enter a question. For example: count where age < 40"),
    ("count where " + "x" * 4_000, "too long: 4,012 characters"),
    ("sum age", "Cannot read the question “sum age”"),
    ("count where age ~ 3", "Cannot read the question “count where age ~ 3”"),
    ("count group by age, work, debt", "cannot be split by 3 columns. Split it by at most two columns"),
    ("count where height < 3", "no column “height”. Choose one of these columns: age, work, debt"),
    ("mean height", "no column “height”"),
    ("count where work = moon", "can have the value “moon” in the column “work”. Choose a value"),
    ("count where debt in (yes, perhaps)", "“perhaps”"),
    ("count where age < old", "The column “age” contains numbers, and “old” is not a number. Compare it"),
    (
        "count where debt < yes",
        "The column “debt” contains text, which cannot be compared by “<”. Use =, != or in",
    ),
    (
        "count where " + " or ".join(["age < 30 and work = own"] * 7),
        "Too many conditions are joined by “or”. Ask the alternatives one by one",
    ),
    ("mean debt", "The column “debt” contains text, so it has no mean or median"),
]


def test_unanswerable_questions_are_refused_with_value_and_remedy(release: Release) -> None:
    program = program_of(member("ana", Role.RESEARCHER))
    for text, said in REFUSED:
        refused = program.get(f"/en/staff/releases/{release.pk}/answer.json", {"question": text})
        problem = refused.json()
        assert refused.status_code == 422
        assert problem["code"] in ("release_question", "query")
        assert said in in_sentences(problem["detail"], problem["remedy"])
    assert not ReleaseQuestion.objects.exists()


def test_an_invalid_question_form_keeps_its_entries(release: Release) -> None:
    client = browser_of("rosa", Role.RESEARCHER)
    turned = client.post(address("ask", release), {"what": "count", "from_0": "40", "to_0": "30"})
    assert turned.status_code == 422
    assert "“age” cannot be between 40 and 30. Put the smaller number first." in turned.content.decode()
    assert turned.context["form"]["from_0"].value() == "40"
    assert client.post(address("ask", release), {"what": "9", "from_0": "x"}).status_code == 422
    assert client.get(address("ask", release), {"question": "0"}).status_code == 404
    assert client.get(address("ask", release), {"question": "first"}).status_code == 200


def test_the_api_returns_the_same_answers_as_the_page(release: Release) -> None:
    text = "count where age between 22 and 29 and debt in (yes)"
    program = program_of(member("ana", Role.RESEARCHER))
    found = asked(program, f"releases/{release.pk}/answer.json?question={text.replace(' ', '+')}")
    lines = question_answer(published_of(release), parse(text)).lines
    names = ("lower", "likely_lower", "expected", "likely_upper", "upper")
    assert [[one[name] for name in names] for one in found["answers"]] == [
        [getattr(one, name) for name in names] for one in lines
    ]
    assert (found["question"], found["records"], found["questions_left"]) == (text, 24, 19)
    (listed,) = asked(program, "releases.json")["releases"]
    assert listed["id"] == release.pk
    columns = listed["columns"]
    assert [(one["name"], one["numeric"]) for one in columns] == [
        ("age", True),
        ("work", False),
        ("debt", False),
    ]
    assert columns[2]["values"] == ["no", "yes"]


@pytest.mark.soak
def test_the_owner_opens_queries_sees_who_asked_and_closes_them() -> None:
    owner = member("owner", Role.RESEARCHER)
    release = made_release(owner)
    client, other = browser_of("owner", Role.RESEARCHER), browser_of("rosa", Role.RESEARCHER)
    # No one can query a closed release, not even its owner.
    assert [one.get(address("ask", release)).status_code for one in (client, other)] == [404, 404]
    with pytest.raises(SurveyError, match="no longer accepts questions"):
        question_ask(release, parse("count"), by=owner, now=timezone.now())
    refused = client.post(address("open", release), {"each": "0"})
    assert refused.status_code == 422
    with pytest.raises(SurveyError, match="questions per person cannot be 0"):
        queries_allow(release, 0, by=owner, now=timezone.now())
    assert client.post(address("open", release), {"each": "5"}).status_code == 302
    assert "Query “people.csv”" in other.get(reverse("releases:begin")).content.decode()
    other.post(address("ask", release), {"what": "count", "values_1": ["city"]})
    page = client.get(address("questions", release)).content.decode()
    assert "How many records where “work” is city" in page
    assert "rosa" in page
    assert other.get(address("questions", release)).status_code == 404
    # Users see only their own questions.
    mine = ReleaseQuestion.objects.get()
    assert other.get(address("ask", release), {"question": mine.pk}).status_code == 200
    assert client.get(address("ask", release), {"question": mine.pk}).status_code == 404
    assert client.post(address("shut", release)).status_code == 302
    assert other.get(address("ask", release)).status_code == 404
    assert "rosa" in client.get(address("questions", release)).content.decode()
    assert [
        event.action for event in AuditEvent.objects.filter(action__startswith="release_").order_by("pk")
    ][-3:] == ["release_open", "release_ask", "release_shut"]
    queries_stop(release, by=owner)
    assert AuditEvent.objects.filter(action="release_shut").count() == 1


def test_deleting_a_release_or_its_files_deletes_its_questions(release: Release) -> None:
    question_ask(release, parse("count"), by=member("rosa", Role.RESEARCHER), now=timezone.now())
    Release.objects.filter(pk=release.pk).update(ledger=b"of a survey")
    assert not release_erase(release, by=release.owner)
    assert not ReleaseQuestion.objects.exists()
    release.refresh_from_db()
    assert release.opened_at is None
    with pytest.raises(SurveyError, match="no files"):
        queries_allow(release, 5, by=release.owner, now=timezone.now())
    with pytest.raises(SurveyError, match="no files"):
        published_of(release)
    other = opened_release(release.owner)
    question_ask(other, parse("count"), by=other.owner, now=timezone.now())
    assert release_erase(other, by=other.owner)
    assert not ReleaseQuestion.objects.exists()


def test_a_damaged_release_cannot_be_queried(release: Release) -> None:
    moved = made_release(release.owner)
    Release.objects.filter(pk=release.pk).update(files=moved.files)
    release.refresh_from_db()
    with pytest.raises(PrivacyError, match="cannot be opened"):
        published_of(release)


def test_codebook_values_can_be_queried_and_unknown_values_cannot(release: Release) -> None:
    published = published_of(release)
    assert published.may_be("work", "own")
    assert not published.may_be("work", "moon")
    (line,) = question_answer(published, question_read("count where work in (state, city, own)")).lines
    assert (line.lower, line.upper) == (24, 24)
