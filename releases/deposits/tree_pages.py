"""The pages of groups of values: those of a table, and those that are kept for other tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db import transaction
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from privacy.sdc.table import number_text
from releases.deposits.drafts import table_open, trees_save
from releases.deposits.interval_ends import Span, ends_texts, ends_written, numbers_of
from releases.deposits.plan import with_role
from releases.deposits.steps import StepPage
from releases.deposits.stored_trees import (
    PROPOSED,
    source_text,
    sources_of,
    tree_erase,
    tree_keep,
    tree_matching,
    tree_opened,
)
from releases.deposits.trees import tree_texts, trees_read, values_of
from releases.doors import get_trees_for_builder
from releases.microdata.trees import tree_of_file
from releases.models import StoredTree
from surveys.access.form_page import FormPage
from surveys.access.permissions import get_builder, get_staff, staff_page
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.formats.attachments import whole_file

__all__ = [
    "LONGEST_TREE",
    "StoredTreeForm",
    "StoredTreesPage",
    "TreesForm",
    "TreesPage",
    "stored_tree_erase",
    "stored_tree_text",
]

LONGEST_TREE: Final = 200_000
_LONGEST: Final = StoredTree._meta.get_field("name").max_length


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
                label=_("Take the groups from"),
                choices=sources[name],
                initial=sources[name][0][0],
                required=False,
            )
            self.fields[f"name_{number}"] = forms.CharField(
                label=_("Keep these groups for other tables, under the name"),
                max_length=_LONGEST,
                initial="",
                required=False,
            )
            self.fields[f"replace_{number}"] = _replace()
        for number, (name, text) in enumerate(ends.items()):
            least, largest = (number_text(end) for end in spans[name][:2])
            about = _(
                "Its numbers run from %(least)s to %(largest)s. Write none, and they are proposed anew."
            )
            self.fields[f"ends_{number}"] = _lines(
                name, text, required=False, help_text=about % {"least": least, "largest": largest}
            )

    @property
    def of_trees(self) -> Iterator[dict[str, Any]]:
        """The fields of categories, column by column."""
        for number in range(len(self._trees)):
            name = self[f"name_{number}"]
            yield {
                "number": number,
                "tree": self[f"tree_{number}"],
                "source": self[f"source_{number}"],
                "name": name,
                "replace": self[f"replace_{number}"],
                "open": bool(name.errors or name.value()),
            }

    @property
    def of_ends(self) -> list[BoundField]:
        """The fields of numbers."""
        return [self[f"ends_{number}"] for number in range(len(self._ends))]

    def trees(self) -> dict[str, str]:
        """The trees, column by column."""
        return {name: self.cleaned_data[f"tree_{number}"] for number, name in enumerate(self._trees)}

    def stored(self) -> Iterator[tuple[str, str, bool]]:
        """Name and text of each tree that is to be kept, and whether it replaces one of that name."""
        for number in range(len(self._trees)):
            if name := self.cleaned_data[f"name_{number}"]:
                yield name, self.cleaned_data[f"tree_{number}"], self.cleaned_data[f"replace_{number}"]

    def ends(self) -> dict[str, str]:
        """The ends, column by column."""
        return {name: self.cleaned_data[f"ends_{number}"] for number, name in enumerate(self._ends)}


class StoredTreeForm(forms.Form):
    """A file of groups, and the name under which they are kept."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=_LONGEST)
    file = forms.FileField(
        label=gettext_lazy(
            "File: indented text (.txt), or rows of a value and its groups (.csv), as ARX has"
        ),
        widget=forms.FileInput(attrs={"accept": ".txt,.csv,text/plain,text/csv"}),
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["replace"] = _replace()


def _replace() -> forms.BooleanField:
    return forms.BooleanField(
        label=_("In place of those kept under that name"), initial=False, required=False
    )


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

    step, template_name = "trees", "releases/trees.html"

    def prepare(self) -> HttpResponse | None:
        """Lead on where there is nothing to ask."""
        if (elsewhere := super().prepare()) is not None:
            return elsewhere
        known = with_role(self.deposit.columns, "quasi_identifier")
        self.opened = opened = table_open(self.deposit, [column["name"] for column in known])
        self.texts = tree_texts(opened.written.trees, self.deposit.columns, opened.table)
        self.spans = numbers_of(self.deposit.columns, opened.table)
        self.values = {
            column["name"]: [value for value in values_of(column, opened.table) if value]
            for column in known
            if column["name"] in self.texts
        }
        self.stored = list(get_trees_for_builder(self.request.user))
        is_asked = self.texts or self.spans or self.request.method == "POST"
        return None if is_asked else redirect("deposits:study", self.deposit.pk)

    def get(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show the groups as they were written, of a kept tree of the column's name, or as proposed."""
        taken = {}
        for name, values in self.values.items():
            if name not in self.opened.written.trees:
                source = tree_matching(name, values, self.stored)
                if source != PROPOSED:
                    taken[name] = source
        return self._with(taken)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Fill in the groups of a source, or take what was sent."""
        number = request.POST.get("fill", "")
        if not number.isdecimal() or int(number) >= len(self.texts):
            return super().post(request, *args, **kwargs)
        try:
            return self._with({list(self.texts)[int(number)]: request.POST.get(f"source_{number}", "")})
        except SurveyError as error:
            return self.refused(self.get_form(), error)

    def _with(self, taken: dict[str, str]) -> HttpResponse:
        """Show the form with the groups of some sources filled in."""
        texts, data, notes = dict(self.texts), self.request.POST.copy(), {}
        for name, source in taken.items():
            texts[name], absent = source_text(source, name, self.values[name], self.stored)
            number = list(texts).index(name)
            data[f"tree_{number}"], data[f"source_{number}"] = texts[name], source
            notes[number] = _note(dict(self._sources(name)).get(source, ""), absent)
        form = self._form(texts, *([data] if self.sent else []))
        form.initial = data
        return self.page(form, notes=notes)

    def _sources(self, name: str) -> list[tuple[str, str]]:
        return sources_of(name, self.values[name], self.stored)

    def _form(self, texts: dict[str, str], *sent: Any) -> TreesForm:
        ends = ends_texts(self.opened.written.ends, self.spans)
        labels = {column.name: column.value_labels for column in self.opened.table.columns}
        sources = {name: self._sources(name) for name in texts}
        return TreesForm(texts, ends, self.spans, labels, sources, *sent)

    def get_form(self, form_class: Any = None) -> TreesForm:
        """Return the form with the groups and ends of now."""
        return self._form(self.texts, *self.sent[:1])

    def service(self, form: Any) -> HttpResponse:
        """Keep the groups, some of them for other tables."""
        trees_read(form.trees(), self.deposit.columns, self.opened.table)
        ends = ends_written(form.ends(), self.spans)
        stored = list(form.stored())
        # All or none: a name that is taken refuses the others, too.
        with transaction.atomic():
            for name, text, replace in stored:
                tree_keep(name, text, replace=replace, by=self.staff, now=timezone.now())
            trees_save(self.deposit, form.trees(), ends, by=self.staff)
        for name, _text, _replace in stored:
            messages.success(self.request, _("“%(name)s” is kept for other tables.") % {"name": name})
        return redirect("deposits:study", self.deposit.pk)


def _note(source: str, absent: list[str]) -> str:
    """Return where groups were taken from, and which values have none."""
    said = _("Taken: %(source)s.") % {"source": source}
    if absent:
        lacking = ngettext(
            "%(count)s value stands in no group: %(values)s",
            "%(count)s values stand in no group: %(values)s",
            len(absent),
        )
        more = " …" if len(absent) > _SHOWN else "."
        said += " " + lacking % {"count": len(absent), "values": ", ".join(absent[:_SHOWN]) + more}
    return said


class StoredTreesPage(FormPage):
    """Lists the kept groups, and takes a file of others."""

    template_name = "releases/stored_trees.html"

    def prepare(self) -> HttpResponse | None:
        """Let in who may build."""
        self.builder = get_builder(self.request.user)
        return None

    def get_form(self, form_class: Any = None) -> StoredTreeForm:
        """Return the form."""
        return StoredTreeForm(*self.sent)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the list beside the form."""
        return super().get_context_data(trees=get_trees_for_builder(self.request.user), **more)

    def service(self, form: Any) -> HttpResponse:
        """Keep the groups of a file."""
        name, file = form.cleaned_data["name"], form.cleaned_data["file"]
        if file.size > LONGEST_TREE:
            raise SurveyError("stored_tree.large", file.size, most=LONGEST_TREE)
        text = tree_of_file(name, file.name, file.read())
        tree_keep(name, text, replace=form.cleaned_data["replace"], by=self.builder, now=timezone.now())
        messages.success(self.request, _("“%(name)s” is kept for other tables.") % {"name": name})
        return redirect("deposits:stored_trees")


@staff_page
@require_safe
def stored_tree_text(request: HttpRequest, tree_id: int) -> HttpResponse:
    """Send kept groups as indented text."""
    tree = get_object_or_404(get_trees_for_builder(request.user), pk=tree_id)
    try:
        text = tree_opened(tree)
    except SurveyError as error:
        raise Http404(sentences(error)) from error
    return whole_file(text, "text/plain; charset=utf-8", f"sotto-groups-{tree.pk}.txt")


@staff_page
@require_POST
def stored_tree_erase(request: HttpRequest, tree_id: int) -> HttpResponse:
    """Delete kept groups."""
    tree = get_object_or_404(get_trees_for_builder(request.user), pk=tree_id)
    tree_erase(tree, by=get_staff(request.user))
    said = _("“%(name)s” is deleted. Tables that took these groups keep their own copy.")
    messages.success(request, said % {"name": tree.name})
    return redirect("deposits:stored_trees")
