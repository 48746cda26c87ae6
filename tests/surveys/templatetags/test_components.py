"""Components that many pages share."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template, engines
from django.utils.translation import override

from surveys.formats.figures import Figure

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
SCROLLS = re.compile(r"<div class=\"table-scroll[^>]*>")


def printed(source: str, **values: object) -> str:
    with override("en"):
        return Template("{% load components %}" + source).render(Context(values))


def test_a_section_is_named_by_its_title() -> None:
    page = printed(
        '{% section title anchor="rules" kind="card stack" %}<p></p>{% endsection %}', title="95% & more"
    )
    assert page == (
        '<section class="card stack" aria-labelledby="rules">'
        '<h2 id="rules">95% &amp; more</h2><p></p></section>'
    )


@pytest.mark.parametrize(
    ("opened", "page"),
    [
        (["wrong"], '<details class="no-print" open><summary>More</summary><div class="details-body stack">'),
        ([], '<details class="no-print"><summary>More</summary><div class="details-body stack">'),
    ],
)
def test_details_with_an_error_are_open(opened: list[str], page: str) -> None:
    source = '{% details "More" opened=opened kind="no-print" body="stack" %}<p></p>{% enddetails %}'
    assert printed(source, opened=opened) == f"{page}<p></p></div></details>"


def test_a_table_is_scrollable_by_keyboard_and_labelled() -> None:
    page = printed('{% table by="rules" kind="figures" described="how" %}<tr></tr>{% endtable %}')
    assert page == (
        '<div class="table-scroll" tabindex="0" role="group" aria-labelledby="rules">'
        '<table class="figures" aria-describedby="how"><tr></tr></table></div>'
    )


def test_a_table_without_a_heading_gets_an_accessible_name() -> None:
    page = printed("{% table label=label low=True body=True %}{% endtable %}", label="R & <b>")
    assert page == (
        '<div class="table-scroll table-scroll--low details-body" tabindex="0" role="group" '
        'aria-label="R &amp; &lt;b&gt;"><table></table></div>'
    )


def test_every_table_that_scrolls_is_reached_by_keyboard_and_named() -> None:
    found = [tag for page in TEMPLATES.rglob("*.html") for tag in SCROLLS.findall(page.read_text())]
    assert found
    assert [tag for tag in found if 'tabindex="0"' not in tag or "aria-label" not in tag] == []


def test_no_line_of_a_template_is_longer_than_300_characters() -> None:
    long = [
        f"{page.relative_to(TEMPLATES)}:{number}"
        for page in TEMPLATES.rglob("*.html")
        for number, line in enumerate(page.read_text().splitlines(), start=1)
        if len(line) > 300
    ]
    assert long == []


def test_included_forms_get_the_token_without_which_they_are_refused() -> None:
    """*Protect* on the page of what is readable was refused, because *only* leaves the token out."""
    pages = {str(page.relative_to(TEMPLATES)): page.read_text() for page in TEMPLATES.rglob("*.html")}

    def has_form(name: str) -> bool:
        inner = re.findall(r'{%\s*include\s+"([^"]+)"', pages[name])
        return "{% csrf_token %}" in pages[name] or any(map(has_form, inner))

    included = [
        (name, *found)
        for name, page in pages.items()
        for found in re.findall(r'{%\s*include\s+"([^"]+)"([^%]*)%}', page)
    ]
    assert any(has_form(inner) for _name, inner, words in included if "only" in words.split())
    without = [
        (name, inner)
        for name, inner, words in included
        if "only" in words.split() and has_form(inner) and "csrf_token=csrf_token" not in words
    ]
    assert without == []


def test_a_template_prints_a_figure_unescaped() -> None:
    template = engines["django"].from_string("{% load figures %}{% figure one %}")
    assert template.render({"one": Figure(value=".7", exact=True)}) == (
        '<span class="figure-value">.7</span><span class="ends">exact</span>'
    )


def test_heads_with_a_percent_sign_are_translated_and_have_one() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html"))
    marked = r'_\("[^"]*%[^"]*"\)'
    heads = re.findall(r"{% (?:number_)?heads .*? %}", pages)
    # Only these tags undo Django's doubling of percent signs in arguments.
    assert len(re.findall(marked, "".join(heads))) == len(re.findall(marked, pages)) > 0
    for language, words in (("en", "[^%]+%[^%]*"), ("zh-hans", "[^%a-z]+%[^%a-z]*")):
        with override(language):
            said = Template("{% load components %}" + "".join(heads)).render(Context())
        shown = [head for head in re.findall(">([^<]+)<", said) if "%" in head]
        assert len(shown) == len(re.findall(marked, pages))
        assert all(re.fullmatch(words, head) for head in shown), shown
