"""The page that estimates from data collected elsewhere."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from privacy.errors import PrivacyError
from surveys.access.permissions import get_analyst, staff_page
from surveys.elsewhere.forms import MethodForm, StudyForm, method_of
from surveys.errors.core_refusals import sentences


@sensitive_post_parameters()
@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def elsewhere(request: HttpRequest) -> HttpResponse:
    """Ask for a file and its design, and show what it tells; nothing is stored, and no log has any of it."""
    get_analyst(request.user)
    method = method_of(request.GET.get("model", ""))
    choice = MethodForm(initial={"model": method.key})
    if request.method != "POST":
        return _page(request, choice, StudyForm(method))
    form = StudyForm(method, request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, choice, form, status=422)
    try:
        return _page(request, choice, form, result=form.result())
    except PrivacyError as error:
        return _page(request, choice, form, problem=sentences(error), status=422)


def _page(
    request: HttpRequest, choice: MethodForm, form: StudyForm, *, status: int = 200, **more: object
) -> HttpResponse:
    context = {"choice": choice, "form": form, "method": form.method, **more}
    return render(request, "elsewhere/elsewhere.html", context, status=status)


urlpatterns = [path("elsewhere/", elsewhere, name="elsewhere")]
