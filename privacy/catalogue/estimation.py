"""Error messages about channels, counts, estimates, itemsets and rules."""

from __future__ import annotations

from typing import Final

_: Final = str
"""Marks a text for translators without importing a translation library."""

_MISFIT: Final = _(
    "the reports contradict the design: %(count)s of %(n)s rows report %(value)s, but under the design "
    "between %(least)s and %(most)s of 100 rows must report it, whatever is true"
)

_LONG: Final = _(
    "%(value)s itemsets and up to %(rules)s rules reach the thresholds, which is more than %(max_itemsets)s "
    "itemsets"
)

WORDS: Final = {
    "answer.date": ("%(value)r is not a date of this form", "write it like %(example)s"),
    "answer.decimals": ("%(text)s has too many decimals", "use at most %(decimals)s decimals"),
    "answer.number": ("%(value)r is not a number", "write it in digits"),
    "answer.outside": ("%(text)s is outside %(low)s to %(high)s", "use a number inside this range"),
    "antimeridian": (
        _("the west edge %(west)s is not west of the east edge %(east)s"),
        _("put the western edge first; an area cannot cross the antimeridian (180 degrees)"),
    ),
    "area.latitudes": (
        _("the south edge %(south)s is not south of the north edge %(north)s"),
        _("put the southern edge first"),
    ),
    "at_least_one.coins": (
        _("%(keys)s were not sent under one coin, so “at least one of them” has no figure"),
        _("choose answers of one part"),
    ),
    "at_least_one.required": (
        _("%(key)s is required already, so it cannot be in “at least one of”"),
        _("leave it out of one of the two"),
    ),
    "at_least_one.single": (_("“at least one of” names only %(keys)s"), _("name at least two answers")),
    "change.level": (
        "the later figure has level %(value)s, the earlier %(level)s",
        "compute both at one level",
    ),
    "change.range": (
        "the later figure is in %(value)s, the earlier in %(range)s",
        "compare the same question, with the same range",
    ),
    "column_sum.column": ("column %(true)s sums to %(value)s", "make every column sum to 1"),
    "cyclic": (
        "a circular window of %(value)s bins over %(inputs)s bins sends different shares with "
        "the same distribution",
        "use a window that has no divisor in common with the number of bins",
    ),
    "denied.mean": ("%(value)s is compared by its mean", "compare the share of people in a range of it"),
    "disguise.amplification": (
        _("an amplification of %(value)s/%(denominator)s carries no information"),
        _("choose epsilon > 0"),
    ),
    "disguise.levels": (_("%(count)s levels"), _("pass 1 to %(most)s PlanarLevel objects")),
    "forged.pair": (
        _(
            "no figure of “%(first)s” with “%(second)s” is shown: at least %(rows)s of %(n)s answers are "
            "forged"
        ),
        _("figures that use only one of the two are shown"),
    ),
    "forged.question": (
        _("no figure of “%(first)s” is shown: at least %(rows)s of %(n)s answers are forged"),
        _("figures that do not use this question are shown"),
    ),
    "frame.window": (
        "a window of %(across)s x %(up)s cells does not fit a frame of %(width)s x %(height)s",
        "keep the window inside its frame",
    ),
    "latitude": (
        _("the area extends from latitude %(south)s to %(north)s"),
        _("stay within 80 degrees of the equator: a flat map is too inaccurate beyond that"),
    ),
    "no_rectangle.level": (
        _("sensitivity level %(value)s has no rectangle"),
        _("mark at least one rectangle for this level, or remove the level"),
    ),
    "no_rectangle.map": (
        _("no rectangle is marked as sensitive"),
        _("mark at least one rectangle, or protect the whole map"),
    ),
    "no_score.channel": (
        "the channel misses the requested mean by %(value).2g: it cannot distinguish these values",
        "ask for a larger part, or read it from the reconstructed distribution",
    ),
    "out_of_range.chance": ("entry %(value)s is not a probability", "use entries in [0, 1]"),
    "overlap.levels": (_("two levels share a cell"), _("assign each cell to one level only")),
    "overlap.rectangles": (
        _("rectangles %(first)s and %(second)s overlap"),
        _("redraw them as rectangles that do not overlap"),
    ),
    "range.bin": (
        _("bins of %(value)s do not divide %(ticks)s different numbers evenly"),
        _("end the range at %(end)s, or choose another bin width"),
    ),
    "range.bins": (_("%(value)s bins"), _("choose a bin width that gives 2 to %(most)s bins")),
    "range.width": (_("a bin cannot be %(value)s wide"), _("use a width from %(low)s to %(high)s")),
    "range.ends": (_("%(low)s to %(value)s is not a range"), _("make the end larger than the start")),
    "rectangle.entries": (_("%(value)r has %(entries)s entries"), _("use %(count)s whole numbers of cells")),
    "rectangle.grid": (
        _("rectangle %(value)r extends beyond the grid of %(columns)s x %(rows)s cells"),
        _("keep it inside the area"),
    ),
    "rectangle.small": (
        _("rectangle %(value)r is smaller than a cell"),
        _("make it larger, or use smaller cells"),
    ),
    "refusal.alike": (
        _(
            "%(value)s always sends something that depends on the answer, so it cannot hide "
            "that a question was skipped"
        ),
        _("choose another mechanism, or do not let respondents skip the question"),
    ),
    "refusal_low": (
        _(
            "skip probability %(value)s is below %(least)s: under %(mechanism)s, a skip would "
            "reveal more than an answer does"
        ),
        _("use at least %(least)s"),
    ),
    "regions.overlap": (
        _("two rectangles of the regions overlap"),
        _("redraw them so that they share no cell"),
    ),
    "says_nothing.map": (
        _("the same is sent for every place on the map, so the answers would carry no information"),
        _("use a window or tiles smaller than the map, or remove the question"),
    ),
    "shape.matrix": ("rows of lengths %(value)s do not form a matrix", "make all rows equally long"),
    "spans.overlap": (
        _("bins %(first)s to %(last)s are empty or overlap another item"),
        _("use items that have no bin in common"),
    ),
    "spans.pair": (_("span %(value)r is not a pair"), _("give the first and the last bin")),
    "tile": ("tiles of %(value)s cells", "choose other side lengths"),
    "too_large.area": (
        _("the area has %(value)s cells"),
        _("choose a cell size that gives 2 to %(most)s cells"),
    ),
    "too_large.fractions": (
        _("the channel would have %(value)s x %(inputs)s fractions"),
        _("use as_array instead"),
    ),
    "too_large.level": (_("%(value)s %(name)s"), _("use 1 to %(most)s")),
    "too_large.planar_channel": (
        _("the channel would cover %(value)s cells"),
        _("use the kernel of privacy.scales.planar_window, which needs no matrix"),
    ),
    "too_large.planar_weights": (
        _("the product of the weights has %(value)s bits"),
        _("use fewer levels, smaller weights or fewer tile sizes: at most %(most)s bits"),
    ),
    "too_large.scores": (
        _("the channel would be %(rows)s x %(columns)s"),
        _("use wider bins or larger cells, or read the share from the reconstructed distribution"),
    ),
    "too_large.weights": (_("the sum of the weights has %(bits)s bits"), _("use at most %(most)s bits")),
    "too_large.window": (
        _("a window of %(value)s does not fit %(inputs)s bins"),
        _("keep it inside the grid, and the grid below %(most)s outputs"),
    ),
    "too_small.window": (
        "no window fits into the sensitive cells",
        "choose a smaller window, or larger rectangles",
    ),
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
        "weight by unprotected questions with one answer: %(known)s",
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
    "misfit.number": (_MISFIT, _("the numbers were sent by another disguise, or as they are")),
    "misfit.pair": (
        _MISFIT,
        _(
            "either the questions that share a coin differ from the design, or answers were kept "
            "with p = %(fits)s or more, not %(p)s, or they were not disguised at all"
        ),
    ),
    "misfit.pair_reversed": (
        _MISFIT,
        _(
            "either the questions that share a coin differ from the design, or answers were kept "
            "with p = %(fits)s or more, not %(p)s, or they were not disguised at all, or yes and "
            "no are swapped"
        ),
    ),
    "misfit.share": (
        _MISFIT,
        _("either answers were kept with p = %(fits)s or more, not %(p)s, or they were not disguised at all"),
    ),
    "misfit.share_reversed": (
        _MISFIT,
        _(
            "either answers were kept with p = %(fits)s or more, not %(p)s, or they were not disguised at "
            "all, or yes and no are swapped"
        ),
    ),
    "misfit.study": (
        "the counts contradict the design: %(name)s would be %(low)s to %(high)s, but only %(least)s to "
        "%(greatest)s is possible",
        "check the probabilities, which count is whose, and whether yes and no are swapped",
    ),
    "never_together": (
        _("no respondent is asked %(keys)s together"),
        _("choose questions that can be drawn together"),
    ),
    "no_answers": ("only about %(value).1f rows appear to be answered", "wait for more answers"),
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
    "regression.fewer_rows": (
        "%(value)s rows for %(number)s coefficients",
        "use fewer predictors, or wait for more answers",
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
        "leave out the predictor whose groups all give the same answer, merge its rare answers, or compare "
        "shares, which have bounds",
    ),
    "regression.size": (
        "the values of %(term)s are too large or too small: the largest absolute value is %(value)g",
        "change its unit, so that the largest absolute value is between %(low)g and %(high)g",
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
    "cell": ("column %(column)r %(what)s (%(value)r)", "%(remedy)s"),
    "cell.row": ("%(what)s", "%(remedy)s"),
    "engine": ("unknown engine: %(value)r", "choose one of %(engines)s"),
    "engine_missing": (
        "engine 'numba' cannot be loaded: %(absent)s",
        "install requirements-fast.lock, or choose numpy",
    ),
    "counted_rows": (
        "the counts have %(value)s bytes, but this design needs %(wanted)s",
        "count the rows again",
    ),
    "distinct_rows": (
        "%(rows)s rows contain more than %(value)s different answers to one question, which "
        "exceeds the memory limit",
        "ask an administrator to raise SOTTOVOCE_RUN_MEGABYTES, or audit the design, which needs no rows",
    ),
    "lone.kind": ("%(value)s is a %(kind)s", "name a question about a number or a place"),
    "max_candidates": (
        _("more than %(value)s itemsets of %(shape)s items would have to be counted"),
        _("raise the support threshold or shorten the longest itemset; in the library, raise max_candidates"),
    ),
    "max_itemsets": (
        _LONG,
        _("raise the support threshold to %(support)s, shorten the longest itemset, or list them all"),
    ),
    "max_itemsets.shorter": (_LONG, _("shorten the longest itemset, or list them all")),
    "max_rules": (
        _("the itemsets yield %(value)s rules, more than %(max_rules)s"),
        _("raise the support threshold, shorten the longest itemset, or allow more rules"),
    ),
    "other_design": ("the rows have design %(own)s, not %(other)s", "mine rows with their own design"),
    "other_design.joined": (
        "rows of design %(design_id)s are mixed with rows of %(other)s",
        "combine rows of one design only",
    ),
    "row_length": (
        _("a buffer of %(value)s bytes is not a whole number of rows of %(n_bytes)s bytes"),
        _("pass the rows of one design, unchanged"),
    ),
    "sides.empty": (
        "no item is allowed for the %(name)s: %(value)r",
        "name items, or pass None to allow all",
    ),
    "sides.kind": ("sides = %(value)r", "pass a Sides object"),
    "sides.twice": ("%(value)s allows an item twice for the %(name)s", "name each item once"),
    "support.threshold": (
        "support threshold = %(value)s is not above 0",
        "use a number above 0 and at most 1",
    ),
    "table_shape": ("the table %(name)s has shape %(value)s", "pass a table of shape %(wanted)s"),
    "too_large.joined": (
        _("the rows have more than %(most)s different scores"),
        _("combine fewer ranges or regions, or use questions with wider bins or larger cells"),
    ),
    "truth": ("itemset %(value)r is named twice", "name each itemset once"),
    "unknown_column.number": ("column %(value)s is unknown", "use columns from 0 to %(n_columns)s"),
    "unknown_item.number": (
        _("the items allowed for the %(name)s include an unknown one: %(value)s"),
        _("use numbers from 0 to %(count)s"),
    ),
    "no_rows": (_("there are 0 rows"), _("wait for answers")),
    "no_rows.asked": (_("0 rows were asked all of these questions"), _("wait for answers")),
    "frame.tiles": (
        "%(value)r does not divide the rectangles of a level",
        "use frames inside the rectangles, each a whole number of windows with the same number of cells",
    ),
    "disguise.weights": (
        "these weights send nothing about the answer, or do not add up (%(value)s)",
        "use a window of 1 or more with a peak, or a step with lean + step x <= coin",
    ),
}
