"""A survey as you write it in a notebook: its questions in blocks, its design, and what follows from it."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.row_writer import DREW, MISSING, RowWriter, disguise_bodies
from mining.frames.plan import Plan, SurveyAudit, plan_of
from mining.frames.report_table import cells_of, column_designs, frame_of, packed_reports
from mining.frames.reports import Reports
from privacy import validation
from privacy.arrays import Whole
from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError
from privacy.library.designs import Chance, ResponseDesign, ten_thousandths
from privacy.library.frames import Tabled, data_frame, pick, read_frame
from privacy.planning.layouts import MEDIUM
from privacy.scales.numeric_mechanisms import stated_number
from privacy.survey.block import Block, GroupPolicy
from privacy.survey.design import Design
from privacy.survey.grouping import draw_questions
from privacy.survey.question import Kind, Question

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True)
class AnswerKind:
    """What can be answered to a question: one of some options, any of them, or a number; else yes or no."""

    kind: Kind
    options: tuple[str, ...] = ()
    disguise: Any = None


YES_NO = AnswerKind(kind="yes_no")

Questions: TypeAlias = Iterable[str] | Mapping[str, AnswerKind | None] | AnswerKind
"""Keys of yes/no questions; or key -> kind, None for yes/no; or one number, which has the block's key."""


def one_of(*options: str) -> AnswerKind:
    """State a question with exactly one of some options as its answer.

    Parameters
    ----------
    *options : str
        Keys, each once.

    Examples
    --------
    >>> one_of("work", "home").options
    ('work', 'home')
    """
    return AnswerKind(kind="single", options=options)


def any_of(*options: str) -> AnswerKind:
    """State a question with any number of some options as its answer; a column per option, "key=option".

    Parameters
    ----------
    *options : str
        Keys, each once.
    """
    return AnswerKind(kind="multi", options=options)


def number(*, low: Any, high: Any, epsilon: float | None = None, bin: Any = 1, **stated: Any) -> AnswerKind:
    """State a question for a number; its column holds the number of the sent value.

    Parameters
    ----------
    low, high, bin : number
        Smallest and largest answer, and the width of a bin.
    epsilon : float, optional
        None for a number that is stored as answered, among the open questions; then the column holds the
        number of the bin.
    **stated : object
        ``mechanism`` ("hybrid" if left out, which is good for means), and the other parameters of
        `privacy.scales.numeric_mechanisms.stated_number`.

    Examples
    --------
    >>> number(low=0, high=79, bin=10, epsilon=2).disguise.inputs
    8
    >>> number(low=0, high=24).disguise.mechanism
    'as_answered'
    """
    disguise = {} if epsilon is None else {"mechanism": "hybrid", "epsilon": epsilon}
    question = stated_number({**disguise, "low": low, "high": high, "bin": bin, **stated})
    return AnswerKind(kind="number", options=question.options, disguise=question.disguise)


def design_of(
    blocks: Any,
    *,
    p: Chance | Mapping[str, Chance] | None,
    theta: Any,
    light: Chance | Mapping[str, Chance] | None,
    skip: Mapping[str, Chance],
    questions_per_person: Mapping[str, int],
    open: Questions,
    direct: bool,
) -> tuple[Design, dict[str, str]]:
    """Return the design that `mining.frames.survey.Survey` was given, and names by key where they differ.

    Parameters
    ----------
    blocks : mapping
        From a block's key to its questions.
    p, light : float, Fraction, Decimal, str, mapping or None
        Retention probability of the strong and of the light disguise: of all blocks, or by block.
    theta : float, Fraction, Decimal, str or mapping
        Probability of a decoy's "yes": of all questions, or by question.
    skip : mapping of str
        Probability that a decoy skips, by block.
    questions_per_person : mapping of str to int
        How many questions of a block one device draws.
    open : mapping
        Questions that are sent as they are.
    direct : bool
        Whether one group answers directly.

    Raises
    ------
    PrivacyError
        ``blocks``: not a mapping from block to questions. ``ten_thousandths``, and what a design refuses.
    """
    if not isinstance(blocks, Mapping):
        listed = not isinstance(blocks, str) and isinstance(blocks, Iterable)
        keys = [str(key) for key in blocks] if listed else [str(blocks)]
        first = f'"{keys[0]}"' if keys else '"cheat"'
        raise PrivacyError("blocks.coins", blocks, together=", ".join(map(repr, keys)), first=first)
    for name, stated in (("skip", skip), ("questions_per_person", questions_per_person)):
        _check_names(stated, blocks, name)
    questions = {key: dict(_kinds(key, own)) for key, own in blocks.items()}
    for chances, name in ((p, "p"), (light, "light")):
        _check_names(chances, blocks, name)
    _check_names(theta, {key for own in questions.values() for key in own}, "theta")
    made, names = [], _Names([*questions, *(name for own in questions.values() for name in own)])
    for key, own in questions.items():
        is_scale = any(kind.kind == "number" for kind in own.values())
        decoys = {question: _decoys(question, kind, theta) for question, kind in own.items()}
        made.append(
            Block(
                key=names.key("b", key),
                protected=True,
                truth_probability=0 if is_scale else ten_thousandths(_of(p, key, "p"), f"p of block {key}"),
                refusal=ten_thousandths(skip[key], f"skip of block {key}") if key in skip else None,
                asked_if=None,
                questions=tuple(names.question(name, kind, decoys[name]) for name, kind in own.items()),
                light=None if light is None else ten_thousandths(_of(light, key, "light"), f"light of {key}"),
                questions_per_person=questions_per_person.get(key),
            )
        )
    made[:0] = _open_blocks(dict(_kinds("open", open)), names)
    policy = GroupPolicy(policy="choice") if direct or light is not None else GroupPolicy()
    return Design(blocks=tuple(made), group=policy, use="live"), names.names


class _Names:
    """Keys for names that cannot be keys: with blanks, in other scripts, or too long."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.names: dict[str, str] = {}
        self._taken = set(taken)

    def key(self, letter: str, name: str) -> str:
        """Return a name that is a key, or a new key of this letter and a number."""
        try:
            return validation.key(name, "name", code="blocks")
        except PrivacyError:
            if not isinstance(name, str) or not name.strip():
                raise
        for key, known in self.names.items():
            if known == name:
                return key
        for number in itertools.count(1):
            if (key := f"{letter}{number}") not in self._taken:
                break
        self._taken.add(key)
        self.names[key] = name
        return key

    def question(self, name: str, kind: AnswerKind, decoys: tuple[int, ...]) -> Question:
        """Return a question, with keys for its options too."""
        key, own = self.key("q", name), _Names(kind.options)
        plain = kind.kind == "number"
        options = tuple(option if plain else own.key("o", option) for option in kind.options)
        for new, option in zip(options, kind.options, strict=True):
            if not plain and (key, new) != (name, option):
                self.names[f"{key}={new}"] = f"{name}={option}"
        return Question(key=key, kind=kind.kind, options=options, unrelated=decoys, disguise=kind.disguise)


def _open_blocks(kinds: Mapping[str, AnswerKind], names: _Names) -> list[Block]:
    """Return the blocks of the questions that are sent as they are: a number has one of its own."""
    together: dict[str, tuple[Question, ...]] = {}
    for name, kind in kinds.items():
        key = names.key("q", name) if kind.kind == "number" else "open"
        together[key] = (*together.get(key, ()), names.question(name, kind, ()))
    return [
        Block(key=key, protected=False, truth_probability=SCALE, refusal=None, asked_if=None, questions=own)
        for key, own in together.items()
    ]


def _check_names(stated: object, known: Iterable[str], name: str) -> None:
    names = list(known)
    for key in stated if isinstance(stated, Mapping) else ():
        if key not in names:
            raise PrivacyError("blocks.name", key, name=name, names=", ".join(names))


def _kinds(block: str, questions: Questions) -> Iterator[tuple[str, AnswerKind]]:
    """Yield the questions of a block, by key."""
    if isinstance(questions, AnswerKind):
        yield block, questions
        return
    if isinstance(questions, str) or not isinstance(questions, Iterable):
        raise PrivacyError("blocks.questions", questions, block=block)
    kinds = questions.items() if isinstance(questions, Mapping) else ((key, None) for key in questions)
    for key, kind in kinds:
        if kind is not None and not isinstance(kind, AnswerKind):
            raise PrivacyError("blocks.kind", kind, key=key)
        yield key, kind or YES_NO


def _of(stated: Any, key: str, name: str) -> Any:
    own = stated.get(key) if isinstance(stated, Mapping) else stated
    if own is None:
        raise PrivacyError("blocks.chance", None, key=key, name=name)
    return own


def _decoys(key: str, kind: AnswerKind, theta: Any) -> tuple[int, ...]:
    """Return the decoy probabilities of a question, for a single choice as equal as ten-thousandths allow."""
    if kind.kind == "number":
        return ()
    own = _of(theta, key, "theta") if isinstance(theta, Mapping) and key in theta else theta
    if isinstance(own, Mapping) and own is not theta:
        _check_names(own, kind.options, f"theta of {key}")
        return tuple(_decoy(_of(own, option, "theta"), option) for option in kind.options)
    if kind.kind == "single":
        count = len(kind.options)
        return tuple(SCALE // count + (option < SCALE % count) for option in range(count))
    if isinstance(own, Mapping):
        raise PrivacyError("blocks.chance", None, key=key, name="theta")
    return (_decoy(own, key),) * (len(kind.options) or 1)


def _decoy(theta: Any, key: str) -> int:
    """Return the probability of "yes" of a random answer in ten-thousandths, which is neither 0 nor 1."""
    probability = ten_thousandths(theta, f"theta of {key}")
    if not 0 < probability < SCALE:
        raise PrivacyError("blocks.decoy", theta, key=key)
    return probability


class Survey(Tabled):
    """Questions in blocks; the questions of a block share one coin, those of two blocks have two.

    Parameters
    ----------
    blocks : mapping of str to questions
        Block -> names of its yes/no questions, or a mapping of key to `one_of`, `any_of` or None (yes/no), or
        one `number`.
    p : float, Fraction, str or mapping
        Probability that a block is reported as it is: one for all blocks, or one for each.
    theta : float, Fraction, str or mapping
        Probability of "yes" of a decoy: one for all questions, or one for each question or option. By
        default, the decoys of a single choice are equally likely.
    light : probability or mapping, optional
        p of the direct group, above `p`; then the reports have a column "group".
    skip : mapping of str to probability
        Blocks that may be skipped -> probability that a decoy says so.
    questions_per_person : mapping of str to int
        Blocks of which a device draws some questions -> how many.
    open : questions
        Asked without a disguise.
    direct : bool
        Whether some respondents answered without a disguise, by the column "group".

    Raises
    ------
    PrivacyError
        ``blocks``: a list does not say whether one coin decided for all or each had its own.
        ``ten_thousandths``: a probability that no device draws with. The errors of a design.

    References
    ----------
    Kan and Cao; Warner 1965; Greenberg et al. 1969.

    Examples
    --------
    Two questions about work share a coin, debts have one of their own. 40 of 100 people report debts:
    (.4 - .25)/.5.

    >>> import pandas
    >>> survey = Survey(blocks={"work": ["cheat", "drugs"], "money": ["debts"]}, p=.5, theta=.5)
    >>> frame = pandas.DataFrame(
    ...     {"cheat": [1, 0] * 50, "drugs": [0, 1, 1, 0] * 25, "debts": [1] * 40 + [0] * 60})
    >>> survey.on(frame).share("debts")
    <share of debts: 0.3, standard error 0.098, n = 100>
    >>> Survey(blocks=["cheat", "drugs"], p=.5)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: it is not clear whether the questions 'cheat', 'drugs' shared one coin or \
had one each; write blocks={"block": [...]} if one coin decided for all of them, or blocks={"cheat": \
["cheat"], ...} if each had its own
    """

    design: Design
    names: dict[str, str]
    """Key -> name of a block, question or item whose name cannot be a key."""

    def __init__(
        self,
        blocks: Mapping[str, Questions],
        p: Chance | Mapping[str, Chance] | None = None,
        theta: Chance | Mapping[str, Any] = 0.5,
        *,
        light: Chance | Mapping[str, Chance] | None = None,
        skip: Mapping[str, Chance] | None = None,
        questions_per_person: Mapping[str, int] | None = None,
        open: Questions = (),
        direct: bool = False,
    ) -> None:
        self.design, self.names = design_of(
            blocks,
            p=p,
            theta=theta,
            light=light,
            skip=skip or {},
            questions_per_person=questions_per_person or {},
            open=open,
            direct=direct,
        )

    @classmethod
    def of(cls, design: Design | Mapping[str, Any]) -> Survey:
        """Return the survey of a design, or of the ``design.json`` that a survey or a run exports.

        Parameters
        ----------
        design : Design or mapping
            What ``json.load`` gives of the file.

        Raises
        ------
        PrivacyError
            ``malformed``.
        """
        survey = cls.__new__(cls)
        survey.design = design if isinstance(design, Design) else Design.from_json(dict(design))
        survey.names = {}
        return survey

    def on(
        self,
        frame: Any,
        *,
        weights: Hashable | None = None,
        clusters: Hashable | None = None,
        missing: str = "refuse",
    ) -> Reports:
        """Read reports that were made by this survey.

        Parameters
        ----------
        frame : DataFrame
            Of pandas or polars, or a table of Arrow. A row for each respondent, as
            `mining.frames.report_table.packed_reports` reads it; it may have other columns.
        weights : hashable, optional
            Column of weights above 0, such as the inverse of the probability of being in the sample.
        clusters : hashable, optional
            Column that says who was drawn together, such as a school: errors then are those of clusters.
        missing : {"refuse", "drop"}
            What to do with rows that lack an answer, a weight or a cluster. Dropped rows are counted
            (``dropped``), and a regression or comparison then also drops rows that lack an undisguised value.

        Raises
        ------
        PrivacyError
            ``frame``, ``answers``, ``reports``, ``regression``; ``misfit``: no true answers lead to these
            reports through the design.
        """
        validation.one_of(missing, "missing", allowed=("refuse", "drop"), code="reports")
        own, drop = read_frame(frame), missing == "drop"
        n = len(own)
        if drop:
            stated = [name for name in (weights, clusters) if name is not None]
            pick(own, stated)
            own = own[own[stated].notna().all(axis=1)]
        packed, lacking = packed_reports(self._keyed(own), self.design, drop=drop, names=self.names)
        own = own[~lacking] if lacking.any() else own
        return Reports(
            design=self.design,
            packed=packed,
            frame=own,
            weights=weights,
            clusters=clusters,
            dropped=n - len(own) if drop else None,
            names=self.names,
        )

    def _keyed(self, frame: DataFrame) -> DataFrame:
        """Return a table with keys in place of names of columns and options."""
        frame = frame.rename(columns={name: key for key, name in self.names.items()}) if self.names else frame
        return self._with_options(frame, {name: key for key, name in self._options().items()})

    def _options(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Key of a single choice, and of an option -> the same, and the option's name."""
        return {
            (question.key, option): (question.key, self.names[key].partition("=")[2])
            for question in self.design.questions
            for option, key in zip(question.options, question.item_keys, strict=False)
            if question.kind == "single" and key in self.names
        }

    @staticmethod
    def _with_options(frame: DataFrame, renamed: Mapping[tuple[str, str], tuple[str, str]]) -> DataFrame:
        for key in dict.fromkeys(key for key, _ in renamed):
            if key in frame.columns:
                own = [renamed.get((key, answer), (key, answer))[1] for answer in frame[key]]
                frame = frame.assign(**{key: own})
        return frame

    def disguise(self, frame: DataFrame, *, seed: int) -> DataFrame:
        """Return the reports that devices of this survey could have made of true answers: a simulation.

        Parameters
        ----------
        frame : DataFrame
            True answers, a column per question as in `on`, none missing; a number as it is answered. Other
            columns are left out: add them to the result with ``assign``.
        seed : int
            Anyone who knows it knows the coins: to protect real answers, use devices.

        Raises
        ------
        PrivacyError
            ``frame``, ``answers``, ``reports``.

        Notes
        -----
        Words are SHAKE-256 of the seed, a call after the other, and the disguise is that of devices, of the
        protected group where there are two.

        Examples
        --------
        >>> import pandas
        >>> survey = Survey(blocks={"money": ["debts"]}, p=.5)
        >>> truth = pandas.DataFrame({"debts": [1] * 600 + [0] * 400})
        >>> int(survey.disguise(truth, seed=1).debts.sum())  # .25 + .5 of 600, .25 of 400: 550
        561
        """
        words = _Words(seed)
        sent_under = replace(
            self.design,
            blocks=tuple(replace(block, light=None) for block in self.design.blocks),
            group=GroupPolicy(policy="choice"),
            mechanism=0,
        )
        writer = RowWriter(sent_under)
        frame = self._keyed(read_frame(frame))
        cells = cells_of(frame, writer, is_true=True)
        if sent_under.rotates:
            self._draw(cells, writer, words)
        try:
            bodies = writer.pack(cells)
        except PrivacyError as error:
            row = frame.index[error.fields["row"]]
            raise PrivacyError("reports", row, what=error.message, remedy=error.remedy) from error
        table = np.frombuffer(bodies, dtype=np.uint8).reshape(len(frame), -1)
        sent = disguise_bodies(table, sent_under=sent_under, target=self.design, direct=False, words=words)
        made = frame_of(sent.tobytes(), self.design, list(frame.index))
        made = self._with_options(made, self._options())
        return made.rename(columns=self.names)

    @staticmethod
    def _draw(cells: Whole, writer: RowWriter, words: _Words) -> None:
        """Leave in each row what its device draws."""
        design = writer.design
        device = np.zeros(1, dtype=np.intp)
        stream = iter(lambda: int(words(device)[0]), None)
        at = {name: position for position, name in enumerate(writer.columns)}
        for row in cells:
            for number, positions in enumerate(draw_questions(design, Coins(stream))):
                block, first = design.blocks[number], design.first_questions[number]
                for item in design.items:
                    if item.block == number and item.question - first not in positions:
                        row[at[item.key]] = MISSING
                if block.is_rotating:
                    drawn = block.booklet_number(positions)
                    row[at[DREW + block.key]] = MISSING if drawn is None else drawn

    def audit(self, prevalence: Chance | Mapping[str, Any], *, n: int | None = None) -> SurveyAudit:
        """Audit what reports say of a person, at guessed shares.

        Parameters
        ----------
        prevalence : probability, or mapping of question to probability
            Guess of the share of "yes", one for all, or one for each; of several options a mapping.
        n : int, optional
            Respondents expected.

        Raises
        ------
        PrivacyError
            ``prevalence``, ``ten_thousandths``.
        """
        return SurveyAudit.of(self.design, self._by_key(prevalence), n=n, names=self.names)

    def plan(
        self,
        people: int,
        *,
        guesses: Chance | Mapping[str, Chance] | None = None,
        wanted: Sequence[str] = (),
        protection: str | None = MEDIUM,
    ) -> Plan:
        """Lay the questions out in the best way for so many people, as the plan page does.

        Parameters
        ----------
        people : int
            How many will answer.
        guesses : probability, or mapping of item to probability, optional
            Guess of each share, one for all or by item; all answers are equally likely where none is given.
        wanted : sequence of str, optional
            At most two items or numbers that matter most. For two items the plan also says which difference
            of the second by the first is found.
        protection : {"light", "medium", "strong"} or None
            Someone at 50:50 can become at most 90, 80 or 70% sure by one answer, and 95, 95 or 88% by
            everything. None keeps the blocks and probabilities of this survey, and gives their figures.

        Returns
        -------
        Plan
            ``survey`` is laid out; ``to_frame()``, ``power``, ``detectable_difference``, ``promise``,
            ``preregistration()``.

        Raises
        ------
        PrivacyError
            ``plan``: no layout keeps the protection, more than two are wanted, or a value is out of range.
            ``unknown_item``.

        Notes
        -----
        Everyone is planned as strongly disguised: a lighter strength of this survey is left out. Blocks are
        formed anew, and `p` and `theta` with them; numbers get another epsilon. Skips stay.

        Examples
        --------
        >>> survey = Survey(blocks={"all": ["cheat", "drugs", "debts"]}, p=.5, theta=.5)
        >>> plan = survey.plan(400, guesses=.2, wanted=("cheat", "drugs"))
        >>> plan.promise.one_of_100, plan.promise.of_100, round(plan.detectable_difference, 2)
        (80, 93, 0.35)
        """
        listed = [wanted] if isinstance(wanted, str) else wanted
        keys, guessed = list(self._by_key(dict.fromkeys(listed))), self._by_key(guesses)
        planned = plan_of(self.design, people, guesses=guessed, wanted=keys, protection=protection)
        survey = Survey.of(planned.design)
        survey.names = self.names
        return Plan(survey=survey, planned=planned)

    @property
    def designs(self) -> dict[Hashable, ResponseDesign]:
        """The design of each yes/no question and single choice by its name: see `column_designs`."""
        return column_designs(self.design, self.names)

    def _by_key(self, stated: Any) -> Any:
        """Return the values stated by name, by key."""
        if not isinstance(stated, Mapping):
            return stated
        keys = {name: key for key, name in self.names.items()}
        return {
            keys.get(name, name): {
                keys.get(f"{name}={option}", f"={option}").partition("=")[2]: share
                for option, share in own.items()
            }
            if isinstance(own, Mapping)
            else own
            for name, own in stated.items()
        }

    def to_frame(self) -> DataFrame:
        """Return a row per question: its block, its kind of answer, p and theta."""
        columns: dict[str, list[Any]] = {"block": [], "kind": [], "p": [], "theta": []}
        for number, question in enumerate(self.design.questions):
            block = self.design.blocks[self.design.block_of(number)]
            columns["block"].append(self.names.get(block.key, block.key))
            columns["kind"].append(question.kind)
            columns["p"].append(float(block.truth) if block.protected and not block.is_scale else None)
            alike = len(set(question.unrelated)) == 1
            columns["theta"].append(question.unrelated[0] / SCALE if alike else None)
        names = [self.names.get(question.key, question.key) for question in self.design.questions]
        return data_frame(columns, index=names, name="question")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Survey) and (self.design, self.names) == (other.design, other.names)

    def __hash__(self) -> int:
        return hash(self.design.design_id)

    def __repr__(self) -> str:
        parts = []
        for block in self.design.blocks:
            keys = ", ".join(self.names.get(question.key, question.key) for question in block.questions)
            kept = "" if block.is_scale else f" (p = {float(block.truth):g})"
            stated = kept if block.protected else " (undisguised)"
            parts.append(f"{self.names.get(block.key, block.key)}: {keys}{stated}")
        return f"<survey of {'; '.join(parts)}>"


class _Words:
    """Words of 32 bits from a seed, one for each row of a call."""

    def __init__(self, seed: int) -> None:
        self._seed, self._calls = seed, 0

    def __call__(self, rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        self._calls += 1
        stream = hashlib.shake_256(f"{self._seed}:{self._calls}".encode()).digest(4 * len(rows))
        return np.frombuffer(stream, dtype="<u4").astype(np.uint32)
