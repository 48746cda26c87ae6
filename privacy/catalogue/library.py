"""Refusals of data frames, of answers in them, and of named designs."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "answers.counts": (
        "the count of %(answer)r is %(value)r",
        "count each of %(allowed)s in whole numbers of 0 or more",
    ),
    "answers.empty": ("%(column)s holds no answer", "give a row for each respondent"),
    "answers.kind": (
        "answers come as %(value)s",
        "give a column of a DataFrame, or a mapping from answer to count",
    ),
    "answers.missing": (
        "%(column)s has no answer in %(count)s of %(n)s rows, first in row %(row)r: %(value)r",
        "leave such rows out (dropna), and report how many they were",
    ),
    "answers.one_value": (
        "all %(count)s answers of %(column)s are %(value)r",
        "look whether they are coded as meant; if so, give counts, with 0 for what nobody reports",
    ),
    "answers.value": (
        "%(column)s holds %(value)r in row %(row)r, which is none of %(allowed)s",
        "recode the column first; yes and no may also be True and False, or 1 and 0",
    ),
    "blocks.chance": (
        "nothing is stated as %(name)s of %(key)s",
        "state one for all, or one for each: %(name)s={...}",
    ),
    "blocks.coins": (
        "the questions %(together)s are listed, and whether they had one coin or two the list does not say",
        'write blocks={"block": [...]} where one coin decided for all of them, and '
        "blocks={%(first)s: [%(first)s], ...} where each had its own",
    ),
    "blocks.kind": (
        "%(value)r is no kind of answer to question %(key)s",
        "give one_of(...), any_of(...), number(...), or None for yes and no",
    ),
    "blocks.name": ("%(value)r is named by %(name)s and is not there", "name some of %(names)s"),
    "blocks.questions": (
        "block %(block)s holds %(value)r",
        "give the keys of its questions in a list, or a mapping from key to kind of answer",
    ),
    "clusters": (
        "column %(value)r has %(count)s clusters, and nothing in %(missing)s rows",
        "give each row its cluster, at least %(least)s of them: the error of fewer is not known",
    ),
    "crosstab.block": (
        "%(value)s throws one coin for a block of questions, and does not say for which",
        'name the block of each column, such as %(name)s(..., block="home"): columns of one block share '
        "a coin",
    ),
    "crosstab.coins": (
        "%(value)s is stated of two columns: whether one coin decided for both, it does not say",
        'write grouping(p=, theta=, block="home") for each, with one block where one coin decided for both '
        "and two blocks where each had its own",
    ),
    "crosstab.designs": (
        "there is no design for column %(value)r",
        "name one for each of the two columns, or give one for both",
    ),
    "crosstab.same": ("column %(value)r is crossed with itself", "name two columns"),
    "crosstab.two_coins": (
        "block %(value)r has one coin, and chances %(chances)s are stated of it",
        "state one chance for its columns, or name two blocks",
    ),
    "crosstab.shape": (
        "an odds ratio of %(value)s answers",
        "cross two questions with two answers each, or read the table of shares",
    ),
    "designs.chances": (
        "the forced answers have %(value)s together",
        "let them leave a chance for the truth: below 1 together",
    ),
    "designs.constant": (
        "%(value)s sends the same whatever the answer is",
        "choose other chances: the answers would say nothing",
    ),
    "designs.kind": ("%(value)r is no design", "give one of privacy.library.designs, such as warner(p=0.7)"),
    "designs.levels": ("%(value)s levels", "give 2 or more, each once"),
    "designs.value": (
        "%(value)r is no answer of %(design)s",
        "name one of %(allowed)s",
    ),
    "export": (
        "%(value)s is no export of a run (%(what)s)",
        "give the ZIP file that *Data* of a run gives, with design.json and rows.csv in it",
    ),
    "formula.product": (
        "%(value)r is a product",
        "multiply the columns first, or fit the formula to the reports of a Survey, which takes products",
    ),
    "formula.sides": ("%(value)r is no formula", 'write one such as "cheat ~ age + C(year)"'),
    "formula.term": (
        "%(value)r in the formula is no column, C(column) or product a:b",
        "make a column of it first; the constant is always there",
    ),
    "formula.twice": ("%(value)r has two places in the formula", "name each column of a term once"),
    "frame.duplicate": (
        "%(count)s columns are named %(value)r",
        "give each column a name of its own",
    ),
    "frame.empty": ("the data frame has no row", "give a row for each record"),
    "frame.kind": ("%(value)s is no DataFrame", "give a pandas DataFrame"),
    "frame.missing": (
        "column %(column)r has no value in %(count)s of %(n)s rows, first in row %(row)r: %(value)r",
        "leave such rows out (dropna), or fill them with a value of their own",
    ),
    "frame.one_value": (
        "column %(column)r holds nothing but %(value)r",
        "leave it out of the quasi-identifiers: it tells nobody apart",
    ),
    "frame.twice": ("column %(value)r has two roles", "name it in one list"),
    "frame.unknown": ("there is no column %(value)r", "the columns are %(names)s"),
    "plan.ceiling": (
        "no layout keeps %(value)s protection for all of these questions",
        "ask fewer numbers or blocks, store some answers undisguised, or choose a lighter protection",
    ),
    "plan.wanted": (
        "%(value)s answers are wanted most",
        "name at most %(most)s: one for its share, two for how they go together",
    ),
    "plot": (
        "pictures need %(value)s, which is not installed",
        "install matplotlib, or take the same figures from to_frame()",
    ),
    "regression.at": ("there is no value of %(value)r to compare", "name some, as in at=[25, 60]"),
    "regression.disguised": (
        "%(value)s predictors are disguised",
        "give a design to one of them at most",
    ),
    "regression.disguised_terms": (
        "%(value)s predictors are disguised: %(names)s",
        "keep one of them in the formula; compare() shows the others one by one",
    ),
    "regression.levels": (
        "%(value)s of column %(column)r has other answers than yes and no",
        "take its answers together before the disguise, or regress another column",
    ),
    "regression.one_value": (
        "column %(column)r holds nothing but %(value)r",
        "leave it out of the predictors",
    ),
    "regression.predictor": ("%(value)r is not in the regression", "its columns are %(names)s"),
    "regression.twice": ("column %(value)r has two places in the regression", "name it once"),
    "regression.value": (
        "%(value)r is no value of column %(column)r",
        "name some of %(allowed)s",
    ),
    "regression.weights": (
        "column %(value)r holds weights that are no numbers above 0",
        "leave out rows without a weight",
    ),
    "reports": ("row %(value)r: %(what)s", "%(remedy)s"),
    "reports.booklet": (
        "block %(block)s has no draw %(value)r",
        "name %(size)s of its questions, with blanks between",
    ),
    "reports.borrow": (
        "reports with %(value)s have no predicted itemsets",
        "leave out weights and clusters, or borrow=True",
    ),
    "reports.mean": ("%(value)r has no mean by itself", "name a number that may not be skipped"),
    "reports.number": ("column %(column)r holds %(value)r", "give the number of what was sent, from 0 on"),
    "ten_thousandths": (
        "%(name)s = %(value)s is no whole number of ten-thousandths, in which devices draw",
        "state what they drew with, such as %(below)s or %(above)s; dice and cards on paper have designs "
        "of their own: unrelated_question, forced_response",
    ),
    "too_large.joint": (
        _("%(value)s different reports of %(questions)s questions"),
        _("take fewer questions together: at most %(most)s reports"),
    ),
}
