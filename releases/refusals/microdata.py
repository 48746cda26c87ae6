"""Refusals of microdata releases; in English, as the commands that make them, but for those of pages."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "release.source": ("give either FILE.csv or --survey SLUG", ""),
    "verify.does_not_hold": ("the table does not hold", ""),
    "verify.no_model": ("ask for at least one model, for example --k 5, or for --people LIST.csv", ""),
    "digest": ("%(data)s is missing or not the file that the manifest names", "fetch the deposit again"),
    "release": ("%(path)s is not part of a release (%(error)s)", "name the directory of a release"),
    "role.twice": ("column %(value)r is named twice", "give it one role"),
    "no_sensitive.checking": (
        "%(asked)s are asked for without a sensitive column",
        "name one with --sensitive",
    ),
    "unknown_column.checking": ("there is no column %(value)r", "choose one of %(header)s"),
    "config.hierarchy": (
        "columns.%(name)s.hierarchy is %(value)r",
        'write a file name, "flat", "prefix" or a list of interval widths',
    ),
    "config.ends": (
        "columns.%(name)s.ends stand beside a hierarchy, or in a column that is not generalised",
        'give the column the role "quasi_identifier" and either ends or a hierarchy',
    ),
    "config.tree": (
        "columns.%(name)s has a tree and a hierarchy",
        "give the column one of the two",
    ),
    "config.ends_inside": (
        "columns.%(name)s.ends has %(value)g, which is no end of the level before",
        "let each level join intervals of the finer one: take its ends from there",
    ),
    "coarsen.new": (
        _("%(value)s people of this table are not in the earlier release"),
        _("give the same people, or let its groups stay and the new people form groups of their own"),
    ),
    "study.unknown": (
        "a study has no field %(value)r",
        "choose among %(known)s",
    ),
    "study.fields": ("the description of the study cannot be used (%(faults)s)", "correct these fields"),
    "beliefs.lines": (
        _("the beliefs about “%(name)s” have %(value)s lines"),
        _("give a line for each value, at most %(most)s"),
    ),
    "beliefs.header": (
        _("the first line of the beliefs about “%(name)s” is “%(value)s”"),
        _("name what is known, then the column, then “belief”; or write a value and how likely it is"),
    ),
    "beliefs.cells": (
        _("line %(row)s of the beliefs about “%(name)s” has %(value)s cells"),
        _("write %(count)s, with commas between them"),
    ),
    "beliefs.weight": (
        _("line %(row)s of the beliefs about “%(name)s” ends in “%(value)s”"),
        _("end it in how likely that is: a number of at least 0"),
    ),
    "beliefs.twice": (
        _("line %(row)s of the beliefs about “%(name)s” has “%(value)s” once more"),
        _("give each value one line"),
    ),
    "beliefs.column": (
        _("the beliefs about “%(name)s” differ by “%(value)s”, which is no generalised column"),
        _("choose among %(known)s"),
    ),
    "beliefs.value": (
        _("nobody has the value “%(value)s” of “%(name)s”"),
        _("write the values as they stand in the table"),
    ),
    "beliefs.missing": (
        _("of “%(group)s” nothing is believed about the value “%(value)s” of “%(name)s”"),
        _("give it a line, with 0 where somebody excludes it"),
    ),
    "beliefs.nobody": (
        _("of “%(value)s” all beliefs about “%(name)s” are 0"),
        _("give at least one value a larger number"),
    ),
    "beliefs.group": (
        _("of people with “%(value)s” nothing is believed about “%(name)s”"),
        _("give lines for them, or lines with * for anybody"),
    ),
    "beliefs.file": (
        "the beliefs %(path)s cannot be read (%(error)s)",
        "name a UTF-8 file",
    ),
    "matrix.lines": (
        _("the matrix has %(value)s lines"),
        _("name the columns in the first, and give each protected value one more, at most %(most)s"),
    ),
    "matrix.header": (
        _("the first line of the matrix is “%(value)s”"),
        _("name the protected column first, then each generalised column once"),
    ),
    "matrix.cells": (
        _("line %(row)s of the matrix has %(value)s cells"),
        _("write %(count)s, with commas between them"),
    ),
    "matrix.twice": (
        _("line %(row)s of the matrix has “%(value)s” once more"),
        _("give each value one line"),
    ),
    "matrix.about": (
        _("the matrix is about “%(value)s”"),
        _("write it about “%(name)s”, the first protected column"),
    ),
    "matrix.column": (
        _("the matrix names “%(value)s”, which is no generalised column"),
        _("give it these columns and no others: %(known)s"),
    ),
    "matrix.column_missing": (
        _("the matrix does not say how much “%(value)s” tells about “%(row)s”"),
        _("give each generalised column a number in each line"),
    ),
    "matrix.value": (
        _("the matrix has a line for “%(value)s”, and no record has that value of “%(name)s”"),
        _("write the values as they stand in the table"),
    ),
    "matrix.missing": (
        _("the matrix has no line for the value “%(value)s” of “%(name)s”"),
        _("give each value that occurs one line"),
    ),
    "matrix.cell": (
        _("for “%(row)s” and “%(name)s” the matrix says “%(value)s”"),
        _("write a number from 0 to 1; a file may also say: very high, high, medium, low, very low"),
    ),
    "matrix.nothing": (
        _("for the value “%(value)s” of “%(name)s” the matrix has nothing but 0"),
        _("give at least one column a larger number"),
    ),
    "matrix.bytes": (_("the file of the matrix is no text"), _("save it as CSV in UTF-8")),
    "matrix.unprotected": (
        _("no column is protected, so there is no value for a matrix"),
        _("protect a column first"),
    ),
    "matrix.file": (
        "the matrix %(path)s cannot be read (%(error)s)",
        "name a UTF-8 file",
    ),
    "config.month_first": (
        "“%(value)s” in column %(name)r can be two days, and nothing in the column says which",
        "set month_first to true or false in columns.%(name)s of the plan",
    ),
    "config.matrix": (
        _("“%(value)s” has a weight, and with weights an expert’s matrix would not count"),
        _("take the weights away, or let them count for each person by their own value"),
    ),
    "config.beliefs": (
        "columns.%(name)s.beliefs are about a column that is not sensitive",
        'give the column the role "sensitive"',
    ),
    "config.unknown": ("%(value)s is not understood", "known are %(known)s"),
    "config.no_k": ("release.k is missing", 'state k, for example "k": 5'),
    "config.no_seed": ("release.seed is %(value)r", "the %(algorithm)s algorithm draws; give a seed"),
    "config.section": ("the section %(name)s is missing or empty", 'add "%(name)s": {...}'),
    "no_role": (
        "column %(value)r has no role",
        "state identifier, quasi_identifier, sensitive, insensitive or disguised",
    ),
    "config.value": ("%(where)s is %(value)r", "write %(wanted)s"),
    "config.seed": ("release.seed is %(value)s", "choose at least 0"),
    "config.own": (
        "columns.%(name)s.%(value)s bounds a column that is not sensitive",
        'give it the role "sensitive", or ask for it in "release"',
    ),
    "config.choice": ("%(where)s is %(value)r", "choose one of %(allowed)s"),
    "config.file": ("%(path)s cannot be read as a plan (%(error)s)", "correct the JSON file"),
    "config.column": (
        "columns.%(name)s is %(value)r",
        'write an object such as {"role": "sensitive"}',
    ),
    "config.weight": ("columns.%(name)s.weight is %(value)g", "choose at least 0"),
    "totals.left": (
        "published totals less this release leave %(value)s people of %(column)r with %(values)s value(s)",
        "suppress nobody (max_suppressed = 0) or more people, or withdraw the totals",
    ),
    "ledger.file": ("%(path)s is not the ledger of a release (%(error)s)", "name the file given to --ledger"),
    "earlier_release": (
        _(
            "together with an earlier release this one would break it: for %(value)s people fewer "
            "than k = %(k)s records or too few values of %(column)r remain; the worst (%(kind)s) "
            "has %(candidates)s candidate record(s) and %(count)s value(s)"
        ),
        _(
            "publish no second table of the same people, only coarsen the first one, or hold new "
            "people back until they fill classes of their own"
        ),
    ),
    "totals.file": (
        "%(path)s cannot be read as totals (%(error)s)",
        "write a CSV with the header COLUMN,count",
    ),
    "ledger.write": (
        "%(path)s cannot be written (%(error)s)",
        "name a file in a directory that is there and can be written",
    ),
    "requirement.lattice": (
        _("no generalisation in the lattice keeps the models asked for"),
        _("ask for less or choose the tight algorithm"),
    ),
    "no_sensitive.making": (
        "%(asked)s are asked for and no column is sensitive",
        'give a column the role "sensitive" or ask for k only',
    ),
    "extend": ("the %(value)s algorithm cannot keep earlier classes", "choose the tight algorithm"),
    "requirement.reached": (
        _("the %(chosen)s release of %(sensitive)r reaches %(model)s = %(value).6g, not %(asked)g"),
        _("ask for less, coarsen or drop a quasi-identifier, or choose the tight algorithm"),
    ),
    "no_sensitive.clusters": (
        "the %(value)s algorithm clusters sensitive values and no column is sensitive",
        "choose the tight algorithm",
    ),
    "survey.unknown": ("there is no survey %(value)r", "name one as in its address"),
    "survey.practice": ("%(value)r is a practice survey", "practice answers are never released"),
    "survey.growing": ("%(value)r can still grow", "close it, wait until late answers are in, then release"),
    "survey.unpublished": ("%(value)r was never published", "publish it first"),
    "survey.damaged": ("batch %(value)s of %(slug)r is damaged", "restore the database from a backup"),
    "role.disguised": (
        "column %(value)r was disguised and has the role %(role)r",
        'give it the role "disguised", or "identifier" to leave it out',
    ),
    "role.open": (
        "column %(value)r is an open answer and has the role 'disguised'",
        "an open answer is a true one; choose another role",
    ),
    "out.exists": ("%(out)s exists already", "name a new directory"),
    "ledger.exists": ("%(ledger)s exists already", "name a new file"),
    "respondent.missing": (
        "releases can only be compared when records have respondents; release.respondent is missing",
        'name the column that identifies a respondent (its role stays "identifier")',
    ),
    "order": (
        _("the order that was drawn is by chance too near the old one (z = %(value).2f)"),
        _("do it once more"),
    ),
    "people.empty": (
        _("%(value)s records have nothing in the column “%(name)s”, which tells people apart"),
        _("give each person a value, or say that each record is of a different person"),
    ),
    "people.repeated": (
        _(
            "“%(name)s” has %(value)s values in %(records)s records, so it is not clear whether people have "
            "several records"
        ),
        _(
            "say that each record belongs to a different person, or choose the column that says whose record "
            "is whose"
        ),
    ),
    "people.alike": (
        _("%(value)s of %(records)s records are equal in every column, more than chance explains"),
        _("say whether equal records belong to one person or each record to a different person"),
    ),
    "people.algorithm": (
        _("people have several records, and “%(value)s” groups records, not people"),
        _("choose groups of neighbours, or give one record of each; or say that each is another person"),
    ),
    "people.k": (
        _("k = %(value)s, but the %(records)s records are of %(n)s people"),
        _("choose a smaller k; if they are of different people, say so"),
    ),
    "people.beside": (
        _("people have several records that differ in “%(name)s”, and others are to know the other columns"),
        _("give one record of each person, or ask for the bounds among the generalised columns alone"),
    ),
    "people.earlier": (
        _("people have %(value)s records beside their first one, and earlier classes hold one of each"),
        _("give one record of each person"),
    ),
    "respondent.twice": (_("respondent “%(value)s” has two records"), _("give each respondent one record")),
    "unknown_column.register": (
        "the register %(population)s has no column %(value)r",
        "give every quasi-identifier",
    ),
    "ledger.salts": (
        _("the ledgers of two earlier releases do not belong together: they have different salts"),
        _("give ledgers of one study"),
    ),
    "unknown_column.respondent": (
        "release.respondent names %(value)r, which is no column",
        "choose one of %(header)s",
    ),
    "hierarchy.unknown": (
        "no value of column %(name)r is one of %(value)s",
        "name a file with the groups of its values",
    ),
    "file.hierarchy": ("the hierarchy %(path)s of column %(name)r cannot be read", "name a file"),
    "out.write": ("%(target)s cannot be written (%(error)s)", "name another"),
    "out.room": ("%(target)s cannot be written (%(error)s)", "make room"),
    "config.amount": ("release.%(name)s is %(value)r", "choose at least 0"),
    "config.share": ("release.%(name)s is %(value)r", "choose a share between 0 and 1"),
}
