"""Error messages about microdata, and about requests for their release."""

from __future__ import annotations

from typing import Final

_: Final = str
"""Marks a text for translators without importing a translation library."""

_QUERY: Final = _(
    "write: count where COLUMN < VALUE and … or … group by COLUMN; or mean COLUMN, median COLUMN"
)

WORDS: Final = {
    "changed_value": (
        _("%(value)s people have other sensitive values in the earlier release than in this one"),
        _("releases are compared person by person: publish a value that has changed as a separate column"),
    ),
    "coding.categorical": (
        "column %(name)r is categorical and has a bottom or top",
        'make it kind = "numeric", or leave the bounds out',
    ),
    "coding.order": ("column %(name)r has bottom %(value)g above top %(top)g", "swap the two"),
    "coverage": (
        "the hierarchy of %(name)r lacks %(count)s values of the table: %(shown)s",
        "add a row for each of them",
    ),
    "duplicate_column": ("column %(value)r occurs twice", "give each column its own name"),
    "duplicate_rule": ("column %(value)r has two rules", "keep one of them"),
    "empty": (
        "no records are left (%(value)s dropped because of missing values)",
        "use a table with records",
    ),
    "free_text": (
        _("column %(rule)r contains free text such as %(longest)r"),
        _('give it the role "identifier", which removes it, or code it into categories'),
    ),
    "generator.clusters": (
        "%(values)s sensitive values in %(value)s clusters have too many starting points to try them all",
        "set a seed",
    ),
    "ground_distance": (
        "the hierarchical distance needs a hierarchy with one leaf per sensitive value",
        "add the hierarchy of the sensitive column, limited to its values",
    ),
    "hierarchy.empty": ("the hierarchy of %(value)r is empty", "add one row per value"),
    "hierarchy.ends": (
        "the interval ends of %(name)r are not in ascending order: %(value)g follows %(before)g",
        "write the ends of each level in ascending order",
    ),
    "hierarchy.column": (
        "there is a hierarchy for %(value)r, which is not a quasi-identifier",
        "leave it out, or name the column among the quasi-identifiers: %(names)s",
    ),
    "hierarchy.kind": (
        "the hierarchy of %(name)r is a %(value)s",
        "pass a Hierarchy, a mapping such as {value: label}, or a table with a row for each value",
    ),
    "hierarchy.lengths": (
        "column %(name)r has values of different lengths (%(values)r, %(value)r)",
        "pad them with zeros, or use a hierarchy file",
    ),
    "hierarchy.levels": (
        "in the hierarchy of %(name)r the row of %(row)r has %(count)s levels, but the first "
        "row has %(width)s",
        "repeat a label if a value has no level of its own",
    ),
    "hierarchy.parents": (
        "in the hierarchy of %(name)r, %(value)r (level %(level)s) has two parents: %(before)r and %(row)r",
        "keep one parent",
    ),
    "hierarchy.roots": (
        "the last level of the hierarchy of %(name)r has %(count)s values (%(roots)r, %(value)r, ...)",
        "end every row with the same value, such as %(suppressed)r",
    ),
    "hierarchy.twice": ("the hierarchy of %(name)r has two rows for %(value)r", "keep one of them"),
    "hierarchy.widths": (
        "the interval widths of %(name)r are %(widths)s, but %(value)g is not a multiple of the"
        " width before it",
        "make each width a whole multiple of the one before",
    ),
    "k.clusters": ("the table has %(total)s records, but each class needs %(value)s", "choose a smaller k"),
    "k.records": (
        "%(name)s = %(value)s is more than the %(n)s records of the table",
        "choose %(name)s <= %(n)s",
    ),
    "l.cluster": (
        _("a cluster of sensitive values has fewer than l = %(value)s values"),
        _("choose a smaller l"),
    ),
    "l.column": (
        _("l = %(value)s is more than the %(held)s values of the sensitive column"),
        _("choose l <= %(held)s"),
    ),
    "l.no_sensitive": ("diversity needs a sensitive column", "name one, or choose l = 1"),
    "l.values": ("l = %(value)s is more than the %(held)s values of column %(name)r", "choose l <= %(held)s"),
    "label": (
        "column %(name)r is numeric and contains the label %(value)r",
        "write numbers or intervals such as [30,39], or name the label in the codebook",
    ),
    "lattice_size": (
        _("%(count)s quasi-identifiers have %(value)s generalisations, more than %(max_nodes)s"),
        _("use fewer columns or levels, raise the limit, or choose the tight algorithm"),
    ),
    "missing.record": (
        "column %(column)r has a missing value (%(value)r) in record %(record)s",
        "fill it in, or remove the record",
    ),
    "missing.rule": (
        "column %(column)r has a missing value (%(value)r) in record %(record)s",
        'set missing = "value" or missing = "drop" for the column; if this is not a missing '
        "value, list the missing ones in missing_texts",
    ),
    "missing_policy": (
        'column %(name)r is numeric, so "missing" cannot be one of its values',
        'choose "drop", or make the column categorical with an interval hierarchy, which has a '
        'separate leaf "missing"',
    ),
    "no_hierarchy.categorical": (
        "quasi-identifier %(value)r is categorical and has no hierarchy",
        'use a file, "flat", "prefix" or "intervals"',
    ),
    "no_hierarchy.lattice": (
        "quasi-identifier %(value)r has no hierarchy",
        "global recoding needs a hierarchy for each quasi-identifier, intervals for numbers",
    ),
    "no_quasi_identifier.classes": ("no column groups the records", "name at least one quasi-identifier"),
    "no_quasi_identifier.lattice": ("no column is a quasi-identifier", "give at least one column that role"),
    "no_quasi_identifier.space": (
        "no column is a quasi-identifier",
        'give at least one column the role "quasi_identifier"',
    ),
    "no_role": ("column %(value)r has no role", "set one of %(roles)s"),
    "not_a_number.column": (
        "column %(rule)r is numeric and contains %(value)r",
        'correct the value, list it as missing, or make the column kind = "categorical"',
    ),
    "not_a_number.interval": (
        "column %(name)r has an interval hierarchy and contains %(value)r",
        "list it as missing, or correct it",
    ),
    "not_a_number.long": (
        _("column %(rule)r contains %(value)r, which has too many digits for exact calculation"),
        _("shorten its numbers to at most 15 digits, or make the column categorical"),
    ),
    "not_a_number.people": (
        "the list has %(value)r in the numeric column %(domain)r",
        "correct the value, or leave the column out",
    ),
    "prior.excluded": (
        "the beliefs exclude every value that some class contains",
        "give each value that occurs a share above 0",
    ),
    "prior.supplied": (
        "the beliefs have shape %(value)s, or rows that do not add up to 1",
        "pass %(count)s rows (one per combination) of %(values)s shares",
    ),
    "query.cells": (
        _("the answer would have %(value)s cells"),
        _("split it by columns with fewer values; an answer can have at most %(most)s cells"),
    ),
    "query.mean": (
        _("the column “%(value)s” contains text, so it has no mean or median"),
        _("ask how many records have each value"),
    ),
    "query.number": (
        _("the column “%(column)s” contains numbers, and “%(value)s” is not a number"),
        _("compare it with a number"),
    ),
    "query.open": (
        _("in some of these records “%(column)s” is “%(value)s”, so the answer has no bounds"),
        _("add a condition on “%(column)s” that excludes those records, or ask for a count"),
    ),
    "query.sign": (
        _("the column “%(column)s” contains text, which cannot be compared by “%(value)s”"),
        _("use =, != or in"),
    ),
    "query.text": (_("cannot read the question “%(value)s”"), _QUERY),
    "query.ways": (_("too many conditions are joined by “or”"), _("ask the alternatives one by one")),
    "query.word": (_("cannot read the question “%(value)s” at “%(found)s”"), _QUERY),
    "ragged": (
        "record %(number)s has %(value)s cells, but the header has %(width)s",
        "check quotes and separators of that line",
    ),
    "recursive": ("recursive diversity needs both c and l", "set both"),
    "multi_attribute": (
        _(
            "%(name)r and the columns assumed to be known with it have %(value)s cells by "
            "class, more than %(most)s"
        ),
        _("give columns with many values another role, or group their values first"),
    ),
    "requirement.beside": (
        _(
            "even in the whole table, records with the same values in the other sensitive "
            "columns do not reach the bounds of %(name)r"
        ),
        _(
            "give one of the columns another role, require less of it, or assume that others"
            ' know only the generalised columns ("multi_attribute": false in a plan file)'
        ),
    ),
    "requirement": (
        _("even the whole table as one class does not satisfy the models required of column %(name)r"),
        _("lower l or raise c and alpha"),
    ),
    "respondent.twice": ("a respondent occurs twice in one release", "keep one record of each respondent"),
    "rho.breach": (
        _("rho1 = %(value)s, rho2 = %(rho2)s do not satisfy 0 < rho1 < rho2 < 1"),
        _("choose rho1 below rho2"),
    ),
    "share.closed": ("%(name)s = %(value)s is outside [0, 1]", "use a share from 0 to 1"),
    "share.low": ("%(name)s = %(value)s is below %(low)s", "use at least %(low)s"),
    "share.positive": ("%(name)s = %(value)s is not above 0", "use a positive number"),
    "singles_out": (
        "column %(rule)r has %(count)s distinct values in %(n)s records, so it could identify people",
        'give it the role "identifier" or "quasi_identifier"',
    ),
    "suppression": ("%(value)s of %(count)s records may be suppressed", "allow 0 or more, but not all"),
    "time_stamp.days": (
        _("column %(rule)r contains dates such as %(value)r"),
        _('give it the role "quasi_identifier" with a hierarchy, or "identifier"'),
    ),
    "time_stamp.times": (
        _("column %(rule)r contains times such as %(value)r"),
        _('give it the role "identifier", which removes it, or shorten it to the year first'),
    ),
    "totals": (
        "the release contains %(released)s records of %(value)r, but the total is %(totals)s",
        "use totals of the same survey and cell",
    ),
    "unknown_column.name": ("there is no column %(value)r", "choose one of %(names)s"),
    "unknown_column.release": (
        "the list shares no quasi-identifier with the release",
        "name its columns as in the release: %(names)s",
    ),
    "weight.negative": (
        _("the weight of %(axis)r is %(value)s"),
        _("give each quasi-identifier a weight of 0 or more"),
    ),
    "weight.none": (_("all weights are 0"), _("give at least one positive weight")),
}
