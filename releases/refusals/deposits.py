"""Refusals of deposits made in the browser."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

WORDS: Final = {
    "table_file.memory": (
        _("reading the table takes %(value)s MB of memory, and may take %(most)s"),
        _("leave out columns that nobody needs, or draw a sample"),
    ),
    "deposit_file.several": (_("Several columns are named “%(name)s”."), _("Give each a name of its own.")),
    "deposit_file.name": (
        _("a column is named “%(value)s”"),
        _("give each column a name of 1 to %(longest)s characters"),
    ),
    "deposit_file.none": (_("no table was given"), _("choose a file or a survey, not both")),
    "deposit.parts": (
        _("of the file’s %(value)s parts one did not arrive"),
        _("delete what is here, and send the file again"),
    ),
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
    "deposit.same_people": (
        _("a table of exactly these people was published from here on %(value)s"),
        _(
            "go back to the columns and give the ledger.json of its report, so that both are compared; "
            "or say below that there is none"
        ),
    ),
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
    "deposit.tree_file": (
        _("the file “%(value)s” has no text that can be read"),
        _("save it as UTF-8: indented lines as .txt, or a value and its groups in each line as .csv"),
    ),
    "deposit.ends_number": (
        _("line %(row)s of the ends of “%(name)s” has “%(value)s”, which is no number"),
        _("write numbers with commas between them, such as 18, 25, 35"),
    ),
    "deposit.ends_order": (
        _("in line %(row)s of the ends of “%(name)s” %(value)s does not come after %(before)s"),
        _("write each line from the smallest to the largest, each number once"),
    ),
    "deposit.ends_range": (
        _("the end %(value)s (line %(row)s) parts no numbers of “%(name)s”, from %(least)s to %(largest)s"),
        _("leave it out; beside ends among the numbers, one below them and one above are enough"),
    ),
    "deposit.ends_many": (
        _("line %(row)s of the ends of “%(name)s” has %(value)s ends"),
        _("write at most %(most)s: finer than that nothing is grouped"),
    ),
    "deposit.ends_levels": (
        _("the ends of “%(name)s” have %(value)s lines"),
        _("write at most %(most)s, each coarser than the one above"),
    ),
    "deposit.ends_inside": (
        _("line %(row)s of the ends of “%(name)s” has %(value)s, which is no end of the line above"),
        _("let each line join intervals of the line above: take its ends from there"),
    ),
    "deposit.ends_numbers": (
        _("groups of neighbours cannot use the ends of “%(name)s”: it has %(value)s different numbers"),
        _("choose one level for everybody, or empty the field of its ends; %(most)s numbers would do"),
    ),
    "deposit.respondent": (
        _("the column “%(value)s” would be published, and cannot say whose record is whose"),
        _("leave this column out, or choose another"),
    ),
    "deposit.respondent_empty": (
        _("%(value)s records have nothing in the column “%(name)s”"),
        _("give each person a value of their own, or choose another column"),
    ),
    "deposit.ledger": (
        _("“%(value)s” is not the ledger of a release"),
        _("give ledger.json from the report of a deposit, or the file that the command wrote with --ledger"),
    ),
    "deposit.ledger_column": (
        _("a ledger was given, and no column says whose record is whose"),
        _("choose the column that held the respondents of the earlier release"),
    ),
    "deposit.ledger_nobody": (
        _("nobody of this table is in ledger %(value)s of those that you gave"),
        _("choose the column that held the respondents of the earlier release, or leave this ledger out"),
    ),
    "deposit.meanwhile": (
        _("another deposit of this survey was made while this one was at work"),
        _("ask again: the two are compared then"),
    ),
    "deposit.survey": (
        _("the survey %(value)s has no records that may be published"),
        _("choose a survey that is closed, is no practice, and whose late answers are in"),
    ),
    "deposit_question.each": (
        _("%(value)s questions for each person cannot be allowed"),
        _("allow 1 to %(most)s; shut the deposit to allow none"),
    ),
    "deposit_question.none": (
        _("no question was asked"),
        _("write one, such as: count where age < 40, or mean age"),
    ),
    "deposit_question.long": (
        _("the question has %(value)s characters, which is too long"),
        _("write at most %(longest)s, or ask two questions"),
    ),
    "deposit_question.text": (
        _("the question “%(value)s” is not understood"),
        _("write: count where COLUMN < VALUE and … or … group by COLUMN; or mean COLUMN, median COLUMN"),
    ),
    "deposit_question.groups": (
        _("an answer cannot be split by %(value)s columns"),
        _("split it by two at most, and add conditions on the others"),
    ),
    "deposit_question.column": (
        _("the deposit has no column “%(value)s”"),
        _("choose one of its columns: %(known)s"),
    ),
    "deposit_question.value": (
        _("no record of the deposit can have the value “%(value)s” in the column “%(column)s”"),
        _("choose a value or a group of values, such as: %(known)s"),
    ),
    "deposit_question.number": (
        _("the column “%(column)s” holds numbers, and “%(value)s” is none"),
        _("compare it with a number"),
    ),
    "deposit_question.sign": (
        _("the column “%(column)s” holds texts, which “%(value)s” cannot compare"),
        _("use =, != or in"),
    ),
    "deposit_question.cells": (
        _("the answer would have %(value)s cells"),
        _("split it by columns with fewer values; an answer has at most %(most)s cells"),
    ),
    "deposit_question.ways": (
        _("too many conditions are joined by “or”"),
        _("ask the alternatives one after the other"),
    ),
    "deposit_question.mean": (
        _("the column “%(value)s” holds texts, which have no mean and no median"),
        _("ask how many records have each of its values"),
    ),
    "deposit_question.open": (
        _("in some of these records “%(column)s” reads “%(value)s”, so the answer has no bounds"),
        _("add a condition on “%(column)s” that leaves those records out, or ask how many there are"),
    ),
    "deposit_question.range": (
        _("“%(name)s” cannot lie between %(low)s and %(high)s"),
        _("give the smaller number first"),
    ),
    "deposit_question.shut": (
        _("this deposit takes no questions any more"),
        _("ask its owner to open it again"),
    ),
    "deposit_question.spent": (
        _("you have asked all %(value)s questions that you may ask of this deposit"),
        _("look at your earlier answers, which stay free, or ask %(owner)s to allow more"),
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
