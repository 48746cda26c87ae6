"""Error messages about composite questions."""

from __future__ import annotations

from typing import Final

_: Final = str
"""Marks a text for translators without importing a translation library."""

WORDS: Final = {
    "computed.band": (
        _("component %(key)s: a band from %(value)s is empty"),
        _("write the smaller number first"),
    ),
    "computed.bands": (
        _("component %(key)s: a band starts at %(value)s, but earlier ones leave only %(least)s and more"),
        _("order the bands by their starts, without overlap"),
    ),
    "computed.base_level": (
        _("base: no level leads to %(value)r"),
        _("name one of %(known)s that is neither the first nor the last level"),
    ),
    "computed.base_number": (
        _("the question is a number, so it has no level %(value)r as a base"),
        _("remove base, or make the question a single choice with levels"),
    ),
    "computed.base": (
        _("%(value)r cannot be the base of further shares"),
        _("name an option that is neither the first nor the last level"),
    ),
    "computed.components": (
        _("a composite question has %(value)s components"),
        _("give it 1 to %(most)s, or split it into two questions"),
    ),
    "computed.deciders": (
        _("%(value)s components decide whether others are asked"),
        _("let at most %(most)s decide, or ask the others of everyone with an answer for “does not apply”"),
    ),
    "computed.deciding": (
        _(
            "asked_if of component %(key)s on %(value)r: "
            "that component is not answered with yes or no or one option"
        ),
        _("depend on a yes/no or single-choice component without an instructed answer"),
    ),
    "computed.descending": (
        _("the levels of %(name)s do not ascend: %(value)s after %(last)s"),
        _("order them by their starts"),
    ),
    "computed.first_none": (
        "level %(option)r is the first and starts at %(value)s",
        "write None: it holds from the smallest sum",
    ),
    "computed.first_start": (
        _("the first level of %(name)s has the start %(value)s"),
        _("leave it out: the first level holds from the smallest sum"),
    ),
    "computed.form": (
        "the form %(value)r has %(count)s components",
        "give each form a text as its name, and at least one component",
    ),
    "computed.gaps": (
        "question %(value)s has too many gaps, but block %(block)s cannot be skipped",
        "answer every component that is asked",
    ),
    "computed.halves_kind": (
        _("question %(key)s of kind %(value)r has another half"),
        _("use yes/no questions: the reliability is computed from two cut-offs"),
    ),
    "computed.halves_length": (
        _("question %(key)s has %(value)s components and its other half, %(other)s, has %(count)s"),
        _("put every second component into each half, so that they differ by one at most"),
    ),
    "computed.halves_shared": (
        _("component %(value)r is in both halves, %(key)s and %(other)s"),
        _("use it in one half: a common component makes halves agree more than two measurements do"),
    ),
    "computed.halves_three": (
        _("question %(value)r is named as the other half of several questions"),
        _("let one question name it"),
    ),
    "computed.instructed_kind": (
        _("component %(key)s of kind %(value)r has an instructed answer"),
        _("use a yes/no or single-choice component"),
    ),
    "computed.instructed_points": (
        _("component %(value)r has an instructed answer and points"),
        _("remove the points: it only checks that people read the questions"),
    ),
    "computed.instructed_skip": (
        _("component %(value)r has an instructed answer, but part %(block)s cannot be skipped"),
        _("offer “Prefer not to say”: a wrong answer becomes a skip. Or remove the component"),
    ),
    "computed.kind": (
        _("question %(key)s of kind %(value)r has components"),
        _("use a yes/no, single-choice or number question that respondents answer"),
    ),
    "computed.lacks": (_("%(name)s lacks the member %(value)s"), _("state it")),
    "computed.later": (
        _("asked_if of component %(key)s on %(value)r: that component is not asked earlier in this question"),
        _(
            "depend on an earlier component of the same question, state a component of another question of "
            'the part here too, with "shared": true in both, or write question instead of component for an '
            "open question"
        ),
    ),
    "computed.level_option": (
        _("question %(key)s: a level has the unknown option %(value)r"),
        _("use one of %(known)s"),
    ),
    "computed.mapping": (
        _("%(name)s = %(value)r is not an object"),
        _('write points by key, such as {"often": 2}'),
    ),
    "computed.no_base": (
        "question %(value)r has no base for further shares",
        "state base in its rule, or ask for the shares of all people",
    ),
    "computed.no_half": (
        "question %(value)r names no other half",
        "state other_half in its rule before the survey is published",
    ),
    "computed.no_placebo": (
        "question %(value)r is no placebo index",
        "state placebo_of in its rule before the survey is published",
    ),
    "computed.no_level": (
        _("question %(key)s: no level leads to %(value)r"),
        _("add a level for it, or remove the option"),
    ),
    "computed.no_levels": (
        _("%(value)s has no levels"),
        _("give the first level, which has no start, and at least one other"),
    ),
    "computed.no_start": (
        _("the level of %(name)s that gives %(value)r has no start"),
        _("state from, its least sum: only the first level has none"),
    ),
    "computed.no_points": (
        _("every answer to the components has the sum %(value)s"),
        _("give points to the answers that count"),
    ),
    "computed.number_levels": (
        _("question %(key)s is a number and has %(value)s levels"),
        _("leave the levels out: its answer is the sum itself. For levels, make it a single choice"),
    ),
    "computed.number_range": (
        _("question %(key)s: the sum can be %(low)s to %(high)s, but the range is %(value)s to %(end)s"),
        _("let low and high include %(low)s and %(high)s"),
    ),
    "computed.number_whole": (
        _(
            "question %(key)s: a sum of points is a whole number, "
            "not a date or a number with %(value)s decimals"
        ),
        _("leave decimals and calendar out"),
    ),
    "computed.object": (_("%(name)s = %(value)r is not an object"), _("write one with %(keys)s")),
    "computed.of_kind": (
        _("component %(key)s of kind %(kind)s cannot have the member %(value)s"),
        _(
            "remove it, or use a kind that has it: points for yes_no, options for single and several, "
            "number and bands for number"
        ),
    ),
    "computed.open": (
        _("question %(value)r has components, but part %(block)s is not protected"),
        _("protect the part: open components would be sent as they are"),
    ),
    "computed.option": (
        _("asked_if of component %(key)s: option %(value)r is unknown"),
        _("use options out of %(known)s"),
    ),
    "computed.options": (
        _("component %(key)s of kind %(kind)s has options: %(value)r"),
        _("remove the options, or use the kind single or several"),
    ),
    "computed.points": (
        _("%(key)s has %(value)s entries of points"),
        _("give %(count)s, one per answer or band"),
    ),
    "computed.range": (
        _("component %(key)s of kind %(value)r has a range or bands"),
        _("remove them, or use the kind number"),
    ),
    "computed.same_start": (
        _("two levels of %(name)s start at %(value)s"),
        _("give each level its own start"),
    ),
    "computed.partner": (
        _("%(member)s of question %(key)s: %(value)r is no other composite question of part %(block)s"),
        _("name a composite question of the same part, or remove %(member)s"),
    ),
    "computed.partner_apart": (
        _("%(member)s of question %(key)s: no device asks it together with %(value)r"),
        _("ask more questions per person, or list a set of questions with both"),
    ),
    "computed.partner_chain": (
        _("%(member)s of question %(key)s: %(value)r is itself a placebo index or names its other half"),
        _(
            "name a composite question without placebo_of and other_half; "
            "only one of two halves names the other"
        ),
    ),
    "computed.partner_options": (
        _("%(member)s of question %(key)s: %(value)r has other answers"),
        _("give both questions the same kind and the same options"),
    ),
    "computed.shared": (
        _("component %(value)r is in two answers of one part, %(first)s and %(second)s"),
        _(
            "use it in one of them: impossible pairs of answers would show which are random. "
            'If it decides in both whether others are asked, write "shared": true in both'
        ),
    ),
    "computed.shared_answers": (
        "component %(value)s is shared, but question %(question)s has another answer to it",
        "give it the same answer in each question: respondents answer it once",
    ),
    "computed.shared_differs": (
        _("%(first)s and %(second)s state the shared component %(value)r differently: %(names)s"),
        _(
            "state it in the same way in both. To count it differently, give it no points, and points in a "
            "step of each question"
        ),
    ),
    "computed.shared_elsewhere": (
        _("component %(value)r of part %(block)s is shared in another part too"),
        _("move these questions to one part, or give each its own component"),
    ),
    "computed.shared_kind": (
        _("component %(key)s of kind %(value)r cannot be shared"),
        _("share a yes/no or single-choice component without an instructed answer"),
    ),
    "computed.shared_once": (
        _("component %(value)r is shared, but only question %(question)s contains it"),
        _("state it in another question of the part too, or remove shared"),
    ),
    "computed.shared_unused": (
        _("component %(value)r is shared, but does not decide whether others are asked"),
        _(
            "let other components of the question depend on it, or use it in one question only: "
            "impossible pairs of answers would show which are random"
        ),
    ),
    "computed.source": (
        _("question %(key)s depends on %(value)r, which is not asked openly in an earlier part"),
        _("name an open question of an earlier part"),
    ),
    "computed.source_kind": (
        _("question %(key)s depends on %(value)r, which is not answered with yes or no or one option"),
        _("use a yes/no or single-choice question, for numbers one with an option for each range"),
    ),
    "computed.source_option": (
        _("the open question %(key)s has no option %(value)r"),
        _("use options out of %(known)s"),
    ),
    "computed.source_protected": (
        _("question %(key)s depends on the protected question %(value)r outside of it"),
        _("make that question a component, or use an open question of an earlier part"),
    ),
    "computed.step_empty": (_("step %(value)s adds up nothing"), _("name components or earlier steps")),
    "computed.step_of": (
        _("step %(key)s contains %(value)r, which is no component with points and no earlier step"),
        _("name components of this question, or steps before this one"),
    ),
    "computed.step_points": (
        _("step %(key)s gives points to %(value)r, which is no component of the step"),
        _("name components that the step contains"),
    ),
    "computed.steps": (_("a composite question has %(value)s steps"), _("use at most %(most)s")),
    "computed.unknown": (_("%(name)s has the unknown member %(value)s"), _("use one of %(keys)s")),
    "computed.unreached": (
        _("no answers lead to the level that starts at %(value)s: sums are between %(low)s and %(high)s"),
        _("change its start or the points, or remove the level"),
    ),
    "computed.unreached_first": (
        _(
            "no sum is below the second level, which starts at %(value)s: "
            "sums are between %(low)s and %(high)s"
        ),
        _("change its start or the points, or remove the first level"),
    ),
    "computed.when_empty": (
        _("asked_if on %(value)s names no option"),
        _("name the answers after which the component is asked"),
    ),
    "computed.when": (
        _("a condition must name one component or one open question, not %(value)r"),
        _('write {"component": …, "options": […]} or {"question": …, "options": […]}'),
    ),
}
