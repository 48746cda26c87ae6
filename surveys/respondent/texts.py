"""Every sentence that the respondent's page shows after JavaScript has taken over, in the page's language.

The page sets no cookie and asks the server for nothing but itself, so its sentences travel inside it. A
name in braces is filled in by the browser.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from privacy.risk.whole_odds import WholeOdds
from surveys.respondent.label_texts import label_texts
from surveys.respondent.outcome_texts import delivery_texts
from surveys.respondent.scale_texts import scale_texts


def respondent_texts(
    *,
    blocks: Sequence[Mapping[str, Any]] | None = None,
    by_invitation: bool = True,
    has_groups: bool = True,
    has_exclusive: bool = True,
    is_preview: bool = True,
    not_protected: bool = True,
    can_skip_all: bool = False,
    odds: WholeOdds | None = None,
) -> dict[str, str]:
    """Return the sentences by key, translated: only those that the survey can come to need."""
    unsaid = frozenset() if blocks is None else _unsaid(blocks, odds)
    found = {
        **_actions(),
        **(_invitation() if by_invitation else {}),
        **_trial(),
        **_whole(),
        **(_changing() if blocks is None or any(block["asked_if"] for block in blocks) else {}),
        **(_group() if has_groups else {}),
        **_blocks(),
        **(_exclusive() if has_exclusive else {}),
        **_odds(
            has_open=blocks is None or not all(block["protected"] for block in blocks), has_groups=has_groups
        ),
        **_review(),
        **_sent(),
        **(_nothing_protected() if not_protected else {}),
        **({} if can_skip_all else _no_skip()),
        **(_rehearsal() if is_preview else {}),
        **scale_texts(blocks),
        **delivery_texts(by_invitation=by_invitation),
    }
    return {key: text for key, text in found.items() if key not in unsaid}


def _unsaid(blocks: Sequence[Mapping[str, Any]], odds: WholeOdds | None) -> frozenset[str]:
    """Return which sentences about all parts together no page of these blocks says."""
    about_all = {"odds_whole_lead", "odds_whole", "odds_whole_any"}
    said = set() if odds is None else about_all
    if odds is not None:
        said |= {"odds_whole_most" if odds.once_in is None else "odds_whole_rare"}
        said |= {"odds_whole_apart"} if odds.apart else set()
        said |= {"odds_alone"} if odds.parts > 1 else set()
    if any(block["asked_if"] for block in blocks):
        said |= {"sent_not_asked"}
    return _OF_ALL_PARTS - said


_OF_ALL_PARTS: Final = frozenset(
    {
        "odds_alone",
        "odds_whole",
        "odds_whole_any",
        "odds_whole_apart",
        "odds_whole_lead",
        "odds_whole_most",
        "odds_whole_rare",
        "sent_not_asked",
    }
)


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


def _invitation() -> dict[str, str]:
    return {
        "code_title": _("Your invitation"),
        "code_text": _(
            "This survey is answered by invitation. Open the address in your invitation, or type its code "
            "here. It is checked on this device and sent once, together with your sealed answer."
        ),
        "code_wrong_address": _(
            "The code in the address is not whole. Open the address once more, or type the code."
        ),
        "bits_text_invited": _(
            "These bits are all that is said about your answers. With them went the survey’s name, the "
            "number of its design, the code of your invitation, and 64 random digits that nobody keeps. The "
            "bits are stored apart from the code."
        ),
    }


def _trial() -> dict[str, str]:
    return {
        "trial": _("Try what this device does"),
        "trial_question": _("Did you have tea this morning?"),
        "trial_hint": _("A question for trying only. What you choose here is neither kept nor sent."),
        "trial_draw": _("Draw ten times"),
        "trial_again": _("Draw ten times more"),
        "trial_true": _("as you answered"),
        "trial_chance": _("drawn by chance"),
        "trial_said": _(
            "{count} of {draws} as you answered, the others drawn by chance. In earnest this device draws "
            "once, and shows nobody which of the two it was."
        ),
    }


def _whole() -> dict[str, str]:
    return {
        "start_whole": _("Start, all questions on one page"),
        "whole_title": _("All questions"),
        "whole_text": _("Nothing is sent before you have looked your answers over and sealed them."),
        "whole_continue": _("Look it over"),
        "odds_summary": _("How sure could anyone be?"),
    }


def _changing() -> dict[str, str]:
    return {
        "whole_more": _("A part was added below, because of what you answered."),
        "whole_less": _("A part below was taken away, because of what you answered."),
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
            "compared. Which way it is goes along with your answers. Until you seal, it stands in this open "
            "page only."
        ),
        "assigned_protected_text": _(
            "Your answers to sensitive questions are disguised before anything leaves this device."
        ),
        "assigned_direct_text": _(
            "Nothing is disguised: your answers are stored as they are, for whoever can read the database. "
            "If you would rather not, close this page; nothing has been sent."
        ),
        "block_direct": _("You answer directly: the answers of this part are stored as they are."),
        "block_skip_direct": _("You can skip this part as a whole."),
        "seal_direct": _(
            "You answer directly. When you seal, this device forgets your answers and sends them as they "
            "are. It cannot be undone."
        ),
        "sent_direct": _("You answered directly: this is what you answered, as it is."),
        "bits_group_1": _("Answered directly"),
    }


def _blocks() -> dict[str, str]:
    return {
        "part": _("Part {number} of {total}"),
        "block_open": _(
            "The answers of this part are not disguised: they are sent as they are. You may leave any "
            "question empty."
        ),
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
        "block_skipped": _("You have skipped this part."),
        "error_choose": _("Choose an answer to go on."),
        "error_tick": _("Tick what applies, or “None of these”, to go on."),
        "error_or_skip": _("You can also skip these questions."),
        "hint_multi": _("Tick all that apply, or “None of these”."),
        "hint_open": _("You may leave this empty."),
    }


def _exclusive() -> dict[str, str]:
    return {
        "block_exclusive": _(
            "With one exception: some answers of this part cannot be true together. Where chance draws two "
            "of them, anyone can see that it was chance. Whatever else is sent is a little likelier to be "
            "true."
        ),
    }


def _odds(*, has_open: bool, has_groups: bool) -> dict[str, str]:
    return {
        "odds_worst": _("The most telling answers of this part:"),
        **label_texts(has_open=has_open, has_groups=has_groups),
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
        "seal": _("Seal and send"),
        "sealing": _("Sealing"),
        "seal_failed_title": _("This device could not keep the sealed answer"),
        "seal_failed": _(
            "Nothing was sent. Chance has been drawn and stays as it is. Make room on this device, then try "
            "once more here: closing this page drops your answers."
        ),
        "seal_not_drawn": _(
            "Nothing was sent, and chance was not drawn yet. Make room on this device, then try once more "
            "here: closing this page drops your answers."
        ),
        "try_again": _("Try again"),
    }


def _nothing_protected() -> dict[str, str]:
    return {
        "seal_open": _(
            "When you seal, this device forgets your answers and sends them as they are. It cannot be undone."
        ),
        "sent_open": _("Nothing is disguised in this survey: this is what you answered, as it is."),
    }


def _no_skip() -> dict[str, str]:
    return {
        "block_whole": _(
            "Every question of this part needs an answer. If you would rather not give one, close this page: "
            "nothing has been sent."
        ),
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
            "Nobody can see your exact answers to the disguised questions. You answered truthfully; your "
            "device added chance. What stands there may differ from what you answered, and this page no "
            "longer knows what that was."
        ),
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
