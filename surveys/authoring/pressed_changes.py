"""Changes pressed on the plan page: apply them to the form's values, and undo them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from privacy.planning.changes import Change
from privacy.planning.forms import FormChange
from surveys.questionnaire.aim import DEFAULT_PEOPLE, Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.form_changes import with_forms
from surveys.questionnaire.plan_changes import protected_questions

UNDONE: Final = ("people", "strength", "star", "held")
"""Fields whose value before a pressed change is kept; a change that stores a question unticks its box."""


def apply_change(query: QueryDict, change: str) -> QueryDict:
    """Return a form's values after applying a change, as encoded by `change_value`."""
    values = query.copy()
    for step in change.split(";"):
        name, _colon, value = step.partition(":")
        if name in ("people", "strength"):
            values = _keep_value_before(values, name)
            values[name] = value
        elif name in ("star", "times"):
            values = _keep_value_before(values, "star")
            _star(values, value.split(","))
        elif name == "anew":
            values = _keep_value_before(values, "held")
            values["held"] = ""
        elif name == "form":
            form = FormChange.of_code(value)
            values["formed"] = ";".join(filter(None, [values.get("formed", ""), form.code]))
            if form.kind == "one_option":
                values[f"star_{form.key}"] = form.key
        elif name == "store":
            for key in value.split(","):
                values.pop(f"protect_{key}", None)
    return values


def change_value(change: Change[Any]) -> str:
    """Encode a change as the value of its button; `apply_change` decodes it."""
    return ";".join(
        [
            *([f"store:{','.join(change.keys)}"] if change.keys else []),
            *([f"people:{change.people}"] if change.people else []),
            *([f"strength:{change.strength}"] if change.strength else []),
            *([f"star:{change.star}"] if change.star else []),
            *([f"times:{','.join(change.times)}"] if change.times else []),
            *(f"form:{form.code}" for form in change.forms),
            *(["anew"] if change.is_anew else []),
        ]
    )


def proposal_value(change: str, entries: str) -> str:
    """Return the value of a proposal's button: a change, and a digest of the entries that it was made for."""
    return f"{change};for:{entries}"


def proposal_of(value: str) -> tuple[str, str]:
    """Return the change and the digest of a pressed proposal; without one, the digest is empty."""
    change, _for, entries = value.partition(";for:")
    return change, entries


def stated_forms(values: Mapping[str, Any]) -> tuple[FormChange, ...]:
    """Return the changes of form that were pressed on this page and are not saved yet."""
    return tuple(FormChange.of_code(code) for code in str(values.get("formed") or "").split(";") if code)


def formed(saved: Definition | None, stated: Sequence[FormChange]) -> Definition | None:
    """Return the draft with these changes of form; the saved draft if they do not fit it any longer."""
    if saved is None or not stated:
        return saved
    document, _aim = with_forms(saved.document, saved.design, Aim(people=DEFAULT_PEOPLE), stated)
    return definition_without_texts(document) or saved


def do_not_compare(name: str) -> str:
    """Say that a change stars one answer alone."""
    return _("Do not compare: star only “%(name)s”") % {"name": name}


def stars_in_words(names: Sequence[str]) -> str:
    """Say which answers are starred by a pressed change; empty without any.

    Parameters
    ----------
    names : sequence of str
        Names of the starred answers, at most two.
    """
    if len(names) > 1:
        return _("Star “%(then)s” and “%(now)s”") % {"then": names[0], "now": names[1]}
    return do_not_compare(names[0]) if names else ""


def undo_change(query: QueryDict, code: str) -> QueryDict:
    """Return a form's values without a change of form, or with the value before a change of a field."""
    values = query.copy()
    name, _colon, value = code.partition(":")
    if code in values_before(query):
        values["before"] = ";".join(each for each in values_before(query) if each != code)
        if name == "star":
            _star(values, value.split(","))
        else:
            values[name] = value
        return values
    undone = FormChange.of_code(code)
    values["formed"] = ";".join(form.code for form in stated_forms(query) if form != undone)
    if undone.kind == "one_option" and undone.options and values.get(f"star_{undone.key}"):
        values[f"star_{undone.key}"] = f"{undone.key}={undone.options[0]}"
    return values


def values_before(values: Mapping[str, Any]) -> list[str]:
    """Return the values of fields before pressed changes, each as ``name:value``."""
    codes = str(values.get("before") or "").split(";")
    return [code for code in codes if code.partition(":")[0] in UNDONE]


def _keep_value_before(values: QueryDict, name: str) -> QueryDict:
    """Return a form's values that also keep the present value of a field; an earlier one stays."""
    kept = values_before(values)
    if name in {code.partition(":")[0] for code in kept}:
        return values
    value = ",".join(stars_of(values)) if name == "star" else values.get(name, "")
    values["before"] = ";".join([*kept, f"{name}:{value}"])
    return values


def stars_of(values: Mapping[str, Any]) -> list[str]:
    """Return the starred items in the order in which they are compared."""
    stars = [str(values[name]) for name in values if name.startswith("star_") and values[name]]
    return stars[::-1] if values.get("swap") else stars


def _star(values: QueryDict, items: Sequence[str]) -> None:
    """Star these items alone, compared in this order."""
    chosen = {f"star_{item.partition('=')[0]}": item for item in items}
    for name in [*(name for name in values if name.startswith("star_")), *chosen]:
        values[name] = chosen.get(name, "")
    values.pop("swap", None)
    if stars_of(values) == [*items][::-1] != [*items]:
        values["swap"] = "on"


def protected_if_new(values: QueryDict, before: Definition | None, after: Definition | None) -> QueryDict:
    """Return a form's values in which questions that a change of form adds are protected as in the draft.

    A form of a page without these questions does not say whether they are protected. If it keeps their
    values, because they were on an earlier page, these decide.
    """
    if before is None or after is None:
        return values
    shown = {question.key for question in before.design.questions}
    values = values.copy()
    for key in protected_questions(after):
        if key not in shown and f"label_{key}" not in values:
            values[f"protect_{key}"] = "on"
    return values
