"""The form of a release's bounds: k, algorithm, and models for each protected column."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.microdata.config import DRAWN
from anonymisation.policy import LONGEST_TEXT, MOST_K, MOST_L, MOST_SUPPRESSED, MOST_WEIGHT
from anonymisation.releases.plan import BOUNDS, with_role

ALGORITHMS: Final = (
    ("tight", gettext_lazy("groups of neighbours: loses least")),
    ("bottom-up", gettext_lazy("groups by repeated pairing, as in the literature")),
    ("samarati", gettext_lazy("the same level for all records")),
)
# Algorithms that draw at random; the page shows them under *Details*.
OTHER_ALGORITHMS: Final = (
    ("", gettext_lazy("as chosen above")),
    ("ilp", gettext_lazy("integer program that keeps protected values distinct (ILP l-diversity)")),
    ("kacluk", gettext_lazy("random groups within clusters of protected values (KACLUK)")),
)
SEARCHES: Final = (
    ("lowest", gettext_lazy("the one with the fewest steps")),
    ("all", gettext_lazy("the one that loses least")),
)
KNOWN: Final = (
    ("on", gettext_lazy("the other protected columns too")),
    ("off", gettext_lazy("only the generalised columns")),
)
WEIGHTS_AS: Final = (
    ("mean", gettext_lazy("means of groups")),
    ("rounded", gettext_lazy("rounded")),
)
WEIGHING: Final = (
    ("", gettext_lazy("the weights above; equal where empty")),
    ("table", gettext_lazy("by how much each column reveals about the first protected column")),
    ("own", gettext_lazy("for each person by their own protected value")),
)
# Label and help text of each bound.
TEXTS: Final = {
    "l": (
        gettext_lazy("Different values in each group, at least (l)"),
        gettext_lazy(
            "Guards against groups in which everyone has the same value: someone who finds a "
            "person in the group would know it."
        ),
    ),
    "t": (
        gettext_lazy("Distance of each group from the whole table, at most (t)"),
        gettext_lazy(
            "Guards against groups that reveal a lot about their members. 0 means like the "
            "whole table, 1 means no limit."
        ),
    ),
    "beta": (
        gettext_lazy("Relative gain of any value’s share, at most (beta)"),
        gettext_lazy(
            "Guards against a value that is much more common in a group than in the table. 1 "
            "means twice as common."
        ),
    ),
    "enhanced_beta": (
        gettext_lazy("Relative gain, stricter for common values (enhanced beta)"),
        gettext_lazy("The limit for a value is beta or −ln of its share, whichever is smaller."),
    ),
    "delta": (
        gettext_lazy("Change in how likely any value is, below (delta)"),
        gettext_lazy(
            "Guards against a value becoming much more or much less likely. 0.7 means a factor of two."
        ),
    ),
    "rho1": (
        gettext_lazy("A belief below this … (rho1)"),
        gettext_lazy("Guards against near-certainty about something thought rare. A share, such as 0.1."),
    ),
    "rho2": (
        gettext_lazy("… must not rise above this (rho2)"),
        gettext_lazy("A larger share, such as 0.5. Fill in both, or neither."),
    ),
}


class BoundsForm(forms.Form):
    """Bounds for the table and for each sensitive column."""

    k = forms.IntegerField(
        label=gettext_lazy("Records in each group, at least (k)"),
        help_text=gettext_lazy(
            "Someone who knows a person and looks for them finds at least k records that look the same."
        ),
        min_value=2,
        max_value=MOST_K,
        initial=5,
    )
    algorithm = forms.ChoiceField(label=gettext_lazy("How records are grouped"), choices=ALGORITHMS)
    other_algorithm = forms.ChoiceField(
        label=gettext_lazy("Other ways to group records"),
        help_text=gettext_lazy(
            "The integer program may change protected values. KACLUK loses a lot. Both use random numbers."
        ),
        choices=OTHER_ALGORITHMS,
        required=False,
    )
    max_suppressed = forms.FloatField(
        label=gettext_lazy("Records that may be left out, in percent"),
        help_text=gettext_lazy(
            "Only with the same level for all records: a few unusual records would make all others coarser."
        ),
        min_value=0,
        max_value=MOST_SUPPRESSED,
        initial=0,
    )

    multi_attribute = forms.ChoiceField(
        label=gettext_lazy("What others may know about a person"),
        help_text=gettext_lazy(
            "Guards against a neighbour who knows one protected value and learns another. Groups become "
            "larger. If no table of these people can guarantee this, the error names the column that "
            "prevents it."
        ),
        choices=KNOWN,
        required=False,
    )
    weights_as = forms.ChoiceField(
        label=gettext_lazy("How sampling weights are published"),
        help_text=gettext_lazy(
            "An exact weight singles out most people. Means keep totals. A rounded weight is shared by at "
            "least k people, among whom the bounds hold. Estimates change less then, in groups of 2k or more "
            "people."
        ),
        choices=WEIGHTS_AS,
        required=False,
    )
    uncompared = forms.BooleanField(
        label=gettext_lazy("Its ledger is lost: create the release without comparing the two"),
        help_text=gettext_lazy(
            "Both tables together can reveal what neither reveals alone. The release’s page will state this."
        ),
        required=False,
    )
    search = forms.ChoiceField(
        label=gettext_lazy("If several levels are possible"),
        help_text=gettext_lazy(
            "Only with the same level for all records. A step is one level of one column."
        ),
        choices=SEARCHES,
        required=False,
    )

    def __init__(
        self,
        columns: Sequence[Mapping[str, Any]],
        bounds: Mapping[str, Any],
        beliefs: Mapping[str, str],
        data: Any = None,
        *,
        with_matrix: bool,
        was_published: bool = False,
        counts_people: bool = False,
    ) -> None:
        self.column_names = [column["name"] for column in with_role(columns, "quasi_identifier")]
        self.sensitive = [column["name"] for column in with_role(columns, "sensitive")]
        has_weights = bool(with_role(columns, "weight"))
        super().__init__(data, initial=self._initial(bounds, beliefs))
        if not was_published:
            del self.fields["uncompared"]
        if counts_people:
            self.fields["k"].label = _("People in each group, at least (k)")
            self.fields["k"].help_text = _(
                "Someone who knows a person and looks for them finds at least k people who look the same."
            )
        self.with_matrix = with_matrix
        self.seed: int = bounds.get("seed") or secrets.randbelow(2**31)
        if not self.sensitive:
            del self.fields["other_algorithm"]
        if len(self.sensitive) < 2:
            del self.fields["multi_attribute"]
        if not has_weights:
            del self.fields["weights_as"]
        self._ask_weights()
        self._ask_columns()

    def _initial(self, bounds: Mapping[str, Any], beliefs: Mapping[str, str]) -> dict[str, Any]:
        """Return the stored choices by field; initially l = 2 for each protected column."""
        initial = {
            name: bounds[name] for name in ("k", "algorithm", "search", "weights_as") if name in bounds
        }
        if initial.get("algorithm") in DRAWN:
            initial["other_algorithm"] = initial.pop("algorithm")
        initial["multi_attribute"] = "on" if bounds.get("multi_attribute", True) else "off"
        initial["max_suppressed"] = 100 * bounds.get("max_suppressed", 0)
        initial["weighing"] = "own" if bounds.get("own_values") else "table" if bounds.get("by_table") else ""
        for number, name in enumerate(self.column_names):
            initial[f"weight_{number}"] = bounds.get("weights", {}).get(name)
        for number, name in enumerate(self.sensitive):
            column_bounds = bounds.get("columns", {}).get(name, {} if bounds else {"l": 2})
            initial |= {f"{bound}_{number}": column_bounds.get(bound) for bound in BOUNDS}
            initial[f"beliefs_{number}"] = beliefs.get(name, "")
        return initial

    def _ask_weights(self) -> None:
        """Add the fields that weight the columns."""
        for number, name in enumerate(self.column_names):
            self.fields[f"weight_{number}"] = forms.FloatField(
                label=_("Weight of “%(name)s”") % {"name": name},
                required=False,
                min_value=0,
                max_value=MOST_WEIGHT,
            )
        if self.sensitive:
            self.fields["weighing"] = forms.ChoiceField(
                label=_("How weights are applied"),
                help_text=_(
                    "By the first protected column: a column that varies little among people with the same "
                    "value counts less. With the same level for all records, this decides the level. Groups "
                    "use the mean over all people, and each person’s loss is reported."
                ),
                choices=WEIGHING,
                required=False,
            )

    def _ask_columns(self) -> None:
        """Add the fields for each sensitive column."""
        for number in range(len(self.sensitive)):
            for bound in BOUNDS:
                label, against = TEXTS[bound]
                self.fields[f"{bound}_{number}"] = _field(bound, label, against)
            self.fields[f"beliefs_{number}"] = _beliefs()

    @property
    def of_table(self) -> list[BoundField]:
        """Fields for the table."""
        names = ("k", "algorithm", "max_suppressed", "search", "multi_attribute", "weights_as")
        return [self[name] for name in names if name in self.fields]

    @property
    def of_details(self) -> dict[str, Any]:
        """Field for algorithms that draw at random; empty without a protected column."""
        fields = [self[name] for name in ("other_algorithm",) if name in self.fields]
        return {"fields": fields, "open": any(field.errors or field.value() for field in fields)}

    @property
    def of_weights(self) -> dict[str, Any]:
        """Fields that weight the columns."""
        names = [f"weight_{number}" for number in range(len(self.column_names))]
        fields = [self[name] for name in (*names, "weighing") if name in self.fields]
        return {
            "fields": fields,
            "open": self.with_matrix
            or any(field.errors or field.value() not in (None, "") for field in fields),
        }

    @property
    def of_columns(self) -> Iterator[dict[str, Any]]:
        """Fields for each sensitive column, the most common one first."""
        for number, name in enumerate(self.sensitive):
            fields = [self[f"{bound}_{number}"] for bound in BOUNDS]
            rest = fields[1:]
            yield {
                "name": name,
                "first": fields[0],
                "rest": rest,
                "beliefs": self[f"beliefs_{number}"],
                "open": any(field.errors or field.value() not in (None, "") for field in rest),
            }

    def beliefs(self) -> dict[str, str]:
        """Typed beliefs of an attacker, by column."""
        texts = {name: self.cleaned_data[f"beliefs_{number}"] for number, name in enumerate(self.sensitive)}
        return {name: text for name, text in texts.items() if text.strip()}

    def bounds(self) -> dict[str, Any]:
        """Chosen bounds, in the form that a release stores."""
        values = self.cleaned_data
        algorithm = values.get("other_algorithm") or values["algorithm"]
        return {
            "k": values["k"],
            "algorithm": algorithm,
            **({"seed": self.seed} if algorithm in DRAWN else {}),
            "max_suppressed": values["max_suppressed"] / 100 if algorithm == "samarati" else 0,
            "uncompared": values.get("uncompared", False),
            "search": values["search"] or "lowest",
            "multi_attribute": values.get("multi_attribute") != "off",
            "weights_as": values.get("weights_as") or "mean",
            "weights": {
                name: values[f"weight_{number}"]
                for number, name in enumerate(self.column_names)
                if values.get(f"weight_{number}") is not None
            },
            "own_values": values.get("weighing") == "own",
            "by_table": values.get("weighing") == "table",
            "columns": {
                name: {
                    bound: values[f"{bound}_{number}"]
                    for bound in BOUNDS
                    if values.get(f"{bound}_{number}") is not None
                }
                for number, name in enumerate(self.sensitive)
            },
        }


def _beliefs() -> forms.CharField:
    return forms.CharField(
        label=_("Beliefs, one line per value"),
        help_text=_(
            "Write a line for each value: the value, a comma, and how likely it is thought to "
            "be. Percentages, shares and counts all work. If the beliefs depend on something "
            "known about a person, start with a line such as “region, disease, belief”. Then "
            "start each line with the region, or with * for everyone."
        ),
        required=False,
        max_length=LONGEST_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "class": "mono", "spellcheck": "false"}),
    )


def _field(bound: str, label: Any, against: Any) -> forms.Field:
    about: dict[str, Any] = {"label": label, "help_text": against, "required": False}
    if bound == "l":
        return forms.IntegerField(min_value=1, max_value=MOST_L, **about)
    if bound in ("beta", "enhanced_beta", "delta"):
        return forms.FloatField(min_value=0.01, max_value=100, **about)
    if bound == "t":
        return forms.FloatField(min_value=0, max_value=1, **about)
    return forms.FloatField(min_value=0.001, max_value=0.999, **about)
