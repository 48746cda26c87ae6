"""Breadcrumbs at the top of staff pages: which pages they name."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.models import Survey

register = template.Library()

Step = tuple[str, str]
"""Address and name of a page in the breadcrumbs."""


@register.simple_block_tag(takes_context=True)
def crumbs(
    context: Context,
    content: str,
    slug: str = "",
    *,
    through: str = "",
    run: int | None = None,
    printed: bool = False,
) -> SafeString:
    """Print a page's breadcrumbs: all surveys, one survey, one of its pages; `content` names the page.

    Parameters
    ----------
    context : Context
        With ``survey`` on pages of a survey: nothing is built in a closed one, so its builder is no step.
    content : str
        Empty if the last step is the page itself.
    slug : str
        The page's survey; empty if it has none.
    through : {"", "builder", "invitations"}
        A page of the survey to include as a step.
    run : int, optional
        A run to include as a step.
    printed : bool
        Whether the page is meant for printing, without breadcrumbs.
    """
    steps: list[Step] = [(reverse("report:surveys"), _("Surveys"))]
    if slug:
        steps.append((reverse("report:survey", args=[slug]), slug))
    survey = context.get("survey")
    if through == "builder" and (survey is None or survey.state != Survey.State.CLOSED):
        steps.append((reverse("authoring:builder", args=[slug]), _("Build")))
    elif through == "invitations":
        steps.append((reverse("invite:invitations", args=[slug]), _("Invitations")))
    if run is not None:
        steps.append((reverse("report:results", args=[run]), _("Run %(id)s") % {"id": run}))
    return way(steps, content, printed=printed)


@register.simple_block_tag
def crumbs_of(
    content: str, listing: str, title: str, member: str = "", number: int | None = None, name: str = ""
) -> SafeString:
    """Print the breadcrumbs of a page below a list: the list, then a member; `content` names the page.

    Parameters
    ----------
    content : str
    listing, title : str
        View of the list, and its name.
    member, number, name : str, int, str
        View of a member to include as a step, its number, and its name. Left out without a number.
    """
    steps: list[Step] = [(reverse(listing), title)]
    if number is not None:
        steps.append((reverse(member, args=[number]), name))
    return way(steps, content, printed=False)


def way(steps: list[Step], content: str, *, printed: bool) -> SafeString:
    """Print breadcrumbs; `content` is the page's name, or empty if the last step is the page itself."""
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
