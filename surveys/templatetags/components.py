"""Components of many pages: the breadcrumbs, a table that scrolls by itself, and links to pictures' files."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.formats import files
from surveys.questionnaire.languages import list_text
from surveys.respondent.client_documents import survey_digest

register = template.Library()

register.filter(list_text)

Step = tuple[str, str]
"""Address and name of a page on the way."""


@register.simple_block_tag
def crumbs(
    content: str, slug: str = "", *, through: str = "", run: int | None = None, printed: bool = False
) -> SafeString:
    """Print the way to a page: the surveys, one survey, one of its pages; `content` names the page itself.

    Parameters
    ----------
    content : str
        Empty where the last step is the page.
    slug : str
        Of the survey that the page is about; empty where it is about none.
    through : {"", "builder", "invitations"}
        A page of the survey on the way.
    run : int, optional
        A run on the way.
    printed : bool
        Whether the page is made for paper, where no way is shown.
    """
    steps: list[Step] = [(reverse("report:surveys"), _("Surveys"))]
    if slug:
        steps.append((reverse("report:survey", args=[slug]), slug))
    if through == "builder":
        steps.append((reverse("authoring:builder", args=[slug]), _("Build")))
    elif through == "invitations":
        steps.append((reverse("invite:invitations", args=[slug]), _("Invitations")))
    if run is not None:
        steps.append((reverse("report:results", args=[run]), _("Run %(id)s") % {"id": run}))
    return way(steps, content, printed=printed)


@register.simple_tag(takes_context=True)
def file_links(context: template.Context, picture: str) -> str:
    """Print links to the files of a picture; none outside a request."""
    return files.file_links(context["request"], picture) if picture and "request" in context else ""


register.filter(files.figure_id)


@register.simple_block_tag
def crumbs_of(
    content: str, listing: str, title: str, member: str = "", number: int | None = None, name: str = ""
) -> SafeString:
    """Print the way to a page below a list: the list, one of its members; `content` names the page itself.

    Parameters
    ----------
    content : str
    listing, title : str
        The view of the list, and its name.
    member, number, name : str, int, str
        The view of a member on the way, with its number and name; none without a number.
    """
    steps: list[Step] = [(reverse(listing), title)]
    if number is not None:
        steps.append((reverse(member, args=[number]), name))
    return way(steps, content, printed=False)


def way(steps: list[Step], content: str, *, printed: bool) -> SafeString:
    """Print a way of steps; `content` names the page itself, or is empty where the last step is the page."""
    here = content.strip()
    if not here:
        *steps, (_address, here) = steps
    return format_html(
        '<nav class="crumbs{}" aria-label="{}"><ol>{}<li aria-current="page">{}</li></ol></nav>',
        " no-print" if printed else "",
        _("Where you are"),
        format_html_join("", '<li><a href="{}">{}</a></li>', steps),
        here,
    )


@register.simple_block_tag
def table(
    content: str,
    *,
    by: str = "",
    label: str = "",
    kind: str = "",
    described: str = "",
    low: bool = False,
    body: bool = False,
) -> SafeString:
    """Print a labelled table that scrolls on its own, also with the keyboard.

    Parameters
    ----------
    content : str
        Caption, heads and rows.
    by, label : str
        Identity of the element that names the table, or its name.
    kind : str
        Class of the table.
    described : str
        Identity of the element that says how to read it.
    low : bool
        Whether it is lower than the window.
    body : bool
        Whether it is the body of a ``details`` element.
    """
    classes = ["table-scroll", *(["table-scroll--low"] if low else []), *(["details-body"] if body else [])]
    return format_html(
        '<div class="{}" tabindex="0" role="group"{}><table{}{}>{}</table></div>',
        " ".join(classes),
        format_html(' aria-labelledby="{}"', by) if by else format_html(' aria-label="{}"', label),
        format_html(' class="{}"', kind) if kind else "",
        format_html(' aria-describedby="{}"', described) if described else "",
        content,
    )


@register.simple_tag
def heads(*names: str) -> SafeString:
    """Print the heads of columns, in order.

    >>> heads("Question", "Answer")
    '<th scope="col">Question</th><th scope="col">Answer</th>'
    """
    return format_html_join("", '<th scope="col">{}</th>', ((_head(name),) for name in names))


@register.simple_tag
def number_heads(*names: str) -> SafeString:
    """Print the heads of columns of numbers, in order.

    >>> number_heads("n")
    '<th scope="col" class="num">n</th>'
    """
    return format_html_join("", '<th scope="col" class="num">{}</th>', ((_head(name),) for name in names))


def _head(name: str) -> str:
    """Translate a head with a percent sign, which Django doubles in `_("…")` as argument of a tag."""
    return _(name.replace("%%", "%")) if "%%" in name else name


register.filter(survey_digest)
