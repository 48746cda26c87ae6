"""Surveys in a notebook: their designs, reports, plans and audits."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mining.columns.disguised_bodies import disguise_bodies
from mining.columns.row_writer import DREW, EMPTY_CELL, RowWriter
from mining.frames.answer_kinds import Questions, option_names
from mining.frames.column_checks import refuse_components
from mining.frames.computed import with_computed_columns
from mining.frames.plan import Guesses, Plan, plan_of, times_of
from mining.frames.report_columns import number_columns, report_columns, values_by_line, with_line_columns
from mining.frames.reports import Reports
from mining.frames.survey_audit import SurveyAudit
from mining.frames.survey_design import column_designs, design_of
from mining.frames.table_rows import cells_of, frame_of, pack, packed_reports
from privacy import validation
from privacy.arrays import Whole
from privacy.coins import SCALE, Coins
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.library.designs import ResponseDesign
from privacy.library.frames import pick
from privacy.library.probabilities import Probability
from privacy.library.shown_tables import Tabled, data_frame
from privacy.planning.protection import MEDIUM
from privacy.survey.design import Design, Question
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.group_policy import GroupPolicy
from privacy.tables.estimation import estimation_frame, weight_kinds

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


class Survey(Tabled):
    """Questions in blocks; the questions of a block share one coin, and each block has its own.

    Parameters
    ----------
    blocks : mapping of str to questions
        Block -> names of yes/no questions, or key -> `one_of`, `any_of` or None (yes/no), or one `number`.
    p : float, Fraction, str or mapping
        Probability that a block is reported as it is, for all blocks or by block.
    theta : float, Fraction, str or mapping
        Probability that a decoy says "yes", for all questions, or by question or option. By
        default, all options of a single choice are equally likely as decoys.
    light : probability or mapping, optional
        p of the direct group, above `p`; the reports then have a column "group".
    skip : mapping of str to probability
        Blocks that may be skipped -> probability that a decoy is a skip.
    questions_per_person : mapping of str to int
        Blocks from which a device draws some questions -> their number.
    open : questions
        Undisguised questions.
    direct : bool
        Whether some respondents answered without a disguise, by the column "group".

    Raises
    ------
    PrivacyError
        ``blocks``: not a mapping, because a list does not show which questions share a coin.
        ``ten_thousandths``: a probability that devices cannot use. The errors of a design.

    References
    ----------
    Kan and Cao; Warner 1965; Greenberg et al. 1969.

    Examples
    --------
    Two questions about work share a coin, and debts have another. 40 of 100 people report debts, so the
    estimate is (.4 - .25)/.5.

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
    """Key -> name of a block, question or item with a name that is invalid as a key."""

    def __init__(
        self,
        blocks: Mapping[str, Questions],
        p: Probability | Mapping[str, Probability] | None = None,
        theta: Probability | Mapping[str, Any] = 0.5,
        *,
        light: Probability | Mapping[str, Probability] | None = None,
        skip: Mapping[str, Probability] | None = None,
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
            Output of ``json.load`` for the file.

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
        strata: Hashable | None = None,
        missing: str = "refuse",
    ) -> Reports:
        """Read reports of this survey.

        Parameters
        ----------
        frame : DataFrame, file, or result of `sottovoce.read_table`
            A DataFrame of pandas or polars, an Arrow table, or a file open for reading
            (``open("rows.xlsx", "rb")``), with one row per respondent, as
            `mining.frames.table_rows.packed_reports` reads it. Texts are read as by
            `privacy.tables.estimation.estimation_frame`; ``decisions`` of the result says what was
            decided. It may have other columns. Rows are counted, not people: if respondents have several
            rows, name the column that identifies them as `clusters`.
        weights : hashable, optional
            Column of weights above 0, such as the inverse of the probability of being in the sample.
        clusters : hashable, optional
            Column of sampling clusters, such as schools. Standard errors then account for the clusters.
        strata : hashable, optional
            Column of strata, such as regions, in each of which clusters, or rows, were drawn. Each has at
            least two of them.
        missing : {"refuse", "drop"}
            What to do with rows that lack an answer, weight, cluster or stratum. Dropped rows are counted
            (``dropped``), and a regression or comparison then also drops rows that lack an undisguised value.

        Raises
        ------
        PrivacyError
            ``frame``, ``reports``, ``regression``; ``answers``: also if `missing` leaves no row; ``misfit``:
            no true answers lead to these reports under the design.
        """
        validation.one_of(missing, "missing", allowed=("refuse", "drop"), code="reports")
        own, decisions = estimation_frame(
            frame,
            reports=report_columns(self.design, self.names),
            kinds={**weight_kinds(weights), **number_columns(self.design, self.names)},
        )
        own, drop = with_line_columns(own, self.design, self.names), missing == "drop"
        n = len(own)
        if drop:
            columns = [name for name in (weights, clusters, strata) if name is not None]
            pick(own, columns)
            own = own[own[columns].notna().all(axis=1)]
            if n and not len(own):
                raise PrivacyError("answers.none_complete", n)
        refuse_components(own, self.design, self.names)
        body, lacking = packed_reports(own, self.design, drop=drop, names=self.names)
        own = own[~lacking] if lacking.any() else own
        if n and not len(own):
            raise PrivacyError("answers.none_complete", n)
        return Reports(
            design=self.design,
            packed=body,
            frame=own,
            weights=weights,
            clusters=clusters,
            strata=strata,
            dropped=n - len(own) if drop else None,
            names=self.names,
            decisions=decisions,
        )

    def disguise(self, frame: Any, *, seed: int) -> DataFrame:
        """Simulate the reports that devices would send for these true answers.

        Parameters
        ----------
        frame : DataFrame, file, or result of `sottovoce.read_table`
            True answers, with the same columns as for `on` and without empty cells; numbers as respondents
            would answer them. For a composite question its components' columns, where an empty cell is a gap,
            or its own column. Other columns are dropped. To keep them, add them to the result with
            ``assign``.
        seed : int
            Anyone who knows the seed knows the coins. To protect real answers, use devices.

        Raises
        ------
        PrivacyError
            ``frame``, ``answers``, ``reports``.

        Notes
        -----
        Random words come from SHAKE-256 of the seed, in the order of the calls. Answers are disguised as on
        devices, in the protected group if there are two.

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
        frame, _said = estimation_frame(
            frame,
            reports=report_columns(self.design, self.names),
            kinds=number_columns(self.design, self.names),
        )
        frame = with_computed_columns(frame, self.design, self.names)
        cells = cells_of(frame, writer, names=self.names, is_true=True)
        if sent_under.rotates:
            self._draw(cells, writer, words)
        table = np.frombuffer(pack(cells, writer, frame), dtype=np.uint8).reshape(len(frame), -1)
        outputs = disguise_bodies(table, sent_under=sent_under, target=self.design, direct=False, words=words)
        reports = frame_of(outputs.tobytes(), self.design, list(frame.index))
        for question in self.design.questions:
            if question.is_exhaustive:
                options = dict(zip(question.options, option_names(question, self.names), strict=True))
                reports[question.key] = [options.get(key) for key in reports[question.key]]
        return reports.rename(columns=self.names)

    @staticmethod
    def _draw(cells: Whole, writer: RowWriter, words: _Words) -> None:
        """Blank the questions that each device did not draw."""
        design = writer.design
        device = np.zeros(1, dtype=np.intp)
        stream = iter(lambda: int(words(device)[0]), None)
        at = {name: position for position, name in enumerate(writer.columns)}
        for row in cells:
            for number, positions in enumerate(draw_questions(design, Coins(stream))):
                block, first = design.blocks[number], design.first_questions[number]
                for item in design.items:
                    if item.block == number and item.question - first not in positions:
                        row[at[item.key]] = EMPTY_CELL
                if block.is_rotating:
                    booklet = block.booklet_number(positions)
                    row[at[DREW + block.key]] = EMPTY_CELL if booklet is None else booklet

    def audit(self, prevalence: Probability | Mapping[str, Any], *, n: int | None = None) -> SurveyAudit:
        """Audit what reports reveal about a person, at guessed shares.

        Parameters
        ----------
        prevalence : probability, or mapping of question to probability
            Guessed share of "yes", for all questions or by question; for several options, a mapping. They
            are rounded to ten-thousandths.
        n : int, optional
            Expected number of respondents.

        Raises
        ------
        PrivacyError
            ``prevalence``, ``shares_sum``, ``chance``.
        """
        return SurveyAudit.of(self.design, self._by_key(prevalence), n=n, names=self.names)

    def plan(
        self,
        people: int,
        *,
        guesses: Guesses = None,
        wanted: Sequence[str] = (),
        protection: str | None = MEDIUM,
        waves: int = 1,
        times: Sequence[str] | None = None,
    ) -> Plan:
        """Find the best layout of the questions for this many people, as the plan page does.

        Parameters
        ----------
        people : int
            Expected number of respondents.
        guesses : probability, or mapping of item to probability, optional
            Guessed share, for all items, by item, or by the answers of a question, such as
            ``{"cheat": .1, "job": {"nurse": .3}}``, rounded to ten-thousandths; by default all answers are
            equally likely. Power is an exception: without a guess, 20% have a disguised yes or no answer.
        wanted : sequence of str, optional
            The one or two most important items or numbers. For two items, the plan also gives the detectable
            difference in the second between people with and without the first.
        protection : {"light", "medium", "strong"} or None
            Someone who starts at 50:50 can become at most 90, 80 or 70% sure from one answer, and 95, 95 or
            88% sure from everything. None keeps the blocks and probabilities of this survey.
        waves : int, 1 to 24, optional
            Number of surveys of the same people, each with the same questions. They share the limits of the
            protection: each gets the root of the odds. ``promise.waves`` has the figures of all together.
        times : sequence of str, optional
            Two disguised yes/no questions that ask one thing for two times, such as ``("smoked", "smokes")``.
            If they have two coins, ``changes`` begins with asking them under one, and ``change_half_width``
            is the half-width of the net change.

        Returns
        -------
        Plan
            ``survey`` is laid out; ``to_frame()``, ``power``, ``detectable_difference``, ``promise``,
            ``changes``, ``preregistration()``.

        Raises
        ------
        PrivacyError
            ``plan``: no layout keeps the protection, more than two are wanted, ``times`` are not two such
            questions, or a value is out of range.
            ``unknown_item``.

        Notes
        -----
        The plan disguises everyone strongly and ignores a lighter strength of this survey. It forms new
        blocks with new `p` and `theta`, and numbers get a new epsilon. If any of the old blocks may be
        skipped, all new blocks may be skipped.

        Examples
        --------
        >>> from mining.frames.answer_kinds import any_of
        >>> survey = Survey(blocks={"all": ["cheat", "drugs", "debts"]}, p=.5, theta=.5)
        >>> plan = survey.plan(400, guesses=.2, wanted=("cheat", "drugs"))
        >>> plan.promise.one_of_100, plan.promise.of_100, round(plan.detectable_difference, 2)
        (80, 93, 0.37)

        With 100 people, no share is known within 25 points. One answer of the list is: P = .6 .5 + .4 .5,
        and 1.96 sqrt(P (1 - P) / 100) / .6 = .163.

        >>> listed = Survey(blocks={"acts": {"used": any_of("a", "b", "c", "d", "e", "f")}}, p=.5)
        >>> small = listed.plan(100)
        >>> small.use.is_useful, small.changes[0]
        (False, <change: send "used" as one answer: at least one of these>)
        >>> small.changes[0].plan.to_frame().half_width.round(3).to_dict()
        {'used': 0.163}

        Two waves of one question share odds of 4, so each has odds of 2.

        >>> Survey(blocks={"a": ["cheat"]}, p=.5).plan(300, waves=2)
        <plan: odds at most 2 by one answer, 2 by everything;
        in all 2 waves 4 by one answer, 4 by everything, n = 300>
        """
        items = [wanted] if isinstance(wanted, str) else wanted
        keys, shares = list(self._by_key(dict.fromkeys(items))), self._by_key(guesses)
        layout, draft = plan_of(
            self.design,
            people,
            guesses=shares,
            wanted=keys,
            protection=protection,
            waves=waves,
            names=self.names,
        )
        survey = Survey.of(layout.design)
        survey.names = self.names
        named = [times] if isinstance(times, str) else times
        asked = None if named is None else times_of(self.design, list(self._by_key(dict.fromkeys(named))))
        return Plan(survey=survey, planned=layout, draft=draft, times=asked)

    @property
    def designs(self) -> dict[Hashable, ResponseDesign]:
        """Design of each yes/no question and single choice, by name: see `column_designs`."""
        return column_designs(self.design, self.names)

    def _by_key(self, values: Any) -> Any:
        """Replace names with keys in a mapping of values."""
        if not isinstance(values, Mapping):
            return values
        keys = {name: key for key, name in self.names.items()}
        values = values_by_line(values, self.design, keys)
        return {
            keys.get(name, name): {
                keys.get(f"{name}={option}", f"={option}").partition("=")[2]: share
                for option, share in own.items()
            }
            if isinstance(own, Mapping)
            else own
            for name, own in values.items()
        }

    def to_frame(self) -> DataFrame:
        """Return a row per question: block, kind, p and theta; with composite questions also components."""
        columns: dict[str, list[Any]] = {"block": [], "kind": [], "p": [], "theta": []}
        rules = [question.computed for question in self.design.questions]
        if any(rules):
            columns["components"] = [None if rule is None else len(rule.components) for rule in rules]
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
            keys = ", ".join(shown_question(question, self.names) for question in block.questions)
            retention = "" if block.is_scale else f" (p = {float(block.truth):g})"
            note = retention if block.protected else " (undisguised)"
            parts.append(f"{self.names.get(block.key, block.key)}: {keys}{note}")
        return f"<survey of {'; '.join(parts)}>"


def shown_question(question: Question, names: Mapping[str, str]) -> str:
    """Return the name of a question, with the number of components of a composite one.

    Parameters
    ----------
    question : Question
    names : mapping of str to str
        Key -> name, if they differ.
    """
    rule, name = question.computed, names.get(question.key, question.key)
    return name if rule is None else f"{name} from {counted(len(rule.components), 'component')}"


class _Words:
    """32-bit words derived from a seed, one per row and call."""

    def __init__(self, seed: int) -> None:
        self._seed, self._calls = seed, 0

    def __call__(self, rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        self._calls += 1
        stream = hashlib.shake_256(f"{self._seed}:{self._calls}".encode()).digest(4 * len(rows))
        return np.frombuffer(stream, dtype="<u4").astype(np.uint32)
