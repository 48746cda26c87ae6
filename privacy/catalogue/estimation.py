"""Refusals of counts, itemsets, rules, margins and what is estimated from them."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "anchors": (
        "item %(value)s is not alone in its protected block, or its probabilities differ from "
        "those of the anchors",
        "put the item and both anchors into one block each, with equal p and theta",
    ),
    "columns": ("columns %(value)s are not in ascending order", "name each column once, in ascending order"),
    "count": (
        "the set with columns %(more)s counts %(value)s rows, but its subset with columns "
        "%(less)s counts %(whole)s",
        "count all sets on the same rows: direct group, protected group",
    ),
    "count.cells": (
        "the counts leave %(value)s rows for a combination of %(position)s",
        "count all sets on the same rows: direct group, protected group",
    ),
    "count.merge": (
        "columns %(value)s have the count %(here)s here and %(there)s there",
        "merge counts of the same rows only",
    ),
    "count.range": ("a count is %(value)s", "use counts from 0 to %(largest)s"),
    "count.shape": (
        "counts have shape %(value)s and type %(dtype)s",
        "pass %(count)s pairs of whole numbers: direct group, protected group",
    ),
    "counts.values": (
        "%(name)s has the shape %(value)s",
        "pass %(size)s numbers of 0 or more, one per value",
    ),
    "empty_cell": (
        "no respondent in these rows answered %(value)r, which has a population share of %(target).4g",
        "merge it with another option, as %(value)s%(join)sother",
    ),
    "excluded_options": (
        "%(keys)s are options of one single-choice question",
        "no respondent can have both; use one of them",
    ),
    "itemset.patterns": (
        _("itemset %(value)s has %(count)s items, so it has %(patterns)s patterns"),
        _("use 1 to %(most)s items"),
    ),
    "itemset.twice": (_("itemset %(value)s contains an item twice"), _("name each item once")),
    "kind.light": (
        _("%(mechanism)s does not belong to these answers"),
        _("use a disguise with the same bins or cells"),
    ),
    "kind.skipping": (
        _("the skip belongs to another disguise, %(mechanism)s"),
        _("use the skip of this disguise"),
    ),
    "levels": ("there are %(value)s levels", "use the mean of the reconstructed density"),
    "margin_option.missing": (
        "option %(value)r of question %(question)s has no population share",
        "give each option a share: 0 if the population has no one with it",
    ),
    "margin_option.twice": (
        "option %(value)r of question %(question)s has two shares",
        "name each option once",
    ),
    "margin_option.unknown": ("question %(question)s has no option %(value)r", "its options are %(parts)s"),
    "margin_question": (
        "question %(value)r is %(what)s",
        "weight by open questions with one answer: %(known)s",
    ),
    "margins.number": ("there are %(value)s margins", "give at least one margin, and each question once"),
    "margins.out_of_reach": (
        "no weights of these rows reach all margins: a difference of %(value).2g remains",
        "merge options, or weight by fewer questions",
    ),
    "missing_count": (
        "the count of columns %(value)s is missing",
        "count every set of columns that required_counts() returns",
    ),
    "misfit.number": (
        _(
            "the reports contradict the design: %(count)s of %(n)s rows report %(value)s, where the design "
            "makes between %(least)s and %(most)s of 100 rows report it whatever is true"
        ),
        _("the numbers were sent by another disguise, or as they are"),
    ),
    "misfit.pair": (
        _(
            "the reports contradict the design: %(count)s of %(n)s rows report %(value)s, where the design "
            "makes between %(least)s and %(most)s of 100 rows report it whatever is true"
        ),
        _(
            "either other questions share a coin than the design says, or answers were kept with p = "
            "%(fits)s or more, not %(p)s, or they were not disguised at all"
        ),
    ),
    "misfit.pair_reversed": (
        _(
            "the reports contradict the design: %(count)s of %(n)s rows report %(value)s, where the design "
            "makes between %(least)s and %(most)s of 100 rows report it whatever is true"
        ),
        _(
            "either other questions share a coin than the design says, or answers were kept with p = "
            "%(fits)s or more, not %(p)s, or they were not disguised at all, or yes and no are swapped"
        ),
    ),
    "misfit.share": (
        _(
            "the reports contradict the design: %(count)s of %(n)s rows report %(value)s, where the design "
            "makes between %(least)s and %(most)s of 100 rows report it whatever is true"
        ),
        _("either answers were kept with p = %(fits)s or more, not %(p)s, or they were not disguised at all"),
    ),
    "misfit.share_reversed": (
        _(
            "the reports contradict the design: %(count)s of %(n)s rows report %(value)s, where the design "
            "makes between %(least)s and %(most)s of 100 rows report it whatever is true"
        ),
        _(
            "either answers were kept with p = %(fits)s or more, not %(p)s, or they were not disguised at "
            "all, or yes and no are swapped"
        ),
    ),
    "never_together": (
        "no respondent is asked %(keys)s together",
        "choose questions that can be drawn together",
    ),
    "no_answers": ("only about %(value).1f rows appear to be answered", "wait for more answers"),
    "no_rows.arms": (_("0 rows of one group were asked this question"), _("wait for answers")),
    "no_rows.itemset": (
        _("0 rows were asked all questions of the itemset"),
        _("wait until some respondents have been asked all of them"),
    ),
    "no_rows.part": (_("there are 0 rows"), _("wait for answers")),
    "no_rows.places": (_("there are 0 disguised places to resample"), _("wait for answers")),
    "no_rows.rule": (_("0 rows were asked all of these questions"), _("wait for answers")),
    "no_rows.values": (_("there are 0 disguised values to reconstruct from"), _("wait for answers")),
    "no_score.bins": (
        "%(value)s does not distinguish the %(inputs)s bins",
        "ask for the mean, or use another mechanism",
    ),
    "one_group": (
        "%(direct)s direct and %(protected)s protected rows cannot be compared",
        "compare questions that both groups have answered",
    ),
    "question": ("question %(value)s has no ranges or regions", "name a number or a place"),
    "regions.region": (_("region %(value)r has no rectangle"), _("add at least one")),
    "regression.collinear": (
        "%(value)s is determined by the other predictors in these rows",
        "leave it out, or merge rare answers",
    ),
    "regression.few_events": (
        "about %(value).1f events are expected for the %(number)s coefficients of the equation "
        "of the %(equation)s, after the loss to the disguise",
        "reach at least %(least)s: use fewer predictors, or wait for more answers",
    ),
    "regression.few_rows": (
        "these answers are worth %(value).0f undisguised ones, for %(number)s coefficients",
        "reach at least %(least)s: use fewer predictors, or wait for more answers",
    ),
    "regression.finite": ("%(value)s contains something that is not a number", "drop these rows"),
    "regression.letters": (
        "the designs have different numbers of answers: %(value)s",
        "let all groups use %(least)s answers, or %(most)s with a skip",
    ),
    "regression.no_information": (
        "the reports carry no information about some coefficients",
        "use fewer predictors, or wait for more answers",
    ),
    "regression.no_maximum": (
        "the likelihood reached no single maximum within %(value)s steps",
        "use fewer predictors, or wait for more answers",
    ),
    "regression.no_rows": ("there are 0 rows to fit the regression to", "wait for answers"),
    "regression.separation": (
        "the coefficient of %(term)s in the equation of the %(equation)s diverges: a logit exceeded %(most)s",
        "leave out the predictor whose groups all give the same answer, or merge its rare answers",
    ),
    "rule.side": ("one side of the rule is empty", "put at least one item on each side"),
    "rule.sides": ("rule %(antecedent)s -> %(consequent)s %(problem)s", "put different items on both sides"),
    "same_question": ("%(value)s is requested twice", "request one range or region of it"),
    "says_nothing.places": (
        _("the same is sent for every place"),
        _("these answers carry no information about places"),
    ),
    "shares": (
        "the population shares of question %(question)s add up to %(value).6g",
        "use shares that add up to 1",
    ),
    "skip_not_offered": ("block %(blocks)s cannot be skipped", "choose a block that respondents can skip"),
    "spans.bins": (_("%(value)r is not a pair of bins"), _("give the first and the last bin")),
    "spans.outside": (
        _("bins %(first)s to %(last)s do not exist: there are %(inputs)s bins"),
        _("use bins from 0 to %(last_bin)s"),
    ),
    "too_large.part": (
        _("the channel would be %(outputs)s x %(value)s"),
        _("use wider bins, or the mechanism that keeps the bin or draws any other"),
    ),
    "too_large.region": (
        _("the region has %(value)s cells, and some windows lie only partly inside it"),
        _(
            "use regions made of whole connected sensitive places, or add up the cells of the "
            "reconstructed density"
        ),
    ),
    "too_large.rule": (_("the rule covers %(value)s %(name)s"), _("combine at most %(most)s of them")),
    "too_many_cells": (
        "the margins divide the rows into %(value)s cells",
        "merge options, as a%(join)sb, or weight by fewer questions: at most %(most)s cells",
    ),
    "truth_probability.no_information": (
        _("p = 0 and no respondent answers directly (k = 0), so the rows carry no information"),
        _("choose p > 0, or let some respondents answer directly"),
    ),
    "truth_probability.stratified": (
        _("p = 0 carries no information, so a stratified estimate is not possible"),
        _("choose p > 0, or use the pooled estimator with direct rows"),
    ),
    "within.column": (
        "column %(value)s is disguised or unknown",
        "select rows by columns of questions asked and by items of open blocks",
    ),
    "within.questions": (
        "rows selected by %(value)s may lack the questions of columns %(missing)s",
        "add the columns that mark each item's question as asked",
    ),
}
