"""Forms for releases: the source of the table, the roles of its columns, and bounds."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from anonymisation.microdata.config import DRAWN
from anonymisation.releases.plan import BOUNDS, with_role
from privacy.sdc.unit import ALIKE, RECORDS
from surveys.formats.figures import count_text
from surveys.models import Survey

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
    ("mean", gettext_lazy("the mean of each group: totals stay")),
    ("rounded", gettext_lazy("rounded, so that at least k people in a group share each weight")),
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


class BeginForm(forms.Form):
    """A file, or one of the user's surveys."""

    file = forms.FileField(
        label=gettext_lazy("Table: CSV, Excel, Parquet, SPSS or Stata"),
        help_text=gettext_lazy(
            "A header line, then one line for each person. CSV up to 1 GB, other formats up to 50 MB."
        ),
        required=False,
    )
    sheet = forms.CharField(
        label=gettext_lazy("Sheet of an Excel workbook"),
        help_text=gettext_lazy("Only needed if several sheets contain cells."),
        max_length=100,
        required=False,
    )
    survey = forms.ModelChoiceField(
        label=gettext_lazy("Or the answers of a closed survey"),
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

    release = forms.IntegerField(min_value=1, required=False)
    name = forms.CharField(max_length=500)
    number = forms.IntegerField(min_value=0, max_value=100_000)
    last = forms.BooleanField(required=False)
    part = forms.FileField()


class BoundsForm(forms.Form):
    """Bounds for the table and for each sensitive column."""

    k = forms.IntegerField(
        label=gettext_lazy("Records in each group, at least (k)"),
        help_text=gettext_lazy(
            "Someone who knows a person and looks for them finds at least k records that look the same."
        ),
        min_value=2,
        max_value=10_000,
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
        max_value=20,
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
            "An exact weight singles out most people. Rounded weights differ within groups of 2k or more "
            "people, so estimates change less, but totals change a little. The bounds hold among people with "
            "the same weight, too."
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
            own = bounds.get("columns", {}).get(name, {} if bounds else {"l": 2})
            initial |= {f"{bound}_{number}": own.get(bound) for bound in BOUNDS}
            initial[f"beliefs_{number}"] = beliefs.get(name, "")
        return initial

    def _ask_weights(self) -> None:
        """Add the fields that weight the columns."""
        for number, name in enumerate(self.column_names):
            self.fields[f"weight_{number}"] = forms.FloatField(
                label=_("Weight of “%(name)s”") % {"name": name}, required=False, min_value=0, max_value=1000
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


ROLES: Final = {
    "identifier": gettext_lazy("leave out: identifies people"),
    "quasi_identifier": gettext_lazy("generalise: others may know it"),
    "sensitive": gettext_lazy("protect: no one may learn it"),
    "insensitive": gettext_lazy("publish unchanged"),
    "weight": gettext_lazy("sampling weight: average or round it in each group"),
    "disguised": gettext_lazy("publish as disguised by devices"),
}
REASONS: Final = {
    "empty": gettext_lazy("This column is empty, so there is nothing to publish."),
    "free_text": gettext_lazy(
        "This is free text. People may write names in it, and it cannot be generalised, so it is left out."
    ),
    "time_stamp": gettext_lazy(
        "This is a time. It could be matched with a line of a log, so it is left out."
    ),
    "row_number": gettext_lazy("This column numbers the rows, so it is left out."),
    "person": gettext_lazy(
        "Other columns are the same in all records with the same value, so it seems to identify a person."
    ),
    "singles_out": gettext_lazy("Almost every person has a different value."),
    "sensitive_name": gettext_lazy(
        "Its name, its description or its values suggest that people want to keep it private."
    ),
    "sensitive_perhaps": gettext_lazy(
        "Nothing explains it. Tables often begin or end with the columns that a study measured, and people "
        "may want to keep those private."
    ),
    "known_name": gettext_lazy("Its name suggests that neighbours or registers know it."),
    "identifying_name": gettext_lazy("Its name suggests that it identifies people."),
    "own_value": gettext_lazy("Almost every person has a different value."),
    "weight_name": gettext_lazy("Its name and its numbers suggest that it is a sampling weight."),
    "one_value": gettext_lazy("Everyone has the same value, so it reveals nothing."),
    "known_perhaps": gettext_lazy("Others may know this. This is the cautious choice."),
    "disguised": gettext_lazy(
        "Devices disguised this column. No one can tell which published values are true."
    ),
    "exact_outside": gettext_lazy(
        "Devices disguised only the places inside the sensitive areas. All others are exact and could "
        "identify people, so this column is left out."
    ),
}
KINDS: Final = {
    "numeric": gettext_lazy("numbers"),
    "month": gettext_lazy("months of dates"),
    "quarter": gettext_lazy("quarters of dates"),
    "year": gettext_lazy("years of dates"),
    "categorical": gettext_lazy("categories"),
}
PEOPLE: Final = (
    ("", gettext_lazy("as chosen above, or one record for each person if nothing repeats")),
    (RECORDS, gettext_lazy("none: each record belongs to a different person")),
    (ALIKE, gettext_lazy("records that are equal in every column")),
)
MISSING: Final = (
    ("missing", gettext_lazy("means a missing value")),
    ("value", gettext_lazy("is a value like any other")),
)
SPELLINGS: Final = (
    ("joined", gettext_lazy("are one value")),
    ("written", gettext_lazy("stay different values")),
)
POLICIES: Final = (
    ("value", gettext_lazy("keep the records, with an empty cell")),
    ("drop", gettext_lazy("leave out the records")),
)


_MOST_BOXES: Final = 12
"""Largest number of columns shown as checkboxes; more are shown as a list."""


class _SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class _Files(forms.FileField):
    """Any number of files."""

    widget = _SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Check each file."""
        return [super(_Files, self).clean(item, initial) for item in data or []]


class _Columns(forms.MultipleChoiceField):
    """Any number of columns; an empty name, as programs send it for none, names no column."""

    def to_python(self, value: Any) -> list[str]:
        return [name for name in super().to_python(value) if name]


class ColumnsForm(forms.Form):
    """A role for each column and, for an uploaded table, the columns that identify respondents."""

    sentence = ""
    """What the table shows about people with several records."""

    def __init__(
        self,
        columns: Sequence[Mapping[str, Any]],
        *args: Any,
        respondent: Sequence[str] | None = None,
        people: str = "",
        sentence: str = "",
        ledgers: int = 0,
        profile: Mapping[str, Any] | None = None,
        decisions: Sequence[str] = (),
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.columns, self.profile, self.decisions = columns, profile or {}, decisions
        if respondent is not None:
            self.sentence = sentence
            self._ask_respondent(respondent)
            self.fields["people"] = forms.ChoiceField(
                label=_("If no column identifies people: records of one person"),
                choices=PEOPLE,
                initial=people,
                required=False,
            )
            self._ask_ledgers(ledgers)
        for number, column in enumerate(columns):
            self._ask_column(number, column)

    def _ask_column(self, number: int, column: Mapping[str, Any]) -> None:
        """Add the fields for one column; the label of each field names the column."""

        def choice(label: str, choices: Any, initial: str, **more: Any) -> forms.ChoiceField:
            of_column = {"aria-label": f"{column['name']}: {label}"}
            widget = forms.Select(attrs=of_column)
            return forms.ChoiceField(label=label, choices=choices, initial=initial, widget=widget, **more)

        roles = [(role, ROLES[role]) for role in column["roles"]]
        self.fields[f"role_{number}"] = choice(_("How to treat it"), roles, column["role"])
        if len(column["kinds"]) > 1:
            kinds = [(kind, KINDS[kind]) for kind in column["kinds"]]
            self.fields[f"kind_{number}"] = choice(_("Data type"), kinds, column["kind"])
        if days := self.profile.get(column["name"], {}).get("days"):
            orders = [("day", _("day first: %(day)s")), ("month", _("month first: %(day)s"))]
            names = [(order, label % {"day": day}) for (order, label), day in zip(orders, days, strict=True)]
            initial = "month" if column["month_first"] else "day"
            self.fields[f"order_{number}"] = choice(
                _("Order of day and month"), names, initial, required=False
            )
        if count := column.get("spellings"):
            spelled = "written" if column["as_written"] else "joined"
            label = ngettext("Spellings, in %(count)s record", "Spellings, in %(count)s records", count)
            self.fields[f"spelling_{number}"] = choice(
                label % {"count": count_text(count)}, SPELLINGS, spelled, required=False
            )
        for at, (text, count) in enumerate(column["questions"].items()):
            is_missing = "missing" if text in column["missing_texts"] else "value"
            label = _missing_label(text, count)
            self.fields[f"missing_{number}_{at}"] = choice(label, MISSING, is_missing, required=False)
        if column["missing"] or column.get("questions"):
            label = _("Records without a value")
            self.fields[f"policy_{number}"] = choice(label, POLICIES, column["policy"])

    def _ask_respondent(self, respondent: Sequence[str]) -> None:
        """Add the field for the columns that identify respondents."""
        names = [column["name"] for column in self.columns]
        self.fields["respondent"] = _Columns(
            label=_("Column that identifies respondents"),
            help_text=_(
                "A number or name that each person has in every record and every table. Choose several "
                "columns if only all of them together identify a person, such as household and member. Leave "
                "the column out above. If each person has one record, you get a ledger, which is used to "
                "compare later releases with this one."
            ),
            choices=[(name, name) for name in names],
            widget=forms.CheckboxSelectMultiple if len(names) <= _MOST_BOXES else forms.SelectMultiple,
            initial=list(respondent),
            required=False,
        )

    def _ask_ledgers(self, ledgers: int) -> None:
        """Add the field for ledgers of earlier releases."""
        stays = ngettext(
            "%(count)s ledger was uploaded before. It is kept unless you choose others.",
            "%(count)s ledgers were uploaded before. They are kept unless you choose others.",
            ledgers,
        )
        self.fields["ledgers"] = _Files(
            label=_("Ledgers of earlier releases of the same people"),
            help_text=stays % {"count": count_text(ledgers)}
            if ledgers
            else _("Files from a report, or written by the command. Choose all of them at once."),
            widget=_SeveralFiles(attrs={"accept": ".json,application/json"}),
            required=False,
        )

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield each column with the reason for its role, its counts and its fields."""
        for number, column in enumerate(self.columns):
            asked_about = [f"missing_{number}_{at}" for at in range(len(column["questions"]))]
            seen = self.profile.get(column["name"], {})
            yield {
                "name": column["name"],
                "label": column["label"],
                "reason": REASONS[column["reason"]],
                "counts": _counts(column),
                "seen": seen,
                "examples": _examples(seen),
                "tells": ", ".join(column.get("tells", ())),
                "role": self[f"role_{number}"],
                "kind": self[f"kind_{number}"] if f"kind_{number}" in self.fields else None,
                "order": self[f"order_{number}"] if f"order_{number}" in self.fields else None,
                "spelling": self[f"spelling_{number}"] if f"spelling_{number}" in self.fields else None,
                "missing": [self[name] for name in (*asked_about, f"policy_{number}") if name in self.fields],
            }

    @property
    def all_roles(self) -> list[tuple[str, Any]]:
        """Roles that at least one column can have, to be set for several columns at once."""
        names = {role for column in self.columns for role in column["roles"]}
        return [(role, label) for role, label in ROLES.items() if role in names]

    @property
    def of_records(self) -> list[BoundField]:
        """Fields for people with several records."""
        return [self[name] for name in ("respondent", "people") if name in self.fields]

    @property
    def of_people(self) -> list[BoundField]:
        """Field for earlier releases of the same people."""
        return [self["ledgers"]] if "ledgers" in self.fields else []

    def choices(self) -> list[dict[str, Any]]:
        """Return the choices, column by column."""
        values = self.cleaned_data
        return [
            {
                "role": values[f"role_{number}"],
                "kind": values.get(f"kind_{number}", column["kind"]),
                "policy": values.get(f"policy_{number}", column["policy"]),
                "month_first": values[f"order_{number}"] == "month"
                if values.get(f"order_{number}")
                else column["month_first"],
                "as_written": values[f"spelling_{number}"] == "written"
                if values.get(f"spelling_{number}")
                else column.get("as_written", True),
                "missing_texts": [
                    text
                    for at, text in enumerate(column["questions"])
                    # A field that was not submitted keeps the proposed value.
                    if (values[f"missing_{number}_{at}"] or self[f"missing_{number}_{at}"].initial)
                    == "missing"
                ],
            }
            for number, column in enumerate(self.columns)
        ]


def _missing_label(text: str, count: int) -> str:
    label = ngettext("“%(text)s”, in %(count)s record", "“%(text)s”, in %(count)s records", count)
    return label % {"text": text, "count": count_text(count)}


def _examples(seen: Mapping[str, Any]) -> str:
    """Return examples of values with their counts, or the smallest, median and largest number."""
    if "span" in seen:
        least, middle, most = seen["span"]
        return _("%(least)s to %(most)s, median %(middle)s") % {
            "least": least,
            "most": most,
            "middle": middle,
        }
    return _("; ").join(f"{text} ({count_text(n)})" for text, n in seen.get("examples", ()))


def _counts(column: Mapping[str, Any]) -> str:
    text = ngettext("%(count)s different value", "%(count)s different values", column["distinct"])
    text %= {"count": count_text(column["distinct"])}
    if column["missing"]:
        lack = ngettext("%(count)s record has no value", "%(count)s records have no value", column["missing"])
        text += _("; ") + lack % {"count": count_text(column["missing"])}
    return text
