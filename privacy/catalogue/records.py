"""Error messages about files with records, and about the people that the records belong to."""

from __future__ import annotations

from typing import Final

_: Final = str
"""Marks a text for translators without importing a translation library."""

WORDS: Final = {
    # Which records belong to one person.
    "people.empty": (
        _("the column “%(name)s”, which identifies people, is empty in %(value)s records"),
        _("give each person a value, or confirm that each record belongs to a different person"),
    ),
    "people.both": (
        _(
            "“%(name)s” identifies %(value)s people in %(records)s records, but you also confirm that each "
            "record belongs to a different person"
        ),
        _("choose one of the two"),
    ),
    "people.one": (
        _("“%(name)s” has the same value in all %(value)s records, so they would all belong to one person"),
        _("choose the column that identifies a person"),
    ),
    "people.repeated": (
        _(
            "“%(name)s” has %(value)s values in %(records)s records, up to %(most)s records each, so people "
            "may have several records"
        ),
        _("choose it if it identifies a person, or confirm that each record belongs to a different person"),
    ),
    "people.constant": (
        _(
            "“%(name)s” is published, but seems to identify people: it has %(value)s values in %(records)s "
            "records, and “%(one)s” and “%(other)s” are the same in all records with the same value"
        ),
        _(
            "leave it out and choose it as the column that identifies respondents, or confirm that each "
            "record belongs to a different person"
        ),
    ),
    "people.constant_left_out": (
        "%(name)r seems to identify people: it has %(value)s values in %(records)s records, and %(one)r and "
        "%(other)r are the same in all records with the same value",
        "pass respondent=%(name)r",
    ),
    "people.repeated.constant": (
        _(
            "“%(name)s” has %(value)s values in %(records)s records, up to %(most)s records each, and "
            "“%(one)s” and “%(other)s” are the same in all records with the same value, so it seems to "
            "identify people"
        ),
        _("choose it if it identifies a person, or confirm that each record belongs to a different person"),
    ),
    "people.repeated.several": (
        _(
            "people may have several of the %(records)s records, because columns that are left out repeat "
            "(number of values × most records with the same one): %(value)s"
        ),
        _(
            "choose the column that identifies a person, or those that do so only together; or confirm that "
            "each record belongs to a different person"
        ),
    ),
    "people.alike": (
        _(
            "%(value)s of %(records)s records equal another record in every column, more than "
            "coincidence can explain"
        ),
        _("say whether equal records belong to the same person, or each record to a different person"),
    ),
    "weights.sign": (
        _("the sampling weight %(value)s in column %(column)r is not above 0"),
        _("leave out records without weight, or give the column another role"),
    ),
    "no_sensitive.checking": ("%(asked)s need a sensitive column", "name one with --sensitive"),
    "requirement.name": ("there is no model %(value)r", "use %(names)s"),
    # Files with a table.
    "table_file.missing": (_("%(path)s cannot be read: %(error)s"), _("choose a file that exists")),
    "table_file.encoding": (
        _("the characters of the file can be read in several ways: %(examples)s"),
        _("save it as UTF-8, then choose it again"),
    ),
    "table_file.text": (
        _("the file is not text in UTF-8, UTF-16 or another known encoding"),
        _("save it as CSV in UTF-8"),
    ),
    "table_file.damaged": (
        _("this is not a readable %(kind)s file: it is damaged or incomplete"),
        _("save it again, or save it as CSV"),
    ),
    "table_file.nothing": (_("the file is empty"), _("choose another file")),
    "table_file.locked": (
        _("the file is protected by a password"),
        _("save it without a password, and choose it again"),
    ),
    "table_file.other": (
        _("this is a .%(value)s file, which cannot be read as a table"),
        _("save the table as .xlsx or CSV, and choose that file"),
    ),
    "table_file.ending": (
        _("this is a .%(value)s file, but its name is “%(name)s”"),
        _("give it a name that ends in .%(value)s"),
    ),
    "table_file.package": (
        _("%(kind)s files cannot be read here, because %(value)s is not installed"),
        _("save the file as CSV, or install %(value)s"),
    ),
    "table_file.sheets": (
        _("%(value)s sheets of the workbook contain cells: %(names)s"),
        _("name the sheet with the table, or save it as its own file"),
    ),
    "table_file.sheet": (
        _("the workbook has no sheet “%(value)s” that contains cells"),
        _("choose one of these sheets: %(names)s"),
    ),
    "table_file.header": (
        _("the file is empty, or has no header line"),
        _("put the names of the columns into its first line"),
    ),
    "table_file.record": (
        _("the first line looks like a record, not like the names of the columns: %(value)s"),
        _("put a line with the names of the columns above it"),
    ),
    "table_file.empty": (
        _("the file has a header, but no records"),
        _("add one line for each person below the header"),
    ),
    "table_file.cells": (
        _("line %(row)s has a different number of cells (%(value)s) than the header (%(columns)s)"),
        _("give each line as many cells as the header, and put notes at the end, below an empty line"),
    ),
    "table_file.quotes": (
        _("line %(value)s cannot be read: %(error)s"),
        _("check the quotation marks in that line"),
    ),
    "table_file.columns": (_("the table has %(value)s columns"), _("use at most %(most)s")),
    "table_file.wide": (
        _("the table is too large: %(value)s records in %(columns)s columns"),
        _("use at most %(most)s cells; a CSV file may have more"),
    ),
    "table_file.more": (
        _("the table is too large: more than %(value)s records in %(columns)s columns"),
        _("use at most %(most)s cells"),
    ),
}
