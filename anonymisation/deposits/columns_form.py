"""The form of a table's columns: the role of each, what is missing in it, and whose records they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from anonymisation.microdata.people import ALIKE, RECORDS, People

__all__ = ["ColumnsForm", "people_sentence"]

ROLES: Final = {
    "identifier": gettext_lazy("leave out: identifies people"),
    "quasi_identifier": gettext_lazy("generalise: others may know it"),
    "sensitive": gettext_lazy("protect: no one may learn it"),
    "insensitive": gettext_lazy("publish unchanged"),
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
    "singles_out": gettext_lazy("Almost every person has a different value."),
    "sensitive_name": gettext_lazy("Its name suggests that people want to keep it private."),
    "known_name": gettext_lazy("Its name suggests that neighbours or registers know it."),
    "identifying_name": gettext_lazy("Its name suggests that it identifies people."),
    "own_value": gettext_lazy("Almost every person has a different value."),
    "one_value": gettext_lazy("Everyone has the same value, so it reveals nothing."),
    "known_perhaps": gettext_lazy("Others may know this. This is the cautious choice."),
    "disguised": gettext_lazy("Devices disguised this column. No published value is anyone’s true answer."),
}
KINDS: Final = {
    "numeric": gettext_lazy("numbers"),
    "month": gettext_lazy("months of dates"),
    "quarter": gettext_lazy("quarters of dates"),
    "year": gettext_lazy("years of dates"),
    "categorical": gettext_lazy("categories"),
}
PEOPLE: Final = (
    ("", gettext_lazy("as in the table")),
    (RECORDS, gettext_lazy("none: each record belongs to a different person")),
    (ALIKE, gettext_lazy("records that are equal in every column")),
)
MISSING: Final = (
    ("missing", gettext_lazy("means a missing value")),
    ("value", gettext_lazy("is a value like any other")),
)
POLICIES: Final = (
    ("value", gettext_lazy("keep the records, with an empty cell")),
    ("drop", gettext_lazy("leave out the records")),
)


class _SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class _Files(forms.FileField):
    """Any number of files."""

    widget = _SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Check each of them."""
        return [super(_Files, self).clean(item, initial) for item in data or []]


class ColumnsForm(forms.Form):
    """A role for each column; of an uploaded table also whose record is whose."""

    def __init__(
        self,
        columns: Sequence[Mapping[str, Any]],
        *args: Any,
        respondent: str | None = None,
        people: str = "",
        sentence: str = "",
        ledgers: int = 0,
        profile: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.columns, self.profile = columns, profile or {}
        if respondent is not None:
            self.fields["people"] = forms.ChoiceField(
                label=_("Records of one person"),
                help_text=sentence,
                choices=PEOPLE,
                initial=people,
                required=False,
            )
            self._ask_respondent(respondent, ledgers)
        for number, column in enumerate(columns):
            self._ask_column(number, column)

    def _ask_column(self, number: int, column: Mapping[str, Any]) -> None:
        """Add the fields about one column; each says in its label which column it is of."""

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
            named = [(order, label % {"day": day}) for (order, label), day in zip(orders, days, strict=True)]
            initial = "month" if column.get("month_first") else "day"
            self.fields[f"order_{number}"] = choice(
                _("Order of day and month"), named, initial, required=False
            )
        for at, (text, count) in enumerate(column.get("questions", {}).items()):
            is_missing = "missing" if text in column["missing_texts"] else "value"
            label = _missing_label(text, count)
            self.fields[f"missing_{number}_{at}"] = choice(label, MISSING, is_missing, required=False)
        if column["missing"] or column.get("questions"):
            label = _("Records without a value")
            self.fields[f"policy_{number}"] = choice(label, POLICIES, column["policy"])

    def _ask_respondent(self, respondent: str, ledgers: int) -> None:
        """Add the fields about whose record is whose."""
        self.fields["respondent"] = forms.ChoiceField(
            label=_("Column that identifies respondents"),
            help_text=_(
                "A number or name that each person has in every table. The column must be left "
                "out above. If each person has one record, you get a ledger, which is used to "
                "compare later releases with this one."
            ),
            choices=[("", _("none")), *((column["name"], column["name"]) for column in self.columns)],
            initial=respondent,
            required=False,
        )
        stays = ngettext(
            "%(count)s ledger was uploaded before. It is kept unless you choose others.",
            "%(count)s ledgers were uploaded before. They are kept unless you choose others.",
            ledgers,
        )
        self.fields["ledgers"] = _Files(
            label=_("Ledgers of earlier releases of the same people"),
            help_text=stays % {"count": ledgers}
            if ledgers
            else _("Files from a report, or written by the command. Choose all of them at once."),
            widget=_SeveralFiles(attrs={"accept": ".json,application/json"}),
            required=False,
        )

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """Each column with its reason, its counts and its fields."""
        for number, column in enumerate(self.columns):
            asked_about = [f"missing_{number}_{at}" for at in range(len(column.get("questions", {})))]
            seen = self.profile.get(column["name"], {})
            yield {
                "name": column["name"],
                "label": column.get("label", ""),
                "reason": REASONS[column["reason"]],
                "counts": _counts(column),
                "seen": seen,
                "examples": _examples(seen),
                "tells": ", ".join(column.get("tells", ())),
                "role": self[f"role_{number}"],
                "kind": self[f"kind_{number}"] if f"kind_{number}" in self.fields else None,
                "order": self[f"order_{number}"] if f"order_{number}" in self.fields else None,
                "missing": [self[name] for name in (*asked_about, f"policy_{number}") if name in self.fields],
            }

    @property
    def all_roles(self) -> list[tuple[str, Any]]:
        """The roles that some column can have, to be set for several at once."""
        held = {role for column in self.columns for role in column["roles"]}
        return [(role, label) for role, label in ROLES.items() if role in held]

    @property
    def of_records(self) -> list[BoundField]:
        """The field about people with several records."""
        return [self["people"]] if "people" in self.fields else []

    @property
    def of_people(self) -> list[BoundField]:
        """The fields about whose record is whose."""
        return [self[name] for name in ("respondent", "ledgers") if name in self.fields]

    def chosen(self) -> list[dict[str, Any]]:
        """What was chosen, column by column."""
        given = self.cleaned_data
        return [
            {
                "role": given[f"role_{number}"],
                "kind": given.get(f"kind_{number}", column["kind"]),
                "policy": given.get(f"policy_{number}", column["policy"]),
                "month_first": given[f"order_{number}"] == "month"
                if given.get(f"order_{number}")
                else column.get("month_first", False),
                "missing_texts": [
                    text
                    for at, text in enumerate(column.get("questions", {}))
                    # What was not sent stays as it is proposed.
                    if (given[f"missing_{number}_{at}"] or self[f"missing_{number}_{at}"].initial)
                    == "missing"
                ],
            }
            for number, column in enumerate(self.columns)
        ]


def _missing_label(text: str, count: int) -> str:
    label = ngettext("“%(text)s”, in %(count)s record", "“%(text)s”, in %(count)s records", count)
    return label % {"text": text, "count": count}


def people_sentence(people: People | None, records: int) -> str:
    """Return what a table tells of the people in it."""
    if people is None:
        return _(
            "Nothing in the table shows that anyone has two records, so each record counts as one person."
        )
    counts = {"name": people.column, "people": people.count, "records": records}
    if people.column:
        return (
            _("“%(name)s” has %(people)s values in %(records)s records, so people are counted, not records.")
            % counts
        )
    return (
        _("%(people)s of %(records)s records are different. As you chose, equal records count as one person.")
        % counts
    )


def _examples(seen: Mapping[str, Any]) -> str:
    """Return examples of values with their counts, or least, middle and largest number."""
    if "span" in seen:
        least, middle, most = seen["span"]
        return _("%(least)s to %(most)s, median %(middle)s") % {
            "least": least,
            "most": most,
            "middle": middle,
        }
    return _("; ").join(f"{text} ({n})" for text, n in seen.get("examples", ()))


def _counts(column: Mapping[str, Any]) -> str:
    said = ngettext("%(count)s different value", "%(count)s different values", column["distinct"])
    said %= {"count": column["distinct"]}
    if column["missing"]:
        lack = ngettext("%(count)s record has no value", "%(count)s records have no value", column["missing"])
        said += _("; ") + lack % {"count": column["missing"]}
    return said
