"""Every page of a survey gives the promise's figures for "how sure", and no others."""

import html
import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from privacy.risk.promise import percent
from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.models import Run, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.draft_plan import plan, planned_document
from surveys.questionnaire.plan_changes import changes
from surveys.questionnaire.promise_words import promise_sentence, promise_texts, promise_to
from surveys.report.risk_page import risk_view
from surveys.respondent.first_texts import LABEL
from surveys.respondent.scale_texts import SCALE
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.runs import answered_version, audited_run, definition, mined_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db
CERTAIN = re.compile(
    r"\b(sure|surer|surest|certain\w*|recogni\w+|suspects?|conclude|recommends?|one answer|one sheet)\b"
    r"|50:50|even chance|taken together|told to be true",
    re.IGNORECASE,
)
"""Recognises sentences about how sure someone becomes."""
PERCENT = re.compile(r"(\d+(?:\.\d+)?)(?:\s*%| (?:of|in) (?:100|a hundred)\b)")
PARAMETER = re.compile(r"\bset p to at most [\d.]+ ?%|\bat least [\d.]+ ?% of random answers skips")
"""Recognises remedies, which state how often a device sends the truth, or a random skip."""

EARLIER = (
    "Someone who starts at 50:50 about a disguised answer becomes at most 96 % sure.",
    "From one sheet they can be about 68 % sure of a single sensitive answer.",
    "The most an expert could conclude from one part about one answer is 84.3 %, for cheat.",
    "That you skipped: at most 91% sure.",
    "In point 3 Sottovoce recommends: at most 96 %.",
    "It is right in up to 91 of 100 cases to be sure.",
)
"""Sentences that earlier pages had, each with another figure."""

AIM = Aim(people=400, wanted=("late", "cheat"), shares={"late": 3000, "cheat": 2000})
HOURS = {
    "key": "hours",
    "kind": "number",
    "text": {"en": "How many hours?"},
    "number": {"mechanism": "square_wave", "epsilon": 1.0, "low": 0, "high": 40, "bin": 1},
}
SIX = [yes_no(f"q{number}") for number in range(6)]
DRAFTS = {
    "as it was written": definition(policy="protected"),
    "two strengths": definition(light=True),
    "rotating, with a skip and a number": document_of(
        unprotected("open", {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}),
        protected("b", *SIX, refusal=500),
        {"key": "n", "protected": True, "title": {"en": "Time"}, "questions": [HOURS], "refusal": True},
    ),
}


def texts_of(answer: HttpResponse) -> Iterator[str]:
    """Yield the visible texts of a response, which may be a page, a text or an archive."""
    if answer.headers["Content-Type"] == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            for name in archive.namelist():
                yield archive.read(name).decode()
        return
    yield answer.content.decode()


def claims(text: str) -> Iterator[tuple[str, set[float]]]:
    """Yield each sentence about how sure someone becomes, with its figures."""
    text = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", text)
    text = re.sub(r"</?(p|li|td|th|tr|dd|dt|h\d|div|label|button|option|summary|section)\b[^>]*>", "\n", text)
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    for line in text.splitlines():
        for sentence in re.split(r"(?<=[.!?])\s", re.sub(r"\s+", " ", line)):
            figures = {float(figure) for figure in PERCENT.findall(PARAMETER.sub("", sentence))}
            if figures and CERTAIN.search(sentence):
                yield sentence, figures


def disagreeing(texts: Iterator[str], allowed: set[float]) -> list[str]:
    return [sentence for text in texts for sentence, figures in claims(text) if not figures <= allowed]


def figures_of(drafted: Definition) -> set[float]:
    """Return the promise's figures for both strengths."""
    made = [promise_to(drafted.design, direct=direct) for direct in (False, True)]
    return {
        float(figure)
        for each in made
        if each
        for figure in (each.one_of_100, each.skip_of_100, each.of_100)
        if figure
    }


def chosen_limits(aim: Aim) -> set[float]:
    limits = (aim.protection.answer, aim.protection.skip, aim.protection.everything)
    return {float(figure) for odds in limits if (figure := percent(odds))}


def pages_of(client: Client, survey: Survey) -> Iterator[tuple[str, HttpResponse]]:
    """Yield a survey's staff pages, and its documents for a board and a registry."""
    names = [
        *(f"authoring:{name}" for name in ("plan", "builder", "draft", "publish", "made_up", "preview")),
        *(f"audit:{name}" for name in ("draft", "risk")),
        *(f"export:{name}" for name in ("documents", "data")),
        "report:survey",
    ]
    for name in names:
        yield name, client.get(reverse(name, args=[survey.slug]))
    documents = reverse("export:documents", args=[survey.slug])
    yield "ethics", client.post(documents, {"kind": "ethics"})
    fixed = {"planned": "400", "support": "0.1", "confidence": "0.5", "max_size": "2"}
    yield "preregistration", client.post(documents, {"kind": "preregistration", "expected": "", **fixed})


def run_pages_of(client: Client, run: Run) -> Iterator[tuple[str, HttpResponse]]:
    names = ("run", "results", "itemsets", "rule_tests", "printed", "paper", "share", "compare", "about")
    for name in (*(f"report:{each}" for each in names), "report:regression", "report:practice", "audit:run"):
        yield name, client.get(reverse(name, args=[run.pk]))


def builder_of(client: Client, survey: Survey, aim: Aim) -> None:
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=survey.pk).update(owner=owner, aim=aim.to_json())
    client.force_login(owner)


@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize("laid_out", [False, True])
@pytest.mark.few("True-rotating, with a skip and a number", why="it has the most figures")
def test_every_page_of_a_draft_shows_the_figures_of_its_promise(
    client: Client, name: str, laid_out: bool
) -> None:
    document: Any = DRAFTS[name]
    drafted = definition_parse(document)
    aim = AIM if "late" in {item.key for item in drafted.design.items} else Aim(people=900)
    aim = aim.within(drafted.design)
    if laid_out:
        drafted = definition_parse(planned_document(drafted, aim))
    survey = survey_import(drafted.document, by="alice")
    builder_of(client, survey, aim)
    allowed = figures_of(drafted) | chosen_limits(aim)
    proposal = plan(drafted, aim)
    assert proposal is not None
    planned = figures_of(proposal.definition).union(
        *(figures_of(change.plan.definition) for change in changes(drafted, aim))
    )
    found = {page: list(texts_of(answer)) for page, answer in pages_of(client, survey)}
    for page, texts in found.items():
        own = planned if page == "authoring:plan" else allowed
        assert disagreeing(iter(texts), own) == [], page
    # Pages that must state the promise do so.
    said = promise_to(drafted.design, direct=False)
    assert said is not None
    for page in ("audit:risk", "authoring:publish", "audit:draft", "ethics"):
        assert promise_sentence(said) in html.unescape(" ".join(" ".join(found[page]).split())), page


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.few("True", why="it has the most figures")
def test_every_page_of_a_run_shows_the_figures_of_its_promise(client: Client, light: bool) -> None:
    policy = {} if light else {"policy": "protected"}
    run = audited_run(mined_run(answered_version(800, n_direct=160 if light else 0, light=light, **policy)))
    drafted = definition_parse(run.survey.definition)
    builder_of(client, run.survey, AIM)
    allowed = figures_of(drafted) | chosen_limits(AIM)
    said = promise_to(drafted.design, direct=False)
    assert said is not None
    for page, answer in [*run_pages_of(client, run), *pages_of(client, run.survey)]:
        if page == "authoring:plan":
            continue
        assert disagreeing(texts_of(answer), allowed) == [], page
        if page in ("report:results", "report:about", "audit:risk"):
            assert promise_sentence(said) in html.unescape(" ".join(answer.content.decode().split())), page


def test_a_sentence_with_a_different_figure_is_detected(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafted = definition_parse(DRAFTS["as it was written"])
    survey = survey_import(drafted.document, by="alice")
    builder_of(client, survey, AIM)
    monkeypatch.setattr(risk_view, "remaining", lambda _audited: iter(EARLIER))
    page = client.get(reverse("audit:risk", args=[survey.slug]))
    allowed = figures_of(drafted) | chosen_limits(AIM)
    assert disagreeing(texts_of(page), allowed) == list(EARLIER)


def test_respondents_see_no_limit_except_the_promise() -> None:
    """The exception is a place that is exact outside sensitive areas, which the promise excludes."""
    texts = {key: str(text) for key, text in (SCALE | LABEL).items()}
    limits = {key for key, text in texts.items() if "% sure" in text}
    apart = {"place_likely", "place_where", "place_levels", "place_skip"}
    assert limits == apart | {"place_likely_skip", "place_skip_levels"}
    promised = [text for key, text in promise_texts().items() if "promise" in key]
    # The short promise of the first page says the same as how often someone is still wrong.
    # That parts take turns is the condition of the figure of all waves.
    # It continues with the figure of “Prefer not to say”.
    said = (
        "% sure",
        "nearly sure",
        "is still wrong {",
        "say”: {s}",
        "of this series: {m}",
        "in one survey only",
    )
    assert [text for text in promised if not any(words in text.lower() for words in said)] == []


@pytest.mark.parametrize("strength", ["light", "medium", "strong"])
def test_recommendations_never_exceed_the_chosen_protection(client: Client, strength: str) -> None:
    """The warning for a draft above the chosen protection names that protection's limits."""
    aim = Aim(people=5000, strength=strength)
    survey = survey_import(document_of(protected("b", *SIX, p=7500)), by="alice")
    builder_of(client, survey, aim)
    draft = client.get(reverse("authoring:draft", args=[survey.slug])).json()
    said = " ".join(finding["message"] for finding in draft["findings"] if finding["code"] == "question_odds")
    assert f"we recommend odds of at most {float(aim.protection.answer):.3g}" in said or strength == "light"
    page = html.unescape(client.get(reverse("audit:risk", args=[survey.slug])).content.decode())
    one, everything = (percent(odds) for odds in (aim.protection.answer, aim.protection.everything))
    assert f"at most {one}% from one answer, at most {everything}% from everything together" in page
    assert "protects less than recommended" in page
