"""The planner: the figures of the audit and the command, in the address, with refusals in words."""

import json
import math
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from privacy.risk import audit_design
from surveys.authoring.publish import survey_import
from surveys.planner.draft import draft_rows, draft_scale_rows
from surveys.questionnaire.draft_reading import draft_read
from tests.cast.checked_surveys import document_of, protected, survey_of, yes_no
from tests.cast.everyday import everyday_definition

pytestmark = pytest.mark.django_db
PLAN = {
    "p": "50",
    "theta": "50",
    "blocks": "5",
    "prevalence": "20",
    "n": "1000",
    "k": "0",
    "error": "2",
    "ceiling": "3.5",
}


def text_of(client: Client, address: str = "/en/staff/planner/", **changes: str) -> str:
    return " ".join(client.get(address, {**PLAN, **changes}).content.decode().split())


def figure(text: str, name: str) -> str:
    found = re.search(rf"<dt>{re.escape(name)}</dt><dd[^>]*>([^<]*)</dd>", text)
    assert found is not None, name
    return found.group(1)


def test_the_page_shows_the_figures_of_the_audit(admin_client: Client) -> None:
    text = text_of(admin_client)
    # gamma = 1 + 2^5, known answers .5/(.5 + .5/32) = .97.
    assert figure(text, "γ of the largest part") == "33"
    assert figure(text, "ε in all") == "3.5"
    assert figure(text, "who knows all answers of a part and finds them is so sure") == "97 %"
    design = survey_of(protected("b", *(yes_no(f"q{n}", prevalence=2000) for n in range(5)))).design
    audit = audit_design(design, {f"q{n}": [2000] for n in range(5)}, n=1000)
    assert figure(text, "true rows recognised with over 95 %") == f"{100 * audit.recognised:.3g} %"
    # lambda = .5 x .2 + .25 = .35, SE = sqrt(.35 x .65 / 1000) / .5.
    assert "<strong>3.02</strong>" in text
    assert "p of at most 50.1 % with these parts" in text
    assert "at most 5 questions in the largest part with this p" in text


def test_page_and_command_give_the_same_figures(admin_client: Client) -> None:
    printed = StringIO()
    options = {
        "--p": ".3",
        "--theta": ".4",
        "--blocks": "3,2",
        "--prevalence": ".1",
        "--n": "5000",
        "--epsilon": "3",
    }
    call_command("plan", "--json", *(part for pair in options.items() for part in pair), stdout=printed)
    figures = json.loads(printed.getvalue())
    text = text_of(admin_client, p="30", theta="40", blocks="3, 2", prevalence="10", n="5000", ceiling="3")
    assert figure(text, "ε in all") == f"{figures['audit']['epsilon']:.3g}"
    assert figure(text, "respondents for the wanted error") == f"{figures['needed_n']:,}"
    assert figure(text, "smallest lift that is found") == f"{figures['detectable_lift']:.3g}"
    for error in figures["errors"]:
        assert f"<strong>{100 * error['standard_error']:.3g}</strong>" in text
    for _p, epsilon, error in figures["frontier"]:
        assert f'<td class="num">{epsilon:.3g}</td><td class="num">{100 * error:.3g}</td>' in text


def test_each_part_may_have_a_prevalence_of_its_own(admin_client: Client) -> None:
    text = text_of(admin_client, blocks="1, 1", prevalence="30, 5.5")
    # lambda = .4 for the first item: sqrt(.4 x .6/1000)/.5.
    assert "<strong>3.1</strong>" in text
    assert '<td class="num">1.65 %</td>' in text


def test_direct_rows_are_said_to_be_true_as_they_stand(admin_client: Client) -> None:
    assert "Direct rows, 12.5 % of all, are true as they stand" in text_of(admin_client, k="12.5")
    assert "Direct rows" not in text_of(admin_client)


def test_what_follows_the_form_is_the_same_part_of_the_page(admin_client: Client) -> None:
    part = " ".join(admin_client.get("/en/staff/planner/figures", PLAN).content.decode().split())
    assert part in text_of(admin_client)
    assert "<form" not in part


def test_the_planner_works_without_anything_in_its_address(admin_client: Client) -> None:
    response = admin_client.get("/en/staff/planner/")
    assert response.status_code == 200
    assert "<svg" in response.content.decode()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"p": "0"}, "greater than or equal to 0.01"),
        ({"p": "100"}, "less than or equal to 99.99"),
        ({"p": "often"}, "Enter a number"),
        ({"theta": "50.123"}, "no more than 2 decimal places"),
        ({"blocks": "3; 2"}, "Write whole numbers with commas between them"),
        ({"blocks": "0, 2"}, "at least one in each part"),
        ({"blocks": "59, 2"}, "Plan 1 to 60 questions"),
        ({"prevalence": ""}, "This field is required"),
        ({"prevalence": "20; 10"}, "Write percentages with at most two decimals"),
        ({"prevalence": "0"}, "above 0 and below 100"),
        ({"blocks": "3, 2, 1", "prevalence": "20, 10"}, "or 3, one for each part"),
        ({"n": "0"}, "greater than or equal to 1"),
        ({"n": "nan"}, "Enter a whole number"),
        ({"k": "100"}, "less than or equal to 99"),
        ({"error": "-1"}, "greater than or equal to 0.01"),
        ({"ceiling": "51"}, "less than or equal to 50"),
    ],
)
def test_what_cannot_be_planned_is_said_in_words(
    admin_client: Client, changes: dict[str, str], said: str
) -> None:
    response = admin_client.get("/en/staff/planner/", {**PLAN, **changes})
    assert response.status_code == 422
    text = response.content.decode()
    assert "This cannot be planned yet" in text
    assert said in text


@pytest.mark.soak
def test_few_respondents_find_nothing_and_the_page_says_so(admin_client: Client) -> None:
    assert "none with so few" in text_of(admin_client, n="3")


def test_a_draft_is_the_start_and_has_its_own_figures(admin_client: Client) -> None:
    five = protected("five", *(yes_no(f"q{n}", prevalence=2000) for n in range(5)), p=3000)
    survey_import(document_of(five, protected("one", yes_no("lie", prevalence=1000), p=3000)), by="ana")
    text = " ".join(admin_client.get("/en/staff/surveys/checked/planner/").content.decode().split())
    assert 'name="blocks" value="5, 1"' in text
    assert 'name="p" value="30.0"' in text
    assert 'name="prevalence" value="20, 10"' in text
    # gamma = 1 + (3/7) 32 and 1 + (3/7) 2; the item's error at p = .3, pi = .1: lambda = .38.
    assert (
        '<th scope="row">five</th><td class="num">5</td><td class="num">30 %</td><td class="num">14.7</td>'
        in text
    )
    assert (
        '<th scope="row">one</th><td class="num">1</td><td class="num">30 %</td><td class="num">1.86</td>'
        in text
    )
    assert '<td class="num">5.12</td></tr>' in text


def test_numbers_and_places_of_a_draft_have_their_figures(admin_client: Client) -> None:
    """A number of two bins that keeps itself with gamma = 3: it is sent in 3 of 4 cases, else the other bin.

    The mean of n reports is (mean + 1/4 of the range ...) / (3/4 - 1/4): with x = 0 or 1, each half, the
    report is 0 or 1, each half, and the decoded one (y - 1/4) / (1/2) has the variance
    (3/4 x 1/4) / (1/4) = 3/4 given x.
    """
    coin = {
        "key": "coin", "kind": "number", "text": {"en": "How many?"},
        "number": {"mechanism": "keep", "low": 0, "high": 1, "bin": 1, "epsilon": math.log(3)},
    }  # fmt: skip
    number = {"key": "n", "protected": True, "title": {"en": "N"}, "questions": [coin]}
    survey_import(document_of(number), by="ana")
    text = " ".join(
        admin_client.get("/en/staff/surveys/checked/planner/", {"n": "300"}).content.decode().split()
    )
    assert (
        '<th scope="row">coin</th><td class="num">3</td><td class="num">1.1</td> '
        '<td class="num">0.05, of the average</td>' in text
    )
    audit = " ".join(admin_client.get("/en/staff/surveys/checked/audit/").content.decode().split())
    # gamma / (1 + gamma).
    assert (
        '<th scope="row">coin</th> <td>every answer</td> <td class="num">3</td> <td class="num">1.1</td> '
        '<td class="num">75 %</td>' in audit
    )


def test_the_windows_of_a_place_are_drawn_with_their_chances(admin_client: Client) -> None:
    survey_import(everyday_definition(), by="ana")
    page = admin_client.get("/en/staff/surveys/everyday/planner/")
    text = " ".join(page.content.decode().split())
    (found,) = page.context["draft_places"]
    assert "Where “care” is sent from" in text
    assert "Sensitive areas and windows of “care”" in text
    assert [row.where for row in found.rows] == [
        "in the middle of a sensitive area",
        "at its edge",
        "outside: sent as it is, or exchanged",
    ]
    middle, edge, outside = found.rows
    assert middle.near == edge.near == outside.near == outside.inside
    assert middle.inside == edge.inside != middle.near
    assert "Of answers that are not sent as “skipped”." in text


def test_a_draft_that_asks_each_person_some_questions_counts_those_who_are_asked(
    admin_client: Client,
) -> None:
    four = protected(
        "four", *(yes_no(f"q{n}", prevalence=2000) for n in range(4)), p=3000, questions_per_person=1
    )
    survey_import(document_of(four), by="ana")
    text = " ".join(
        admin_client.get("/en/staff/surveys/checked/planner/", {"n": "1000"}).content.decode().split()
    )
    assert '<th scope="row">four</th><td class="num">1 of 4</td><td class="num">30 %</td>' in text
    # lambda = .3 x .2 + .35 = .41 of 250 people: sqrt(.41 x .59 / 250) / .3.
    assert '<td class="num">10.4</td></tr>' in text
    assert "The plan asks everybody all questions." in text


def test_every_kind_of_question_is_in_the_plan_and_the_audit_of_its_draft(admin_client: Client) -> None:
    survey_import(everyday_definition(), by="ana")
    for page in ("planner", "audit"):
        text = admin_client.get(f"/en/staff/surveys/everyday/{page}/").content.decode()
        for key in ("hours", "wage", "care"):
            assert f'<th scope="row">{key}</th>' in text, (page, key)
    assert "km, of one place" in admin_client.get("/en/staff/surveys/everyday/planner/").content.decode()


def test_both_strengths_of_a_draft_have_their_figures(admin_client: Client) -> None:
    work = protected("work", yes_no("lie"), p=2500, light=5000)
    survey_import(document_of(work, group={"policy": "choice", "light": True}), by="ana")
    text = " ".join(admin_client.get("/en/staff/surveys/checked/planner/").content.decode().split())
    # gamma = 1 + 2 p / (1 - p): 5/3 and 3.
    assert 'num">1.67<br><span class="soft">3</span>' in text
    assert 'num">25 %<br><span class="soft">50 %</span>' in text
    assert "the upper one is for those who are strongly disguised" in text


def test_a_draft_that_is_not_complete_is_planned_from_the_usual_start(admin_client: Client) -> None:
    survey = survey_import(document_of(protected("one", yes_no("lie"))), by="ana")
    survey.definition = {**survey.definition, "title": {}}
    survey.save()
    text = admin_client.get("/en/staff/surveys/checked/planner/").content.decode()
    assert "The draft is not complete yet" in text
    assert "<svg" in text


def test_errors_of_what_takes_turns_are_those_of_the_people_whose_device_draws_it() -> None:
    number = {
        "key": "hours",
        "kind": "number",
        "text": {"en": "Hours?"},
        "number": {"mechanism": "keep", "low": 0, "high": 1, "bin": 1, "epsilon": math.log(3)},
    }
    blocks = [
        protected(
            "four", *(yes_no(f"q{n}", prevalence=1000 * n + 1000) for n in range(4)), questions_per_person=1
        ),
        {"key": "much", "protected": True, "title": {"en": "Much"}, "questions": [number]},
        protected("other", yes_no("w")),
    ]
    rotations = [{"blocks": ["much", "other"], "parts_per_person": 1}]
    turning = survey_of(*blocks, rotations=rotations)
    blocks[0] = {name: value for name, value in blocks[0].items() if name != "questions_per_person"}
    everybody = survey_of(*blocks)
    # A quarter is asked each of four questions, half each of two parts.
    rows = draft_rows(turning, n=4000, direct_share=0)
    assert rows[0].error == draft_rows(everybody, n=1000, direct_share=0)[0].error
    assert rows[1].error == draft_rows(everybody, n=2000, direct_share=0)[1].error
    assert draft_scale_rows(turning, n=4000)[0].error == draft_scale_rows(everybody, n=2000)[0].error


def test_a_draft_that_waits_for_its_texts_alone_is_planned_audited_and_changed_as_it_is(
    admin_client: Client,
) -> None:
    parts = [protected(f"p{n}", yes_no(f"q{n}a"), yes_no(f"q{n}b"), p=1704) for n in range(5)]
    survey = survey_import(document_of(*parts), by="ana")
    about = survey.definition["about"]
    left = {name: {"en": "[Write it.]"} for name in list(about)[:1]}
    survey.definition = {**survey.definition, "about": {**about, **left}}
    survey.save()
    assert draft_read(survey).definition is None
    page = admin_client.get("/en/staff/surveys/checked/planner/?n=100000")
    text = page.content.decode()
    assert "The draft is not complete yet" not in text
    for name in ("authoring:aim", "planner:made_up", "audit:draft"):
        found = admin_client.get(reverse(name, args=["checked"]))
        assert found.status_code == 200
        assert "not complete yet" not in found.content.decode()
