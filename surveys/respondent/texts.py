"""What the respondents' client says behind its first screen, in the language of the page.

The client belongs to no survey, so it carries all of Sotto's sentences; those of a survey come with its
documents. A name in braces is filled in by the browser.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.respondent.first_texts import UNASKED
from surveys.respondent.label_texts import label_texts, translated
from surveys.respondent.outcome_texts import DELIVERY, DELIVERY_INVITED
from surveys.respondent.scale_texts import SCALE

__all__ = ["instead_texts", "later_texts", "rare_texts"]

LATER: Final = {
    # Buttons and answers.
    "change": _("Change"),
    "skip": _("Skip these questions"),
    "answer_after_all": _("Answer these questions"),
    "clear": _("Clear this answer"),
    "progress": _("Question {number} of {total}"),
    "yes": _("Yes"),
    "no": _("No"),
    "none": _("None of these"),
    "open": _("Sent as it is"),
    # The coins, tried.
    "trial": _("Try it"),
    "trial_question": _("Did you have tea this morning?"),
    "trial_hint": _("Nothing is sent."),
    "trial_true": _("as you answered"),
    "trial_chance": _("random"),
    "trial_said": _(
        "{count} of {draws} times this device sent your answer, otherwise a random one. For real it does so "
        "once, and nobody sees which it was."
    ),
    # All questions on one page.
    "whole_title": _("All questions"),
    "whole_text": _("Nothing is sent before you have looked your answers over."),
    "whole_continue": _("Look it over"),
    "whole_more": _("A part was added below, because of what you answered."),
    "whole_less": _("A part below was taken away, because of what you answered."),
    # Before the questions of a part.
    "part": _("Part {number} of {total}"),
    "block_open": _("Stored exactly as you answer. You can skip any question."),
    "block_one": _("This device sends your answer {often}, otherwise one that it makes up."),
    "block_many": _("This device sends your {questions} answers {often}, otherwise ones that it makes up."),
    "block_innocent": _(
        "Of 100 people of whom it is not true, {n} send “yes” all the same. It proves nothing."
    ),
    "block_innocent_least": _(
        "Of 100 people of whom it is not true, at least {n} send “yes” all the same. It proves nothing."
    ),
    "block_exact": _("It sends your answer exactly {truth} times in 100."),
    "often_about": _("about {often}"),
    "often_half": _("half the time"),
    "often_once": _("once in {b} times"),
    "often_times": _("{a} times in {b}"),
    "block_skip": _("You may skip this: nobody can be sure that you did."),
    "block_skipped": _("You have skipped this part."),
    "error_choose": _("Choose an answer to go on."),
    "error_tick": _("Tick what applies, or “None of these”, to go on."),
    "error_or_skip": _("You can also skip these questions."),
    "hint_multi": _("Tick all that apply, or “None of these”."),
    "hint_open": _("You may leave this empty."),
    "block_exclusive": _(
        "Some answers here cannot both be true. Where random answers contradict each other, anyone can see "
        "that they were random. All other answers are then a little more likely to be true."
    ),
    "block_rotating": _("You are asked {count} of these {questions} questions. Other people get others."),
    "block_show": _("Show my questions"),
    "error_show": _("Show your questions to go on."),
    "block_whole": _(
        "Every question here needs an answer. If you would rather not answer, close this page: nothing has "
        "been sent."
    ),
    "odds_worst": _("This is the worst case, the answers that would tell the most about you:"),
    # The review.
    "review_title": _("Look it over, then send"),
    "review_text": _("These are your answers. Nothing has been sent yet."),
    "review_skipped": _("Skipped"),
    "review_empty": _("Left empty"),
    "seal_protected": _(
        "Pressing the button disguises your answers once, deletes the real ones and sends the disguised "
        "ones. You cannot undo it."
    ),
    "seal": _("Disguise and send"),
    "sealing": _("Sending"),
    "seal_failed_title": _("This device has no room for your answers"),
    "seal_failed": _(
        "Nothing was sent. Your answers are disguised already, and stay as they are. Make room on this "
        "device, then try again here. Closing this page loses your answers."
    ),
    "seal_not_drawn": _(
        "Nothing was sent, and nothing is disguised yet. Make room on this device, then try again here. "
        "Closing this page loses your answers."
    ),
    "seal_open": _("Pressing the button sends your real answers and deletes them here. You cannot undo it."),
    "sent_open": _("Nothing is disguised in this survey: these are your real answers."),
    # What was sent.
    "sent_what": _("What was sent"),
    "sent_protected": _("These may not be your real answers. This page no longer has your real ones."),
    "sent_skipped": _("Skipped"),
    "sent_not_asked": _("Not asked"),
    "sent_empty": _("Left empty"),
    "bits": _("Every bit of it"),
    "bits_text": _(
        "These bits are all that is said about your answers. With them went the survey’s name, the number of "
        "its design, a random key, and 64 random digits. The key tells a repetition from a second answer. "
        "Nobody keeps those digits."
    ),
    "bits_column": _("Bits"),
    "bits_meaning": _("What they say"),
    "bits_group_0": pgettext_lazy("mark of a question", "Disguised"),
    "bits_presence_0": _("Not asked, or left empty"),
    "bits_presence_1": _("Asked, and not left empty"),
    "bits_value_none": _("No answer"),
    "bits_refusal_0": _("Part not skipped"),
    "bits_refusal_1": _("Part skipped"),
    "bits_padding_0": _("Filling up the last byte, always 0"),
    "receipt": _("Receipt"),
    "receipt_text": _(
        "Keep this number only if it is all right that people learn you took part. It does not say what you "
        "answered."
    ),
}

RARE: Final = {
    # How to answer.
    "group_title": _("How do you want to answer?"),
    "group_text": _(
        "Both ways help this survey. You cannot change this later, and we can see which one you chose."
    ),
    "group_error": _("Choose one of the two ways to go on."),
    "assigned_title": _("How your answers will be sent"),
    "group_protected": pgettext_lazy("mark of a question", "Disguised"),
    "group_protected_hint": _("This device scrambles my answers before it sends them."),
    "group_direct": _("Directly"),
    "group_direct_hint": _("My real answers are stored. People who work with the database can read them."),
    "group_settled_protected": _(
        "You chose to answer disguised. You have seen sensitive questions since, so this stays."
    ),
    "group_settled_direct": _(
        "You chose to answer directly. You have seen sensitive questions since, so this stays."
    ),
    "assigned_protected": _("This device chose at random: disguised."),
    "assigned_direct": _("This device chose at random: directly."),
    "assigned_text": _(
        "In this survey {share} of 100 devices answer directly, so that both ways can be compared. We can "
        "see which way it is. Until you send, only this open page knows."
    ),
    "assigned_protected_text": _(
        "Your answers to sensitive questions are scrambled before they leave this device."
    ),
    "assigned_direct_text": _(
        "Your real answers are stored. People who work with the database can read them. If you would rather "
        "not, close this page: nothing has been sent."
    ),
    "block_direct": _("You answer directly: your real answers are stored."),
    "block_skip_direct": _("You may skip this."),
    "seal_direct": _(
        "Pressing the button sends your real answers and deletes them here. You cannot undo it."
    ),
    "sent_direct": _("You answered directly: these are your real answers."),
    "bits_group_1": _("Answered directly"),
    # An explanation once more.
    "again_title": _("Once more, in short"),
    "again": _("Your device sends your answer, or one that it makes up. A “yes” proves nothing about you."),
    # A preview.
    "rehearsed_title": _("This was a preview"),
    "rehearsed": _("Nothing was sent or kept. Below is what would have been sent."),
    # Back to a panel.
    "panel_title": _("Back to those who invited you"),
    "panel_about": _(
        "The link tells {host} that you took part, and your number there. It tells nothing of what you "
        "answered."
    ),
    "panel_back": _("Back to {host}"),
    "panel_code": _("Give them this code. It is the same for everybody who has sent answers."),
    "panel_unknown": _("The link that led you here had no number in it. Tell {host} that you took part."),
}

INVITED: Final = {
    "bits_text": _(
        "These bits are all that is said about your answers. With them went the survey’s name, the number of "
        "its design, your code, and 64 random digits. Nobody keeps those digits. The bits are stored apart "
        "from the code."
    ),
}

LIGHT: Final = {
    "disguised": _("Strongly disguised"),
    "disguised_lightly": _("Lightly disguised"),
    "group_protected": _("Strongly disguised"),
    "group_protected_hint": _("This is safer for you."),
    "group_direct": _("Lightly disguised"),
    "group_direct_hint": _("This is more exact for the survey, and less safe for you."),
    "group_settled_protected": _(
        "You chose the strong disguise. You have seen sensitive questions since, so this stays."
    ),
    "group_settled_direct": _(
        "You chose the light disguise. You have seen sensitive questions since, so this stays."
    ),
    "assigned_protected": _("This device chose at random: strongly disguised."),
    "assigned_direct": _("This device chose at random: lightly disguised."),
    "assigned_text": _(
        "In this survey {share} of 100 devices disguise lightly, so that the results become more exact. We "
        "can see which way it is. Until you send, only this open page knows."
    ),
    "assigned_protected_text": _(
        "Your answers to sensitive questions are scrambled before they leave this device."
    ),
    "assigned_direct_text": _(
        "Your answers to sensitive questions are scrambled a little before they leave this device. If you "
        "would rather not, close this page: nothing has been sent."
    ),
    "bits_group_0": _("Strongly disguised"),
    "bits_group_1": _("Lightly disguised"),
}

DECIDED: Final = {
    "assigned_protected": _("Your invitation decides: strongly disguised."),
    "assigned_direct": _("Your invitation decides: lightly disguised."),
    "assigned_text": _(
        "In this survey {share} of 100 invitations disguise lightly, so that both ways can be compared. We "
        "can see which way it is."
    ),
}


def later_texts() -> dict[str, str]:
    """Return the sentences that any survey can come to say, by key, translated."""
    return translated(LATER | SCALE | DELIVERY) | label_texts()


def rare_texts() -> dict[str, str]:
    """Return those of a survey that is not asked, or has what few surveys have."""
    return translated(UNASKED | RARE)


def instead_texts() -> dict[str, dict[str, str]]:
    """Return by the name of a kind of surveys what is said there instead, or besides."""
    return {
        "two_strengths": translated(LIGHT),
        "by_invitation": translated(INVITED | DELIVERY_INVITED),
        "strength_by_invitation": translated(DECIDED),
    }
