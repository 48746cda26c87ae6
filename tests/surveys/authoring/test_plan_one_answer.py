"""The plan page sends a part as one answer, states what that gains, and takes it back."""

import copy
import html
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db

ANA: dict[str, Any] = {"by": "ana", "now": timezone.now()}
PAGE = "/en/staff/surveys/play/plan"
TEN = [f"act{number}" for number in range(10)]


@pytest.fixture
def survey() -> Survey:
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    acts = protected("acts", *map(yes_no, TEN), p=500, refusal=154)
    document = document_of(unprotected("you", plain), acts)
    return draft_create(document, slug="play", source="scratch", owner=member("ana", Role.RESEARCHER), **ANA)


@pytest.fixture
def staff(survey: Survey) -> Client:
    return browser_of("ana", Role.RESEARCHER)


def form(keys: list[str], **changes: Any) -> dict[str, Any]:
    survey = Survey.objects.get()
    stated = {"people": "300", "strength": "medium", **{f"protect_{key}": "on" for key in keys}}
    return stated | {"revision": str(survey.revision), "digest": aim_digest(survey)} | changes


def text(answer: HttpResponse) -> str:
    plain = html.unescape(answer.content.decode()).replace("\xa0", " ")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain))


def offered(staff: Client, value: str, **changes: Any) -> str:
    """Return the value of a button as the page with these entries has it."""
    offers = staff.post(PAGE, form(TEN, **changes)).context["offers"]
    (found,) = [each for offer in offers for each, _name in offer.buttons if each.startswith(f"{value};")]
    return str(found)


@pytest.mark.soak
def test_the_page_states_the_margins_before_and_after(staff: Client) -> None:
    said = text(staff.post(PAGE, form(TEN, part="changes")))
    (before, after), *_rest = re.findall(
        r"10 answers up to ±([\d.]+) points, one answer ±([\d.]+) points", said
    )
    # With "Prefer not to say", 300 people, share .5: the design of composite questions states ±11.2 to 10.1.
    assert float(before) > 17
    assert 10 <= float(after) <= 10.2
    assert "reliability" in said
    assert "These buttons save at once." in said, "others wait for “Save the plan”"


@pytest.mark.soak
def test_a_press_changes_the_draft_and_another_one_takes_it_back(staff: Client, survey: Survey) -> None:
    saved = staff.post(PAGE, form(TEN, save=""))
    assert saved.status_code == 302
    survey.refresh_from_db()
    before = survey.definition["blocks"]
    acts = next(block["key"] for block in before if block["protected"])
    value = offered(staff, f"{acts}:at_least:2", star_act1="act1")
    press = form(TEN, one_answer=value, label_act1="hit", star_act1="act1")
    answer = staff.post(PAGE, press, follow=True)
    assert answer.redirect_chain[-1][0] == PAGE
    assert "Saved. Devices send one answer for these questions" in text(answer)
    survey.refresh_from_db()
    (composite,) = survey.definition["blocks"][1]["questions"]
    assert composite["computed"]["levels"][1] == {"option": "yes", "from": 2}
    assert "Computed on each device from 10 questions that are never sent." in text(answer)
    assert "Person 3" in text(answer)
    aim = Aim.from_json(survey.aim)
    assert aim is not None
    assert aim.people == 300
    assert aim.wanted == (composite["key"],), "a star on a question is on its answer now"
    back = staff.post(PAGE, form([], each=composite["key"]), follow=True)
    assert "Devices send each answer again" in text(back)
    survey.refresh_from_db()
    assert survey.definition["blocks"] == before


@pytest.mark.parametrize(
    "press", [{"each": "nobody"}, {"one_answer": "nothing:points"}, {"one_answer": "acts:at_least:11"}]
)
def test_a_wrong_press_changes_nothing_and_says_what_to_do(
    staff: Client, survey: Survey, press: dict[str, str]
) -> None:
    if "one_answer" in press:
        _way, _for, entries = offered(staff, "acts:points").partition(";")
        press = {"one_answer": f"{press['one_answer']};{entries}"}
    answer = staff.post(PAGE, form(TEN, **press))
    assert answer.status_code == 409
    assert re.search("Reload the page and try again|Use a number from 1 to 10", text(answer))
    before = survey.definition
    survey.refresh_from_db()
    assert survey.definition == before


@pytest.mark.soak
@pytest.mark.parametrize(
    "entered",
    [
        {"people": "3000"},
        {"strength": "strong"},
        {"star_act1": "act1"},
        {"guess_act1": "10"},
        {"protect_act1": ""},
    ],
    ids=str,
)
def test_a_button_computed_for_other_entries_changes_nothing_and_says_so(
    staff: Client, survey: Survey, entered: dict[str, str]
) -> None:
    before = survey.definition
    value = offered(staff, "acts:at_least:1")
    for stale in (value, "acts:at_least:1"):
        answer = staff.post(PAGE, form(TEN, one_answer=stale, **entered))
        assert answer.status_code == 409
        assert "it was computed for other entries" in text(answer)
        survey.refresh_from_db()
        assert survey.definition == before
    # Its figures are now for the present entries, and its button can be pressed.
    again = next(value for offer in answer.context["offers"] for value, _name in offer.buttons)
    assert staff.post(PAGE, form(TEN, one_answer=again, **entered)).status_code in (302, 422)


@pytest.mark.soak
def test_a_button_of_an_earlier_draft_changes_nothing(staff: Client, survey: Survey) -> None:
    value = offered(staff, "acts:at_least:1")
    Survey.objects.update(revision=survey.revision + 1)
    assert staff.post(PAGE, form(TEN, one_answer=value)).status_code == 409


def test_a_press_that_would_store_a_question_needs_the_same_confirmation_as_saving(
    staff: Client, survey: Survey
) -> None:
    offers = staff.post(PAGE, form(TEN[:9])).context["offers"]
    value = next(each for offer in offers for each, _name in offer.buttons)
    answer = staff.post(PAGE, form(TEN[:9], one_answer=value))
    assert answer.status_code == 422
    assert "Nothing is saved yet" in text(answer)
    before = survey.definition
    survey.refresh_from_db()
    assert survey.definition == before


def test_a_part_with_headings_offers_one_answer_for_each(staff: Client, survey: Survey) -> None:
    headings = [
        {"title": {"en": "Physical"}, "questions": TEN[:5]},
        {"title": {"en": "Mental"}, "questions": TEN[5:]},
    ]
    Survey.objects.update(definition=survey.definition | {"headings": headings})
    said = text(staff.post(PAGE, form(TEN, part="changes")))
    (margin,) = re.findall(
        r"Headings: “Physical”, “Mental”. One answer for each: up to ±([\d.]+) points.", said
    )
    assert 10 <= float(margin) <= 10.2
    answer = staff.post(PAGE, form(TEN, one_answer=offered(staff, "acts:each_heading")), follow=True)
    assert "Devices send one answer for each heading" in text(answer)
    survey.refresh_from_db()
    questions = survey.definition["blocks"][1]["questions"]
    assert [question["text"]["en"] for question in questions] == ["Physical", "Mental"]


@pytest.mark.soak
def test_guesses_about_the_answers_hold_for_one_answer_too(staff: Client) -> None:
    """Ten answers with guesses were compared with one answer at a share of a half, as if it were wider."""
    (offer,) = staff.post(PAGE, form(TEN, part="changes")).context["offers"]
    rare = {f"guess_{key}": "0.5" for key in TEN}
    (guessed,) = staff.post(PAGE, form(TEN, part="changes", **rare)).context["offers"]
    # At least one of ten is true of at most 5%.
    assert float(points_of(guessed.after)) < float(points_of(offer.after))
    assert float(points_of(guessed.after)) < float(points_of(guessed.before))
    # With one guess, the others may have any share.
    (partly,) = staff.post(PAGE, form(TEN, part="changes", guess_act0="0.5")).context["offers"]
    assert partly.after == offer.after
    (common,) = staff.post(PAGE, form(TEN, part="changes", guess_act0="99.5")).context["offers"]
    assert float(points_of(common.after)) < float(points_of(offer.after))


def points_of(margin: str) -> str:
    return margin.removeprefix("±").removesuffix(" points")


@pytest.mark.soak
def test_offers_of_parts_with_the_same_name_name_their_first_question(staff: Client, survey: Survey) -> None:
    """A stored question in the middle divides a part, and both halves had one name."""
    rest = [key for key in TEN if key != "act5"]
    first, second = staff.post(PAGE, form(rest, part="changes")).context["offers"]
    assert first.title != second.title
    assert (first.questions[0] in first.title, second.questions[0] in second.title) == (True, True)


@pytest.mark.soak
def test_offers_of_parts_without_a_title_are_named_by_their_questions(staff: Client, survey: Survey) -> None:
    """The plan page does not number parts, so "Part 1" meant nothing there."""
    definition = copy.deepcopy(survey.definition)
    for block in definition["blocks"]:
        block.pop("title", None)
    Survey.objects.filter(pk=survey.pk).update(definition=definition)
    (offer,) = staff.post(PAGE, form(TEN, part="changes")).context["offers"]
    first, second, third, *_others = (f"“{text}”" for text in offer.questions)
    assert offer.title == f"{first}, {second}, {third} and 7 more"
