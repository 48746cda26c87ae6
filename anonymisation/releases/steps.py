"""Pages of the steps towards a release: table, columns, groups, study, bounds, matrix.

Also prepares their contents: the list of releases, a job's progress, and the findings of a release as
sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.microdata.bars_picture import before_and_after
from anonymisation.microdata.description import DescriptionForm
from anonymisation.microdata.lattice_picture import lattice_drawing
from anonymisation.models import Release, ReleaseTable
from anonymisation.permissions import (
    get_release_for_builder,
    get_releases_for_builder,
    get_releases_for_questions,
)
from anonymisation.releases.bounds_form import BoundsForm
from anonymisation.releases.columns import ledger_from_file, releases_of_same_people
from anonymisation.releases.columns_form import ColumnsForm
from anonymisation.releases.counted import counted_sentence, decision_sentences, people_sentence
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
    survey_begin,
    table_open,
    trees_save,
    upload_begin,
)
from anonymisation.releases.plan import (
    Span,
    ends_texts,
    numbers_of,
    refuse_all,
    tree_texts,
    trees_read,
    typed_ends,
    with_role,
)
from anonymisation.releases.questions import open_releases
from anonymisation.releases.source_forms import BeginForm
from anonymisation.releases.typed_texts import DraftTexts, texts_of
from privacy.errors import PrivacyError
from privacy.validation import number_text
from surveys.accounts.form_page import FormPage
from surveys.accounts.permissions import (
    get_builder,
    get_surveys_for_builder,
    may_read_reports,
    require_to_export,
)
from surveys.errors.error import SurveyError, refusal_text, sentences
from surveys.formats.figures import count_text, number
from surveys.imports.table_reading import MOST_BYTES
from surveys.models import Job, Survey

STEPS: Final = (
    ("columns", gettext_lazy("Columns")),
    ("trees", gettext_lazy("Groups of values")),
    ("study", gettext_lazy("The study")),
    ("bounds", gettext_lazy("Requirements")),
    ("release", gettext_lazy("The release")),
)
_PEOPLE: Final = gettext_lazy("people in the smallest group (k)")
STAGES: Final = {
    "": gettext_lazy("A worker starts it in a moment"),
    "receiving": gettext_lazy("Reading the table"),
    "reading": gettext_lazy("Reading the records"),
    "grouping": gettext_lazy("Grouping similar records"),
    "lattice": gettext_lazy("Comparing the ways to generalise"),
    "models": gettext_lazy("Merging groups until all requirements are met"),
    "checking": gettext_lazy("Checking, and comparing with earlier releases"),
    "writing": gettext_lazy("Writing the files"),
    "attacking": gettext_lazy("Attacking the release as a test"),
}
_WORTHLESS: Final = 0.02
"""Smallest share of its information that a column must keep to be worth publishing."""
_LIGHT: Final = 0.5
"""Share of the mean weight below which a column's weight counts as small."""
MODELS: Final = {
    "k": gettext_lazy("records in each group, at least (k)"),
    "distinct_l": gettext_lazy("different values in each group, at least (l)"),
    "t": gettext_lazy("distance from the whole table, at most (t)"),
    "basic_beta": gettext_lazy("relative gain of a share, at most (beta)"),
    "enhanced_beta": gettext_lazy("relative gain of a share, at most (enhanced beta)"),
    "delta": gettext_lazy("change in how likely a value is, below (delta)"),
    "rho2": gettext_lazy("belief after the release, at most (rho2)"),
}


CHANCES: Final = (
    (
        "highest",
        gettext_lazy("probability that a record is identified, highest"),
        gettext_lazy("highest probability"),
    ),
    ("mean", gettext_lazy("probability that a record is identified, mean"), gettext_lazy("mean probability")),
    (
        "at_risk",
        gettext_lazy("share of records with a probability above 1 in 5"),
        gettext_lazy("share at risk"),
    ),
)
"""Measures of risk, each a share: key, name in a table, name in a chart."""
_CHANCES_OF_PEOPLE: Final = {
    "highest": gettext_lazy("probability that a person is identified, highest"),
    "mean": gettext_lazy("probability that a person is identified, mean"),
    "at_risk": gettext_lazy("share of people with a probability above 1 in 5"),
}
"""The same names if people can have several records."""


def list_entries(releases: Iterable[Release]) -> list[dict[str, Any]]:
    """Return releases for a list, each with its state and the time when its records are deleted."""
    rows = list(releases)
    ends = dict(ReleaseTable.objects.filter(release__in=rows).values_list("release_id", "ends_at"))
    return [
        {"release": release, "state": _state(release), "ends_at": ends.get(release.pk)} for release in rows
    ]


def _state(release: Release) -> str:
    if release.finished_at is not None:
        return _("created") if release.files is not None else _("created; files deleted")
    if release.job is None:
        return _("started")
    return {
        Job.State.QUEUED: _("in progress"),
        Job.State.RUNNING: _("in progress"),
        Job.State.FAILED: _("refused: see why"),
        Job.State.CANCELLED: _("cancelled"),
    }.get(Job.State(release.job.state), _("started"))


def is_editable(release: Release) -> bool:
    """Return whether a release is neither finished nor in progress."""
    return release.finished_at is None and (release.job is None or release.job.is_over)


def steps_of(release: Release, here: str) -> dict[str, Any]:
    """Return the steps with their addresses, and the time when the records are deleted."""
    table = ReleaseTable.objects.filter(release=release).values_list("ends_at", flat=True).first()
    editable = is_editable(release)
    links = [
        {
            "name": label,
            "address": reverse(f"releases:{step}", args=[release.pk])
            if editable and step != "release"
            else "",
            "here": step == here,
        }
        for step, label in STEPS
    ]
    index = [step for step, _label in STEPS].index(here)
    back = links[index - 1]["address"] if index else reverse("releases:begin")
    return {"links": links, "back": back, "ends_at": table, "telling": _reveal_text(release.columns)}


def _reveal_text(columns: Iterable[Mapping[str, Any]]) -> str:
    """Return sentences about columns that reveal a protected one; "" if none does."""
    pairs = [
        _("“%(name)s” determines “%(protected)s”.") % {"name": column["name"], "protected": target}
        for column in columns
        for target in column.get("tells", ())
    ]
    remedy = _("Anyone who learns one of the two learns the other. Leave this column out, or protect it too.")
    return " ".join([*pairs, remedy]) if pairs else ""


def progress_of(release: Release) -> dict[str, Any]:
    """Return the progress of a release's job, in the form that waiting pages use."""
    job = release.job
    if job is None:
        return {}
    ahead = (
        Job.objects.filter(Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING), pk__lt=job.pk).count()
        if job.state == Job.State.QUEUED
        else 0
    )
    return {
        "state": job.state,
        "headline": _("Waiting behind %(count)s other jobs") % {"count": count_text(ahead)}
        if ahead
        else str(STAGES.get(job.stage, job.stage)),
        "detail": _("Attempt %(attempt)s: an earlier worker stopped. No data was lost.")
        % {"attempt": job.attempts}
        if job.attempts > 1
        else "",
        "percent": round(100 * job.done / job.total) if job.total else None,
        "expected": "",
    }


def result_of(release: Release) -> dict[str, Any]:
    """Return the figures of a finished release, with their names and charts."""
    result = release.result
    loss, before, after = result["loss"], result["risk"]["before"], result["risk"]["after"]
    # A table without a protected column has no weights.
    weights = loss["weights"] or dict.fromkeys(loss["columns"], 1.0)
    errors = {name: loss["errors"][name] for name in loss["columns"]}
    losses = [
        {**errors[name], "name": name, "weight": weights[name] / sum(weights.values()), "lost": loss}
        for name, loss in loss["columns"].items()
    ]
    return {
        **result,
        "bounds": [
            {
                **bound,
                "model": _PEOPLE
                if bound["model"] == "k" and "people" in result
                else MODELS.get(bound["model"], bound["model"]),
                "asked": _figure(bound["asked"]),
                "reached": _figure(bound["reached"]),
            }
            for bound in result["bounds"]
            if bound["model"] != "k" or bound is result["bounds"][0]
        ],
        "risks": [
            (_CHANCES_OF_PEOPLE[key] if "people" in result else name, before[key], after[key])
            for key, name, _short in CHANCES
        ],
        "risk_picture": before_and_after(
            _("Risk, before and after"),
            [(str(short), before[key], after[key]) for key, _name, short in CHANCES],
            most=1.0,
        ),
        "use_picture": before_and_after(
            _("Bits of information in each column, before and after"),
            [(name, error["entropy"], error["information"]) for name, error in errors.items()],
        ),
        "counted_sentence": counted_sentence(result["counted"], result["records"], result.get("people"))
        if "counted" in result
        else "",
        "methods": result["methods"].strip().split("\n\n"),
        "kept": 1 - loss["ncp"],
        "losses": losses,
        "given_up": given_up(losses),
        "certain": _certain(result, release.bounds),
        "knowing_more": any(attack["disclosed"] for attack in result["attacks"]["knowing"]),
        "lattice": lattice_drawing(result["lattice"]),
    }


def given_up(losses: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each published column that has lost nearly all its information."""
    warnings = []
    for column in losses:
        if column["entropy"] and column["information"] < _WORTHLESS * column["entropy"]:
            warnings.append(
                _(
                    "“%(name)s” carries no information any more. It was lost in favour of the "
                    "other columns, because its weight is small."
                )
                if column["weight"] * len(losses) < _LIGHT
                else _(
                    "“%(name)s” carries no information any more. If you leave it out, the others keep more."
                )
            )
            warnings[-1] %= {"name": column["name"]}
    return warnings


def _certain(result: Mapping[str, Any], bounds: Mapping[str, Any]) -> list[str]:
    """Return sentences on how many people's or records' protected values can become certain, and why."""
    total = result.get("people") or result["records"]
    by_column = {
        attack["column"]: {**attack, "people": total, "disclosed": attack["one_value_records"]}
        for attack in result["attacks"]["read_off"]
        if (bounds.get("columns", {}).get(attack["column"], {}).get("l") or 1) < 2
    }
    attempts = [(_("Someone who knows the generalised columns"), attack) for attack in by_column.values()]
    knowing = _("Someone who also knows a person’s other protected columns")
    attempts += [(knowing, attack) for attack in result["attacks"]["knowing"]]
    text = (
        _(
            "%(who)s becomes certain of “%(column)s” for at most %(disclosed)s of %(people)s "
            "people. Reason: %(why)s"
        )
        if "people" in result
        else _(
            "%(who)s becomes certain of “%(column)s” in at most %(disclosed)s of %(people)s "
            "records. Reason: %(why)s"
        )
    )
    return [
        text
        % {
            "who": who,
            "why": _("you did not require a second value of it in each group (l).")
            if attack["column"] in by_column
            else _("you assumed that others only know the generalised columns."),
            **attack,
        }
        for who, attack in attempts
        if attack["disclosed"]
    ]


def _figure(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else number(value)


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
        if (file is None) == (survey is None):
            raise SurveyError("release_file.none")
        if file is None:
            require_to_export(self.builder)
            release = survey_begin(owner=self.builder, survey=survey, now=timezone.now())
        else:
            release = upload_begin(
                owner=self.builder,
                name=str(file.name),
                raw=file.read(MOST_BYTES + 1),
                sheet=form.cleaned_data["sheet"],
                now=timezone.now(),
            )
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
            ledgers=[ledger_from_file(str(file.name), file.read(MOST_BYTES + 1)) for file in files],
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


LONGEST_TREE: Final = 200_000


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
            meanings = _("; ").join(f"{value} = {label}" for value, label in labels.get(name, {}).items())
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
        max_length=LONGEST_TREE,
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
