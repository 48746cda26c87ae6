"""Pages of the steps towards a release: table, columns, groups, study, bounds, utility matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from anonymisation.microdata.description import DescriptionForm
from anonymisation.models import Release
from anonymisation.permissions import (
    get_release_for_builder,
    get_releases_for_builder,
    get_releases_for_questions,
)
from anonymisation.releases.columns import ledger_from_file, releases_of_same_people
from anonymisation.releases.drafts import (
    MatrixDraft,
    bounds_save,
    columns_save,
    matrix_check,
    matrix_draft,
    matrix_from_file,
    matrix_save,
    release_request,
    study_save,
    survey_begin,
    table_open,
    trees_save,
    upload_begin,
)
from anonymisation.releases.forms import BeginForm, BoundsForm, ColumnsForm, people_sentence
from anonymisation.releases.groups import (
    Span,
    ends_texts,
    ends_written,
    numbers_of,
    refuse_all,
    source_text,
    sources_of,
    tree_texts,
    trees_read,
    values_of,
)
from anonymisation.releases.plan import with_role
from anonymisation.releases.questions import open_releases
from anonymisation.releases.reading import is_editable, listed, steps_of
from anonymisation.releases.storage import Written, written_of
from privacy.errors import PrivacyError
from privacy.sdc.table import number_text
from privacy.sdc.utility_matrix import LEVELS
from surveys.accounts.permissions import get_builder, get_surveys_for_builder, require_to_export, staff_page
from surveys.accounts.staff_views import FormPage
from surveys.errors.error import SurveyError, refusal_said, sentences
from surveys.formats.files import whole_file
from surveys.imports.table_reading import MOST_BYTES
from surveys.models import Survey


class BeginPage(FormPage):
    """Lists unfinished and finished releases, and starts another one."""

    template_name = "anonymisation/begin.html"

    def prepare(self) -> HttpResponse | None:
        """Require a researcher or administrator."""
        self.builder = get_builder(self.request.user)
        return None

    def get_form(self, form_class: Any = None) -> BeginForm:
        """Return the form with the surveys whose answers may be published."""
        surveys = get_surveys_for_builder(self.request.user)
        return BeginForm(
            *self.sent, surveys=[survey for survey in surveys if survey.settled and not survey.practice]
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and the list of releases."""
        user = self.request.user
        return super().get_context_data(
            releases=listed(get_releases_for_builder(user)),
            open_releases=open_releases(get_releases_for_questions(user), self.staff),
            **more,
        )

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        """Refuse a form without a table."""
        return self.refused(form, SurveyError("release_file.none"))

    def service(self, form: Any) -> HttpResponse:
        """Start a release from a file or a survey."""
        file, survey = form.files.get("file"), form.cleaned_data.get("survey")
        if (file is None) == (survey is None):
            raise SurveyError("release_file.none")
        if file is None:
            require_to_export(self.builder)
            made = survey_begin(owner=self.builder, survey=survey, now=timezone.now())
        else:
            made = upload_begin(
                owner=self.builder,
                name=str(file.name),
                raw=file.read(MOST_BYTES + 1),
                sheet=form.cleaned_data["sheet"],
                now=timezone.now(),
            )
        return redirect("releases:columns", made.pk)


class StepPage(FormPage):
    """A step towards a release; redirects to the release once it is requested."""

    release: Release
    step: str

    def prepare(self) -> HttpResponse | None:
        """Load the release, if the user may edit it."""
        self.release = get_release_for_builder(self.request.user, self.kwargs["release_id"])
        return (
            None
            if is_editable(self.release) and self.release.columns
            else redirect("releases:release", self.release.pk)
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form, the release and the steps."""
        return super().get_context_data(release=self.release, steps=steps_of(self.release, self.step), **more)


class ColumnsPage(StepPage):
    """Asks for the role of each column."""

    step, template_name = "columns", "anonymisation/columns.html"

    def get_form(self, form_class: Any = None) -> ColumnsForm:
        """Return the form; of a table that was given it asks for respondents and ledgers, too."""
        options: dict[str, Any] = {}
        if self.release.survey is None:
            opened = table_open(self.release, ())
            try:
                sentence = people_sentence(opened.people(self.release.columns), self.release.records)
            except SurveyError as error:
                sentence = sentences(error)
            options = {
                "respondent": opened.written.respondent,
                "people": opened.written.people,
                "sentence": sentence,
                "ledgers": len(opened.written.ledgers),
            }
            options["profile"] = opened.written.profile
        return ColumnsForm(self.release.columns, *self.sent, **options)

    def service(self, form: Any) -> HttpResponse:
        """Save the roles."""
        files = form.cleaned_data.get("ledgers", [])
        columns_save(
            self.release,
            form.chosen(),
            by=self.staff,
            respondent=form.cleaned_data.get("respondent", ""),
            people=form.cleaned_data.get("people", ""),
            ledgers=[ledger_from_file(str(file.name), file.read(MOST_BYTES + 1)) for file in files],
        )
        return redirect("releases:trees", self.release.pk)


class BoundsPage(StepPage):
    """Asks for bounds, and requests the release."""

    step, template_name = "bounds", "anonymisation/bounds.html"

    @cached_property
    def _stored(self) -> Written:
        return written_of(self.release)

    @cached_property
    def _before(self) -> Release | None:
        return None if self._stored.ledgers else releases_of_same_people(self.release).first()

    def first_problem(self) -> str:
        """Return why the last job failed."""
        return refusal_said(self.release.job.message) if self.release.job is not None else ""

    def get_form(self, form_class: Any = None) -> BoundsForm:
        """Return the form with the bounds and beliefs of now."""
        release, stored = self.release, self._stored
        return BoundsForm(
            release.columns,
            release.bounds,
            stored.beliefs,
            *self.sent[:1],
            with_matrix=bool(stored.matrix),
            was_published=self._before is not None,
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and, without its ledger, an earlier release of the same people."""
        return super().get_context_data(published_before=self._before, **more)

    def service(self, form: Any) -> HttpResponse:
        """Save the bounds, then request the release or go to the matrix."""
        bounds_save(self.release, form.chosen(), form.beliefs())
        if "matrix" in self.request.POST:
            return redirect("releases:matrix", self.release.pk)
        release_request(self.release, form.chosen(), by=self.staff, now=timezone.now())
        return redirect("releases:release", self.release.pk)


class StudyPage(StepPage):
    """Asks what archives ask for of a study."""

    step, template_name = "study", "anonymisation/study.html"

    def get_form(self, form_class: Any = None) -> DescriptionForm:
        """Return the form with the stored description, or with facts about the survey."""
        survey = self.release.survey
        known = self.release.description or ({} if survey is None else _of_survey(survey))
        return DescriptionForm(self.sent[0]) if self.sent else DescriptionForm(initial=known)

    def service(self, form: Any) -> HttpResponse:
        """Save the description."""
        study_save(self.release, form.typed, by=self.staff)
        return redirect("releases:bounds", self.release.pk)


def _of_survey(survey: Survey) -> dict[str, str]:
    about = survey.versions.latest("number").wording.get("about", {})
    known = {"creators": "researcher", "abstract": "purpose", "universe": "population", "sampling": "frame"}
    said = {name: next(iter(about.get(key, {}).values()), "") for name, key in known.items()}
    moments = {"start": survey.opened_at, "end": survey.closed_at}
    days = {name: moment.date().isoformat() for name, moment in moments.items() if moment is not None}
    return {**said, "title": next(iter(survey.title.values())), **days}


NAMES = {
    "very high": gettext_lazy("very high"),
    "high": gettext_lazy("high"),
    "medium": gettext_lazy("medium"),
    "low": gettext_lazy("low"),
    "very low": gettext_lazy("very low"),
}


class MatrixForm(forms.Form):
    """Numbers by value and column; of a matrix too large for a page a file only."""

    file = forms.FileField(
        label=gettext_lazy("File instead of the numbers (CSV)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )

    def __init__(self, draft: MatrixDraft, *args: Any) -> None:
        super().__init__(*args)
        self.draft = draft
        if draft.by_file_only:
            return
        for row, (value, cells) in enumerate(draft.rows.items()):
            shown = value or _("missing")
            for column, (name, cell) in enumerate(zip(draft.names, cells, strict=True)):
                # A text that is not a number is refused with its value and column, as in a file.
                self.fields[f"u_{row}_{column}"] = forms.CharField(
                    initial=cell,
                    required=False,
                    max_length=40,
                    widget=forms.NumberInput(
                        attrs={
                            "min": 0,
                            "max": 1,
                            "step": "any",
                            "list": "levels",
                            "aria-label": f"{shown}, {name}",
                            "data-row": row,
                            "data-column": column,
                        }
                    ),
                )

    @property
    def levels(self) -> list[tuple[str, float]]:
        """The five levels of an expert, each with its number."""
        return [(str(NAMES[name]), number) for name, number in LEVELS.items()]

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """Each value with its fields and their sum."""
        for row, value in enumerate(self.draft.rows):
            fields: list[BoundField] = [
                self[f"u_{row}_{position}"] for position in range(len(self.draft.names))
            ]
            yield {"value": value, "fields": fields, "sum": f"{sum(map(_number, fields)):.2f}"}

    @property
    def shares(self) -> list[str]:
        """What part of the loss each column makes, in percent."""
        sums = [0.0] * len(self.draft.names)
        for line in self.lines:
            sums = [total + _number(field) for total, field in zip(sums, line["fields"], strict=True)]
        whole = sum(sums)
        return [f"{100 * total / whole:.0f}" if whole else "–" for total in sums]

    def text(self) -> str:
        """The typed or uploaded matrix, as text.

        Raises
        ------
        SurveyError
            As `matrix_from_file`.
        """
        given = self.cleaned_data.get("file")
        if given is not None:
            return matrix_from_file(given.read())
        return self.draft.text(
            {
                value: [
                    self.cleaned_data.get(f"u_{row}_{position}", "")
                    for position in range(len(self.draft.names))
                ]
                for row, value in enumerate(self.draft.rows)
            }
        )


def _number(field: BoundField) -> float:
    try:
        return float(field.value() or 0)
    except ValueError:
        return 0.0


class MatrixPage(StepPage):
    """Takes an expert's matrix, gives it as a file, or lets the table say it again."""

    step, template_name = "bounds", "anonymisation/matrix.html"

    def prepare(self) -> HttpResponse | None:
        """Load the current matrix."""
        if (elsewhere := super().prepare()) is not None:
            return elsewhere
        try:
            self.draft = matrix_draft(self.release)
        except PrivacyError as error:
            self.draft = MatrixDraft(rows={})
            return self.refused(form=None, error=error)
        return None

    def first_problem(self) -> str:
        """Return why the matrix does not fit the table any more."""
        return "" if self.draft.misfit is None else sentences(self.draft.misfit)

    def get_form(self, form_class: Any = None) -> MatrixForm:
        """Return the form with the numbers of now."""
        return MatrixForm(self.draft, *self.sent)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and the matrix."""
        return super().get_context_data(draft=self.draft, **more)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Remove the matrix, or store the submitted one."""
        if "forget" not in request.POST:
            return super().post(request, *args, **kwargs)
        matrix_save(self.release, "", by=self.staff)
        messages.success(request, _("The matrix was removed. The table decides the weights again."))
        return redirect("releases:bounds", self.release.pk)

    def service(self, form: Any) -> HttpResponse:
        """Keep the matrix."""
        text = form.text()
        matrix_check(self.release, text)
        matrix_save(self.release, text, by=self.staff)
        messages.success(self.request, _("The matrix was saved. It now decides the weights."))
        return redirect("releases:bounds", self.release.pk)


@staff_page
@require_safe
def matrix_csv(request: HttpRequest, release_id: int) -> HttpResponse:
    """Send the current matrix, to be completed elsewhere."""
    release = get_release_for_builder(request.user, release_id)
    try:
        draft = matrix_draft(release) if is_editable(release) else MatrixDraft(rows={})
    except PrivacyError as error:
        raise Http404(sentences(error)) from error
    if not draft.sensitive:
        raise Http404(_("This release has no matrix to fill in."))
    return whole_file(draft.text(), "text/csv; charset=utf-8", f"sottovoce-matrix-{release.pk}.csv")


LONGEST_TREE: Final = 200_000


class TreesForm(forms.Form):
    """The tree of each column whose values are categories, as indented text; of numbers ends of intervals."""

    def __init__(
        self,
        trees: Mapping[str, str],
        ends: Mapping[str, str],
        spans: Mapping[str, Span],
        labels: Mapping[str, Mapping[str, str]],
        sources: Mapping[str, Sequence[tuple[str, str]]],
        *args: Any,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self._trees, self._ends = list(trees), list(ends)
        for number, (name, text) in enumerate(trees.items()):
            said = _("; ").join(f"{value} = {label}" for value, label in labels.get(name, {}).items())
            self.fields[f"tree_{number}"] = _lines(name, text, help_text=said)
            self.fields[f"source_{number}"] = forms.ChoiceField(
                label=_("Use groups from"),
                choices=sources[name],
                initial=sources[name][0][0],
                required=False,
            )
        for number, (name, text) in enumerate(ends.items()):
            least, largest = (number_text(end) for end in spans[name][:2])
            about = _("Values range from %(least)s to %(largest)s. Leave empty to get new proposals.")
            self.fields[f"ends_{number}"] = _lines(
                name, text, required=False, help_text=about % {"least": least, "largest": largest}
            )

    @property
    def of_trees(self) -> Iterator[dict[str, Any]]:
        """The fields of categories, column by column."""
        for number in range(len(self._trees)):
            yield {
                "number": number,
                "tree": self[f"tree_{number}"],
                "source": self[f"source_{number}"],
            }

    @property
    def of_ends(self) -> list[BoundField]:
        """The fields of numbers."""
        return [self[f"ends_{number}"] for number in range(len(self._ends))]

    def trees(self) -> dict[str, str]:
        """The trees, column by column."""
        return {name: self.cleaned_data[f"tree_{number}"] for number, name in enumerate(self._trees)}

    def ends(self) -> dict[str, str]:
        """The ends, column by column."""
        return {name: self.cleaned_data[f"ends_{number}"] for number, name in enumerate(self._ends)}


def _lines(name: str, text: str, **options: Any) -> forms.CharField:
    return forms.CharField(
        label=name,
        initial=text,
        max_length=LONGEST_TREE,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": min(20, text.count("\n") + 3), "class": "mono", "spellcheck": "false"}
        ),
        **options,
    )


_SHOWN = 8
"""So many values without a group are named."""


class TreesPage(StepPage):
    """Asks which values and which numbers go together; where no column is generalised so there is nothing."""

    step, template_name = "trees", "anonymisation/trees.html"

    def prepare(self) -> HttpResponse | None:
        """Skip the step if no column needs groups."""
        if (elsewhere := super().prepare()) is not None:
            return elsewhere
        known = with_role(self.release.columns, "quasi_identifier")
        self.opened = opened = table_open(self.release, [column["name"] for column in known])
        self.texts = tree_texts(opened.written.trees, self.release.columns, opened.table)
        self.spans = numbers_of(self.release.columns, opened.table)
        self.values = {
            column["name"]: [value for value in values_of(column, opened.table) if value]
            for column in known
            if column["name"] in self.texts
        }
        is_asked = self.texts or self.spans or self.request.method == "POST"
        return None if is_asked else redirect("releases:study", self.release.pk)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Fill in the groups of a source, or store the submitted ones."""
        number = request.POST.get("fill", "")
        if not number.isdecimal() or int(number) >= len(self.texts):
            return super().post(request, *args, **kwargs)
        name, data = list(self.texts)[int(number)], request.POST.copy()
        source = data.get(f"source_{number}", "")
        data[f"tree_{number}"], absent = source_text(source, name, self.values[name])
        note = _note(dict(sources_of(name, self.values[name])).get(source, ""), absent)
        return self.page(self._form(data), notes={int(number): note})

    def _form(self, *sent: Any) -> TreesForm:
        ends = ends_texts(self.opened.written.ends, self.spans)
        labels = {column.name: column.value_labels for column in self.opened.table.columns}
        sources = {name: sources_of(name, self.values[name]) for name in self.texts}
        return TreesForm(self.texts, ends, self.spans, labels, sources, *sent)

    def get_form(self, form_class: Any = None) -> TreesForm:
        """Return the form with the groups and ends of now."""
        return self._form(*self.sent[:1])

    def service(self, form: Any) -> HttpResponse:
        """Save the groups and ends."""
        trees, typed = form.trees(), form.ends()
        refuse_all(
            partial(trees_read, trees, self.release.columns, self.opened.table),
            partial(ends_written, typed, self.spans),
        )
        trees_save(self.release, trees, ends_written(typed, self.spans), by=self.staff)
        return redirect("releases:study", self.release.pk)


def _note(source: str, absent: list[str]) -> str:
    """Return the sources of the groups, and the values without a group."""
    said = _("Source: %(source)s.") % {"source": source}
    if absent:
        lacking = ngettext(
            "%(count)s value is not in any group: %(values)s",
            "%(count)s values are not in any group: %(values)s",
            len(absent),
        )
        more = " …" if len(absent) > _SHOWN else "."
        said += " " + lacking % {"count": len(absent), "values": ", ".join(absent[:_SHOWN]) + more}
    return said
