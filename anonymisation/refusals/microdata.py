"""Refusals of microdata releases; in English, as the commands that make them, but for those of pages."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "release.source": ("use either FILE.csv or --survey SLUG", ""),
    "verify.does_not_hold": ("the table does not hold", ""),
    "verify.no_model": ("require at least one model, for example --k 5, or use --people LIST.csv", ""),
    "digest": ("%(data)s is missing, or is not the file named in the manifest", "download the release again"),
    "release": ("%(path)s is not part of a release (%(error)s)", "name the directory of a release"),
    "role.twice": ("column %(value)r is named twice", "give it one role"),
    "no_sensitive.checking": (
        "%(asked)s need a sensitive column",
        "name one with --sensitive",
    ),
    "unknown_column.checking": ("there is no column %(value)r", "choose one of %(header)s"),
    "config.hierarchy": (
        "columns.%(name)s.hierarchy is %(value)r",
        'write a file name, "flat", "prefix" or a list of interval widths',
    ),
    "config.ends": (
        "columns.%(name)s.ends cannot be combined with a hierarchy, and needs a generalised column",
        'give the column the role "quasi_identifier" and either ends or a hierarchy',
    ),
    "config.tree": (
        "columns.%(name)s has a tree and a hierarchy",
        "use one of the two",
    ),
    "config.ends_inside": (
        "columns.%(name)s.ends contains %(value)g, which is not an end of the level before",
        "each level merges intervals of the finer one, so it can only use ends from there",
    ),
    "coarsen.new": (
        _("%(value)s people of this table are not in the earlier release"),
        _(
            "use exactly the same people, or keep the groups of the earlier release and let new"
            " people form their own groups"
        ),
    ),
    "study.unknown": (
        "a study has no field %(value)r",
        "choose among: %(known)s",
    ),
    "study.fields": ("the description of the study is not valid (%(faults)s)", "correct these fields"),
    "beliefs.lines": (
        _("the beliefs about “%(name)s” have %(value)s lines"),
        _("use one line for each value, at most %(most)s"),
    ),
    "beliefs.header": (
        _("the first line of the beliefs about “%(name)s” is “%(value)s”"),
        _(
            "write the known columns, then this column, then “belief”; or write only values and"
            " how likely they are"
        ),
    ),
    "beliefs.cells": (
        _("line %(row)s of the beliefs about “%(name)s” has %(value)s cells"),
        _("write %(count)s cells, separated by commas"),
    ),
    "beliefs.weight": (
        _("line %(row)s of the beliefs about “%(name)s” ends in “%(value)s”"),
        _("end the line with how likely that is: a number of 0 or more"),
    ),
    "beliefs.twice": (
        _("line %(row)s of the beliefs about “%(name)s” repeats “%(value)s”"),
        _("give each value one line"),
    ),
    "beliefs.column": (
        _("the beliefs about “%(name)s” depend on “%(value)s”, which is not a generalised column"),
        _("choose among: %(known)s"),
    ),
    "beliefs.value": (
        _("no one has the value “%(value)s” of “%(name)s”"),
        _("write the values exactly as in the table"),
    ),
    "beliefs.missing": (
        _("for “%(group)s”, the belief about the value “%(value)s” of “%(name)s” is missing"),
        _("add a line for it, with 0 if it is impossible"),
    ),
    "beliefs.nobody": (
        _("for “%(value)s” all beliefs about “%(name)s” are 0"),
        _("give at least one value a larger number"),
    ),
    "beliefs.group": (
        _("for people with “%(value)s”, beliefs about “%(name)s” are missing"),
        _("add lines for them, or lines with * for everyone"),
    ),
    "beliefs.file": (
        "the beliefs %(path)s cannot be read (%(error)s)",
        "name a UTF-8 file",
    ),
    "matrix.lines": (
        _("the matrix has %(value)s lines"),
        _("write the columns on the first line, then one line for each protected value, at most %(most)s"),
    ),
    "matrix.header": (
        _("the first line of the matrix is “%(value)s”"),
        _("write the protected column first, then each generalised column once"),
    ),
    "matrix.cells": (
        _("line %(row)s of the matrix has %(value)s cells"),
        _("write %(count)s cells, separated by commas"),
    ),
    "matrix.twice": (
        _("line %(row)s of the matrix repeats “%(value)s”"),
        _("give each value one line"),
    ),
    "matrix.about": (
        _("the matrix is about “%(value)s”"),
        _("write it for “%(name)s”, the first protected column"),
    ),
    "matrix.column": (
        _("the matrix names “%(value)s”, which is not a generalised column"),
        _("use only these columns: %(known)s"),
    ),
    "matrix.column_missing": (
        _("the matrix does not say how much “%(value)s” reveals about “%(row)s”"),
        _("write a number for each generalised column on each line"),
    ),
    "matrix.value": (
        _("the matrix has a line for “%(value)s”, but no record has that value of “%(name)s”"),
        _("write the values exactly as in the table"),
    ),
    "matrix.missing": (
        _("the matrix has no line for the value “%(value)s” of “%(name)s”"),
        _("write one line for each value that occurs"),
    ),
    "matrix.cell": (
        _("at “%(row)s” and “%(name)s” the matrix contains “%(value)s”"),
        _("write a number from 0 to 1; a file may also use: very high, high, medium, low, very low"),
    ),
    "matrix.nothing": (
        _("for the value “%(value)s” of “%(name)s” the matrix contains only 0"),
        _("give at least one column a number above 0"),
    ),
    "matrix.bytes": (_("the matrix file is not text"), _("save it as CSV in UTF-8")),
    "matrix.unprotected": (
        _("no column is protected, so a matrix has no values to cover"),
        _("protect a column first"),
    ),
    "matrix.file": (
        "the matrix %(path)s cannot be read (%(error)s)",
        "name a UTF-8 file",
    ),
    "config.month_first": (
        "“%(value)s” in column %(name)r can be two different dates, and the column does not show which",
        "set month_first to true or false in columns.%(name)s of the plan",
    ),
    "config.matrix": (
        _("“%(value)s” has a weight; with weights, an expert’s matrix would have no effect"),
        _("remove the weights, or apply them for each person by their own value"),
    ),
    "config.beliefs": (
        "columns.%(name)s.beliefs needs a sensitive column",
        'give the column the role "sensitive"',
    ),
    "config.unknown": ("unknown key: %(value)s", "use one of %(known)s"),
    "config.no_k": ("release.k is missing", 'set k, for example "k": 5'),
    "config.no_seed": (
        "release.seed is %(value)r",
        "the %(algorithm)s algorithm uses random numbers; set a seed",
    ),
    "config.section": ("the section %(name)s is missing or empty", 'add "%(name)s": {...}'),
    "no_role": (
        "column %(value)r has no role",
        "use identifier, quasi_identifier, sensitive, insensitive or disguised",
    ),
    "config.value": ("%(where)s is %(value)r", "use %(wanted)s"),
    "config.seed": ("release.seed is %(value)s", "use 0 or more"),
    "config.own": (
        "columns.%(name)s.%(value)s needs a sensitive column",
        'give it the role "sensitive", or set the bound in "release"',
    ),
    "config.choice": ("%(where)s is %(value)r", "choose one of %(allowed)s"),
    "config.file": ("%(path)s cannot be read as a plan (%(error)s)", "correct the JSON file"),
    "config.column": (
        "columns.%(name)s is %(value)r",
        'write an object such as {"role": "sensitive"}',
    ),
    "config.weight": ("columns.%(name)s.weight is %(value)g", "use 0 or more"),
    "totals.left": (
        "with the published totals, this release leaves %(value)s people of %(column)r with "
        "only %(values)s value(s)",
        "suppress no records (max_suppressed = 0) or more of them, or withdraw the totals",
    ),
    "ledger.file": ("%(path)s is not the ledger of a release (%(error)s)", "name the file given to --ledger"),
    "earlier_release": (
        _(
            "together with an earlier release, this one would break protection: for %(value)s "
            "people, fewer than k = %(k)s records or too few values of %(column)r remain. The "
            "worst case (%(kind)s) has %(candidates)s candidate record(s) and %(count)s "
            "value(s)"
        ),
        _(
            "do not publish a second table of the same people, make this one coarser than the "
            "first, or hold new people back until they fill groups of their own"
        ),
    ),
    "totals.file": (
        "%(path)s cannot be read as totals (%(error)s)",
        "write a CSV with the header COLUMN,count",
    ),
    "ledger.write": (
        "%(path)s cannot be written (%(error)s)",
        "use a file in a directory that exists and can be written to",
    ),
    "requirement.lattice": (
        _("no generalisation satisfies the models you chose"),
        _("require less, or choose the tight algorithm"),
    ),
    "no_sensitive.making": (
        "%(asked)s need a sensitive column, and there is none",
        'give a column the role "sensitive", or require k only',
    ),
    "extend": (
        "the %(value)s algorithm cannot keep the classes of an earlier release",
        "choose the tight algorithm",
    ),
    "requirement.reached": (
        _("the %(chosen)s release of %(sensitive)r reaches %(model)s = %(value).6g, not %(asked)g"),
        _("require less, coarsen or remove a quasi-identifier, or choose the tight algorithm"),
    ),
    "no_sensitive.clusters": (
        "the %(value)s algorithm clusters sensitive values, but no column is sensitive",
        "choose the tight algorithm",
    ),
    "survey.unknown": ("there is no survey %(value)r", "use the name in its address"),
    "survey.practice": ("%(value)r is a practice survey", "practice answers cannot be released"),
    "survey.growing": (
        "%(value)r can still receive answers",
        "close it, wait until late answers are no longer accepted, then release",
    ),
    "survey.unpublished": ("%(value)r was never published", "publish it first"),
    "survey.damaged": ("batch %(value)s of %(slug)r is damaged", "restore the database from a backup"),
    "role.disguised": (
        "column %(value)r was disguised, but has the role %(role)r",
        'give it the role "disguised", or "identifier" to leave it out',
    ),
    "role.open": (
        "column %(value)r contains open answers, but has the role 'disguised'",
        "open answers are true answers; choose another role",
    ),
    "out.exists": ("%(out)s already exists", "name a new directory"),
    "ledger.exists": ("%(ledger)s already exists", "name a new file"),
    "respondent.missing": (
        "releases can only be compared if records belong to respondents; release.respondent is missing",
        'name the column that identifies a respondent (its role stays "identifier")',
    ),
    "order": (
        _("by coincidence, the new order is too similar to the old one (z = %(value).2f)"),
        _("try again"),
    ),
    "people.empty": (
        _("the column “%(name)s”, which identifies people, is empty in %(value)s records"),
        _("give each person a value, or confirm that each record belongs to a different person"),
    ),
    "people.repeated": (
        _("“%(name)s” has %(value)s values in %(records)s records, so people may have several records each"),
        _(
            "confirm that each record belongs to a different person, or choose the column that "
            "identifies people"
        ),
    ),
    "people.alike": (
        _(
            "%(value)s of %(records)s records equal another record in every column, more than "
            "coincidence can explain"
        ),
        _("say whether equal records belong to the same person, or each record to a different person"),
    ),
    "people.algorithm": (
        _("some people have several records, but “%(value)s” groups records, not people"),
        _(
            "group neighbours, or use one record per person; or confirm that each record "
            "belongs to a different person"
        ),
    ),
    "people.k": (
        _("k = %(value)s, but the %(records)s records belong to only %(n)s people"),
        _("choose a smaller k, or confirm that each record belongs to a different person"),
    ),
    "people.beside": (
        _(
            "some people have several records that differ in “%(name)s”, and you assume that "
            "others know the other columns"
        ),
        _("use one record per person, or require the bounds within the generalised columns only"),
    ),
    "people.earlier": (
        _(
            "people have %(value)s records in addition to their first one, but earlier groups "
            "contain one of each person"
        ),
        _("use one record per person"),
    ),
    "respondent.twice": (_("respondent “%(value)s” has two records"), _("keep one record per respondent")),
    "unknown_column.register": (
        "the register %(population)s has no column %(value)r",
        "use a register with every quasi-identifier",
    ),
    "ledger.salts": (
        _("the ledgers of the two earlier releases do not belong together: their salts differ"),
        _("use ledgers of the same study"),
    ),
    "unknown_column.respondent": (
        "release.respondent names %(value)r, which is not a column",
        "choose one of %(header)s",
    ),
    "hierarchy.unknown": (
        "column %(name)r has none of the values %(value)s",
        "use a file with the groups of its values",
    ),
    "file.hierarchy": (
        "the hierarchy %(path)s of column %(name)r cannot be read",
        "choose a file that exists",
    ),
    "out.write": ("%(target)s cannot be written (%(error)s)", "use another place"),
    "out.room": ("%(target)s cannot be written (%(error)s)", "free some disk space"),
    "config.amount": ("release.%(name)s is %(value)r", "use 0 or more"),
    "config.share": ("release.%(name)s is %(value)r", "use a share between 0 and 1"),
}
