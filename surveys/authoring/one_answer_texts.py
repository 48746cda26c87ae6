"""Sentences of the builder about composite questions."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

ONE_ANSWER_TEXTS: Final = {
    # On a part.
    "one_answer": _("Send as one answer"),
    "one_answer_hint": _(
        "People answer each question, but the phone works out one answer from them, disguises it, and "
        "sends only that. One answer costs less privacy than many, so its figure is more precise."
    ),
    "lost": _(
        "Lost for good: the share of each question, links between the questions, reliability (alpha), "
        "and any later change of a cut-off."
    ),
    "one_answer_which": _("Choose some of the questions"),
    "one_answer_all": _("All"),
    "one_answer_none": _("None"),
    "one_answer_count": _("From {count} of {total} questions:"),
    "one_answer_any": _("At least one of these"),
    "one_answer_two": _("At least two of these"),
    "one_answer_again": _("The same rule as before"),
    "one_answer_choose": _("{count} questions are chosen. Choose 1 to {most}."),
    "one_answer_done": _("The phone now sends one answer. The questions are its parts."),
    "one_answer_line": _("“{name}”: one answer from {count} questions. {way}."),
    "one_answer_open": _("Change the rule"),
    "each_again": _("Send each answer again"),
    "each_again_title": _("Not one answer after all?"),
    "each_again_hint": _(
        "Each question becomes a question of its own again, with what it had before. The draft keeps "
        "this rule: you can use it again with one press."
    ),
    "each_again_done": _("The phone now sends each answer. The draft keeps the rule."),
    "part_join": _("Put these answers into “{name}”"),
    "part_join_hint": _(
        "Answers in one part share one coin: the phone sends all of them as they are, or none."
    ),
    "part_joined": _("The answers are in “{name}” now."),
    # On the answer.
    "composite_about": _(
        "The phone works out this answer from these questions, disguises it, and sends only that."
    ),
    "answer_name": _("Name of the answer"),
    "answer_name_hint": _("For the report. People do not read it."),
    "way": _("How the answer follows"),
    "way_at_least": _("At least … of these"),
    "way_at_least_about": _("Yes if enough of them are true."),
    "way_at_least_of": _("Yes if at least {least} are true"),
    "way_how_many": _("How many of these"),
    "way_how_many_about": _("0, 1, 2 or more."),
    "way_points": _("Points and levels"),
    "way_points_about": _("A score: each answer has points, and a cut-off or levels divide their sum."),
    "way_each_heading": _("One answer for each heading"),
    "way_halves": _("Two halves, for reliability"),
    "way_halves_about": _(
        "Two halves send the odd and the even questions as two answers of one coin. Results then give "
        "the reliability of the instrument, at no cost in precision. Recommended for scores of ten or "
        "more questions."
    ),
    "together": _("Belongs together with"),
    "placebo_hint": _(
        "A placebo index asks as many harmless acts that hardly anyone has done. What it counts are "
        "careless answers: results print it and the difference next to this answer."
    ),
    "placebo_add": _("Add a placebo index"),
    "placebo_added": _("Added a placebo index behind this answer. Change the acts as you like."),
    "placebo_of": _("It is the placebo index of"),
    "other_half": _("It is the other half of"),
    "related_none": _("none"),
    "shared": _("Also decides in other answers of this part"),
    "shared_hint": _(
        "People answer it once. Tick the answers whose questions depend on it, too. Together they "
        "reveal more about it than one answer does, and the promise says how much."
    ),
    "way_changed": _("The rule counts “yes” now. Its points are gone."),
    "two_or_more": _("2 or more"),
    "at_least_sentence": _("“Yes” if at least {number} of these {count} questions are answered “yes”."),
    "cut_sentence": _("“Yes” from {number} points on."),
    "components": _("Questions that are never sent"),
    "component_number": _("Question {number}"),
    "component_open": _("Answers and conditions of {name}"),
    "components_full": _("{most} questions are the most for one answer."),
    "add_several": _("Add tick several"),
    "kind_several": _("Ticking several options"),
    "add_number_component": _("Whole number"),
    "kind_number": _("Entering a whole number"),
    "points": _("Points"),
    "points_hint": _("Type points, or paste a column of numbers into a cell. Arrow keys move up and down."),
    "points_reverse": _("Reverse the points of “{name}”"),
    "points_reversed": _("Reversed the points of “{name}”."),
    "points_pasted": _("Filled in {count} numbers."),
    "points_pasted_partly": _("Filled in {count} numbers. {left} cells had no place or no whole number."),
    "points_instructed": _("Only checks attention"),
    "band_span": _("{from} to {to}"),
    "tag_condition": _("only sometimes asked"),
    "tag_instructed": _("attention check"),
    "reach": _("Sums from {low} to {high} are possible."),
    "reach_unknown": _("The possible sums appear here once the points are complete."),
    "sent": _("What is sent"),
    "sent_yes_no": _("Yes or no: one cut-off"),
    "sent_yes_no_about": _("The most precise."),
    "sent_single": _("Levels"),
    "sent_single_about": _("Such as low, middle, high. Each further level makes all of them less precise."),
    "sent_number": _("The sum itself, as a number"),
    "sent_number_about": _("For a mean. With a few hundred people it is known within 2 to 4 points."),
    "sent_number_alone": _("The sum itself needs a part of its own."),
    "levels": _("Levels"),
    "level_number": _("Level {number}"),
    "level_from": pgettext_lazy("a level from a number of points", "From"),
    "level_first": _("From the smallest sum"),
    "level_name": _("Name of level {number}"),
    "level_unnamed": _("Level {number}, no name yet"),
    "level_answer": _("Counts as"),
    "level_add": _("Add a level"),
    "level_removed": _("Removed {name}."),
    "levels_many": _("With more than six levels, the share of each is imprecise."),
    "base": _("Also show shares among people from this level on"),
    "base_hint": _("For example, of those who had contact, how many were asked for a bribe."),
    "base_none": _("No, only of all people"),
    "gaps": _("Unanswered questions"),
    "gaps_sentence": _(
        "Up to {number} of {count} questions may stay empty. With more, nothing is sent but a skip."
    ),
    "gaps_as": _("An empty one counts"),
    "gaps_no_points": _("no points"),
    "gaps_mean": _("the mean of the others"),
    "gaps_usual": _("Use the usual rule: {count}, {as}"),
    "gaps_hint": _(
        "The usual rule allows a fifth of the questions, rounded down, and none if each pattern of "
        "answers has a sum of its own. One gap that makes a score a skip would bias it: people with "
        "much to tell leave out more."
    ),
    "gaps_none": _("This part cannot be skipped, so people must answer every question."),
    "uses": _("Points from open questions"),
    "uses_hint": _(
        "For cut-offs that differ, for example for women and men. The answer to the open question stays"
        " open, and the rule causes a part of any link between the two."
    ),
    "steps": _("Steps: sums within the sum"),
    "steps_hint": _(
        "A step adds up some of the questions and gives points for the result: for subscales and "
        "diagnostic rules."
    ),
    "step_add": _("Add a step"),
    "step_number": _("Step {number}"),
    "step_source": _("Step {number} ({key})"),
    "step_key": _("Name of the step"),
    "step_key_hint": _("Reports and codebooks use it: letters, digits and hyphens."),
    "step_of": _("Adds up"),
    "step_levels": _("Gives"),
    "step_gives": _("points"),
    "step_points": _("Other points in this step"),
    "step_points_hint": _("Tick a question to give it points that count only in this step."),
    "step_gaps": _("A rule of its own for unanswered questions"),
    "people": _("Three made-up people"),
    "people_hint": _("Computed by the program that phones run."),
    "people_question": pgettext_lazy("head of a column of questions", "Question"),
    "people_number": _("Person {number}"),
    "people_unasked": _("not asked"),
    "people_gap": _("left empty"),
    "people_none": _("none of these"),
    "people_joint": pgettext_lazy("between the ticked boxes of one answer", ", "),
    "people_points": _("{answer} ({points})"),
    "people_sum": _("Sum"),
    "people_sent": _("Sent in disguise"),
    "people_skip": _("a skip"),
    "people_unready": _("They appear here once every number is a whole number and the levels fit."),
    "lost_title": _("Before you decide"),
    "slips": _("If people slip once in 100 questions, {slips} points of this answer are slips."),
    "slips_raise": _("Send “at least {count}” instead"),
    "slips_raised": _("The answer is “yes” from {count} on."),
    "harm": _(
        "These questions are about violence or self-harm (“{words}”). No one can act on an answer, "
        "because no one can read it. Write at the end of the phone where people get help at once: "
        "everyone sees it next to each question."
    ),
    "help_near": _("Help next to each question of this part"),
    "help_near_hint": _("For example, where people who need help get it at once."),
    "cut_off_source": _("Published cut-off and its source"),
    "cut_off_source_hint": _(
        "Reports and codebooks print it. A published cut-off holds for the published questions and "
        "points only. Check the licence of the instrument before you use its words."
    ),
    # On a component.
    "component_about": _("The answer to this question is never sent."),
    "component_condition": _("Who is asked this question"),
    "component_condition_hint": _(
        "It can depend on an earlier question of this answer, or on an open question of an earlier part."
    ),
    "component_condition_none": _(
        "Asked of everyone. It can depend on an earlier question of this answer with yes or no or one option."
    ),
    "component_condition_time": _(
        "A question that comes only after some answers takes time, and the time of a visit can reveal "
        "them. It is safer to ask everyone, with an answer “does not apply”."
    ),
    "instructed": _("Attention check"),
    "instructed_hint": _(
        "If the text asks people to give a certain answer, choose it. Any other answer makes the whole "
        "answer a skip."
    ),
    "instructed_none": _("No, an ordinary question"),
    "point_bands": _("Points for ranges"),
    "point_bands_hint": _("Numbers outside these ranges have no points."),
}
