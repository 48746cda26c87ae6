"""The sentences of the builder's panel for those who know another design of randomised response."""

from __future__ import annotations

from django.utils.translation import gettext as _


def other_design_texts() -> dict[str, str]:
    """Return the sentences by key, translated."""
    return {**_designs(), **_chances(), **_finding_texts(), **_refused()}


def _designs() -> dict[str, str]:
    return {
        "design_known": _("I know another design"),
        "design_about": _(
            "Every design for a yes/no question is a pair of chances: how often the answer is sent as given "
            "(p), "
            "and how often a drawn answer is “yes” (θ). Here is yours in these words. No question changes "
            "its kind."
        ),
        "design_which": _("The design that I know"),
        "design_warner": _("Warner: a statement or its opposite"),
        "design_forced": _("Forced response: a die says yes, no or the truth"),
        "design_kuk": _("Kuk: two packs of cards"),
        "design_unrelated": _("Unrelated question"),
        "design_crosswise": _("Crosswise: are both answers the same?"),
        "design_mangat": _("Mangat: the truth first, then Warner"),
        "design_triangular": _("Triangular: “no” to both, or not"),
    }


def _chances() -> dict[str, str]:
    return {
        "design_chance_hint": _("A percentage such as 16.67, or a fraction such as 1/6."),
        "design_warner_p": _("Chance of the statement that is asked about"),
        "design_forced_yes": _("Chance that “yes” is forced"),
        "design_forced_no": _("Chance that “no” is forced"),
        "design_kuk_yes": _("Red cards in the pack of those who have it"),
        "design_kuk_no": _("Red cards in the pack of the others"),
        "design_unrelated_p": _("Chance of the sensitive question"),
        "design_unrelated_theta": _("Share of “yes” to the other question"),
        "design_crosswise_p": _("Share of “yes” to the harmless question"),
        "design_mangat_p": _("Chance that the others say what is true"),
        "design_triangular_p": _("Share of “yes” to the harmless question"),
    }


def _finding_texts() -> dict[str, str]:
    return {
        "design_is": _("In Sotto: p {p} %, θ {theta} %. One question alone has ε {epsilon}."),
        "design_turned": _(
            "Its “no” is Sotto's “yes”: with these chances the design tells lies more often than the truth."
        ),
        "design_even": _(
            "At the same ε no θ is more precise than 50 %. There {needed} answers would tell as much as 100 "
            "of "
            "this design, if 20 % have it."
        ),
        "design_best": _("At the same ε no θ is more precise than 50 %, which this design has."),
        "design_take": _("Take p and θ into this part"),
        "design_back": _("This part in other designs"),
        "design_part": _("p {p} % and θ {theta} %, ε {epsilon} for one question alone, is:"),
        "design_only_even": _("only with θ 50 %: it treats “yes” and “no” alike"),
        "design_coin": _(
            "A device's coin cannot be disobeyed, so designs that look for cheats are for paper. Who lies "
            "before "
            "the coin is invisible to every design."
        ),
        "design_list": _(
            "List experiments are not offered on a device. Who counts none or all of a list has told every "
            "answer."
        ),
    }


def _refused() -> dict[str, str]:
    return {
        "design_wrong": _(
            "Write a percentage from 0 to 100 with two decimals at most, or a fraction such as 1/6."
        ),
        "design_no_over": _(
            "More answers are forced than there are. Let both chances together stay below 100 %."
        ),
        "design_no_constant": _("With these chances a report says nothing. Choose others."),
        "design_no_certain_no": _(
            "With this design one report is certain: nobody who has it can say “no”, so every “no” is true. "
            "Its ε "
            "is infinite, and Sotto does not offer it. Choose one where both answers can come from everybody."
        ),
        "design_no_certain_yes": _(
            "With this design one report is certain: only one kind of person can say “yes”. Its ε is "
            "infinite, and "
            "Sotto does not offer it. Choose one where both answers can come from everybody."
        ),
        "design_no_certain": _(
            "With these chances every report is the truth or its opposite, and nothing is hidden."
        ),
        "design_no_fine": _("One of Sotto's chances would be below 0.01 % or above 99.99 %. Choose others."),
    }
