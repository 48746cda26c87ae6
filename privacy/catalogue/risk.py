"""Errors of priors, adversaries and risks."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "block_sizes": ("the blocks have %(total)s questions in total", "plan 1 to %(most)s questions"),
    "blocks.exclusive": (
        "the answers lie in blocks %(blocks)s",
        "ask block by block: random answers of different blocks are independent",
    ),
    "column_sum.distribution": ("a column is not a probability distribution", "make every column sum to 1"),
    "combinations": (
        "%(value)s pairs of answers of a block exclude each other",
        "allow at most %(most)s",
    ),
    "ceilings": (
        "with odds limited to %(value)g, no question can be asked",
        "ask fewer questions, or choose lighter protection",
    ),
    "counts.outputs": ("there are %(value)s counts", "pass one count for each of %(outputs)s outputs"),
    "decoy": ("q = %(value)s is not a probability", "use one in (0, 1]"),
    "gamma": ("gamma = %(value)s is below 1", "use 1 or more"),
    "impossible.observed": ("this value can never be observed", "choose a value that can"),
    "no_rows.disguised": (_("there are 0 disguised rows"), _("wait for answers")),
    "open_block": ("block %(value)s is open and has no random answers", "choose a protected block"),
    "p": ("p = 0 carries no information", "use p above 0"),
    "prevalence.blocks": (
        _("%(count)s prevalences are given for %(blocks)s blocks"),
        _("give one for all questions, or one for each block"),
    ),
    "prevalence.question": (
        _("prevalence of %(question)s = %(value)r"),
        _("give %(n_items)s ten-thousandths, one per item"),
    ),
    "prior.distribution": ("the prior is not a probability distribution", "use shares that add up to 1"),
    "prior.sum": (
        "the priors add up to %(total)g, and the smallest is %(least)g",
        "use shares of 0 or more that add up to exactly 1",
    ),
    "rho.order": (
        _("rho1 = %(rho1)s and rho2 = %(rho2)s are in the wrong order"),
        _("choose 0 < rho1 < rho2 < 1"),
    ),
    "rho1": ("rho1 = %(value)s is outside [0, 1)", "use a share below 1"),
    "shape.channel": ("a channel cannot have the shape %(value)s", "pass a matrix"),
    "shape.observed": (
        "%(value)s cells, %(rows)s rows and %(counts)s counts do not match",
        "pass one of each for every entry",
    ),
    "shape.priors": (
        "there are %(value)s priors for %(count)s true values",
        "pass one prior for each true value",
    ),
    "share": ("%(name)s = %(value)s is not a share", "use a number from 0 to 1"),
    "share.arms": ("both arms have the share %(value)s", "give the arms different shares"),
    "shares_sum.prevalences": (
        _("the prevalences of %(question)s add up to %(total)s"),
        _("make them add up to %(scale)s"),
    ),
    "stored_audit": ("the stored audit cannot be read: %(error)s", "run the audit again"),
    "too_large.block": (
        _("the block can send more than %(count)s different rows"),
        _("use entropy_bound, or smaller blocks"),
    ),
    "too_large.channel": (_("the channel has %(value)s entries"), _("use at most %(largest)s")),
}
