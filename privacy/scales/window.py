"""Window channel of a number, with integer weights: a window that slides over a grid of bins, and a coin.

One class covers square wave, piecewise, Duchi, hybrid, and the operators R1, R2 and R3. A device draws one
whole number and looks up the output (`privacy.scales.sent_rows`). `privacy.scales.numeric_mechanisms`
computes the weights of each mechanism.

`forward` and `backward` apply the channel and its transpose to shares of bins without a matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.channels import Channel, largest_ratio
from privacy.errors import PrivacyError
from privacy.scales.disguise import ScaleDisguise
from privacy.scales.number_range import NumberRange
from privacy.scales.sliding_max import sliding_max

Span: TypeAlias = tuple[int, int]
"""First and last bin, both included."""

AS_ANSWERED: Final = "as_answered"
"""Mechanism of a number in an open block: the device sends the bin of the answer."""

MOST_OUTPUTS: Final = 65_536
MOST_BITS: Final = 1_024
LARGEST_CHANNEL: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class WindowChannel(ScaleDisguise):
    """Window channel: disguise of a number, given as a bin.

    Parameters
    ----------
    mechanism : str
        Name of the mechanism behind the weights. It has no effect, but `AS_ANSWERED` is reserved for the
        identity: window 1, peak 1, all other weights 0.
    range : NumberRange
        The n bins, numbered from 0.
    window : int
        Number w of outputs in the window of each bin; 0 if only the coin answers.
    cyclic : bool
        If False, there are n + w - 1 outputs, and the window of bin x is x .. x + w - 1. If True, there are n
        outputs, and the window starts w // 2 before x and wraps around.
    floor, peak : int
        Weight of every output on the grid, and additional weight of outputs in the window.
    coin : int
        Total weight of two further outputs, "down" and then "up"; 0 without them.
    lean, step : int
        Weight of "up" for bin x: lean + step x.
    spans : tuple of (int, int)
        Bins of each item that the question declares, in the order of its options; they do not overlap.

    Raises
    ------
    PrivacyError
        With codes ``disguise``, ``too_large``, ``spans``.

    Notes
    -----
    With T = floor m + peak w + coin, m outputs on the grid, probabilities are weights over T:

        channel[y, x] = (floor + peak [y in the window of x]) / T       y on the grid
        channel[up, x] = (lean + step x) / T,  channel[down, x] = (coin - lean - step x) / T.

    Examples
    --------
    Three bins, window 1: keep with weight 4, and weight 1 for each output.

    >>> keep = WindowChannel(mechanism="keep_or_any", range=NumberRange(low=0, high=2), window=1,
    ...                      floor=1, peak=4)
    >>> keep.total, [keep.weight(y, 2) for y in range(3)]
    (7, [1, 1, 5])
    >>> keep.amplification, keep.retention_probability
    (Fraction(5, 1), Fraction(4, 7))
    """

    mechanism: str
    range: NumberRange
    window: int
    cyclic: bool = False
    floor: int
    peak: int
    coin: int = 0
    lean: int = 0
    step: int = 0
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        validation.key(self.mechanism, "mechanism", code="disguise")
        validation.instance(self.range, "range", NumberRange, code="disguise")
        validation.truth_value(self.cyclic, "cyclic", code="disguise")
        for name in ("window", "floor", "peak", "coin", "lean", "step"):
            number = validation.whole_number(
                getattr(self, name), name, low=0, high=1 << MOST_BITS, code="disguise"
            )
            object.__setattr__(self, name, number)
        self._check_window()
        if self.is_as_answered and not self._is_identity:
            raise PrivacyError("disguise.as_answered", self.total)
        if self.total.bit_length() > MOST_BITS:
            raise PrivacyError("too_large.weights", self.total, bits=self.total.bit_length(), most=MOST_BITS)
        if self.lean + self.step * (self.inputs - 1) > self.coin:
            raise PrivacyError("disguise.weights", self.coin)
        object.__setattr__(self, "spans", self._checked_spans())

    def _check_window(self) -> None:
        if self.window > (self.inputs if self.cyclic else MOST_OUTPUTS) or self.outputs > MOST_OUTPUTS:
            raise PrivacyError("too_large.window", self.window, inputs=self.inputs, most=MOST_OUTPUTS)
        if self.window == 0 and (self.floor or self.peak or self.cyclic):
            raise PrivacyError("disguise.weights", self.floor)
        if self.peak == 0 and self.step == 0:
            raise PrivacyError("disguise.weights", 0)

    def _checked_spans(self) -> tuple[Span, ...]:
        spans = []
        used_bins: set[int] = set()
        for entry in validation.as_tuple(self.spans, "spans", code="spans"):
            ends = validation.as_tuple(entry, "span", code="spans")
            if len(ends) != 2:
                raise PrivacyError("spans.pair", entry)
            first, last = (
                validation.whole_number(end, "end of a span", low=0, high=self.inputs - 1, code="spans")
                for end in ends
            )
            bins = set(range(first, last + 1))
            if not bins or bins & used_bins:
                raise PrivacyError("spans.overlap", entry, first=first, last=last)
            used_bins |= bins
            spans.append((first, last))
        return tuple(spans)

    @property
    def is_as_answered(self) -> bool:
        """Whether it is the identity, as for a number in an open block."""
        return self.mechanism == AS_ANSWERED

    @property
    def sends_the_answer(self) -> bool:
        """Whether it sends the number itself: the identity with one bin for each of 0, 1, 2 and so on."""
        starts = [self.range.text(self.range.low + step * self.range.bin) for step in (0, 1)]
        return self.is_as_answered and starts == ["0", "1"]

    @property
    def _is_identity(self) -> bool:
        weights = (self.window, self.cyclic, self.floor, self.peak, self.coin, self.lean, self.step)
        return weights == (1, False, 0, 1, 0, 0, 0)

    @property
    def domain(self) -> tuple[NumberRange, tuple[Span, ...]]:
        """The range, and the bins of each item."""
        return self.range, self.spans

    @property
    def declared(self) -> tuple[Span, ...]:
        """Spans, one for each item."""
        return self.spans

    @property
    def inputs(self) -> int:
        """Number n of bins."""
        return self.range.bins

    @property
    def grid_outputs(self) -> int:
        """Number m of outputs on the grid."""
        if self.window == 0:
            return 0
        return self.inputs if self.cyclic else self.inputs + self.window - 1

    @property
    def outputs(self) -> int:
        """Number of outputs, the coin's included."""
        return self.grid_outputs + (2 if self.coin else 0)

    @cached_property
    def total(self) -> int:
        """T, the sum of the weights; a device draws from 0 to T - 1."""
        return self.floor * self.grid_outputs + self.peak * self.window + self.coin

    def start(self, x: int) -> int:
        """Return the first output of the window of bin x."""
        return (x - self.window // 2) % self.inputs if self.cyclic else x

    @cached_property
    def decoys(self) -> int:
        """Number of draws that send the same output for every bin; 0 if skips cannot hide among them."""
        if 0 < self.window == self.grid_outputs:
            return 0  # Every window is the whole grid, where a decoy would be rarer than any answer.
        return self.floor * self.grid_outputs + self.coin - self.step * (self.inputs - 1)

    def decoy_weight(self, y: int) -> int:
        """Return how many of the `decoys` send output `y`."""
        if y < self.grid_outputs:
            return self.floor
        down = self.coin - self.lean - self.step * (self.inputs - 1)
        return self.lean if y == self.grid_outputs + 1 else down

    def decoy_array(self) -> Array:
        """Return the probability of each output under a decoy, shape (outputs,)."""
        probabilities = np.full(self.outputs, self.floor / self.decoys)
        for y in range(self.grid_outputs, self.outputs):
            probabilities[y] = self.decoy_weight(y) / self.decoys
        return probabilities

    def weight(self, y: int, x: int) -> int:
        """Return how many of the `total` draws send output `y` for bin `x`."""
        if y < self.grid_outputs:
            in_window = (y - self.start(x)) % self.grid_outputs < self.window
            return self.floor + self.peak * in_window
        up = self.lean + self.step * x
        return up if y == self.grid_outputs + 1 else self.coin - up

    def row(self, y: int) -> tuple[Fraction, ...]:
        """Return the probability of output `y` from each bin."""
        return tuple(Fraction(self.weight(y, x), self.total) for x in range(self.inputs))

    @property
    def channel(self) -> Channel:
        """The exact channel, of at most a million entries."""
        if self.outputs * self.inputs > LARGEST_CHANNEL:
            raise PrivacyError("too_large.fractions", self.outputs, inputs=self.inputs)
        return Channel(matrix=tuple(self.row(y) for y in range(self.outputs)))

    def as_array(self) -> Array:
        """Return ``channel[observed, true]`` as floats."""
        return forward(self, np.eye(self.inputs)).T

    @cached_property
    def amplification(self) -> Fraction | None:
        """gamma, the largest ratio of two entries of a row of the channel; None if it is infinite."""
        pairs = []
        if 0 < self.window < self.grid_outputs and self.peak:
            pairs.append((self.floor + self.peak, self.floor))
        if self.coin and self.step:
            up = (self.lean, self.lean + self.step * (self.inputs - 1))
            pairs += [(up[1], up[0]), (self.coin - up[0], self.coin - up[1])]
        return largest_ratio((Fraction(high), Fraction(low)) for high, low in pairs)

    @property
    def sensitive_amplification(self) -> Fraction | None:
        """gamma, which bounds inferences between all pairs of numbers."""
        return self.amplification

    @property
    def decoy_bound(self) -> Fraction:
        """The amplification; decoys keep it finite, as they give each output a weight for every answer."""
        return self.amplification or Fraction(1)

    @cached_property
    def retention_probability(self) -> Fraction | None:
        """Retention probability p if channel[y, x] = p [x = y] + (1 - p) / n; None for other channels."""
        if self.window != 1 or self.coin:
            return None
        return Fraction(self.peak, self.total)

    @property
    def decoy_shares(self) -> tuple[Fraction, ...]:
        """Probability q that a decoy is in each declared item."""
        return tuple(Fraction(last - first + 1, self.inputs) for first, last in self.spans)

    def item_values(self, item: int) -> Flags:
        """Flag the bins of a declared item."""
        first, last = self.spans[item]
        bins = np.arange(self.inputs)
        return (first <= bins) & (bins <= last)

    def to_json(self) -> dict[str, Any]:
        """Return the disguise as a device reads it; weights are decimal texts."""
        return {
            "mechanism": self.mechanism,
            "range": self.range.to_json(),
            "window": self.window,
            "cyclic": self.cyclic,
            "floor": str(self.floor),
            "peak": str(self.peak),
            "coin": str(self.coin),
            "lean": str(self.lean),
            "step": str(self.step),
            "spans": [list(span) for span in self.spans],
        }

    @property
    def level_bounds(self) -> tuple[Fraction, ...]:
        """Amplification, if there is a bound."""
        return () if self.amplification is None else (self.amplification,)

    @property
    def shape(self) -> tuple[int]:
        """Number of bins."""
        return (self.inputs,)

    def maps(self) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        """Return `forward` and `backward` of this channel."""
        return partial(forward, self), partial(backward, self)

    def largest_joint(self, shares: Array) -> tuple[Array, Array]:
        """Return max_x K(y, x) s(x) and sum_x K(y, x) s(x) for each output y."""
        return _maxima(self, shares.ravel()), forward(self, shares.ravel())

    def are_decoys(self, draws: NDArray[Any]) -> Flags:
        """Flag the draws that send the same output for every bin."""
        beyond = draws - self.floor * self.grid_outputs
        turn = beyond - self.peak * self.window - self.lean
        widest = self.step * (self.inputs - 1)
        same = (beyond < 0) | ((turn >= -self.lean) & (turn < 0)) | (turn >= widest)
        return np.asarray(same, dtype=bool)

    def sent(self, answers: Whole, draws: NDArray[Any]) -> Whole:
        """Return the output that each row sends for its bin under its draw."""
        grid, near = self.floor * self.grid_outputs, self.peak * self.window
        up = draws - (grid + near) < self.lean + self.step * answers.astype(draws.dtype)
        outputs = self.grid_outputs + up.astype(np.int64)
        anywhere = (draws < grid).astype(bool)
        outputs[anywhere] = (draws[anywhere] // max(self.floor, 1)).astype(np.int64)
        from_window = ~anywhere & (draws < grid + near).astype(bool)
        start = (
            (answers[from_window] - self.window // 2) % self.inputs if self.cyclic else answers[from_window]
        )
        steps = ((draws[from_window] - grid) // max(self.peak, 1)).astype(np.int64)
        outputs[from_window] = (start + steps) % max(self.grid_outputs, 1)
        return outputs


def forward(channel: WindowChannel, shares: Array) -> Array:
    """Return the probabilities of the outputs under shares of the bins, by running sums along the last axis.

    Parameters
    ----------
    channel : WindowChannel
        Channel of a number.
    shares : ndarray of shape (..., bins)
        Shares of the bins.
    """
    result = np.empty((*shares.shape[:-1], channel.outputs))
    if channel.window:
        near = _sums(shares, channel.window, channel.cyclic, widen=True)
        whole = shares.sum(axis=-1, keepdims=True)
        result[..., : channel.grid_outputs] = (channel.floor * whole + channel.peak * near) / channel.total
    if channel.coin:
        up = (shares * _up(channel)).sum(axis=-1)
        result[..., -1] = up
        result[..., -2] = shares.sum(axis=-1) * (channel.coin / channel.total) - up
    return result


def backward(channel: WindowChannel, ratios: Array) -> Array:
    """Apply the transpose of `forward` to values of the outputs.

    Parameters
    ----------
    channel : WindowChannel
        Channel of a number.
    ratios : ndarray of shape (..., outputs)
        Value of each output.
    """
    result = np.zeros((*ratios.shape[:-1], channel.inputs))
    if channel.window:
        grid = ratios[..., : channel.grid_outputs]
        near = _sums(grid, channel.window, channel.cyclic, widen=False)
        result += (channel.floor * grid.sum(axis=-1, keepdims=True) + channel.peak * near) / channel.total
    if channel.coin:
        up = _up(channel)
        result += ratios[..., -1:] * up + ratios[..., -2:-1] * (channel.coin / channel.total - up)
    return result


def _maxima(channel: WindowChannel, shares: Array) -> Array:
    """Return max_x K(y, x) s(x) for each output y."""
    masses = np.zeros(channel.outputs)
    if channel.window:
        x = np.arange(channel.grid_outputs if channel.cyclic else channel.inputs)
        begins = np.zeros(channel.grid_outputs)
        begins[(x - channel.window // 2) % channel.inputs if channel.cyclic else x] = shares
        near = sliding_max(np.concatenate([begins, begins]) if channel.cyclic else begins, channel.window, 0)
        near = near[-channel.grid_outputs :]
        masses[: channel.grid_outputs] = (
            np.maximum(channel.floor * shares.max(), (channel.floor + channel.peak) * near) / channel.total
        )
    if channel.coin:
        up = np.array([(channel.lean + channel.step * x) / channel.total for x in range(channel.inputs)])
        masses[-1], masses[-2] = (up * shares).max(), ((channel.coin / channel.total - up) * shares).max()
    return masses


def _up(channel: WindowChannel) -> Array:
    return np.array([(channel.lean + channel.step * x) / channel.total for x in range(channel.inputs)])


def _sums(values: Array, window: int, cyclic: bool, *, widen: bool) -> Array:
    """Return sums over windows: of the bins that reach each output (`widen`), or of each bin's outputs."""
    if cyclic:
        size = values.shape[-1]
        # The window of bin x starts window // 2 before x, so the bins of output y end window // 2 after y.
        before = window - 1 - window // 2 if widen else window // 2
        order = np.arange(-before, size + window - 1 - before) % size
        values = values[..., order]
    elif widen:
        rim = np.zeros((*values.shape[:-1], window - 1))
        values = np.concatenate([rim, values, rim], axis=-1)
    running = np.concatenate([np.zeros((*values.shape[:-1], 1)), np.cumsum(values, axis=-1)], axis=-1)
    sums: Array = running[..., window:] - running[..., :-window]
    return sums
