"""Components of many pages: sections, tables that scroll by themselves, links to files."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms, template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from surveys.formats import page_pictures
from surveys.formats.joints import join_sentences, labelled, list_text, series_text
from surveys.formats.markdown import markdown_cell
from surveys.questionnaire.languages import text_in
from surveys.respondent.survey_digests import survey_digest

register = template.Library()

register.filter(list_text)
register.filter(join_sentences)
register.filter(text_in)
register.filter(markdown_cell)


@register.filter
def named(key: str, names: Mapping[str, str] | str) -> str:
    """Return the name of a question or an item; its key without names.

    Examples
    --------
    >>> named("mood=level-1", {"mood=level-1": "Mood – low"}), named("mood", "")
    ('Mood – low', 'mood')
    """
    return names.get(key, key) if isinstance(names, Mapping) else key


@register.filter
def hidden_errors(form: object) -> list[str]:
    """Return the errors of a form's hidden fields, which have no place on the page; none without a form."""
    if not isinstance(form, forms.BaseForm):
        return []
    return [str(error) for field in form.hidden_fields() for error in field.errors]


@register.simple_tag
def joint(sign: str) -> str:
    """Print the sign between two texts as the active language writes it.

    Parameters
    ----------
    sign : {": ", ", ", "; ", ". "}

    Examples
    --------
    >>> joint(", ")
    ', '
    """
    nothing = ("", "")
    return {
        ": ": labelled("", ""),
        ", ": list_text(nothing),
        "; ": series_text(nothing),
        ". ": pgettext("between two sentences", ". "),
    }[sign]


@register.simple_tag(takes_context=True)
def file_links(context: template.Context, picture: str) -> str:
    """Print download links for a picture; nothing outside a request."""
    return page_pictures.file_links(context["request"], picture) if picture and "request" in context else ""


register.filter(page_pictures.figure_id)


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
    """Print a labelled table that scrolls by itself, also with the keyboard.

    Parameters
    ----------
    content : str
        Caption, header and rows. Browsers put rows after a header into a ``tbody``.
    by, label : str
        Id of the element that names the table, or the name itself.
    kind : str
        CSS class of the table.
    described : str
        Id of the element that explains how to read it.
    low : bool
        Whether the table is lower than the window.
    body : bool
        Whether the table is the body of a ``details`` element.
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


@register.simple_block_tag
def section(content: str, title: str, *, anchor: str, kind: str = "stack") -> SafeString:
    """Print a section of a page with its title.

    Parameters
    ----------
    content : str
    title : str
    anchor : str
        Id of the title, which names the section.
    kind : str
        CSS classes of the section.
    """
    return format_html(
        '<section class="{}" aria-labelledby="{}"><h2 id="{}">{}</h2>{}</section>',
        kind,
        anchor,
        anchor,
        _head(title),
        content,
    )


@register.simple_block_tag
def details(
    content: str, summary: str, *, opened: object = False, kind: str = "", body: str = ""
) -> SafeString:
    """Print a part of a page that opens when its summary is pressed.

    Parameters
    ----------
    content, summary : str
    opened : bool
        Whether it is open at first; any true value counts.
    kind, body : str
        CSS classes of the part, and further ones of its content.
    """
    return format_html(
        '<details{}{}><summary>{}</summary><div class="details-body{}">{}</div></details>',
        format_html(' class="{}"', kind) if kind else "",
        " open" if opened else "",
        _head(summary),
        f" {body}" if body else "",
        content,
    )


@register.simple_tag
def heads(*names: str) -> SafeString:
    """Print column headers, in order.

    >>> heads("Question", "Answer")
    '<th scope="col">Question</th><th scope="col">Answer</th>'
    """
    return format_html_join("", '<th scope="col">{}</th>', ((_head(name),) for name in names))


@register.simple_tag
def number_heads(*names: str) -> SafeString:
    """Print headers of columns of numbers, in order.

    >>> number_heads("n")
    '<th scope="col" class="num">n</th>'
    """
    return format_html_join("", '<th scope="col" class="num">{}</th>', ((_head(name),) for name in names))


@register.simple_tag
def number_cells(*values: object) -> SafeString:
    """Print cells of numbers, in order.

    >>> number_cells("12", ".5")
    '<td class="num">12</td><td class="num">.5</td>'
    """
    return format_html_join("", '<td class="num">{}</td>', ((value,) for value in values))


def _head(name: str) -> str:
    """Translate a header with a percent sign, which Django doubles in `_("…")` as the argument of a tag."""
    return _(name.replace("%%", "%")) if "%%" in name else name


register.filter(survey_digest)
