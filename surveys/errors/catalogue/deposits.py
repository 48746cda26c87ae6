"""Refusals of deposits made in the browser."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "deposit_file.large": (
        _("the file is too large to be sent to a page"),
        _("give at most %(most)s million bytes, as Parquet if need be, or use the command release"),
    ),
    "deposit_file.cells": (
        _("the table has %(value)s records and %(columns)s columns, which is too much for a page"),
        _("give at most %(most)s cells in %(widest)s columns, or use the command release"),
    ),
    "deposit_file.name": (
        _("a column is named “%(value)s”"),
        _("give each column a name of 1 to %(longest)s characters"),
    ),
    "deposit_file.damaged": (
        _("the file cannot be read as %(kind)s"),
        _("save it again, or as CSV in UTF-8"),
    ),
    "deposit_file.spss": (
        _("this server cannot read SPSS files in memory"),
        _("save the table as CSV or Parquet"),
    ),
    "deposit_file.none": (_("no table was given"), _("choose a file or a survey, not both")),
    "deposit.many": (
        _("you have %(value)s tables under way"),
        _("finish or delete one of them first; at most %(most)s are kept for you"),
    ),
    "deposit.sealed": (
        _("what is kept of deposit %(value)s does not open"),
        _("the secret key has changed: delete the deposit and give the table again"),
    ),
    "deposit.no_files": (
        _("this deposit has no files"),
        _("have it made first; deleted files do not come back"),
    ),
    "deposit.gone": (
        _("the records of this table are no longer here"),
        _("they are kept for a day; give the table again"),
    ),
    "deposit.running": (_("a job is at work on this table"), _("wait until it is over, or cancel it")),
    "deposit.finished": (_("this deposit is made"), _("begin a new one")),
    "deposit.role": (
        _("the column “%(value)s” cannot have this role"),
        _("choose one of those that its line offers"),
    ),
    "deposit.no_quasi": (
        _("no column is named that somebody may know of a person"),
        _("name one at least: a release generalises these"),
    ),
    "deposit.k": (
        _("the table has %(n)s records, fewer than k = %(value)s"),
        _("ask for a smaller k, or give more records"),
    ),
    "deposit.l": (
        _("the column “%(name)s” has %(held)s different values, fewer than l = %(value)s"),
        _("ask for at most %(held)s values of it"),
    ),
    "deposit.rho": (
        _("of the two beliefs about “%(name)s” one is missing, or the first is not below the second"),
        _("give both, the first smaller, or neither"),
    ),
    "deposit.tree": (
        _("line %(row)s of the tree of “%(name)s” is not understood"),
        _("indent each line by two blanks more than the group above it, and begin at the margin"),
    ),
    "deposit.tree_missing": (
        _("the tree of “%(name)s” lacks %(count)s of its values, such as “%(value)s”"),
        _("put each value into one group"),
    ),
    "deposit.tree_twice": (
        _("“%(value)s” stands twice in the tree of “%(name)s”"),
        _("give each value and each group one place"),
    ),
    "deposit.meanwhile": (
        _("another deposit of this survey was made while this one was at work"),
        _("ask again: the two are compared then"),
    ),
    "deposit.survey": (
        _("the survey %(value)s has no records that may be published"),
        _("choose a survey that is closed, is no practice, and whose late answers are in"),
    ),
}
STATUS: Final = {
    "deposit.no_files": 404,
    "deposit.running": 409,
    "deposit.finished": 409,
    "deposit.gone": 410,
}
