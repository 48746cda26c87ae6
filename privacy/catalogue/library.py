"""Error messages about data frames and named designs, for people who use the library."""

from __future__ import annotations

from typing import Final

_: Final = str
"""Marks a text for translators without importing a translation library."""

_DIFFER: Final = "give the chance of each sample; they have to differ"
_LEAVE_OUT: Final = "leave predictors out, or check that the samples are not swapped"


WORDS: Final = {
    # Columns of data frames, and named designs.
    "answers.counts": (
        "the count of %(answer)r is %(value)r",
        "give %(allowed)s one count each, whole numbers from 0 to %(most)s",
    ),
    "answers.counts_twice": (
        "%(value)r is a second count of %(report)r",
        "add up the counts of one answer, and give the sum",
    ),
    "answers.empty": ("%(column)s contains no answer", "give one row for each respondent"),
    "answers.kind": (
        "answers of type %(value)s are not supported",
        "pass a column of a DataFrame, or a mapping from answer to count",
    ),
    "answers.labels": (
        "%(name)s have no value for row %(value)r, by the row labels of the answers",
        "pass a column of the same data frame. If both have the same order and only the labels differ, pass "
        "%(name)s.to_numpy()",
    ),
    "answers.labels_twice": (
        "%(name)s have two values for row %(value)r, and other row labels than the answers",
        "give each row its own label (reset_index) before you split or sort the data frame, or pass "
        "%(name)s.to_numpy() if both have the same order",
    ),
    "answers.missing": (
        "%(column)s has no answer in %(count)s of %(n)s rows, first in row %(row)r: %(value)r",
        'drop these rows (dropna, or missing="drop" where possible), and report how many you dropped',
    ),
    "answers.one_value": (
        "all %(count)s answers of %(column)s are %(value)r",
        "check the coding. If it is right, pass counts, with 0 for answers that no one reported",
    ),
    "answers.none_complete": (
        "each of the %(value)s rows lacks an answer, a weight or a cluster, so none is left",
        "check the names and the coding of these columns",
    ),
    "answers.one_each": (
        "%(name)s of type %(value)s are not one value for each row",
        "pass a column of the data frame with the answers, such as frame.w",
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
        "use one_of(...), any_of(...), at_least(...), score(...), number(...), or None for yes and no",
    ),
    "blocks.mapping": ("%(name)s = %(value)r names no block", "write %(name)s={block: value}"),
    "blocks.name": ("%(name)s names %(value)r, which does not exist", "use some of %(names)s"),
    "blocks.few": (
        "%(name)s has only the option %(value)r",
        "add options until there are two or more, or make it a yes/no question",
    ),
    "blocks.no_options": ("%(name)s has no options", "state each as a text, such as 'work'"),
    "blocks.option": (
        "option %(value)r of %(name)s is not a text",
        "write each option in quotes, such as '1' or 'work'",
    ),
    "blocks.control": ("%(name)s %(value)r contains a control character", "remove it"),
    "blocks.alike": (
        "%(name)s %(value)r differs from %(other)r only in blanks or invisible characters",
        "give each its own name",
    ),
    "blocks.option_list": (
        "%(name)s was given %(value)r, whose order or texts are unclear",
        "give the options one by one, or in a list",
    ),
    "blocks.points": (
        "%(value)r does not give points to components",
        'use a mapping such as {"item1": (0, 1, 2), "item2": (0, 1, 2)}',
    ),
    "blocks.questions": (
        "block %(block)s contains %(value)r",
        "list the keys of its questions, or map each key to its kind of answer",
    ),
    "clusters.lone": (
        "stratum %(value)r of column %(strata)r has only one cluster or row",
        "merge it with a similar stratum: one says nothing about the spread within it",
    ),
    "clusters.no_stratum": (
        "column %(value)r has no stratum in %(missing)s rows",
        "give each row a stratum, or leave out these rows",
    ),
    "clusters.two_strata": (
        "cluster %(value)r is in two strata of column %(strata)r",
        "name clusters differently in each stratum",
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
    "designs.block": ("block = %(value)r is not a name", "name the block with a text, such as block='home'"),
    "designs.forced": (
        "%(value)r does not give probabilities to levels",
        "use a mapping such as {'never': 1/6, 'once': 1/6, 'often': 1/6}",
    ),
    "designs.level": ("level %(value)r can change, so it cannot be an answer", "use texts or numbers"),
    "designs.no_list": ("%(value)r is not a list of levels", "use a list such as ['never', 'once', 'often']"),
    "designs.twice": ("level %(value)r occurs twice", "give each level once"),
    "designs.levels": ("there are %(value)s levels", "give 2 or more, each once"),
    "designs.question": (
        "the survey has no yes/no question or single choice called %(value)r",
        'pass the column under the name of its question, such as frame["cheat"], or use '
        "survey.on(frame).share(...)",
    ),
    "designs.survey": (
        "the survey has a part that can be skipped, rotating questions, or two groups of respondents",
        "use survey.on(frame), whose share(...), compare(...) and regression(...) allow for them",
    ),
    "designs.unlike": (
        "the designs of the rows have %(value)s different sets of answers",
        "give all rows designs with the same answers",
    ),
    "designs.value": ("%(value)r is not an answer of %(design)s", "use one of %(allowed)s"),
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
    "formula.sides": ("%(value)r is not a formula", 'write it with terms, like "cheat ~ age + C(year)"'),
    "formula.syntax": (
        "%(value)r is not a formula: %(what)s",
        'write it like "cheat ~ age + C(year)", and put names with spaces in backticks',
    ),
    "formula.terms": (
        "the terms %(value)r cannot be computed: %(what)s",
        "use columns of the frame, C(column), np.log(column) or I(column**2)",
    ),
    "formula.twice": ("%(value)r is the response and a predictor", "leave it out of the right side"),
    "frame.duplicate": ("%(count)s columns are named %(value)r", "give each column its own name"),
    "frame.empty": ("the data frame has no rows", "pass a data frame with one row for each record"),
    "frame.kind": ("%(value)s is not a DataFrame", "pass a DataFrame of pandas or polars, or an Arrow table"),
    "frame.path": (
        "%(value)r is the path of a file, and this function opens no files",
        "pass the file itself, open(path, 'rb'), or sottovoce.read_table(path)",
    ),
    "frame.cell": (
        "column %(column)r has a cell of type %(value)s in row %(row)r",
        "give each cell one number, text or date; spread lists over columns",
    ),
    "frame.missing": (
        "column %(column)r has no value in %(count)s of %(n)s rows, first in row %(row)r: %(value)r",
        "drop these rows (dropna), or fill in a separate value",
    ),
    "frame.name": (
        "a %(value)s was given instead of the name of a column",
        "add its values to the data frame, such as frame.assign(w=values), and pass the name",
    ),
    "frame.one_value": (
        "column %(column)r contains only %(value)r",
        "remove it from the quasi-identifiers: it does not distinguish anyone",
    ),
    "frame.one_person": (
        "column %(column)r has the same value in all %(value)s records, so they would all be of one person",
        "name the column that identifies a person",
    ),
    "frame.twice": ("column %(value)r has two roles", "name it in one list only"),
    "frame.unknown": ("there is no column %(value)r", "the columns are %(names)s"),
    "plan.ceiling": (
        "no layout keeps %(value)s protection for all of these questions",
        "ask fewer numbers or blocks, store some answers undisguised, or choose a lighter protection",
    ),
    "plan.times": ("%(value)s: not two disguised yes/no questions", "name that for then and that for now"),
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
    "regression.factors": ("%(value)s factors do not fit the coefficients", "give one for each of %(names)s"),
    "regression.combination": (
        "%(value)r is not a combination of coefficients",
        'map terms to numbers, such as {"age": 10}; the terms are %(names)s',
    ),
    "regression.levels": (
        "%(value)s of column %(column)r has answers other than yes and no",
        "merge its answers into two before the disguise, or regress on another column",
    ),
    "regression.one_value": ("column %(column)r contains only %(value)r", "remove it from the predictors"),
    "regression.option": (
        "a regression has no option %(name)s = %(value)r",
        "leave it out: standard errors are robust (White's); weights and clusters are columns",
    ),
    "regression.predictor": ("%(value)r is not in the regression", "its columns are %(names)s"),
    "regression.weight": (
        "column %(column)r contains the weight %(value)r in row %(row)r",
        "use weights from 1e-12 to 1e12: only their ratios matter, so divide all by their mean; drop rows"
        " without a weight",
    ),
    "regression.weights": (
        "column %(value)r contains weights that are not numbers",
        "use a column of numbers above 0, and drop rows without a weight",
    ),
    "replicates.analysis": (
        "an analysis that returns %(value)s has no figures",
        "pass a function of reports that returns a figure, a fit, numbers or a Series",
    ),
    "replicates.factors": (
        "%(value)r are no factors for %(count)s replicates",
        "give one number for each replicate",
    ),
    "replicates.few": ("%(value)s columns of replicate weights", "name at least two"),
    "replicates.figures": (
        "the analysis has %(count)s figures with %(value)r and %(wanted)s with all rows",
        "return the same figures for all weights: name categories that every replicate has",
    ),
    "replicates.weights": ("column %(value)r has weights below 0 or none", "use weights of at least 0"),
    "simulate.kind": (
        "%(name)s is of type %(value)s",
        "pass a function of reports as analysis, numpy.random.default_rng(1) as rng, and as people a table of"
        " true answers with rows, or a function that draws one",
    ),
    "simulate.people": (
        "guesses do not describe the answers to %(value)r",
        "pass people, a table of true answers or a function that draws one",
    ),
    "simulate.refused": ("none of %(value)s simulated surveys has a figure: %(what)s", "plan more people"),
    "simulate.result": (
        "an analysis that returns %(value)s has no intervals",
        "return a result with interval(), or a table with the columns low and high",
    ),
    "reports": ("row %(value)r: %(what)s", "%(remedy)s"),
    "reports.at": ("no one has %(value)r in %(by)r", "use one of %(known)s"),
    "reports.at_all": (
        "everyone has %(value)r in %(by)r, so there are no others to compare with",
        "use a column with two or more values",
    ),
    "reports.name": (
        "a %(value)s was given instead of a name",
        'write the name of an item, a question or a column, such as "cheat"',
    ),
    "reports.components": (
        "column %(value)r is missing; the table has its components, which devices never send",
        "pass the components to disguise() first; on() reads what devices would send",
    ),
    "reports.change": (
        "a comparison with later reports needs one question, and no `at_least_one`",
        'write before.compare(after, "cheat")',
    ),
    "reports.outcome": (
        "compare() needs `by`, and either an outcome or `at_least_one`",
        'write compare("cheat", by="drugs"), or compare(by="drugs", at_least_one=["cheat", "debts"])',
    ),
    "reports.booklet": (
        "block %(block)s has no draw %(value)r",
        "name %(size)s of its questions, separated by blanks",
    ),
    "reports.arms": (
        "groups by %(value)r cannot be compared: %(count)s groups, or clusters",
        "name a column with two or more groups, and leave out clusters",
    ),
    "reports.strengths": ("%(value)s strengths to compare", "use light=, rows of both, and no clusters"),
    "reports.counts": (
        "%(value)s have no quantiles and bars",
        "use on(frame) without weights and clusters for these; share() and mean() allow for both",
    ),
    "reports.disguised": (
        "the values of %(value)r are disguised, not true answers",
        'name an item, such as "job=office", or an undisguised column',
    ),
    "reports.empty": (
        "column %(column)r is empty in row %(value)r; %(count)s of %(n)s rows lack an answer",
        'pass missing="drop" to leave these rows out; never fill in an answer that no one gave',
    ),
    "reports.mean": ("%(value)r has no mean of its own", "use a number that respondents cannot skip"),
    "reports.many_groups": (
        "column %(value)r has %(count)s values",
        "merge them into at most %(most)s groups, or use a regression",
    ),
    "reports.skipped_group": (
        "respondents may skip %(value)r, so no one can say who is not in its group",
        "group by a question that cannot be skipped, or compare with share() of each answer",
    ),
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
    "paper.labels": (
        "the counts of %(name)s have the label %(value)r",
        "pass a list in the order of 0, 1, 2, ..., or counts by these numbers, such as value_counts()",
    ),
    "paper.table": (
        "%(name)s are a %(value)s, whose order may differ from what is expected",
        "pass lists, such as table.to_numpy().tolist(), in the order that the documentation states",
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
    "paper.loose": ("the likelihood has no maximum: a coefficient is not bounded by the data", _LEAVE_OUT),
    "paper.steps": ("the likelihood reached no maximum within %(value)s steps", _LEAVE_OUT),
}
