/** The form of what a part sends where it is not random: the true answers, or answers near them. */

import { el, fill } from "../dom.js";
import { numberInSentence, radioField } from "./fields.js";
import { canBeNear, whatIsLeft, withNear, withRadius } from "./near-part.js";
import { pathText } from "./paths.js";

/** @param {import("./app.js").App} app @param {number} place */
export function nearPart(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  const isNear = block.mechanism !== undefined || block.radius !== undefined;
  if (!isNear && !canBeNear(block)) {
    return null;
  }
  const here = pathText(["blocks", place]);
  const way = radioField({
    field: `${here}.mechanism`,
    legend: texts.near,
    value: isNear,
    choices: [
      { value: false, text: texts.near_exact, about: texts.near_exact_about },
      { value: true, text: texts.near_some, about: texts.near_some_about },
    ],
    onChoose: (value) => app.edit(withNear(app.document, place, value), { redraw: true }),
  });
  if (!isNear) {
    return way;
  }
  const said = el("div", { class: "hint stack", role: "status" });
  const say = () => said.replaceChildren(...leftInWords(app, place).map((line) => el("p", {}, line)));
  say();
  app.whenRefreshed(say);
  return el(
    "div",
    { class: "field stack" },
    way,
    numberInSentence({
      field: `${here}.radius`,
      sentence: fill(texts.near_number, { count: block.questions_per_person ?? block.questions.length }),
      hint: texts.near_hint,
      value: block.radius,
      onNumber: (radius, tag) => app.edit(withRadius(app.document, place, radius), { tag }),
    }),
    said,
  );
}

/** What is left of the answers, and whether the true ones would leave more with the same protection. */
function leftInWords(app, place) {
  const { texts } = app;
  const found = whatIsLeft(app.document.blocks[place]);
  if (found === null) {
    return [];
  }
  const percent = (share) => (100 * share).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
  const [one, two = 0, three = 0] = found.left.map(Math.abs);
  const lost = found.left.findIndex((factor) => Math.abs(factor) < app.budget.least_factor);
  const times = (one / found.plain) ** 2;
  return [
    fill(found.left.length > 2 ? texts.near_left : texts.near_left_two, {
      one: percent(one),
      two: percent(two),
      three: percent(three),
    }),
    fill(times > 1 ? texts.near_gain : texts.near_loss, {
      plain: percent(found.plain),
      times: Math.max(times, 1 / times).toLocaleString(document.documentElement.lang, { maximumSignificantDigits: 2 }),
    }),
    lost > 0 && fill(texts.near_lost, { size: lost + 1 }),
  ].filter(Boolean);
}
