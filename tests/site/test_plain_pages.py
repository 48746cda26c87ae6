"""The nine pages of the plain view have no Greek letters, their names or p, in either language."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.models import Run, StaffPreference, Survey
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.runs import answered_version, definition, mined_run
from tests.fixtures.scale_runs import scale_definition
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

GREEK = r"[\u0370-\u03ff\u1f00-\u1fff]"
FOR_EXPERTS = re.compile(
    rf"(?<!{GREEK}){GREEK}(?!{GREEK})|\b(?:epsilon|gamma|theta|rho|lambda)\b|(?<![\w“/.-])p(?![\w”/-])",
    re.IGNORECASE,
)
"""A single Greek letter or its name, and a single p."""

SAID = ("aria-label", "title", "alt", "placeholder")


class Reader(HTMLParser):
    """Collects a page's visible and spoken text, without scripts and hidden parts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.skipped = ""
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        hides = tag in ("script", "style") or (tag in ("div", "section") and "hidden" in dict(attrs))
        if hides and not self.depth and "builder" not in (dict(attrs).get("class") or ""):
            self.skipped = tag
        self.depth += bool(self.skipped) and tag == self.skipped
        if not self.depth:
            self.texts += [value or "" for name, value in attrs if name in SAID]

    def handle_endtag(self, tag: str) -> None:
        if self.skipped and tag == self.skipped:
            self.depth -= 1
            self.skipped = self.skipped if self.depth else ""

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.texts.append(data)


def text_of(page: str) -> str:
    reader = Reader()
    reader.feed(page)
    return " ".join(" ".join(reader.texts).split())


def for_experts_in(text: str) -> list[str]:
    return [text[max(0, found.start() - 60) : found.end() + 40] for found in FOR_EXPERTS.finditer(text)]


@pytest.mark.parametrize("text", ["ε 3", "γ", "p = .6", "p<.001", "(p .04)", "set p to", "epsilon of"])
def test_the_search_finds_expert_terms(text: str) -> None:
    assert for_experts_in(text)


@pytest.mark.parametrize("text", ["people", "a step up", "app", "e.g. 60 %", "/p/", "help", "Ελληνικά"])
def test_the_search_ignores_ordinary_words(text: str) -> None:
    assert for_experts_in(text) == []


@pytest.fixture
def run() -> Run:
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    # Drafts with findings of every kind of check, and one with numbers and places.
    survey_import(definition("drafted", light=True), by="alice")
    bold = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), slug="bold")
    survey_import(bold, by="alice")
    survey_import(scale_definition("town"), by="alice")
    Survey.objects.update(owner=member("ana", Role.RESEARCHER, is_expert=False))
    return run


def pages(run: Run) -> list[tuple[str, str]]:
    """Return address and query of the nine pages, for each draft and survey."""
    named = [("report:surveys", ()), ("authoring:new", ())]
    for slug in ("drafted", "bold", "town", "habits"):
        named += [
            (name, (slug,))
            for name in (
                "report:survey", "authoring:builder", "authoring:plan", "authoring:publish",
                "authoring:export", "audit:risk", "invite:hand_out", "export:data",
            )
            if slug != "habits" or not name.startswith("authoring:")
        ]  # fmt: skip
    named += [(name, (run.pk,)) for name in ("report:results", "report:compare", "report:printed")]
    found = [(reverse(name, args=arguments), "") for name, arguments in named]
    return [*found, (reverse("report:compare", args=[run.pk]), "?outcome=cheat&by=late")]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.few("en", why="texts are written in English")
def test_plain_pages_contain_no_greek_letters_and_no_p(client: Client, run: Run, language: str) -> None:
    client.force_login(run.survey.owner or member("ana", Role.RESEARCHER, is_expert=False))
    with override(language):
        addresses = pages(run)
    for path, query in addresses:
        answer = client.get(path + query)
        assert answer.status_code == 200, path
        text = text_of(answer.content.decode())
        assert for_experts_in(text) == [], path
        assert "%%" not in text, path


def test_experts_see_figures_hidden_from_plain_accounts(client: Client, run: Run) -> None:
    client.force_login(member("ana", Role.RESEARCHER, is_expert=True))
    for name, argument in (
        ("report:survey", "habits"), ("authoring:new", None), ("authoring:publish", "bold"),
        ("audit:risk", "habits"), ("report:printed", run.pk),
    ):  # fmt: skip
        page = client.get(reverse(name, args=[] if argument is None else [argument])).content.decode()
        assert for_experts_in(text_of(page)), name


@pytest.mark.soak
def test_the_builder_shows_plain_findings_to_plain_accounts(client: Client, run: Run) -> None:
    client.force_login(member("ana", Role.RESEARCHER, is_expert=False))
    for is_expert in (False, True):
        StaffPreference.objects.update(is_expert=is_expert)
        findings = client.get(reverse("authoring:draft", args=["bold"])).json()["findings"]
        assert findings
        said = " ".join(f"{finding['message']} {finding['remedy']}" for finding in findings)
        assert bool(for_experts_in(said)) == is_expert
        # Both views show findings with the same codes.
        assert {"survey_epsilon", "block_epsilon"} & {finding["code"] for finding in findings}
