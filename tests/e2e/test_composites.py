"""Composite questions on a phone: components are asked, and only what the rule computes from them is sent.

Whatever the components are, the page requests, stores and sends the same: no component, no number of shown
components, no path. Planted leaks show that the comparison would find them.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from privacy.survey.layout import Layout
from surveys.authoring.drafts import draft_create
from surveys.models import Receipt
from surveys.questionnaire.neutral_questions import neutral_questions
from surveys.respondent.client_program import client
from tests.e2e.conftest import Published
from tests.e2e.judged import violations, width_of
from tests.e2e.survey import DECOY, TRUTH, body_of
from tests.e2e.tap import QUIET, TRIAL, Tap, traces
from tests.e2e.test_phases import phases_in_memory
from tests.e2e.visit import CHOOSE, Visit, labels_of
from tests.fixtures.composite_drafts import blocks_of, composite_document
from tests.fixtures.composite_templates import ready_template
from tests.vectors.composite_designs import DESIGNS

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 360, "height": 640}}
KINDS = {"several": "multi"}


def asked_definition(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a definition with components in the place of composite questions, as respondents see it."""

    def asked(question: dict[str, Any]) -> list[dict[str, Any]]:
        if "computed" not in question:
            return [question]
        neutral = question["computed"].get("neutral", ())
        return [
            component | {"kind": KINDS.get(component["kind"], component["kind"])}
            for component in question["computed"]["components"]
        ] + [{"key": f"neutral{at}", "kind": "yes_no", **entry} for at, entry in enumerate(neutral)]

    blocks = []
    for block in definition["blocks"]:
        # A filter that several composite questions share is asked once.
        every: dict[str, Any] = {}
        for question in block["questions"]:
            for each in asked(question):
                every.setdefault(each["key"], each)
        blocks.append(block | {"questions": [*every.values()]})
    return {**definition, "blocks": blocks}


class Answering(Visit):
    """A respondent who answers components by their keys, and leaves the others empty."""

    def __init__(self, page: Any, here: Any) -> None:
        super().__init__(page, here.address, asked_definition(here.definition))

    def answer(self, given: Mapping[str, Any], until: str = "review") -> "Answering":
        """Continue from screen to screen up to the one named `until`."""
        for screen in self.screens(until=until):
            self.step(screen)
            before = self.heading
            kind, _, key = screen.partition(":")
            if kind == "question" and given.get(key) is not None:
                self._give(self.questions[before][1], given[key])
            if kind == "block" and given.get(key) == "skipped":
                self.press("Prefer not to say")
            else:
                self.go_on()
        self.step(until)
        return self

    def _give(self, question: Mapping[str, Any], value: Any) -> None:
        if question["kind"] == "number":
            self.root.locator("input[type=number]").fill(str(value))
        else:
            self.root.evaluate(CHOOSE, labels_of(question, value))


def sent_answers(design: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what Python would disguise for these answers to questions and components."""
    answers: dict[str, Any] = {}
    chosen: dict[str, str | None] = {}
    for block in design.blocks:
        if not block.protected:
            own = {each.key: given[each.key] for each in block.questions if given.get(each.key) is not None}
            answers[block.key] = own
            for question in block.questions:
                value = own.get(question.key)
                options = question.options or ("no", "yes")
                chosen[question.key] = None if value is None else options[value]
            continue
        values = {question.key: question.computed.evaluate(given, chosen) for question in block.questions}
        if given.get(block.key) == "skipped" or None in values.values():
            answers[block.key] = "skipped"
        else:
            answers[block.key] = {
                question.key: question.computed_value(values[question.key]) for question in block.questions
            }
    return answers


def expected(here: Any, given: Mapping[str, Any], words: tuple[int, ...]) -> bytes:
    design = here.version.to_design()
    return body_of(design, sent_answers(design, given), words)


def items(prefix: str, *values: int | None) -> dict[str, int | None]:
    return {f"{prefix}{number}": value for number, value in enumerate(values, start=1)}


EXAMPLES: dict[str, list[tuple[dict[str, Any], Any]]] = {
    "at least one of ten": [
        (items("act", *[0] * 9, 1), "yes"),
        (items("act", *[0] * 8, None, None), "no"),
        (items("act", *[0] * 6, None, None, None, 1), None),
    ],
    "AUDIT": [(items("item", *[1] * 9, 0), "8-15")],
    "AUDIT-C": [({"sex": 0} | items("drink", 2, 1, 0), "yes"), ({"sex": 1} | items("drink", 2, 1, 0), "no")],
    "PHQ-9 algorithm": [(items("symptom", 2, 0, 2, 3, 0, 1, 1, 1, 1), "other")],
    "five items, one gap": [(items("feel", 2, 1, 1, 1, None), "high")],
    "bribe": [
        ({"contact": 0}, "no-contact"),
        ({"contact": 1, "asked": 0, "paid": 0}, "contact"),
        ({"contact": 1, "asked": 1, "paid": 1}, "bribe"),
    ],
    "a number": [(items("feel", 2, 1, 1, 1, 0), 5)],
}


@pytest.mark.soak
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_worked_example_is_answered_on_a_phone_and_arrives_as_the_right_level(
    publish_definition: Any, device: Any, name: str
) -> None:
    here = publish_definition(composite_document(name))
    (question,) = [each for each in DESIGNS[name].questions if each.computed]
    for given, level in EXAMPLES[name]:
        value = None if level is None else question.computed_value(level)
        sent = sent_answers(here.version.to_design(), given)
        assert sent[f"{question.key}-part" if name != "a number" else "b-total"] == (
            "skipped" if value is None else {question.key: value}
        )
        there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open().answer(given)
        there.seal().delivered()
    assert sorted(here.bodies) == sorted(expected(here, given, TRUTH) for given, _level in EXAMPLES[name])


# Answers that differ in everything: levels, paths, gaps, numbers of shown components, a skip.
MEMBERS: list[dict[str, Any]] = [
    {"sex": 0, "moved": 1, "ever": 1, "which": [1, 1, 0], "check": 0, "age": 17, "often": 2, "since": 1},
    {"sex": 0, "moved": 1, "ever": 0, "check": 0, "often": 1},
    {"sex": 0, "moved": 1, "ever": 1, "which": [0, 0, 0], "check": 1, "age": 60, "often": 0},
    {"sex": 0, "moved": 1, "index-part": "skipped"},
]


def recorded(here: Any, device: Any, given: Mapping[str, Any], leaks: Any = ()) -> Any:
    """Visit and send; return the recording, and the number of its screens before sealing."""
    context = device(words=DECOY, **PHONE)
    tap = Tap(context)
    if leaks:
        plant(context, *leaks)
        # Whether the server would refuse such a request is not tested here.
        context.route("**/api/submissions", lambda route: route.fulfill(json={"status": "received"}))
    there = Answering(context.new_page(), here)
    there.step = lambda screen: tap.look(there.page, screen)
    there.open().answer(given)
    before = len(tap.steps)
    there.seal()
    if leaks:
        expect(there.root.locator(".part summary").first).to_be_attached()
        there.page.wait_for_timeout(500)
        there.step("sent")
    else:
        there.delivered()
    return tap, before


def plant(context: Any, *leaks: tuple[str, str]) -> None:
    """Change the page's program: insert a leak before each of these texts, in the one file that has it."""
    changed: dict[str, str] = {}
    for text, leak in leaks:
        (file,) = (file for file in client().program if text in file.content.decode())
        changed[file.url] = changed.get(file.url, file.content.decode()).replace(text, leak + text)
    for url, script in changed.items():
        context.route(f"**{url}", sender_of(script))


def sender_of(script: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=script, content_type="text/javascript")


def findings(here: Any, recordings: list[Any]) -> list[str]:
    """Return how these visits differ for someone who watches network and storage, and all traces."""
    found: list[str] = []
    views = []
    for tap, before in recordings:
        found += traces(tap.steps[:before])
        posted = [sent for sent in tap.requests if sent.method != "GET"]
        request = json.loads(posted[0].body) if len(posted) == 1 else {}
        if list(request) != ["survey", "key", "design_id", "body", "nonce"]:
            found.append(f"the request has {list(request)}")
        left = tap.steps[-1].around
        found += [f"left behind: {name}" for name in QUIET if left[name] != QUIET[name]]
        # What was requested after the first screen, in its order, and what was written, without random bytes.
        later = [
            (sent.method, sent.url, len(sent.body or "")) for sent in tap.requests if "/api/" in sent.url
        ]
        loads = [sent.url for step in tap.steps[1:] for sent in step.requests if sent.method == "GET"]
        written = [
            (kind, len(detail) if kind in ("record", "file") else kind)
            for step in tap.steps
            for kind, detail in step.writes
            if not TRIAL.fullmatch(f"{kind} {detail}") and kind not in ("history", "fetch", "file", "record")
        ]
        boxes = [
            len(json.loads(detail)[0]["box"])
            for kind, detail in tap.writes
            if kind == "record" and "box" in json.loads(detail)[0]
        ]
        views.append((later, loads, written, boxes[1:], request.get("body")))
        texts = tap.everything()
        rules = [each.computed for each in here.version.to_design().questions if each.computed]
        keys = [each.key for rule in rules for each in rule.components]
        found += [f"component {key}" for key in keys if f'"{key}"' in texts or f"={key}" in texts]
    for other in views[1:]:
        found += [
            f"{name} differ: {one} {two}"
            for name, one, two in zip(
                ("requests", "loads", "writes", "boxes", "bodies"), views[0], other, strict=True
            )
            if one != two
        ]
    return found


@pytest.mark.soak
def test_someone_who_watches_network_and_storage_finds_no_component_and_no_path(
    publish_definition: Any, device: Any
) -> None:
    """All these people's coins send the same decoy, so everything else must be the same, too."""
    here = publish_definition(composite_document("every member", group={"policy": "protected"}))
    done = [recorded(here, device, given) for given in MEMBERS]
    assert len({len(tap.steps) for tap, _before in done}) > 2
    assert findings(here, done) == []
    assert set(here.bodies) == {expected(here, MEMBERS[0], DECOY)}


@pytest.mark.soak
def test_neutral_questions_make_visits_equal_for_someone_who_counts_screens_requests_and_writes(
    publish_definition: Any, device: Any
) -> None:
    """Answers to neutral questions reach neither network nor storage, and screens are as many."""
    here = publish_definition(evened())
    people: list[dict[str, Any]] = [
        {"contact": 1, "asked": 0, "paid": 1},
        {"contact": 0, "neutral0": 1, "neutral1": 0},
        {"contact": 0, "neutral0": 0, "neutral1": 1},
    ]
    done = [recorded(here, device, given) for given in people]
    assert findings(here, done) == []
    assert len({before for _tap, before in done}) == 1
    assert set(here.bodies) == {expected(here, people[0], DECOY)}
    assert not [tap for tap, _before in done if '"neutral' in tap.everything()]


# Where an answer is stored, and where the request is written.
ANSWERED = "let{[questions[question].key]:_,...others}=state.answers[key]??{};"
REQUEST = "survey,...(code===null?"
COUNTED = (ANSWERED, "(window.seen??=new Set()).add(question);")
LEAKS = {
    "the number of components in the request": (COUNTED, (REQUEST, "seen:window.seen.size,")),
    "a request that is longer with gaps": (
        COUNTED,
        ("JSON.stringify({survey,", "' '.repeat(9-window.seen.size)+"),
    ),
    "a component kept in a database until delivery": ((ANSWERED, "indexedDB.open('draft');"),),
    "a file that is requested after a yes": (
        (ANSWERED, "if(block===1&&question===0&&value===1)import('./whole.js');"),
    ),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", LEAKS)
def test_planted_leaks_of_components_are_found(publish_definition: Any, device: Any, name: str) -> None:
    here = publish_definition(composite_document("every member", group={"policy": "protected"}))
    done = [recorded(here, device, given, LEAKS[name]) for given in MEMBERS[:2]]
    assert findings(here, done) != []


def changed_after_review(here: Any, device: Any, *, leak: Any = None) -> bytes:
    """Reach the review as a woman, change the sex there to man, and send. Return the body."""
    context = device(words=TRUTH, **PHONE)
    if leak:
        plant(context, leak)
    there = Answering(context.new_page(), here).open()
    there.answer({"sex": 0} | items("drink", 2, 1, 0))
    there.root.get_by_role("button", name="Change").first.click()
    there.root.evaluate(CHOOSE, ["man?"])
    there.go_on()
    there.at("review").seal().delivered()
    (body,) = here.bodies
    return body


@pytest.mark.soak
def test_an_open_answer_changed_after_the_review_counts(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("AUDIT-C"))
    now = {"sex": 1} | items("drink", 2, 1, 0)
    assert changed_after_review(here, device) == expected(here, now, TRUTH)
    assert expected(here, now, TRUTH) != expected(here, now | {"sex": 0}, TRUTH)


def test_an_answer_worked_out_at_the_review_only_is_found(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("AUDIT-C"))
    text = "let{design,drawn}=state.sent;let given"
    kept = "if(window.kept)return window.kept;queueMicrotask(()=>window.kept=toSeal(state));"
    leak = (text, kept)
    body = changed_after_review(here, device, leak=leak)
    assert body != expected(here, {"sex": 1} | items("drink", 2, 1, 0), TRUTH)


def test_shown_answers_are_hidden_by_back_and_after_a_minute(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("bribe"))
    context = device(**PHONE)
    page = context.new_page()
    page.clock.install()
    there = Answering(page, here).open().answer({"contact": 1, "asked": 0, "paid": 0})
    assert "Component" not in there.root.inner_text()
    there.press("Show my answers")
    assert there.heading == "Your answers"
    assert "What this device works out, in points: 1" in there.root.inner_text()
    assert "contact?" not in there.root.inner_text().replace("Component contact?", "")
    page.go_back()
    there.at("review")
    page.go_forward()
    page.wait_for_timeout(200)
    assert there.screen == "review"
    there.press("Show my answers")
    page.clock.run_for(59_000)
    assert there.heading == "Your answers"
    page.clock.run_for(2_000)
    there.at("review")


def test_no_component_is_in_memory_after_sealing(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("bribe"))
    there = Answering(device(**PHONE).new_page(), here).open().answer({"contact": 1, "asked": 0, "paid": 0})
    there.press("Show my answers")
    there.press("Back")
    there.at("review").seal().delivered()
    there.page.wait_for_timeout(1_500)
    assert set(phases_in_memory(there.page)) == {"Opening", "Delivering"}


def test_the_way_out_is_below_every_component_and_leaves_no_answer(
    publish_definition: Any, device: Any
) -> None:
    here = publish_definition(composite_document("bribe"))
    page = device(**PHONE).new_page()
    there = Answering(page, here).open().answer({"contact": 1}, until="question:asked")
    there.press("Leave this page now")
    page.wait_for_url("about:blank")
    assert here.bodies == []


@pytest.mark.soak
def test_all_on_one_page_shows_followers_and_sends_the_same(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("bribe"))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.press("All on one page")

    def field(key: str) -> Any:
        return there.root.get_by_role("group", name=f"Component {key}?", exact=True)

    expect(field("paid")).to_be_hidden()
    field("contact").evaluate(CHOOSE, ["Yes"])
    expect(field("paid")).to_be_visible()
    expect(there.root.get_by_role("status").last).to_contain_text("More questions were added")
    there.press("Check your answers")
    expect(field("asked").locator(".error")).to_be_visible()
    field("asked").evaluate(CHOOSE, ["No"])
    field("paid").evaluate(CHOOSE, ["Yes"])
    there.press("Check your answers")
    there.seal().delivered()
    assert here.bodies == [expected(here, {"contact": 1, "asked": 0, "paid": 1}, TRUTH)]


@pytest.mark.soak
def test_surveys_without_composites_load_nothing_of_them(publish: Any, visit: Any) -> None:
    there = visit(publish()).walk({}, until="question:years")
    assert not [url for url in there.loaded if "compos" in url]


def evened(**stated: Any) -> dict[str, Any]:
    """Return the survey on bribes, with neutral questions for people who had no contact."""
    definition = composite_document("bribe", **stated)
    definition["blocks"][0]["questions"][0]["computed"]["neutral"] = neutral_questions(2)
    return definition


GREEN, CLOCK = (entry["text"]["en"] for entry in neutral_questions(2) or [])
CONTACT, NO_CONTACT = {"contact": 1, "asked": 0, "paid": 1}, {"contact": 0}


def walked(there: Any, given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Answer the components given, and yes to all other questions; return each heading with its progress."""
    there.open()
    seen = []
    for _screen in there.screens(until="review"):
        heading = there.heading
        progress = there.root.locator("progress, .progress").all_inner_texts()
        seen.append((heading, " ".join(progress)))
        if heading.startswith("Component") or heading in (GREEN, CLOCK):
            key = heading.removeprefix("Component ").removesuffix("?")
            there.root.evaluate(CHOOSE, ["Yes" if given.get(key, 1) else "No"])
        there.go_on()
    return seen


def test_everyone_sees_as_many_questions_and_no_answer_to_a_neutral_one_is_sent(
    publish_definition: Any, device: Any
) -> None:
    here = publish_definition(evened())
    seen = {}
    for name, given in (("contact", CONTACT), ("none", NO_CONTACT)):
        there = Answering(device(words=TRUTH, **PHONE).new_page(), here)
        seen[name] = walked(there, given)
        there.press("Show my answers")
        seen[f"{name}, answers"] = there.root.locator(".answers dt").all_inner_texts()
        there.press("Back")
        there.at("review").seal().delivered()
    assert [heading for heading, _ in seen["none"][-3:]] == ["Component contact?", GREEN, CLOCK]
    assert [progress for _, progress in seen["none"]] == [progress for _, progress in seen["contact"]]
    assert len(seen["none, answers"]) == len(seen["contact, answers"]) == 3
    assert sorted(here.bodies) == sorted(expected(here, given, TRUTH) for given in (CONTACT, NO_CONTACT))


@pytest.mark.soak
def test_respondents_read_before_that_neutral_questions_count_for_nothing(
    publish_definition: Any, device: Any
) -> None:
    for definition, says, not_said in (
        (evened(slug="evened"), "Answers to everyday questions are not sent", "and take longer."),
        (composite_document("bribe"), "and take longer.", "everyday question"),
    ):
        there = Answering(device(words=TRUTH, **PHONE).new_page(), publish_definition(definition)).open()
        there.go_on()
        there.at("block:bribe-part")
        text = there.root.inner_text()
        assert says in text
        assert not_said not in text
        assert ("You will see 3 questions." in text) == ("everyday" in text)
        assert ("You will see up to 3 questions." in text) == ("everyday" not in text)


@pytest.mark.soak
def test_all_on_one_page_exchanges_follow_ups_and_neutral_questions(
    publish_definition: Any, device: Any
) -> None:
    here = publish_definition(evened())
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.press("All on one page")
    fields = there.root.locator("fieldset:visible")
    expect(fields).to_have_count(3)
    there.root.get_by_role("group", name="Component contact?").evaluate(CHOOSE, ["Yes"])
    expect(there.root.get_by_role("group", name=GREEN)).to_be_hidden()
    expect(there.root.get_by_role("group", name="Component paid?")).to_be_visible()
    expect(there.root.get_by_role("status").last).to_contain_text("were exchanged because of your answer")
    there.root.get_by_role("group", name="Component contact?").evaluate(CHOOSE, ["No"])
    expect(fields).to_have_count(3)
    there.press("Check your answers")
    # A neutral question is answered under the same rule as the follow-up that it replaces.
    expect(there.root.get_by_role("group", name=GREEN).locator(".error")).to_be_visible()
    for name in (GREEN, CLOCK):
        there.root.get_by_role("group", name=name).evaluate(CHOOSE, ["Yes"])
    there.press("Check your answers")
    there.seal().delivered()
    assert here.bodies == [expected(here, NO_CONTACT, TRUTH)]


def of_forty(**stated: Any) -> dict[str, Any]:
    """Return a definition whose only question has forty components with long texts."""
    definition = composite_document("at least one of ten", **stated)
    (block,) = definition["blocks"]
    (question,) = block["questions"]
    act = question["computed"]["components"][0]
    words = "Did a person in your team do this to you in the last twelve months, number"
    question["computed"]["components"] = [
        act
        | {
            "key": f"act{number}",
            "text": {
                "en": f"{words} {number}?",
                "zh-hans": f"过去十二个月里，团队里有人对你做过第 {number} 件事吗？",
            },
        }
        for number in range(1, 41)
    ]
    question["computed"]["missing"]["at_most"] = 8
    return definition


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.few("en", why="English words are longer")
def test_forty_components_fit_a_phone_and_paper_and_axe_finds_nothing(
    publish_definition: Any, device: Any, language: str
) -> None:
    here = publish_definition(of_forty())
    page = device(bypass_csp=True, reduced_motion="reduce", **PHONE).new_page()
    page.goto(here.address.replace("/en/", f"/{language}/"))
    starts = page.locator("#root .actions button")
    starts.nth(1).click()
    expect(page.locator("#root fieldset")).to_have_count(40)
    wrong = {}

    def check(name: str) -> None:
        found = violations(page)
        if found != "[]" or width_of(page) > 360:
            wrong[name] = (found, width_of(page))

    check("one page")
    page.emulate_media(media="print")
    assert width_of(page) <= 360
    assert page.locator("#root fieldset:visible").count() == 40
    page.emulate_media(media="screen")
    page.locator("#root fieldset").nth(39).locator("label").first.click()
    page.locator("#root .actions button.button").last.click()
    page.locator("#root .answers").wait_for()
    check("review")
    page.locator("#root .answers button").click()
    expect(page.locator("#root .answers dt")).to_have_count(40)
    check("shown answers")
    page.reload()
    page.locator("#root .actions button").first.click()
    expect(page.locator("#root details")).to_have_count(1)
    check("part")
    page.locator("#root .actions button").first.click()
    page.locator("#root fieldset").wait_for()
    check("component")
    assert wrong == {}


@pytest.mark.soak
def test_the_way_out_stays_in_sight_of_forty_questions_and_of_the_shown_answers(
    publish_definition: Any, device: Any
) -> None:
    """Someone may come into the room at question 20, when the end of the page is far away."""
    here = publish_definition(of_forty())
    page = device(**PHONE).new_page()
    page.goto(here.address)
    page.locator("#root .actions button").nth(1).click()
    # The first screen, which stays until the questions have loaded, has a fieldset too.
    expect(page.locator("#root fieldset")).to_have_count(40)
    way_out = page.get_by_role("button", name="Leave this page now")
    for number in (0, 20, 39):
        page.locator("#root fieldset").nth(number).locator("label").last.click()
        expect(way_out).to_be_in_viewport()
    # The bar does not cover what has the focus: Tab backwards to the question above.
    page.keyboard.press("Shift+Tab")
    focused, bar = page.evaluate(
        "() => [document.activeElement, document.querySelector('.exit')]"
        ".map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    )
    assert focused[0] >= bar[1] or focused[1] <= bar[0]
    page.emulate_media(media="print")
    expect(way_out).to_be_hidden()
    page.emulate_media(media="screen")
    for number in range(1, 39):
        page.locator("#root fieldset").nth(number).locator("label").last.click()
    page.locator("#root .actions button.button").last.click()
    page.get_by_role("button", name="Show my answers").click()
    page.locator("#root .answers dd").last.scroll_into_view_if_needed()
    back = page.get_by_role("button", name="Back")
    expect(back).to_be_in_viewport()
    expect(way_out).to_be_in_viewport()
    back.click()
    expect(page.get_by_role("button", name="Show my answers")).to_be_visible()
    page.get_by_role("button", name="Show my answers").click()
    way_out.click()
    page.wait_for_url("about:blank")
    assert here.bodies == []


@pytest.mark.soak
def test_components_are_answered_by_keyboard(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("bribe"))
    page = device(words=TRUTH, **PHONE).new_page()
    there = Answering(page, here).open()
    page.keyboard.press("Tab")
    there.go_on()
    for screen, keys in (
        ("block:bribe-part", ("Tab", "Tab", "Enter")),
        ("question:contact", ("Tab", "Space", "Enter")),
        ("question:asked", ("Tab", "ArrowDown", "ArrowUp", "Enter")),
        ("question:paid", ("Tab", "ArrowDown", "Enter")),
    ):
        there.at(screen)
        assert page.evaluate("document.activeElement.tagName") == "H2"
        for key in keys:
            page.keyboard.press(key)
    there.at("review").seal().delivered()
    assert here.bodies == [expected(here, {"contact": 1, "asked": 1, "paid": 0}, TRUTH)]


@pytest.mark.soak
def test_a_preview_asks_components_and_sends_nothing(researcher: Any, device: Any, live_server: Any) -> None:
    document = composite_document("bribe")
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    page = researcher("", bypass_csp=False)
    here = Published(
        version=None, definition=document, address=f"{live_server.url}/en/staff/surveys/work/build/preview/"
    )
    there = Answering(page, here).open().answer({"contact": 1, "asked": 0, "paid": 1})
    there.press("Show my answers")
    assert "in points: 3" not in there.root.inner_text()
    assert "in points: 2" in there.root.inner_text()
    there.press("Back")
    there.at("review").seal()
    expect(there.root.locator("h2").first).to_have_text("This was a preview")
    assert not Receipt.objects.exists()


def rotating() -> dict[str, Any]:
    """Return a definition with two composite questions and a plain one, of which each device asks two."""
    definition = composite_document("bribe")
    (block,) = definition["blocks"]
    (bribe,) = block["questions"]
    (score,) = composite_document("at least one of ten")["blocks"][0]["questions"]
    score["computed"]["components"] = score["computed"]["components"][:2]
    score["computed"]["missing"]["at_most"] = 1
    plain = {"key": "plain", "kind": "yes_no", "unrelated": [5000], "prevalence": [5000]}
    block["questions"] = [bribe, plain | {"text": {"en": "Plain?", "zh-hans": "直接？"}}, score]
    block["questions_per_person"] = 2
    return definition


@pytest.mark.soak
def test_devices_ask_only_the_components_of_drawn_composites(publish_definition: Any, device: Any) -> None:
    """The first word of TRUTH draws the first set: the composite *bribe* and the plain question."""
    here = publish_definition(rotating())
    design = here.version.to_design()
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    seen = []
    there.step = seen.append
    there.answer({"contact": 1, "asked": 1, "paid": 0, "plain": 1, "act1": 1})
    assert [name for name in seen if name.startswith("question")] == [
        f"question:{key}" for key in ("contact", "asked", "paid", "plain")
    ]
    there.seal().delivered()
    (body,) = here.bodies
    sent = Layout(design).unpack(body)
    assert sent.answers == ((2, 1, None),)
    assert sent.drawn == ((0, 1),)


@pytest.mark.soak
def test_two_composites_of_one_part_are_asked_and_sent_together(publish_definition: Any, device: Any) -> None:
    definition = rotating()
    del definition["blocks"][0]["questions_per_person"]
    here = publish_definition(definition)
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.go_on()
    there.at("block:bribe-part")
    text = there.root.inner_text()
    assert "You will see up to 6 questions." in text
    assert "this device works out 3 answers, disguises them, and sends only these" in text
    assert text.count("sends only") == 1
    assert "This device sends your 3 real answers" in text
    there.answer({"contact": 0, "plain": 0, "act1": 0, "act2": 1})
    assert there.root.locator(".answers dt").all_inner_texts() == ["6 questions"]
    there.seal().delivered()
    (body,) = here.bodies
    assert Layout(here.version.to_design()).unpack(body).answers == ((0, 0, 1),)


@pytest.mark.soak
def test_several_answers_of_one_part_are_not_called_one(publish_definition: Any, device: Any) -> None:
    """Three forms of violence used to read that one answer is yes after one yes to any of fifteen."""
    here = publish_definition(ready_template("violence"))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.walk({}, until="block:partner")
    text = there.root.inner_text()
    assert "this device works out 3 answers" in text
    assert text.count("Each of these is worked out from some of the questions. It is “yes” if") == 1
    assert "The answer is “yes”" not in text
    # Each of the three allows one gap, so no number of gaps holds for the part.
    assert "You can leave some questions empty; each of them says so." in text
    assert "If you leave one question empty" not in text


@pytest.mark.soak
def test_the_review_says_once_that_only_the_computed_answers_are_sent(
    publish_definition: Any, device: Any
) -> None:
    second = blocks_of(DESIGNS["at least one of ten"])
    here = publish_definition(composite_document("bribe", blocks=[*blocks_of(DESIGNS["bribe"]), *second]))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.answer({"contact": 0} | items("act", *[0] * 10))
    assert there.root.inner_text().count("Only what this device works out from your answers is sent.") == 1
    assert there.root.locator(".answers dd").all_inner_texts() == [
        "Answered. Only what this device works out from your answers is sent.\nShow my answers",
        "Answered\nShow my answers",
    ]


@pytest.mark.soak
def test_a_part_with_different_rules_promises_no_gap_that_only_one_of_them_allows(
    publish_definition: Any, device: Any
) -> None:
    (part,), (other,) = (blocks_of(DESIGNS[name]) for name in ("five items, one gap", "PHQ-9 algorithm"))
    part["questions"] += other["questions"]
    here = publish_definition(composite_document("bribe", blocks=[part]))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    there.go_on()
    there.at(f"block:{part['key']}")
    text = there.root.inner_text()
    assert "You can leave some questions empty; each of them says so." in text
    assert "If you leave one question empty" not in text
    assert text.count("Each answer has points.") == 1
    seen = []
    there.step = lambda screen: seen.append((screen, "You can leave this empty." in there.root.inner_text()))
    there.answer(items("feel", 1, 1, 1, 1, None) | items("symptom", *[1] * 9))
    says = {screen: said for screen, said in seen if screen.startswith("question")}
    assert says == {f"question:feel{number}": True for number in range(1, 6)} | {
        f"question:symptom{number}": False for number in range(1, 10)
    }


@pytest.mark.soak
def test_a_cut_off_is_not_called_something_that_people_did(publish_definition: Any, device: Any) -> None:
    here = publish_definition(composite_document("AUDIT-C"))
    there = Answering(device(words=TRUTH, **PHONE).new_page(), here).open()
    for _screen in there.screens(until="block:risky-part"):
        there.go_on()
    text = there.root.inner_text()
    # 100 (1 - .6) .5, for people below four points.
    assert "20 of 100 people whose true answer is “no” send “yes”. So a “yes” proves nothing." in text
    assert "never did it" not in text


@pytest.mark.soak
def test_a_light_strength_and_a_direct_answer_hold_for_the_computed_answer_alone(
    publish_definition: Any, device: Any
) -> None:
    here = publish_definition(composite_document("bribe", group={"policy": "choice"}))
    there = Answering(device(words=DECOY, **PHONE).new_page(), here).open()
    there.go_on()
    there.at("group")
    there.root.get_by_role("radio").nth(1).check()
    there.go_on()
    there.at("block:bribe-part")
    text = there.root.inner_text()
    assert "this device works out one answer and sends it as it is" in text
    assert "disguises it" not in text
    there.answer({"contact": 1, "asked": 0, "paid": 0})
    there.seal().delivered()
    (body,) = here.bodies
    sent = Layout(here.version.to_design()).unpack(body)
    assert (sent.direct, sent.answers) == (True, ((1,),))
