/** "I know another design": named designs translated into the chances of a part, and the part into named designs. */

import { button, el, fill } from "../dom.js";
import { percentText } from "./chances.js";
import { framed, idOf } from "./fields.js";
import {
  answersWithEvenDecoys,
  asksOf,
  asPercent,
  DESIGNS,
  inOtherDesigns,
  readChance,
  translated,
  withDesign,
} from "./other-design.js";
import { getAt, pathText } from "./paths.js";

/** What the fields begin with: the designs as textbooks print them. */
const TEXTBOOK = {
  warner: ["70"],
  forced: ["1/6", "1/6"],
  kuk: ["80", "20"],
  unrelated: ["70", "1/12"],
  crosswise: ["15"],
  mangat: ["60"],
  triangular: ["25"],
};
/** The share that precision is compared at. */
const RARE = 0.2;
const DIGITS = 3;

/** What was typed last in this tab, by design: undoing a change draws the form again. */
const typed = structuredClone(TEXTBOOK);
let chosen = "warner";
let isOpen = false;

/**
 * @param {import("./app.js").App} app
 * @param {import("./paths.js").Path} path of a protected part
 */
export function otherDesignPart(app, path) {
  const { texts } = app;
  if (!getAt(app.document, path).questions.some(({ kind }) => kind === "yes_no")) {
    return null;
  }
  const here = pathText(path);
  const room = el("div", { class: "stack" });
  const said = el("div", { class: "stack", role: "status" });
  const back = el("div", { class: "stack" });
  const say = () => said.replaceChildren(...translation(app, path));
  const draw = () => {
    room.replaceChildren(...fieldsOf(texts, here, say));
    say();
  };
  const choices = DESIGNS.map((design) => el("option", { value: design, selected: design === chosen }, texts[`design_${design}`]));
  const choose = (event) => {
    chosen = event.target.value;
    draw();
  };
  const turnBack = () => back.replaceChildren(...backTable(app, path));
  draw();
  turnBack();
  app.whenRefreshed(turnBack);
  return el(
    "details",
    { class: "other-design", "data-open": isOpen, toggle: (event) => (isOpen = event.target.open) },
    el("summary", {}, texts.design_known),
    el(
      "div",
      { class: "details-body stack" },
      el("p", { class: "hint" }, texts.design_about),
      framed({ field: `${here}.design`, label: texts.design_which, control: el("select", { change: choose, autocomplete: "off" }, ...choices) }),
      room,
      said,
      el("h3", {}, texts.design_back),
      back,
      el("p", { class: "hint" }, texts.design_coin),
      el("p", { class: "hint" }, texts.design_list),
    ),
  );
}

function fieldsOf(texts, here, say) {
  const design = chosen;
  return asksOf(design).map((name, place) => {
    const field = `${here}.design.${design}.${name}`;
    const input = (event) => {
      typed[design][place] = event.target.value;
      event.target.setAttribute("aria-invalid", String(readChance(event.target.value) === null));
      say();
    };
    const control = el("input", { id: idOf(field), class: "percent", autocomplete: "off", spellcheck: "false", input });
    control.value = typed[design][place];
    const frame = framed({ field, label: texts[`design_${design}_${name}`], control, hint: place ? null : texts.design_chance_hint });
    control.after(el("span", { class: "unit", "aria-hidden": "true" }, "%"));
    return frame;
  });
}

/** The named design in Sotto's words, or why it has none. */
function translation(app, path) {
  const { texts } = app;
  const chances = typed[chosen].map(readChance);
  if (chances.includes(null)) {
    return [el("p", { class: "error" }, texts.design_wrong)];
  }
  const found = translated(chosen, chances);
  if (typeof found === "string") {
    return [el("p", { class: "error" }, texts[`design_no_${found}`])];
  }
  const { truth, unrelated, epsilon, isTurned } = found;
  const take = () => app.edit(app.set(path, withDesign(getAt(app.document, path), found)), { redraw: true });
  const needed = answersWithEvenDecoys(truth, unrelated, RARE);
  const figures = { p: percentText(truth), theta: percentText(unrelated), epsilon: epsilon.toFixed(DIGITS) };
  return [
    el("p", {}, fill(texts.design_is, figures)),
    isTurned && el("p", { class: "hint" }, texts.design_turned),
    el("p", { class: "hint" }, needed < 100 ? fill(texts.design_even, { needed }) : texts.design_best),
    !app.isPublished && button(texts.design_take, take, "button button--plain"),
  ].filter(Boolean);
}

/** Each chance of "yes" among the part's yes/no questions, in the words of the other designs. */
function backTable(app, path) {
  const { texts } = app;
  const { truth_probability: truth, questions } = getAt(app.document, path);
  const shares = questions.filter(({ kind }) => kind === "yes_no").map(({ unrelated }) => unrelated?.[0]);
  const isChance = (share) => Number.isInteger(share) && share > 0 && share < 10_000;
  if (!isChance(truth) || !shares.every(isChance)) {
    return [el("p", { class: "soft" }, texts.privacy_unready)];
  }
  return [...new Set(shares)].flatMap((share) => {
    const { epsilon, designs } = inOtherDesigns(truth, share);
    const figures = { p: percentText(truth), theta: percentText(share), epsilon: epsilon.toFixed(DIGITS) };
    const lines = Object.entries(designs).flatMap(([design, chances]) => {
      const words = chances
        ? asksOf(design).map((name, place) => `${texts[`design_${design}_${name}`]}: ${asPercent(chances[place])} %`).join("; ")
        : texts.design_only_even;
      return [el("dt", {}, texts[`design_${design}`]), el("dd", {}, words)];
    });
    return [el("p", {}, fill(texts.design_part, figures)), el("dl", { class: "pairs" }, ...lines)];
  });
}
