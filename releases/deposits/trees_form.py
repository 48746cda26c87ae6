"""The form of groups: trees of categories and where they come from, and ends of intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.sdc.table import number_text
from releases.deposits.interval_ends import Span
from releases.models import StoredTree

__all__ = ["LONGEST_TREE", "StoredTreeForm", "TreesForm"]

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
