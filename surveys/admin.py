"""Django's admin, read-only, for administrators: surveys, versions, runs, itemsets and rules.

It uses the log-in, roles and lock-out of the staff pages. Receipts, inbox and batches are not registered, so
no one can browse disguised rows. The functions that hide figures in reports hide them here too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from django.contrib import admin, messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from surveys.accounts.permissions import get_staff, require_as_administrator
from surveys.accounts.roles import Role, roles_of
from surveys.errors.stored_refusals import refusal_text
from surveys.formats.numbers import number
from surveys.formats.shown_counts import shown_count
from surveys.models import ItemsetRow, Job, RuleRow, Run, RunCounts, Survey, Version
from surveys.questionnaire.labels import Labels, labels_of
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs.ledger import is_of_the_ledger
from surveys.runs.shown_of_run import shown_of


class RecordsSite(AdminSite):
    """Admin site for administrators only."""

    site_header = _("Sottovoce: records")
    site_title = _("Sottovoce")
    index_title = _("Stored data (read-only)")

    def has_permission(self, request: HttpRequest) -> bool:
        """Allow administrators."""
        return Role.ADMINISTRATOR in roles_of(request.user)

    def admin_view(self, view: Callable[..., HttpResponseBase], cacheable: bool = False) -> Any:
        """Redirect visitors to the staff log-in page, and refuse staff who are not administrators."""
        base_view = super().admin_view(view, cacheable)

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise PermissionDenied
            require_as_administrator(get_staff(request.user))
            return base_view(request, *args, **kwargs)

        return inner

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the staff log-in page, so that one page counts all failed log-ins."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", request.path.removesuffix("login/")))

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Redirect to the staff page for changing a password."""
        return redirect("accounts:account")


site: Final = RecordsSite()


class ReadOnlyAdmin(admin.ModelAdmin):
    """Read-only records: administrators may view them, but not add, change or delete them."""

    actions = None

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Allow administrators; the site checks the role."""
        return self.admin_site.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the records on the index to administrators."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to add."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to delete."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only the listed filters, because filters on hidden counts would disclose them."""
        names = [str(name) for name in self.list_filter]
        return any(lookup in (name, f"{name}__exact", f"{name}__id__exact") for name in names)


@admin.register(Survey, site=site)
class SurveyAdmin(ReadOnlyAdmin):
    """Surveys, each with a link to its page."""

    list_display = ("slug", "state", "practice", "settled", "page")
    list_filter = ("state", "practice")
    search_fields = ("slug",)
    fields = (
        "slug",
        "title",
        "state",
        "practice",
        "opened_at",
        "closed_at",
        "accepts_until",
        "settled",
        "page",
    )

    @admin.display(description=_("page"))
    def page(self, survey: Survey) -> SafeString:
        """Link to the survey's page."""
        return _link(reverse("report:survey", args=[survey.slug]), survey.slug)


@admin.register(Version, site=site)
class VersionAdmin(ReadOnlyAdmin):
    """Published versions with their design and wording."""

    list_display = ("survey", "number", "design_id", "published_at")
    list_filter = ("survey",)
    list_select_related = ("survey",)


@admin.register(Run, site=site)
class RunAdmin(ReadOnlyAdmin):
    """Runs, each with a link to its report, and counts as the report shows them."""

    list_display = ("id", "survey", "state", "answers", "report")
    list_filter = ("survey", "job__state")
    list_select_related = ("survey", "job")
    fields = (
        "survey", "version", "state", "message", "parameters", "answers", "engine", "duration_seconds",
        "snapshot_digest", "design_id", "code_version", "report",
    )  # fmt: skip

    @admin.display(description=_("state"), ordering="job__state")
    def state(self, run: Run) -> str:
        """Return the state of the job."""
        return str(run.job.get_state_display())

    @admin.display(description=_("message"))
    def message(self, run: Run) -> str:
        """Return why the job failed or was refused."""
        return refusal_text(run.job.message)

    @admin.display(description=_("answers"))
    def answers(self, run: Run) -> str:
        """Return the number of answers, as the report shows it."""
        return shown_count(run.n or 0)

    @admin.display(description=_("report"))
    def report(self, run: Run) -> SafeString:
        """Link to the report."""
        return _link(reverse("report:run", args=[run.pk]), str(run))


class ResultAdmin(ReadOnlyAdmin):
    """Rows of finished runs whose results may be shown."""

    list_select_related = ("run__version", "run__survey", "run__job")
    list_filter = ("run__survey",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        """Leave out rows of runs whose results may not be shown, cannot be read, or precede the ledger."""
        run_ids = [
            run.pk
            for run in self._finished()
            if not run.unreadable and shown_of(run).results and is_of_the_ledger(run)
        ]
        return super().get_queryset(request).filter(run__in=run_ids)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """List the rows; name the runs that cannot be read, and say that long runs have few rows."""
        counted = set(RunCounts.objects.values_list("run_id", flat=True))
        for run in self._finished():
            if run.unreadable:
                messages.warning(request, f"{run}: {run.unreadable}")
            elif run.pk in counted:
                text = _("%(run)s: this list has only its single items and judged rules. Its report has all.")
                messages.info(request, str(text) % {"run": run})
        return super().changelist_view(request, extra_context)

    def _finished(self) -> QuerySet[Run]:
        return Run.objects.select_related("survey", "version__survey", "job").filter(
            job__state=Job.State.FINISHED
        )

    @admin.display(description=_("report"))
    def report(self, row: ItemsetRow | RuleRow) -> SafeString:
        """Link to the report."""
        return _link(reverse("report:run", args=[row.run_id]), str(row.run))

    @admin.display(description=_("support, interval (95%)"), ordering="support")
    def support_text(self, row: ItemsetRow | RuleRow) -> str:
        """Format the estimate with its interval."""
        return _measure_text(row, "support")


@admin.register(ItemsetRow, site=site)
class ItemsetAdmin(ResultAdmin):
    """Itemsets with their support."""

    list_display = ("item_names", "size", "support_text", "report")
    fields = ("item_names", "size", "support_text", "report")

    @admin.display(description=_("itemset"))
    def item_names(self, row: ItemsetRow) -> str:
        """Name the items."""
        return _item_keys(row.run, row.items)


@admin.register(RuleRow, site=site)
class RuleAdmin(ResultAdmin):
    """Rules with three of their measures; the report has all measures."""

    list_display = ("rule", "support_text", "confidence_text", "lift_text", "report")
    fields = ("rule", "support_text", "confidence_text", "lift_text", "few_rows", "report")

    @admin.display(description=_("rule"))
    def rule(self, row: RuleRow) -> str:
        """Name both sides."""
        return f"{_item_keys(row.run, row.antecedent)} → {_item_keys(row.run, row.consequent)}"

    @admin.display(description=_("confidence, interval (95%)"), ordering="confidence")
    def confidence_text(self, row: RuleRow) -> str:
        """Format the estimate with its interval."""
        return _measure_text(row, "confidence")

    @admin.display(description=_("lift, interval (95%)"), ordering="lift")
    def lift_text(self, row: RuleRow) -> str:
        """Format the estimate with its interval."""
        return _measure_text(row, "lift")


def _link(address: str, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, text)


def _item_keys(run: Run, text: str) -> str:
    version = run.version
    return _labels(version.pk, version.design_id, version.wording_id).keys(unpack_items(text))


@lru_cache(maxsize=64)
def _labels(version_id: int, design_id: str, wording_id: str) -> Labels:
    """Read a version's labels once for a list of rows; the digests ensure that the cached ones are valid."""
    version = Version.objects.get(pk=version_id, design_id=design_id, wording_id=wording_id)
    return labels_of(version, version.to_design())


def _measure_text(row: ItemsetRow | RuleRow, measure: str) -> str:
    value, low, high = (getattr(row, measure + end) for end in ("", "_low", "_high"))
    if low is None or high is None:
        return str(_("%s, not estimable with this n")) % (number(value) or "–")
    return f"{number(value)} [{number(low)}, {number(high)}]"
