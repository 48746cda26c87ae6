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
_MEDIAN: Final = "median-"
_TERMS: Final = ("", "or_")
"""What stands before the fields of a condition: the first ones, and those of the alternative."""
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
    """A figure, conditions on columns with an alternative, and up to two columns that the answer is split by.

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
                *(
                    (f"{_MEDIAN}{index}", _("The median of “%(column)s”") % {"column": name})
                    for index, name in numeric
                ),
            ],
        )
        columns = [(str(at), name) for at, name in enumerate(self._names)]
        for field, label in (("by", _("Split the answer by")), ("by_also", _("and by"))):
            nothing = ("", _("nothing: one answer") if field == "by" else _("nothing more"))
            self.fields[field] = forms.ChoiceField(label=label, choices=[nothing, *columns], required=False)
        for term in _TERMS:
            for position, name in enumerate(self._names):
                self._add(term, position, name)
        if shown is not None:
            self.initial = self._initial(shown)

    def _add(self, term: str, position: int, name: str) -> None:
        """Add the fields of a condition."""
        if self._published.is_numeric(name):
            self.fields[f"{term}from_{position}"] = forms.FloatField(label=_("from"), required=False)
            self.fields[f"{term}to_{position}"] = forms.FloatField(label=_("to"), required=False)
            return
        values = self._published.values_of(name)
        self.fields[f"{term}values_{position}"] = forms.MultipleChoiceField(
            label=_("one of these"),
            choices=[(value, value or _("missing")) for value in values],
            required=False,
            widget=forms.CheckboxSelectMultiple if len(values) <= _MOST_BOXES else forms.SelectMultiple,
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a column beside itself."""
        given: dict[str, Any] = super().clean() or {}
        if given.get("by_also") and given["by_also"] == given.get("by"):
            self.add_error("by_also", _("Choose another column than the first one."))
        return given

    @property
    def of_terms(self) -> list[tuple[str, list[dict[str, Any]], bool]]:
        """The conditions and those of the alternative: columns, and whether any is given."""
        terms = [(term, list(self._of_columns(term))) for term in _TERMS]
        return [(term, columns, any(column["open"] for column in columns)) for term, columns in terms]

    def _of_columns(self, term: str) -> Iterator[dict[str, Any]]:
        """Each column with the fields of its condition, whether one is given, and whether it is disguised."""
        for position, name in enumerate(self._names):
            fields: list[BoundField] = [
                self[f"{term}{part}_{position}"]
                for part in ("from", "to", "values")
                if f"{term}{part}_{position}" in self.fields
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
        # An alternative to nothing is the condition.
        terms = [term for term in (self._conditions(term) for term in _TERMS) if term] or [()]
        what = given["what"]
        column = None if what == COUNT else self._names[int(what.removeprefix(_MEDIAN))]
        return Query(
            conditions=terms[0],
            alternatives=tuple(terms[1:]),
            groups=tuple(self._names[int(given[by])] for by in ("by", "by_also") if given[by]),
            mean_of=None if what.startswith(_MEDIAN) else column,
            median_of=column if what.startswith(_MEDIAN) else None,
        )

    def _conditions(self, term: str) -> tuple[Condition, ...]:
        given, conditions = self.cleaned_data, []
        for position, name in enumerate(self._names):
            low, high = given.get(f"{term}from_{position}"), given.get(f"{term}to_{position}")
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
            if chosen := given.get(f"{term}values_{position}"):
                conditions.append(Condition(column=name, sign="in", values=tuple(sorted(chosen))))
        return tuple(conditions)

    def _initial(self, shown: Query) -> dict[str, Any]:
        places = {name: position for position, name in enumerate(self._names)}
        initial: dict[str, Any] = {"what": COUNT}
        if shown.number is not None:
            initial["what"] = f"{_MEDIAN if shown.kind == 'median' else ''}{places[shown.number]}"
        initial |= {by: str(places[name]) for by, name in zip(("by", "by_also"), shown.groups, strict=False)}
        for term, conditions in zip(_TERMS, shown.terms, strict=False):
            for condition in conditions:
                index = places[condition.column]
                ends = {"between": ("from", "to"), ">=": ("from",), "<=": ("to",)}.get(condition.sign, ())
                if self._published.is_numeric(condition.column):
                    initial |= {
                        f"{term}{end}_{index}": value
                        for end, value in zip(ends, condition.values, strict=False)
                    }
                elif condition.sign in ("in", "="):
                    initial[f"{term}values_{index}"] = list(condition.values)
        return initial
