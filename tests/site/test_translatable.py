"""Every text of our own on every page can be translated.

Every page is shown in an artificial language that puts each translated text in ⟦brackets⟧. Other text must be
data or a name; otherwise it was not marked for translation.
"""

import json
import re
from html.parser import HTMLParser
from typing import Final

import pytest
from django.urls import reverse
from django.utils.translation import trans_real

from mining.interest import INTEREST
from surveys.authoring.builder_texts import builder_texts
from surveys.models import Survey
from surveys.questionnaire.languages import known_languages
from surveys.respondent.texts import instead_texts, texts_by_part
from tests.fixtures.runs import published
from tests.site.test_roles import ADDRESSES, World, everywhere

pytestmark = pytest.mark.django_db

SPOKEN: Final = ("title", "alt", "placeholder", "aria-label", "aria-description")
UNSPOKEN: Final = ("script", "style", "code", "pre", "datalist")
# Names that are the same in every language.
NAMES: Final = {
    "Sottovoce", "CSV", "JSON", "SVG", "PDF", "PNG", "BibTeX", "ZIP", "XLSX", "Parquet", "UTC", "English",
}  # fmt: skip
# Words that pages show as stored or computed: event fields, commands, addresses, formulas.
PAPER: Final = "batch candidates counts design json last manage mine mlxtend numpy"
LANGUAGE_NAMES: Final = " ".join(re.findall("[A-Za-z]+", " ".join(one.name for one in known_languages())))
DATA: Final = {
    "authoring:new": LANGUAGE_NAMES,
    "authoring:back_to_text": LANGUAGE_NAMES,
    "authoring:history": "alice",
    "accounts:log": "address algorithm alice begin columns compared debt release each records command line "
    "accepts close closes delete design example family finish host identifier keep open quasi roles "
    "sensitive suppressed tight "
    "import make name once opens parameters publish receiver request results run save schedule share "
    "snapshot survey time tree until values version view wording zone",
    "embed:use": "HTML oTree SurveyJS jsPsych LimeSurvey Formbricks Qualtrics REDCap Redcap form jspsych php "
    "qualtrics surveyjs",
    "releases:begin": "csv owner people",
    "releases:columns": "csv ill people",
    "releases:trees": "csv ill people",
    "releases:study": "csv people ODC ODbL",
    "releases:version": "csv people",
    "releases:matrix": "csv high ill low medium people very",
    "releases:bounds": "csv people",
    "releases:ask": "age city count csv debt own owner people state",
    "releases:questions": "csv people",
    "report:printed": PAPER,
    "report:paper": f"{PAPER} Benjamini Yekutieli unreleased",
    "shared:printed": PAPER,
    "report:rule": "min rules sqrt",
    "report:practice": "option question share",
    "report:about": "candidates counts mlxtend numpy",
}
DIGEST_OR_ADDRESS: Final = re.compile(r"\b[0-9a-f]{7,}\b|https?://\S+")
CONTEXT: Final = trans_real.CONTEXT_SEPARATOR


class Spoken(HTMLParser):
    """Collects the texts of a page, including names of controls and pictures."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.named: list[str] = []
        self.written: list[str] = []
        self.inside: list[str] = []
        self.feed(html)

    @property
    def said(self) -> list[str]:
        """Return the texts; running text is one string, because tags may split sentences."""
        return [*self.named, " ".join(self.written)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        marks = dict(attrs)
        # Text marked as English stays in English.
        if tag in UNSPOKEN or marks.get("lang") == "en":
            self.inside.append(tag)
        self.named += [marks[name] or "" for name in SPOKEN if name in marks]

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.written.append(data)


def in_brackets(text: str) -> str:
    """Translate into the artificial language."""
    return f"⟦{text.rpartition(CONTEXT)[2]}⟧"


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace zh-hans by the artificial language."""
    catalogue = trans_real.translation("zh-hans")
    monkeypatch.setattr(catalogue, "gettext", in_brackets)
    monkeypatch.setattr(
        catalogue, "ngettext", lambda one, many, number: in_brackets(one if number == 1 else many)
    )


def left_outside(said: str) -> set[str]:
    """Return the words of a text that are not translated."""
    while True:
        shorter = re.sub(r"⟦[^⟦⟧]*⟧", " ", said)
        if shorter == said:
            return set(re.findall(r"[A-Za-z]{3,}", DIGEST_OR_ADDRESS.sub(" ", said)))
        said = shorter


def words_of(data: object) -> set[str]:
    """Return the words of data, which pages may show untranslated."""
    return set(re.findall(r"[A-Za-z]{3,}", json.dumps(data, ensure_ascii=False, default=str)))


def test_untranslated_words_outside_brackets_are_detected() -> None:
    assert left_outside("⟦Of ⟦four⟧ rows⟧ 7 gone") == {"gone"}
    page = '<p title="⟦a⟧ name">⟦b⟧<code>code</code><b>bold</b></p>'
    assert [left_outside(text) for text in Spoken(page).said] == [{"name"}, {"bold"}]


@pytest.mark.soak
def test_every_word_of_the_staff_pages_is_translatable(made_up: None) -> None:
    world, forgotten, seen = World(), {}, 0
    survey = Survey.objects.get(pk=world.run.survey_id)
    known = NAMES | words_of([survey.definition, survey.slug, list(world.sessions), world.run.parameters])
    # Further measures have the same names and formulas in every language.
    known |= words_of([(name.split("_"), measure.words) for name, measure in INTEREST.items()])
    for name, pattern in everywhere().items():
        if name not in ADDRESSES or ADDRESSES[name][0].endswith("405"):
            continue
        arguments = {part: world.arguments[part] for part in pattern.pattern.converters}
        address = reverse(name, kwargs=arguments).replace("/en/", "/zh-hans/", 1)
        response = world.browser("administrator").get(address)
        if "text/html" not in response.headers.get("Content-Type", ""):
            continue
        seen += 1
        found = set().union(*(left_outside(text) for text in Spoken(response.content.decode()).said))
        found -= known | set(DATA.get(name, "").split())
        found |= {"%%"} if "%%" in response.content.decode() else set()
        if found:
            forgotten[name] = sorted(found)
    assert seen > 30
    assert not forgotten, "\n".join(f"{name}: {words}" for name, words in forgotten.items())


def test_every_word_of_the_scripts_is_translatable(made_up: None) -> None:
    from django.utils.translation import override

    published("open")
    with override("zh-hans"):
        for texts in (*texts_by_part().values(), *instead_texts().values(), builder_texts()):
            assert {key: text for key, text in texts.items() if left_outside(str(text))} == {}
