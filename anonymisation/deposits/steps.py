"""The steps on the way to a deposit: a table, its columns, their groups, and what is asked for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import cached_property

from anonymisation.deposits.attackers import beliefs_check
from anonymisation.deposits.columns_form import ColumnsForm, people_sentence
from anonymisation.deposits.drafts import (
    bounds_save,
    columns_save,
    deposit_request,
    survey_begin,
    table_open,
    upload_begin,
)
from anonymisation.deposits.forms import BeginForm, BoundsForm
from anonymisation.deposits.matrix import matrix_check
from anonymisation.deposits.question_reading import open_deposits
from anonymisation.deposits.reading import is_editable, listed, steps_of
from anonymisation.deposits.respondents import deposits_of_same_people, ledger_from_file
from anonymisation.deposits.written import Written, written_of
from anonymisation.doors import get_deposit_for_builder, get_deposits_for_builder, get_deposits_for_questions
from anonymisation.models import Deposit
from surveys.access.form_page import FormPage
from surveys.access.permissions import get_builder, get_surveys_for_builder
from surveys.access.second_factor import require_to_export
from surveys.errors.error import SurveyError, refusal_said, sentences
from surveys.imports.table_reading import MOST_BYTES


class BeginPage(FormPage):
    """Lists what is under way and made, and takes another table."""

    template_name = "anonymisation/begin.html"

    def prepare(self) -> HttpResponse | None:
        """Let in who may build."""
        self.builder = get_builder(self.request.user)
        return None

    def get_form(self, form_class: Any = None) -> BeginForm:
        """Return the form with the surveys whose answers may be published."""
        surveys = get_surveys_for_builder(self.request.user)
        return BeginForm(
            *self.sent, surveys=[survey for survey in surveys if survey.settled and not survey.practice]
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the deposits of the list beside the form."""
        user = self.request.user
        return super().get_context_data(
            deposits=listed(get_deposits_for_builder(user)),
            open_deposits=open_deposits(get_deposits_for_questions(user), self.staff),
            **more,
        )

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        """Say that there is no table."""
        return self.refused(form, SurveyError("deposit_file.none"))

    def service(self, form: Any) -> HttpResponse:
        """Take a file or a survey."""
        file, survey = form.files.get("file"), form.cleaned_data.get("survey")
        if (file is None) == (survey is None):
            raise SurveyError("deposit_file.none")
        if file is None:
            require_to_export(self.builder)
            made = survey_begin(owner=self.builder, survey=survey, now=timezone.now())
        else:
            raw = file.read(MOST_BYTES + 1)
            made = upload_begin(owner=self.builder, name=str(file.name), raw=raw, now=timezone.now())
        return redirect("deposits:columns", made.pk)


class StepPage(FormPage):
    """A step on the way to a deposit; where that is made or at work there is none."""

    deposit: Deposit
    step: str

    def prepare(self) -> HttpResponse | None:
        """Go through the builder's door."""
        self.deposit = get_deposit_for_builder(self.request.user, self.kwargs["deposit_id"])
        return (
            None
            if is_editable(self.deposit) and self.deposit.columns
            else redirect("deposits:deposit", self.deposit.pk)
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return deposit and steps beside the form."""
        return super().get_context_data(deposit=self.deposit, steps=steps_of(self.deposit, self.step), **more)


class ColumnsPage(StepPage):
    """Asks what becomes of each column, as proposed or otherwise."""

    step, template_name = "columns", "anonymisation/columns.html"

    def get_form(self, form_class: Any = None) -> ColumnsForm:
        """Return the form; of a table that was given it asks for respondents and ledgers, too."""
        options: dict[str, Any] = {}
        if self.deposit.survey is None:
            opened = table_open(self.deposit, ())
            try:
                sentence = people_sentence(opened.people(self.deposit.columns), self.deposit.records)
            except SurveyError as error:
                sentence = sentences(error)
            options = {
                "respondent": opened.written.respondent,
                "people": opened.written.people,
                "sentence": sentence,
                "ledgers": len(opened.written.ledgers),
            }
            options["profile"] = opened.written.profile
        return ColumnsForm(self.deposit.columns, *self.sent, **options)

    def service(self, form: Any) -> HttpResponse:
        """Keep the roles."""
        files = form.cleaned_data.get("ledgers", [])
        columns_save(
            self.deposit,
            form.chosen(),
            by=self.staff,
            respondent=form.cleaned_data.get("respondent", ""),
            people=form.cleaned_data.get("people", ""),
            ledgers=[ledger_from_file(str(file.name), file.read(MOST_BYTES + 1)) for file in files],
        )
        return redirect("deposits:trees", self.deposit.pk)


class BoundsPage(StepPage):
    """Asks for bounds, and has the deposit made."""

    step, template_name = "bounds", "anonymisation/bounds.html"

    @cached_property
    def _stored(self) -> Written:
        return written_of(self.deposit)

    @cached_property
    def _before(self) -> Deposit | None:
        return None if self._stored.ledgers else deposits_of_same_people(self.deposit).first()

    def first_problem(self) -> str:
        """Return why the last job failed."""
        return refusal_said(self.deposit.job.message) if self.deposit.job is not None else ""

    def get_form(self, form_class: Any = None) -> BoundsForm:
        """Return the form with the bounds and beliefs of now."""
        deposit, stored = self.deposit, self._stored
        return BoundsForm(
            deposit.columns,
            deposit.bounds,
            stored.beliefs,
            *self.sent[:1],
            with_matrix=bool(stored.matrix),
            was_published=self._before is not None,
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return a deposit of the same people beside the form, if its ledger was not given."""
        return super().get_context_data(published_before=self._before, **more)

    def service(self, form: Any) -> HttpResponse:
        """Keep the bounds and ask for the deposit, or lead to the expert's matrix."""
        bounds_save(self.deposit, form.chosen(), form.beliefs())
        if "matrix" in self.request.POST:
            return redirect("deposits:matrix", self.deposit.pk)
        if self._stored.matrix:
            matrix_check(self.deposit, self._stored.matrix, form.chosen())
        beliefs_check(self.deposit, form.chosen(), form.beliefs())
        deposit_request(self.deposit, form.chosen(), by=self.staff, now=timezone.now())
        return redirect("deposits:deposit", self.deposit.pk)
