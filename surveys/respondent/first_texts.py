"""Texts of the respondents' client before the first question: its first screen, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.questionnaire.promise_words import promise_texts
from surveys.respondent.plurals import Plural, plural

LABEL: Final = {
    # Suffixes of `odds_posterior`: none for a displayed row; "_worst" for the most revealing row, which is
    # not displayed; "_skip" if the row is a skip.
    "odds_whole_any": _("This is true even if one of your answers reveals another."),
    "odds_whole_times": _("Your disguised answers are at most {g} times as likely from you as from others."),
    "odds_posterior": _(
        "If {k} in 100 people truly give these answers, {n} of 100 whose device sends them truly did."
    ),
    "odds_posterior_worst": _(
        "If {k} in 100 people truly give the answers that reveal most, {n} of 100 whose device sends them "
        "truly did."
    ),
    "odds_posterior_skip": _(
        "If people skip as often as random answers do, {n} in 100 whose device sends “skipped” did skip."
    ),
    "odds_expected": _("If everyone answers this part the same way, it reveals nothing about you."),
    "odds_direct": _("This limit does not apply to answers that are sent directly."),
    # Numbers in these sentences.
    "odds_about": pgettext_lazy("number of people in 100", "about {number}"),
    "odds_none": _("fewer than 1"),
    "odds_all": _("more than 99"),
}


def translate_texts(texts: Mapping[str, Any]) -> dict[str, str]:
    """Return texts by key in the active language; a text with a count has a key for each of its forms."""
    found: dict[str, str] = {}
    for key, text in texts.items():
        forms = text.forms() if isinstance(text, Plural) else {"": str(text)}
        found |= {f"{key}{suffix}": form for suffix, form in forms.items()}
    return found


def label_texts() -> dict[str, str]:
    """Return the texts of the label on protection by key, translated."""
    return promise_texts() | translate_texts(LABEL)


FIRST: Final = {
    # Also shown when a reload delivers waiting answers, because it does not load the texts for questions.
    "leave": _("Leave this page now"),
    # Around the screens.
    "to_content": _("Skip to the content"),
    "practice": _("Practice"),
    "practice_text": _("Practice survey: answers are not private."),
    "languages": _("Languages"),
    # If the survey cannot be shown here.
    "unreached_title": _("The survey did not load completely"),
    "unreached": _("We cannot reach the server. Nothing was sent. Check your connection, then try again."),
    "broken_title": _("This page does not work"),
    "broken": _(
        "Try again, or reload the page. If that does not help, please contact the people who run the survey."
    ),
    "unable_title": _("You cannot answer in this browser"),
    "unable": _(
        "This browser cannot disguise your answers on this device. It lacks: {parts}. Nothing was sent. "
        "Please use a current browser, and an address that begins with https."
    ),
    # The first screen.
    "length": plural(
        "One question, about {minutes} minutes.", "{questions} questions, about {minutes} minutes."
    ),
    "who_sees": _("Who can see my answers?"),
    "not_disguised": _("Nothing is disguised here"),
    "trial": _("Try it: did you have tea this morning?"),
    "trial_sent": _("Answered five times, this device would send:"),
    "proof": _("{n} of 100 people whose true answer is “no” send “yes”. So a “yes” proves nothing."),
    "proof_least": _(
        "At least {n} of 100 people whose true answer is “no” send “yes”. So a “yes” proves nothing."
    ),
    "of_hundred": _("{n} in 100"),
    "once_in": _("1 in {n}"),
    "line_composed": _("Some answers are combined: only the result is sent."),
    "line_arms_invited": _(
        "Your invitation decides which of several texts you read. This device reports which one."
    ),
    "line_arms": _("This device chose your text at random, and reports which."),
    "yes": _("Yes"),
    "no": _("No"),
    "skip": _("Prefer not to say"),
    "odds_summary": _("How sure could anyone be?"),
    "about": _("About this survey"),
    "loading": _("Loading"),
    # The device's disguise.
    "line_stored": _("Your real answers are stored. People who work with the database can read them."),
    "mark_open": _("Stored as answered"),
    "line_open": _("“Stored as answered” means: not disguised."),
    "line_all": _("No one can be sure what you answered: your device may have made it up."),
    "line_exact": _("Outside the dashed areas, places are exact."),
    # Buttons of the first screen.
    "disguised": pgettext_lazy("mark of a question", "Disguised"),
    "continue": _("Continue"),
    "start": _("Start"),
    "start_whole": _("All on one page"),
    "back": pgettext_lazy("to the screen before", "Back"),
    "try_again": _("Try again"),
    "language_failed": _("The other language could not be loaded. Try again."),
}

# The folded parts of the first screen.
FOLDED: Final = {
    "drawn": _("This device picks some of the questions at random, and reports which ones."),
    "drawn_parts": _("Each person gets {count} of these {parts} parts:"),
    "drawn_questions": _("Each person gets {count} of these {questions} questions:"),
    "all_questions": _("All questions"),
    "about_purpose": _("Purpose"),
    "about_help": pgettext_lazy("for respondents", "Help"),
    "about_contact": _("Contact"),
    "about_ethics": _("Ethics reference"),
    "about_retention": _("How long answers are kept"),
    "experts": _("For experts"),
    "client_digest": _("To check that this page is unchanged, compare the digest of its program:"),
    "survey_digest": _("The digest of this survey, as printed in letters and for ethics boards:"),
    # Storage.
    "kept": _("Data kept, and for how long"),
    "kept_last": _("The last button sends your answers. After that, we cannot find or delete them."),
    "kept_until": _("All answers are deleted on {day}."),
    "kept_backup": plural(
        "Backups hold deleted answers for one more day.", "Backups hold deleted answers for {days} more days."
    ),
    "kept_backup_unsaid": _("Earlier backups may keep answers for longer."),
    "kept_waiting": _(
        "Without internet, your answers wait on this device. Opening this page within 7 days sends them; "
        "opening it later deletes them. Someone who uses it could see that you took part, but not what you "
        "answered."
    ),
    "kept_reload": _("If you close or reload this page, you start again."),
    "kept_cookie": _("This page sets no cookies and loads nothing from other sites."),
    "kept_elsewhere": _(
        "This page sets no cookies. It comes from {page} and sends your answers to {server}, and "
        "nowhere else."
    ),
}

# For surveys that cannot be answered, and devices that cannot store answers; few people read these texts.
UNASKED: Final = {
    # State of the survey.
    "missing_title": _("Survey not found"),
    "missing": _(
        "The address may be incomplete or misspelt, or the survey is not ready yet. Compare the address with "
        "the one you were given, or ask the people who gave it to you. Nothing was sent."
    ),
    "planned_title": _("This survey is not open yet"),
    "planned_at": _("It opens on {time} ({time_zone})."),
    "planned": _(
        "Open the complete address again then. Nothing was sent. If you expected the survey to be"
        " open, ask the people who gave you the address."
    ),
    "ended_title": _("“{title}” is closed"),
    "ended": _("It no longer accepts answers."),
    "ended_late": _(
        "It no longer accepts answers. If yours are still waiting on this device, they are being "
        "sent now. That works for two days after closing."
    ),
    # Reasons for not showing the survey.
    "other_title": _("This is not the survey named in your letter"),
    "other": _(
        "The survey was changed after your letter was written, or was replaced by another one, or the "
        "address is misspelt. Nothing was sent, and your code was not used. Open the link again, or show "
        "this page to the people who invited you."
    ),
    "forged_title": _("This survey did not load correctly"),
    "forged": _(
        "The server sent something other than this survey. Nothing was sent from this device. Try"
        " again. If it happens again, show this page to the people who invited you."
    ),
    "framed_title": _("This survey is shown inside another page"),
    "framed": _(
        "That page could watch what you do here. Open the survey's address in its own window. "
        "Nothing was sent."
    ),
    # Storage that fails, before the first question or when answers are stored; the titles are in END.
    "room": _(
        "They must wait on this device until they are delivered. Delete something you no longer need, such "
        "as old photos or apps, then try again. In a private window, open this page in a normal one."
    ),
    "blocked": _(
        "Your answers must wait on this device until they are delivered. Allow cookies and site data for "
        "this address in the browser’s settings, or leave the private window. Then try again."
    ),
    "stuck": _(
        "Your answers must wait there until they are delivered. Close other tabs and windows of this site, "
        "then try again. If that does not help, restart the browser."
    ),
    "nothing_sent": _("Nothing was sent."),
    "in_page": _(
        "This window cannot store anything on the device. Your answers exist only in this open "
        "page, which keeps trying to send them. If you close or reload it, they are lost."
    ),
    "in_page_ended": _(
        "Your answers were not counted. This window cannot store them: if you close it, they are lost."
    ),
    "found_title": _("Answers are waiting on this device"),
    "found": _(
        "Someone answered here earlier, and their answers may not have arrived. The same sealed "
        "answers are being sent again now."
    ),
    "found_delivered_title": _("The waiting answers have arrived"),
    "found_delivered": _(
        "The waiting answers have reached the server and are deleted from this device. If someone"
        " else wants to answer here, reload this page."
    ),
    "in_page_before": _(
        "This window cannot store anything on this device. If you close or reload this page before your "
        "answers have arrived, they are lost."
    ),
}


def first_texts() -> dict[str, str]:
    """Return the first screen's texts by key, translated. The browser fills in names in braces."""
    short = {key: text for key, text in promise_texts().items() if key.startswith("promise_short")}
    return translate_texts(FIRST) | short
