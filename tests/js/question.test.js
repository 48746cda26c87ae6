import assert from "node:assert/strict";
import { test } from "node:test";

import "../../surveys/static/surveys/js/boxes.js";
import { questionFieldset } from "../../surveys/static/surveys/js/question.js";
import { fakeDocument } from "./fake_page.js";

const TEXTS = {
  none: "None of these",
  clear: "Clear",
  hint_multi: "Tick all that apply, or “{none}”.",
  hint_open: "",
  error_tick: "Tick what applies, or “{none}”, to go on.",
};

/** Shows a question with several answers. @returns its boxes' labels, its node, what it answers, and how to click a box */
function shown(wording, value) {
  const root = { textContent: "", dataset: {}, focus: () => {} };
  globalThis.document = fakeDocument({ root });
  const answers = [];
  const made = questionFieldset({
    question: { key: "means", kind: "multi", options: wording.options.map((_, place) => `o${place}`), unrelated: [] },
    wording: { text: "Which?", help: "", ...wording },
    texts: TEXTS,
    value,
    isProtected: false,
    isSkippable: false,
    name: "n",
    onContinue: () => {},
    onAnswer: (answer) => answers.push(answer),
  });
  const boxes = made.node.all("input");
  for (const box of boxes) {
    box.removeAttribute = () => {};
    box.focus = () => {};
  }
  const click = (place) => {
    boxes[place].checked = !boxes[place].checked;
    boxes[place].listeners.change();
    return answers.at(-1);
  };
  const labels = made.node.all("label").map((node) => node.text);
  return { ...made, labels, boxes, click, ticked: () => boxes.map((box) => Boolean(box.checked)) };
}

test("the page offers none of these for a question without such an option", () => {
  const { labels, click, node, ticked } = shown({ options: ["Pills", "Drops"] });
  assert.deepEqual(labels, ["Pills", "Drops", "None of these"]);
  assert.ok(node.text.includes("Tick all that apply, or “None of these”."));
  assert.deepEqual(click(0), [1, 0]);
  assert.deepEqual(click(2), [0, 0]);
  assert.deepEqual(ticked(), [false, false, true]);
  assert.equal(click(2), undefined);
});

test("an option that means none of the others replaces the page's own, and stands alone", () => {
  const options = ["Pills", "Not one of them", "Drops"];
  const { labels, click, node, ticked, complain } = shown({ options, none: 1 });
  assert.deepEqual(labels, options);
  assert.ok(node.text.includes("Tick all that apply, or “Not one of them”."));
  complain();
  assert.ok(!node.text.includes("None of these"));
  assert.deepEqual(click(0), [1, 0, 0]);
  assert.deepEqual(click(1), [0, 1, 0]);
  assert.deepEqual(ticked(), [false, true, false]);
  assert.deepEqual(click(2), [0, 0, 1]);
  assert.deepEqual(click(0), [1, 0, 1]);
  assert.deepEqual(click(1), [0, 1, 0]);
  assert.equal(click(1), undefined);
});

test("both kinds of none are shown again when somebody returns to the question", () => {
  assert.deepEqual(shown({ options: ["Pills", "Drops"] }, [0, 0]).ticked(), [false, false, true]);
  assert.deepEqual(shown({ options: ["Pills", "None"], none: 1 }, [0, 1]).ticked(), [false, true]);
  assert.deepEqual(shown({ options: ["Pills", "None"], none: 1 }).ticked(), [false, false]);
});
