"""In the plain view, no researcher's page has an expert's word outside folded details, in either language."""

import re
from html.parser import HTMLParser
from typing import Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.models import Run, Survey
from surveys.questionnaire.aim import Aim
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.runs import PAIRS, SINGLES, definition, mined_run, planned_version
from tests.fixtures.scale_runs import scale_answered, scale_definition
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

WORDS: Final = {
    "en": (
        r"epsilon|gamma|theta|ε|γ|θ|\bp ?[=<]|p-values?|mechanisms?|amplification|statistically|"
        r"significan\w+|"
        r"itemsets?|\blift\b|\bleverage\b|antecedents?|consequents?|quantiles?|variances?|standard errors?|"
        r"likelihood|estimators?|degrees of freedom|F test|Holm|Benjamini|false discovery|null hypothesis|"
        r"one-sided|two-sided|posterior|\bprior\b|Apriori|unbiased|channel|most revealing|decoys?|k-anonym\w*"
    ),
    "zh-hans": (
        "ε|γ|θ|机制|放大|显著|项集|提升度|杠杆|前件|后件|分位|方差|标准误|似然|估计量|自由度|单侧检验|双侧检验|后验|先验|无偏|最暴露"
    ),
}
"""Words that a researcher without statistics does not know; a page may have them in folded details."""

QUIET: Final = ("script", "style", "template")
VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)


class InSight(HTMLParser):
    """Collects the text that a page shows at once: not what is folded or hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in VOID:
            return
        hides = tag in QUIET or "hidden" in given or (tag == "details" and "open" not in given)
        is_summary = tag == "summary" and bool(self.open) and self.open[-1][0] == "details"
        is_hidden = hides or (bool(self.open) and self.open[-1][1])
        if is_summary:
            is_hidden = len(self.open) > 1 and self.open[-2][1]
        self.open.append((tag, is_hidden))

    def handle_endtag(self, tag: str) -> None:
        while self.open and any(name == tag for name, _hidden in self.open):
            if self.open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1][1]):
            self.texts.append(data)


def text_in_sight(page: str) -> str:
    reader = InSight()
    reader.feed(page)
    return " ".join(" ".join(reader.texts).split())


def expert_words(text: str, language: str) -> list[str]:
    found = re.finditer(WORDS[language], text, re.IGNORECASE)
    return [text[max(0, each.start() - 50) : each.end() + 30] for each in found]


def test_the_reader_sees_what_is_not_folded() -> None:
    page = (
        "<main><p>in sight</p><details><summary>a line</summary><p>folded <b>deep</b></p></details>"
        "<details open><summary>open</summary><br>unfolded</details><div hidden>hidden</div>"
        "<details><p>early</p><details><summary>inner</summary></details></details><script>no</script>end</main>"
    )
    assert text_in_sight(page) == "in sight a line open unfolded end"


@pytest.mark.parametrize("text", ["with ε 3", "p = .03", "significant", "Lift from", "three itemsets"])
def test_the_list_finds_expert_words(text: str) -> None:
    assert expert_words(text, "en")


@pytest.mark.parametrize("text", ["uplifting", "people", "95% confidence interval", "no prioritising"])
def test_the_list_ignores_ordinary_words(text: str) -> None:
    assert not expert_words(text, "en")


@pytest.fixture
def runs() -> list[Run]:
    """Return a run with an effect, one with too few people for it, and one with a number and a place."""
    aim = Aim(people=900, wanted=("late", "cheat"), names={"late": {"en": "Often late"}})
    few = Aim(people=250, wanted=("late", "drink"))
    made = [
        mined_run(planned_version(aim), PAIRS),
        mined_run(planned_version(few, 250, document=definition("few")), SINGLES),
        mined_run(scale_answered(400), SINGLES),
    ]
    survey_import(definition("drafted", light=True), by="alice")
    bold = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), slug="bold")
    survey_import(bold, by="alice")
    survey_import(scale_definition("numbers"), by="alice")
    Survey.objects.update(owner=member("ana", Role.RESEARCHER, is_expert=False))
    return made


def addresses(runs: list[Run]) -> list[str]:
    named: list[tuple[str, tuple[object, ...]]] = [
        ("report:surveys", ()),
        ("authoring:new", ()),
    ]
    drafts = ("authoring:builder", "authoring:plan", "authoring:publish", "authoring:preview", "audit:risk")
    both = ("report:survey", "export:documents", "export:data", "invite:hand_out")
    for slug in ("drafted", "bold", "numbers"):
        named += [(name, (slug,)) for name in (*drafts, *both)]
    named += [(name, (run.survey.slug,)) for run in runs for name in both]
    of_run = ("report:results", "report:compare", "report:printed", "report:share")
    named += [(name, (run.pk,)) for run in runs for name in of_run]
    named.append(("report:number", (runs[-1].pk, "hours")))
    compare = reverse("report:compare", args=[runs[0].pk])
    return [*(reverse(name, args=arguments) for name, arguments in named), f"{compare}?outcome=cheat&by=late"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.soak
def test_no_page_of_the_plain_view_has_an_expert_word_in_sight(
    client: Client, runs: list[Run], language: str
) -> None:
    client.force_login(member("ana", Role.RESEARCHER, is_expert=False))
    with override(language):
        paths = addresses(runs)
    found: dict[str, list[str]] = {}
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        if words := expert_words(text_in_sight(answer.content.decode()), language):
            found[path] = sorted(set(words))
    assert not found, "\n".join(f"{path}: {word}" for path, words in found.items() for word in words)
