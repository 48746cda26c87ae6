"""Error messages about designs and answers, and about single values anywhere."""

from __future__ import annotations

from typing import Final

_: Final = str
"""Marks a text for translators without importing a translation library."""

NAME: Final = "%(name)s = "
"""Start of every message about a single value. Pages that show the message beside the value omit it."""

WORDS: Final = {
    "absent_with_value": (
        "%(question)s is absent, but has the value bits %(value)s",
        "send zeros for a question that is absent",
    ),
    "answer.entries": (
        "%(name)s = %(value)r does not have one entry per option",
        "use a list of %(count)s entries, each 0 or 1",
    ),
    "asked_if": (_("asked_if on %(question)s names no option"), _("name the options that lead to the block")),
    "asked_if.few": (
        _("asked_if joins %(value)s conditions by %(joined)r"),
        _("join two or more, or write a single condition without all and any"),
    ),
    "asked_if.later": (
        _("asked_if of block %(block)s on %(value)r: that question is not asked earlier"),
        _("let it depend on a question of an earlier block"),
    ),
    "asked_if.number": (
        _("asked_if of block %(block)s on %(value)r: that question asks for a number"),
        _("use a single-choice question with one option for each range"),
    ),
    "asked_if.option": (
        _("asked_if of block %(block)s on %(question)r: option %(value)r is unknown"),
        _("use options out of %(known)s"),
    ),
    "asked_if.protected": (
        _(
            "asked_if of block %(block)s on %(value)r: that question is protected, so random "
            "answers would be recognisable"
        ),
        _("use an unprotected question instead"),
    ),
    "anchor.block": (
        "the anchor in block %(value)s is open, or the block has other questions",
        "give it a separate protected block with one yes/no question",
    ),
    "arms.block": (
        _(
            "the assignment question in block %(value)s shares the block with other questions, "
            "or the block has conditions or rotates"
        ),
        _("give it a separate part that everyone is asked"),
    ),
    "arms.key": (
        _("an assignment question has the key %(value)r"),
        _("choose another key: this one is reserved for the strength"),
    ),
    "arms.kind": (
        _("question %(key)s of kind %(value)r has arms"),
        _("make it a single choice in an open block"),
    ),
    "arms.many": (_("there are %(value)s assignment questions"), _("use at most %(most)s")),
    "arms.missing": (_("question %(value)s was sent without an arm"), _("send the arm that was drawn")),
    "arms.number": (_("question %(key)s has %(value)s arm shares"), _("give %(count)s, one per option")),
    "instance": (NAME + _("%(value)r is not a %(wanted)s"), _("pass a %(wanted)s")),
    "invited_arm": (
        _("invitations cannot decide %(value)r"),
        _("name an assignment question, or the strength if two strengths are assigned: %(known)s"),
    ),
    "invited_arm.share": (
        _("fewer than 5 of 50 rows would have the rarer strength, whose share is %(value)s"),
        _("give each strength %(least)s to %(most)s, or let devices draw it"),
    ),
    "asked_if.several": (
        _("asked_if of block %(block)s on %(value)r: that question allows several options"),
        _("use a yes/no or single-choice question"),
    ),
    "asked_if.unknown": (
        _("asked_if of block %(block)s on %(value)r: there is no such question"),
        _("use an unprotected question"),
    ),
    "blocks.items": (
        "items %(value)s belong to %(count)s blocks",
        "ask block by block: random answers of different blocks are independent",
    ),
    "booklet": (
        "block %(block)s was sent with questions %(value)r, which can never be drawn",
        "send the %(size)s questions of one booklet",
    ),
    "booklets.alone": (
        _("block %(key)s lists booklets, but asks all its questions"),
        _("set how many questions each person is asked"),
    ),
    "booklets.never": (
        _("question %(value)s of block %(key)s is not in any booklet"),
        _("put it into a booklet, or remove it from the block"),
    ),
    "booklets.number": (
        _("block %(key)s lists %(value)s booklets"),
        _("list 2 to %(most)s, or none to use all combinations"),
    ),
    "booklets.order": (
        _("booklet %(value)r of block %(key)s comes after %(before)r"),
        _("list each booklet once, in ascending order"),
    ),
    "booklets.shape": (
        _("booklet %(value)r of block %(key)s is not a set of its questions"),
        _("list %(size)s positions in ascending order"),
    ),
    "direct_share.policy": (
        _("direct share = %(value)r has no effect under group policy %(policy)r"),
        _("leave it out: shares apply only to assigned groups"),
    ),
    "disguise.as_answered": (
        "the mechanism as_answered has weights other than the identity",
        "use window 1, peak 1 and 0 for all other weights, or another mechanism",
    ),
    "disguise.items": (
        _("items of %(key)s do not follow p [x = y] + (1 - p) q under this disguise"),
        _(
            "declare no items, or change the disguise: for a number, keep it or draw any; for a"
            " place, use regions that contain each window fully or not at all"
        ),
    ),
    "disguise.kind": (_("%(kind)s %(key)s has the disguise %(value)r"), _("pass a %(wanted)s")),
    "disguise.open": (
        "number %(key)s of an open block has the mechanism %(value)s",
        "use the mechanism as_answered, or protect the block",
    ),
    "disguise.protected": (
        "number %(key)s of a protected block is sent as answered",
        "choose a mechanism with an epsilon, or make the block open",
    ),
    "disguise.own": (_("question %(key)s has its own disguise"), _("leave it out")),
    "disguise.unbounded": (
        _("block %(block)s: %(value)s has no bound, because some outputs rule answers out"),
        _("choose a mechanism with an epsilon, or mark the design as a study"),
    ),
    "empty_block": (_("block %(key)s has no questions"), _("add a question, or remove the block")),
    "empty_design": ("the design has no blocks", "add at least one block"),
    "group": ("direct = %(value)s cannot occur under group policy %(policy)r", "follow the group policy"),
    "group_policy": (
        _("no group is drawn under group policy %(value)r"),
        _("drawn groups need the policy 'assigned'"),
    ),
    "half_answered": (
        "protected block %(block)s lacks %(missing)s",
        "answer every question of the block, or skip it if that is allowed",
    ),
    "key": (
        NAME + _("%(value)r is not a key"),
        _('use at most %(longest)s letters, digits, "_", ".", "+" or "-", the first a letter or digit'),
    ),
    "length": ("the body has length %(value)s", "send exactly %(n_bytes)s bytes"),
    "light.disguise": (
        _("the light strength of block %(key)s is %(value)r"),
        _("use a disguise with the same answers and items"),
    ),
    "light.items": (
        _("items of block %(key)s have different random answers under the two strengths"),
        _("give the light disguise the same random answers"),
    ),
    "light.mechanism": (
        _("%(value)s has no lighter version with a given epsilon"),
        _("define the light disguise itself, or leave it out"),
    ),
    "light.missing": (
        _("block %(key)s has no light strength, but other blocks do"),
        _("add one to every protected block, or to none"),
    ),
    "light.open": (_("open block %(key)s has a light strength"), _("leave it out")),
    "light.policy": (
        _("there is a light strength, but no one uses it under group policy %(value)r"),
        _("leave it out, or let respondents choose or be assigned a group"),
    ),
    "light.unbounded": (
        _("block %(key)s: %(value)s has no bound, so it cannot have a second strength"),
        _("remove the light strength, or protect every answer"),
    ),
    "light.weak": (
        _("the light strength of block %(key)s protects as much as the strong one"),
        _("give it a higher bound"),
    ),
    "list": (NAME + _("%(value)r is not a list"), _("use a list")),
    "lone.block": ("%(kind)s %(value)s shares its block with other questions", "give it a separate block"),
    "lone.open": (
        "place %(value)s is in an open block",
        "protect the block, or ask an open single-choice question about districts",
    ),
    "lone": (
        "block %(value)s has no random answers apart from the answer",
        "use the channel of its disguise, and block_budget for its bounds",
    ),
    "malformed.absent": (NAME + _("%(value)r has no effect"), _("leave it out")),
    "malformed.decimal": (
        NAME + _("%(value)r is not a decimal number"),
        _("write it in digits, without leading zeros"),
    ),
    "malformed.item": (_("item = %(value)r has the wrong fields"), _("use key, from and to")),
    "malformed.items": (
        _("%(kind)s %(key)s names %(count)s items, but defines %(declared)s"),
        _("name each of them once, at most %(most)s"),
    ),
    "malformed.keys": (
        NAME + _("%(value)r has the wrong shape"),
        _("use an object with exactly the keys %(keys)s"),
    ),
    "malformed.mapping": (_("answers %(value)r are not a mapping"), _("use the keys of %(kind)s")),
    "malformed.number": (
        _("number = %(value)r has the wrong fields"),
        _("use %(needed)s, and if needed decimals and items"),
    ),
    "malformed.parts": (NAME + _("%(value)r has the wrong fields"), _("use %(keys)s")),
    "malformed.place": (
        _("place = %(value)r has the wrong fields"),
        _("use %(needed)s, and if needed some of %(allowed)s"),
    ),
    "malformed.sensitive": (
        _("%(mechanism)s protects every place, but rectangles are marked"),
        _("remove them, or choose a utility-optimised mechanism"),
    ),
    "malformed.yes_no": (_("yes/no question %(key)s has options %(value)r"), _("remove its options")),
    "mechanism": (
        _("mechanism = %(value)r does not match these blocks"),
        _("leave it out, or use %(needed)s"),
    ),
    "missing_block": (
        "protected block %(block)s was asked but is absent",
        "answer the whole block, or mark it 'skipped' if that is allowed",
    ),
    "no_words": (
        "the stream of random words ended after %(value)s",
        "pass a longer stream: at least as many words as the design draws, and some more for rejected words",
    ),
    "not_a_word": (
        "word %(used)s = %(value)r is not an unsigned 32-bit number",
        "pass whole numbers from 0 to 4294967295",
    ),
    "not_asked": ("block %(block)s is answered, but its asked_if does not hold", "leave out the block"),
    "not_lone": ("block %(value)s has no disguise of its own", "choose a block with a number or a place"),
    "one_of": (NAME + _("%(value)r is unknown"), _("choose one of %(names)s")),
    "option": (
        "%(question)s names option %(value)s, but has %(most)s options",
        "use an option from 0 to %(last)s",
    ),
    "padding": ("the padding is %(value)s", "fill the last byte with zeros"),
    "partly_answered": (
        "block %(block)s is skipped, but %(value)s is absent",
        "send presence bits for all questions of a skipped block",
    ),
    "partly_answered.protected": (
        "protected block %(value)s has %(present)s of %(count)s answers",
        "send a protected block whole",
    ),
    "questions_per_person.all": (
        _("%(key)s: each person is asked %(value)s of %(total)s"),
        _("leave the number out if everyone is asked all of them"),
    ),
    "questions_per_person.none": (
        _("everyone is asked all questions of block %(value)s"),
        _("set how many each person is asked"),
    ),
    "questions_per_person.open": (
        _("open block %(key)s asks each person only %(value)s of its questions"),
        _("protect the block, or ask everyone all its questions"),
    ),
    "questions_per_person.scale": (
        _("block %(key)s has one question and asks each person %(value)s"),
        _("leave the number out; use a rotation to rotate whole blocks"),
    ),
    "questions_per_person.too_many": (
        _("%(key)s: each person is asked %(value)s of %(total)s, which makes %(count)s sets"),
        _(
            "ask each person fewer of these parts, or nearly all; rotate fewer parts, or list the "
            "booklets of a block"
        ),
    ),
    "range.date": (
        NAME + _("%(value)r is not a date of this form"),
        _("use a year from 1000 to 9999, like %(example)s"),
    ),
    "range.decimals": (
        NAME + _("%(value)r has more than %(decimals)s decimals"),
        _("allow more decimals, or round the number"),
    ),
    "range.number": (NAME + _("%(value)r is not a number"), _("enter a number")),
    "real.kind": (NAME + _("%(value)r is not a number"), _("use a number in %(interval)s")),
    "real.range": (NAME + _("%(value)r is outside %(interval)s"), _("use a number in %(interval)s")),
    "real.size": (
        NAME + _("a number of this size is outside %(interval)s"),
        _("use a number in %(interval)s"),
    ),
    "record": (
        "a device that follows the design never sends %(value)r",
        "give each question one of its answers, a skip if that is allowed, and what was drawn",
    ),
    "rectangle.edges": (_("rectangle = %(value)r has the wrong edges"), _("use west, south, east and north")),
    "rectangle.order": (
        _("rectangle %(value)r has its edges in the wrong order"),
        _("make west smaller than east, and south smaller than north"),
    ),
    "rectangle.outside": (_("rectangle %(value)r lies outside the area"), _("move it into the area")),
    "refusal.open": (
        _("open block %(key)s has the skip probability %(value)s"),
        _("leave it out: respondents can skip any unprotected question"),
    ),
    "refused_with_value": (
        "block %(block)s is skipped, but %(question)s has the value bits %(value)s",
        "send zeros for the values of a skipped block",
    ),
    "rotating": (
        "no respondent answers all questions of block %(value)s",
        "use one booklet at a time, with of_booklet",
    ),
    "rotation.open": (
        _("open block %(value)s is part of a rotation"),
        _("protect the block, or remove it from the rotation"),
    ),
    "rotation.parts": (_("a rotation has %(value)r"), _("name at least two blocks")),
    "rotation.sent": (
        _("the answer contains %(value)s of the blocks %(keys)s"),
        _("send the %(wanted)s blocks that were drawn"),
    ),
    "rotation.twice": (_("block %(value)s is in two rotations"), _("keep it in one of them only")),
    "rotation.unknown": (
        _("a rotation names the unknown block %(value)r"),
        _("use some of these blocks: %(known)s"),
    ),
    "routing": ("block %(value)s is present, but its asked_if does not hold", "leave out the block"),
    "shape.record": (
        "the record is %(value)r",
        "use the blocks %(counts)s, each with its answers and whether it is skipped",
    ),
    "skip_not_offered.block": (
        "block %(block)s is 'skipped', but respondents cannot skip it",
        "answer it; for an open block, leave out unanswered questions",
    ),
    "spans.cut": (
        _("item %(value)s from %(start)s to %(end)s cuts through a bin"),
        _("make it run from %(low)s to %(high)s"),
    ),
    "too_few_options": (
        _("question %(key)s is a choice with too few options: %(count)s"),
        _("add options until there are two or more, or make it a yes/no question"),
    ),
    "too_large.design": (_("the design has %(value)s %(name)s"), _("use at most %(most)s %(name)s")),
    "too_large.options": (_("question %(key)s has %(value)s options"), _("use at most %(most)s options")),
    "too_large.patterns": (
        _("block %(block)s has %(value)s patterns"),
        _("use unrelated_probability for each row"),
    ),
    "truth_probability.one": (
        _("block %(block)s: p = 1 (%(scale)s ten-thousandths) protects nothing"),
        _("choose p below 1 (%(scale)s ten-thousandths), or mark the design as a study"),
    ),
    "truth_probability.open": (
        _("open block %(key)s has truth probability %(value)s"),
        _("set it to %(scale)s, or protect the block"),
    ),
    "truth_probability.own_disguise": (
        _("%(kind)s block %(key)s has truth probability %(value)s"),
        _("set it to 0: the question's own disguise does everything"),
    ),
    "truth_probability.zero": (
        _("block %(block)s: p = 0 carries no information"),
        _("choose p > 0, or mark the design as a study"),
    ),
    "truth_value": (NAME + _("%(value)r is neither true nor false"), _("use true or false")),
    "twice": (NAME + _("%(value)r occurs twice"), _("give each its own key")),
    "unknown_item.component": (
        _("%(value)r is a component of %(key)s: devices never send it, so it has no figure"),
        _("use %(key)s, which devices compute from it"),
    ),
    "unknown_item.design": (_("unknown item: %(value)r"), _("use one of %(items_by_key)s")),
    "unknown_key": ("unknown %(kind)s: %(value)r", "use one of %(known)s"),
    "unrelated_probability.number": (
        _("question %(key)s has %(count)s random-answer probabilities: %(value)r"),
        _("give exactly %(n_items)s"),
    ),
    "unrelated_probability.open": (
        _("question %(key)s of open block %(block)s has %(count)s random-answer probabilities"),
        _("remove them"),
    ),
    "unrelated_probability.own_disguise": (
        _("%(kind)s %(key)s has the random-answer probabilities %(value)r"),
        _("leave them out: its own disguise defines them"),
    ),
    "whole.kind": (NAME + _("%(value)r is not a whole number"), _("use one from %(low)s to %(high)s")),
    "whole.range": (
        NAME + _("%(value)s is outside %(low)s..%(high)s"),
        _("use one from %(low)s to %(high)s"),
    ),
    "blocks.exclusive": (
        "the answers lie in blocks %(blocks)s",
        "ask block by block: random answers of different blocks are independent",
    ),
    "combinations": ("%(value)s pairs of answers of a block exclude each other", "allow at most %(most)s"),
    "impossible.observed": ("this value can never be observed", "choose a value that can"),
    "open_block": ("block %(value)s is open and has no random answers", "choose a protected block"),
    "p": ("p = 0 carries no information", "use p above 0"),
    "prevalence.question": (
        _("prevalence of %(question)s = %(value)r"),
        _("give %(n_items)s ten-thousandths, one per item"),
    ),
    "prior.sum": (
        "the priors add up to %(total)g, and the smallest is %(least)g",
        "use shares of 0 or more that add up to exactly 1",
    ),
    "rho.order": (
        _("rho1 = %(rho1)s and rho2 = %(rho2)s are in the wrong order"),
        _("choose 0 < rho1 < rho2 < 1"),
    ),
    "rho1": ("rho1 = %(value)s is outside [0, 1)", "use a share below 1"),
    "share": ("%(name)s = %(value)s is not a share", "use a number from 0 to 1"),
    "stored_audit": ("the stored audit cannot be read: %(error)s", "run the audit again"),
    "drawn": ("a device never draws %(value)r", "draw the questions with draw_questions"),
    "shares_sum": (_("the shares of %(key)s add up to %(value)s"), _("make them add up to %(scale)s")),
}
