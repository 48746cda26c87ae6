"""Refusals of tables, hierarchies and wishes about their release."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

_QUERY: Final = (
    "write: count [where COLUMN < VALUE [and ...] [or ...]] [group by COLUMN[, ...]], or mean COLUMN or "
    "median COLUMN for count"
)

WORDS: Final = {
    "changed_value": (
        _("%(value)s people have other sensitive values in the earlier release than in this one"),
        _("releases are compared person by person: publish a value that has changed as a column of its own"),
    ),
    "coding.categorical": (
        "column %(name)r is categorical and has a bottom or top",
        'make it kind = "numeric" or leave the bounds out',
    ),
    "coding.order": ("column %(name)r has bottom %(value)g above top %(top)g", "exchange the two"),
    "coverage": (
        "the hierarchy of %(name)r does not cover %(count)s value(s) of the table: %(shown)s",
        "add a row for each",
    ),
    "duplicate_column": ("column %(value)r occurs twice", "give each its own name"),
    "duplicate_rule": ("column %(value)r has two rules", "keep one of them"),
    "empty": ("no record is left (%(value)s dropped as missing)", "give a table with records"),
    "free_text": (
        _("column %(rule)r holds free text such as %(longest)r"),
        _('give it the role "identifier" (it is then left out) or code it into categories'),
    ),
    "generator.clusters": (
        "%(values)s sensitive values in %(value)s clusters have too many starts to try them all",
        "give a seed",
    ),
    "generator.subsets": ("%(value)s subsets are sampled", "give a seed"),
    "ground_distance": (
        "the hierarchical distance needs a hierarchy with one leaf per sensitive value",
        "give the hierarchy of the sensitive column, restricted to its values",
    ),
    "hierarchy.empty": ("the hierarchy of %(value)r is empty", "give one row per value"),
    "column.lengths": (
        "%(value)s published labels stand beside %(records)s records of the source",
        "give both of the same records, in one order",
    ),
    "hierarchy.ends": (
        "of the interval ends of %(name)r %(value)g does not come after %(before)g",
        "let the ends of each level ascend",
    ),
    "hierarchy.lengths": (
        "column %(name)r has values of different length (%(values)r, %(value)r)",
        "pad them with zeros or give a hierarchy file",
    ),
    "hierarchy.levels": (
        "in the hierarchy of %(name)r the row of %(row)r has %(count)s levels, the first row %(width)s",
        "repeat a label where a value has no level of its own",
    ),
    "hierarchy.parents": (
        "in the hierarchy of %(name)r %(value)r (level %(level)s) has the parents %(before)r and %(row)r",
        "give it one parent",
    ),
    "hierarchy.roots": (
        "the last level of the hierarchy of %(name)r has %(count)s values (%(roots)r, %(value)r, ...)",
        "end every row with one common value such as %(suppressed)r",
    ),
    "hierarchy.twice": ("the hierarchy of %(name)r has two rows for %(value)r", "keep one of them"),
    "hierarchy.widths": (
        "the interval widths of %(name)r are %(widths)s; %(value)g does not coarsen the level below",
        "let each width be a whole multiple of the one before",
    ),
    "ilp": ("no partition has an ILP of at most %(value)g", "allow at least %(ilp).6g"),
    "k.clusters": ("%(value)s records a class are asked of a table of %(total)s", "choose a smaller k"),
    "k.high": ("k = %(value)s is above %(most)s", "publish totals instead"),
    "k.low": ("k = %(value)s is below 1", "choose k of at least 2"),
    "k.records": ("k = %(value)s is more than the %(n)s records of the table", "choose k <= %(n)s"),
    "l.cluster": (
        _("a cluster of sensitive values has fewer than l = %(value)s values"),
        _("choose a smaller l"),
    ),
    "l.column": (
        _("l = %(value)s is more than the %(held)s values of the sensitive column"),
        _("choose l <= %(held)s"),
    ),
    "l.low": ("l = %(value)s is below 1", "choose l of at least 1"),
    "l.no_sensitive": ("diversity needs a sensitive column", "name one, or choose l = 1"),
    "l.values": ("l = %(value)s is more than the %(held)s values of column %(name)r", "choose l <= %(held)s"),
    "label": (
        "column %(name)r is numeric and has the label %(value)r",
        "write numbers, intervals such as [30,39], or name the label in the codebook",
    ),
    "lattice_size": (
        _("%(count)s quasi-identifiers have %(value)s generalisations, more than %(max_nodes)s"),
        _("use fewer columns or levels, raise the bound, or choose the tight algorithm"),
    ),
    "missing.record": (
        "column %(column)r is missing (%(value)r) in record %(record)s",
        "fill it in, or leave the record out",
    ),
    "missing.rule": (
        "column %(column)r is missing (%(value)r) in record %(record)s",
        'state missing = "value" or missing = "drop" for the column; if this is no missing value, name in '
        "missing_texts what is",
    ),
    "missing_policy": (
        "column %(name)r is numeric, so a missing value has no place among its values",
        'choose "drop", or make the column categorical with an interval hierarchy, where "missing" '
        "is a leaf of its own",
    ),
    "no_hierarchy.categorical": (
        "quasi-identifier %(value)r is categorical and has no hierarchy",
        'give a file or choose "flat", "prefix" or "intervals"',
    ),
    "no_hierarchy.lattice": (
        "quasi-identifier %(value)r has no hierarchy",
        "global recoding needs one for each, intervals for numbers",
    ),
    "no_quasi_identifier.classes": ("no column groups the records", "name at least one quasi-identifier"),
    "no_quasi_identifier.lattice": ("no column is a quasi-identifier", "give at least one column that role"),
    "no_quasi_identifier.space": (
        "no column is a quasi-identifier",
        'give at least one column the role "quasi_identifier"',
    ),
    "no_role": ("column %(value)r has no role", "state one of %(roles)s for it"),
    "not_a_number.column": (
        "column %(rule)r is numeric and holds %(value)r",
        'correct the value, name it as missing, or make the column kind = "categorical"',
    ),
    "not_a_number.interval": (
        "column %(name)r has an interval hierarchy and holds %(value)r",
        "name it as missing or correct it",
    ),
    "not_a_number.people": (
        "the list has %(value)r in the numeric column %(domain)r",
        "correct the value or leave the column out",
    ),
    "points.columns": ("%(value)s points of %(count)s columns", "choose 1 to %(count)s"),
    "population": (
        "a class of %(sizes)s records matches %(value)s people of the register",
        "the register has to hold everybody of the table",
    ),
    "prior.excluded": (
        "the supplied beliefs exclude every value that some class shows",
        "give each value that occurs a positive share",
    ),
    "prior.knowledge": ("knowledge %(value)r is unknown", 'choose "marginal", "empirical" or "supplied"'),
    "prior.supplied": (
        "the supplied beliefs have shape %(value)s or rows that do not sum to 1",
        "give %(count)s rows (one per combination) of %(values)s shares",
    ),
    "queries": (
        "%(queries)s queries of %(value)s columns are asked of %(count)s quasi-identifiers",
        "ask at least one query of at most that many columns",
    ),
    "query.cells": (
        "the answer would have %(value)s cells",
        "split it by columns with fewer values; at most %(most)s cells are answered",
    ),
    "query.mean": (
        "column %(value)r holds texts and has no mean",
        "ask for its counts, or for the mean of numbers",
    ),
    "query.number": (
        "column %(column)r is compared with %(value)r, which is no number",
        "compare a number, or use = and in for texts",
    ),
    "query.open": (
        "column %(column)r reads %(value)r in some of these records, which bounds no number",
        "add a condition that leaves those records out, or ask for a count",
    ),
    "query.sign": ("column %(column)r holds texts and cannot be compared by %(value)r", "use =, != or in"),
    "query.text": (
        "the query %(value)r is not understood",
        _QUERY,
    ),
    "query.ways": (
        "there are %(value)s ways to miss all alternatives at once",
        "join fewer conditions by 'or': at most %(most)s ways are looked through",
    ),
    "query.word": (
        "the query %(value)r is not understood at %(found)r",
        _QUERY,
    ),
    "ragged": (
        "cells in record %(number)s: %(value)s, in the header: %(width)s",
        "check quotes and separators of that line",
    ),
    "reading.infinite": (
        _("1/u is infinite: the utility of sensitive value %(row)s on axis %(axis)s is 0"),
        _('choose "literal"'),
    ),
    "reading.vanish": (_("all weights vanish under %(value)r"), _('choose "literal"')),
    "recursive": ("recursive diversity needs both c and l", "give both"),
    "multi_attribute": (
        _("%(name)r and the columns known beside it have %(value)s cells by class, more than %(most)s"),
        _("give columns of many values another role, or group their values first"),
    ),
    "requirement.beside": (
        _("even in the whole table records alike in the other sensitive columns miss the bounds of %(name)r"),
        _(
            "give one of the columns another role, ask for less of it, or leave the others out of what is "
            "known: multi_attribute = false"
        ),
    ),
    "requirement": (
        _("even the whole table as one class does not satisfy the models asked for of column %(name)r"),
        _("lower l or raise c and alpha"),
    ),
    "respondent.lengths": (
        "respondents, values and classes of a release differ in length",
        "give one of each per record",
    ),
    "respondent.shared": ("the shared columns differ in length", "give one per record"),
    "respondent.twice": ("a respondent occurs twice in one release", "give each one record"),
    "rho.breach": (
        _("rho1 = %(value)s, rho2 = %(rho2)s do not satisfy 0 < rho1 < rho2 < 1"),
        _("choose rho1 below rho2"),
    ),
    "share.closed": ("%(name)s = %(value)s is outside [0, 1]", "choose a share"),
    "share.low": ("%(name)s = %(value)s is below %(low)s", "choose at least %(low)s"),
    "share.open": ("%(name)s = %(value)s is outside (0, 1)", "choose a share"),
    "share.positive": ("%(name)s = %(value)s is not above 0", "choose a positive number"),
    "singles_out": (
        "column %(rule)r has %(count)s distinct values in %(n)s records and would name its owner",
        'give it the role "identifier" or "quasi_identifier"',
    ),
    "suppression": (
        "%(value)s records may be suppressed of %(count)s",
        "allow at least 0 and fewer than all",
    ),
    "threshold": ("threshold = %(value)s is outside (0, 1]", "choose a share"),
    "time_stamp.days": (
        _("column %(rule)r holds days such as %(value)r"),
        _('give it the role "quasi_identifier" with a hierarchy, or "identifier"'),
    ),
    "time_stamp.times": (
        _("column %(rule)r holds time stamps such as %(value)r"),
        _('give it the role "identifier" (it is then left out) or cut it to years beforehand'),
    ),
    "too_many_sets.columns": (
        "more than %(most)s column sets would be tried",
        "give a longest size or fewer columns",
    ),
    "totals": (
        "the release holds %(released)s records of %(value)r, the total says %(totals)s",
        "give totals of the same survey and cell",
    ),
    "unknown_column.name": ("there is no column %(value)r", "choose one of %(names)s"),
    "unknown_column.release": (
        "the list shares no quasi-identifier with the release",
        "name its columns as in the release: %(names)s",
    ),
    "unknown_column.table": (
        "the list shares no column with the table",
        "name its columns as in the table: %(columns)s",
    ),
    "utility_matrix.cell": (
        "the utility in row %(row)s, column %(column)s is %(value)r",
        "give a number in [0, 1] or one of %(levels)s",
    ),
    "utility_matrix.shape": (
        "the utility matrix has shape %(value)s",
        "give %(n_values)s rows (sensitive values) of %(n_axes)s columns (quasi-identifiers)",
    ),
    "weight.negative": (
        _("the weight of %(axis)r is %(value)s"),
        _("give each quasi-identifier a weight of at least 0"),
    ),
    "weight.none": (_("all weights are 0"), _("give at least one positive weight")),
}
