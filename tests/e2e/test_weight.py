"""The size and origin of a visit's downloads."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, Response, expect

import surveys
from surveys.questionnaire.languages import respondent_languages
from surveys.respondent.client_program import client
from tests.e2e.survey import ANSWERS, workplace
from tests.e2e.tap import LATER
from tests.e2e.visit import Visit
from tests.fixtures.composite_templates import filled_in
from tests.fixtures.drafts import only_in
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.first_question import QUESTION, effort_to_question_one
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.own_surveys import OWN, own_survey

pytestmark = pytest.mark.django_db(transaction=True)

# Bytes of a visit, bytes before the page can be used, and requests.
WHOLE, FIRST, REQUESTS = 60_000, 40_000, 14
# Bytes and requests of the survey with everything: numbers, places, rotating questions, two ways, codes.
# Three requests are for later styles, sentences on ways to answer, and a number's field, which once came in
# one file with what else numbers and places need. That file compressed better, by .9 kB: the price of 40 kB
# for surveys that begin with a number.
HEAVIEST = 66_000, 22
DEFINITIONS = Path(surveys.__file__).parent / "definitions"
EVERYDAY = DEFINITIONS / "everyday.json"
SHIPPED = sorted(DEFINITIONS.rglob("*.json"))


def explained_alike(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a survey once for each of its explanations, which all of its arms then read."""
    explanations = document.get("explanations")
    if explanations is None:
        return [document]
    texts = explanations["texts"]
    return [
        document
        | {"slug": f"told-{arm}", "explanations": explanations | {"texts": dict.fromkeys(texts, text)}}
        for arm, text in texts.items()
    ]


# Each shipped survey, with each of its explanations.
FIRST_PAGES = {
    f"{file.parent.name}-{file.stem}-{document['slug']}": document
    for file in SHIPPED
    for document in explained_alike(filled_in(json.loads(file.read_text("utf-8"))))
}
# A researcher's own surveys, which begin with a disguised part, with and without titles.
OWN_PAGES = {
    f"{first}-{is_titled}": own_survey(first, is_titled=is_titled)
    for first in OWN
    for is_titled in (True, False)
}
NUMBERS_FIRST = {name: document for name, document in OWN_PAGES.items() if name.startswith("number-")}
# Bytes, words that are read, and taps until the first question can be answered.
BYTES, WORDS, TAPS = 40_000, 110, 2
# What loads while respondents may already answer the first question.
REST = re.compile(
    r".*/(((before|end|scale|number)(-[a-z-]+)?|(choice|assigned)-[a-z-]+|groups|composed|composites-[a-z-]+"
    r"|composite-answers)\.js|later\.css)"
)
REST_OWN = re.compile(r".*/((end(-[a-z-]+)?|composed|composites-[a-z-]+|composite-answers)\.js|later\.css)")
REST_NUMBER = re.compile(
    r".*/(((before|end|scale)(-[a-z-]+)?|places|composed|composites-[a-z-]+|composite-answers)\.js|later\.css)"
)


def weight(response: Response) -> int:
    """Return the compressed size of a response's body on the network."""
    # Cached responses have size -1, such as the script that page and worker share.
    return max(response.request.sizes()["responseBodySize"], 0)


def sent_bytes(response: Response) -> int:
    """Return the size of a response with its headers on the network; 0 if it is cached."""
    sizes = response.request.sizes()
    return sizes["responseBodySize"] + sizes["responseHeadersSize"] if weight(response) else 0


def within(responses: list[Response], whole: int = WHOLE, requests: int = REQUESTS) -> None:
    weights = [(response.url, size) for response in responses if (size := weight(response))]
    assert len(weights) <= requests, weights
    assert sum(size for _, size in weights) <= whole, weights
    first = [(url, size) for url, size in weights if not LATER.fullmatch(url)]
    # The list has at least the page, its style and three scripts; otherwise the sum would prove nothing.
    assert len(first) >= 5
    assert sum(size for _, size in first) <= FIRST, first


def loaded(context: BrowserContext, open_page: Callable[[Page], None]) -> list[Response]:
    """Open a page and wait until it loads nothing more."""
    responses: list[Response] = []
    context.on("response", lambda response: responses.append(response))
    page = context.new_page()
    open_page(page)
    page.wait_for_load_state("networkidle")
    return responses


def test_a_visit_downloads_at_most_60_kilobytes_from_this_server_only(publish, device):
    here = publish()
    context = device()

    def answer(page):
        Visit(page, here.address, here.definition).open().walk(ANSWERS).seal().delivered()

    responses = loaded(context, answer)
    assert {urlsplit(response.url).netloc for response in responses} == {urlsplit(here.address).netloc}
    within(responses)


@pytest.mark.soak
@pytest.mark.parametrize("name", FIRST_PAGES | OWN_PAGES)
def test_the_first_question_needs_few_bytes_words_and_taps(publish_definition, device, name):
    """Everything that it does not need is held back here, so the question does not depend on it."""
    here = publish_definition((FIRST_PAGES | OWN_PAGES)[name])
    for language in ("en", "zh-hans"):
        context = device()
        # A disguised part that comes first needs what its screens say, or the field of a number.
        held_back = REST_NUMBER if name.startswith("number-") else REST_OWN if name in OWN_PAGES else REST
        context.route(held_back, lambda route: route.abort())
        responses: list[Response] = []
        context.on("response", lambda response, into=responses: into.append(response))
        page = context.new_page()
        page.goto(here.address.replace("/en/", f"/{language}/"))
        words, taps = effort_to_question_one(page, language)
        page.locator(QUESTION).first.click()
        assert words <= WORDS, (language, words)
        assert taps <= TAPS, (language, taps)
        weights = [(response.url, sent_bytes(response)) for response in responses]
        assert len(weights) >= 8
        assert sum(size for _, size in weights) <= BYTES, (language, weights)


LANGUAGES = [tag for tag in respondent_languages() if tag not in dict(settings.LANGUAGES)]


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FIRST_PAGES | NUMBERS_FIRST)
def test_the_first_question_needs_40_kilobytes_in_each_language(publish_definition, device, name, language):
    """With headers, and with what question 1 does not need held back.

    The page speaks a survey's own languages, so the English questions count as questions in this language.
    """
    document = only_in(language, (FIRST_PAGES | NUMBERS_FIRST)[name])
    here = publish_definition(document | {"languages": [language]})
    context = device()
    context.route(REST if name in FIRST_PAGES else REST_NUMBER, lambda route: route.abort())
    responses: list[Response] = []
    context.on("response", lambda response: responses.append(response))
    page = context.new_page()
    page.goto(f"{here.address}{language}/")
    effort_to_question_one(page, language)
    page.locator(QUESTION).first.click()
    weights = [(response.url, sent_bytes(response)) for response in responses]
    names = {url.rpartition("/")[2] for url, _size in weights}
    assert {each for each in names if each.startswith("first-")} == {f"first-{language}.js"}
    assert sum(size for _, size in weights) <= BYTES, weights


@pytest.mark.soak
def test_respondents_cannot_pass_question_one_without_the_sending_script(publish, reader):
    """If the network fails after the first question, respondents already have everything they need."""
    reader.route("**/program/*/end.js*", lambda route: route.abort())
    for policy in ("protected", "choice"):
        here = publish(slug=policy, group={"policy": policy})
        there = Visit(reader, here.address, here.definition).open()
        for screen in there.screens(until="sent"):
            if screen == "group":
                there.root.get_by_role("radio").first.check()
            if screen.startswith("question:"):
                there.choose(ANSWERS)
                there.go_on()
                break
            there.go_on()
        expect(there.root.get_by_role("heading", name="The survey did not load completely")).to_be_visible()
        expect(there.root).not_to_contain_text("module")
        assert here.bodies == []


@pytest.mark.soak
def test_the_heaviest_invited_page_stays_within_the_size_limit(live_server, device):
    """Chinese texts need more bytes than English ones."""
    design = workplace(group={"policy": "choice"}, practice=True)
    everything = everyday_definition(group=design["group"], practice=True)
    version = invited(everything)

    def open_page(page):
        page.goto(f"{live_server.url}/zh-hans/s/everyday/#{codes_of(version)[0]}")
        expect(page.locator("#root button").first).to_be_visible()

    within(loaded(device(), open_page), *HEAVIEST)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("definition", "loaded_parts"),
    [
        (json.loads(EVERYDAY.read_text("utf-8")), {"drawing"}),
        (workplace(group={"policy": "choice"}), {"groups", "choice"}),
        (workplace(), set()),
    ],
    ids=["drawn questions", "two ways to answer", "neither"],
)
def test_a_survey_loads_only_the_parts_that_it_needs(publish_definition, device, definition, loaded_parts):
    """Drawn questions used to load invitations and the choice of a group, too."""
    here = publish_definition(definition)
    responses = loaded(device(), lambda page: Visit(page, here.address, here.definition).open())
    names = [re.sub(r".*/([a-z]+)(-[a-z-]+)?\.js$", r"\1", urlsplit(each.url).path) for each in responses]
    assert "client" in names
    assert {*names} & {
        "groups",
        "choice",
        "assigned",
        "invitation",
        "drawing",
        "turns",
        "again",
        "composites",
        "composed",
        "panel",
        "arms",
    } == loaded_parts


@pytest.mark.soak
def test_every_script_that_the_page_loads_is_in_the_client_digest(publish, device):
    here = publish()
    responses = loaded(device(), lambda page: Visit(page, here.address, here.definition).open())
    scripts = {path for response in responses if (path := urlsplit(response.url).path).endswith(".js")}
    assert scripts
    assert scripts <= {file.url for file in client().files}


@pytest.mark.soak
def test_a_missing_script_is_reported_before_the_first_question(publish, device):
    """The script that shows questions loads after the first screen; without it, nothing may be asked."""
    context = device()
    context.route("**/program/*/later.js*", lambda route: route.abort())
    here = publish(group={"policy": "choice"})
    there = Visit(context.new_page(), here.address, here.definition).open()
    there.press("Start")
    expect(there.root.get_by_role("heading", name="The survey did not load completely")).to_be_visible()
    expect(there.root.get_by_text("Nothing was sent.")).to_be_visible()
    expect(there.root.locator("input")).to_have_count(0)


@pytest.mark.soak
def test_a_first_number_can_be_answered_but_not_left_before_the_rest_has_arrived(publish_definition, reader):
    """Its disguise and what others could find out load meanwhile; a failed file is requested again."""
    here = publish_definition(OWN_PAGES["number-False"])
    late = re.compile(r".*/scale\.js.*")
    reader.route(late, lambda route: route.abort())
    reader.goto(here.address)
    effort_to_question_one(reader, "en")
    reader.locator("input[type=number]").first.fill("7")
    expect(reader.get_by_text("Counts as:")).to_be_visible()
    expect(reader.get_by_text("This device sends a random number.")).to_be_visible()
    reader.get_by_role("button", name="Continue").click()
    expect(reader.get_by_role("heading", name="The survey did not load completely")).to_be_visible()
    assert here.bodies == []
    reader.unroute(late)
    reader.get_by_role("button", name="Try again").click()
    expect(reader.locator("input[type=number]").first).to_have_value("7")
    fold = reader.locator("#root details").first
    fold.locator("summary").click()
    expect(fold).to_contain_text("50:50")
    reader.get_by_role("button", name="Continue").click()
    expect(reader.locator("input[type=number]")).to_have_count(0)
