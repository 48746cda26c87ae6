"""Breadcrumbs name the list, the survey and the page."""

import pytest
from django.template import Context, Template
from django.utils.translation import override

HERE = '<li aria-current="page">{}</li></ol></nav>'


def printed(source: str, **values: object) -> str:
    with override("en"):
        return Template("{% load breadcrumbs %}" + source).render(Context(values))


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
            '{% crumbs_of "accounts:people" _("People") "accounts:person" 3 name %}Link{% endcrumbs_of %}',
            ["People", "Ann &lt;b&gt;"],
            "Link",
        ),
    ],
)
def test_breadcrumbs_end_with_the_current_page(source: str, steps: list[str], here: str) -> None:
    page = printed(source, slug="work", name="Ann <b>")
    assert page.endswith(HERE.format(here))
    assert page.count("<li>") == len(steps)
    places = [page.index(f">{step}</a></li>") for step in steps]
    assert places == sorted(places)
    assert "no-print" not in page


def test_a_printed_page_shows_no_breadcrumbs() -> None:
    assert '<nav class="crumbs no-print"' in printed("{% crumbs printed=True %}Report{% endcrumbs %}")
