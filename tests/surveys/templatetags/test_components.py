"""Components that many pages share."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.translation import override

HERE = '<li aria-current="page">{}</li></ol></nav>'


def printed(source: str, **values: object) -> str:
    with override("en"):
        return Template("{% load components %}" + source).render(Context(values))


@pytest.mark.parametrize(
    ("source", "steps", "here"),
    [
        ("{% crumbs %}New{% endcrumbs %}", ["Surveys"], "New"),
        ("{% crumbs slug %}{% endcrumbs %}", ["Surveys"], "work"),
        ('{% crumbs "work" through="builder" %}Audit{% endcrumbs %}', ["Surveys", "work", "Build"], "Audit"),
        (
            '{% crumbs "work" through="invitations" %}New codes{% endcrumbs %}',
            ["Surveys", "work", "Invitations"],
            "New codes",
        ),
        ('{% crumbs "work" run=7 %} {% endcrumbs %}', ["Surveys", "work"], "Run 7"),
        ('{% crumbs "work" run=7 %}Rule{% endcrumbs %}', ["Surveys", "work", "Run 7"], "Rule"),
        (
            "{% crumbs_of_people 3 name %}Link{% endcrumbs_of_people %}",
            ["People", "Ann &lt;b&gt;"],
            "Link",
        ),
    ],
)
def test_the_way_to_a_page_ends_with_the_page(source: str, steps: list[str], here: str) -> None:
    page = printed(source, slug="work", name="Ann <b>")
    assert page.endswith(HERE.format(here))
    assert page.count("<li>") == len(steps)
    places = [page.index(f">{step}</a></li>") for step in steps]
    assert places == sorted(places)
    assert "no-print" not in page


def test_a_page_for_paper_shows_no_way() -> None:
    assert '<nav class="crumbs no-print"' in printed("{% crumbs printed=True %}Report{% endcrumbs %}")


def test_a_table_scrolls_by_keys_and_says_what_it_is() -> None:
    page = printed('{% table by="rules" kind="figures" described="how" %}<tr></tr>{% endtable %}')
    assert page == (
        '<div class="table-scroll" tabindex="0" role="group" aria-labelledby="rules">'
        '<table class="figures" aria-describedby="how"><tr></tr></table></div>'
    )


def test_a_table_without_a_title_beside_it_is_named() -> None:
    page = printed("{% table label=label low=True body=True %}{% endtable %}", label="R & <b>")
    assert page == (
        '<div class="table-scroll table-scroll--low details-body" tabindex="0" role="group" '
        'aria-label="R &amp; &lt;b&gt;"><table></table></div>'
    )
