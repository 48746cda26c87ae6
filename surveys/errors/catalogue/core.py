"""Messages of the core's errors by their codes, for pages in other languages.

The core speaks English and knows no translations; its own words say more than these, which name the offending
value only.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

UNFORESEEN: Final = (_("%(value)s cannot be used here"), _("mend it, or leave it out"))

WORDS: Final = {
    "changed_value": (
        _("%(value)s people have other sensitive values in the earlier release than in this one"),
        _("releases are compared person by person: publish a value that has changed as a column of its own"),
    ),
    "free_text": (
        _("a column holds free text such as %(value)s"),
        _("leave it out, or code it into categories"),
    ),
    "lattice_size": (
        _("the generalised columns have %(value)s generalisations, which are too many"),
        _("use fewer columns or levels, or group records that are neighbours"),
    ),
    "multi_attribute": (
        _("with the columns known beside it a protected column has %(value)s cells, which are too many"),
        _("give columns of many values another role, or group their values first"),
    ),
    "reading": (_("all weights vanish"), _("give at least one column a larger number for each value")),
    "time_stamp": (
        _("a column holds times such as %(value)s"),
        _("leave it out, or cut it to years beforehand"),
    ),
    "weight": (_("all weights are 0"), _("give at least one column a larger weight")),
    "expression": (
        _("the expression cannot be read at %(value)s"),
        _("write items, and, or, not and brackets"),
    ),
    "unknown_item": (_("there is no item %(value)s"), _("choose one of the items that the page lists")),
    "itemset": (_("%(value)s items are too many for one expression"), _("name fewer")),
    "requirement": (
        _("even one group of all records does not keep what is asked for of a column"),
        _("ask for less of that column"),
    ),
    "max_candidates": (
        _("more than %(value)s itemsets would have to be counted"),
        _("raise the support, shorten the longest itemset, or allow more"),
    ),
    "max_rules": (
        _("the itemsets split into %(value)s rules, which are too many"),
        _("raise the support, shorten the longest itemset, or allow more"),
    ),
    "row_length": (
        _("%(value)s bytes do not hold whole rows of the design"),
        _("restore the database from a backup"),
    ),
    "no_rows": (_("there is no row to mine"), _("wait for more answers")),
    "bad_key": (
        _("%(value)s is not a key"),
        _('use at most 64 letters, digits, "_", ".", "+" or "-", the first a letter or digit'),
    ),
    "kind": (_("%(value)s is no kind of question"), _("choose yes_no, single, multi, number or place")),
    "too_few_options": (
        _("there are too few options: %(value)s"),
        _("give at least two options, or ask for yes or no"),
    ),
    "too_large": (_("%(value)s is too many"), _("use fewer")),
    "duplicate_key": (_("%(value)s occurs twice"), _("give each its own key")),
    "unrelated_probability": (
        _("%(value)s are not the chances of drawn answers"),
        _("give one for each option, one for a yes/no question, in ten-thousandths from 1 to 9999"),
    ),
    "arms": (
        _("%(value)s does not go with a question of arms"),
        _(
            "give 2 to 6 options with shares of 1000 or more that sum to 10000, alone in a part that "
            "everybody gets, in at most 3 questions"
        ),
    ),
    "invited_arm": (
        _("an invitation cannot decide this, or would single people out: %(value)s"),
        _(
            "name a question of arms, or “group” where devices draw one of two strengths, each of them with "
            "a share of 1000 to 9000"
        ),
    ),
    "shares_sum": (_("%(value)s do not add up"), _("make them sum to %(scale)s")),
    "truth_probability": (
        _("%(value)s is no chance that a part is sent as it is"),
        _("choose more than 0 and less than %(scale)s; %(scale)s for an open part"),
    ),
    "paper": (
        _("%(value)s does not go with this design"),
        _("look at the chances, and at how answers and samples are coded"),
    ),
    "chance": (_("%(value)s is no chance"), _("give a number from 0 to 1")),
    "designs": (_("%(value)s is no such design"), _("choose other chances: the answers would say nothing")),
    "rho": (
        _("this promise begins above its end: %(value)s"),
        _("let what is believed before be less than what it may become"),
    ),
    "refusal": (
        _("%(value)s is no chance of a drawn skip"),
        _("choose more than 0 and less than %(scale)s, or leave it out"),
    ),
    "refusal_low": (
        _("at a chance of %(value)s a skip would tell more than an answer does"),
        _("say true, and the least chance that is enough is taken"),
    ),
    "questions_per_person": (
        _("%(value)s is no number of questions or parts that each person can be asked here"),
        _("ask at least one and fewer than all, or leave the number out"),
    ),
    "booklets": (
        _("the sets of questions do not fit the part: %(value)s"),
        _("choose a balanced list for it, or all sets"),
    ),
    "rotation": (
        _("%(value)s cannot be in this rotation of parts"),
        _("name two or more protected parts, each in one rotation"),
    ),
    "light": (
        _("%(value)s is no light strength of this part"),
        _("choose one that disguises less than the strong one, for every protected part or for none"),
    ),
    "empty_block": (_("the part has no question"), _("give it a question or drop the part")),
    "asked_if": (
        _("the part cannot wait for this answer: %(value)s"),
        _("let it depend on options of an open question of an earlier part, with one answer"),
    ),
    "group_policy": (_("%(value)s is no group policy"), _("choose protected, choice or assigned")),
    "direct_share": (
        _("%(value)s is no direct share here"),
        _("give it for an assigned group only, in ten-thousandths"),
    ),
    "mechanism": (_("%(value)s is no mechanism"), _("choose one of those that the manual names")),
    "epsilon": (_("%(value)s is no ε that can be kept"), _("give a number from 0.01 to 20")),
    "range": (
        _("%(value)s does not fit the range and its bins"),
        _("give numbers or dates, the lower end first, and a bin that fills the range"),
    ),
    "spans": (
        _("%(value)s does not lie on whole bins, or overlaps another band"),
        _("let each band begin and end with a bin"),
    ),
    "area": (_("%(value)s is no edge of an area"), _("give degrees, and the size of a cell in metres")),
    "antimeridian": (
        _("the west edge %(value)s is not west of the east edge"),
        _("give the western edge first, and no area across the antimeridian (180 degrees)"),
    ),
    "latitude": (
        _("the area reaches beyond 80 degrees of latitude"),
        _("stay within 80 degrees of the equator"),
    ),
    "rectangle": (
        _("%(value)s is no rectangle of this area"),
        _("give west below east and south below north, inside the area and no smaller than a cell"),
    ),
    "no_rectangle": (
        _("no rectangle is sensitive"),
        _("mark at least one, or protect the whole map"),
    ),
    "says_nothing": (
        _("what is sent is alike for every place on the map: the answers would say nothing"),
        _("choose a window or tiles smaller than the map, or leave the question out"),
    ),
    "overlap": (_("two levels share a cell"), _("give each cell to one level at most")),
    "regions": (_("two regions overlap"), _("draw them so that they share no cell")),
    "disguise": (
        _("%(value)s does not let bands or regions take part in rules"),
        _("declare none, or choose keep for a number and one level for a place"),
    ),
    "malformed": (_("%(value)s has other parts"), _("give the parts that the manual names")),
    "prevalence": (
        _("%(value)s are not the expected shares"),
        _("state one for each option, one for a yes/no question, in ten-thousandths"),
    ),
}

_DIFFER: Final = _("give the chance of each sample; they have to differ")
_ROUND: Final = _("look whether the samples stand the right way round")

CASES: Final = {
    "answers.counts": (
        _("the count of %(answer)s is %(value)s"),
        _("count each of %(allowed)s in whole numbers of 0 or more"),
    ),
    "answers.empty": (_("%(column)s holds no answer"), _("give a row for each respondent")),
    "answers.missing": (
        _("%(column)s has no answer in %(count)s of %(n)s rows, first in row %(row)s: %(value)s"),
        _("leave such rows out, and report how many they were"),
    ),
    "answers.one_value": (
        _("all %(count)s answers of %(column)s are %(value)s"),
        _("look whether they are coded as meant; if so, give counts, with 0 for what nobody reports"),
    ),
    "answers.value": (
        _("%(column)s holds %(value)s in row %(row)s, which is none of %(allowed)s"),
        _("recode the column first; yes and no may also be 1 and 0"),
    ),
    "designs.chances": (
        _("the forced answers have a chance of %(value)s together"),
        _("let them leave a chance for the truth: below 1 together"),
    ),
    "designs.constant": (
        _("%(value)s sends the same whatever the answer is"),
        _("choose other chances: the answers would say nothing"),
    ),
    "paper.alike": (
        _("the table of chances does not tell the answers apart"),
        _("give each answer chances of its own: no column may follow from the others"),
    ),
    "paper.careless": (
        _("of the anchor %(value)s would attend, so nobody read it, or its p is the other way round"),
        _("look whether reports are coded as meant, and give the anchor's own p"),
    ),
    "paper.certain": (
        _("%(name)s is %(value)s, and nothing was left to chance"),
        _("give the chance that the design had, above 0 and below 1"),
    ),
    "paper.column": (
        _("the chances of the reports of %(answer)s sum to %(value)s"),
        _("give for each true answer chances of 0 or more that sum to 1"),
    ),
    "paper.equal": (
        _("%(first)s and %(second)s are both %(value)s, and two samples tell no more than one"),
        _DIFFER,
    ),
    "paper.equal_samples": (
        _("p of one sample and of the other are both %(value)s, and two samples tell no more than one"),
        _DIFFER,
    ),
    "paper.half": (
        _("%(name)s is %(value)s, with which reports say nothing of the answers"),
        _("give the chance that the design had, another than one half"),
    ),
    "paper.items": (
        _(
            "%(value)s counts of the group that was shown the sensitive item stand beside %(control)s of the "
            "other"
        ),
        _("give counts of 0 to J items of the one and of 0 to J + 1 of the other, J of 1 or more"),
    ),
    "paper.nobody": (
        _("the estimated share is %(value)s, and the honesty of nobody is not known"),
        _ROUND,
    ),
    "paper.numbers": (
        _("%(name)s holds %(value)s"),
        _("give finite numbers, two or more in each group"),
    ),
    "paper.shape": (
        _("the table has the shape %(value)s beside %(reports)s reports and %(answers)s answers"),
        _("give a row of chances for each report, at most %(most)s, and a column for each true answer"),
    ),
}
"""Of cases that a page shows beside nothing, such as those of a file: the same fields as in English."""
