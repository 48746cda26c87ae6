"""Sentences on staff pages for all users have one thought, and at most 25 words."""

import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.utils.translation.template import templatize

from tests.site.test_translations import texts_of
from tests.surveys.respondent.test_texts import MEDIAN_WORDS, MOST_WORDS, sentences, words

ROOT = Path(__file__).resolve().parents[2]
# Page -> its templates and the modules with its texts.
PAGES = {
    "surveys": (
        "templates/report/survey_list/surveys.html",
        "templates/report/survey_list/survey.html",
        "surveys/report/survey_list/*.py",
    ),
    "new": (
        "templates/authoring/new.html",
        "templates/authoring/partials/text_box.html",
        "surveys/authoring/survey_address.py",
    ),
    "plan": (
        "templates/authoring/plan.html",
        "surveys/authoring/plan_page.py",
        "surveys/questionnaire/use_words.py",
    ),
    "builder": (
        "templates/authoring/builder.html",
        "surveys/authoring/builder_texts.py",
        "surveys/authoring/builder_texts.py",
    ),
    "publish": (
        "templates/authoring/publish.html",
        "templates/authoring/partials/publish_details.html",
        "surveys/authoring/publish_rows.py",
        "templates/authoring/close.html",
        "surveys/authoring/closing_page.py",
    ),
    "letters": ("templates/invite/*.html", "surveys/respondent/invitation*.py"),
    "results": (
        "templates/report/results/run_results.html",
        "templates/report/results/run_compare.html",
        "templates/report/results/partials/results.html",
        "templates/report/results/partials/your_question.html",
        "templates/report/results/partials/comparison.html",
        "surveys/runs/comparisons.py",
        "surveys/report/results/results.py",
        "surveys/report/results/planned_question.py",
    ),
    "print": ("templates/report/results/printed.html", "templates/report/results/run_paper.html"),
    "export": ("templates/export/data.html", "templates/export/documents.html"),
    "risk": (
        "templates/audit/risk.html",
        "templates/audit/partials/risk.html",
        "surveys/report/risk_page/*.py",
    ),
}


def sentences_of(page: str) -> Iterator[str]:
    """Yield every English sentence that a page can show, except labels and headings."""
    for pattern in PAGES[page]:
        paths = sorted(ROOT.glob(pattern))
        assert paths, f"{pattern} names no file"
        for path in paths:
            source = path.read_bytes()
            if path.suffix == ".html":
                lines = templatize(path.read_text(encoding="utf-8"), origin=str(path)).splitlines()
                source = "\n".join(line.strip() for line in lines).encode()
            for _context, text in texts_of(source):
                for one in (text,) if isinstance(text, str) else text:
                    yield from (found for found in sentences(one) if found.endswith((".", "?", "!")))


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES)
def test_plain_page_sentences_have_at_most_25_words(page: str) -> None:
    assert {one for one in sentences_of(page) if words(one) > MOST_WORDS} == set()


@pytest.mark.soak
def test_half_of_the_plain_page_sentences_have_at_most_15_words() -> None:
    found = {one for page in PAGES for one in sentences_of(page)}
    assert len(found) > 300
    assert statistics.median(map(words, found)) <= MEDIAN_WORDS


QUANTILE: Final = re.compile(
    r"1\.96\b|1\.95996|normal_quantile|NormalDist|norm\.(ppf|isf)|ndtri|\bNORMAL\b|normal_figure|share_within"
)
NO_SHARES: Final = {
    "report/results/scales/place.html": 2  # the mean place
}


@pytest.mark.soak
def test_page_modules_do_not_use_the_normal_quantile() -> None:
    """Intervals of shares invert a test: see `privacy.scales.region_share`.

    One module divides by it: earlier versions stored the normal interval of a mean without its error.
    """
    modules = sorted((ROOT / "surveys").rglob("*.py"))
    assert len(modules) > 100
    using = [path.name for path in modules if QUANTILE.search(path.read_text(encoding="utf-8"))]
    assert using == ["opening_figures.py"]


@pytest.mark.soak
def test_templates_print_no_share_with_a_normal_interval() -> None:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT / "templates"))
        text = path.read_text(encoding="utf-8")
        assert len(QUANTILE.findall(text)) == NO_SHARES.get(name, 0), name
        assert not re.search(r"±\s*\{\{[^}]*(standard_error|_se)\b", text), name
