"""Pages shared by address, and the tokens that open them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from surveys.accounts.tokens import token_digest
from surveys.models import SharedPage
from surveys.models.finished_example import EXAMPLE, page_of_example


class SharedContext(NamedTuple):
    """A shared page, with the context that its templates need."""

    link: SharedPage
    context: dict[str, object]


P = ParamSpec("P")


Page = Callable[Concatenate[HttpRequest, SharedContext, P], HttpResponse]
SharedView = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def shared_page(*kinds: SharedPage.Kind) -> Callable[[Page[P]], SharedView[P]]:
    """Pass a view the shared page of its token, of one of these kinds; forbid caching and indexing."""

    def guard(view: Page[P]) -> SharedView[P]:
        @require_safe
        @wraps(view)
        def open_page(request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            page = page_of_example() if secret == EXAMPLE else shared_by(secret, now=timezone.now())
            try:
                if page is None or page.kind not in kinds:
                    raise Http404
                shown_page = SharedContext(page, {"shared": secret, "until": page.until})
                response = view(request, shown_page, *args, **kwargs)
            except Http404:
                response = render(request, "report/shared/shared_nothing.html", status=404)
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return open_page

    return guard


def shared_by(token: str, *, now: datetime) -> SharedPage | None:
    """Return the page that a token shows at `now`; None if it is unknown, revoked or expired."""
    page = SharedPage.objects.select_related("survey", "run__survey", "run__version", "run__job")
    return page.filter(digest=token_digest(token), ended_at=None, until__gt=now).first()
