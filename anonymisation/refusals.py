"""Error messages and remedies for releases, in the format of `surveys.errors`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.extension import Refusal

WORDS: Final[Mapping[str, Refusal]] = {
    "table_file.memory": (
        _("reading the table needs %(value)s MB of memory, and the limit is %(most)s"),
        _("remove columns that you do not need, or draw a sample"),
    ),
    "release.problems": ("%(problems)s", ""),
    "release_file.none": (_("no table was chosen"), _("choose a file or a survey, not both")),
    "release.parts": (
        _("one of the file’s %(value)s parts did not arrive"),
        _("delete the parts that arrived, and send the file again"),
    ),
    "release.many": (
        _("you already have %(value)s unfinished tables"),
        _("finish or delete one of them first; you can keep at most %(most)s"),
    ),
    "release.sealed": (
        _("the stored files of release %(value)s cannot be opened"),
        _("the secret key has changed: delete the release and upload the table again"),
    ),
    "release.no_files": (
        _("this release has no files"),
        _("create it first; deleted files cannot be restored"),
        404,
    ),
    "release.gone": (
        _("the records of this table are no longer stored"),
        _("records are kept for a day; upload the table again"),
        410,
    ),
    "release.running": (
        _("a job is already running on this table"),
        _("wait until it has finished, or cancel it"),
        409,
    ),
    "release.finished": (_("this release is already complete"), _("start a new one"), 409),
    "release.same_people": (
        _("a table of exactly these people was published from this server on %(value)s"),
        _(
            "go back to the columns and upload the ledger.json from its report, so that the two"
            " can be compared; or confirm below that there is none"
        ),
    ),
    "release.role": (
        _("the column “%(value)s” cannot have this role"),
        _("choose one of the roles offered for this column"),
    ),
    "release.no_quasi": (
        _("no column is marked as something others may know about a person"),
        _("Choose at least one column to generalise."),
    ),
    "release.k": (
        _("the table has %(n)s records, fewer than k = %(value)s"),
        _("choose a smaller k, or add more records"),
    ),
    "release.l": (
        _("the column “%(name)s” has %(held)s different values, fewer than l = %(value)s"),
        _("require at most %(held)s values"),
    ),
    "release.rho": (
        _("one of the two beliefs about “%(name)s” is missing, or the first is not smaller than the second"),
        _("enter both, the smaller one first, or leave both empty"),
    ),
    "release.tree": (
        _("line %(row)s of the groups of “%(name)s” cannot be read"),
        _("start at the margin, and indent each line by two spaces more than the group it belongs to"),
    ),
    "release.tree_missing": (
        _("the groups of “%(name)s” lack %(count)s of its values, such as “%(value)s”"),
        _("put each value into one group"),
    ),
    "release.tree_twice": (
        _("“%(value)s” occurs twice in the groups of “%(name)s”"),
        _("list each value and each group once"),
    ),
    "release.tree_file": (
        _("the file “%(value)s” contains no readable text"),
        _("save it as UTF-8: indented lines as .txt, or a value and its groups on each line as .csv"),
    ),
    "release.ends_number": (
        _("line %(row)s of the interval ends of “%(name)s” contains “%(value)s”, which is not a number"),
        _("write numbers separated by commas, such as 18, 25, 35"),
    ),
    "release.ends_order": (
        _(
            "line %(row)s of the interval ends of “%(name)s” is not in ascending order: "
            "%(value)s follows %(before)s"
        ),
        _("write the numbers of each line in ascending order, each once"),
    ),
    "release.ends_range": (
        _(
            "interval end %(value)s (line %(row)s) separates no values of “%(name)s”, which "
            "range from %(least)s to %(largest)s"
        ),
        _("remove it; one end below the range of values and one above it are enough"),
    ),
    "release.ends_many": (
        _("line %(row)s of the interval ends of “%(name)s” has %(value)s ends"),
        _("use at most %(most)s: finer intervals would not group anything"),
    ),
    "release.ends_levels": (
        _("the interval ends of “%(name)s” have %(value)s lines"),
        _("use at most %(most)s lines, each coarser than the one above"),
    ),
    "release.ends_inside": (
        _(
            "line %(row)s of the interval ends of “%(name)s” contains %(value)s, which is not "
            "on the line above"
        ),
        _("each line merges intervals of the line above, so it can only use ends from there"),
    ),
    "release.ends_numbers": (
        _(
            "grouping of neighbours cannot use the interval ends of “%(name)s”, which has "
            "%(value)s different numbers"
        ),
        _(
            "choose the same level for all records, or leave its interval ends empty; the limit"
            " is %(most)s different numbers"
        ),
    ),
    "release.respondent": (
        _("the column “%(value)s” would be published, so it cannot identify respondents"),
        _("leave this column out of the table, or choose another one"),
    ),
    "release.respondent_empty": (
        _("the column “%(name)s” is empty in %(value)s records"),
        _("give each person their own value, or choose another column"),
    ),
    "release.ledger": (
        _("“%(value)s” is not the ledger of a release"),
        _(
            "upload ledger.json from the report of a release, or the file that the command "
            "wrote with --ledger"
        ),
    ),
    "release.ledger_column": (
        _("a ledger was uploaded, but no column identifies respondents"),
        _("choose the column that identified respondents in the earlier release"),
    ),
    "release.ledger_nobody": (
        _("no one in this table is in ledger %(value)s of those you gave"),
        _("choose the column that identified respondents in the earlier release, or remove this ledger"),
    ),
    "release.meanwhile": (
        _("another release of this survey was created in the meantime"),
        _("try again: the two are compared then"),
    ),
    "release.survey": (
        _("survey %(value)s has fewer than %(least)s records that may be published"),
        _("choose a closed survey that is not a practice survey and no longer accepts late answers"),
    ),
    "release_question.each": (
        _("the limit of questions per person cannot be %(value)s"),
        _("allow 1 to %(most)s, or turn queries off to allow none"),
    ),
    "release_question.none": (_("enter a question"), _("for example: count where age < 40, or mean age")),
    "release_question.long": (
        _("the question is too long: %(value)s characters"),
        _("use at most %(longest)s characters, or ask two questions"),
    ),
    "release_question.groups": (
        _("an answer cannot be split by %(value)s columns"),
        _("split it by at most two columns, and use conditions for the others"),
    ),
    "release_question.column": (
        _("the release has no column “%(value)s”"),
        _("choose one of these columns: %(known)s"),
    ),
    "release_question.value": (
        _("no record of the release can have the value “%(value)s” in the column “%(column)s”"),
        _("choose a value or a group of values, such as: %(known)s"),
    ),
    "release_question.range": (
        _("“%(name)s” cannot be between %(low)s and %(high)s"),
        _("put the smaller number first"),
    ),
    "release_question.shut": (
        _("this release no longer accepts questions"),
        _("ask its owner to turn queries on again"),
        409,
    ),
    "release_question.spent": (
        _("you have used all %(value)s questions allowed for this release"),
        _("read your earlier answers, which you can do at any time, or ask %(owner)s to allow more"),
        429,
    ),
    "release.source": ("use either FILE.csv or --survey SLUG", ""),
    "verify.does_not_hold": ("the table does not hold", ""),
    "verify.no_model": ("require at least one model, for example --k 5, or use --people LIST.csv", ""),
    "digest": ("%(data)s is missing, or is not the file named in the manifest", "download the release again"),
    "release.directory": ("%(path)s is not part of a release (%(error)s)", "name the directory of a release"),
    "config.ends": (
        "columns.%(name)s.ends cannot be combined with a hierarchy, and needs a generalised column",
        'give the column the role "quasi_identifier" and either ends or a hierarchy',
    ),
    "config.tree": ("columns.%(name)s has a tree and a hierarchy", "use one of the two"),
    "config.ends_inside": (
        "columns.%(name)s.ends contains %(value)g, which is not an end of the level before",
        "each level merges intervals of the finer one, so it can only use ends from there",
    ),
    "coarsen.new": (
        _("the earlier release lacks %(value)s people of this table"),
        _(
            "use exactly the same people, or keep the groups of the earlier release and let new"
            " people form their own groups"
        ),
    ),
    "study.unknown": ("a study has no field %(value)r", "choose among: %(known)s"),
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
        _("line %(row)s of the beliefs about “%(name)s” has the wrong number of cells: %(value)s"),
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
    "beliefs.file": ("the beliefs %(path)s cannot be read (%(error)s)", "name a UTF-8 file"),
    "matrix.lines": (
        _("the matrix has %(value)s lines"),
        _("write the columns on the first line, then one line for each protected value, at most %(most)s"),
    ),
    "matrix.header": (
        _("the first line of the matrix is “%(value)s”"),
        _("write the protected column first, then each generalised column once"),
    ),
    "matrix.cells": (
        _("line %(row)s of the matrix has the wrong number of cells: %(value)s"),
        _("write %(count)s cells, separated by commas"),
    ),
    "matrix.twice": (_("line %(row)s of the matrix repeats “%(value)s”"), _("give each value one line")),
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
    "matrix.unprotected": (
        _("no column is protected, so a matrix has no values to cover"),
        _("protect a column first"),
    ),
    "matrix.file": ("the matrix %(path)s cannot be read (%(error)s)", "name a UTF-8 file"),
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
    "config.section": ("the section %(name)s is missing or empty", 'add "%(name)s": {...}'),
    "config.value": ("%(where)s is %(value)r", "use %(wanted)s"),
    "config.own": (
        "columns.%(name)s.%(value)s needs a sensitive column",
        'give it the role "sensitive", or set the bound in "release"',
    ),
    "config.file": ("%(path)s cannot be read as a plan (%(error)s)", "correct the JSON file"),
    "totals.left": (
        "with the published totals, this release leaves %(value)s people of %(column)r with "
        "only %(values)s values",
        "suppress no records (max_suppressed = 0) or more of them, or withdraw the totals",
    ),
    "totals.people": (
        "with the published totals, this release leaves %(value)s records of %(column)r with %(values)s "
        "values; as a person can have %(most)s records, they may belong to fewer than k people",
        "use one record per person, or withdraw the totals",
    ),
    "ledger.file": ("%(path)s is not the ledger of a release (%(error)s)", "name the file given to --ledger"),
    "earlier_release": (
        _(
            "together with an earlier release, this one would break protection: for %(value)s people, fewer "
            "than k = %(k)s records or too few values of %(column)r remain. The worst case (%(kind)s) has "
            "%(candidates)s candidate records and %(count)s values"
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
        "column %(value)r contains unprotected answers, but has the role 'disguised'",
        "unprotected answers are true answers; choose another role",
    ),
    "role.exact": (
        "column %(value)r contains places that are exact outside the sensitive areas",
        "exact places could identify people; leave the column out",
    ),
    "out.exists": ("%(out)s already exists", "name a new directory"),
    "ledger.exists": ("%(ledger)s already exists", "name a new file"),
    "respondent.missing": (
        "releases can only be compared if records belong to respondents; release.respondent is missing",
        'name the column that identifies a respondent with --respondent (its role stays "identifier")',
    ),
    "people.published": (
        _("“%(value)s” would be published, so it cannot identify people"),
        _("leave the column out (role identifier), or name another one"),
    ),
    "people.survey": (
        "each row of a survey is one response, so no column identifies people",
        "leave out --respondent and --records-are-people",
    ),
    "people.constant.command": (
        "%(name)r is published, but seems to identify people: it "
        "has %(value)s values in %(records)s records, and "
        "%(one)r and %(other)r are the same in all records with the same value",
        "give it the role identifier and name it with --respondent, or use --records-are-people if each "
        "record belongs to a different person",
    ),
    "people.repeated.command": (
        "%(name)r has %(value)s values in %(records)s records, up to %(most)s records each, so people may "
        "have several records",
        "use --respondent %(name)r if it identifies a person, or --records-are-people if each record belongs "
        "to a different person",
    ),
    "people.repeated.constant.command": (
        "%(name)r has %(value)s values in %(records)s records, up to %(most)s records each, and %(one)r and "
        "%(other)r are the same in all records with the same value, so it seems to identify people",
        "use --respondent %(name)r if it identifies a person (repeat the option if several columns do so "
        "only together), or --records-are-people if each record belongs to a different person",
    ),
    "people.repeated.several.command": (
        "people may have several of the %(records)s records, because columns that are left out repeat "
        "(number of values × most records with the same one): %(value)s",
        "use --respondent with the column that identifies a person, such as --respondent %(name)r (repeat it "
        "if several columns do so only together), or --records-are-people if each record belongs to a "
        "different person",
    ),
    "people.alike.command": (
        "%(value)s of %(records)s records equal another record in every column, more than coincidence can "
        "explain",
        'write "people": "alike" into the plan if equal records belong to one person, or use '
        "--records-are-people if each record belongs to a different person",
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
    "ledger.salts": (
        _("the ledgers of the two earlier releases do not belong together: their salts differ"),
        _("use ledgers of the same study"),
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
    "out.full": ("%(target)s cannot be written (%(error)s)", "free some disk space"),
}
