"""The page that imports another tool's file: it previews without storing, then imports all or nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from surveys.accounts.permissions import Role
from surveys.embed.pages import was_collected_elsewhere
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.frames import framed, three, worded, yes_no
from tests.fixtures.host_files import answers_of, bodies, csv_of, exported
from tests.fixtures.runs import mined
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/new/answers"


def uploaded(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def given(
    client: Client, content: bytes, *definitions: dict[str, Any], name: str = "a.csv", **more: Any
) -> Any:
    files = [uploaded("part.json", json.dumps(document).encode()) for document in definitions]
    return client.post(PAGE, {"file": uploaded(name, content), "definitions": files, **more})


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def three_worded() -> dict[str, Any]:
    """Return the words of the one part of `three`, as a version holds them."""
    block: dict[str, Any] = definition_parse(three()).wording["blocks"][0]
    return block


def researcher(name: str) -> User:
    return member(name, Role.RESEARCHER)


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(researcher("ada"))
    return client


def test_it_looks_takes_nothing_and_proposes(ada: Client) -> None:
    found = given(ada, exported(three()), three())
    assert found.status_code == 200
    text = words(found)
    assert "200 people answered." in text
    assert "Never read: ResponseId, StartDate, comment." in text
    assert 'name="open" value="works nights" checked' in found.content.decode()
    assert not Survey.objects.exists()


def test_it_makes_a_closed_survey_of_whoever_asks_and_says_where_it_came_from(ada: Client) -> None:
    made = given(
        ada, exported(three()), three(), take="1", open="works nights", slug="there", reason="A test."
    )
    assert (made.status_code, made["Location"]) == (302, reverse("report:survey", args=["there"]))
    survey = Survey.objects.get(slug="there")
    assert (survey.owner.username, survey.state) == ("ada", "closed")
    assert was_collected_elsewhere(survey)
    run = mined(survey.versions.get(), anew=True)
    said = "It knows who sent each disguised answer, and when."
    ada.force_login(researcher("bo"))
    assert ada.get(reverse("audit:risk", args=["there"])).status_code == 404
    ada.force_login(survey.owner)
    assert said in words(ada.get(reverse("audit:risk", args=["there"])))
    assert said in words(ada.get(reverse("audit:run", args=[run.pk])))
    here = published({**three(), "slug": "here"})
    stored(here, bodies(definition_parse(three()), answers_of(200)))
    other = mined(closed(here), anew=True)
    Survey.objects.filter(slug="here").update(owner=survey.owner)
    assert said not in words(ada.get(reverse("audit:risk", args=["here"])))
    assert said not in words(ada.get(reverse("audit:run", args=[other.pk])))


def test_a_part_that_was_a_survey_here_needs_no_definition_but_only_whose_it_is(ada: Client) -> None:
    mine = {**three(), "slug": "mine"}
    published(mine)
    unknown = given(ada, exported(mine))
    assert unknown.status_code == 422
    assert "Nothing was imported." in words(unknown)
    Survey.objects.update(owner=researcher("ada"))
    found = given(ada, exported(mine))
    assert found.status_code == 200
    # A name that is free is proposed.
    assert 'value="mine-2"' in found.content.decode()


def test_a_file_is_read_with_the_words_that_were_published_whatever_the_draft_says_now(ada: Client) -> None:
    mine = {**three(), "slug": "mine"}
    published(mine)
    Survey.objects.update(owner=researcher("ada"), definition={"sotto": 1})
    made = given(ada, exported(mine), take="1", slug="there", reason="A test.")
    assert made.status_code == 302
    assert Survey.objects.get(slug="there").versions.get().wording["blocks"][0] == three_worded()


def test_answers_to_one_question_are_never_read_as_answers_to_another(ada: Client) -> None:
    """The second version has the same design; its words, which the draft has too, ask something else."""
    drug, blood = (worded(text, slug="mine") for text in ("Did you ever drug?", "Did you ever give blood?"))
    assert published(drug).design_id == published(blood).design_id
    Survey.objects.update(owner=researcher("ada"))
    for slug, document in (("of-drug", drug), ("of-blood", blood)):
        made = given(ada, exported(document, 300), take="1", slug=slug, reason="A test.")
        assert made.status_code == 302
        (question, *_others) = Survey.objects.get(slug=slug).versions.get().wording["blocks"][0]["questions"]
        assert question["text"] == document["blocks"][0]["questions"][0]["text"]
    # A file with lines of both is refused, and so is a definition in other words than the frame's.
    both_versions = exported(drug, 20) + b"".join(exported(blood, 20).splitlines(keepends=True)[1:])
    refused = given(ada, both_versions, take="1", slug="of-both", reason="A test.")
    assert refused.status_code == 422
    assert "20 lines of the file cannot be read" in words(refused)
    assert "a line of another version, with other words or another design" in words(refused)
    Survey.objects.update(owner=researcher("bo"))
    assert given(ada, exported(drug), blood).status_code == 422
    assert given(ada, exported(drug), drug).status_code == 200


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"a,b\n1,2\n", "a.csv", "sotto1."),
        (b"a,\x81\n", "a.csv", "UTF-8"),
        (b"nothing", "a.xlsx", "Excel"),
        (exported(framed(*map(yes_no, "abc"), truth_probability=5000)), "a.csv", "digest"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(
    ada: Client, content: bytes, name: str, said: str
) -> None:
    refused = given(ada, content, three(), name=name)
    assert refused.status_code == 422
    assert said in words(refused)
    assert not Survey.objects.exists()


def test_a_definition_that_is_none_and_an_address_that_is_taken_are_refused(ada: Client) -> None:
    assert given(ada, exported(three()), {"no": "definition"}).status_code == 422
    published({**three(), "slug": "there"})
    taken = given(ada, exported(three()), three(), take="1", slug="there", reason="A test.")
    assert taken.status_code == 422
    # The page still shows the findings and the choices.
    assert "200 people answered." in words(taken)
    assert 'name="open" value="works nights">' in taken.content.decode()
    odd = given(
        ada, exported(three()), three(), take="1", slug="no address", reason="A test.", open="works nights"
    )
    assert odd.status_code == 422
    assert "Use lower-case letters, digits and hyphens" in words(odd)
    assert "200 people answered." in words(odd)
    assert 'name="open" value="works nights" checked' in odd.content.decode()
    assert not Survey.objects.exclude(slug="there").exists()


def test_a_check_that_refuses_asks_for_the_reason(ada: Client) -> None:
    bold = framed(*map(yes_no, "abc"), truth_probability=9900)
    refused = given(ada, exported(bold), bold, take="1", slug="there")
    assert refused.status_code == 422
    assert 'name="reason"' in refused.content.decode()
    assert not Survey.objects.exists()
    done = given(ada, exported(bold), bold, take="1", slug="there", reason="It was asked like this.")
    assert done.status_code == 302


def test_wrong_lines_are_listed_and_left_out_on_request_and_counted_in_the_report(ada: Client) -> None:
    lines = exported(three()).decode().splitlines()
    damaged = "\n".join([*lines, lines[1], lines[2].replace("sotto1.", "sotto1!")]).encode()
    found = given(ada, damaged, three())
    assert found.status_code == 200
    assert "2 lines cannot be read" in words(found)
    assert "Line 202, column protected: the same line as in an earlier line of the file" in words(found)
    assert "Line 203, column protected: not a line of a frame" in words(found)
    refused = given(ada, damaged, three(), take="1", slug="there", reason="A test.")
    assert refused.status_code == 422
    assert "2 lines of the file cannot be read: 202, 203" in words(refused)
    assert not Survey.objects.exists()
    made = given(ada, damaged, three(), take="1", slug="there", reason="A test.", leave_out="1")
    assert made.status_code == 302
    run = mined(Survey.objects.get(slug="there").versions.get(), anew=True)
    said = "2 lines of the survey tool’s file could not be read and were left out."
    for name in ("report:results", "report:printed", "report:about"):
        assert said in words(ada.get(reverse(name, args=[run.pk])))
    whole = given(ada, exported(three()), three(), take="1", slug="whole", reason="A test.")
    assert whole.status_code == 302
    run = mined(Survey.objects.get(slug="whole").versions.get(), anew=True)
    assert "could not be read" not in words(ada.get(reverse("report:results", args=[run.pk])))


def test_a_string_in_a_comment_does_not_spoil_the_file_and_the_page_asks(ada: Client) -> None:
    raw = exported(three()).replace(b"text 5\r\n", b"sotto1.\r\n")
    found = given(ada, raw, three())
    assert "200 people answered." in words(found)
    assert "Which columns hold the disguised answers?" in words(found)
    assert "1 of 200 filled cells" in words(found)
    assert 'name="strings" value="protected" checked' in found.content.decode()


def test_without_columns_of_few_values_it_says_so(ada: Client) -> None:
    rows = [line.split(",")[2] for line in exported(three()).decode().splitlines()[1:]]
    found = given(ada, csv_of(["protected"], [[row] for row in rows]), three())
    assert "few enough different values to become an unprotected question" in words(found)
