"""Errors of priors, adversaries and risks."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "block_sizes": ("blocks of %(total)s questions together", "plan 1 to %(most)s questions"),
    "blocks.exclusive": (
        "the answers lie in blocks %(blocks)s",
        "ask block by block: decoys of different blocks are independent",
    ),
    "column_sum.distribution": ("some column is no distribution", "make every column sum to 1"),
    "combinations": (
        "%(value)s pairs of answers of a block exclude each other",
        "make it at most %(most)s",
    ),
    "ceilings": (
        "within odds of %(value)g nothing can be asked",
        "ask fewer questions, or choose a lighter protection",
    ),
    "counts.outputs": ("%(value)s counts", "give one for each of %(outputs)s outputs"),
    "decoy": ("q = %(value)s is no chance", "give one in (0, 1]"),
    "gamma": ("gamma = %(value)s is below 1", "give 1 or more"),
    "impossible.observed": ("this value cannot be observed", "ask about one that can"),
    "no_rows.disguised": (_("0 disguised rows"), _("wait for answers")),
    "open_block": ("block %(value)s is open and has no decoys", "ask a protected block"),
    "p": ("p = 0 carries no information", "choose p above 0"),
    "prevalence.blocks": (
        _("%(count)s prevalences for %(blocks)s blocks"),
        _("state one for all questions, or one for each block"),
    ),
    "prevalence.question": (
        _("prevalence of %(question)s = %(value)r"),
        _("state %(n_items)s ten-thousandths, one per item"),
    ),
    "prior.distribution": ("the prior is no distribution", "give shares that sum to 1"),
    "prior.sum": (
        "the priors sum to %(total)g, the least is %(least)g",
        "give shares of 0 and more that sum to 1 exactly",
    ),
    "rho.order": (_("rho1 = %(rho1)s, rho2 = %(rho2)s are not in order"), _("give 0 < rho1 < rho2 < 1")),
    "rho1": ("rho1 = %(value)s is outside [0, 1)", "give a share below 1"),
    "shape.channel": ("shape %(value)s is no channel", "give a matrix"),
    "shape.observed": (
        "%(value)s cells, %(rows)s rows and %(counts)s counts do not match",
        "give one of each for every entry",
    ),
    "shape.priors": ("%(value)s priors for %(count)s true values", "give one prior for each true value"),
    "share": ("%(name)s = %(value)s is no share", "give one from 0 to 1"),
    "share.arms": ("both arms have the share %(value)s", "give the arms shares that differ"),
    "shares_sum.prevalences": (
        _("the prevalences of %(question)s sum to %(total)s"),
        _("make them sum to %(scale)s"),
    ),
    "stored_audit": ("the stored audit cannot be read: %(error)s", "make it again"),
    "too_large.block": (
        _("the block has more than %(count)s kinds of rows"),
        _("use entropy_bound, or smaller blocks"),
    ),
    "too_large.channel": (_("a channel of %(value)s entries"), _("give at most %(largest)s")),
}
