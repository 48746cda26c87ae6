"""The page on which the study of a deposit is described, and what is known of a survey already."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from anonymisation.deposits.drafts import study_save
from anonymisation.deposits.steps import StepPage
from anonymisation.microdata.description import DescriptionForm
from surveys.models import Survey

__all__ = ["StudyPage"]


class StudyPage(StepPage):
    """Asks what archives ask for of a study."""

    step, template_name = "study", "anonymisation/study.html"

    def get_form(self, form_class: Any = None) -> DescriptionForm:
        """Return the form as it was filled, or with what is known; what was sent is judged by itself."""
        survey = self.deposit.survey
        known = self.deposit.description or ({} if survey is None else _of_survey(survey))
        return DescriptionForm(self.sent[0]) if self.sent else DescriptionForm(initial=known)

    def service(self, form: Any) -> HttpResponse:
        """Keep the description."""
        study_save(self.deposit, form.typed, by=self.staff)
        return redirect("deposits:bounds", self.deposit.pk)


def _of_survey(survey: Survey) -> dict[str, str]:
    about = survey.versions.latest("number").wording.get("about", {})
    known = {"creators": "researcher", "abstract": "purpose", "universe": "population", "sampling": "frame"}
    said = {name: next(iter(about.get(key, {}).values()), "") for name, key in known.items()}
    moments = {"start": survey.opened_at, "end": survey.closed_at}
    days = {name: moment.date().isoformat() for name, moment in moments.items() if moment is not None}
    return {**said, "title": next(iter(survey.title.values())), **days}
