"""No page or report of a release has a figure that is neither exact nor states why it has no interval.

Figures of a release are counts of its records, or computed from all of them. Pages and the report say so,
once. Each number with decimals or a percent sign must be below one of the headings that `EXACT` knows; a new
heading needs a reason. Estimates about people would need an interval, a level and n, like those of surveys
(`tests/site/test_figures_everywhere.py`).
"""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Final

import pytest
from django.urls import reverse

from surveys.accounts.roles import Role
from tests.anonymisation.made_releases import opened_release
from tests.fixtures.bare_figures import p_values_of
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db

NUMBER: Final = re.compile(r"(?<![\w.,/#-])[−-]?(?:\d*\.\d+(?: ?%)?|\d+ ?%)(?![\w-])")
SENTENCE: Final = "All figures describe exactly these records."
EXACT: Final = {
    "The release is ready": "information that is kept, from all records",
    "Requirements and results": "bounds that were asked and reached, in all classes",
    "We attacked the release before showing it": "every record was attacked",
    "Risk and utility, before and after": "from all records and classes",
    "For your paper": "repeats the figures above",
    "Models": "the worst class",
    "Risk of re-identification": "from the sizes of all classes",
    "debt": "the worst class and all pairs, of the sensitive column",
    "Columns that identify single people in the original table": "counts of records",
    "Unicity": "counts of records",
    "Utility": "from all records; the queries are a sample, whose size the report states",
    "Loss by column": "from all records",
    "Classes by size": "counts of classes",
    "Marginals before and after": "shares of records",
    "Risk and loss of all generalisations": "from all records",
}
"""Headings with figures, and why these have no interval."""
HEADING: Final = re.compile(r"<h[23][^>]*>(.*?)</h[23]>", re.DOTALL)
SILENT: Final = re.compile(r"<(svg|script|style|nav|form|head)\b.*?</\1>", re.DOTALL)


def sections(page: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a page with their headings, as plain texts."""
    parts = HEADING.split(SILENT.sub(" ", page))
    for heading, body in zip(["", *parts[1::2]], parts[::2], strict=True):
        yield (" ".join(re.sub(r"<[^>]+>", " ", own).split()) for own in (heading, body))  # type: ignore[misc]


def faults(page: str) -> list[str]:
    """Return headings of figures without a reason, p-values, and whether the page says that all are exact."""
    found = [
        f"{heading}: {NUMBER.search(text)[0]}"  # type: ignore[index]
        for heading, text in sections(page)
        if NUMBER.search(text) and not heading.startswith(tuple(EXACT))
    ]
    found += [f"p-value: {own}" for own in p_values_of(page)]
    return found + ([] if SENTENCE in page else ["does not say that its figures are exact"])


@pytest.mark.soak
def test_each_figure_of_a_release_is_exact_and_the_page_says_so() -> None:
    owner = member("owner", Role.RESEARCHER)
    release, client = opened_release(owner), browser_of("owner", Role.RESEARCHER)
    page = client.get(reverse("releases:release", args=[release.pk])).content.decode()
    assert faults(page) == []
    sent = client.get(reverse("releases:report", args=[release.pk]))
    content = b"".join(getattr(sent, "streaming_content", [sent.content]))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        report = archive.read("report.html").decode()
    assert faults(report) == []
    assert "100 random queries" in report
    seen = {heading for page in (page, report) for heading, text in sections(page) if NUMBER.search(text)}
    assert len(seen) > 6


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<h2>Prevalence</h2><p>23.4% of all people were late.</p>", "Prevalence: 23.4%"),
        ("<h2>Models</h2><p>k = 5</p><h2>New</h2><p>0.25</p>", "New: 0.25"),
        ("<h2>Models</h2><p>t: p = .03</p>", "p-value: .03"),
        ("<h2>Models</h2><p>0.25</p>", "does not say that its figures are exact"),
    ],
)
def test_a_planted_figure_of_a_release_is_found(body: str, fault: str) -> None:
    said = "" if fault.startswith("does") else f"<p>{SENTENCE}</p>"
    assert fault in faults(said + body)
    assert faults(f"<p>{SENTENCE}</p><h2>Models</h2><p>0.25</p>") == []
