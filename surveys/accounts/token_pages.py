"""The page on which people make and end tokens of the API."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from surveys.accounts.permissions import get_staff, staff_page
from surveys.accounts.tokens import days_unvouched, token_end, token_make, tokens_of
from surveys.errors.error import SurveyError, sentences
from surveys.models import ApiToken

_DAYS: Final = ((30, gettext_lazy("30 days")), (90, gettext_lazy("90 days")), (365, gettext_lazy("one year")))


class TokenForm(forms.Form):
    """Name and lifetime of a token."""

    name = forms.CharField(
        label=gettext_lazy("Name of the program"),
        max_length=ApiToken._meta.get_field("name").max_length,
        help_text=gettext_lazy("Helps you recognise the token later."),
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), choices=_DAYS, coerce=int, initial=90)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List the user's tokens, and create one; only this response ever shows it."""
    user, today = get_staff(request.user), timezone.now().date()
    form = TokenForm(request.POST if request.method == "POST" else None)
    new_token: dict[str, Any] | None = None
    status = 422 if form.is_bound else 200
    if form.is_valid():
        values = form.cleaned_data
        try:
            api_token, token = token_make(user, name=values["name"], days=values["days"], today=today)
        except SurveyError as error:
            form.add_error(None, sentences(error))
        else:
            form, new_token, status = TokenForm(), {"token": token, "until": api_token.until}, 200
    context = {
        "form": form,
        "made": new_token,
        "days_unvouched": days_unvouched(user),
        "tokens": [(token, token.works(today=today)) for token in tokens_of(user)],
    }
    return render(request, "accounts/tokens.html", context, status=status)


@staff_page
@require_POST
def end(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke one of the user's tokens."""
    user = get_staff(request.user)
    token_end(get_object_or_404(tokens_of(user), pk=token_id), by=user.get_username())
    messages.success(request, _("The token was revoked."))
    return redirect("accounts:tokens")
