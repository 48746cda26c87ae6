"""The forms of questions put to a deposit: the question, and how many each person may ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.sdc.queries import Condition, Query
from privacy.sdc.table import number_text
from releases.deposits.questions import Published
from releases.policy import MOST_QUESTIONS_EACH, QUESTIONS_EACH
from surveys.errors.error import SurveyError

__all__ = ["OpenForm", "QuestionForm"]

COUNT: Final = "count"
_MOST_BOXES: Final = 12
"""More values are a list to choose from, and no boxes to tick."""


class OpenForm(forms.Form):
    """How many questions each person may ask."""

    each = forms.IntegerField(
        label=gettext_lazy("Questions that each person may ask"),
        min_value=1,
        max_value=MOST_QUESTIONS_EACH,
        initial=QUESTIONS_EACH,
    )


class QuestionForm(forms.Form):
    """A count or a mean, conditions on columns, and a column that the answer is split by.

    Parameters
    ----------
    published : Published
        Its columns and their values are the fields.
    data : mapping or None
        What was sent.
    shown : Query or None
        A question to begin with; what the fields cannot say of it is left out.
    """

    def __init__(self, published: Published, data: Any = None, *, shown: Query | None = None) -> None:
        super().__init__(data)
        self._published = published
        self._names = [column.name for column in published.table.columns]
        numeric = [
            (str(position), name) for position, name in enumerate(self._names) if published.is_numeric(name)
        ]
        self.fields["what"] = forms.ChoiceField(
            label=_("What you want to know"),
            choices=[
                (COUNT, _("How many records")),
                *((index, _("The mean of “%(column)s”") % {"column": name}) for index, name in numeric),
            ],
        )
        self.fields["by"] = forms.ChoiceField(
            label=_("Split the answer by"),
            choices=[
                ("", _("nothing: one answer")),
                *((str(at), name) for at, name in enumerate(self._names)),
            ],
            required=False,
        )
        for position, name in enumerate(self._names):
            if published.is_numeric(name):
                self.fields[f"from_{position}"] = forms.FloatField(label=_("from"), required=False)
                self.fields[f"to_{position}"] = forms.FloatField(label=_("to"), required=False)
            else:
                values = published.values_of(name)
                widget = forms.CheckboxSelectMultiple if len(values) <= _MOST_BOXES else forms.SelectMultiple
                self.fields[f"values_{position}"] = forms.MultipleChoiceField(
                    label=_("one of these"),
                    choices=[(value, value or _("missing")) for value in values],
                    required=False,
                    widget=widget,
                )
        if shown is not None:
            self.initial = self._initial(shown)

    @property
    def of_columns(self) -> Iterator[dict[str, Any]]:
        """Each column with the fields of its condition, whether one is given, and whether it is disguised."""
        for position, name in enumerate(self._names):
            fields: list[BoundField] = [
                self[f"{part}_{position}"]
                for part in ("from", "to", "values")
                if f"{part}_{position}" in self.fields
            ]
            yield {
                "name": name,
                "fields": fields,
                "numeric": len(fields) > 1,
                "boxes": isinstance(fields[0].field.widget, forms.CheckboxSelectMultiple),
                "open": any(field.errors or field.value() not in (None, "", []) for field in fields),
                "disguised": name in self._published.disguised,
            }

    def query(self) -> Query:
        """Return the question.

        Raises
        ------
        SurveyError
            ``deposit_question.range``: a larger number stands before a smaller one.
        """
        given = self.cleaned_data
        conditions = []
        for position, name in enumerate(self._names):
            low, high = given.get(f"from_{position}"), given.get(f"to_{position}")
            if low is not None and high is not None and low > high:
                raise SurveyError(
                    "deposit_question.range", name=name, low=number_text(low), high=number_text(high)
                )
            sign = {(True, True): "between", (True, False): ">=", (False, True): "<="}.get(
                (low is not None, high is not None)
            )
            if sign is not None:
                ends = tuple(number_text(end) for end in (low, high) if end is not None)
                conditions.append(Condition(column=name, sign=sign, values=ends))
            if given.get(f"values_{position}"):
                chosen = tuple(sorted(given[f"values_{position}"]))
                conditions.append(Condition(column=name, sign="in", values=chosen))
        return Query(
            conditions=tuple(conditions),
            groups=(self._names[int(given["by"])],) if given["by"] else (),
            mean_of=None if given["what"] == COUNT else self._names[int(given["what"])],
        )

    def _initial(self, shown: Query) -> dict[str, Any]:
        places = {name: position for position, name in enumerate(self._names)}
        initial: dict[str, Any] = {"what": COUNT if shown.mean_of is None else str(places[shown.mean_of])}
        for name in shown.groups:
            initial["by"] = str(places[name])
        for condition in shown.conditions:
            index = places[condition.column]
            ends = {"between": ("from", "to"), ">=": ("from",), "<=": ("to",)}.get(condition.sign, ())
            if self._published.is_numeric(condition.column):
                initial |= {
                    f"{end}_{index}": value for end, value in zip(ends, condition.values, strict=False)
                }
            elif condition.sign in ("in", "="):
                initial[f"values_{index}"] = list(condition.values)
        return initial
