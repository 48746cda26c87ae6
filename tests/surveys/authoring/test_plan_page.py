"""The plan page always has a result, saves the plan it shows, and accepts every feasible plan."""

import html
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from privacy.planning.use import use_of
from privacy.risk.amplification import promise
from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create, draft_save
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.open_answers import check_open_answers
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.ready_parts import ready_parts
from surveys.questionnaire.use_words import item_names, use_sentences
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import number_part
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

ANA: dict[str, Any] = {"by": "ana", "now": timezone.now()}
PAGE = "/en/staff/surveys/play/plan"
FILLED = {
    "people": "400",
    "strength": "medium",
    "save": "",
    **{f"protect_q{number}": "on" for number in range(6)},
    "star_q1": "q1",
    "star_q4": "q4",
    "guess_q1": "20",
    "guess_q4": "30",
    "label_q1": "doping",
}


@pytest.fixture
def survey() -> Survey:
    questions = [yes_no(f"q{number}") for number in range(6)]
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    document = document_of(unprotected("you", plain), protected("b", *questions, p=500, refusal=154))
    return draft_create(document, slug="play", source="scratch", owner=member("ana", Role.RESEARCHER), **ANA)


@pytest.fixture
def staff(client: Client, survey: Survey) -> Client:
    assert survey.owner is not None
    client.force_login(survey.owner)
    return client


def filled(**changes: Any) -> dict[str, Any]:
    survey = Survey.objects.get()
    return FILLED | {"revision": str(survey.revision), "digest": aim_digest(survey)} | changes


def text(answer: HttpResponse) -> str:
    return html.unescape(answer.content.decode()).replace("\xa0", " ")


def bars_of(page: Any) -> dict[str, str]:
    """Return the text of each row's interval, by the question's short name or text."""
    names = {row.key: row.label.value() or row.text for row in page.context["rows"]}
    return {names[known.key]: bar.text for known in page.context["knowns"] for bar in known.bars}


def test_the_plan_page_starts_with_defaults_results_and_a_slider_hidden_without_scripts(
    staff: Client,
) -> None:
    page = text(staff.get(PAGE))
    assert '<input type="number" name="people" value="400"' in page
    (slider,) = re.findall(r"<input[^>]*data-slider[^>]*>", page)
    assert "hidden" in slider
    assert "name=" not in slider
    assert "400 answers: each share ±" in page
    assert "taken together: at most 95%" in page
    assert not any(letter in page for letter in "εθγ")


@pytest.mark.soak
def test_the_displayed_plan_is_the_saved_one(staff: Client, survey: Survey) -> None:
    shown = text(staff.post(PAGE, filled(part="figures")))
    assert "400 answers: “doping” ±" in shown
    assert "more common among people with “doping”." in shown
    assert "<h1" not in shown
    answer = staff.post(PAGE, filled())
    assert answer.headers["Location"] == "/en/staff/surveys/play/build/"
    survey.refresh_from_db()
    aim = Aim(
        people=400,
        wanted=("q1", "q4"),
        shares={"q1": 2000, "q4": 3000},
        names={"q1": {"en": "doping"}},
        held=(survey.aim or {})["held"],
    )
    assert Aim.from_json(survey.aim) == aim
    laid = definition_parse(survey.definition, is_worded=False)
    made = promise(laid.design)
    assert made is not None
    assert (made.of_100, made.one_of_100) <= (95, 80)
    numbers = [laid.design.question_number(key) for key in ("q1", "q4")]
    assert laid.design.drawn_together(numbers) == 1
    event = AuditEvent.objects.get(action="draft_aim")
    assert event.detail == aim.to_json()
    use = use_of(laid.design, aim)
    for sentence in use_sentences(use, item_names(laid, aim.labels)):
        assert sentence in shown
        assert sentence in text(staff.get("/en/staff/surveys/play/build/"))
        assert sentence in text(staff.get("/en/staff/surveys/play/publish"))


@pytest.mark.soak
def test_the_plan_states_how_many_pairs_are_asked_together(staff: Client) -> None:
    few = text(staff.post(PAGE, filled(part="figures")))
    assert "Not everyone is asked every question." in few
    ((asked, own, every),) = re.findall(
        r"Each person is asked (\d) of the (?:\d )?protected questions(?s:.*)"
        r"Pairs of protected answers that at least 100 people are asked: (\d+) of (\d+)\.",
        few,
    )
    assert int(every) == 15
    # Both starred questions are asked of everyone, so their pair is not predicted.
    assert 1 <= int(own) < 15
    assert 2 <= int(asked) < 6
    many = text(staff.post(PAGE, filled(part="figures", people="20000")))
    assert "Pairs of protected answers" not in many


@pytest.mark.soak
def test_figures_of_questions_with_a_condition_state_their_assumption(staff: Client, survey: Survey) -> None:
    sentence = "For questions with a condition, these figures assume that everyone meets it."
    pages = [PAGE, *(PAGE.replace("plan", page) for page in ("build/", "publish", "risk/"))]
    staff.post(PAGE, filled())
    assert not any(sentence in text(staff.get(page)) for page in pages)
    survey.refresh_from_db()
    survey.definition["blocks"][-1]["asked_if"] = {"question": "job", "options": ["yes"]}
    survey.save()
    assert all(sentence in text(staff.get(page)) for page in pages)


@pytest.mark.soak
def test_reopened_plans_show_the_same_results(staff: Client, survey: Survey) -> None:
    """The second plan keeps the layout of the first, although another one would be better."""
    unstarred: dict[str, Any] = {"star_q1": "", "star_q4": ""}
    for stars in (unstarred, {}):
        opened = staff.get(PAGE).context["form"]["held"].value()
        shown = staff.post(PAGE, filled(**stars, held=opened, part="figures")).context["sentences"]
        assert staff.post(PAGE, filled(**stars, held=opened)).status_code == 302
        again = staff.get(PAGE)
        assert again.context["sentences"] == shown
        for page in ("build/", "publish"):
            said = text(staff.get(f"/en/staff/surveys/play/{page}"))
            assert all(sentence in said for sentence in again.context["sentences"])


@pytest.mark.soak
def test_plans_do_not_depend_on_the_order_of_clicks(staff: Client) -> None:
    """While nothing is saved, figures depend only on the form's current state."""
    sent = filled(part="figures")
    first = staff.post(PAGE, sent).context["sentences"]
    for before in (filled(part="figures", star_q1="", star_q4=""), filled(part="figures", people="1000")):
        answer = staff.post(PAGE, before)
        assert 'name="held"' not in text(answer)
        assert staff.post(PAGE, sent).context["sentences"] == first


@pytest.mark.soak
def test_the_saved_layout_is_kept_until_a_new_one_is_requested(staff: Client) -> None:
    staff.post(PAGE, filled(star_q1="", star_q4="", people="1000"))
    held = staff.get(PAGE).context["form"]["held"].value()
    assert held
    sent = {name: value for name, value in filled(held=held).items() if name != "save"}
    kept = staff.post(PAGE, sent)
    (anew,) = [line for line in kept.context["changes"] if line.name == "Lay out the questions anew"]
    applied = staff.post(PAGE, sent | {"apply": anew.value})
    said = " ".join(applied.context["sentences"])
    assert said != " ".join(kept.context["sentences"])
    precision = applied.context["sentences"][0]
    improved = re.match(
        rf"{re.escape(precision)}.* Most improved: “(.*?)” ±([\d.]+) points instead of", anew.gives
    )
    assert improved is not None
    # The row after the change shows the figure, which is smaller than before.
    widths = [
        float(bars_of(page)[improved[1]].removeprefix("±").removesuffix(" points"))
        for page in (applied, kept)
    ]
    assert widths[0] == float(improved[2]) < widths[1]
    assert applied.context["form"]["held"].value() == ""
    assert all(line.name != anew.name for line in applied.context["changes"])


def test_starred_answers_can_be_compared_in_reverse(staff: Client, survey: Survey) -> None:
    staff.post(PAGE, filled(swap="on"))
    survey.refresh_from_db()
    assert survey.aim is not None
    assert survey.aim["wanted"] == ["q4", "q1"]
    assert 'name="swap" id="id_swap" checked' in text(staff.get(PAGE))


@pytest.mark.soak
def test_reverse_comparison_is_offered_only_for_two_stars(staff: Client) -> None:
    for stars, hidden in (({"star_q1": "", "star_q4": ""}, 1), ({"star_q4": ""}, 1), ({}, 0)):
        sent = {name: value for name, value in filled(**stars).items() if name != "save"}
        assert text(staff.post(PAGE, sent)).count("data-swap hidden") == hidden


@pytest.mark.soak
def test_changes_state_if_starred_answers_are_unaffected(staff: Client, survey: Survey) -> None:
    numbered(survey.owner, is_protected=True)
    sent = {
        "people": "400", "strength": "strong", "star_hours": "hours", "protect_q0": "on", "protect_q1": "on",
        "protect_hours": "on", "part": "changes",
    }  # fmt: skip
    found = staff.post("/en/staff/surveys/sleep/plan", sent).context["changes"]
    same = [line for line in found if "This changes nothing for the starred answers." in line.gives]
    widths = [re.findall(r"“[^”]*sleep[^”]*” ±([\d.]+)", line.gives)[0] for line in found]
    now = staff.post("/en/staff/surveys/sleep/plan", sent | {"part": "figures"}).context["sentences"][0]
    before = re.findall(r"±([\d.]+)", now)[0]
    assert [width == before for width in widths] == [line in same for line in found]


def test_a_draft_that_cannot_be_planned_is_not_called_empty(staff: Client, survey: Survey) -> None:
    broken = json.loads(json.dumps(survey.definition))
    broken["blocks"][0]["questions"][0]["kind"] = 5
    Survey.objects.update(definition=broken)
    page = text(staff.get(PAGE))
    assert "Finish this first. The plan needs it." in page
    assert "There are no questions yet" not in page


@pytest.mark.soak
def test_unprotected_questions_are_stored_as_answered(staff: Client, survey: Survey) -> None:
    sent = {name: value for name, value in filled().items() if name != "protect_q2"}
    staff.post(PAGE, sent | {"protect_job": "on", "readable": "q2"})
    survey.refresh_from_db()
    protected_keys = {
        question["key"]
        for block in survey.definition["blocks"]
        if block["protected"]
        for question in block["questions"]
    }
    assert protected_keys == {"q0", "q1", "q3", "q4", "q5", "job"}


@pytest.mark.soak
def test_questions_unprotected_by_default_show_the_reason(client: Client) -> None:
    client.force_login(member("ana", Role.RESEARCHER))
    asked = (
        "1. Have you cheated?\n2. What was your last grade?\n1-6\n3. Which faculty are you in?\n- Arts\n- Law"
    )
    report = client.post("/en/staff/surveys/new", {"pasted": f"Play\n{asked}", "make": ""})
    client.post("/en/staff/surveys/new/import", {"questionnaire": report.context["token"]})
    page = client.get(PAGE)
    assert [bool(row.why) for row in page.context["rows"]] == [False, True, True]
    assert not re.search(r'name="protect_[^"]*grade[^"]*"[^>]*checked', text(page))
    assert "It only asks for background that others know (schooling)." in text(page)
    assert "It only asks for background that others know (the place of work)." in text(page)


def test_a_follow_up_that_is_asked_alone_is_named_unless_it_is_unprotected(client: Client) -> None:
    client.force_login(member("ana", Role.RESEARCHER))
    questions = yes_no("bribe"), yes_no("accept", text={"en": "If so, did you accept it?"})
    document = document_of(protected("b", *questions), slug="play")
    draft_create(document, slug="play", source="scratch", owner=User.objects.get(username="ana"), **ANA)
    page = client.get(PAGE)
    (sentence,) = page.context["warnings"]
    assert sentence.startswith("“If so, did you accept it?” refers to another question")
    assert sentence in text(page)
    entries = {"people": "400", "strength": "medium", "protect_bribe": "on"}
    assert client.post(PAGE, entries | {"part": "figures"}).context["warnings"] == []


@pytest.mark.soak
def test_infeasible_plans_suggest_changes_that_work(staff: Client) -> None:
    sent = filled(people="150") | {"strength": "strong"}
    del sent["save"]
    page = text(staff.post(PAGE, sent))
    assert "To publish this as a live survey, you would need a written reason:" in page
    assert "will be known only within ±" in page
    assert "Each of these lets you publish" in page
    assert "That does not mean that every result can be shown." in page
    assert "Each of these lets you publish" in text(staff.post(PAGE, sent | {"star_q4": ""}))
    value = re.search(r'name="apply" value="(people:\d+;for:\w+)"', page)
    assert value is not None
    applied = text(staff.post(PAGE, sent | {"apply": value[1]}))
    assert f'name="people" value="{value[1].partition(";")[0].removeprefix("people:")}"' in applied
    assert "To publish this as a live survey, you would need a written reason:" not in applied


@pytest.mark.soak
def test_a_comparison_of_rare_answers_is_refused_and_fixed_on_the_plan_page(
    staff: Client, survey: Survey
) -> None:
    """The plan used to show no fault, and publishing pointed back to it."""
    sent = filled(guess_q1="10", guess_q4="10")
    del sent["save"]
    page = text(staff.post(PAGE, sent))
    refusal = "a difference of 30 points in “Did you ever q4?” by “doping” is found 2 times in 10"
    assert "To publish this as a live survey, you would need a written reason:" in page
    assert f"With 400 answers, {refusal}." in page
    staff.post(PAGE, filled(guess_q1="10", guess_q4="10"))
    assert refusal in text(staff.get("/en/staff/surveys/play/publish"))
    opened = staff.get(PAGE)
    found = opened.context["changes"]
    sent |= {"held": opened.context["form"]["held"].value()}
    assert [line.name for line in found] == [
        "Expect 560 answers",
        "Choose the lighter protection",
        "Do not compare: star only “Did you ever q4?”",
    ]
    for name in [line.name for line in found]:
        # Each save makes a new draft, with proposals of its own.
        (line,) = [each for each in staff.post(PAGE, sent).context["changes"] if each.name == name]
        applied = staff.post(PAGE, sent | {"apply": line.value})
        assert applied.context["gaps"] == []
        form = applied.context["form"]
        survey.refresh_from_db()
        state = {"revision": str(survey.revision), "digest": aim_digest(survey), "save": ""}
        assert (
            staff.post(PAGE, {name: form[name].value() or "" for name in form.fields} | state).status_code
            == 302
        )
        survey.refresh_from_db()
        saved = definition_parse(survey.definition, is_worded=False)
        assert not any(finding.is_refusal for finding in check_use(saved, Aim.from_json(survey.aim)))


def test_a_draft_changed_after_planning_shows_why_publishing_refuses_it(
    staff: Client, survey: Survey
) -> None:
    staff.post(PAGE, filled(star_q1="", star_q4=""))
    assert "The draft as it is saved needs a written reason" not in text(staff.get(PAGE))
    survey.refresh_from_db()
    for block in survey.definition["blocks"]:
        if block["protected"]:
            block["truth_probability"] = 500
    survey.save(update_fields=["definition"])
    page = staff.get(PAGE)
    assert (
        "The draft as it is saved needs a written reason to be published. This plan does not, so save it."
        in text(page)
    )
    (said,) = page.context["saved_gaps"]
    assert said.removesuffix(".") in text(staff.get("/en/staff/surveys/play/publish"))
    # A change on the page does not change the saved draft.
    formed = filled(star_q1="", star_q4="", part="figures", formed="leave_out,q2;leave_out,q3")
    assert staff.post(PAGE, formed).context["saved_gaps"] == [said]
    sent = filled(star_q1="", star_q4="", held=page.context["form"]["held"].value())
    assert staff.post(PAGE, sent).status_code == 302
    assert "The draft as it is saved needs a written reason" not in text(staff.get(PAGE))


@pytest.mark.soak
@pytest.mark.parametrize("people", [250, 1000])
def test_uniqueness_is_stated_and_priced_for_the_people_of_the_plan(
    staff: Client, survey: Survey, people: int
) -> None:
    """863 combinations: 250 (1 - 1/863)^249 = 187 of 250 people are unique, and 314 of 1,000."""
    born = {
        "key": "born",
        "kind": "number",
        "text": {"en": "On which day were you born?"},
        "number": {"low": 0, "high": 862, "bin": 1},
    }
    document = document_of(unprotected("o", born), protected("b", yes_no("q0"), yes_no("q1")))
    draft_create(document, slug="born", source="scratch", owner=survey.owner, **ANA)
    Survey.objects.filter(slug="born").update(aim=Aim(people=people).to_json())
    alone, allowed = {250: ("about 187", 83), 1000: ("about 314", 333)}[people]
    page = text(staff.get("/en/staff/surveys/born/plan"))
    assert f"{alone} of {people:,} people would have unique unprotected answers" in page
    for shown in (page, text(staff.get("/en/staff/surveys/born/publish"))):
        assert f"of {people:,} people, {alone} would have a unique one" in shown
        assert re.search(rf"[Uu]p to {allowed} combinations are allowed", shown)
    risk = text(staff.get("/en/staff/surveys/born/risk/"))
    assert f"{alone} of {people:,} people would have unique unprotected answers" in risk
    assert "at least" not in risk


def test_a_default_number_of_answers_is_called_a_suggestion_until_it_is_saved(
    staff: Client, survey: Survey
) -> None:
    """Plan and "Try it" showed 400, and the page for an ethics board said that no one had stated a number."""
    sentence = "400 is a suggestion"
    survey.aim = None
    survey.save(update_fields=["aim"])
    assert sentence in text(staff.get(PAGE))
    assert "400 is only a suggestion" in text(staff.get("/en/staff/surveys/play/made-up/"))
    sent = filled(people="400") | {"revision": str(survey.revision), "digest": aim_digest(survey)}
    assert staff.post(PAGE, sent).status_code == 302
    assert sentence not in text(staff.get(PAGE))
    assert "400 is only a suggestion" not in text(staff.get("/en/staff/surveys/play/made-up/"))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("people", "0", "0 is not enough. Plan for at least 10; with fewer than 100"),
        ("people", "", "Enter a whole number."),
        ("people", "1e9", "Enter a whole number in digits, such as 1000."),
        ("people", "99999999", "99,999,999 is too large. Enter at most 10,000,000."),
        ("guess_q1", "0", "0 is not between 0.01 and 99.99."),
        ("guess_q1", "100", "100 is not between 0.01 and 99.99."),
    ],
)
def test_impossible_entries_have_a_sentence(staff: Client, field: str, value: str, said: str) -> None:
    sent = filled(**{field: value})
    del sent["save"]
    assert said in text(staff.post(PAGE, sent))


@pytest.mark.soak
@pytest.mark.parametrize("aim", [None, {"people": 0, "wanted": [], "shares": {}, "strength": "medium"}])
@pytest.mark.few("None", why="the others execute nothing more")
def test_pages_of_a_draft_without_a_number_of_people_say_so(
    staff: Client, survey: Survey, aim: dict[str, Any] | None
) -> None:
    Survey.objects.filter(pk=survey.pk).update(aim=aim)
    pages = {
        page: text(staff.get(f"/en/staff/surveys/play/{page}"))
        for page in ("plan", "build/", "publish", "risk/", "audit/", "made-up/")
    }
    assert "ithout the number of answers you expect, we cannot work out" in pages["publish"]
    assert "The researcher did not say how many people will answer" in pages["risk/"]
    assert "the plan does not say how many answers you expect" in pages["audit/"]
    assert not re.search(r"\b1,?000 (people|respondents|answer)", "".join(pages.values()))


@pytest.mark.soak
def test_many_people_one_question_and_only_open_questions_have_figures(staff: Client) -> None:
    sent = filled(people="100000")
    del sent["save"]
    assert "100,000 answers: " in text(staff.post(PAGE, sent))
    one = {"people": "10", "strength": "strong", "protect_q1": "on", "star_q1": "q1"}
    page = text(staff.post(PAGE, one))
    assert "10 answers: “Did you ever q1?” ±" in page
    assert "fewer than 100 is too few to show anything" in page
    page = text(staff.post(PAGE, {"people": "100000", "strength": "strong"}))
    assert "100,000 answers, all stored as answered." in page


@pytest.mark.soak
def test_a_question_without_a_short_name_is_named_by_its_text_and_ties_have_no_remedy(client: Client) -> None:
    client.force_login(member("ana", Role.RESEARCHER))
    asked = "\n".join(f"{number}. Do you like game {number}?\n- Never\n- Often" for number in range(9))
    client.post("/en/staff/surveys/new", {"pasted": f"Play\n{asked}", "make": ""})
    # All cost the same, so no row has a remedy.
    assert {known.remedy for known in client.get(PAGE).context["knowns"]} == {""}
    form = client.get(PAGE).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"part": "figures"}
    star = next(name for name in sent if name.startswith("star_"))
    sent[star] = form.fields[star].choices[1][0]
    said = client.post(PAGE, sent).context["sentences"][0]
    assert "“Do you like game 0?" in said


@pytest.mark.soak
def test_no_change_proposes_to_store_a_question_that_looks_sensitive(client: Client) -> None:
    client.force_login(member("ana", Role.RESEARCHER))
    asked = "\n".join(f"{number}. Do you cheat in test {number}?\n- Never\n- Often" for number in range(9))
    client.post("/en/staff/surveys/new", {"pasted": f"Play\n{asked}", "make": ""})
    names = [line.name for line in client.get(PAGE).context["changes"]]
    assert names
    assert not any("as answered" in name for name in names), names


def test_unprotecting_questions_on_the_plan_saves_nothing(staff: Client, survey: Survey) -> None:
    before = survey.definition
    entries = {name: value for name, value in filled().items() if name != "save"}
    entries_shown = staff.post(PAGE, entries).context["changes"][0].value.partition(";for:")[2]
    change = f"store:q2,q5;strength:light;for:{entries_shown}"
    page = text(staff.post(PAGE, entries | {"apply": change}))
    assert re.search(r'name="protect_q2"[^>]*>', page)
    assert not re.search(r'name="protect_q2"[^>]*checked', page)
    assert re.search(r'name="protect_q3"[^>]*checked', page)
    assert re.search(r'value="light"[^>]*checked', page)
    survey.refresh_from_db()
    assert (survey.definition, survey.aim) == (before, None)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"people": "9"}, "9 is not enough. Plan for at least 10; with fewer than 100"),
        ({"people": ""}, "Enter a whole number."),
        ({"guess_q1": "100"}, "100 is not between 0.01 and 99.99."),
        ({"star_q2": "q2"}, "Star at most two answers"),
        ({"star_q1": "gone"}, "“gone” cannot be chosen here."),
        ({"strength": "none"}, "“none” cannot be chosen here."),
        ({"label_q0": "x" * 31}, "at most 30 are possible. Shorten it by 1."),
    ],
)
def test_invalid_plan_fields_show_an_error_and_save_nothing(
    staff: Client, survey: Survey, changes: dict[str, Any], said: str
) -> None:
    answer = staff.post(PAGE, filled(**changes))
    assert answer.status_code == 422
    assert said in text(answer)
    survey.refresh_from_db()
    assert survey.aim is None
    figures = text(staff.post(PAGE, filled(part="figures", **changes)))
    assert said in figures
    assert ("Did you ever q1? · Your guess" in figures) == ("guess_q1" in changes)


@pytest.mark.soak
@pytest.mark.parametrize("guess", ["0.1", "99.9"])
def test_guesses_below_one_percent_and_above_99_are_planned(
    staff: Client, survey: Survey, guess: str
) -> None:
    assert "400 answers: “doping” ±" in text(staff.post(PAGE, filled(part="figures", guess_q1=guess)))
    staff.post(PAGE, filled(guess_q1=guess))
    survey.refresh_from_db()
    assert survey.aim["shares"]["q1"] == round(float(guess) * 100)
    assert f'name="guess_q1" value="{guess}"' in text(staff.get(PAGE))


@pytest.mark.soak
def test_a_page_of_an_earlier_draft_is_not_said_to_open_the_questions_that_it_lacked(
    staff: Client, survey: Survey
) -> None:
    """The builder saved a question's new key while this page was loading."""
    values = {name: value for name, value in filled(revision="0").items() if name != "protect_q5"}
    answer = staff.post(PAGE, values)
    assert answer.status_code == 409
    assert "you chose to store them as answered" not in text(answer)


@pytest.mark.soak
@pytest.mark.parametrize("revision", ["0", "", "nine", "99999999999"])
def test_drafts_saved_in_another_tab_are_not_overwritten(
    staff: Client, survey: Survey, revision: str
) -> None:
    before = survey.definition
    answer = staff.post(PAGE, filled(revision=revision))
    assert answer.status_code == 409
    survey.refresh_from_db()
    assert (survey.definition, survey.aim) == (before, None)


@pytest.mark.soak
def test_conflicting_plans_from_another_tab_are_reported(staff: Client, survey: Survey) -> None:
    older = filled()
    assert staff.post(PAGE, older | {"people": "900"}).status_code == 302
    answer = staff.post(PAGE, older | {"people": "250"})
    assert answer.status_code == 409
    assert "250" in text(answer)
    survey.refresh_from_db()
    assert (survey.aim or {})["people"] == 900
    assert staff.post(PAGE, filled(people="250")).status_code == 302


@pytest.mark.soak
def test_empty_drafts_ask_for_respondents_and_continue(staff: Client, survey: Survey) -> None:
    survey.definition = survey.definition | {"blocks": []}
    survey.save()
    page = text(staff.get(PAGE))
    assert "There are no questions yet." in page
    answer = staff.post(
        PAGE,
        {
            "people": "250",
            "strength": "strong",
            "save": "",
            "revision": survey.revision,
            "digest": aim_digest(survey),
        },
    )
    assert answer.status_code == 302
    survey.refresh_from_db()
    assert Aim.from_json(survey.aim) == Aim(people=250, strength="strong")


@pytest.mark.soak
def test_experiments_ask_what_is_expected_per_protected_question(staff: Client, survey: Survey) -> None:
    assert "if they feel watched" not in text(staff.get(PAGE))
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in "ab"]}
    survey.definition["blocks"].insert(0, unprotected("told", arm))
    survey.save()
    page = text(staff.get(PAGE))
    assert "What do you expect people to do if they feel watched?" in page
    assert page.count('name="expected_q') == 6
    staff.post(PAGE, filled(expected_q1="deny", expected_q2=""))
    survey.refresh_from_db()
    assert (survey.aim or {})["expected"] == {"q1": "deny"}
    # For a number, the researcher expects less or more. Anchors have no expectation.
    number = {"mechanism": "keep", "epsilon": 1, "low": 0, "high": 7, "bin": 1}
    hours = {"key": "hours", "kind": "number", "text": {"en": "How many hours?"}, "number": number}
    part = {"key": "work", "protected": True, "title": {"en": "Work"}, "questions": [hours]}
    checked = survey.definition["blocks"][-1]
    chances = {name: checked[name] for name in ("truth_probability", "refusal") if name in checked}
    survey.definition["blocks"] += [part, *(anchor | chances for anchor in ready_parts()["anchors"])]
    survey.save()
    page = text(staff.get(PAGE))
    assert page.count('name="expected_') == 7
    assert 'name="expected_hours"' in page
    assert "people would rather say less" in page


@pytest.mark.soak
def test_protected_numbers_have_a_plan_row_and_a_mean(client: Client) -> None:
    owner = member("ana", Role.RESEARCHER)
    client.force_login(owner)
    asked = "\n".join(f"{number}. Did you ever do this, {number}?" for number in range(1, 8))
    pasted = f"Play\n{asked}\n8. How many hours do you gamble a week?\n0-80"
    client.post("/en/staff/surveys/new", {"pasted": pasted, "make": ""})
    answer = client.get(PAGE)
    assert answer.context["form"].errors == {}
    assert "400 answers: each share ±" in text(answer)
    width, *_changes = re.findall(
        r" points, the mean of “How many hours do you gamble a week\?” ±([\d.]+)\.", text(answer)
    )
    # The row shows the figure of the sentence.
    bars = bars_of(answer)
    assert bars["How many hours do you gamble a week?"] == f"mean ±{width}"
    share, *_changes = re.findall(r"400 answers: each share ±([\d.]+) points", text(answer))
    assert bars["Did you ever do this, 7?"] == f"±{share} points"
    assert len(bars) == 8


@pytest.mark.soak
def test_questions_without_options_are_named_instead_of_a_plan(staff: Client, survey: Survey) -> None:
    faculty = {"key": "faculty", "kind": "single", "text": {"en": "Which faculty?"}, "options": []}
    survey.definition["blocks"][0]["questions"].append(faculty)
    survey.save()
    said = text(staff.get(PAGE))
    assert "Finish this first" in said
    assert "Which faculty?" in said


HOURS = {
    "key": "hours",
    "kind": "number",
    "text": {"en": "How long do you sleep?"},
    "number": {"low": 0, "high": 24, "bin": 1, "unit": {"en": "hours"}},
}


def numbered(owner: Any, *more: dict[str, Any], is_protected: bool = False) -> None:
    number = HOURS["number"] | {"mechanism": "square_wave", "epsilon": 1.0}
    asked = HOURS | {"number": number} if is_protected else HOURS
    part = {"key": "n", "protected": is_protected, "title": {"en": "Sleep"}, "questions": [asked]}
    document = document_of(part, protected("b", yes_no("q0"), yes_no("q1")), *more)
    draft_create(document, slug="sleep", source="scratch", owner=owner, **ANA)


@pytest.mark.soak
@pytest.mark.parametrize("is_protected", [False, True])
def test_starred_numbers_lead_the_result_sentence(staff: Client, survey: Survey, is_protected: bool) -> None:
    numbered(survey.owner, is_protected=is_protected)
    page = text(staff.get("/en/staff/surveys/sleep/plan"))
    assert 'name="star_hours"' in page
    assert 'name="guess_hours"' not in page
    slept = Survey.objects.get(slug="sleep")
    sent = {
        "people": "400", "strength": "medium", "star_hours": "hours", "label_hours": "sleep", "save": "",
        "star_q1": "q1", "protect_q0": "on", "protect_q1": "on", "revision": str(slept.revision),
        "digest": aim_digest(slept), **({"protect_hours": "on"} if is_protected else {}),
    }  # fmt: skip
    shown = text(staff.post("/en/staff/surveys/sleep/plan", sent | {"part": "figures"}))
    sentence = (
        r"400 answers: the mean of “sleep” ±[\d.]+ hours, “Did you ever q1\?” ±[\d.]+ points, the other"
    )
    assert re.search(sentence, shown)
    assert re.search(r"mean ±[\d.]+ hours", shown)
    assert "You find a link" not in shown
    assert staff.post("/en/staff/surveys/sleep/plan", sent).status_code == 302
    slept.refresh_from_db()
    assert (slept.aim or {})["wanted"] == ["hours", "q1"]
    if is_protected:
        assert "Numbers sent in steps" not in text(staff.get("/en/staff/surveys/sleep/publish"))
        slept.definition["blocks"][0]["questions"][0]["number"]["bin"] = 5
        slept.save(update_fields=["definition"])
        said = text(staff.get("/en/staff/surveys/sleep/publish"))
        assert "Numbers sent in steps" in said
        assert "“How long do you sleep?”: " in said
    for page in ("build/", "publish", "risk/", "made-up/"):
        assert staff.get(f"/en/staff/surveys/sleep/{page}").status_code == 200
    assert "“sleep” ±" in text(staff.get("/en/staff/surveys/sleep/publish"))


@pytest.mark.soak
def test_identifying_unprotected_answers_cause_a_warning(staff: Client, survey: Survey) -> None:
    faculty = {
        "key": "faculty",
        "kind": "single",
        "text": {"en": "Which faculty?"},
        "options": [{"key": f"o{number}", "text": {"en": f"No. {number}"}} for number in range(20)],
    }
    numbered(survey.owner, unprotected("o", faculty))
    Survey.objects.filter(slug="sleep").update(aim=Aim(people=400).to_json())
    said = "have a unique one and could be identified by it"
    for page in ("plan", "publish"):
        shown = text(staff.get(f"/en/staff/surveys/sleep/{page}"))
        assert "(“How long do you sleep?”, “Which faculty?”)" in shown
        assert said in shown
    assert said not in text(staff.get(PAGE))


@pytest.mark.parametrize(("count", "combinations"), [(20, "1,048,576"), (70, "at least 1,000,000,000,000")])
def test_a_warning_about_many_unprotected_answers_names_three(count: int, combinations: str) -> None:
    questions = [{"key": f"q{n}", "kind": "yes_no", "text": {"en": f"No. {n}?"}} for n in range(count)]
    design = definition_parse(document_of(unprotected("o", *questions))).design
    (finding,) = check_open_answers(design, {f"q{n}": f"No. {n}?" for n in range(count)}, 400)
    assert f"(“No. 0?”, “No. 1?”, “No. 2?” and {count - 3:,} more)" in finding.message
    assert f"have {combinations} combinations" in finding.message


@pytest.mark.soak
def test_reasons_are_in_the_page_language_and_judge_all_languages(client: Client) -> None:
    asked = {"en": "Are you a man or a woman?", "zh-hans": "您是女性吗？"}
    document = document_of(unprotected("you", {"key": "job", "kind": "yes_no", "text": asked}))
    document |= {"languages": ["en", "zh-hans"]}
    owner = member("ana", Role.RESEARCHER)
    draft_create(document, slug="play", source="scratch", owner=owner, **ANA)
    client.force_login(owner)
    assert "It only asks for background that others know (sex)" in text(client.get(PAGE))
    assert "性别" in text(client.get(PAGE.replace("/en/", "/zh-hans/")))


TWO_NUMBERS = {"mechanism": "square_wave", "epsilon": 1.4, "low": 0, "high": 40, "bin": 1}


@pytest.fixture
def with_number(client: Client) -> Survey:
    """Return a draft whose number makes a comparison of 250 people impossible."""
    questions = [yes_no(f"q{number}") for number in range(6)]
    number = {"key": "n", "kind": "number", "text": {"en": "How many drinks?"}, "number": TWO_NUMBERS}
    document = document_of(
        protected("b", *questions, p=500, refusal=154),
        {"key": "n", "protected": True, "title": {"en": "Drinks"}, "refusal": True, "questions": [number]},
    )
    client.force_login(member("ana", Role.RESEARCHER))
    return draft_create(document, slug="play", source="scratch", owner=member("ana", Role.RESEARCHER), **ANA)


def sent(**changes: Any) -> dict[str, Any]:
    entries = filled(**{"people": "250", "protect_n": "on", "guess_q1": "50", "guess_q4": "50"} | changes)
    return {name: value for name, value in entries.items() if name != "save" or "save" in changes}


@pytest.mark.soak
def test_a_change_of_form_is_pressed_shown_undone_and_saved(client: Client, with_number: Survey) -> None:
    page = text(client.post(PAGE, sent()))
    assert "To publish this as a live survey, you would need a written reason:" in page
    (change, *_others) = client.post(PAGE, sent()).context["changes"]
    assert change.name == "Ask “How many drinks?” as 3 levels"
    assert change.value.partition(";for:")[0] == "form:levels,n"
    assert f'name="apply" value="{change.value}"' in page
    pressed = client.post(PAGE, sent(apply=change.value))
    shown = text(pressed)
    assert "Changed on this page, and not saved yet:" in shown
    assert 'name="formed" value="levels,n"' in shown
    assert "To publish this as a live survey, you would need a written reason:" not in shown
    precision, link = pressed.context["sentences"]
    assert change.gives.startswith(f"{precision} You find a link 8 times in 10 if it is ")
    (stated,), (shown_link,) = (re.findall(r"is (\d+) points", said) for said in (change.gives, link))
    assert stated == shown_link
    # Nothing is saved yet, and one press undoes it.
    with_number.refresh_from_db()
    assert with_number.definition["blocks"][-1]["questions"][0]["kind"] == "number"
    undone = client.post(PAGE, sent(formed="levels,n", undo="levels,n"))
    assert 'name="formed" value="levels,n"' not in text(undone)
    assert undone.context["sentences"] == client.post(PAGE, sent()).context["sentences"]
    assert client.post(PAGE, sent(formed="levels,n", save="")).status_code == 302
    with_number.refresh_from_db()
    questions = [each for block in with_number.definition["blocks"] for each in block["questions"]]
    assert [each["kind"] for each in questions if each["key"] == "n"] == ["single"]


@pytest.mark.soak
def test_every_proposal_on_the_page_can_be_pressed(client: Client, with_number: Survey) -> None:
    """Also the remedy in the row of the question that costs most."""
    shown = client.post(PAGE, sent())
    values = re.findall(r'name="apply" value="([^"]*)"', text(shown))
    in_rows = [known.value for known in shown.context["knowns"] if known.value]
    assert len(in_rows) == 1
    assert sorted(values) == sorted([*in_rows, *(change.value for change in shown.context["changes"])])
    for value in values:
        pressed = client.post(PAGE, sent(apply=value))
        assert pressed.status_code == 200
        assert pressed.context["sentences"] != shown.context["sentences"]


@pytest.mark.parametrize(
    "changed",
    [
        {"people": "300"},
        {"strength": "strong"},
        {"star_q2": "q2", "star_q1": ""},
        {"swap": "on"},
        {"guess_q1": "20"},
        {"protect_q5": ""},
        {"formed": "leave_out,q5"},
    ],
    ids=str,
)
@pytest.mark.few("{'people': '300'}", "{'formed': 'leave_out,q5'}", why="a field, and a change of form")
def test_a_proposal_for_other_entries_than_those_sent_is_refused(
    client: Client, with_number: Survey, changed: dict[str, str]
) -> None:
    """Someone who changes a field and presses before the figures follow saw figures of other entries."""
    (change, *_others) = client.post(PAGE, sent()).context["changes"]
    pressed = client.post(PAGE, sent(**changed, apply=change.value))
    assert pressed.status_code == 409
    page = text(pressed)
    assert "This change was not applied: it was computed for other entries than those on the page." in page
    # The page keeps the entries, and its own proposals are for them.
    assert pressed.context["form"].data.get("formed", "") == changed.get("formed", "")
    for name, value in changed.items():
        assert pressed.context["form"].data[name] == value
    (again, *_rest) = pressed.context["changes"]
    applied = client.post(PAGE, sent(**changed, apply=again.value))
    assert applied.status_code == 200
    assert "This change was not applied" not in text(applied)


def test_a_proposal_for_an_earlier_draft_or_without_its_entries_is_refused(
    client: Client, with_number: Survey
) -> None:
    (change, *_others) = client.post(PAGE, sent()).context["changes"]
    assert client.post(PAGE, sent(apply=change.value.partition(";for:")[0])).status_code == 409
    # A short name decides nothing.
    assert client.post(PAGE, sent(apply=change.value, label_q5="Fifth")).status_code == 200
    document = with_number.definition | {"blocks": with_number.definition["blocks"][:1]}
    draft_save(with_number, document, revision=with_number.revision, **ANA)
    assert client.post(PAGE, sent(apply=change.value)).status_code == 409


def test_a_proposal_beside_an_invalid_entry_is_refused_with_its_error(
    client: Client, with_number: Survey
) -> None:
    (change, *_others) = client.post(PAGE, sent()).context["changes"]
    pressed = client.post(PAGE, sent(people="", apply=change.value))
    assert pressed.status_code == 422
    assert pressed.context["form"].data.get("formed", "") == ""
    assert pressed.context["form"].errors["people"]


@pytest.mark.soak
def test_scripts_get_the_rows_with_the_figures_and_their_costs_later(
    client: Client, with_number: Survey
) -> None:
    quick, whole = (text(client.post(PAGE, sent(part=part))) for part in ("figures", "changes"))
    assert quick.count("data-for=") == whole.count("data-for=") == 7
    assert "Without it" not in quick
    assert "Without it" in whole


@pytest.mark.soak
def test_enter_in_a_field_updates_the_figures(staff: Client) -> None:
    page = staff.post(PAGE, sent(strength="strong")).content.decode()
    buttons = re.findall(r"<button[^>]*type=\"submit\"[^>]*>", page[page.index('class="plan"') :])
    assert 'name="show"' in buttons[0]


@pytest.mark.soak
@pytest.mark.parametrize("undo", ["one_option,q1", "one_option", "", ",,,", "levels", "x" * 30_000])
def test_undoing_nonsense_changes_nothing(client: Client, with_number: Survey, undo: str) -> None:
    page = client.post(PAGE, sent(undo=undo))
    assert page.status_code == 200
    assert page.context["sentences"] == client.post(PAGE, sent()).context["sentences"]


@pytest.mark.soak
@pytest.mark.parametrize("formed", ["levels,q1", "x", ";;", "leave_out,q1", "merge,q1,a,b", "one_option,n,z"])
@pytest.mark.few(";;", "merge,q1,a,b", why="the shortest and the longest")
def test_changes_of_form_that_do_not_fit_are_left_out(
    client: Client, with_number: Survey, formed: str
) -> None:
    """The draft changed in another tab, or the address was edited."""
    page = client.post(PAGE, sent(formed=formed))
    assert page.status_code == 200
    if formed == "leave_out,q1":
        # The star goes with its question.
        assert "q1" not in {known.key for known in page.context["knowns"]}
    else:
        assert page.context["sentences"] == client.post(PAGE, sent()).context["sentences"]


@pytest.mark.soak
def test_a_short_name_is_saved_in_the_language_of_the_page_and_keeps_those_in_others(
    staff: Client, survey: Survey
) -> None:
    chinese = PAGE.replace("/en/", "/zh-hans/")
    document = survey.definition | {"languages": ["en", "zh-hans"]}
    for block in document["blocks"]:
        for question in block["questions"]:
            question["text"] |= {"zh-hans": "问题" + question["key"]}
    document["title"] |= {"zh-hans": "标题"}
    Survey.objects.update(definition=document, aim=Aim(people=400).to_json() | {"labels": {"q1": "doping"}})

    def field_of(page: str) -> tuple[str, str]:
        (row,) = [row for row in staff.get(page).context["rows"] if row.key == "q1"]
        return row.label.value() or "", row.label.field.widget.attrs["placeholder"]

    # The old form has one name, which is in the first language.
    assert field_of(PAGE) == ("doping", "Short name")
    assert field_of(chinese) == ("", "doping")
    assert "Short names on this page are in English." in text(staff.get(PAGE))
    assert "本页的简称使用简体中文。" in text(staff.get(chinese))
    assert "“doping” ±" in text(staff.post(chinese, filled(label_q1="", part="figures")))
    assert "“禁药” ±" in text(staff.post(chinese, filled(label_q1="禁药", part="figures")))
    assert staff.post(chinese, filled(label_q1="禁药")).status_code == 302
    survey.refresh_from_db()
    assert (survey.aim or {})["labels"] == {"q1": {"en": "doping", "zh-hans": "禁药"}}
    assert (field_of(PAGE), field_of(chinese)) == (("doping", "禁药"), ("禁药", "doping"))
    assert staff.post(PAGE, filled(label_q1="")).status_code == 302
    survey.refresh_from_db()
    assert (survey.aim or {})["labels"] == {"q1": {"zh-hans": "禁药"}}
    assert "“禁药” ±" in text(staff.post(PAGE, filled(label_q1="", part="figures")))


@pytest.mark.soak
def test_surveys_in_one_language_do_not_mention_the_language_of_short_names(staff: Client) -> None:
    assert "Short names on this page are in" not in text(staff.get(PAGE))


@pytest.mark.soak
def test_a_plan_that_stores_everything_names_no_protection(staff: Client) -> None:
    """Its line said "Medium protection", and that a lighter one changes nothing."""
    entries = {
        name: value for name, value in filled(part="figures").items() if name[:5] not in ("prote", "star_")
    }
    shown = staff.post(PAGE, entries)
    assert shown.context["line"].startswith("400 answers, all stored as answered")
    assert not shown.context.get("lighter")
    protected_page = staff.post(PAGE, filled(part="figures"))
    assert protected_page.context["line"].startswith("Medium protection. 400 answers: ")


@pytest.mark.soak
def test_the_plan_names_the_kinds_of_questions_that_everyone_is_asked(staff: Client, survey: Survey) -> None:
    """With a number, the page spoke of places and conditions, too."""
    document = survey.definition
    document["blocks"].append(number_part() | {"refusal": True})
    draft_save(survey, document, revision=survey.revision, **ANA)
    shown = text(staff.post(PAGE, filled(part="figures", protect_hours="on", people="150")))
    assert "of the protected questions, besides numbers." in shown
