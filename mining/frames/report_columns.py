"""The columns of a survey's design in a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mining.frames.answer_kinds import option_names
from privacy.regression.formula_regression import is_yes_or_no
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Design
from privacy.tables.estimation import IsReport

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


def report_columns(design: Design, names: Mapping[str, str]) -> dict[str, IsReport | None]:
    """Return the columns that devices send, each with a function that recognises its reports.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Key -> name of a column, if they differ.
    """

    found: dict[str, IsReport | None] = {group_name(design): None}
    for block in design.blocks:
        found |= {skipped_name(block.key, design): is_yes_or_no, asked_name(block.key, design): None}
    for question in design.questions:
        for key in question.columns:
            # Options and numbers are compared with the design.
            found[names.get(key, key)] = is_yes_or_no if question.is_binary else None
    return found


def number_columns(design: Design, names: Mapping[str, str]) -> dict[str, str]:
    """Return the kind "numeric" by column, for the columns of numbers that devices send.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Key -> name of a column, if they differ.
    """
    scales = [question.key for question in design.questions if question.is_scale]
    return {names.get(key, key): "numeric" for key in scales}


def with_line_columns(frame: DataFrame, design: Design, names: Mapping[str, str]) -> DataFrame:
    """Return a frame in which columns of options, "perks=car", have the names of the design's questions.

    A design that was read from its document has the key "perks_car", and no name for it.

    Parameters
    ----------
    frame : DataFrame
    design : Design
    names : mapping of str to str
        Key -> name of a column or option, if they differ.
    """
    missing = {names.get(question.key, question.key) for question in design.questions} - {*frame.columns}
    found = {
        column: column.replace("=", "_")
        for column in frame.columns
        if isinstance(column, str) and "=" in column and column.replace("=", "_") in missing
    }
    return frame.rename(columns=found) if found else frame


def values_by_line(values: Mapping[str, Any], design: Design, keys: Mapping[str, str]) -> dict[str, Any]:
    """Return values by question, with those of `any_of` by the name of each option's column.

    Parameters
    ----------
    values : mapping of str
        A value, or a mapping of option to value, by name.
    design : Design
    keys : mapping of str to str
        Name -> key, if they differ.
    """
    questions = {question.key for question in design.questions}
    result = dict(values)
    for name, own in values.items():
        lines = [line for line, key in keys.items() if key in questions and line.partition("=")[0] == name]
        if lines and name not in keys and name not in questions:
            del result[name]
            # Options that the question lacks stay, so that they are refused by name.
            stated = (
                {f"{name}={option}": value for option, value in own.items()}
                if isinstance(own, Mapping)
                else dict.fromkeys(lines, own)
            )
            result |= stated
    return result


def with_levels(
    frame: DataFrame, columns: Sequence[str], design: Design, names: Mapping[str, str]
) -> DataFrame:
    """Return a frame with the options of undisguised questions as categories, in the design's order.

    Parameters
    ----------
    frame : DataFrame
    columns : sequence of str
        Columns that are used.
    design : Design
    names : mapping of str to str
        Key -> name of a column or option, if they differ.
    """
    for question in design.questions:
        name = names.get(question.key, question.key)
        if name in columns and question.is_exhaustive and frame[name].dtype.name != "category":
            options = option_names(question, names)
            frame = frame.assign(**{name: frame[name].astype("category").cat.set_categories(options)})
    return frame
