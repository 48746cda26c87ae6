"""A page with a form: a service handles the submission, and an error keeps the typed values."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from privacy.errors import PrivacyError
from surveys.access.permissions import get_staff
from surveys.errors.error import sentences


@method_decorator(sensitive_post_parameters(), name="dispatch")
class FormPage(FormView):
    """Shows a form, or passes the submission to a service; subclasses name template, form and service."""

    http_method_names = ["get", "head", "post"]

    def prepare(self) -> HttpResponse | None:
        """Check permissions and load what the page needs; return a response to show instead of the page, if
        any."""
        raise NotImplementedError

    def service(self, form: Any) -> HttpResponse:
        """Process the submission, and redirect."""
        raise NotImplementedError

    def first_problem(self) -> str:
        """Return a problem that exists before anything is submitted."""
        return ""

    @property
    def staff(self) -> User:
        """Return the user who makes the request."""
        return get_staff(self.request.user)

    @property
    def sent(self) -> tuple[Any, ...]:
        """Return the submitted data as arguments for a form; empty if the page is only shown."""
        return (self.request.POST, self.request.FILES) if self.request.method == "POST" else ()

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request, unless `prepare` returns another response."""
        if request.method.lower() not in self.http_method_names:
            return self.http_method_not_allowed(request)
        return self.prepare() or super().dispatch(request, *args, **kwargs)

    def get(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show the form."""
        return self.page(self.get_form(), problem=self.first_problem())

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Pass the submission to the service."""
        try:
            return self.service(form)
        except PrivacyError as error:
            return self.refused(form, error)

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        """Show the form with its errors."""
        return self.page(form, status=422)

    def refused(self, form: forms.BaseForm | None, error: PrivacyError) -> HttpResponse:
        """Show the form with the error."""
        return self.page(form, problem=sentences(error), status=422)

    def page(
        self, form: forms.BaseForm | None, *, problem: str = "", status: int = 200, **more: Any
    ) -> HttpResponse:
        """Show the page."""
        context = self.get_context_data(form=form, problem=problem, **more)
        return self.render_to_response(context, status=status)
