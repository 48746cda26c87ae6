"""Generate the golden vectors of texts: roots in links and letters, a frame's strings, and promises.

`python -m tests.vectors` writes digests.json, frame.json and promise.json. Roots are encoded with integers
and the standard library.
"""

import base64
import hashlib
from dataclasses import replace
from fractions import Fraction
from typing import Any

from privacy.risk.promise import Promise, Waves
from surveys.embed.answer_string import answer_string_write
from surveys.questionnaire.promise_words import promise_sentence, promise_texts

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RFC_4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ROOTS = ("00" * 32, "ff" * 32, *(hashlib.sha256(str(n).encode()).hexdigest() for n in range(6)))


def digest_vectors() -> dict[str, list[dict[str, str]]]:
    """Return the vectors, in Python's base 32 with its alphabet replaced by ours."""
    made = []
    for root in ROOTS:
        raw = bytes.fromhex(root)
        printed = base64.b32encode(raw).decode()[:20].translate(str.maketrans(RFC_4648, CROCKFORD))
        grouped = "-".join(printed[start : start + 5] for start in range(0, 20, 5))
        made.append({"root": root, "link": base64.urlsafe_b64encode(raw).decode()[:22], "printed": grouped})
    return {"digests": made}


# Digest, body, random bytes: together, every letter of the alphabet and every length modulo three.
CASES = (
    ("00" * 32, "60", "000102030405060708"),
    ("ff" * 32, "fbff", "ffffffffffffffffff"),
    ("3e" * 32, "fbefbe", "fbefbefbefbefbefbe"),
    ("0123456789abcdef" * 4, "00108310518720928b30d38f41149351559761969b71d79f", "a1b2c3d4e5f6071829"),
    ("9a" * 32, "8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf", "3cb4ad1f00ff77aa55"),
)


def frame_vectors() -> dict[str, Any]:
    """Return the content of frame.json."""
    return {
        "strings": [
            {
                "digest": digest,
                "body": body,
                "random": random,
                "string": answer_string_write(digest, bytes.fromhex(body), bytes.fromhex(random)),
            }
            for digest, body, random in CASES
        ]
    }


# Odds of everything, one answer, a skip: on the edge of a percent, just above it, and beyond 99 in 100.
ODDS = (
    ("19", "4", None),
    ("22/3", "7/3", "4"),
    ("19000001/1000000", "4", "5"),
    ("99", "99", "99"),
    ("9901/100", "19", "100"),
    ("243", "3", "3"),
    ("1234567", "1000", "3334"),
)


def promise_vectors() -> dict[str, Any]:
    """Return the content of promise.json: promises as pages store them, with their English sentences."""
    plain = Promise(everything=Fraction(7), answer=Fraction(4), skip=None, not_composed=False)
    two = Waves(count=2, everything=Fraction(49), answer=Fraction(16), skip=None)
    skipped, certain = replace(plain, skip=Fraction(9)), Fraction(400)
    three = Waves(count=3, everything=certain, answer=certain, skip=certain)
    made = [
        # With anchors, whose true answers are known.
        replace(plain, anchors=2),
        replace(plain, not_composed=True, anchors=1),
        *(
            Promise(
                everything=Fraction(everything),
                answer=Fraction(one),
                skip=None if skip is None else Fraction(skip),
                not_composed=False,
            )
            for everything, one, skip in ODDS
        ),
        replace(plain, waves=two),
        replace(skipped, waves=replace(two, skip=Fraction(81))),
        replace(skipped, waves=replace(two, skip=Fraction(3**9))),
        replace(plain, waves=replace(three, skip=None)),
        replace(skipped, not_composed=True, anchors=2, waves=three),
        replace(plain, shared=Fraction(5)),
        replace(skipped, everything=certain, shared=Fraction(399)),
        replace(skipped, shared=Fraction(7), waves=replace(two, skip=Fraction(81), shared=Fraction(49))),
        replace(plain, shared=Fraction(7), waves=replace(two, shared=Fraction(343))),
        # Parts take turns, so that one answer and a skip keep their odds.
        replace(skipped, waves=replace(two, answer=Fraction(4), skip=Fraction(9), takes_turns=True)),
    ]
    held = [each.to_json() for each in made]
    # Published before pages stated skips.
    held.append({name: value for name, value in skipped.to_json().items() if name != "skip_once_in"})
    sentences = [{"key": key, "text": text} for key, text in promise_texts().items()]
    return {
        "texts": sentences,
        "promises": [{"held": each, "sentence": promise_sentence(each)} for each in held],
    }


FILES = {"digests.json": digest_vectors, "frame.json": frame_vectors, "promise.json": promise_vectors}
