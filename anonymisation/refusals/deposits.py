"""Refusals of deposits made in the browser."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "table_file.memory": (
        _("reading the table needs %(value)s MB of memory, and the limit is %(most)s"),
        _("remove columns that you do not need, or draw a sample"),
    ),
    "deposit_file.several": (_("Several columns are named “%(name)s”."), _("Give each column its own name.")),
    "deposit_file.name": (
        _("a column is named “%(value)s”"),
        _("use a name of 1 to %(longest)s characters"),
    ),
    "deposit_file.none": (_("no table was chosen"), _("choose a file or a survey, not both")),
    "deposit.parts": (
        _("one of the file’s %(value)s parts did not arrive"),
        _("delete the parts that arrived, and send the file again"),
    ),
    "deposit.many": (
        _("you already have %(value)s unfinished tables"),
        _("finish or delete one of them first; you can keep at most %(most)s"),
    ),
    "deposit.sealed": (
        _("the stored files of release %(value)s cannot be opened"),
        _("the secret key has changed: delete the release and upload the table again"),
    ),
    "deposit.no_files": (
        _("this release has no files"),
        _("create it first; deleted files cannot be restored"),
    ),
    "deposit.gone": (
        _("the records of this table are no longer stored"),
        _("records are kept for a day; upload the table again"),
    ),
    "deposit.running": (
        _("a job is already running on this table"),
        _("wait until it has finished, or cancel it"),
    ),
    "deposit.finished": (_("this release is already complete"), _("start a new one")),
    "deposit.same_people": (
        _("a table of exactly these people was published from this server on %(value)s"),
        _(
            "go back to the columns and upload the ledger.json from its report, so that the two"
            " can be compared; or confirm below that there is none"
        ),
    ),
    "deposit.role": (
        _("the column “%(value)s” cannot have this role"),
        _("choose one of the roles offered for this column"),
    ),
    "deposit.no_quasi": (
        _("no column is marked as something others may know about a person"),
        _("Choose at least one column to generalise."),
    ),
    "deposit.k": (
        _("the table has %(n)s records, fewer than k = %(value)s"),
        _("choose a smaller k, or add more records"),
    ),
    "deposit.l": (
        _("the column “%(name)s” has %(held)s different values, fewer than l = %(value)s"),
        _("require at most %(held)s values"),
    ),
    "deposit.rho": (
        _("one of the two beliefs about “%(name)s” is missing, or the first is not smaller than the second"),
        _("enter both, the smaller one first, or leave both empty"),
    ),
    "deposit.tree": (
        _("line %(row)s of the groups of “%(name)s” cannot be read"),
        _("start at the margin, and indent each line by two blanks more than the group it belongs to"),
    ),
    "deposit.tree_missing": (
        _("the groups of “%(name)s” lack %(count)s of its values, such as “%(value)s”"),
        _("put each value into one group"),
    ),
    "deposit.tree_twice": (
        _("“%(value)s” occurs twice in the groups of “%(name)s”"),
        _("list each value and each group once"),
    ),
    "deposit.tree_file": (
        _("the file “%(value)s” contains no readable text"),
        _("save it as UTF-8: indented lines as .txt, or a value and its groups on each line as .csv"),
    ),
    "deposit.ends_number": (
        _("line %(row)s of the interval ends of “%(name)s” contains “%(value)s”, which is not a number"),
        _("write numbers separated by commas, such as 18, 25, 35"),
    ),
    "deposit.ends_order": (
        _(
            "line %(row)s of the interval ends of “%(name)s” is not in ascending order: "
            "%(value)s follows %(before)s"
        ),
        _("write the numbers of each line in ascending order, each once"),
    ),
    "deposit.ends_range": (
        _(
            "interval end %(value)s (line %(row)s) separates no values of “%(name)s”, which "
            "range from %(least)s to %(largest)s"
        ),
        _("remove it; outside the range of values, one end below and one above are enough"),
    ),
    "deposit.ends_many": (
        _("line %(row)s of the interval ends of “%(name)s” has %(value)s ends"),
        _("use at most %(most)s: finer intervals would not group anything"),
    ),
    "deposit.ends_levels": (
        _("the interval ends of “%(name)s” have %(value)s lines"),
        _("use at most %(most)s lines, each coarser than the one above"),
    ),
    "deposit.ends_inside": (
        _(
            "line %(row)s of the interval ends of “%(name)s” contains %(value)s, which is not "
            "on the line above"
        ),
        _("each line merges intervals of the line above, so it can only use ends from there"),
    ),
    "deposit.ends_numbers": (
        _(
            "grouping of neighbours cannot use the interval ends of “%(name)s”, which has "
            "%(value)s different numbers"
        ),
        _(
            "choose the same level for all records, or leave its interval ends empty; the limit"
            " is %(most)s different numbers"
        ),
    ),
    "deposit.respondent": (
        _("the column “%(value)s” would be published, so it cannot identify respondents"),
        _("leave this column out of the table, or choose another one"),
    ),
    "deposit.respondent_empty": (
        _("the column “%(name)s” is empty in %(value)s records"),
        _("give each person their own value, or choose another column"),
    ),
    "deposit.ledger": (
        _("“%(value)s” is not the ledger of a release"),
        _(
            "upload ledger.json from the report of a release, or the file that the command "
            "wrote with --ledger"
        ),
    ),
    "deposit.ledger_column": (
        _("a ledger was uploaded, but no column identifies respondents"),
        _("choose the column that identified respondents in the earlier release"),
    ),
    "deposit.ledger_nobody": (
        _("no one in this table is in ledger %(value)s of those you uploaded"),
        _("choose the column that identified respondents in the earlier release, or remove this ledger"),
    ),
    "deposit.meanwhile": (
        _("another release of this survey was created in the meantime"),
        _("try again: the two are compared then"),
    ),
    "deposit.survey": (
        _("survey %(value)s has no records that may be published"),
        _("choose a closed survey that is not a practice survey and no longer accepts late answers"),
    ),
    "deposit_question.each": (
        _("the limit of questions per person cannot be %(value)s"),
        _("allow 1 to %(most)s, or turn queries off to allow none"),
    ),
    "deposit_question.none": (
        _("enter a question"),
        _("for example: count where age < 40, or mean age"),
    ),
    "deposit_question.long": (
        _("the question is too long: %(value)s characters"),
        _("use at most %(longest)s characters, or ask two questions"),
    ),
    "deposit_question.text": (
        _("cannot read the question “%(value)s”"),
        _("write: count where COLUMN < VALUE and … or … group by COLUMN; or mean COLUMN, median COLUMN"),
    ),
    "deposit_question.groups": (
        _("an answer cannot be split by %(value)s columns"),
        _("split it by at most two columns, and use conditions for the others"),
    ),
    "deposit_question.column": (
        _("the release has no column “%(value)s”"),
        _("choose one of these columns: %(known)s"),
    ),
    "deposit_question.value": (
        _("no record of the release can have the value “%(value)s” in the column “%(column)s”"),
        _("choose a value or a group of values, such as: %(known)s"),
    ),
    "deposit_question.number": (
        _("the column “%(column)s” contains numbers, and “%(value)s” is not a number"),
        _("compare it with a number"),
    ),
    "deposit_question.sign": (
        _("the column “%(column)s” contains text, which cannot be compared by “%(value)s”"),
        _("use =, != or in"),
    ),
    "deposit_question.cells": (
        _("the answer would have %(value)s cells"),
        _("split it by columns with fewer values; an answer can have at most %(most)s cells"),
    ),
    "deposit_question.ways": (
        _("too many conditions are joined by “or”"),
        _("ask the alternatives one by one"),
    ),
    "deposit_question.mean": (
        _("the column “%(value)s” contains text, so it has no mean or median"),
        _("ask how many records have each value"),
    ),
    "deposit_question.open": (
        _("in some of these records “%(column)s” is “%(value)s”, so the answer has no bounds"),
        _("add a condition on “%(column)s” that excludes those records, or ask for a count"),
    ),
    "deposit_question.range": (
        _("“%(name)s” cannot be between %(low)s and %(high)s"),
        _("put the smaller number first"),
    ),
    "deposit_question.shut": (
        _("this release no longer accepts questions"),
        _("ask its owner to turn queries on again"),
    ),
    "deposit_question.spent": (
        _("you have used all %(value)s questions allowed for this release"),
        _("read your earlier answers, which you can do at any time, or ask %(owner)s to allow more"),
    ),
}
STATUS: Final = {
    "deposit.no_files": 404,
    "deposit.running": 409,
    "deposit.finished": 409,
    "deposit.gone": 410,
    "deposit_question.shut": 409,
    "deposit_question.spent": 429,
}
