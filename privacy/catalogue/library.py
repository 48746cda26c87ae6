"""Refusals of data frames, of answers in them, and of named designs."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

_DIFFER: Final = "give the chance of each sample; they have to differ"
_LEAVE_OUT: Final = "leave predictors out, or look whether the samples stand the right way round"

WORDS: Final = {
    "answers.counts": (
        "the count of %(answer)r is %(value)r",
        "give %(allowed)s one count each, whole numbers of 0 or more",
    ),
    "answers.empty": ("%(column)s contains no answer", "give one row for each respondent"),
    "answers.kind": (
        "answers of type %(value)s are not supported",
        "pass a column of a DataFrame, or a mapping from answer to count",
    ),
    "answers.missing": (
        "%(column)s has no answer in %(count)s of %(n)s rows, first in row %(row)r: %(value)r",
        "drop these rows (dropna), and report how many you dropped",
    ),
    "answers.one_value": (
        "all %(count)s answers of %(column)s are %(value)r",
        "check the coding. If it is right, pass counts, with 0 for answers that no one reported",
    ),
    "answers.rows": ("%(name)s have %(value)s rows, and the answers %(n)s", "give one for each answer"),
    "answers.value": (
        "%(column)s has the unknown answer %(value)r in row %(row)r; allowed: %(allowed)s",
        "recode the column first; yes and no can also be True and False, or 1 and 0",
    ),
    "blocks.chance": (
        "%(name)s is missing for %(key)s",
        "give one value for all, or one for each: %(name)s={...}",
    ),
    "blocks.decoy": (
        "theta of %(key)s = %(value)s: a random answer that is always or never yes reveals true answers",
        "use a theta above 0 and below 1",
    ),
    "blocks.coins": (
        "it is not clear whether the questions %(together)s shared one coin or had one each",
        'write blocks={"block": [...]} if one coin decided for all of them, or '
        "blocks={%(first)s: [%(first)s], ...} if each had its own",
    ),
    "blocks.kind": (
        "%(value)r is not a kind of answer for question %(key)s",
        "use one_of(...), any_of(...), number(...), or None for yes and no",
    ),
    "blocks.name": ("%(name)s names %(value)r, which does not exist", "use some of %(names)s"),
    "blocks.questions": (
        "block %(block)s contains %(value)r",
        "list the keys of its questions, or map each key to its kind of answer",
    ),
    "clusters": (
        "column %(value)r has %(count)s clusters, and %(missing)s rows have none",
        "give each row a cluster, and use at least %(least)s clusters: standard errors of fewer"
        " are unreliable",
    ),
    "crosstab.block": (
        "%(value)s flips one coin for a block of questions, but the block is not named",
        'name the block of each column, such as %(name)s(..., block="home"): columns of one block share '
        "a coin",
    ),
    "crosstab.coins": (
        "%(value)s is given for two columns, and it is not clear whether one coin decided for both",
        'write grouping(p=, theta=, block="home") for each: the same block if one coin decided '
        "for both, two blocks if each had its own",
    ),
    "crosstab.designs": (
        "column %(value)r has no design",
        "give one design for each of the two columns, or one for both",
    ),
    "crosstab.survey": (
        "the survey has a part that can be skipped, rotating questions, or two groups of respondents",
        "use survey.on(frame).compare(outcome, by=...), which allows for them",
    ),
    "crosstab.same": ("column %(value)r is crossed with itself", "name two different columns"),
    "crosstab.two_coins": (
        "block %(value)r has one coin, but different probabilities are given for it: %(chances)s",
        "give all its columns the same probability, or name two blocks",
    ),
    "crosstab.shape": (
        "an odds ratio needs two answers to each question, and there are %(value)s",
        "cross two questions with two answers each, or read the table of shares",
    ),
    "designs.chances": (
        "the probabilities of forced answers add up to %(value)s",
        "make them add up to less than 1, so that some respondents answer truthfully",
    ),
    "designs.constant": (
        "%(value)s sends the same whatever the answer is",
        "choose other probabilities: these answers would carry no information",
    ),
    "designs.kind": (
        "%(value)r is not a design",
        "use a design of privacy.library.designs, such as warner(p=0.7)",
    ),
    "designs.levels": ("there are %(value)s levels", "give 2 or more, each once"),
    "designs.unlike": (
        "the designs of the rows have %(value)s different sets of answers",
        "give all rows designs with the same answers",
    ),
    "designs.value": (
        "%(value)r is not an answer of %(design)s",
        "use one of %(allowed)s",
    ),
    "export": (
        "%(value)s is not an exported run (%(what)s)",
        "pass the ZIP file from the page *Data* of a run, which contains design.json and rows.csv",
    ),
    "formula.learns": (
        "%(value)r computes with all rows of the disguised column %(column)r",
        "use the column itself, C(column), or products with it",
    ),
    "formula.response": (
        "the response %(value)r is not a plain column",
        "write the name of one yes/no column; a disguised response cannot be transformed",
    ),
    "formula.sides": ("%(value)r is not a formula", 'write it like "cheat ~ age + C(year)"'),
    "formula.syntax": (
        "%(value)r is not a formula: %(what)s",
        'write it like "cheat ~ age + C(year)", and put names with spaces in backticks',
    ),
    "formula.terms": (
        "the terms %(value)r cannot be computed: %(what)s",
        "use columns of the frame, C(column), np.log(column) or I(column**2)",
    ),
    "formula.twice": ("%(value)r is the response and a predictor", "leave it out of the right side"),
    "frame.duplicate": (
        "%(count)s columns are named %(value)r",
        "give each column its own name",
    ),
    "frame.empty": ("the data frame has no rows", "pass a data frame with one row for each record"),
    "frame.kind": ("%(value)s is not a DataFrame", "pass a DataFrame of pandas or polars, or an Arrow table"),
    "frame.missing": (
        "column %(column)r has no value in %(count)s of %(n)s rows, first in row %(row)r: %(value)r",
        "drop these rows (dropna), or fill in a separate value",
    ),
    "frame.one_value": (
        "column %(column)r contains only %(value)r",
        "remove it from the quasi-identifiers: it does not distinguish anyone",
    ),
    "frame.twice": ("column %(value)r has two roles", "name it in one list only"),
    "frame.unknown": ("there is no column %(value)r", "the columns are %(names)s"),
    "plan.ceiling": (
        "no layout keeps %(value)s protection for all of these questions",
        "ask fewer numbers or blocks, store some answers undisguised, or choose a lighter protection",
    ),
    "plan.wanted": (
        "%(value)s answers are marked as wanted most",
        "name at most %(most)s: one for its share, two for their association",
    ),
    "plot": (
        "a table of the columns %(value)r cannot be drawn",
        "pass a table with rows and the columns low and high",
    ),
    "regression.disguised_terms": (
        "%(value)s predictors are disguised: %(names)s",
        "keep one of them in the formula; compare() covers the others one by one",
    ),
    "regression.factors": (
        "%(value)s factors do not fit the coefficients",
        "give one for each of %(names)s",
    ),
    "regression.levels": (
        "%(value)s of column %(column)r has answers other than yes and no",
        "merge its answers into two before the disguise, or regress on another column",
    ),
    "regression.one_value": (
        "column %(column)r contains only %(value)r",
        "remove it from the predictors",
    ),
    "regression.option": (
        "a regression has no option %(name)s = %(value)r",
        "leave it out: standard errors are robust (White's); weights and clusters are columns",
    ),
    "regression.predictor": ("%(value)r is not in the regression", "its columns are %(names)s"),
    "regression.weights": (
        "column %(value)r contains weights that are not numbers above 0",
        "drop rows without a weight",
    ),
    "reports": ("row %(value)r: %(what)s", "%(remedy)s"),
    "reports.booklet": (
        "block %(block)s has no draw %(value)r",
        "name %(size)s of its questions, separated by blanks",
    ),
    "reports.arms": (
        "groups by %(value)r cannot be compared: %(count)s groups, or clusters",
        "name a column with two or more groups, and leave out clusters",
    ),
    "reports.counts": (
        "%(value)s have no quantiles and bars",
        "use on(frame) without weights and clusters for these; share() and mean() allow for both",
    ),
    "reports.empty": (
        "column %(column)r is empty in row %(value)r; %(count)s of %(n)s rows lack an answer",
        'pass missing="drop" to leave these rows out; never fill in an answer that no one gave',
    ),
    "reports.mean": ("%(value)r has no mean of its own", "use a number that respondents cannot skip"),
    "reports.number": (
        "column %(column)r contains %(value)r",
        "use the number of the report that was sent, starting at 0",
    ),
    "reports.borrow": (
        "reports with %(value)s have no predicted itemsets",
        "leave out weights and clusters, or borrow=True",
    ),
    "ten_thousandths": (
        "%(name)s = %(value)s is not a whole number of ten-thousandths, which devices use",
        "use the exact value of the devices, such as %(below)s or %(above)s; for dice and cards"
        " on paper use unrelated_question or forced_response",
    ),
    "too_large.joint": (
        _("%(value)s different reports of %(questions)s questions"),
        _("analyse fewer questions together: at most %(most)s reports"),
    ),
    "paper.quantity": ("the study of %(stratum)s has no %(value)r", "use a quantity that every study has"),
    "paper.strata": ("there are no strata", "pass a study for each stratum"),
    "paper.strata_shares": ("shares are given for %(value)s", "give one share for each of %(strata)s"),
    "paper.strata_sum": ("the shares of the strata add up to %(value).6g", "make them add up to 1"),
    "paper.alike": (
        "the channel of %(value)s probabilities does not distinguish the answers",
        "give each answer its own probabilities: no column may be a combination of others",
    ),
    "paper.careless": (
        "an estimated %(value)s of respondents attend to the anchor: either no one read it, or "
        "its p is reversed",
        "check how reports are coded, and use the anchor's own p",
    ),
    "paper.cells": ("the counts have rows of %(value)s", "pass two rows of two counts each"),
    "paper.certain": (
        "%(name)s is %(value)s, so no answer is random",
        "use the probability of the design, above 0 and below 1",
    ),
    "paper.column": (
        "the probabilities of the reports of %(answer)r add up to %(value)s",
        "give each true answer probabilities of 0 or more that add up to 1",
    ),
    "paper.equal": (
        "%(first)s and %(second)s are both %(value)s, so the second sample adds no information",
        _DIFFER,
    ),
    "paper.equal_samples": (
        "p is %(value)s in both samples, so the second sample adds no information",
        _DIFFER,
    ),
    "paper.half": (
        "%(name)s is %(value)s, so reports carry no information about the answers",
        "use the probability of the design, which must not be one half",
    ),
    "paper.items": (
        "the group with the sensitive item has %(value)s counts, the other group %(control)s",
        "pass counts of 0 to J items for the control group and of 0 to J + 1 for the other, "
        "with J of 1 or more",
    ),
    "paper.nobody": (
        "the estimated share is %(value)s, so honesty cannot be estimated",
        "check whether the samples are swapped",
    ),
    "paper.numbers": ("%(name)s contains %(value)r", "pass finite numbers, two or more in each group"),
    "paper.collinear": (
        "one of the predictors %(value)s is determined by the others",
        "leave it out, together with any column that is the same in every row",
    ),
    "paper.predictor": (
        "predictor %(value)r is not a column of finite numbers",
        "use numbers; for groups use one column of 0 and 1 each",
    ),
    "paper.sample": (
        "column %(column)s contains sample %(value)r, which has no probability",
        "give a probability for each sample; these have one: %(known)s",
    ),
    "paper.shape": (
        "the channel has the shape %(value)s, but there are %(reports)s reports and %(answers)s answers",
        "give one row of probabilities for each report, at most %(most)s, and one column for "
        "each true answer",
    ),
    "paper.grows": (
        "the likelihood has no maximum: a logit exceeded the largest value that is tried",
        _LEAVE_OUT,
    ),
    "paper.loose": (
        "the likelihood has no maximum: a coefficient is not bounded by the data",
        _LEAVE_OUT,
    ),
    "paper.steps": (
        "the likelihood reached no maximum within %(value)s steps",
        _LEAVE_OUT,
    ),
}
