"""Questions whose answer is a number of a range: mechanisms, and what their disguised answers tell together.

A number question has kind ``"number"``, no unrelated probabilities, a `Band` as its disguise, and a protected
block of its own with truth probability 0 and no refusal, or one that hides a skip (`default_refusal`):

>>> from privacy.disguise import Block, Design, GroupPolicy, Question
>>> age = NumberRange(low=0, high=119, bin=5)       # ticks, here years; 24 bins
>>> ask = Question(key="age", kind="number", options=(), unrelated=(), disguise=square_wave(age, 2.0))
>>> design = Design(blocks=(Block(key="you", protected=True, truth_probability=0, refusal=None,
...                               asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
>>> design.mechanism, len(design.items), ask.disguise.outputs
(2, 0, 30)

The answer that a page gathers is the number of the bin (`NumberRange.bin_of`, ``binOf`` in ``numbers.js``);
what is sent is the number of an output. Bands of bins are items of rules where they are declared, as options
of the question with the disguise's `spans`; only `keep` and `keep_with_chance` allow it:

>>> from dataclasses import replace
>>> bands = replace(keep(age, 2.0), spans=((0, 3), (13, 23)))
>>> Question(key="age", kind="number", options=("under-20", "65-up"), unrelated=(), disguise=bands).item_keys
('age=under-20', 'age=65-up')

Mechanisms by epsilon, in `BY_EPSILON`: `square_wave` (proposed for distributions), `hybrid` (for means: the
least error at worst; `expected_variance` ranks all of them), `keep` (for rules), `piecewise`, `duchi`,
`shift_or_any`. The operators R1, R2, R3 of the literature
are `keep_with_chance`, `shift` (no bound, studies only) and `shift_or_any`, as they are stated there; for an
epsilon R1 is `keep` and R3 `shift_or_any_within`. Each is a `Band`, which states its
channel (`Band.channel` exactly, `Band.as_array`), its `amplification` and, by
`privacy.epsilon.effective_epsilon`, its epsilon; `output_values` and `variances` say what a single output is
worth.
`additive_uniform` and `gaussian_channel` are the old ways, without guarantee.

For respondents, ``lone.js`` says what an even chance becomes after the most telling output. Where a
number may be skipped, `distribution`, `bars`, `mean` and `quantiles` take its ``block.skipping``, and
counts that end with the rows that say "skipped"; their figures are then of those who answer.

`stated_number` makes all of it from what a researcher states: mechanism, epsilon, range, bin, bands.

From counts of the outputs (``mining.lone_counts.sent_counts`` takes them from rows): `bars`, `mean` and
`quantiles`, unbiased with intervals; `distribution`, a shape by EM or smoothed EM, without errors; `score`
for anything else that is a mean.
"""

from privacy.disguise.band import Band
from privacy.disguise.number_range import NumberRange
from privacy.numbers.decoding import expected_variance, output_values, variances, worst_variance
from privacy.numbers.distribution import distribution
from privacy.numbers.expectation import Fit
from privacy.numbers.inverted import Bars, Quantile, bars, quantiles
from privacy.numbers.legacy import NO_GUARANTEE, additive_uniform, gaussian_channel
from privacy.numbers.mechanisms import (
    BY_EPSILON,
    duchi,
    hybrid,
    keep,
    keep_with_chance,
    piecewise,
    shift,
    shift_or_any,
    shift_or_any_within,
    square_wave,
)
from privacy.numbers.scores import score
from privacy.numbers.stated import StatedNumber, stated_number
from privacy.numbers.summary import Mean, mean

__all__ = [
    "BY_EPSILON",
    "NO_GUARANTEE",
    "Band",
    "Bars",
    "Fit",
    "Mean",
    "NumberRange",
    "Quantile",
    "StatedNumber",
    "additive_uniform",
    "bars",
    "distribution",
    "duchi",
    "expected_variance",
    "gaussian_channel",
    "hybrid",
    "keep",
    "keep_with_chance",
    "mean",
    "output_values",
    "piecewise",
    "quantiles",
    "score",
    "shift",
    "shift_or_any",
    "shift_or_any_within",
    "square_wave",
    "stated_number",
    "variances",
    "worst_variance",
]
