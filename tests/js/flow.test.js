import assert from "node:assert/strict";
import { test } from "node:test";

import * as flow from "../../surveys/static/surveys/js/flow.js";
import { isShown } from "../../surveys/static/surveys/js/whole.js";

const yesNo = (key) => ({ key, kind: "yes_no", options: [], unrelated: [] });
const open = (key, questions, askedIf = null) => ({
  key, protected: false, truth_probability: 10000, refusal: null, asked_if: askedIf, questions,
});
const hidden = (key, questions, { refusal = null, askedIf = null } = {}) => ({
  key, protected: true, truth_probability: 6000, refusal, asked_if: askedIf, questions,
});

const AGE = { key: "age", kind: "single", options: ["young", "old"], unrelated: [] };

function design(policy = "protected") {
  return {
    mechanism: 1,
    use: "live",
    group: { policy, direct_share: policy === "assigned" ? 2000 : null },
    blocks: [
      open("you", [AGE, yesNo("married")]),
      hidden("affairs", [yesNo("affair"), yesNo("unhappy")], { refusal: 2000 }),
      open("children", [yesNo("children")], { question: "married", options: ["yes"] }),
      hidden("money", [yesNo("debt")], { askedIf: { question: "children", options: ["yes"] } }),
    ],
  };
}

const start = (policy, direct) => flow.begin(design(policy), { direct });
const ids = (state) => flow.screens(state).map(({ id }) => id);

const back = (state) => flow.revisit(state, flow.place(state) - 1);

/** Walks on to a screen, answering by question key. */
function walk(state, answers, until = "review") {
  let here = state;
  while (here.at !== until) {
    const screen = flow.current(here);
    if (screen.kind === "question") {
      const { key } = here.design.blocks[screen.block].questions[screen.question];
      if (key in answers) {
        here = flow.answer(here, answers[key]);
      }
    }
    assert.equal(flow.missing(here), null, `stuck at ${here.at}`);
    here = flow.next(here);
  }
  return here;
}

test("respondents pass the intro, each asked block and the review, in order", () => {
  assert.deepEqual(ids(start()), [
    "intro-0", "question-0-0", "question-0-1", "block-1", "question-1-0", "question-1-1", "review",
  ]);
});

test("an open part has no separate screen, unless a device asks only some of its questions", () => {
  const alone = flow.begin({ ...design(), blocks: [open("you", [AGE]), hidden("affairs", [yesNo("affair")])] });
  assert.deepEqual(ids(alone), ["intro-0", "question-0-0", "block-1", "question-1-0", "review"]);
  assert.deepEqual(flow.partOf(alone, 0), { number: 1, total: 2 });
  assert.equal(flow.change(walk(alone, { affair: 0 }), "question-0-0").at, "question-0-0");
  const some = { ...open("you", [AGE, yesNo("late")]), questions_per_person: 1 };
  assert.deepEqual(ids(flow.begin({ ...design(), blocks: [some] }, { drawn: [[1]] })), ["intro-0", "block-0", "question-0-1", "review"]);
  const composed = open("you", [{ ...AGE, composite: "sum" }]);
  assert.deepEqual(ids(flow.begin({ ...design(), blocks: [composed] })), ["intro-0", "block-0", "question-0-0", "review"]);
});

/** A survey that begins with a protected part of two questions, with an explanation that is drawn before it. */
const begun = (policy = "protected", more = {}) =>
  flow.begin({
    ...design(policy),
    blocks: [
      open("told", [{ key: "told", kind: "single", options: ["a", "b"], unrelated: [], shares: [5000, 5000] }]),
      { ...hidden("affairs", [yesNo("affair"), yesNo("unhappy")], { refusal: 2000 }), ...more },
      hidden("money", [yesNo("debt")], { refusal: 2000 }),
    ],
  });

test("the first part, if it is protected, begins with its first question", () => {
  assert.deepEqual(ids(begun()), ["intro-0", "question-1-0", "question-1-1", "block-2", "question-2-0", "review"]);
  assert.deepEqual(ids(begun("choice")).slice(0, 3), ["intro-0", "group", "question-1-0"]);
  assert.equal(flow.isBegunWith(begun(), 1), true);
  assert.equal(flow.isBegunWith(begun(), 2), false);
  // A device that asks only some of its questions shows what it drew, as after a screen of its own.
  const some = begun("protected", { questions_per_person: 1 });
  assert.equal(ids({ ...some, drawn: [[0], [1], [0]] })[1], "question-1-1");
});

test("once its first question was shown, the group cannot be changed", () => {
  const group = flow.chooseGroup(flow.next(begun("choice")), true);
  assert.equal(flow.isGroupOpen(group), true);
  const question = flow.next(group);
  assert.equal(question.at, "question-1-0");
  assert.equal(flow.isGroupOpen(question), false);
  assert.equal(flow.chooseGroup(back(question), false).direct, true);
});

test("such a part can be skipped from its questions, is shown as skipped, and can be answered after all", () => {
  const second = walk(begun(), { affair: 1 }, "question-1-1");
  const skipped = flow.skip(second);
  assert.equal(skipped.at, "block-2");
  assert.deepEqual(ids(skipped), ["intro-0", "block-1", "block-2", "question-2-0", "review"]);
  // Where someone is does not depend on the skip.
  assert.equal(flow.place(skipped), flow.place(walk(second, { unhappy: 0 }, "block-2")));
  const told = back(skipped);
  assert.equal(told.at, "block-1");
  const after = flow.enterBlock(told);
  assert.equal(after.at, "question-1-0");
  assert.deepEqual(ids(after), ids(begun()));
  assert.equal(flow.enterBlock(walk(after, { affair: 0, unhappy: 0 }, "block-2")).at, "question-2-0");
});

test("from the review, such a part is answered after all, and other changes lead straight back", () => {
  const review = walk(flow.skip(flow.next(begun())), { debt: 1 });
  assert.equal(flow.next(flow.change(review, "question-2-0")).at, "review");
  const told = flow.change(review, "block-1");
  assert.equal(told.at, "block-1");
  const first = flow.answer(flow.enterBlock(told), 1);
  assert.equal(flow.next(flow.answer(flow.next(first), 0)).at, "review");
});

test("the browser's Forward leads from the first screen to such a question again", () => {
  const question = flow.next(begun());
  const intro = back(question);
  assert.equal(intro.at, "intro-0");
  assert.equal(flow.revisit(intro, 1).at, "question-1-0");
});

test("the choice of group comes before the first block that it concerns, if the policy has groups", () => {
  for (const state of [start("choice"), start("assigned", true)]) {
    const order = ids(state);
    assert.deepEqual(order.slice(0, 5), ["intro-0", "question-0-0", "question-0-1", "group", "block-1"]);
    assert.equal(order.filter((id) => id === "group").length, 1);
  }
  assert.ok(!ids(start("protected")).includes("group"));
});

test("the group is also settled if the first protected block is not asked, or none is protected", () => {
  const conditional = { ...hidden("affairs", [yesNo("affair")]), asked_if: { block: "you", question: "age", options: [0] } };
  const blocks = [open("you", [AGE]), conditional];
  const state = flow.begin({ ...design(), group: { policy: "choice", direct_share: null }, blocks });
  assert.ok(!ids(state).includes("block-1"));
  assert.equal(ids(state)[2], "group");
  const plain = flow.begin({ ...design(), group: { policy: "choice", direct_share: null }, blocks: [open("you", [AGE])] });
  assert.equal(ids(plain)[1], "group");
});

test("a block is asked only after open answers that lead to it, through every condition", () => {
  const married = walk(start(), { married: 1, affair: 0, unhappy: 0, children: 1, debt: 1 });
  assert.deepEqual(flow.toSeal(married).answers, {
    you: { married: 1 }, affairs: { affair: 0, unhappy: 0 }, children: { children: 1 }, money: { debt: 1 },
  });
  const changed = flow.next(flow.answer(flow.change(married, "question-0-1"), 0));
  assert.equal(changed.at, "review");
  assert.deepEqual(Object.keys(flow.toSeal(changed).answers), ["you", "affairs"]);
});

test("an open question may stay empty, but a protected one may not", () => {
  const empty = walk(start(), {}, "question-1-0");
  assert.equal(flow.missing(empty), "answer");
  assert.equal(flow.missing(flow.answer(empty, 0)), null);
});

test("an answer can be cleared", () => {
  const here = flow.answer(walk(start(), {}, "question-0-0"), 1);
  assert.equal(flow.answerAt(here, { block: 0, question: 0 }), 1);
  assert.equal(flow.answerAt(flow.answer(here, undefined), { block: 0, question: 0 }), undefined);
});

test("Back goes one screen back, keeps the answers, and stops at the first screen", () => {
  const there = walk(start(), { affair: 1 }, "question-1-1");
  const before = back(there);
  assert.equal(before.at, "question-1-0");
  assert.equal(flow.answerAt(before, { block: 1, question: 0 }), 1);
  assert.equal(flow.revisit(start(), -1).at, "intro-0");
});

test("skipping drops the block's answers and goes on after it", () => {
  const skipped = flow.skip(walk(start(), { affair: 1 }, "question-1-1"));
  assert.equal(skipped.at, "review");
  assert.deepEqual(flow.toSeal(skipped).answers.affairs, "skipped");
  assert.equal(back(skipped).at, "block-1");
});

test("a block that is not skippable cannot be skipped", () => {
  const money = walk(start(), { married: 1, affair: 0, unhappy: 0, children: 1 }, "block-3");
  assert.equal(flow.skip(money), money);
});

test("a skipped block can be answered after all, and the review follows when it is complete", () => {
  const review = flow.skip(walk(start(), {}, "block-1"));
  let here = flow.next(flow.unskip(flow.change(review, "block-1")));
  assert.equal(here.at, "question-1-0");
  here = flow.next(flow.answer(here, 1));
  assert.equal(here.at, "question-1-1");
  here = flow.next(flow.answer(here, 0));
  assert.equal(here.at, "review");
  assert.deepEqual(flow.toSeal(here).answers.affairs, { affair: 1, unhappy: 0 });
});

test("changing one answer leads back to the review, through questions that the change added", () => {
  const review = walk(start(), { affair: 0, unhappy: 0 });
  let here = flow.answer(flow.change(review, "question-0-1"), 1);
  for (const expected of ["question-2-0", "review"]) {
    here = flow.next(here);
    assert.equal(here.at, expected);
  }
});

test("Back after a change no longer leads to the review", () => {
  const review = walk(start(), { affair: 0, unhappy: 0 });
  const here = flow.next(back(flow.change(review, "question-0-1")));
  assert.equal(here.at, "question-0-1");
});

test("a group must be chosen, and cannot be changed once sensitive questions were shown", () => {
  const at = walk(start("choice"), {}, "group");
  assert.equal(flow.missing(at), "group");
  let here = flow.chooseGroup(at, true);
  here = back(here);
  assert.equal(here.at, "question-0-1");
  here = flow.next(here);
  here = flow.chooseGroup(here, false);
  assert.equal(here.direct, false, "only open questions were shown so far");
  here = walk(here, {}, "block-1");
  while (here.at !== "group") {
    here = back(here);
  }
  assert.ok(!flow.isGroupOpen(here));
  assert.equal(flow.chooseGroup(here, true).direct, false);
});

test("an assigned group is the one drawn, and cannot be changed", () => {
  const state = start("assigned", true);
  assert.equal(state.direct, true);
  assert.equal(flow.chooseGroup(state, false).direct, true);
  assert.equal(start("protected").direct, false);
});

test("progress counts the questions of this visit", () => {
  assert.equal(flow.progress(start()), null);
  assert.deepEqual(flow.progress(walk(start(), {}, "question-0-1")), { number: 2, total: 4 });
  assert.deepEqual(flow.progress(flow.skip(walk(start(), {}, "block-1"))), null);
});

test("the position of the review does not reveal whether a block was skipped", () => {
  const skipped = flow.skip(walk(start(), {}, "block-1"));
  const answered = walk(start(), { affair: 1, unhappy: 0 });
  assert.equal(flow.place(skipped), flow.place(answered));
});

test("the browser's Forward stops at a missing answer", () => {
  const there = walk(start(), { affair: 1 }, "question-1-1");
  assert.equal(flow.revisit(start(), flow.place(there)).at, "question-1-0");
  assert.equal(flow.revisit(there, flow.place(there) + 1).at, "question-1-1");
  assert.equal(flow.revisit(flow.answer(there, 0), flow.place(there) + 1).at, "review");
});

test("no step mutates its state", () => {
  const before = walk(start(), { affair: 1 }, "question-1-1");
  const copy = structuredClone({ ...before, seen: [...before.seen] });
  flow.skip(before);
  flow.answer(before, 1);
  back(before);
  flow.next(flow.answer(before, 0));
  assert.deepEqual({ ...before, seen: [...before.seen] }, copy);
});

const whole = (policy, direct) => flow.arrange(start(policy, direct), true);

test("with all questions on one page there is one screen between intro or group and review", () => {
  assert.deepEqual(ids(whole()), ["intro-0", "whole", "review"]);
  assert.deepEqual(ids(whole("choice")), ["intro-0", "group", "whole", "review"]);
  assert.equal(flow.progress(walk(whole(), { affair: 1, unhappy: 0 }, "whole")), null);
});

test("the one-page view gives the same answers, sealed in the same way", () => {
  const places = { age: [0, 0], married: [0, 1], affair: [1, 0], unhappy: [1, 1], children: [2, 0], debt: [3, 0] };
  for (const answers of [
    { age: 1, married: 1, affair: 1, unhappy: 0, children: 1, debt: 1 },
    { affair: 0, unhappy: 1 },
    { married: 1, affair: 0, unhappy: 1, children: 0 },
  ]) {
    let page = walk(whole(), {}, "whole");
    for (const [key, value] of Object.entries(answers)) {
      const [block, question] = places[key];
      page = flow.answer(page, value, { block, question });
    }
    assert.equal(flow.missing(page), null);
    assert.equal(flow.next(page).at, "review");
    assert.deepEqual(flow.toSeal(page).answers, flow.toSeal(walk(start(), answers)).answers);
  }
});

test("the one-page view cannot be left until every asked protected question is answered or skipped", () => {
  let page = walk(whole(), {}, "whole");
  assert.equal(flow.missing(page), "answer");
  page = flow.answer(page, 1, { block: 1, question: 0 });
  assert.equal(flow.missing(page), "answer");
  assert.equal(flow.missing(flow.skipBlock(page, 1)), null);
  page = flow.answer(page, 1, { block: 1, question: 1 });
  assert.equal(flow.missing(page), null);
  // An open answer that leads to another protected part.
  page = flow.answer(page, 1, { block: 0, question: 1 });
  page = flow.answer(page, 1, { block: 2, question: 0 });
  assert.equal(flow.missing(page), "answer");
});

test("a skippable part can be skipped and resumed in the one-page view", () => {
  const page = walk(whole(), {}, "whole");
  const skipped = flow.skipBlock(flow.answer(page, 1, { block: 1, question: 0 }), 1);
  assert.equal(skipped.at, "whole");
  assert.deepEqual(flow.toSeal(skipped).answers.affairs, "skipped");
  assert.deepEqual(flow.toSeal(flow.unskip(skipped, 1)).answers.affairs, {});
  assert.equal(flow.skipBlock(page, 3), page);
});

test("once the one-page view was shown, the group cannot be changed", () => {
  const seen = walk(flow.chooseGroup(walk(whole("choice"), {}, "group"), false), {}, "whole");
  assert.equal(flow.isGroupOpen(seen), false);
  assert.equal(flow.chooseGroup(flow.revisit(seen, 2), true).direct, false);
});

test("a change leads from the review to the one-page view and back", () => {
  let page = walk(whole(), {}, "whole");
  page = flow.next(flow.skipBlock(page, 1));
  const back = flow.change(page, "question-0-0");
  assert.equal(back.at, "whole");
  assert.equal(flow.next(back).at, "review");
  assert.equal(flow.revisit(page, 1).at, "whole");
});

/** Returns a design with two of three questions of "affairs", and one of the later parts. */
function turning(drawn, { askedIf = null } = {}) {
  const affairs = hidden("affairs", [yesNo("affair"), yesNo("unhappy"), yesNo("late")], { refusal: 2000 });
  const plan = {
    ...design(),
    mechanism: 4,
    blocks: [
      open("you", [AGE, yesNo("married")]),
      { ...affairs, questions_per_person: 2 },
      hidden("money", [yesNo("debt")], { askedIf }),
      hidden("work", [yesNo("theft"), yesNo("fraud")]),
    ],
    rotations: [{ blocks: ["money", "work"], parts_per_person: 1 }],
  };
  return flow.begin(plan, { drawn });
}
const FIRST = [[0, 1], [0, 2], [0], []];
const OTHER = [[0, 1], [1, 2], [], [0, 1]];

test("only the drawn questions of a rotating part are asked, and no part that was not drawn", () => {
  assert.deepEqual(ids(turning(FIRST)), [
    "intro-0", "question-0-0", "question-0-1", "block-1", "question-1-0", "question-1-2", "block-2",
    "question-2-0", "review",
  ]);
  const done = walk(turning(OTHER), { unhappy: 1, late: 0, theft: 1, fraud: 0 });
  assert.deepEqual(flow.toSeal(done).answers, { you: {}, affairs: { unhappy: 1, late: 0 }, work: { theft: 1, fraud: 0 } });
});

test("no step draws again or loses the draw", () => {
  let here = walk(turning(FIRST), { affair: 1, late: 0 }, "block-2");
  for (const step of [back, flow.next, flow.unskip, (state) => flow.skipBlock(state, 1), (state) => flow.revisit(state, 0)]) {
    here = step(here);
    assert.equal(here.drawn, FIRST);
  }
  assert.equal(flow.change(flow.arrange(here, true), "question-1-0").drawn, FIRST);
});

test("with rotating parts, progress counts parts without revealing later ones, and no questions", () => {
  const seen = (drawn, given) => {
    const state = walk(turning(drawn, given), {}, "question-0-1");
    return [flow.progress(state), flow.partOf(state, 0)];
  };
  assert.deepEqual(seen(FIRST), [null, { number: 1, total: 3 }]);
  assert.deepEqual(seen(OTHER), seen(FIRST));
  // The number of parts would reveal whether a part that an open answer leads to was drawn.
  const routed = { askedIf: { question: "married", options: ["yes"] } };
  assert.deepEqual(seen(FIRST, routed), [null, null]);
  assert.deepEqual(seen(OTHER, routed), seen(FIRST, routed));
  // Without rotating parts all questions are counted.
  assert.deepEqual(flow.partOf(start(), 1), { number: 2, total: 2 });
  // "Question 1 of 1" after three questions would be wrong.
  assert.equal(flow.progress(walk(turning(FIRST), { affair: 1 }, "question-1-2")), null);
});

test("in the one-page view a rotating part is opened separately, and one already shown stays open", () => {
  let page = walk(flow.arrange(turning(FIRST), true), {}, "whole");
  assert.equal(isShown(page, 1), false);
  assert.equal(isShown(page, 2), true);
  page = flow.openBlock(page, 1);
  assert.equal(isShown(page, 1), true);
  assert.equal(page.at, "whole");
  assert.equal(flow.missing(page), "answer");
  const shown = walk(turning(FIRST), {}, "question-1-0");
  assert.equal(isShown(flow.arrange(shown, true), 1), true);
  assert.equal(isShown(flow.arrange(walk(turning(FIRST), {}, "block-1"), true), 1), false);
});

test("a drawn part that routing skips is not asked, and no other replaces it", () => {
  const routed = { askedIf: { question: "married", options: ["yes"] } };
  assert.deepEqual(ids(turning(FIRST, routed)).slice(-1), ["review"]);
  assert.ok(!ids(turning(FIRST, routed)).includes("block-2"));
  assert.ok(ids(walk(turning(FIRST, routed), { married: 1 }, "block-1")).includes("block-2"));
  assert.ok(!ids(walk(turning(OTHER, routed), { married: 1 }, "block-1")).includes("block-2"));
});

test("adjacent rows of a table share a screen, are required separately, and can be reached from the review", () => {
  const tables = [[], [0, 0], [], []];
  const begun = flow.begin(design(), { tables });
  assert.deepEqual(ids(begun).filter((id) => id.startsWith("question-1")), ["question-1-0"]);
  let state = walk(begun, { age: 0 }, "question-1-0");
  assert.deepEqual(flow.current(state).rows, [0, 1]);
  state = flow.answer(state, 1, { block: 1, question: 0 });
  assert.equal(flow.missing(state), "answer");
  state = flow.answer(state, 0, { block: 1, question: 1 });
  assert.equal(flow.missing(state), null);
  const review = flow.next(state);
  assert.equal(review.at, "review");
  assert.deepEqual(flow.toSeal(review).answers.affairs, { affair: 1, unhappy: 0 });
  assert.equal(flow.change(review, "question-1-1").at, "question-1-0");
});

test("the drawn rows of a table share a screen, and other tables stay separate", () => {
  const state = { drawn: [[0, 2, 3, 4]], tables: [[0, 0, 0, 1, undefined]] };
  assert.deepEqual(flow.sheets(state, 0), [[0, 2], [3], [4]]);
});


const COMPONENTS = [yesNo("ever"), { ...yesNo("often"), mayLeave: true }].map((each) => ({ ...each, composite: "acts" }));

/** Two components: the second is asked only after a yes to the first, and may stay empty. */
function withComponents() {
  const begun = flow.begin({ ...design(), blocks: [hidden("acts", COMPONENTS, { refusal: 1000 })] });
  return { ...begun, isAsked: (state, block, question) => question === 0 || flow.answerAt(state, { block, question: 0 }) === 1 };
}

test("a component appears after the answer on which it depends, and disappears again", () => {
  const no = walk(withComponents(), { ever: 0 });
  assert.deepEqual(ids(no), ["intro-0", "block-0", "question-0-0", "review"]);
  const yes = walk(withComponents(), { ever: 1 }, "question-0-1");
  assert.equal(flow.progress(yes).total, 2);
  assert.deepEqual(ids(walk(flow.answer(back(yes), 0), {})), ["intro-0", "block-0", "question-0-0", "review"]);
  // On the way back from the review, what has newly appeared is asked before the review comes again.
  const changed = flow.next(flow.answer(flow.change(no, "question-0-0"), 1));
  assert.equal(changed.at, "question-0-1");
  assert.equal(flow.next(changed).at, "review");
});

test("only components that may be left empty can be", () => {
  const first = walk(withComponents(), {}, "block-0");
  assert.equal(flow.missing(flow.next(first)), "answer");
  const second = walk(withComponents(), { ever: 1 }, "question-0-1");
  assert.equal(flow.missing(second), null);
  assert.deepEqual(flow.toSeal(flow.next(second)).answers, { acts: { ever: 1 } });
});

test("a screen after the review is left by going back, and not reached again", () => {
  const extra = { id: "components", kind: "components", block: 0 };
  const review = walk(withComponents(), { ever: 0 });
  const shown = flow.show(review, extra);
  assert.equal(flow.current(shown).kind, "components");
  assert.equal(flow.place(shown), flow.place(review) + 1);
  const left = back(shown);
  assert.equal(left.at, "review");
  assert.equal(flow.revisit(left, flow.place(shown)).at, "review");
  assert.equal(flow.revisit(shown, flow.place(shown)).at, "components");
  assert.deepEqual(ids(flow.change(shown, "question-0-0")), ids(review));
});
