"""The breadcrumbs of pages of deposits."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.templatetags.components import Step, way

register = template.Library()


@register.simple_block_tag
def crumbs_of_deposits(content: str, deposit_id: int | None = None, name: str = "") -> SafeString:
    """Print the way to a page of a deposit: the list, the deposit; `content` names the page itself."""
    steps: list[Step] = [(reverse("deposits:begin"), _("Publish records"))]
    if deposit_id is not None:
        steps.append((reverse("deposits:deposit", args=[deposit_id]), name))
    return way(steps, content, printed=False)
