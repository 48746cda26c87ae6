"""The breadcrumbs of pages of releases."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.templatetags.components import Step, way

register = template.Library()


@register.simple_block_tag
def crumbs_of_releases(content: str, release_id: int | None = None, name: str = "") -> SafeString:
    """Print the breadcrumbs of a page of a release; `content` names the page itself."""
    steps: list[Step] = [(reverse("releases:begin"), _("Publish records"))]
    if release_id is not None:
        steps.append((reverse("releases:release", args=[release_id]), name))
    return way(steps, content, printed=False)
