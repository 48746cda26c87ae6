"""The forms of a deposit: where the table comes from, and bounds."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from releases.deposits.plan import BOUNDS, with_role
from releases.microdata.config import DRAWN
from surveys.models import Survey

__all__ = ["BeginForm", "BoundsForm", "PartForm"]

ALGORITHMS: Final = (
    ("tight", gettext_lazy("groups of neighbours: least is lost")),
    ("bottom-up", gettext_lazy("groups by rounds of pairs, as in the literature")),
    ("samarati", gettext_lazy("one level for everybody: every record reads alike")),
)
# Behind *Details*: both draw at random.
OTHER_ALGORITHMS: Final = (
    ("", gettext_lazy("as chosen above")),
    ("ilp", gettext_lazy("integer program for different protected values (ILP l-diversity)")),
    ("kacluk", gettext_lazy("at random within clusters of protected values (KACLUK)")),
)
SEARCHES: Final = (
    ("lowest", gettext_lazy("the one of the fewest steps")),
    ("all", gettext_lazy("the one that loses least")),
)
KNOWN: Final = (
    ("on", gettext_lazy("the other protected columns too")),
    ("off", gettext_lazy("the generalised columns alone")),
)
WEIGHING: Final = (
    ("", gettext_lazy("as written above, and alike where nothing is written")),
    ("table", gettext_lazy("by what each column tells about the first protected one")),
    ("own", gettext_lazy("for each person by their own protected value")),
)
# What it is, and what it is against.
TEXTS: Final = {
    "l": (
        gettext_lazy("Different values in each group, at least (l)"),
        gettext_lazy("Against a group whose people all have one value: then finding the group is enough."),
    ),
    "t": (
        gettext_lazy("Distance of each group from the whole table, at most (t)"),
        gettext_lazy(
            "Against groups that say much about their people. A share: 0 is like the table, 1 is anything."
        ),
    ),
    "beta": (
        gettext_lazy("Relative gain of any value’s share, at most (beta)"),
        gettext_lazy(
            "Against a value that is much more common in a group than in the table. 1 is twice as common."
        ),
    ),
    "enhanced_beta": (
        gettext_lazy("Relative gain, with a lower limit for common values (enhanced beta)"),
        gettext_lazy("The limit for a value is beta or −ln of its share, whichever is smaller."),
    ),
    "delta": (
        gettext_lazy("Change of any value’s likelihood, less than (delta)"),
        gettext_lazy(
            "Against a value that becomes much likelier, or much less likely. 0.7 is a factor of two."
        ),
    ),
    "rho1": (
        gettext_lazy("A belief below this … (rho1)"),
        gettext_lazy("Against near-certainty about what was thought rare. A share, such as 0.1."),
    ),
    "rho2": (
        gettext_lazy("… may not rise above this (rho2)"),
        gettext_lazy("A larger share, such as 0.5. Give both, or neither."),
    ),
}


class BeginForm(forms.Form):
    """A file, or a survey of theirs."""

    file = forms.FileField(
        label=gettext_lazy("Table: CSV, Excel, Parquet, SPSS or Stata"),
        help_text=gettext_lazy(
            "A header, then a line for each person. CSV of up to 1 GB; other kinds up to 50 MB."
        ),
        required=False,
    )
    survey = forms.ModelChoiceField(
        label=gettext_lazy("Or the answers of a survey that is over"),
        queryset=Survey.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=gettext_lazy("none"),
    )

    def __init__(self, *args: Any, surveys: Sequence[Survey], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["survey"]
        field.queryset = Survey.objects.filter(pk__in=[survey.pk for survey in surveys]).order_by("slug")  # type: ignore[attr-defined]
        if not surveys:
            del self.fields["survey"]


class PartForm(forms.Form):
    """A part of a large file."""

    deposit = forms.IntegerField(min_value=1, required=False)
    name = forms.CharField(max_length=500)
    number = forms.IntegerField(min_value=0, max_value=100_000)
    last = forms.BooleanField(required=False)
    part = forms.FileField()


class BoundsForm(forms.Form):
    """What is asked for: of the table, and of each sensitive column."""

    k = forms.IntegerField(
        label=gettext_lazy("Records in each group, at least (k)"),
        help_text=gettext_lazy(
            "Against somebody who knows a person and looks for them: they find k records that look alike."
        ),
        min_value=2,
        max_value=10_000,
        initial=5,
    )
    algorithm = forms.ChoiceField(label=gettext_lazy("How records are grouped"), choices=ALGORITHMS)
    other_algorithm = forms.ChoiceField(
        label=gettext_lazy("Other ways to group records"),
        help_text=gettext_lazy(
            "The integer program may change protected values. KACLUK loses much. Both draw at random."
        ),
        choices=OTHER_ALGORITHMS,
        required=False,
    )
    max_suppressed = forms.FloatField(
        label=gettext_lazy("Records that may be left out, in percent"),
        help_text=gettext_lazy(
            "For one level for everybody: a few odd records would coarsen all the others."
        ),
        min_value=0,
        max_value=20,
        initial=0,
    )

    multi_attribute = forms.ChoiceField(
        label=gettext_lazy("What somebody may know of a person"),
        help_text=gettext_lazy(
            "Against a neighbour who knows one protected value and learns the next. Groups become "
            "larger for it. Where no table of these people can keep it, you read which column it is."
        ),
        choices=KNOWN,
        required=False,
    )
    uncompared = forms.BooleanField(
        label=gettext_lazy("Its ledger is lost: make the deposit without comparing the two"),
        help_text=gettext_lazy(
            "Both tables together can tell what neither tells alone. The page of the deposit will say so."
        ),
        required=False,
    )
    search = forms.ChoiceField(
        label=gettext_lazy("Of all levels that would do"),
        help_text=gettext_lazy("For one level for everybody. A step is one level of one column."),
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
    ) -> None:
        self.known = [column["name"] for column in with_role(columns, "quasi_identifier")]
        self.sensitive = [column["name"] for column in with_role(columns, "sensitive")]
        super().__init__(data, initial=self._initial(bounds, beliefs))
        if not was_published:
            del self.fields["uncompared"]
        self.with_matrix = with_matrix
        self.seed: int = bounds.get("seed") or secrets.randbelow(2**31)
        if not self.sensitive:
            del self.fields["other_algorithm"]
        if len(self.sensitive) < 2:
            del self.fields["multi_attribute"]
        self._ask_weights()
        self._ask_columns()

    def _initial(self, bounds: Mapping[str, Any], beliefs: Mapping[str, str]) -> dict[str, Any]:
        """Return what was chosen before, field by field; at first two values of each protected column."""
        initial = {name: bounds[name] for name in ("k", "algorithm", "search") if name in bounds}
        if initial.get("algorithm") in DRAWN:
            initial["other_algorithm"] = initial.pop("algorithm")
        initial["multi_attribute"] = "on" if bounds.get("multi_attribute", True) else "off"
        initial["max_suppressed"] = 100 * bounds.get("max_suppressed", 0)
        initial["weighing"] = "own" if bounds.get("own_values") else "table" if bounds.get("by_table") else ""
        for number, name in enumerate(self.known):
            initial[f"weight_{number}"] = bounds.get("weights", {}).get(name)
        for number, name in enumerate(self.sensitive):
            own = bounds.get("columns", {}).get(name, {} if bounds else {"l": 2})
            initial |= {f"{bound}_{number}": own.get(bound) for bound in BOUNDS}
            initial[f"beliefs_{number}"] = beliefs.get(name, "")
        return initial

    def _ask_weights(self) -> None:
        """Add the fields about what may be lost least."""
        for number, name in enumerate(self.known):
            self.fields[f"weight_{number}"] = forms.FloatField(
                label=_("Weight of “%(name)s”") % {"name": name},
                required=False,
                min_value=0,
                max_value=1000,
            )
        if self.sensitive:
            self.fields["weighing"] = forms.ChoiceField(
                label=_("How they count"),
                help_text=_(
                    "By the first protected column: a column that spreads little among people of one value "
                    "counts less. One level for everybody is chosen by exactly that. Groups are "
                    "formed by the mean over all people, and what each person loses is reported."
                ),
                choices=WEIGHING,
                required=False,
            )

    def _ask_columns(self) -> None:
        """Add the fields about each sensitive column."""
        for number in range(len(self.sensitive)):
            for bound in BOUNDS:
                label, against = TEXTS[bound]
                self.fields[f"{bound}_{number}"] = _field(bound, label, against)
            self.fields[f"beliefs_{number}"] = _beliefs()

    @property
    def of_table(self) -> list[BoundField]:
        """The fields about the table."""
        names = ("k", "algorithm", "max_suppressed", "search", "multi_attribute")
        return [self[name] for name in names if name in self.fields]

    @property
    def of_details(self) -> dict[str, Any]:
        """The field about algorithms that draw; none without a protected column."""
        fields = [self[name] for name in ("other_algorithm",) if name in self.fields]
        return {"fields": fields, "open": any(field.errors or field.value() for field in fields)}

    @property
    def of_weights(self) -> dict[str, Any]:
        """The fields about what may be lost least."""
        names = [f"weight_{number}" for number in range(len(self.known))]
        fields = [self[name] for name in (*names, "weighing") if name in self.fields]
        return {
            "fields": fields,
            "open": self.with_matrix
            or any(field.errors or field.value() not in (None, "") for field in fields),
        }

    @property
    def of_columns(self) -> Iterator[dict[str, Any]]:
        """The fields about each sensitive column: the usual one first."""
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
        """What an attacker believes, column by column; of those about which something is written."""
        texts = {name: self.cleaned_data[f"beliefs_{number}"] for number, name in enumerate(self.sensitive)}
        return {name: text for name, text in texts.items() if text.strip()}

    def chosen(self) -> dict[str, Any]:
        """What is asked for, as the deposit keeps it."""
        given = self.cleaned_data
        algorithm = given.get("other_algorithm") or given["algorithm"]
        return {
            "k": given["k"],
            "algorithm": algorithm,
            **({"seed": self.seed} if algorithm in DRAWN else {}),
            "max_suppressed": given["max_suppressed"] / 100 if algorithm == "samarati" else 0,
            "uncompared": given.get("uncompared", False),
            "search": given["search"] or "lowest",
            "multi_attribute": given.get("multi_attribute") != "off",
            "weights": {
                name: given[f"weight_{number}"]
                for number, name in enumerate(self.known)
                if given.get(f"weight_{number}") is not None
            },
            "own_values": given.get("weighing") == "own",
            "by_table": given.get("weighing") == "table",
            "columns": {
                name: {
                    bound: given[f"{bound}_{number}"]
                    for bound in BOUNDS
                    if given.get(f"{bound}_{number}") is not None
                }
                for number, name in enumerate(self.sensitive)
            },
        }


def _beliefs() -> forms.CharField:
    return forms.CharField(
        label=_("Lines of beliefs"),
        help_text=_(
            "A line for each value: the value, a comma, and how likely somebody holds it to be. Percent, "
            "shares and counts will do. Where they know something of a person, begin with a line such as "
            "“region, disease, belief”. Then write the region first in each line, or * for anybody."
        ),
        required=False,
        max_length=200_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "class": "mono", "spellcheck": "false"}),
    )


def _field(bound: str, label: Any, against: Any) -> forms.Field:
    about: dict[str, Any] = {"label": label, "help_text": against, "required": False}
    if bound == "l":
        return forms.IntegerField(min_value=1, max_value=1000, **about)
    if bound in ("beta", "enhanced_beta", "delta"):
        return forms.FloatField(min_value=0.01, max_value=100, **about)
    if bound == "t":
        return forms.FloatField(min_value=0, max_value=1, **about)
    return forms.FloatField(min_value=0.001, max_value=0.999, **about)
