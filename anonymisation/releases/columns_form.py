"""The form for the columns of a table: roles, kinds, missing values, spellings, and who a record is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from privacy.sdc.unit import ALIKE, RECORDS
from surveys.formats.joints import labelled, series_text
from surveys.formats.numbers import count_text

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
KIND_CHOICES: Final = {
    "numeric": gettext_lazy("numbers"),
    "month": gettext_lazy("months of dates"),
    "quarter": gettext_lazy("quarters of dates"),
    "year": gettext_lazy("years of dates"),
    "categorical": gettext_lazy("categories"),
}
PEOPLE_CHOICES: Final = (
    ("", gettext_lazy("as chosen above, or one record for each person if nothing repeats")),
    (RECORDS, gettext_lazy("none: each record belongs to a different person")),
    (ALIKE, gettext_lazy("records that are equal in every column")),
)
MISSING_CHOICES: Final = (
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
                choices=PEOPLE_CHOICES,
                initial=people,
                required=False,
            )
            self._ask_ledgers(ledgers)
        for number, column in enumerate(columns):
            self._ask_column(number, column)

    def _ask_column(self, number: int, column: Mapping[str, Any]) -> None:
        """Add the fields for one column; the label of each field names the column."""

        def choice(label: str, choices: Any, initial: str, **more: Any) -> forms.ChoiceField:
            of_column = {"aria-label": labelled(column["name"], label)}
            widget = forms.Select(attrs=of_column)
            return forms.ChoiceField(label=label, choices=choices, initial=initial, widget=widget, **more)

        roles = [(role, ROLES[role]) for role in column["roles"]]
        self.fields[f"role_{number}"] = choice(_("How to treat it"), roles, column["role"])
        if len(column["kinds"]) > 1:
            kinds = [(kind, KIND_CHOICES[kind]) for kind in column["kinds"]]
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
        for position, (text, count) in enumerate(column["questions"].items()):
            is_missing = "missing" if text in column["missing_texts"] else "value"
            label = _missing_label(text, count)
            self.fields[f"missing_{number}_{position}"] = choice(
                label, MISSING_CHOICES, is_missing, required=False
            )
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
            asked_about = [f"missing_{number}_{position}" for position in range(len(column["questions"]))]
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
                    for position, text in enumerate(column["questions"])
                    # A field that was not submitted keeps the proposed value.
                    if (
                        values[f"missing_{number}_{position}"] or self[f"missing_{number}_{position}"].initial
                    )
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
    return series_text(f"{text} ({count_text(n)})" for text, n in seen.get("examples", ()))


def _counts(column: Mapping[str, Any]) -> str:
    text = ngettext("%(count)s different value", "%(count)s different values", column["distinct"])
    text %= {"count": count_text(column["distinct"])}
    if column["missing"]:
        lack = ngettext("%(count)s record has no value", "%(count)s records have no value", column["missing"])
        text += _("; ") + lack % {"count": count_text(column["missing"])}
    return text
