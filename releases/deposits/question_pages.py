"""The pages of questions to a deposit: researchers ask, and its owner opens it and reads who asked what."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from privacy.errors import PrivacyError
from releases.deposits.question_form import OpenForm, QuestionForm
from releases.deposits.question_reading import answer_shown, question_lines
from releases.deposits.questions import (
    Answered,
    Published,
    deposit_open,
    deposit_shut,
    published_of,
    question_answer,
    question_ask,
    question_read,
    questions_left,
)
from releases.doors import get_deposit_for_builder, get_deposit_for_questions
from releases.models import Deposit, DepositQuestion
from surveys.access.permissions import get_staff, staff_page
from surveys.access.second_factor import require_to_export
from surveys.errors.core_refusals import sentences
from surveys.formats.table_links import Pages

__all__ = ["ask", "open_for_questions", "questions", "shut_for_questions"]

_PER_PAGE = 50


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, made_id: int) -> HttpResponse:
    """Ask a deposit, and look at one's earlier questions."""
    deposit = get_deposit_for_questions(request.user, made_id)
    published = published_of(deposit)
    if request.method != "POST":
        return _asked_before(request, deposit, published)
    form = QuestionForm(published, request.POST)
    if not form.is_valid():
        return _ask_page(request, deposit, form, status=422)
    try:
        question, _answered = question_ask(
            deposit, form.query(), by=get_staff(request.user), now=timezone.now()
        )
    except PrivacyError as error:
        return _ask_page(request, deposit, form, problem=sentences(error), status=422)
    return redirect(f"{reverse('deposits:ask', args=[deposit.pk])}?question={question.pk}")


@staff_page
@require_safe
def questions(request: HttpRequest, made_id: int) -> HttpResponse:
    """Show the owner whether a deposit is open, to how many questions, and who asked what."""
    deposit = get_deposit_for_builder(request.user, made_id)
    if deposit.finished_at is None:
        return redirect("deposits:deposit", deposit.pk)
    return _questions_page(request, deposit, _open_form(deposit))


@staff_page
@require_POST
def open_for_questions(request: HttpRequest, made_id: int) -> HttpResponse:
    """Let researchers ask a deposit."""
    deposit = get_deposit_for_builder(request.user, made_id)
    staff = get_staff(request.user)
    require_to_export(staff)
    form = OpenForm(request.POST)
    if not form.is_valid():
        return _questions_page(request, deposit, form, status=422)
    try:
        deposit_open(deposit, form.cleaned_data["each"], by=staff, now=timezone.now())
    except PrivacyError as error:
        return _questions_page(request, deposit, form, problem=sentences(error), status=422)
    messages.success(request, _("Researchers can ask this deposit now."))
    return redirect("deposits:questions", deposit.pk)


@staff_page
@require_POST
def shut_for_questions(request: HttpRequest, made_id: int) -> HttpResponse:
    """Close a deposit to questions."""
    deposit = get_deposit_for_builder(request.user, made_id)
    deposit_shut(deposit, by=get_staff(request.user))
    messages.success(request, _("The deposit takes no questions now."))
    return redirect("deposits:questions", deposit.pk)


def _asked_before(request: HttpRequest, deposit: Deposit, published: Published) -> HttpResponse:
    """Show the form; with an earlier question of one's own its answer, computed again."""
    number = request.GET.get("question", "")
    if not number.isdecimal() or len(number) > 18:
        return _ask_page(request, deposit, QuestionForm(published))
    mine = DepositQuestion.objects.filter(deposit=deposit, asker=get_staff(request.user))
    query = question_read(get_object_or_404(mine, pk=int(number)).text)
    form = QuestionForm(published, shown=query)
    return _ask_page(request, deposit, form, answered=question_answer(published, query))


def _ask_page(
    request: HttpRequest,
    deposit: Deposit,
    form: QuestionForm,
    *,
    answered: Answered | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    staff = get_staff(request.user)
    earlier = DepositQuestion.objects.filter(deposit=deposit, asker=staff).select_related("asker")
    context = {
        "deposit": deposit,
        "form": form,
        "problem": problem,
        "answer": None if answered is None else answer_shown(answered),
        "left": questions_left(deposit, staff),
        "asked": question_lines(earlier),
    }
    return render(request, "releases/ask.html", context, status=status)


def _open_form(deposit: Deposit) -> OpenForm:
    return OpenForm(initial={"each": deposit.questions_each} if deposit.questions_each else None)


def _questions_page(
    request: HttpRequest, deposit: Deposit, form: OpenForm, *, problem: str = "", status: int = 200
) -> HttpResponse:
    questions = DepositQuestion.objects.filter(deposit=deposit).select_related("asker")
    page = Paginator(questions, _PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "deposit": deposit,
        "form": form,
        "problem": problem,
        "pages": Pages.around(page.number, page.paginator.num_pages, "?page={}".format),
        "asked": question_lines(page.object_list),
    }
    return render(request, "releases/questions.html", context, status=status)
