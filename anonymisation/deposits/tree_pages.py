"""The page of the groups of values of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from anonymisation.deposits.drafts import table_open, trees_save
from anonymisation.deposits.interval_ends import Span, ends_texts, ends_written, numbers_of
from anonymisation.deposits.plan import with_role
from anonymisation.deposits.steps import StepPage
from anonymisation.deposits.trees import source_text, sources_of, tree_texts, trees_read, values_of
from privacy.sdc.table import number_text

__all__ = ["LONGEST_TREE", "TreesForm", "TreesPage"]

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
        is_asked = self.texts or self.spans or self.request.method == "POST"
        return None if is_asked else redirect("deposits:study", self.deposit.pk)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Fill in the groups of a source, or take what was sent."""
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
        """Keep the groups and ends."""
        trees_read(form.trees(), self.deposit.columns, self.opened.table)
        ends = ends_written(form.ends(), self.spans)
        trees_save(self.deposit, form.trees(), ends, by=self.staff)
        return redirect("deposits:study", self.deposit.pk)


def _note(source: str, absent: list[str]) -> str:
    """Return where groups were taken from, and which values have none."""
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
