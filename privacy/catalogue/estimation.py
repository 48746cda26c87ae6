"""Refusals of counts, itemsets, rules, margins and what is estimated from them."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "anchors": (
        "item %(value)s is not alone in a protected block with the same probabilities",
        "give the item and both anchors a block each, with equal p and theta",
    ),
    "columns": ("columns %(value)s do not ascend", "name each once, in order"),
    "count": (
        "columns %(more)s count %(value)s rows, of %(whole)s with columns %(less)s",
        "count all sets in the same rows: direct group, protected group",
    ),
    "count.cells": (
        "the counts leave %(value)s rows for a combination of %(position)s",
        "count all sets in the same rows: direct group, protected group",
    ),
    "count.merge": (
        "columns %(value)s count %(here)s here and %(there)s there",
        "merge counts of the same rows only",
    ),
    "count.range": ("a count is %(value)s", "give counts from 0 to %(largest)s"),
    "count.shape": (
        "counts have shape %(value)s and type %(dtype)s",
        "give %(count)s pairs of whole numbers: direct group, protected group",
    ),
    "counts.values": ("%(name)s of shape %(value)s", "give %(size)s numbers of 0 or more, one per value"),
    "empty_cell": (
        "nobody among these rows answered %(value)r, which has a share of %(target).4g",
        "take it together with another option, as %(value)s%(join)sother",
    ),
    "excluded_options": (
        "%(keys)s are options of one single-choice question",
        "nobody has both: take one of them",
    ),
    "itemset.patterns": (
        _("itemset %(value)s has %(count)s items, hence %(patterns)s patterns"),
        _("give 1 to %(most)s items"),
    ),
    "itemset.twice": (_("itemset %(value)s holds an item twice"), _("name each item once")),
    "kind.light": (_("%(mechanism)s is of other answers"), _("give a disguise of the same bins or cells")),
    "kind.skipping": (
        _("the skip is one of another disguise, %(mechanism)s"),
        _("give that of this disguise"),
    ),
    "levels": ("%(value)s levels", "take the mean of the reconstructed density"),
    "margin_option.missing": (
        "option %(value)r of question %(question)s has no share",
        "give each option one; 0 for people who do not belong to the population",
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
    "margins.number": ("%(value)s margins", "give at least one, each question once"),
    "margins.out_of_reach": (
        "no weights of these rows reach all margins: %(value).2g stays missing",
        "take options together, or weight by fewer questions",
    ),
    "missing_count": (
        "the count of columns %(value)s is missing",
        "count every set of columns that required_counts() names",
    ),
    "never_together": (
        "no device is asked %(keys)s together",
        "choose questions that one device can draw together",
    ),
    "no_answers": ("%(value).1f rows seem to be answered", "wait for more answers"),
    "no_rows.arms": (_("0 rows of a group were asked an answer"), _("wait for answers")),
    "no_rows.itemset": (_("0 rows were asked everything in the itemset"), _("wait for answers to it")),
    "no_rows.part": (_("0 rows"), _("wait for answers")),
    "no_rows.places": (_("0 disguised places to draw again"), _("wait for answers")),
    "no_rows.rule": (_("0 rows were asked all of it"), _("wait for answers")),
    "no_rows.values": (_("0 disguised values to reconstruct from"), _("wait for answers")),
    "no_score.bins": (
        "%(value)s does not tell the %(inputs)s bins apart",
        "ask for the mean, or take another mechanism",
    ),
    "one_group": (
        "%(direct)s direct and %(protected)s protected rows cannot be compared",
        "compare where both groups have answered",
    ),
    "question": ("question %(value)s has no parts", "name a number or a place"),
    "regions.region": (_("region %(value)r has no rectangle"), _("give at least one")),
    "regression.collinear": (
        "%(value)s follows from the other predictors in these rows",
        "leave it out, or take rare answers together",
    ),
    "regression.few_events": (
        "%(value).1f events are to be expected for the %(number)s coefficients of the equation of the "
        "%(equation)s, after what the disguise takes",
        "have %(least)s or more: use fewer predictors, or wait for more answers",
    ),
    "regression.finite": ("%(value)s holds what is no number", "leave such rows out"),
    "regression.letters": (
        "the designs have %(value)s different answers",
        "give each group one of %(least)s answers, or of %(most)s with a skip",
    ),
    "regression.no_information": (
        "the reports say nothing of some coefficients",
        "use fewer predictors, or wait for more answers",
    ),
    "regression.no_maximum": (
        "the likelihood has no single maximum within %(value)s steps",
        "use fewer predictors, or wait for more answers",
    ),
    "regression.no_rows": ("0 rows to regress on", "wait for answers"),
    "regression.separation": (
        "the coefficients of the equation of the %(equation)s grow without end: a logit passed %(most)s",
        "leave out the predictor whose groups all say the same, or take its rare answers together",
    ),
    "rule.side": ("a side of the rule is empty", "put something on both sides"),
    "rule.sides": ("rule %(antecedent)s -> %(consequent)s %(problem)s", "put different items on both sides"),
    "same_question": ("%(value)s is asked for twice", "ask for one part of it"),
    "says_nothing.places": (_("every place is sent alike"), _("the answers say nothing of places")),
    "shares": (
        "the population shares of question %(question)s add up to %(value).6g",
        "give shares that add up to 1",
    ),
    "skip_not_offered": ("block %(blocks)s offers no skip", "ask for a block that can be skipped"),
    "spans.bins": (_("%(value)r is no pair of bins"), _("give first and last bin")),
    "spans.outside": (_("bins %(first)s to %(last)s of %(inputs)s"), _("take bins from 0 to %(last_bin)s")),
    "too_large.part": (
        _("a channel of %(outputs)s x %(value)s"),
        _("use wider bins, or the mechanism that keeps the bin or draws any"),
    ),
    "too_large.region": (
        _("%(value)s cells, and windows that lie partly in the region"),
        _("ask for whole connected sensitive places, or sum the cells of the reconstructed density"),
    ),
    "too_large.rule": (_("a rule over %(value)s %(name)s"), _("join %(most)s of them at most")),
    "too_many_cells": (
        "the margins cut the rows into %(value)s cells",
        "take options together, as a%(join)sb, or weight by fewer questions: at most %(most)s",
    ),
    "truth_probability.no_information": (
        _("p = 0 and no direct row (k = 0): there is no information at all"),
        _("choose p > 0, or let a share answer directly"),
    ),
    "truth_probability.stratified": (
        _("p = 0 carries no information: the stratified estimate does not exist"),
        _("choose p > 0, or the pooled estimator with direct rows"),
    ),
    "within.column": (
        "column %(value)s is disguised or unknown",
        "choose rows by asked columns and items of open blocks",
    ),
    "within.questions": (
        "rows within %(value)s may lack the questions of columns %(missing)s",
        "add the asked columns of every item",
    ),
}
