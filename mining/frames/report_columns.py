"""The columns of a survey's design in a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mining.frames.plan import option_names
from privacy.regression.formula_regression import is_yes_or_no
from privacy.survey.design import Design, asked_name, group_name, skipped_name
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
