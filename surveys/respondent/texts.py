"""Texts of the respondents' client after its first screen, in the language of the page.

The client is the same for all surveys, so it contains only Sottovoce's own texts; a survey's texts are in its
documents. The browser fills in names in braces.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.respondent.first_texts import FOLDED, UNASKED, first_texts, label_texts, translate_texts
from surveys.respondent.plurals import plural
from surveys.respondent.scale_texts import NUMBER, SCALE

DELIVERY: Final = {
    "sending_title": _("Your answers are being sent"),
    "sending": _(
        "They stay on this device until they are delivered. On a slow network this can take a while."
    ),
    "delivered_title": _("Thank you. Your answers have arrived. You can close this page."),
    "delivered": _(
        "Your answers are deleted from this device. The browser history may show that you were here."
    ),
    "waiting_title": _("Your answers are waiting to be sent"),
    "waiting": _(
        "We cannot reach the server. Your answers stay on this device, and this page keeps trying"
        " to send them. You can close this page. Open it again within 7 days to continue. Someone"
        " who uses this device could see that you took part."
    ),
    "try_now": _("Try now"),
    "closed_title": _("The survey has closed"),
    "closed": _(
        "Your answers arrived too late and were not counted. They stay on this device for 7 days."
        " Opening this page in that time sends them again; opening it later deletes them. You do "
        "not need to do anything."
    ),
    "stopped_title": _("The server refused the request"),
    "stopped": _(
        "Its answer was {status}. Your answers stay on this device. Open this page within 7 days "
        "to send them again. If that fails, please contact the people who run the survey."
    ),
    "expired_title": _("Waiting answers have expired"),
    "expired": _(
        "They stayed on this device for more than 7 days and are now deleted. The server never "
        "confirmed them, so they may not have arrived."
    ),
    "gone_title": _("Your answers are no longer on this device"),
    "gone": _(
        "Another tab sent or deleted them, or the browser’s data was cleared. They may not have arrived."
    ),
}

# Replaced and additional texts for surveys by invitation.
DELIVERY_INVITED: Final = {
    "delivered": _(
        "Your answers are deleted from this device. The browser history may show that you were "
        "here, and your code if it was in the link."
    ),
    "uninvited_title": _("This code cannot be used"),
    "uninvited": _(
        "It was used before, was withdrawn, or belongs to another survey. The server does not say"
        " which. Your answers were not counted and are deleted from this device. Please ask the "
        "people who invited you."
    ),
    "mistyped": _(
        "It was used before, was withdrawn, or belongs to another survey. Nothing was counted. If"
        " you mistyped it, type it again to send the same answers."
    ),
    "mistyped_kept": _(
        "Your answers stay on this device until you send or delete them, or open this page after 7 days."
    ),
    "send_again": _("Send with this code"),
    "erase": _("Delete my answers"),
}

LATER: Final = {
    # Answered in another tab.
    "elsewhere_title": _("Answered in another tab"),
    "elsewhere": _(
        "This survey was answered in another tab while this page was open. This page has deleted "
        "its answers. You can close it."
    ),
    # Buttons and answers.
    "clear": _("Clear this answer"),
    "progress": _("Question {number} of {total}"),
    "part": _("Part {number} of {total}"),
    "part_questions": plural("One question", "{questions} questions"),
    "block_skip_all": _("“Prefer not to say” skips this whole part, including answers already given."),
    "error_choose": _("Choose an answer to go on."),
    "error_or_skip": _("Or choose “Prefer not to say”."),
    "hint_open": _("You can leave this empty."),
    "options_search": _("Search these answers"),
    "options_found": _("{count} of {all} answers match."),
}

BEFORE: Final = {
    # Before the questions of a part.
    "answer_after_all": _("Answer these questions"),
    "block_open": _("Stored exactly as you answer. You can leave any question here empty."),
    "block": plural(
        "This device sends your real answer {often}. Otherwise it sends a made-up one. No one can see which.",
        "This device sends your {questions} real answers {often}. Otherwise it sends made-up "
        "ones. No one can see which.",
    ),
    "often_about": _("about {often}"),
    "often_half": _("half the time"),
    "often_once": _("1 time in {b}"),
    "often_times": _("{a} times in {b}"),
    "block_skip": _("You can choose “Prefer not to say”. Devices also send it at random."),
    "block_skipped": _("You have skipped this part."),
    "block_exclusive": _(
        "Some pairs of answers here cannot both be true. If random answers contradict each other, anyone can "
        "see that they are random. This makes all other answers a little more likely to be true."
    ),
    "block_rotating": _(
        "You are asked {count} of these {questions} questions. Other people are asked different ones."
    ),
    "block_whole": _(
        "Every question here needs an answer. If you prefer not to answer, close this page. "
        "Nothing has been sent."
    ),
}

END: Final = {
    # All questions on one page, the review, and answers given in another tab.
    "whole_title": _("All questions"),
    "whole_text": _("Nothing is sent until you have checked your answers."),
    "whole_continue": _("Check your answers"),
    "whole_more": _("More questions were added below because of your answer."),
    "whole_less": _("Some questions below were removed because of your answer."),
    "block_show": _("Show my questions"),
    "error_show": _("Show your questions to go on."),
    "change": _("Change"),
    # A part without a title, in lists of parts.
    "part_number": _("Part {number}"),
    # How sure someone could become from a part.
    "block_exact": _("It sends your real answer exactly {truth} times in 100."),
    "odds_worst": _("This is the worst case: the answers that would reveal the most about you."),
    # The review.
    "review_title": _("Check your answers before you send them"),
    "review_text": _("These are your answers. Nothing has been sent yet."),
    "seal_protected": _(
        "The button disguises your protected answers, deletes the real ones and sends everything. "
        "You cannot undo this."
    ),
    "seal": _("Disguise and send"),
    "seal_plain": _("Send"),
    "sealing": _("Sending"),
    "seal_failed": _("Nothing was sent. Your answers are still here. If you close this page, they are lost."),
    # Why storage fails; what to do about it is in UNASKED.
    "room_title": _("This device has no room for your answers"),
    "blocked_title": _("This browser blocks storage for this page"),
    "stuck_title": _("The browser’s storage does not respond"),
    "seal_open": _("The button sends your real answers and deletes them here. You cannot undo this."),
    "sent_open": _("Nothing is disguised in this survey: these are your real answers."),
    # After sending.
    "sent_what": _("Answers as sent"),
    "sent_protected": _("Disguised answers may not be your real ones, which are deleted from this page."),
    "sent_skipped": _("Skipped"),
    "sent_not_asked": _("Not asked"),
    "sent_empty": _("Left empty"),
    "bits": _("All bits that were sent"),
    "bits_text": _(
        "These bits are everything that was sent about your answers. The survey’s name, the "
        "number of its design, a random key and 64 random digits went with them. The key shows "
        "that a repeated delivery is not a second answer. No one keeps the digits."
    ),
    "bits_column": _("Bits"),
    "bits_meaning": _("Meaning"),
    "bits_group_0": pgettext_lazy("mark of a question", "Disguised"),
    "bits_presence_0": _("Not asked, or left empty"),
    "bits_presence_1": _("Asked, and not left empty"),
    "bits_value_none": _("No answer"),
    "bits_refusal_0": _("Part not skipped"),
    "bits_refusal_1": _("Part skipped"),
    "bits_padding_0": _("Fills the last byte, always 0"),
    "receipt": _("Receipt"),
    "receipt_text": _(
        "Keep this number only if you do not mind others knowing that you took part. It does "
        "not reveal your answers."
    ),
}

COMPOSITES: Final = {
    # Before the components.
    "composed_count": plural(
        "You will see one question.",
        "You will see {count} questions.",
    ),
    "composed_count_most": _("You will see up to {count} questions."),
    "composed_works": plural(
        "Your answers stay on this page and are not stored. From them, this device works out one answer, "
        "disguises it, and sends only that. Someone who watches your screen can see your answers while you "
        "give them.",
        "Your answers stay on this page and are not stored. From them, this device works out {questions} "
        "answers, disguises them, and sends only these. Someone who watches your screen can see your answers "
        "while you give them.",
    ),
    "composed_any": _(
        "The answer is “yes” if you say yes to at least one of them. No one can see which one it was."
    ),
    "composed_least": _(
        "The answer is “yes” if you say yes to at least {least} of them. No one can see which ones they were."
    ),
    "composed_many": _("The answer is how many of them you say yes to. No one can see which ones they were."),
    "composed_any_each": _(
        "Each of these is worked out from some of the questions. It is “yes” if you say yes to at least one "
        "of them. No one can see which one it was."
    ),
    "composed_least_each": _(
        "Each of these is worked out from some of the questions. It is “yes” if you say yes to at least "
        "{least} of them. No one can see which ones they were."
    ),
    "composed_many_each": _(
        "Each of these is worked out from some of the questions. It is how many of them you say yes to. No "
        "one can see which ones they were."
    ),
    "composed_points": _(
        "Each answer has points. This device adds them up. What it sends is the group that your total falls "
        "in. The groups are for the study. They do not say if you are ill."
    ),
    "composed_total": _(
        "Each answer has points. This device adds them up. What it sends is the total. It is for the study. "
        "It does not say if you are ill."
    ),
    "composed_uses": _("Your answer to “{question}” counts, too."),
    "composed_direct": plural(
        "You answer directly. Your answers stay on this page and are not stored. From them, this device "
        "works out one answer and sends it as it is. Someone who watches your screen can see your answers "
        "while you give them.",
        "You answer directly. Your answers stay on this page and are not stored. From them, this device "
        "works out {questions} answers and sends them as they are. Someone who watches your screen can see "
        "your answers while you give them.",
    ),
    "composed_gaps_no": plural(
        "If you leave one question empty, it counts as no. If you leave more empty, your answer is "
        "“Prefer not to say”.",
        "You can leave up to {most} questions empty. They count as no. If you leave more empty, your "
        "answer is “Prefer not to say”.",
    ),
    "composed_gaps_points": plural(
        "If you leave one question empty, it has no points. If you leave more empty, your answer is "
        "“Prefer not to say”.",
        "You can leave up to {most} questions empty. They have no points. If you leave more empty, your "
        "answer is “Prefer not to say”.",
    ),
    "composed_gaps_mean": plural(
        "If you leave one question empty, it counts like the average of your other answers. If you leave "
        "more empty, your answer is “Prefer not to say”.",
        "You can leave up to {most} questions empty. They count like the average of your other answers. "
        "If you leave more empty, your answer is “Prefer not to say”.",
    ),
    "composed_gaps_differ": _(
        "You can leave some questions empty; each of them says so. If you leave too many empty, your "
        "answer is “Prefer not to say”."
    ),
    "composed_time": _(
        "Some questions come up only after certain answers and take longer. Someone who can measure when "
        "your page was opened and when your answer came in may guess from that. Someone in the room sees "
        "which questions come up."
    ),
    "composed_neutral": _(
        "Some questions come up only after certain answers. Otherwise you see an everyday question in their "
        "place, so that your visit takes about as long. Answers to everyday questions are not sent and count "
        "for nothing. Someone who can time your visit exactly may still guess. Someone in the room sees "
        "which questions come up."
    ),
    "composed_swapped": _("Some questions below were exchanged because of your answer."),
    # Below each component.
    "composed_help": pgettext_lazy("for respondents", "Help"),
    "composed_leave": _("Leave this page now"),
    # The review.
    "composed_answered": pgettext_lazy("for respondents", "Answered"),
    "composed_line": _("Answered. Only what this device works out from your answers is sent."),
    "composed_skip": _(
        "Counts as “Prefer not to say”, because questions were left empty, or one was not answered as asked."
    ),
    "composed_show": _("Show my answers"),
    "composed_mine": _("Your answers"),
    "composed_closes": _("They are hidden again after 60 seconds."),
    "composed_answer": _("What this device works out: {answer}"),
    "composed_sum": _("What this device works out, in points: {points}"),
}

INVITATION: Final = {
    "code_title": _("Your invitation"),
    "code_text": _(
        "This survey is by invitation only. Open the address in your invitation, or type its code here."
    ),
    "code_wrong_address": _("The code in this link is incomplete. Open the link again, or type the code."),
    "code_label": _("Invitation code"),
    "code_hint": _("Twenty letters and digits. Capital letters and spaces do not matter."),
    "code_wrong": _("That code is not right. Check it against your invitation."),
    "code_empty": _("Type the code from your invitation."),
    "kept_code": _(
        "Your code works once. People who have the list of codes can see that it was used, but not "
        "what you answered."
    ),
}

GROUPS: Final = {
    "line_choice_light": _(
        "You choose how strongly your answers are disguised. Your choice is stored as it is."
    ),
    "line_choice": _("You can choose to answer directly instead. Then your real answers are stored."),
    "line_invited_light": _(
        "Your invitation decides how strongly your answers are disguised: lightly for {share} in "
        "100 people. You see which it is for you before sensitive questions."
    ),
    "line_drawn_light": _(
        "{share} in 100 devices, chosen at random, disguise answers lightly. You see yours before "
        "sensitive questions."
    ),
    "line_drawn": _(
        "{share} in 100 devices, chosen at random, send the real answers. You see what yours does "
        "before sensitive questions."
    ),
}
"""On the first screen, where there are two ways to answer."""

CHOICE: Final = {
    "group_title": _("How do you want to answer?"),
    "group_text": _(
        "Both ways help this survey. You cannot change this later, and we can see which one you chose."
    ),
    "group_error": _("Choose one of the two ways to go on."),
    "group_protected": pgettext_lazy("mark of a question", "Disguised"),
    "group_protected_hint": _("This device disguises my answers before it sends them."),
    "group_direct": _("Directly"),
    "group_direct_hint": _("My real answers are stored. People who work with the database can read them."),
    "group_settled_protected": _(
        "You chose to have your answers disguised. You have seen sensitive questions since, so "
        "you cannot change this now."
    ),
    "group_settled_direct": _(
        "You chose to answer directly. You have seen sensitive questions since, so you cannot "
        "change this now."
    ),
}
"""Where respondents choose how to answer."""

ASSIGNED: Final = {
    "assigned_title": _("How your answers will be sent"),
    "assigned_protected": _("This device chose at random to disguise your answers."),
    "assigned_direct": _("This device chose at random to send your real answers."),
    "assigned_text": _(
        "In this survey, {share} in 100 devices send the real answers, so that both ways can be compared. "
        "Once you send, we can see which way yours did. Until then, only this open page knows."
    ),
    "assigned_protected_text": _(
        "This device disguises your answers to sensitive questions. Only then does it send them."
    ),
    "assigned_direct_text": _(
        "Your real answers are stored. People who work with the database can read them. If you do"
        " not want this, close this page. Nothing has been sent."
    ),
}
"""Where devices or invitations decide it."""

DIRECT: Final = {
    "block_direct": _("You answer directly: your real answers are stored."),
    "block_skip_direct": _("You can choose “Prefer not to say”."),
    "sent_direct": _("You answered directly: these are your real answers."),
    "bits_group_1": _("Answered directly"),
}
"""After the choice or the draw."""

SERIES: Final = ("promise_waves", "promise_turns")
"""Beginnings of the keys of the promise's sentences about a series."""

RARE: Final = {
    "kept_panel": _(
        "At the end, a link takes you back to the people who invited you. It shows them that you "
        "took part. We never receive the number they know you by."
    ),
    "rehearsed_title": _("This was a preview"),
    "rehearsed": _("Nothing was sent or kept. Below is what would have been sent."),
    "panel_title": _("Back to the people who invited you"),
    "panel_about": _(
        "The link tells {host} that you took part, and your number there if you came with one. It "
        "reveals nothing about your answers."
    ),
    "panel_back": _("Back to {host}"),
    "panel_code": _("Give them this code. It is the same for everyone who has sent answers."),
    "panel_unknown": _("The link you used had no number in it. Please tell {host} that you took part."),
    "turn_asked": _(
        "The disguised parts take turns over the surveys of this series. By your code or number, this survey "
        "asks you: {parts}."
    ),
    "turn_none": _(
        "The disguised parts take turns over the surveys of this series. By your code or number, this survey "
        "asks you none of them. Please take part all the same: another survey asks you."
    ),
    "turn_preview": _(
        "In this preview, a random code stands for yours. To see what another person is asked, load it again."
    ),
    # A part without a title.
    "turn_part": _("part {number}"),
    "turn_drawn": _("Your code or number decides which parts your device asks in this survey."),
    "turn_parts": _("Each of these parts is asked in one survey of the series:"),
    "turn_unknown_title": _("This link is incomplete"),
    "turn_unknown": _(
        "Your number decides which questions this survey asks you, and this link does not contain it. Please "
        "open the link exactly as you received it."
    ),
}

UNDERSTANDING: Final = {
    "check_title": _("Was this page clear?"),
    "check_text": _("Two questions with known answers. What you choose is not sent or kept."),
    "check_begin": _("Show the two questions"),
    "check_sends": _("What does your device send for a disguised question?"),
    "check_sends_0": _("Always my true answer"),
    "check_sends_1": _("My true answer or a made-up one: chance decides"),
    "check_sends_2": _("Nothing"),
    "check_knows": _("Someone sees that your device sent “yes”. What do they know?"),
    "check_knows_0": _("That my true answer is “yes”"),
    "check_knows_1": _("That my true answer is “no”"),
    "check_knows_2": _("They cannot be sure what my true answer is"),
    "check_right": _("That is right."),
    "check_wrong": _("That is not right. The right answer: “{answer}”."),
}
"""After practice surveys and previews: whether the reader has understood the promise."""

BOXES: Final = {
    "none": _("None of these"),
    "error_tick": _("Tick what applies, or “{none}”, to go on."),
    "hint_multi": _("Tick all that apply, or “{none}”."),
}
"""For questions with boxes to tick."""

NOTE: Final = {
    "title": _("This page needs JavaScript"),
    "text": _(
        "Its small program loads the survey, and disguises your answers on this device. If this text stays, "
        "the browser has not run it. Allow JavaScript for this address, or open the page in another browser. "
        "Nothing was sent."
    ),
}
"""On the page until its program runs, in every language."""

AGAIN: Final = {
    "again_title": _("Again, in short"),
    "again": _("Your device sends your answer or a made-up one. A “yes” proves nothing about you."),
}

INVITED: Final = {
    "bits_text": _(
        "These bits are everything that was sent about your answers. The survey’s name, the "
        "number of its design, your code and 64 random digits went with them. No one keeps the "
        "digits. The bits are stored separately from the code."
    )
}

LIGHT: Final = {
    "disguised": _("Strongly disguised"),
    "disguised_lightly": _("Lightly disguised"),
    "group_protected": _("Strongly disguised"),
    "group_protected_hint": _("This is safer for you."),
    "group_direct": _("Lightly disguised"),
    "group_direct_hint": _("This is more exact for the survey, and less safe for you."),
    "group_settled_protected": _(
        "You chose the strong disguise. You have seen sensitive questions since, so you cannot "
        "change this now."
    ),
    "group_settled_direct": _(
        "You chose the light disguise. You have seen sensitive questions since, so you cannot "
        "change this now."
    ),
    "assigned_protected": _("This device chose a strong disguise at random."),
    "assigned_direct": _("This device chose a light disguise at random."),
    "assigned_text": _(
        "In this survey, {share} in 100 devices disguise answers lightly, to make the results more "
        "exact. Once you send, we can see whether yours did. Until then, only this open page knows."
    ),
    "assigned_direct_text": _(
        "This device lightly disguises your answers to sensitive questions before it sends them. "
        "If you do not want this, close this page. Nothing has been sent."
    ),
    "bits_group_0": _("Strongly disguised"),
    "bits_group_1": _("Lightly disguised"),
}

DECIDED: Final = {
    "assigned_protected": _("Your invitation sets a strong disguise."),
    "assigned_direct": _("Your invitation sets a light disguise."),
    "assigned_text": _(
        "In this survey, {share} in 100 invitations set a light disguise, so that both ways can be "
        "compared. We can see which one yours sets."
    ),
}


def texts_by_part() -> dict[str, dict[str, str]]:
    """Return the texts of each file that the client loads, by key, translated.

    The files are for the first screens and questions, for screens before parts, for a number that comes
    first, for all numbers and places, for folded parts and the end, for invitations, for two ways to
    answer (one file for the first screen, and one each for surveys where respondents choose and where
    they are assigned), for rare features, for questions with a right answer, for boxes, for composite
    questions, for checking what was understood, and for surveys that cannot be answered. No page loads a
    text twice, except those of a number that comes first.
    """
    early = first_texts() | translate_texts(LATER)
    label = label_texts()
    series = {key: text for key, text in label.items() if key.startswith(SERIES)}
    rest = translate_texts(FOLDED | END | DELIVERY) | label
    return {
        "first": early,
        "before": translate_texts(BEFORE),
        "number": translate_texts(NUMBER),
        "scale": translate_texts(NUMBER | SCALE),
        "end": {key: text for key, text in rest.items() if key not in early | series},
        "invited": translate_texts(INVITATION),
        "groups": translate_texts(GROUPS),
        "choice": translate_texts(DIRECT | CHOICE),
        "assigned": translate_texts(DIRECT | ASSIGNED),
        "rare": translate_texts(RARE) | series,
        "again": translate_texts(AGAIN),
        "boxes": translate_texts(BOXES),
        "composites": translate_texts(COMPOSITES),
        "understanding": translate_texts(UNDERSTANDING),
        "unasked": translate_texts(UNASKED),
    }


def instead_texts() -> dict[str, dict[str, str]]:
    """Return replaced and additional texts by kind of survey."""
    return {
        "two_strengths": translate_texts(LIGHT),
        "by_invitation": translate_texts(INVITED | DELIVERY_INVITED),
        "strength_by_invitation": translate_texts(DECIDED),
    }
