"""The page on which the study of a deposit is described, and what is known of a survey already."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from releases.deposits.background import survey_background
from releases.deposits.drafts import study_save
from releases.deposits.steps import StepPage
from releases.microdata.description import DescriptionForm
from surveys.models import Survey

__all__ = ["StudyPage"]


class StudyPage(StepPage):
    """Asks what archives ask for of a study."""

    step, template_name = "study", "releases/study.html"

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
    study = survey_background(survey).study
    about = {key: next(iter(texts.values()), "") for key, texts in study.about.items()}
    known = {"creators": "researcher", "abstract": "purpose", "universe": "population", "sampling": "frame"}
    said = {name: about.get(key, "") for name, key in known.items()}
    return {**said, "title": next(iter(study.title.values())), **dict(study.collected)}
