"""The pages of invitations, and the letters to print: address with QR code, first letter, reminder.

The reminder goes to everyone, whether or not they have answered, because no one checks who has.

``invite/invitations.html`` [invite:invitations]
    ``invitations`` (`surveys.respondent.invitations.InvitationStatus`), ``make`` (`MakeForm`) and ``revoke``
    (`RevokeForm`), None if codes cannot be made, ``refusal`` (message, remedy).
``invite/hand_out.html`` [invite:hand_out]
    ``survey``, ``has_poster``, ``letters``: address, picture, first letter and reminder in each language; no
    letters for drafts and closed surveys.
``invite/sheet.html`` [invite:make]
    ``cards``, ``address`` (without a code), ``language``, ``title``, ``csv``: the codes, shown only once.
``partials/survey_invitations.html``
    ``invitations`` = `surveys.respondent.invitations.invitation_status(survey)`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from surveys.accounts.permissions import get_builder, get_survey_for_builder, staff_page
from surveys.errors.error import SurveyError
from surveys.formats.file_responses import BYTE_ORDER_MARK, whole_file
from surveys.formats.qr_code import qr_code
from surveys.intake.codes import code_in_groups, read_code
from surveys.models import Survey
from surveys.questionnaire.languages import text_in
from surveys.respondent.invitations import (
    MOST_AT_ONCE,
    invitation_status,
    invitations_make,
    invitations_repeat,
    invitations_replace,
    invitations_revoke,
    turn_taking_version,
)
from surveys.respondent.letters import letters
from surveys.respondent.poster import has_poster, poster
from surveys.respondent.printed_card import card_texts
from surveys.respondent.speaking import speaking
from surveys.respondent.survey_addresses import Address, absolute_address, addresses_now
from surveys.respondent.survey_digests import digest_in_link, digest_in_print
from surveys.respondent.survey_state import roots_of

# A card takes about three kilobytes and four milliseconds.
MOST_CARDS: Final = 500


@dataclass(frozen=True, kw_only=True)
class Card:
    """One invitation to print.

    Parameters
    ----------
    code : str
        Code in groups.
    address : str
        Address that includes the code.
    picture : SafeString
        The address as a QR code, SVG.
    """

    code: str
    address: str
    picture: SafeString


def invited_address(address: str, code: str, digest: str) -> str:
    """Return the address that opens a survey with a code, if the survey has this digest.

    Examples
    --------
    >>> invited_address("https://example.org/en/s/work/", "1111111111111111112B", "10000-00000-00000-00000")
    'https://example.org/en/s/work/#c=1111111111111111112B&d=10000-00000-00000-00000'
    """
    return f"{address}#c={code}&d={digest}"


def cards(codes: Iterable[str], *, address: str, root: str) -> tuple[Card, ...]:
    """Return a card for each code, with this address and the digest of this root."""
    digest = digest_in_print(root)
    return tuple(
        Card(
            code=code_in_groups(code),
            address=invited_address(address, code, digest),
            picture=qr_code(invited_address(address, code, digest)),
        )
        for code in codes
    )


def codes_csv(codes: Iterable[str], *, address: str, root: str) -> str:
    """Return a table of codes and addresses, for a mail merge.

    Examples
    --------
    >>> print(codes_csv(["1111111111111111112B"], address="https://example.org/", root="00" * 32))
    code,address
    11111-11111-11111-1112B,https://example.org/#c=1111111111111111112B&d=AAAAAAAAAAAAAAAAAAAAAA
    <BLANKLINE>
    """
    digest = digest_in_link(root)
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["code", "address"])
    table.writerows([code_in_groups(code), invited_address(address, code, digest)] for code in codes)
    return file.getvalue()


_MOST_NAMED = 1_000


class MakeForm(forms.Form):
    """Number, language and format of the codes to create."""

    number = forms.IntegerField(
        label=gettext_lazy("Number of codes"),
        min_value=1,
        max_value=MOST_AT_ONCE,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={
            "min_value": gettext_lazy("%(show_value)s is not enough. Make at least one code."),
            "max_value": gettext_lazy(
                "You cannot create %(show_value)s codes at once. Create at most %(limit_value)s, "
                "then the rest."
            ),
        },
    )
    language = forms.ChoiceField(label=gettext_lazy("Language of the survey page"))
    form = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=(
            ("sheet", gettext_lazy("Sheet to print, with QR codes")),
            ("csv", gettext_lazy("Table (CSV)")),
        ),
    )

    people = forms.ChoiceField(
        label=gettext_lazy("For whom"),
        required=False,
        choices=(
            ("", gettext_lazy("People who are new in the series")),
            ("repeat", gettext_lazy("People of an earlier wave: their codes go on")),
            ("replace", gettext_lazy("People who lost a code: a new one with the same turns")),
        ),
    )
    codes = forms.CharField(
        label=gettext_lazy("Their codes, one per line; for new people leave this empty"),
        required=False,
        max_length=100 * MOST_AT_ONCE,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
    )

    def __init__(
        self, addresses: Iterable[Address], *args: Any, takes_turns: bool = False, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        if takes_turns:
            self.fields["number"].required = False
        else:
            del self.fields["people"], self.fields["codes"]
        field = self.fields["language"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for the type checker
        field.choices = [(address.language.tag, address.language.name) for address in addresses]

    def clean(self) -> dict[str, Any]:
        """Refuse a sheet that is too large for a browser."""
        values = super().clean() or self.cleaned_data
        values["lines"] = [line for line in (values.get("codes") or "").splitlines() if line.strip()]
        if values.get("people"):
            values["number"] = len(values["lines"])
            self.errors.pop("number", None)
            self._check_codes(values["lines"])
        elif values["lines"]:
            self.add_error("codes", forms.ValidationError(gettext_lazy("Choose for whom these codes are.")))
        elif values.get("number") is None and not self.has_error("number"):
            self.add_error("number", forms.ValidationError(gettext_lazy("Enter the number of codes.")))
        if values.get("form") == "sheet" and (values.get("number") or 0) > MOST_CARDS:
            self.add_error(
                "number",
                forms.ValidationError(
                    gettext_lazy(
                        "A sheet can hold at most %(most)s codes. Choose the table, or make fewer codes."
                    ),
                    params={"most": MOST_CARDS},
                ),
            )
        return values

    def _check_codes(self, lines: list[str]) -> None:
        wrong = next((line for line in lines if read_code(line) is None), None)
        if not lines:
            self.add_error("codes", forms.ValidationError(gettext_lazy("Enter at least one code.")))
        elif wrong is not None:
            self.add_error("codes", _wrong_code(wrong))


def _wrong_code(line: str) -> forms.ValidationError:
    return forms.ValidationError(
        gettext_lazy("“%(line)s” is not an invitation code. Compare it with your list."),
        params={"line": line[:40]},
    )


class RevokeForm(forms.Form):
    """Unused codes to revoke."""

    which = forms.ChoiceField(
        choices=(("named", gettext_lazy("These codes")), ("all", gettext_lazy("All unused codes")))
    )
    codes = forms.CharField(
        label=gettext_lazy("Codes, one per line"),
        required=False,
        max_length=100 * _MOST_NAMED,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
    )
    confirm = forms.BooleanField(label=gettext_lazy("Yes, withdraw all unused codes"), required=False)

    def clean(self) -> dict[str, Any]:
        """Require valid codes, or a confirmation that all unused codes should be revoked."""
        values = super().clean() or self.cleaned_data
        lines = [line for line in values.get("codes", "").splitlines() if line.strip()]
        if values.get("which") == "all" and not values.get("confirm"):
            self.add_error(
                "confirm", forms.ValidationError(gettext_lazy("Tick this box to withdraw all unused codes."))
            )
        if values.get("which") == "named" and "codes" in values:
            wrong = next((line for line in lines if read_code(line) is None), None)
            if not lines:
                self.add_error("codes", forms.ValidationError(gettext_lazy("Enter at least one code.")))
            elif len(lines) > _MOST_NAMED:
                self.add_error(
                    "codes",
                    forms.ValidationError(
                        gettext_lazy("The limit is %(most)s codes."), params={"most": _MOST_NAMED}
                    ),
                )
            elif wrong is not None:
                self.add_error("codes", _wrong_code(wrong))
        return {**values, "lines": lines}


@staff_page
@require_safe
def invitations(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a summary of the invitations and the available actions."""
    return _page(request, get_survey_for_builder(request.user, slug))


@staff_page
@require_safe
def hand_out(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the texts to hand out: addresses with QR codes, a first letter, a reminder."""
    survey = get_survey_for_builder(request.user, slug)
    can_answer = survey.state in (Survey.State.PLANNED, Survey.State.OPEN)
    context = {
        "survey": survey,
        "letters": letters(survey, absolute=partial(absolute_address, request)) if can_answer else (),
        "has_poster": can_answer and has_poster(survey),
    }
    return render(request, "invite/hand_out.html", context)


@staff_page
@require_POST
def make(request: HttpRequest, slug: str) -> HttpResponse:
    """Create codes and show them; only this response contains them."""
    survey = get_survey_for_builder(request.user, slug)
    addresses = addresses_now(survey)
    takes_turns = turn_taking_version(survey) is not None
    form = MakeForm(addresses, request.POST, takes_turns=takes_turns)
    if not form.is_valid():
        return _page(request, survey, make=form, status=422)
    values = form.cleaned_data
    try:
        codes = _codes(survey, values, by=_by(request))
    except SurveyError as error:
        return _page(request, survey, make=form, error=error, status=409)
    address = next(each for each in addresses if each.language.tag == values["language"])
    whole = absolute_address(request, address.path)
    root = roots_of(survey)[0]
    table = codes_csv(codes, address=whole, root=root)
    if values["form"] == "csv":
        return whole_file(
            BYTE_ORDER_MARK + table, "text/csv; charset=utf-8", f"{survey.slug}-invitations.csv"
        )
    title = text_in(survey.title, address.language.tag)
    with speaking(_wording(survey), address.language.tag):
        texts = card_texts(title, whole, takes_turns=takes_turns)
    context = {
        "survey": survey,
        "language": address.language,
        "text_language": address.page_language,
        "texts": texts,
        "cards": cards(codes, address=whole, root=root),
        "file": {"name": f"{survey.slug}-invitations.csv", "text": table},
    }
    return render(request, "invite/sheet.html", context)


def _codes(survey: Survey, values: dict[str, Any], *, by: str) -> tuple[str, ...]:
    """Return new codes, those of an earlier wave, or replacements of lost ones."""
    if values.get("people") == "repeat":
        return invitations_repeat(survey, texts=values["lines"], by=by)
    if values.get("people") == "replace":
        return invitations_replace(survey, texts=values["lines"], by=by)
    return invitations_make(survey, number=values["number"], by=by)


@staff_page
@require_POST
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke unused codes."""
    survey = get_survey_for_builder(request.user, slug)
    form = RevokeForm(request.POST)
    if not form.is_valid():
        return _page(request, survey, revoke=form, status=422)
    has_lines = form.cleaned_data["which"] == "named"
    try:
        invitations_revoke(survey, texts=form.cleaned_data["lines"] if has_lines else None, by=_by(request))
    except SurveyError as error:
        return _page(request, survey, revoke=form, error=error, status=409)
    messages.success(request, _("The unused ones were withdrawn and no longer work."))
    return redirect("invite:invitations", slug)


def _page(
    request: HttpRequest,
    survey: Survey,
    *,
    make: MakeForm | None = None,
    revoke: RevokeForm | None = None,
    error: SurveyError | None = None,
    status: int = 200,
) -> HttpResponse:
    survey.refresh_from_db()
    summary = invitation_status(survey)
    context = {"survey": survey, "invitations": summary, "refusal": error, "make": None, "revoke": None}
    if summary.can_make:
        context |= {
            "make": make
            or MakeForm(
                addresses_now(survey),
                initial={"number": 100, "form": "sheet", "language": get_language()},
                takes_turns=summary.takes_turns,
            ),
            "revoke": revoke or RevokeForm(initial={"which": "named"}),
        }
    return render(request, "invite/invitations.html", context, status=status)


def _wording(survey: Survey) -> dict[str, Any]:
    """Return the wording of the newest version; empty for a draft."""
    version = survey.versions.order_by("-number").first()
    return version.wording if version else {}


def _by(request: HttpRequest) -> str:
    return get_builder(request.user).get_username()


urlpatterns = [
    path("surveys/<slug:slug>/hand-out/", hand_out, name="hand_out"),
    path("surveys/<slug:slug>/poster/", poster, name="poster"),
    path("surveys/<slug:slug>/invitations/", invitations, name="invitations"),
    path("surveys/<slug:slug>/invitations/make", make, name="make"),
    path("surveys/<slug:slug>/invitations/revoke", revoke, name="revoke"),
]
