"""Pages of the steps towards a release: table, columns, groups, study, bounds, matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.microdata.description import DescriptionForm
from anonymisation.models import Release
from anonymisation.permissions import (
    get_release_for_builder,
    get_releases_for_builder,
    get_releases_for_questions,
)
from anonymisation.policy import LONGEST_TEXT
from anonymisation.releases.bounds_form import BoundsForm
from anonymisation.releases.columns_form import ColumnsForm
from anonymisation.releases.counted import people_sentence
from anonymisation.releases.drafts import (
    MatrixDraft,
    bounds_save,
    columns_save,
    counts_people,
    matrix_check,
    matrix_draft,
    matrix_save,
    release_request,
    study_save,
    table_open,
    trees_save,
)
from anonymisation.releases.group_trees import tree_texts, trees_read
from anonymisation.releases.interval_ends import Span, ends_texts, numbers_of, typed_ends
from anonymisation.releases.new_release import survey_begin, upload_begin
from anonymisation.releases.plan import with_role
from anonymisation.releases.problems import refuse_all
from anonymisation.releases.progress import is_editable, list_entries
from anonymisation.releases.release_queries import open_releases
from anonymisation.releases.same_people import releases_of_same_people
from anonymisation.releases.source_forms import BeginForm
from anonymisation.releases.step_links import steps_of
from anonymisation.releases.typed_texts import DraftTexts, texts_of
from anonymisation.releases.uploaded_ledger import ledger_from_file
from privacy.counted_nouns import agreed
from privacy.errors import PrivacyError
from privacy.filled_text import fill_fields
from privacy.numeric_text import number_text
from privacy.tables.decisions import TEXTS, Decisions
from surveys.accounts.form_page import FormPage
from surveys.accounts.permissions import (
    get_builder,
    get_surveys_for_builder,
    may_read_reports,
    require_to_export,
)
from surveys.errors.error import SurveyError, sentences
from surveys.errors.stored_refusals import refusal_text
from surveys.formats.joints import series_text
from surveys.formats.numbers import count_text
from surveys.imports.files.uploaded_tables import MOST_TABLE_BYTES
from surveys.models import Survey


class BeginPage(FormPage):
    """Lists unfinished and finished releases, and starts a new one."""

    template_name = "anonymisation/begin.html"

    def prepare(self) -> HttpResponse | None:
        """Require a researcher or administrator."""
        self.builder = get_builder(self.request.user)
        return None

    def get_form(self, form_class: Any = None) -> BeginForm:
        """Return the form with the surveys whose answers may be published."""
        surveys = get_surveys_for_builder(self.request.user) if may_read_reports(self.builder) else ()
        return BeginForm(
            *self.form_data, surveys=[survey for survey in surveys if survey.settled and not survey.practice]
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and the list of releases."""
        user = self.request.user
        return super().get_context_data(
            releases=list_entries(get_releases_for_builder(user)),
            open_releases=open_releases(get_releases_for_questions(user), self.staff),
            **more,
        )

    def service(self, form: Any) -> HttpResponse:
        """Start a release from a file or a survey."""
        file, survey = form.files.get("file"), form.cleaned_data.get("survey")
        now = timezone.now()
        if (file is None) == (survey is None):
            raise SurveyError("release_file.none")
        if file is None:
            require_to_export(self.builder)
            release = survey_begin(owner=self.builder, survey=survey, now=now, repeats=False)
        else:
            release = upload_begin(
                owner=self.builder,
                name=str(file.name),
                raw=file.read(MOST_TABLE_BYTES + 1),
                sheet=form.cleaned_data["sheet"],
                now=now,
                repeats=False,
            )
        if release.made_at != now:
            messages.info(self.request, _("You started this release before. Nothing was chosen in it yet."))
        return redirect("releases:columns", release.pk)


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


def decision_sentences(documents: Iterable[Any]) -> list[str]:
    """Return what was decided when a file was read, in the active language."""
    return [
        fill_fields(
            agreed(_(TEXTS[each.key]), each.fields),
            {
                name: count_text(value) if isinstance(value, int) else value
                for name, value in each.fields.items()
            },
        )
        for each in Decisions.of_documents(documents)
    ]


class ColumnsPage(StepPage):
    """Asks for the role of each column."""

    step, template_name = "columns", "anonymisation/columns.html"

    def get_form(self, form_class: Any = None) -> ColumnsForm:
        """Return the form; for an uploaded table it also asks for respondents and ledgers."""
        options: dict[str, Any] = {}
        if self.release.survey is None:
            source = table_open(self.release, ())
            sentence = ""
            try:
                # Refused choices were not saved; the problem at the top of the page is about them.
                if not self.form_data:
                    sentence = people_sentence(source.counting(self.release.columns), self.release.records)
            except PrivacyError as error:
                sentence = sentences(error)
            inputs = source.inputs
            options = {"respondent": inputs.respondent, "people": inputs.people, "sentence": sentence}
            options |= {"ledgers": len(inputs.ledgers), "profile": inputs.profile}
            options["decisions"] = decision_sentences(inputs.decisions)
        return ColumnsForm(self.release.columns, *self.form_data, **options)

    def service(self, form: Any) -> HttpResponse:
        """Save the roles."""
        files = form.cleaned_data.get("ledgers", [])
        columns_save(
            self.release,
            form.choices(),
            by=self.staff,
            respondent=form.cleaned_data.get("respondent", ()),
            people=form.cleaned_data.get("people", ""),
            ledgers=[ledger_from_file(str(file.name), file.read(MOST_TABLE_BYTES + 1)) for file in files],
        )
        return redirect("releases:trees", self.release.pk)


class BoundsPage(StepPage):
    """Asks for bounds, and requests the release."""

    step, template_name = "bounds", "anonymisation/bounds.html"

    @cached_property
    def _inputs(self) -> DraftTexts:
        return texts_of(self.release)

    @cached_property
    def _before(self) -> Release | None:
        found = releases_of_same_people(self.release, self._inputs.as_written)
        return None if self._inputs.ledgers else found.first()

    def first_problem(self) -> str:
        """Return why the last job failed."""
        return refusal_text(self.release.job.message) if self.release.job is not None else ""

    def get_form(self, form_class: Any = None) -> BoundsForm:
        """Return the form with the current bounds and beliefs."""
        release, texts = self.release, self._inputs
        return BoundsForm(
            release.columns,
            release.bounds,
            texts.beliefs,
            *self.form_data[:1],
            with_matrix=bool(texts.matrix),
            was_published=self._before is not None,
            counts_people=counts_people(self.release),
        )

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and, if its ledger was not given, an earlier release of the same people."""
        return super().get_context_data(published_before=self._before, **more)

    def service(self, form: Any) -> HttpResponse:
        """Save the bounds, then request the release or go to the matrix."""
        bounds_save(self.release, form.bounds(), form.beliefs())
        if "matrix" in self.request.POST:
            return redirect("releases:matrix", self.release.pk)
        release_request(self.release, form.bounds(), by=self.staff, now=timezone.now())
        return redirect("releases:release", self.release.pk)


class StudyPage(StepPage):
    """Asks for the description of the study that archives require."""

    step, template_name = "study", "anonymisation/study.html"

    def get_form(self, form_class: Any = None) -> DescriptionForm:
        """Return the form with the stored description, or with facts about the survey."""
        survey = self.release.survey
        values = self.release.description or ({} if survey is None else _survey_facts(survey))
        if not self.form_data:
            return DescriptionForm(initial=values)
        return DescriptionForm({} if "without" in self.form_data[0] else self.form_data[0])

    def service(self, form: Any) -> HttpResponse:
        """Save the description."""
        study_save(self.release, form.own_texts, by=self.staff)
        return redirect("releases:bounds", self.release.pk)


def _survey_facts(survey: Survey) -> dict[str, str]:
    about = survey.versions.latest("number").wording.get("about", {})
    keys = {"creators": "researcher", "abstract": "purpose", "universe": "population", "sampling": "frame"}
    fields = {name: next(iter(about.get(key, {}).values()), "") for name, key in keys.items()}
    moments = {"start": survey.opened_at, "end": survey.closed_at}
    days = {name: moment.date().isoformat() for name, moment in moments.items() if moment is not None}
    return {**fields, "title": next(iter(survey.title.values())), **days}


class MatrixForm(forms.Form):
    """An expert's matrix as lines of cells."""

    matrix = forms.CharField(
        label=gettext_lazy("How much each column reveals about each value, from 0 to 1"),
        help_text=gettext_lazy(
            "The first line names the protected column and the generalised ones. Each further line has a "
            "value and its numbers. You can also write very high (1), high (0.8), medium (0.6), low (0.4) or "
            "very low (0.2)."
        ),
        max_length=1_000_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 15, "class": "mono", "spellcheck": "false"}),
    )


class MatrixPage(StepPage):
    """Accepts an expert's matrix, or removes it."""

    step, template_name = "bounds", "anonymisation/matrix.html"

    def prepare(self) -> HttpResponse | None:
        """Load the current matrix."""
        if (elsewhere := super().prepare()) is not None:
            return elsewhere
        try:
            self.draft = matrix_draft(self.release)
        except PrivacyError as error:
            self.draft = MatrixDraft()
            return self.problem_page(form=None, error=error)
        return None

    def first_problem(self) -> str:
        """Return why the matrix no longer fits the table."""
        return "" if self.draft.misfit is None else sentences(self.draft.misfit)

    def get_form(self, form_class: Any = None) -> MatrixForm:
        """Return the form with the current numbers."""
        return MatrixForm(self.form_data[0] if self.form_data else None, initial={"matrix": self.draft.text})

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the form and the matrix."""
        return super().get_context_data(draft=self.draft, **more)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Remove the matrix, or store the submitted one."""
        if "forget" not in request.POST:
            return super().post(request, *args, **kwargs)
        matrix_save(self.release, "", by=self.staff)
        messages.success(request, _("The matrix was removed. It no longer decides the weights."))
        return redirect("releases:bounds", self.release.pk)

    def service(self, form: Any) -> HttpResponse:
        """Save the matrix."""
        text = form.cleaned_data["matrix"]
        matrix_check(self.release, text)
        matrix_save(self.release, text, by=self.staff)
        messages.success(self.request, _("The matrix was saved. It now decides the weights."))
        return redirect("releases:bounds", self.release.pk)


class TreesForm(forms.Form):
    """Trees for columns of categories, as indented text, and ends of intervals for columns of numbers."""

    def __init__(
        self,
        trees: Mapping[str, str],
        ends: Mapping[str, str],
        spans: Mapping[str, Span],
        labels: Mapping[str, Mapping[str, str]],
        *args: Any,
    ) -> None:
        super().__init__(*args)
        self._trees, self._ends = list(trees), list(ends)
        for position, (name, text) in enumerate(trees.items()):
            meanings = series_text(f"{value} = {label}" for value, label in labels.get(name, {}).items())
            self.fields[f"tree_{position}"] = _lines(name, text, help_text=meanings)
        for position, (name, text) in enumerate(ends.items()):
            least, largest = (number_text(end) for end in spans[name][:2])
            about = _("Values range from %(least)s to %(largest)s. Leave empty to get new proposals.")
            self.fields[f"ends_{position}"] = _lines(
                name, text, required=False, help_text=about % {"least": least, "largest": largest}
            )

    @property
    def of_trees(self) -> list[BoundField]:
        """Fields for categories."""
        return [self[f"tree_{position}"] for position in range(len(self._trees))]

    @property
    def of_ends(self) -> list[BoundField]:
        """Fields for numbers."""
        return [self[f"ends_{position}"] for position in range(len(self._ends))]

    def trees(self) -> dict[str, str]:
        """Return the trees by column."""
        return {name: self.cleaned_data[f"tree_{position}"] for position, name in enumerate(self._trees)}

    def ends(self) -> dict[str, str]:
        """Return the ends by column."""
        return {name: self.cleaned_data[f"ends_{position}"] for position, name in enumerate(self._ends)}


def _lines(name: str, text: str, **options: Any) -> forms.CharField:
    return forms.CharField(
        label=name,
        initial=text,
        max_length=LONGEST_TEXT,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": min(20, text.count("\n") + 3), "class": "mono", "spellcheck": "false"}
        ),
        **options,
    )


class TreesPage(StepPage):
    """Asks for groups of values and intervals of numbers; skipped if no column needs them."""

    step, template_name = "trees", "anonymisation/trees.html"

    def prepare(self) -> HttpResponse | None:
        """Skip the step if no column needs groups."""
        if (elsewhere := super().prepare()) is not None:
            return elsewhere
        quasi_ids = with_role(self.release.columns, "quasi_identifier")
        self.open_table = source = table_open(self.release, [column["name"] for column in quasi_ids])
        self.texts = tree_texts(source.inputs.trees, self.release.columns, source.table)
        self.spans = numbers_of(self.release.columns, source.table)
        is_asked = self.texts or self.spans or self.request.method == "POST"
        return None if is_asked else redirect("releases:study", self.release.pk)

    def get_form(self, form_class: Any = None) -> TreesForm:
        """Return the form with the current groups and ends."""
        ends = ends_texts(self.open_table.inputs.ends, self.spans)
        labels = {column.name: column.value_labels for column in self.open_table.table.columns}
        return TreesForm(self.texts, ends, self.spans, labels, *self.form_data[:1])

    def service(self, form: Any) -> HttpResponse:
        """Save the groups and ends."""
        trees, end_texts = form.trees(), form.ends()
        refuse_all(
            partial(trees_read, trees, self.release.columns, self.open_table.table),
            partial(typed_ends, end_texts, self.spans),
        )
        trees_save(self.release, trees, typed_ends(end_texts, self.spans), by=self.staff)
        return redirect("releases:study", self.release.pk)
