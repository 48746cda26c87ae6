"""The pages of questions to a deposit: researchers ask, and its owner opens it and reads who asked what."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from releases.deposits.question_form import OpenForm, QuestionForm
from releases.deposits.question_reading import answer_shown, question_lines
from releases.deposits.questions import (
    Answered,
    deposit_open,
    deposit_shut,
    published_of,
    question_answer,
    question_ask,
    question_read,
    questions_left,
)
from releases.doors import get_deposit_for_builder, get_deposit_for_questions
from releases.models import DepositQuestion
from surveys.access.form_page import FormPage
from surveys.access.permissions import get_staff, staff_page
from surveys.access.second_factor import require_to_export
from surveys.formats.table_links import Pages

__all__ = ["AskPage", "QuestionsPage", "shut_for_questions"]

_PER_PAGE = 50


class AskPage(FormPage):
    """Asks a deposit, and shows one's earlier questions; of one that the address names the answer, too."""

    template_name = "releases/ask.html"
    answered: Answered | None = None

    def prepare(self) -> HttpResponse | None:
        """Go through the door of questions, and read what is published."""
        self.deposit = get_deposit_for_questions(self.request.user, self.kwargs["made_id"])
        self.published = published_of(self.deposit)
        self.earlier = DepositQuestion.objects.filter(deposit=self.deposit, asker=self.staff)
        return None

    def get_form(self, form_class: Any = None) -> QuestionForm:
        """Return the form; with an earlier question its answer is computed again."""
        number = self.request.GET.get("question", "")
        if self.sent or not number.isdecimal() or len(number) > 18:
            return QuestionForm(self.published, *self.sent[:1])
        query = question_read(get_object_or_404(self.earlier, pk=int(number)).text)
        self.answered = question_answer(self.published, query)
        return QuestionForm(self.published, shown=query)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return answer and earlier questions beside the form."""
        return super().get_context_data(
            deposit=self.deposit,
            answer=None if self.answered is None else answer_shown(self.answered),
            left=questions_left(self.deposit, self.staff),
            asked=question_lines(self.earlier.select_related("asker")),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Ask, and lead to the answer."""
        question, _answered = question_ask(self.deposit, form.query(), by=self.staff, now=timezone.now())
        return redirect(f"{reverse('deposits:ask', args=[self.deposit.pk])}?question={question.pk}")


class QuestionsPage(FormPage):
    """Shows the owner who asked what, and opens a deposit to so many questions."""

    template_name = "releases/questions.html"

    def prepare(self) -> HttpResponse | None:
        """Go through the builder's door."""
        self.deposit = get_deposit_for_builder(self.request.user, self.kwargs["made_id"])
        if self.request.method == "POST":
            require_to_export(self.staff)
        elif self.deposit.finished_at is None:
            return redirect("deposits:deposit", self.deposit.pk)
        return None

    def get_form(self, form_class: Any = None) -> OpenForm:
        """Return the form with the number of now."""
        each = self.deposit.questions_each
        return OpenForm(self.sent[0] if self.sent else None, initial={"each": each} if each else None)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return a page of the questions beside the form."""
        questions = DepositQuestion.objects.filter(deposit=self.deposit).select_related("asker")
        page = Paginator(questions, _PER_PAGE).get_page(self.request.GET.get("page"))
        return super().get_context_data(
            deposit=self.deposit,
            pages=Pages.around(page.number, page.paginator.num_pages, "?page={}".format),
            asked=question_lines(page.object_list),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Let researchers ask."""
        deposit_open(self.deposit, form.cleaned_data["each"], by=self.staff, now=timezone.now())
        messages.success(self.request, _("Researchers can ask this deposit now."))
        return redirect("deposits:questions", self.deposit.pk)


@staff_page
@require_POST
def shut_for_questions(request: HttpRequest, made_id: int) -> HttpResponse:
    """Close a deposit to questions."""
    deposit = get_deposit_for_builder(request.user, made_id)
    deposit_shut(deposit, by=get_staff(request.user))
    messages.success(request, _("The deposit takes no questions now."))
    return redirect("deposits:questions", deposit.pk)
