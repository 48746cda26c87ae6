"""Every sentence that the respondent's page shows after JavaScript has taken over, in the page's language.

The page sets no cookie and asks the server for nothing but itself, so its sentences travel inside it. A
name in braces is filled in by the browser.
"""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def respondent_texts() -> dict[str, str]:
    """Return the sentences by key, translated."""
    return {
        **_actions(),
        **_group(),
        **_blocks(),
        **_odds(),
        **_review(),
        **_sent(),
        **_rehearsal(),
        **delivery_texts(),
    }


def _actions() -> dict[str, str]:
    return {
        "continue": _("Continue"),
        "start": _("Start"),
        "back": pgettext("to the screen before", "Back"),
        "change": _("Change"),
        "skip": _("Skip these questions"),
        "answer_after_all": _("Answer these questions"),
        "clear": _("Clear this answer"),
        "progress": _("Question {number} of {total}"),
        "yes": _("Yes"),
        "no": _("No"),
        "none": _("None of these"),
        "disguised": _("Disguised on this device"),
        "open": _("Sent as it is"),
    }


def _group() -> dict[str, str]:
    return {
        "group_title": _("How do you want to answer?"),
        "group_text": _(
            "Both ways help this survey. Please choose before you see the sensitive questions: afterwards "
            "the choice stays. Which way you chose is sent along."
        ),
        "group_protected": _("Disguised"),
        "group_protected_hint": _(
            "This device adds chance to my answers. What is stored may differ from them."
        ),
        "group_direct": _("Directly"),
        "group_direct_hint": _(
            "Nothing is disguised. My answers are stored as they are, for whoever can read the database."
        ),
        "group_error": _("Choose one of the two ways to go on."),
        "group_settled_protected": _(
            "You chose to answer disguised. You have seen sensitive questions since, so the choice stays."
        ),
        "group_settled_direct": _(
            "You chose to answer directly. You have seen sensitive questions since, so the choice stays."
        ),
        "assigned_title": _("How your answers will be sent"),
        "assigned_protected": _("This device has drawn: disguised."),
        "assigned_direct": _("This device has drawn: directly."),
        "assigned_text": _(
            "In this survey {share} of 100 devices draw to answer directly, so that both ways can be "
            "compared. Which way it is goes along with your answers. Until you seal, this tab remembers what "
            "was drawn."
        ),
        "assigned_protected_text": _(
            "Your answers to sensitive questions are disguised before anything leaves this device."
        ),
        "assigned_direct_text": _(
            "Nothing is disguised: your answers are stored as they are, for whoever can read the database. "
            "If you would rather not, close this page; nothing has been sent."
        ),
    }


def _blocks() -> dict[str, str]:
    return {
        "part": _("Part {number} of {total}"),
        "block_open": _(
            "The answers of this part are not disguised: they are sent as they are. You may leave any "
            "question empty."
        ),
        "block_direct": _("You answer directly: the answers of this part are stored as they are."),
        "block_one": _(
            "You answer truthfully; your device adds chance. In {truth} of 100 cases it sends what you "
            "answered, in the others an answer drawn by chance. Nobody can see which of the two happened."
        ),
        "block_many": _(
            "You answer truthfully; your device adds chance. In {truth} of 100 cases it sends the "
            "{questions} answers of this part as you gave them; in the others all of them are drawn by "
            "chance. Nobody can see which of the two happened."
        ),
        "block_skip": _("You can skip this part as a whole. The skip is disguised as well."),
        "block_whole": _(
            "Every question of this part needs an answer. If you would rather not give one, close this page: "
            "nothing has been sent."
        ),
        "block_skipped": _("You have skipped this part."),
        "error_choose": _("Choose an answer to go on."),
        "error_tick": _("Tick what applies, or “None of these”, to go on."),
        "error_or_skip": _("You can also skip these questions."),
        "hint_multi": _("Tick all that apply, or “None of these”."),
        "hint_open": _("You may leave this empty."),
    }


def _odds() -> dict[str, str]:
    return {
        "odds_worst": _("The most telling answers of this part:"),
        "odds_posterior": _("Of 100 people who send exactly this, {n} really have these answers."),
        "odds_even": _(
            "Someone who held it for an even chance that these are your answers would now say {m} of 100."
        ),
        "odds_posterior_worst": _("Of 100 people who send the most telling answers, {n} really have them."),
        "odds_even_worst": _(
            "Someone who held it for an even chance that these are your answers would then say {m} of 100."
        ),
    }


def _review() -> dict[str, str]:
    return {
        "review_title": _("Look it over, then seal"),
        "review_text": _(
            "These are your answers. They are in this open page only; nothing has been sent yet."
        ),
        "review_skipped": _("Skipped"),
        "review_empty": _("Left empty"),
        "seal_protected": _(
            "When you seal, this device draws chance once, forgets your answers and sends the result. It "
            "cannot be undone, and chance is never drawn again."
        ),
        "seal_direct": _(
            "You answer directly. When you seal, this device forgets your answers and sends them as they "
            "are. It cannot be undone."
        ),
        "seal_open": _(
            "When you seal, this device forgets your answers and sends them as they are. It cannot be undone."
        ),
        "seal": _("Seal and send"),
        "sealing": _("Sealing"),
        "seal_failed_title": _("This device could not keep the sealed answer"),
        "seal_failed": _(
            "Nothing was sent. Chance has been drawn and stays as it is. Make room on this device, then try "
            "once more here: closing this page drops your answers."
        ),
        "try_again": _("Try again"),
    }


def _rehearsal() -> dict[str, str]:
    return {
        "rehearsed_title": _("This was a preview"),
        "rehearsed": _("Nothing was sent or kept. Below is the row that a respondent would have sent."),
    }


def _sent() -> dict[str, str]:
    return {
        "sent_what": _("What the sealed answer says"),
        "sent_protected": _(
            "You answered truthfully; your device added chance. What stands here may differ from what you "
            "answered, and this page no longer knows what that was."
        ),
        "sent_direct": _("You answered directly: this is what you answered, as it is."),
        "sent_open": _("Nothing is disguised in this survey: this is what you answered, as it is."),
        "sent_skipped": _("Skipped"),
        "sent_not_asked": _("Not asked"),
        "sent_empty": _("Left empty"),
        "bits": _("Every bit of it"),
        "bits_text": _(
            "These bits are all that is said about your answers. With them went the survey’s name, the "
            "number of its design, a random key that tells a repetition from a second answer, and 64 random "
            "digits that nobody keeps."
        ),
        "bits_column": _("Bits"),
        "bits_meaning": _("What they say"),
        "bits_group_0": _("Disguised"),
        "bits_group_1": _("Answered directly"),
        "bits_presence_0": _("Not asked, or left empty"),
        "bits_presence_1": _("Asked, and not left empty"),
        "bits_value_none": _("No answer"),
        "bits_refusal_0": _("Part not skipped"),
        "bits_refusal_1": _("Part skipped"),
        "bits_padding_0": _("Filling up the last byte, always 0"),
        "receipt": _("Receipt"),
        "receipt_text": _(
            "The server has received one sealed answer from this device. The number says that something was "
            "sent, not what. Note it down only if others may see that you took part."
        ),
        "end": _("Thank you. You can close this page. It holds nothing else, and answering is over here."),
    }


def delivery_texts() -> dict[str, str]:
    """Return the sentences about a sealed body on its way, which a closed survey's page needs too."""
    return {
        "sending_title": _("Sealed. It is being sent."),
        "delivered_title": _("Sealed and sent"),
        "delivered": _("The server has it, and it is erased from this device."),
        "waiting_title": _("Sealed. It waits here until it can be sent."),
        "waiting": _(
            "The network or the server does not answer. The sealed answer stays on this device and is tried "
            "again, always the same one. You may close this page: opening it again within seven days goes "
            "on. Until then, someone who uses this device can see that something was sent."
        ),
        "try_now": _("Try now"),
        "conflict_title": _("The server already had an answer under this key"),
        "conflict": _(
            "It kept the first one and nothing of this one, which is now erased from this device. There is "
            "nothing to do."
        ),
        "closed_title": _("The survey has closed"),
        "closed": _(
            "The sealed answer came too late. It was not counted and is erased from this device. There is "
            "nothing to do."
        ),
        "unknown_title": _("The server did not accept the sealed answer"),
        "unknown": _(
            "It does not know this version of the survey, or the form of the answer. It was not counted and "
            "is erased from this device. Please tell the contact person of the survey."
        ),
        "stopped_title": _("The server refused the request"),
        "stopped": _(
            "It said {status}. The sealed answer stays on this device for up to seven days. Opening this "
            "page again tries once more; if that fails too, please tell the contact person of the survey."
        ),
        "expired_title": _("A sealed answer has expired"),
        "expired": _(
            "It waited on this device for more than seven days without reaching the server. It was not "
            "counted and is now erased."
        ),
        "found_title": _("A sealed answer waits on this device"),
        "found": _(
            "This survey was answered here before, and the sealed answer has not arrived yet. It is being "
            "sent now, as it is."
        ),
        "found_delivered_title": _("The waiting answer has arrived"),
        "found_delivered": _(
            "The sealed answer that waited here has reached the server and is erased from this device. If "
            "somebody else wants to answer here, load this page again."
        ),
        "elsewhere_title": _("Sealed in another tab"),
        "elsewhere": _(
            "While this page was open, an answer to this survey was sealed in another tab of this browser. "
            "So this page cannot seal any more, and it has forgotten what was answered in it. You can close "
            "it."
        ),
        "broken_title": _("This page is not in order"),
        "broken": _(
            "It cannot ask its questions: {error} Nothing was sent. Load it again; if that does not help, "
            "please tell the contact person of the survey."
        ),
        "unable_title": _("This browser cannot answer here"),
        "unable": _(
            "Your answers have to be disguised on this device, and this browser lacks what that takes: "
            "{parts}. Nothing was sent. Please open the page in a current browser, outside private mode, at "
            "an address that begins with https."
        ),
    }
