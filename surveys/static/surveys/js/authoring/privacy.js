/** What the current draft costs respondents in privacy: per part, in total, and as frequencies. */

import { countText, el, fill } from "../dom.js";
import { oddsLabel, wholeLabel } from "../odds-label.js";
import { leastLikelyDecoy, worstRow } from "../odds.js";
import { amplification, epsilonOf, gammaNumber } from "./budget.js";
import { asDrawn } from "./drawn-part.js";
import { countedCosts } from "./rotating.js";
import { isScaleBlock } from "./scale.js";
import { parsePath } from "./paths.js";
import { isReadable } from "./readable.js";

/**
 * @param {any} document
 * @returns {{place: number, epsilon: number | null, gamma: number | null, worst: any, odds: any}[]} one entry for
 *   each protected block; null while its probabilities are invalid
 */
export function costs(document, budget = { blocks: [] }) {
  const blocks = document.blocks.map((block) => ({ ...asDrawn(block), refusal: block.refusal ?? null }));
  const design = { blocks };
  return blocks.flatMap((block, place) => {
    if (!block.protected) {
      return [];
    }
    if (isScaleBlock(block)) {
      // Only the server computes the cost of these disguises.
      const known = budget.blocks.find(({ path }) => path === `blocks[${place}]`);
      const { epsilon = null, amplification: gamma = null, exact_outside: isApart = false, lost = null } = known ?? {};
      return [{ place, epsilon, gamma, worst: null, odds: null, isApart, isScale: true, lost: block.refusal ? lost : null }];
    }
    if (!isReadable(block)) {
      return [{ place, epsilon: null, gamma: null, worst: null, odds: null }];
    }
    const gamma = amplification(design, place);
    const prevalence = Object.fromEntries(block.questions.map((one) => [one.key, one.prevalence]));
    let odds = null;
    // The server takes mutually exclusive answers into account when the draft is saved.
    const { together, anchor: isAnchor = false } = budget.blocks.find(({ path }) => path === `blocks[${place}]`) ?? {};
    try {
      odds = worstRow(design, prevalence, place, together);
    } catch {
      // The expected shares are invalid, which their field reports.
    }
    const worst = odds?.values ?? leastLikelyDecoy(design, place);
    return [{ place, epsilon: epsilonOf(gamma), gamma: gammaNumber(gamma), worst, odds, isApart: isAnchor, isAnchor }];
  });
}

const figure = (number, digits = 2) =>
  number === null ? "–" : number >= 100 ? countText(Math.round(number)) : number.toFixed(digits);

/** The total alone, for a single line. @param {import("./app.js").App} app */
export function sumInWords(app) {
  const known = countedCosts(app.document, costs(app.document, app.budget)).filter(
    ({ epsilon, isApart }) => epsilon !== null && !isApart,
  );
  return known.length ? `ε ${figure(known.reduce((sum, { epsilon }) => sum + epsilon, 0))}` : "";
}

/** @param {import("./app.js").App} app @returns {Node[]} */
export function privacyPanel(app) {
  const { texts, document: survey } = app;
  const found = costs(survey, app.budget);
  const title = el("h2", { id: "privacy-title" }, texts.privacy);
  if (found.length === 0) {
    return [title, el("p", { class: "soft" }, texts.privacy_none)];
  }
  const isWhole = found.every(({ epsilon }) => epsilon !== null);
  const sum = countedCosts(survey, found.filter(({ isApart }) => !isApart)).reduce((all, { epsilon }) => all + (epsilon ?? 0), 0);
  const chosen = parsePath(app.selected)[1];
  const current = found.find(({ place }) => place === chosen) ?? found[0];
  return [
    title,
    costTable(app, found, { sum, isWhole, current }),
    // Only after the server has read the draft. Direct answers are explained below.
    app.budget.whole && wholeLabel(texts, app.budget.whole, false, app.budget.light),
    ...oddsPart(app, current),
    ...exceptions(app),
  ];
}

function costTable(app, found, { sum, isWhole, current }) {
  const { texts } = app;
  const rows = found.map(({ place, epsilon, gamma, isApart, isAnchor }) =>
    el(
      "tr",
      { class: place === current.place && found.length > 1 ? "row--current" : null },
      el("th", { scope: "row" }, app.nameOf(`blocks[${place}]`), isApart && el("span", { class: "hint" }, ` ${isAnchor ? texts.privacy_anchor : texts.privacy_apart}`)),
      el("td", { class: "num" }, figure(gamma, 1)),
      el("td", { class: "num" }, figure(epsilon)),
    ),
  );
  const head = (text, name) => el("th", { scope: "col", class: "num" }, el("abbr", { title: name }, text));
  return el(
    "table",
    { class: "costs for-experts" },
    el("caption", { class: "visually-hidden" }, texts.privacy_caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, texts.part), head("γ", texts.gamma), head("ε", texts.epsilon))),
    el("tbody", {}, ...rows),
    el(
      "tfoot",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "row", colspan: "2" }, isWhole ? texts.privacy_sum : texts.privacy_sum_partly),
        el("td", { class: "num" }, el("strong", {}, figure(found.some(({ epsilon }) => epsilon !== null) ? sum : null))),
      ),
    ),
  );
}

/** The cost of hiding skips of a number or a place. @param {number} lost share of the answers sent as "skipped" */
const skipCost = (texts, lost) =>
  fill(texts.scale_skip_cost, { lost: (100 * lost).toFixed(1), more: ((1 - lost) ** -0.5).toFixed(2) });

function oddsPart(app, { place, worst, odds, gamma, isScale, isApart, isAnchor, lost }) {
  const { texts } = app;
  const name = el("h3", {}, app.nameOf(`blocks[${place}]`));
  if (isScale) {
    const isLevelled = app.document.blocks[place].questions.some((question) => question.place?.mechanism === "levels");
    const apart = isLevelled ? texts.privacy_scale_levels : texts.privacy_scale_apart;
    const says = gamma === null ? texts.privacy_unready : isApart ? apart : texts.privacy_scale;
    return [
      name,
      el("p", { class: gamma === null ? "soft" : null }, fill(says, { gamma: figure(gamma, 1) })),
      ...(typeof lost === "number" ? [el("p", { class: "hint for-experts" }, skipCost(texts, lost))] : []),
    ];
  }
  if (isAnchor) {
    return [name, el("p", {}, texts.privacy_anchor_why)];
  }
  if (odds === null) {
    return [name, el("p", { class: "soft" }, gamma === null ? texts.privacy_unready : texts.privacy_no_prevalence)];
  }
  return [
    name,
    oddsLabel(texts, odds, worst, false),
    el("p", { class: "hint for-experts" }, fill(texts.privacy_times, { gamma: figure(gamma, 1) })),
  ];
}

function exceptions(app) {
  const { texts, document: survey } = app;
  const open = survey.blocks.filter((block) => !block.protected).reduce((sum, { questions }) => sum + questions.length, 0);
  const policy = survey.group?.policy;
  return [
    open > 0 && el("p", { class: "hint" }, fill(texts.privacy_open, { count: open })),
    (policy === "choice" || policy === "assigned") &&
      survey.group.light !== true &&
      el("p", { class: "hint" }, texts.privacy_direct),
  ];
}
