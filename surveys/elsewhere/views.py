"""The page that estimates from data collected elsewhere."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path

from surveys.access.form_page import FormPage
from surveys.access.permissions import get_analyst, staff_page
from surveys.elsewhere.forms import MethodForm, StudyForm, method_of


class ElsewherePage(FormPage):
    """Asks for a file and its design, and shows what it tells.

    Nothing is stored, and no log has any of it.
    """

    template_name = "elsewhere/elsewhere.html"

    def prepare(self) -> None:
        """Go through the analyst's door."""
        get_analyst(self.request.user)
        self.method = method_of(self.request.GET.get("model", ""))

    def get_form(self, _form_class: object = None) -> StudyForm:
        """Return the form of the method."""
        return StudyForm(self.method, *self.sent)

    def service(self, form: StudyForm) -> HttpResponse:
        """Show what the file tells."""
        return self.page(form, result=form.result())

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the method, and the choice among them, beside the form."""
        choice = MethodForm(initial={"model": self.method.key})
        return super().get_context_data(choice=choice, method=self.method, **more)


urlpatterns = [path("elsewhere/", staff_page(ElsewherePage.as_view()), name="elsewhere")]
