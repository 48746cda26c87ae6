"""The page on survey quality: weights, non-response and careless responses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.margins import JOIN, Margin
from surveys.accounts.permissions import staff_page
from surveys.errors.error import SurveyError, sentences
from surveys.formats.file_responses import csv_file
from surveys.models import Run
from surveys.questionnaire.about_texts import about_texts
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.opened_run import OpenedRun, of_results, results_file
from surveys.report.results.stated_margins import (
    MOST_MARGIN_BYTES,
    Shares,
    margins_address,
    margins_from_address,
    margins_of,
    margins_read,
    margins_text,
)
from surveys.report.rules.itemset_query import ItemsetQuery
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.run_facts import with_look
from surveys.respondent.invitations import count_codes
from surveys.runs import attentive_supports, non_response, weighted_itemsets
from surveys.runs.forged_rows import lifting_rows
from surveys.runs.look_words import file_mark
from surveys.runs.releasable_rows import ReleasableRows, rows_of_run
from surveys.runs.run_figures import of_run

ROWS_OF_THE_PAGE: Final = 40
ROWS_OF_THE_FILE: Final = 2_000
SHARE_DIGITS: Final = 4


class SurveyQualityForm(forms.Form):
    """Population margins, and the number of people invited."""

    margins = forms.CharField(
        label=gettext_lazy("Shares in the population"),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "mono"}),
        required=False,
        max_length=MOST_MARGIN_BYTES,
        help_text=gettext_lazy(
            "One line per option: question, option, share. The shares of a question add up to 1. Join "
            "options with | to combine them. Use 0 to exclude people who do not belong to the population."
        ),
    )
    invited = forms.IntegerField(
        label=gettext_lazy("People invited"),
        min_value=1,
        max_value=10**10,
        required=False,
        help_text=gettext_lazy("Leave empty if you do not know. With an open link, the number is unknown."),
    )

    def shares(self) -> Shares:
        """Return the margins that the user entered.

        Raises
        ------
        SurveyError
        """
        text = self.cleaned_data["margins"].strip()
        return margins_read(text) if text else {}


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
@of_results
def survey_quality_page(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show weights, non-response and careless responses; a sent form redirects to an address to bookmark."""
    run = open_run.run
    if request.method == "POST":
        form = SurveyQualityForm(request.POST)
        if form.is_valid():
            try:
                shares = form.shares()
                margins_of(shares, run.version.to_design())
            except PrivacyError as error:
                form.add_error("margins", sentences(error))
            else:
                params = {"margins": margins_address(shares), "invited": form.cleaned_data["invited"]}
                query = urlencode({name: value for name, value in params.items() if value})
                return redirect(reverse("report:practice", args=[run.pk]) + (f"?{query}" if query else ""))
        return _render_page(request, run, form=form)
    try:
        shares, n_invited = _query(request)
    except PrivacyError as error:
        form = SurveyQualityForm({"margins": request.GET.get("margins", "")})
        form.add_error("margins", sentences(error))
        return _render_page(request, run, form=form)
    return _render_page(request, run, shares=shares, people=n_invited)


@results_file
def weights_csv(request: HttpRequest, open_run: OpenedRun) -> StreamingHttpResponse:
    """Send the weighted supports of the run's itemsets."""
    run, labels = open_run
    shares, _n_invited = _query(request)
    if not shares:
        raise SurveyError("parameters.margins")
    rows = rows_of_run(run).with_results()
    itemsets = weighted_itemsets.weighted_itemsets(
        rows, _itemsets(run, ROWS_OF_THE_FILE), margins_of(shares, rows.design)
    )
    records = weighted_itemsets.weight_records(itemsets, labels)
    lines = with_look(run, tuple(records[0]), records) if records else iter(())
    return csv_file(lines, f"sottovoce-run-{run.pk}{file_mark(run)}-weights.csv")


def _query(request: HttpRequest) -> tuple[Shares, int | None]:
    text, digits = request.GET.get("margins", ""), request.GET.get("invited", "")
    shares = margins_from_address(text) if text else {}
    return shares, int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 12 else None


def _render_page(
    request: HttpRequest,
    run: Run,
    *,
    form: SurveyQualityForm | None = None,
    shares: Shares | None = None,
    people: int | None = None,
) -> HttpResponse:
    """Render the page, for a refused form or for these margins and invitations."""
    rows = rows_of_run(run).with_results()
    margins: tuple[Margin, ...] = ()
    itemsets: tuple[weighted_itemsets.WeightedItemset, ...] = ()
    problems: list[str] = []
    try:
        margins, itemsets = _weigh_itemsets(run, rows, shares or {})
    except PrivacyError as error:
        problems.append(sentences(error))
    responses = of_run(non_response.responses(rows), run)
    try:
        effects = non_response.effects(rows, responses, n_invited=people)
    except PrivacyError as error:
        problems.append(sentences(error))
        people, effects = None, non_response.effects(rows, responses)
    respondent_shares = _respondent_shares(rows)
    design = rows.design
    context = {
        "run": run,
        "about": about_texts(run.version),
        "form": form
        or SurveyQualityForm(
            initial={
                "margins": margins_text(shares or respondent_shares),
                "invited": people or _n_invitations(run, rows),
            }
        ),
        "refused": problems,
        "can_weigh": bool(respondent_shares),
        "labels": labels_of(run.version, rows.design),
        "margins": list(_margin_lines(margins, respondent_shares)),
        "weighted": itemsets,
        "all_rows": rows.count_cache.all_rows,
        "left_out": sum(itemset.estimate is None for itemset in itemsets),
        "query": request.GET.urlencode(),
        "responses": [
            (
                response,
                design.blocks[response.block].key,
                [design.questions[question].key for question in response.questions],
            )
            for response in responses
        ],
        "effects": [((effect.item,), effect) for effect in of_run(effects, run)],
        "response_rate": rows.n / people if people else None,
        "attended": [
            ((support.item,), (support.never,), (support.always,), support.estimate)
            for support in of_run(attentive_supports.attentive_supports(rows), run)
        ],
    }
    return render(
        request, "report/results/run_practice.html", context, status=422 if problems or form else 200
    )


def _weigh_itemsets(
    run: Run, rows: ReleasableRows, shares: Shares
) -> tuple[tuple[Margin, ...], tuple[weighted_itemsets.WeightedItemset, ...]]:
    """Return the population's margins, and the page's itemsets weighted to them."""
    margins = margins_of(shares, rows.design)
    if not margins:
        return (), ()
    itemsets = _protected_first(run, rows)[:ROWS_OF_THE_PAGE]
    weighted = of_run(weighted_itemsets.weighted_itemsets(rows, itemsets, margins), run)
    named = {margin.question for margin in margins}
    beside = [item.index for item in rows.design.items if item.question in named]
    return margins, tuple(replace(one, lifting=lifting_rows(run, (*one.items, *beside))) for one in weighted)


def _margin_lines(
    margins: Sequence[Margin], respondent_shares: Shares
) -> Iterator[tuple[str, str, float, float]]:
    """Yield each category's question, answers, share among respondents, and share in the population."""
    for margin in margins:
        for category in margin.categories:
            share = sum(respondent_shares[margin.key][option] for option in category.label.split(JOIN))
            yield margin.key, category.label.replace(JOIN, ", "), share, category.share


def _itemsets(run: Run, most: int) -> list[Columns]:
    return [unpack_items(items) for items in listing_of(run).itemset_names(ItemsetQuery(sort="size"), most)]


def _protected_first(run: Run, rows: ReleasableRows) -> list[Columns]:
    """Return the run's itemsets, those with a protected item first; shares of the others are exact anyway."""
    blocks, items = rows.design.blocks, rows.design.items
    itemsets = _itemsets(run, ROWS_OF_THE_FILE)
    return sorted(
        itemsets, key=lambda itemset: not any(blocks[items[item].block].protected for item in itemset)
    )


def _respondent_shares(rows: ReleasableRows) -> Shares:
    """Return the shares among respondents, as the form's initial text; weights to these change nothing."""
    shares: Shares = {}
    for block in rows.design.blocks:
        for question in () if block.protected else block.questions:
            if not question.is_categorical:
                continue
            index = next(
                number for number, other in enumerate(rows.design.questions) if other.key == question.key
            )
            items = [item.index for item in rows.design.items if item.question == index]
            if not rows.has_large_crosses(tuple(items)):
                continue
            columns = [(rows.design.asked_column(index),), *((item,) for item in items)]
            counts = rows.count_cache.need(columns)
            n_answered, *each = (sum(counts[column]) for column in columns)
            if not n_answered:
                continue
            by_option = dict(
                zip(question.options or ("yes",), (count / n_answered for count in each), strict=True)
            )
            if not question.options:
                by_option["no"] = 1 - by_option["yes"]
            shares[question.key] = _round_shares(by_option, SHARE_DIGITS)
    return shares


def _round_shares(shares: dict[str, float], digits: int) -> dict[str, float]:
    """Round shares so that they still add up to 1; the largest one absorbs the difference.

    >>> _round_shares({"young": 0.496, "old": 0.333, "other": 0.171}, 2)
    {'young': 0.5, 'old': 0.33, 'other': 0.17}
    """
    few = {key: round(share, digits) for key, share in shares.items()}
    largest = max(few, key=lambda key: few[key])
    few[largest] = round(1 - sum(share for key, share in few.items() if key != largest), digits)
    return few


def _n_invitations(run: Run, rows: ReleasableRows) -> int | None:
    """Return the number of invitations; None for a survey with an open link."""
    return max(count_codes(run.survey), rows.n) if run.survey.by_invitation else None
