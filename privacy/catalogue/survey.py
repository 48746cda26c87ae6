"""Refusals of designs and answers, and of single values everywhere."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import NAME
from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "absent_with_value": (
        "%(question)s is absent, yet has value bits %(value)s",
        "send zeros for a question that is absent",
    ),
    "answer.entries": (
        "%(name)s = %(value)r does not have one entry per option",
        "give a list of %(count)s entries, each 0 or 1",
    ),
    "asked_if": (_("asked_if on %(question)s names no option"), _("name the options that lead to the block")),
    "asked_if.few": (
        _("asked_if joins %(value)s conditions by %(joined)r"),
        _("join two or more, or write one without all and any"),
    ),
    "asked_if.later": (
        _("asked_if of block %(block)s on %(value)r: that question is not asked earlier"),
        _("let it depend on a question of an earlier block"),
    ),
    "asked_if.number": (
        _("asked_if of block %(block)s on %(value)r: that question asks for a number"),
        _("let it depend on a single choice, with one option for each range"),
    ),
    "asked_if.option": (
        _("asked_if of block %(block)s on %(question)r: option %(value)r is unknown"),
        _("use options out of %(known)s"),
    ),
    "asked_if.protected": (
        _(
            "asked_if of block %(block)s on %(value)r: that question is protected, its decoys would "
            "give themselves away"
        ),
        _("let it depend on an open question"),
    ),
    "anchor.block": (
        "anchor in block %(value)s, which is open or asks more",
        "give it a protected block of its own, with one question of yes or no",
    ),
    "arms.block": (
        _("question of arms in block %(value)s, which has conditions, turns or other questions"),
        _("give it a part of its own, asked of everybody"),
    ),
    "arms.key": (_("a question of arms has the key %(value)r"), _("choose another: strengths are called so")),
    "arms.kind": (
        _("question %(key)s of kind %(value)r has arms"),
        _("make it a single choice of an open block"),
    ),
    "arms.many": (_("there are %(value)s questions of arms"), _("keep at most %(most)s")),
    "arms.missing": (_("question %(value)s has no arm"), _("send the one that was drawn")),
    "arms.number": (_("question %(key)s has %(value)s shares of arms"), _("give %(count)s, one per option")),
    "arms.options": (_("question %(key)s has %(value)s arms"), _("keep at most %(most)s")),
    "arms.sum": (_("the shares of the arms of %(key)s sum to %(value)s"), _("make them add up to %(scale)s")),
    "instance": (NAME + _("%(value)r is no %(wanted)s"), _("give a %(wanted)s")),
    "invited_arm": (
        _("the invitation cannot decide %(value)r"),
        _("name a question of arms, or the strength where two are assigned: %(known)s"),
    ),
    "invited_arm.share": (
        _("of 50 rows fewer than 5 would have the rarer strength, whose share is %(value)s"),
        _("give each strength %(least)s to %(most)s, or let devices draw it"),
    ),
    "asked_if.several": (
        _("asked_if of block %(block)s on %(value)r: that question allows several options"),
        _("let it depend on a yes/no or single-choice question"),
    ),
    "asked_if.unknown": (
        _("asked_if of block %(block)s on %(value)r: there is no such question"),
        _("name an open question"),
    ),
    "blocks.items": (
        "items %(value)s lie in %(count)s blocks",
        "ask block by block: random answers of different blocks are independent",
    ),
    "booklet": (
        "block %(block)s is sent with questions %(value)r, which no device draws",
        "send the %(size)s questions of one booklet",
    ),
    "booklets.alone": (
        _("block %(key)s lists booklets, yet asks all its questions"),
        _("say how many questions each person is asked"),
    ),
    "booklets.never": (
        _("question %(value)s of block %(key)s stands in no booklet"),
        _("put it into a booklet, or take it out of the block"),
    ),
    "booklets.number": (
        _("block %(key)s lists %(value)s booklets"),
        _("list 2 to %(most)s, or none where all sets are meant"),
    ),
    "booklets.order": (
        _("booklet %(value)r of block %(key)s comes after %(before)r"),
        _("list each booklet once, in ascending order"),
    ),
    "booklets.shape": (
        _("booklet %(value)r of block %(key)s is no set of its questions"),
        _("list %(size)s positions in ascending order"),
    ),
    "direct_share.policy": (
        _("direct share = %(value)r is given under policy %(policy)r"),
        _("leave it out: only an assigned group is drawn"),
    ),
    "disguise.as_answered": (
        "the mechanism as_answered has other weights than the identity",
        "use window 1, peak 1 and 0 for all other weights, or another name",
    ),
    "disguise.items": (
        _("items of %(key)s do not follow the law p [x = y] + (1 - p) q under this disguise"),
        _(
            "declare no items, or disguise so that they do: a number by keeping it or drawing any, a "
            "place with regions that hold each window wholly or not at all"
        ),
    ),
    "disguise.kind": (_("%(kind)s %(key)s has the disguise %(value)r"), _("give a %(wanted)s")),
    "disguise.open": (
        "number %(key)s of an open block has the mechanism %(value)s",
        "use the mechanism as_answered, or protect the block",
    ),
    "disguise.protected": (
        "number %(key)s of a protected block is sent as answered",
        "choose a mechanism with an epsilon, or open the block",
    ),
    "disguise.own": (_("question %(key)s has a disguise of its own"), _("leave it out")),
    "disguise.unbounded": (
        _("block %(block)s: %(value)s has no bound: some outputs rule answers out"),
        _("choose a mechanism with an epsilon, or declare the design a study"),
    ),
    "drawn": ("no device draws the questions %(value)r", "draw them with draw_questions"),
    "drawn.missing": ("which questions were asked is not said", "draw them first, with draw_questions"),
    "empty_block": (_("block %(key)s has no question"), _("give it a question or drop the block")),
    "empty_design": ("the design has no block", "give it at least one block"),
    "group": ("direct = %(value)s cannot occur under group policy %(policy)r", "follow the group policy"),
    "group_policy": (_("under group policy %(value)r no group is drawn"), _("draw only under 'assigned'")),
    "half_answered": (
        "protected block %(block)s lacks %(missing)s",
        "answer every question of the block, or skip it where that is offered",
    ),
    "key": (
        NAME + _("%(value)r is not a key"),
        _('use at most %(longest)s letters, digits, "_", ".", "+" or "-", the first a letter or digit'),
    ),
    "length": ("the body has length %(value)s", "send exactly %(n_bytes)s bytes"),
    "light.disguise": (
        _("the light strength of block %(key)s is %(value)r"),
        _("give a disguise of the same answers and items"),
    ),
    "light.items": (
        _("items of block %(key)s do not follow one law under both strengths"),
        _("give the light disguise the same decoys"),
    ),
    "light.mechanism": (
        _("there is no lighter %(value)s with a given epsilon"),
        _("give the light disguise itself, or leave it out"),
    ),
    "light.missing": (
        _("block %(key)s has no light strength and others have"),
        _("give one to every protected block, or to none"),
    ),
    "light.open": (_("open block %(key)s has a light strength"), _("leave it out")),
    "light.plan": (
        _("the direct group with p = %(value)s is disguised more strongly than the protected one with %(p)s"),
        _("give it a higher p, 1 without a disguise"),
    ),
    "light.policy": (
        _("there is a light strength, and under group policy %(value)r nobody follows it"),
        _("leave it out, or let the group be chosen or drawn"),
    ),
    "light.unbounded": (
        _("block %(key)s: %(value)s has no bound, beside which there is no second strength"),
        _("leave the light strength out, or protect every answer"),
    ),
    "light.weak": (
        _("the light strength of block %(key)s hides as much as the strong one"),
        _("give it a higher bound"),
    ),
    "list": (NAME + _("%(value)r is not a list"), _("give a list")),
    "lone.block": ("%(kind)s %(value)s is not alone in its block", "give it a block of its own"),
    "lone.open": (
        "place %(value)s is in an open block",
        "protect the block, or ask openly for one of several districts, as a single choice",
    ),
    "lone": (
        "block %(value)s has no decoys apart from the answer",
        "ask the channel of its disguise, and block_budget for its bounds",
    ),
    "malformed.absent": (NAME + _("%(value)r"), _("leave it out where it says nothing")),
    "malformed.decimal": (NAME + _("%(value)r is no decimal text"), _("write digits, without leading zeros")),
    "malformed.item": (_("item = %(value)r has other parts"), _("give key, from, to")),
    "malformed.items": (
        _("%(kind)s %(key)s names %(count)s items and says where %(declared)s are"),
        _("name each of them once, at most %(most)s"),
    ),
    "malformed.keys": (
        NAME + _("%(value)r has another shape"),
        _("give an object with exactly the keys %(keys)s"),
    ),
    "malformed.mapping": (_("answers %(value)r are no mapping"), _("map %(kind)s keys")),
    "malformed.number": (
        _("number = %(value)r has other parts"),
        _("give %(needed)s, and decimals and items where needed"),
    ),
    "malformed.parts": (NAME + _("%(value)r has other parts"), _("give %(keys)s")),
    "malformed.place": (
        _("place = %(value)r has other parts"),
        _("give %(needed)s, and of %(allowed)s what is needed"),
    ),
    "malformed.sensitive": (
        _("%(mechanism)s protects every place, yet rectangles are marked"),
        _("leave them out, or choose a utility-optimised mechanism"),
    ),
    "malformed.yes_no": (_("yes/no question %(key)s has options %(value)r"), _("leave its options empty")),
    "mechanism": (
        _("mechanism = %(value)r is not that of these blocks"),
        _("leave it out, or give %(needed)s"),
    ),
    "missing_block": (
        "protected block %(block)s is asked but absent",
        "answer it whole, or say 'skipped' where that is offered",
    ),
    "no_words": (
        "the random words ended after %(value)s",
        "pass a longer stream: at least the design's number of draws, and some more for skipped words",
    ),
    "not_a_word": (
        "word %(used)s = %(value)r is not an unsigned 32-bit number",
        "pass whole numbers from 0 to 4294967295",
    ),
    "not_asked": ("block %(block)s is answered though its asked_if does not hold", "leave the block out"),
    "not_lone": ("block %(value)s has no disguise of its own", "ask a block of a number or a place"),
    "one_of": (NAME + _("%(value)r is unknown"), _("choose one of %(names)s")),
    "option": ("%(question)s names option %(value)s of %(most)s", "name one from 0 to %(last)s"),
    "padding": ("the padding is %(value)s", "fill the last byte with zeros"),
    "partly_answered": (
        "block %(block)s is skipped, yet %(value)s is absent",
        "send presence bits for all questions of a skipped block",
    ),
    "partly_answered.protected": (
        "protected block %(value)s has %(present)s of %(count)s answers",
        "send a protected block whole",
    ),
    "questions_per_person.all": (
        _("%(value)s of the %(total)s of %(key)s are asked of each person"),
        _("leave the number out where all are asked"),
    ),
    "questions_per_person.none": (
        _("all questions of block %(value)s are asked of everybody"),
        _("say how many each person is asked"),
    ),
    "questions_per_person.open": (
        _("open block %(key)s asks each person %(value)s of its questions"),
        _("protect the block, or ask everybody all of them"),
    ),
    "questions_per_person.scale": (
        _("block %(key)s holds one question and asks each person %(value)s"),
        _("leave it out; whole blocks rotate by a rotation"),
    ),
    "questions_per_person.too_many": (
        _("of %(key)s each person is asked %(value)s of %(total)s, which makes %(count)s sets"),
        _("ask each person fewer of them, or nearly all; let fewer take turns, or list a block's booklets"),
    ),
    "range.date": (
        NAME + _("%(value)r is not a date of this form"),
        _("write one of the years 1000 to 9999, like %(example)s"),
    ),
    "range.decimals": (
        NAME + _("%(value)r has more than %(decimals)s decimals"),
        _("allow more, or round it"),
    ),
    "range.number": (NAME + _("%(value)r is not a number"), _("give a number")),
    "real.kind": (NAME + _("%(value)r is not a number"), _("give a number in %(interval)s")),
    "real.range": (NAME + _("%(value)r is outside %(interval)s"), _("give a number in %(interval)s")),
    "real.size": (
        NAME + _("a number of this size is outside %(interval)s"),
        _("give a number in %(interval)s"),
    ),
    "record": (
        "no device that follows the design sends %(value)r",
        "give each question an answer that it has, a skip where it is offered, and what was drawn",
    ),
    "rectangle.edges": (_("rectangle = %(value)r has other edges"), _("give west, south, east and north")),
    "rectangle.order": (
        _("rectangle %(value)r has its edges in the wrong order"),
        _("give west below east and south below north"),
    ),
    "rectangle.outside": (_("rectangle %(value)r lies outside the area"), _("move it into the area")),
    "refusal.open": (
        _("open block %(key)s has refusal %(value)s"),
        _("leave it out: any open question may stay empty"),
    ),
    "refused_with_value": (
        "block %(block)s is skipped, yet %(question)s has value bits %(value)s",
        "send zeros for the values of a skipped block",
    ),
    "rotating": ("no device answers all of block %(value)s", "ask booklet by booklet, with of_booklet"),
    "rotation.open": (_("open block %(value)s is in a rotation"), _("protect the block, or take it out")),
    "rotation.parts": (_("a rotation of %(value)r"), _("name at least two blocks")),
    "rotation.sent": (
        _("%(value)s of the blocks %(keys)s are sent"),
        _("send the %(wanted)s that were drawn"),
    ),
    "rotation.twice": (_("block %(value)s is in two rotations"), _("keep it in one of them")),
    "rotation.unknown": (
        _("a rotation names %(value)r, which is no block"),
        _("name blocks out of %(known)s"),
    ),
    "routing": ("block %(value)s is present though its asked_if does not hold", "leave the block out"),
    "shape.record": (
        "the record is %(value)r",
        "give the blocks %(counts)s answers, and each whether it is skipped",
    ),
    "shares_sum.decoys": (
        _("the decoy shares of %(key)s sum to %(total)s"),
        _("make them add up to %(scale)s"),
    ),
    "skip_not_offered.block": (
        "block %(block)s is 'skipped' though it offers no skip",
        "answer it; of an open block leave out what is not answered",
    ),
    "spans.cut": (
        _("item %(value)s from %(start)s to %(end)s cuts a bin"),
        _("let it go from %(low)s to %(high)s"),
    ),
    "too_few_options": (
        _("question %(key)s is a choice with too few options: %(count)s"),
        _("give it at least two options, or ask it as yes/no"),
    ),
    "too_large.design": (_("the design has %(value)s %(name)s"), _("keep to at most %(most)s %(name)s")),
    "too_large.options": (_("question %(key)s has %(value)s options"), _("give it at most %(most)s options")),
    "too_large.patterns": (
        _("block %(block)s has %(value)s patterns"),
        _("use unrelated_probability, row by row"),
    ),
    "truth_probability.one": (
        _("block %(block)s: p = %(scale)s protects nothing"),
        _("choose p < %(scale)s, or declare the design a study"),
    ),
    "truth_probability.open": (
        _("open block %(key)s has truth probability %(value)s"),
        _("set it to %(scale)s, or protect the block"),
    ),
    "truth_probability.own_disguise": (
        _("%(kind)s block %(key)s has truth probability %(value)s"),
        _("set it to 0: the disguise of the question does everything"),
    ),
    "truth_probability.zero": (
        _("block %(block)s: p = 0 carries no information"),
        _("choose p > 0, or declare the design a study"),
    ),
    "truth_value": (NAME + _("%(value)r is neither true nor false"), _("give true or false")),
    "twice": (NAME + _("%(value)r occurs twice"), _("give each its own key")),
    "unknown_item.design": (_("item %(value)r is unknown"), _("use one of %(items_by_key)s")),
    "unknown_key": ("%(kind)s %(value)r is unknown", "use one of %(known)s"),
    "unrelated_probability.number": (
        _("question %(key)s has %(count)s unrelated probabilities %(value)r"),
        _("give exactly %(n_items)s"),
    ),
    "unrelated_probability.open": (
        _("question %(question)s of open block %(block)s has %(count)s unrelated probabilities"),
        _("leave them empty"),
    ),
    "unrelated_probability.own_disguise": (
        _("%(kind)s %(key)s has unrelated probabilities %(value)r"),
        _("leave them empty: its disguise says everything"),
    ),
    "unrelated_probability.protected": (
        _("question %(question)s of protected block %(block)s has %(count)s unrelated probabilities"),
        _("give %(wanted)s"),
    ),
    "whole.kind": (NAME + _("%(value)r is not a whole number"), _("give one from %(low)s to %(high)s")),
    "whole.range": (
        NAME + _("%(value)s is outside %(low)s..%(high)s"),
        _("give one from %(low)s to %(high)s"),
    ),
}
